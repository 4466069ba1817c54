import "server-only";
import { audit, rowsRecorded } from "@/lib/audit/record";
import { readClientKey } from "@/lib/audit/values";
import { lockClient } from "@/lib/clients/holds";
import type { ClientHooks } from "@/lib/clients/hooks";
import { formerIds } from "@/lib/clients/merged";
import type { Restriction, RestrictionsInput } from "@/lib/clients/restrictions/schema";
import type { Work } from "@/lib/clients/work";
import { fullName, type PermissionName, type SessionUser } from "@/lib/core/access/permissions";
import { assertAllowed, selectClients, visibleClientsWhere } from "@/lib/core/access/scope";
import { db, type Query, queryIn, rows, type Tx } from "@/lib/core/database/client";
import { textKey } from "@/lib/core/database/folded";
import { isoTimestamp } from "@/lib/core/database/record-read";
import { AppError, invalid, notFound } from "@/lib/core/errors";
import { type Sql, sql } from "@/lib/core/sql";

// Hides clients from users who must not know of them, such as a relative on the staff (lib/core/access/scope.ts).

/** SQL for the restrictions of a client, as the API returns them. */
const restrictionsJson = (clientId: Sql) => sql`(
  SELECT COALESCE(json_agg(json_build_object(
    'user', json_build_object('id', u.id, 'firstName', u.first_name, 'lastName', u.last_name, 'active', u.active),
    'by', (SELECT b.first_name || ' ' || b.last_name FROM users b WHERE b.id = r.created_by_id),
    'at', ${isoTimestamp(sql`r.created_at`)}) ORDER BY ${textKey(sql`u.first_name || ' ' || u.last_name`)}, u.id), '[]')
  FROM client_restrictions r JOIN users u ON u.id = r.user_id WHERE r.client_id = ${clientId})`;

async function readRestrictions(query: Query, clientId: number): Promise<Restriction[]> {
  const [row] = await query<{ restrictions: Restriction[] }>(
    sql`SELECT ${restrictionsJson(sql`${clientId}`)} AS restrictions`,
  );
  return row?.restrictions ?? [];
}

/** Returns the users who cannot see a client, for a page that has read the client for the actor. */
export function restrictionsOf(actor: SessionUser, clientId: number): Promise<Restriction[]> {
  assertAllowed(actor, "restrict-clients");
  return readRestrictions(rows, clientId);
}

/**
 * The same for a caller who has not read the client; records a view. Throws 404 if the actor cannot see the client.
 */
export async function openRestrictions(actor: SessionUser, clientId: number): Promise<Restriction[]> {
  assertAllowed(actor, "restrict-clients");
  const [row] = await rowsRecorded<{ id: number; restrictions: Restriction[] }>(
    actor,
    { action: "viewed", entity: "client", client: "id" },
    selectClients(
      sql`c.id, ${restrictionsJson(sql`c.id`)} AS restrictions`,
      visibleClientsWhere(actor),
      sql`c.id = ${clientId}`,
    ),
  );
  if (!row) throw notFound();
  return row.restrictions;
}

/**
 * Hides the client, and the clients merged into it, from exactly these users, starting with their next request. Throws
 * 404 if the actor cannot see the client; 409 if the current list differs from `formerUserIds`. Throws 422 on `userIds`
 * for the actor, for unknown users, and if no other user of `OVERSEERS` would see the client. `handOver` runs first,
 * with the users who lose sight of the client.
 */
export async function restrictClient(
  actor: SessionUser,
  clientId: number,
  { userIds, formerUserIds }: RestrictionsInput,
  handOver: ((tx: Tx, newlyHiddenFrom: readonly number[]) => Promise<Work>) | undefined,
): Promise<{ restrictions: Restriction[]; handedOver?: Work }> {
  assertAllowed(actor, "restrict-clients");
  if (userIds.includes(actor.userId)) throw invalid("userIds", "You cannot hide a client from yourself");
  return db().$transaction(async (tx) => {
    const query = queryIn(tx);
    await lockClient(query, actor, clientId);
    const former = await readRestrictions(query, clientId);
    const hiddenFrom = new Set(former.map(({ user }) => user.id));
    // Another user has added the actor to the list since this request began.
    if (hiddenFrom.has(actor.userId)) throw notFound();
    const wasRead = formerUserIds ?? [...hiddenFrom];
    if (wasRead.length !== hiddenFrom.size || wasRead.some((id) => !hiddenFrom.has(id)))
      throw new AppError("conflict_version", "Someone changed the restrictions since you opened this page");
    const existing = await tx.user.count({ where: { id: { in: userIds } } });
    if (existing < userIds.length) throw invalid("userIds", "User does not exist");
    if (userIds.some((id) => !hiddenFrom.has(id))) {
      const what = await findLostOversight(query, userIds, actor.userId);
      if (what)
        throw invalid("userIds", `At least one other person who can ${what} must still see the client`);
    }

    const newly = userIds.filter((id) => !hiddenFrom.has(id));
    const handedOver = await handOver?.(tx, newly);
    const clientIds = [clientId, ...(await formerIds(query, clientId))];
    await tx.clientRestriction.deleteMany({
      where: { clientId: { in: clientIds }, userId: { notIn: userIds } },
    });
    await tx.clientRestriction.createMany({
      data: clientIds.flatMap((id) =>
        userIds.map((userId) => ({ clientId: id, userId, createdById: actor.userId })),
      ),
      skipDuplicates: true,
    });
    if (!(await recordRestricted(query, actor, clientId, former)))
      await audit(query, actor, { action: "viewed", entity: "client", entityId: clientId, clientId });
    return { restrictions: await readRestrictions(query, clientId), handedOver };
  });
}

