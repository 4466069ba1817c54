import "server-only";
import { cookies } from "next/headers";
import { redirect } from "next/navigation";
import { can, type SessionUser } from "@/lib/auth/permissions";
import { formOwners } from "@/lib/forms/data";
import { FILTERS_PATH, filtersCookie, keptFilters } from "@/lib/forms/kept-filters";
import { userOptions } from "@/lib/lookups/resources/data";
import type { UserOption } from "@/lib/lookups/resources/schema";

// What the forms list's screen needs beside its rows.

/** The users by whom the list can be filtered: those who have forms; null for those who see only their own forms. */
export async function usersToFilterBy(actor: SessionUser): Promise<UserOption[] | null> {
  if (!can(actor, "all-forms")) return null;
  const [users, owners] = await Promise.all([userOptions(actor), formOwners(actor)]);
  return users.filter(({ id }) => owners.includes(id));
}

/** Leads to the forms list under the filters that the actor has chosen last in this browser, if any. */
export async function openWithKeptFilters(actor: SessionUser): Promise<void> {
  const cookie = (await cookies()).get(filtersCookie(actor.userId))?.value;
  const filters = keptFilters(new URLSearchParams(cookie));
  if (filters) redirect(`${FILTERS_PATH}?${filters}`);
}
