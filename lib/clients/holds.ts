import "server-only";
import { auditSave } from "@/lib/audit/record";
import { readClientKey } from "@/lib/audit/values";
import type { Hold } from "@/lib/clients/hold-schema";
import { fullName, type SessionUser } from "@/lib/core/access/permissions";
import {
  assertAllowed,
  type Hiding,
  remainingClientsWhere,
  selectClients,
  withoutActor,
} from "@/lib/core/access/scope";
import { db, type Query, queryIn } from "@/lib/core/database/client";
import { AppError, notFound } from "@/lib/core/errors";
import { empty, sql } from "@/lib/core/sql";

// Legal holds, and the row locks that order a client's removals, purges and holds.

/** SQL condition: the client `c` is on legal hold. */
export const ON_LEGAL_HOLD = sql`EXISTS (SELECT FROM client_holds h WHERE h.client_id = c.id)`;

/** Returns the legal hold on a client, or null. */
export async function holdOf(actor: SessionUser, clientId: number): Promise<Hold | null> {
  assertAllowed(actor, "retention");
  const row = await db().clientHold.findUnique({
    where: { clientId },
    include: { heldBy: { select: { firstName: true, lastName: true } } },
  });
  return (
    row && {
      reason: row.reason,
      by: row.heldBy && fullName(row.heldBy),
      at: row.heldAt.toISOString(),
    }
  );
}

/**
 * Puts a legal hold on a client, or changes the reason of the existing one. Throws 404 if there is no such client.
 */
export async function holdClient(actor: SessionUser, clientId: number, reason: string): Promise<Hold> {
  await changeHold(actor, clientId, reason);
  const hold = await holdOf(actor, clientId);
  if (!hold) throw notFound();
  return hold;
}

/** Lifts the legal hold on a client. Throws 404 if there is none. */
export const liftHold = (actor: SessionUser, clientId: number): Promise<void> =>
  changeHold(actor, clientId, null);

async function changeHold(actor: SessionUser, clientId: number, reason: string | null): Promise<void> {
  assertAllowed(actor, "retention");
  await db().$transaction(async (tx) => {
    const query = queryIn(tx);
    await lockClient(query, actor, clientId);
    const former = await readHold(query, clientId);
    if (reason === null && former === null) throw notFound();
    if (reason === null) await tx.clientHold.delete({ where: { clientId } });
    else if (reason !== former) {
      const data = { reason, heldById: actor.userId, heldAt: new Date() };
      await tx.clientHold.upsert({ where: { clientId }, create: { clientId, ...data }, update: data });
    }
    const changes = reason === former ? [] : [{ field: "client.hold", from: former, to: reason }];
    const about = { entityId: clientId, clientId, changes, clientKey: await readClientKey(query, clientId) };
    await auditSave(query, actor, { entity: "client", ...about });
  });
}

/**
 * Locks a client until the transaction ends, so that removals, purges, holds, restrictions and new forms wait for each
 * other. Throws 404 if the actor cannot see the client.
 */
export async function lockClient(query: Query, actor: Hiding, clientId: number): Promise<void> {
  const visible = selectClients(empty, remainingClientsWhere(actor), sql`c.id = ${clientId}`);
  const locked = await query(sql`${visible} FOR UPDATE`);
  if (locked.length === 0) throw notFound();
}

/**
 * Locks the rows of clients until the transaction ends; checks nothing. Every caller locks clients before their forms,
 * and several clients in order of id. Otherwise, a purge or merge and a removal could deadlock.
 */
export async function lockClientRows(query: Query, clientIds: readonly number[]): Promise<void> {
  const visible = withoutActor("the caller has found these clients for its actor");
  await query(
    sql`${selectClients(empty, visible, sql`c.id = ANY(${clientIds}::int[])`)} ORDER BY id FOR UPDATE`,
  );
}

/** Returns the reason of the legal hold on a client, or null. */
async function readHold(query: Query, clientId: number): Promise<string | null> {
  const [hold] = await query<{ reason: string }>(
    sql`SELECT reason FROM client_holds WHERE client_id = ${clientId}`,
  );
  return hold?.reason ?? null;
}

/**
 * Locks a client before a removal, so that no hold is added before the transaction ends. Throws 404 if the actor
 * cannot see the client, and 409 if it is on legal hold.
 */
export async function lockClientWithoutHold(query: Query, actor: Hiding, clientId: number): Promise<void> {
  await lockClient(query, actor, clientId);
  // A separate statement, so that it sees rows committed while the first one waited for the lock.
  await assertNoHold(query, [clientId]);
}

/** Throws 409 if one of the clients is on legal hold. The transaction has locked them. */
export async function assertNoHold(query: Query, clientIds: readonly number[]): Promise<void> {
  const holds = await query(sql`SELECT FROM client_holds WHERE client_id = ANY(${clientIds}::int[])`);
  if (holds.length > 0) throw new AppError("conflict_in_use", "This client is under legal hold.");
}