/**
 * Records the users who now cannot see a client, encrypted with the newest key of `keyOf`. Returns false if
 * nothing changed.
 */
async function recordRestricted(
  query: Query,
  actor: SessionUser,
  clientId: number,
  former: readonly Restriction[],
  keyOf = clientId,
): Promise<boolean> {
  const from = namesIn(former);
  const to = namesIn(await readRestrictions(query, clientId));
  if (from === to) return false;
  const changes = [{ field: "client.hiddenFrom", from, to }];
  const about = { entityId: clientId, clientId, changes, clientKey: await readClientKey(query, keyOf) };
  await audit(query, actor, { action: "restricted", entity: "client", ...about });
  return true;
}

/**
 * The permissions that another user who still sees the client must hold. One user must hold all permissions of an
 * entry.
 */
const OVERSEERS: readonly { holding: PermissionName[]; what: string }[] = [
  { holding: ["Restrict Clients", "Clients"], what: "undo this" },
  { holding: ["Audit Log"], what: "read the Audit Log" },
];

/**
 * Returns the `OVERSEERS` task that no active user except `but` could do if these users cannot see the client. Nobody
 * could then correct an abuse. Returns undefined if someone is left, or if nobody can do the task for any client.
 */
async function findLostOversight(
  query: Query,
  userIds: readonly number[],
  but: number | null = null,
): Promise<string | undefined> {
  for (const { holding, what } of OVERSEERS) {
    const others = await query<{ id: number }>(
      sql`SELECT u.id FROM users u WHERE u.active AND u.id IS DISTINCT FROM ${but} AND cardinality(${holding}::text[]) = (
         SELECT count(*) FROM role_permissions rp JOIN permissions p ON p.id = rp.permission_id
         WHERE rp.role_id = u.role_id AND p.name = ANY(${holding}::text[]))`,
    );
    if (others.length > 0 && others.every(({ id }) => userIds.includes(id))) return what;
  }
  return undefined;
}

/**
 * Hides a client, and `mergedId` just merged into it, from all users who cannot see one of the two. Records that for
 * each. Undoing the merge does not lift these restrictions, so it never reveals a client that someone else has hidden.
 */
async function uniteRestrictions(
  query: Query,
  actor: SessionUser,
  clientId: number,
  mergedId: number,
): Promise<void> {
  const former = await readRestrictions(query, clientId);
  const formerOfMerged = await readRestrictions(query, mergedId);
  await shareRestrictions(query, clientId);
  await recordRestricted(query, actor, clientId, former);
  // The keys of the merged client already belong to the other one.
  await recordRestricted(query, actor, mergedId, formerOfMerged, clientId);
}

/**
 * Hides a client, and the clients merged into it, from all users who cannot see one of them. Throws 409 if no user
 * would be left who could lift that or find it in the Audit Log. The error does not mention this, because the user who
 * merges two records need not know about their restrictions.
 */
async function shareRestrictions(query: Query, clientId: number): Promise<void> {
  const clientIds = [clientId, ...(await formerIds(query, clientId))];
  await query(
    sql`INSERT INTO client_restrictions (client_id, user_id, created_by_id, created_at)
     SELECT id, r.user_id, r.created_by_id, r.created_at
     FROM unnest(${clientIds}::int[]) AS id CROSS JOIN client_restrictions r WHERE r.client_id = ANY(${clientIds}::int[])
     ON CONFLICT DO NOTHING`,
  );
  if (await findLostOversight(query, await restrictedUsers(query, clientId)))
    throw new AppError(
      "conflict_in_use",
      "Someone with the Restrict Clients permission must review these records first.",
    );
}

/** Returns the ids of the users who cannot see a client. */
export async function restrictedUsers(query: Query, clientId: number): Promise<number[]> {
  const restricted = await query<{ id: number }>(
    sql`SELECT user_id AS id FROM client_restrictions WHERE client_id = ${clientId}`,
  );
  return restricted.map(({ id }) => id);
}

/**
 * Hides a restored client, and those merged into it, from users who could not see it before the merge. Records that. A
 * user who has lifted the restriction since may have meant only the other client.
 */
async function restrictAgain(
  query: Query,
  actor: SessionUser,
  clientId: number,
  userIds: readonly number[],
): Promise<void> {
  const former = await readRestrictions(query, clientId);
  await query(
    sql`INSERT INTO client_restrictions (client_id, user_id, created_by_id)
     SELECT ${clientId}, u.id, ${actor.userId} FROM users u WHERE u.id = ANY(${userIds}::int[]) ON CONFLICT DO NOTHING`,
  );
  await shareRestrictions(query, clientId);
  await recordRestricted(query, actor, clientId, former);
}

export const restrictionHooks = {
  name: "restrictions",
  /** Returns the ids of the users who could not see the merged client. */
  async merged(query, actor, { from, to }) {
    const hiddenFrom = await restrictedUsers(query, from);
    await uniteRestrictions(query, actor, to, from);
    return hiddenFrom;
  },
  unmerged: (query, actor, { to }, userIds) => restrictAgain(query, actor, to, userIds),
} satisfies ClientHooks;

/** Names stay readable in the history after an account is removed; ids distinguish users with equal names. */
const namesIn = (restrictions: readonly Restriction[]): string =>
  restrictions.map(({ user }) => `${fullName(user)} (${user.id})`).join(", ");

/** Returns the ids of the clients that are hidden from a user. */
export async function clientsHiddenFrom(query: Query, userId: number): Promise<number[]> {
  const hidden = await query<{ id: number }>(
    sql`SELECT client_id AS id FROM client_restrictions WHERE user_id = ${userId}`,
  );
  return hidden.map(({ id }) => id);
}
