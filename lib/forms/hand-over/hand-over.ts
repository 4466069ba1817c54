import "server-only";
import { clientsHiddenFrom } from "@/lib/clients/restrictions/restrictions";
import type { Work } from "@/lib/clients/work";
import type { SessionUser } from "@/lib/core/access/permissions";
import { assertAllowed } from "@/lib/core/access/scope";
import { db, queryIn, rows } from "@/lib/core/database/client";
import { notFound } from "@/lib/core/errors";
import { assertCanTakeOver, countWork, moveWork } from "@/lib/forms/hand-over/move-work";
import { assertHoldsAllOf, assertMayChange } from "@/lib/identity/grants";
import { type Actor, countSessions } from "@/lib/identity/session";
import { lookupStores } from "@/lib/lookups/store";

/**
 * Transfers the user's clients, drafts, and returned forms to a colleague and returns the number of each.
 * `deactivate` also deactivates the account; both changes succeed or neither does. Work about clients hidden from the
 * actor or the colleague does not move. Throws 404 if the user does not exist; 422 on `user.id` or `toUserId` if
 * either has more permissions than the actor; 422 on `toUserId` if the colleague cannot take over; 422 on
 * `user.active` if the account must stay active.
 */
export async function handOver(
  actor: Actor,
  id: number,
  { toUserId, deactivate }: { toUserId: number; deactivate: boolean },
): Promise<Work> {
  assertAllowed(actor, "users");
  return db().$transaction(async (tx) => {
    const user = await tx.user.findUnique({ where: { id }, select: { active: true } });
    if (!user) throw notFound();
    await assertCanTakeOver(tx, "toUserId", id, toUserId);
    await assertMayChange(tx, actor, "user.id", id);
    await assertHoldsAllOf(tx, actor, "toUserId", toUserId);
    // Deactivate first: it waits for saves in progress and blocks later ones, so no work is left behind.
    if (deactivate && user.active) await lookupStores.users.updateIn(tx, actor, id, { active: false });
    const hiddenFromColleague = await clientsHiddenFrom(queryIn(tx), toUserId);
    const hidden = { hiddenClients: [...actor.hiddenClients, ...hiddenFromColleague] };
    return moveWork(tx, actor, { from: id, to: toUserId, hidden });
  });
}

/** Returns the work the user could hand over and the number of their sessions. */
export async function holdingsOf(actor: SessionUser, id: number): Promise<Work & { sessions: number }> {
  assertAllowed(actor, "users");
  const [work, sessions] = await Promise.all([countWork(rows, actor, id), countSessions(id)]);
  return { ...work, sessions };
}
