import "server-only";
import { cookies } from "next/headers";
import { redirect } from "next/navigation";
import type { SessionUser } from "@/lib/auth/permissions";
import { FILTERS_PATH, filtersCookie, keptFilters } from "@/lib/forms/kept-filters";

/** Leads to the forms list under the filters that the actor has chosen last in this browser, if any. */
export async function openWithKeptFilters(actor: SessionUser): Promise<void> {
  const cookie = (await cookies()).get(filtersCookie(actor.userId))?.value;
  const filters = keptFilters(new URLSearchParams(cookie));
  if (filters) redirect(`${FILTERS_PATH}?${filters}`);
}
