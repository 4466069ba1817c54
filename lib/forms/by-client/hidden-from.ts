import "server-only";
import { possibleDuplicates } from "@/lib/clients/duplicates";
import { restrictionsOf } from "@/lib/clients/restrictions/restrictions";
import type { SessionUser } from "@/lib/core/access/permissions";
import { successorsOf } from "@/lib/forms/hand-over/client";
import { userOptions } from "@/lib/lookups/resources/lists";

/**
 * Returns a client's restrictions, the colleagues without one, the users who could take over the work,
 * and possible duplicates. The caller has read the client for the actor.
 */
export async function hiddenFrom(actor: SessionUser, clientId: number) {
  const [restrictions, users, successors, duplicates] = await Promise.all([
    restrictionsOf(actor, clientId),
    userOptions(actor),
    successorsOf(actor, clientId),
    possibleDuplicates(actor, clientId),
  ]);
  const excludedIds = [actor.userId, ...restrictions.map(({ user }) => user.id)];
  return {
    restrictions,
    duplicates,
    successors,
    colleagues: users.filter(({ id }) => !excludedIds.includes(id)),
  };
}
