import "server-only";
import { audit } from "@/lib/audit/record";
import type { SessionUser } from "@/lib/core/access/permissions";
import { assertAllowed } from "@/lib/core/access/scope";
import { db, queryIn, type Tx } from "@/lib/core/database/client";
import { notFound } from "@/lib/core/errors";
import { endLinks } from "@/lib/identity/accounts";
import { assertMayChange } from "@/lib/identity/grants";
import { sessionsEnded } from "@/lib/identity/session";
import { forgetIdentity } from "@/lib/identity/sign-on/attempts";

type UserRef = { id: number };

/**
 * Ends every way into the account except its password: sessions, links, known devices, and single sign-on. A
 * reactivated user is found by email again.
 */
export async function endAccess(tx: Tx, { id }: UserRef): Promise<void> {
  await endLinks(tx, { id });
  await forgetIdentity(tx, { id });
  await endSessions(tx, { id });
}

/** Ends all sessions of the user and returns their number. */
async function endSessions(tx: Tx, { id }: UserRef): Promise<number> {
  const { count } = await tx.session.deleteMany({ where: { userId: id } });
  await tx.user.update({ where: { id }, data: { deviceGeneration: { increment: 1 } } });
  return count;
}

/**
 * Signs the user out everywhere. Throws 404 if there is no such user, 422 on `user.id` if they hold more than the
 * actor.
 */
export async function endSessionsOf(actor: SessionUser, id: number): Promise<void> {
  assertAllowed(actor, "users");
  await db().$transaction(async (tx) => {
    await assertExists(tx, id);
    await assertMayChange(tx, actor, "user.id", id);
    const changes = sessionsEnded(await endSessions(tx, { id }));
    await audit(queryIn(tx), actor, { action: "updated", entity: "user", entityId: id, changes });
  });
}

async function assertExists(tx: Tx, id: number): Promise<void> {
  if (!(await tx.user.findUnique({ where: { id }, select: { id: true } }))) throw notFound();
}
