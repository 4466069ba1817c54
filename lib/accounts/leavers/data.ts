import "server-only";
import { endLinks } from "@/lib/accounts/data";
import { invalid, notFound } from "@/lib/api/errors";
import { audit } from "@/lib/audit/record";
import { assertHoldsAllOf, assertMayChange } from "@/lib/auth/grants";
import type { SessionUser } from "@/lib/auth/permissions";
import { assertAllowed } from "@/lib/auth/scope";
import { db, queryIn, type Tx } from "@/lib/database/client";
import { handOverDrafts } from "@/lib/drafts/data";

// What happens to an account whose owner leaves (contract §8 and §9).

type UserRef = { id: number };

/** Ends all that lets somebody into the account without its password: sessions, links and known devices. */
export async function endAccess(tx: Tx, { id }: UserRef): Promise<void> {
  await endLinks(tx, { id });
  await endSessions(tx, { id });
}

async function endSessions(tx: Tx, { id }: UserRef): Promise<void> {
  await tx.session.deleteMany({ where: { userId: id } });
  await tx.user.update({ where: { id }, data: { deviceGeneration: { increment: 1 } } });
}

/** Signs the user out everywhere. 404 when there is no such user, 422 on `user.id` when they hold more than the actor. */
export async function endSessionsOf(actor: SessionUser, id: number): Promise<void> {
  assertAllowed(actor, "users");
  await db().$transaction(async (tx) => {
    await assertExists(tx, id);
    await assertMayChange(tx, actor, "user.id", id);
    await endSessions(tx, { id });
    await audit(queryIn(tx), actor, { action: "updated", entity: "user", entityId: id });
  });
}

/**
 * Gives the user's clients, drafts and returned forms to a colleague; other forms keep their advocate. 404 when there
 * is no such user, 422 on `user.id` or `toUserId` when either holds more than the actor, and on `toUserId` when the
 * colleague cannot take them. Answers how many went.
 */
export async function handOver(
  actor: SessionUser,
  id: number,
  toUserId: number,
): Promise<{ clients: number; drafts: number; returned: number }> {
  assertAllowed(actor, "users");
  return db().$transaction(async (tx) => {
    await assertExists(tx, id);
    if (toUserId === id) throw invalid("toUserId", "Choose a colleague");
    const colleague = await tx.user.findUnique({ where: { id: toUserId }, select: { active: true } });
    if (!colleague) throw invalid("toUserId", "User does not exist");
    if (!colleague.active) throw invalid("toUserId", "This account is deactivated");
    await assertMayChange(tx, actor, "user.id", id);
    await assertHoldsAllOf(tx, actor, "toUserId", toUserId);

    const clients = await tx.client.updateManyAndReturn({
      where: { userId: id },
      data: { userId: toUserId },
      select: { id: true },
    });
    const forms = await tx.form.updateManyAndReturn({
      where: { userId: id, returnedAt: { not: null } },
      data: { userId: toUserId },
      select: { id: true, clientId: true },
    });
    const drafts = await handOverDrafts(tx, actor, id, toUserId);
    const moved = [
      ...clients.map((client) => ({ entity: "client", entityId: client.id, clientId: client.id })),
      ...forms.map((form) => ({ entity: "form", entityId: form.id, clientId: form.clientId })),
    ];
    for (const record of moved) await audit(queryIn(tx), actor, { action: "updated", ...record });
    return { clients: clients.length, drafts, returned: forms.length };
  });
}

async function assertExists(tx: Tx, id: number): Promise<void> {
  if (!(await tx.user.findUnique({ where: { id }, select: { id: true } }))) throw notFound();
}
