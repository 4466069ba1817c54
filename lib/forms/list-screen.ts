import "server-only";
import { can, type SessionUser } from "@/lib/core/access/permissions";
import { formUsers } from "@/lib/forms/forms";
import { userOptions } from "@/lib/lookups/resources/lists";
import type { UserOption } from "@/lib/lookups/resources/schema";

/**
 * Returns the options of the forms list's user filter: holders of Forms and owners of forms. Returns null for a user
 * without All Forms, who sees only their own forms.
 */
export async function usersToFilterBy(actor: SessionUser): Promise<UserOption[] | null> {
  if (!can(actor, "all-forms")) return null;
  const [users, ids] = await Promise.all([userOptions(actor), formUsers(actor)]);
  return users.filter(({ id }) => ids.includes(id));
}
