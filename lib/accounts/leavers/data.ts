import "server-only";
import { endLinks } from "@/lib/accounts/data";
import { invalid, notFound } from "@/lib/api/errors";
import { audit, auditPart } from "@/lib/audit/record";
import { assertHoldsAllOf, assertMayChange } from "@/lib/auth/grants";
import type { SessionUser } from "@/lib/auth/permissions";
import { andNotHidden, assertAllowed, type Hiding } from "@/lib/auth/scope";
import { sessionsEnded } from "@/lib/auth/session";
import { forgetIdentity } from "@/lib/auth/sign-on/data";
import { db, type Query, queryIn, type Tx } from "@/lib/database/client";
import { Statement } from "@/lib/database/record-write";
import { handOverDrafts } from "@/lib/drafts/data";
import { closedThroughSql } from "@/lib/periods/data";
import { clientsHiddenFrom } from "@/lib/restrictions/data";

// What happens to an account whose owner leaves (contract §8 and §9).

type UserRef = { id: number };

/**
 * Ends all that lets somebody into the account without its password: sessions, links, known devices and who they are at
 * the organisation's own sign-in, so that whoever is brought back is found by their email once more.
 */
export async function endAccess(tx: Tx, { id }: UserRef): Promise<void> {
  await endLinks(tx, { id });
  await forgetIdentity(tx, { id });
  await endSessions(tx, { id });
}

/** Answers how many sessions it ended. */
async function endSessions(tx: Tx, { id }: UserRef): Promise<number> {
  const { count } = await tx.session.deleteMany({ where: { userId: id } });
  await tx.user.update({ where: { id }, data: { deviceGeneration: { increment: 1 } } });
  return count;
}

/** Signs the user out everywhere. 404 when there is no such user, 422 on `user.id` when they hold more than the actor. */
export async function endSessionsOf(actor: SessionUser, id: number): Promise<void> {
  assertAllowed(actor, "users");
  await db().$transaction(async (tx) => {
    await assertExists(tx, id);
    await assertMayChange(tx, actor, "user.id", id);
    const changes = sessionsEnded(await endSessions(tx, { id }));
    await audit(queryIn(tx), actor, { action: "updated", entity: "user", entityId: id, changes });
  });
}

/**
 * Gives the user's clients, drafts and returned forms to a colleague; other forms, and those of closed periods, keep
 * their advocate, and so does what is about clients who are hidden from the actor or the colleague. 404 when there is no
 * such user, 422 on `user.id` or `toUserId` when either holds more than the actor, and on `toUserId` when the
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

    const query = queryIn(tx);
    const theirs = await clientsHiddenFrom(query, toUserId);
    const hidden = { hiddenClients: [...actor.hiddenClients, ...theirs] };
    const clients = await move(query, actor, "client", id, toUserId, hidden);
    const returned = await move(query, actor, "form", id, toUserId, hidden);
    const drafts = await handOverDrafts(tx, actor, id, toUserId, hidden);
    return { clients, drafts, returned };
  });
}

const MOVED = {
  client: { table: "clients", clientId: "id", only: "" },
  // A form of a closed period does not change.
  form: {
    table: "forms",
    clientId: "client_id",
    only: `AND returned_at IS NOT NULL AND service_on > COALESCE(${closedThroughSql()}::date, '-infinity')`,
  },
} as const;

/**
 * Gives records of one user to another, each recorded with both. Answers how many. `updated_at` stays: nothing was done
 * for the client, so that retention counts on from the last activity.
 */
async function move(
  query: Query,
  actor: SessionUser,
  entity: keyof typeof MOVED,
  from: number,
  to: number,
  hidden: Hiding,
) {
  const { table, clientId, only } = MOVED[entity];
  const statement = new Statement();
  const moved = statement.with(
    `UPDATE ${table} SET user_id = ${statement.bind(to)}, updated_by_id = ${statement.bind(actor.userId)},
       lock_version = lock_version + 1
     WHERE user_id = ${statement.bind(from)} ${only}${andNotHidden(hidden, clientId, statement.bind)} RETURNING id, ${clientId} AS client_id`,
  );
  const changes = [{ field: `${entity}.userId`, from, to }];
  auditPart(statement, actor, { action: "updated", entity, client: "client_id", changes }, moved);
  return (await query(statement.sql(`SELECT id FROM ${moved}`), statement.values)).length;
}

async function assertExists(tx: Tx, id: number): Promise<void> {
  if (!(await tx.user.findUnique({ where: { id }, select: { id: true } }))) throw notFound();
}
