import "server-only";
import { changesOf } from "@/lib/audit/changes";
import { audit, auditRead } from "@/lib/audit/record";
import { decryptForClient, encryptForClient, readClientKey } from "@/lib/audit/values";
import type { Client } from "@/lib/clients/api-schema";
import { overwriteClient, readClient, recreateClient } from "@/lib/clients/clients";
import { lockClientWithoutHold } from "@/lib/clients/holds";
import type { ClientHooks, ClientMove } from "@/lib/clients/hooks";
import { withMaskedNumber } from "@/lib/clients/masked";
import { assertNotMerged, mergedInto } from "@/lib/clients/merged";
import { shareKeys, takeKeys } from "@/lib/clients/merges/keys";
import { changedSince, valuesBefore, valuesOf } from "@/lib/clients/merges/restore";
import {
  type Merge,
  type MergeDetails,
  type MergeInput,
  type Merges,
  mergeDetails,
} from "@/lib/clients/merges/schema";
import { restrictedUsers, restrictionHooks } from "@/lib/clients/restrictions/restrictions";
import { clientSchema } from "@/lib/clients/schema";
import { mayMerge, type SessionUser } from "@/lib/core/access/permissions";
import { selectClients, visibleClientsWhere, visibleFormsWhere, withoutActor } from "@/lib/core/access/scope";
import { inTransaction, type Query, rows } from "@/lib/core/database/client";
import { holdDefinitions } from "@/lib/core/database/definitions";
import { isoTimestamp } from "@/lib/core/database/record-read";
import { assertVersion, type StoredVersion } from "@/lib/core/database/versions";
import { AppError, forbidden, invalid, notFound } from "@/lib/core/errors";
import { env } from "@/lib/core/process/env";
import { constant, type Sql, sql } from "@/lib/core/sql";

/** The number of days within which a merge can be undone. */
const UNDO_DAYS = 30;
const UNDOABLE = sql`m.details IS NOT NULL AND m.at > now() - make_interval(days => ${constant(UNDO_DAYS)})`;
/**
 * SQL condition: no later merge involves the current client, which has the key `k`. Only the last merge can be undone,
 * because only it restores the values before it.
 */
const LAST = sql`NOT EXISTS (SELECT FROM client_merges later JOIN client_keys theirs ON theirs.id = later.key_id
  WHERE theirs.client_id = k.client_id AND later.id > m.id)`;

/** For statements on clients that `lockRows` has locked, and on their forms. */
const visible = withoutActor("lockRows() refuses clients that the actor cannot see");

/** The columns of a client's row that are not fields. */
type Row = StoredVersion & { id: number; createdAt: string; updatedAt: string };

function assertMayMerge(actor: SessionUser): void {
  if (!mayMerge(actor)) throw forbidden();
}

/** Returns the number of forms of each client, counting only those the actor may see. */
export async function countForms(
  actor: SessionUser,
  clientIds: readonly number[],
): Promise<Record<number, number>> {
  const counts = await rows<{ id: number; forms: number }>(
    sql`SELECT f.client_id AS id, count(*)::int AS forms FROM forms f
     WHERE f.client_id = ANY(${clientIds}::int[]) AND ${visibleFormsWhere(actor)} GROUP BY f.client_id`,
  );
  return Object.fromEntries(counts.map(({ id, forms }) => [id, forms]));
}

/** Returns those of the clients that the actor may see. */
async function readVisibleIds(
  query: Query,
  actor: SessionUser,
  ids: readonly number[],
): Promise<Set<number>> {
  const visibleRows = await query<{ id: number }>(
    selectClients(sql`c.id`, visibleClientsWhere(actor), sql`c.id = ANY(${ids}::int[])`),
  );
  return new Set(visibleRows.map(({ id }) => id));
}

/**
 * Locks clients in order of id, so that two merges never deadlock, and reads their rows. Throws 404, and 409 if one is
 * on legal hold.
 */
async function lockRows(
  query: Query,
  actor: SessionUser,
  ids: readonly number[],
): Promise<(id: number) => Row> {
  for (const id of ids.toSorted((a, b) => a - b)) await lockClientWithoutHold(query, actor, id);
  const locked = await query<Row>(
    sql`SELECT c.id, c.lock_version AS "lockVersion", u.first_name || ' ' || u.last_name AS "changedBy",
       c.created_at::text AS "createdAt", c.updated_at::text AS "updatedAt"
     FROM clients c LEFT JOIN users u ON u.id = c.updated_by_id WHERE c.id = ANY(${ids}::int[])
       AND ${visible}`,
  );
  return (id) => {
    const row = locked.find((other) => other.id === id);
    if (!row) throw notFound();
    return row;
  };
}

/** Returns the values with the stored phone number of the removed record or of the remaining one, if `gives` says whose. */
async function withNumberOf(
  query: Query,
  actor: SessionUser,
  id: number,
  client: MergeInput["client"],
  gives: boolean | undefined,
  removed: Client,
): Promise<MergeInput["client"]> {
  const entry = client.clientBiographicalEntry;
  if (gives === undefined || !entry) return client;
  const from = gives ? removed : await readClient(query, actor, id);
  const phoneNumber = from.clientBiographicalEntry?.phoneNumber ?? "";
  return { ...client, clientBiographicalEntry: { ...entry, phoneNumber } };
}

/**
 * Merges the record `other` into the client `id`, which gets the values of `client`. The hooks move what belongs to the
 * other record, and it is removed. Throws 404; 409 if either was changed or is on legal hold; 422 with the invalid fields.
 */
export async function mergeClients(
  actor: SessionUser,
  id: number,
  { client, other }: MergeInput,
  hooks: readonly ClientHooks[],
): Promise<{ client: Client; merge: Merge }> {
  assertMayMerge(actor);
  if (client.lockVersion === undefined) throw invalid("client.lockVersion", "Lock Version is required");
  if (other.id === id) throw invalid("other.id", "A client cannot be merged with itself");
  return inTransaction(async (query) => {
    // Fields cannot be removed while the merge writes values, or stores those that its undo would restore.
    await holdDefinitions(query);
    const visibleIds = await readVisibleIds(query, actor, [id, other.id]);
    if (!visibleIds.has(id)) {
      await assertNotMerged(query, actor, id);
      throw notFound();
    }
    if (!visibleIds.has(other.id)) throw invalid("other.id", "This client is no longer available");
    const rowOf = await lockRows(query, actor, [id, other.id]);
    const remaining = rowOf(id);
    const merged = rowOf(other.id);
    assertVersion(merged, other.lockVersion);
    const removedClient = await readClient(query, actor, other.id);
    const { clientKey, keyIds } = await takeKeys(query, id, other.id);
    const values = await withNumberOf(query, actor, id, client, other.givesPhoneNumber, removedClient);
    const merging = [{ field: "client.mergedWith", from: null, to: other.id }];
    const { before, after } = await overwriteClient(
      query,
      actor,
      id,
      values,
      "merged",
      merging,
      removedClient,
    );
    // Neither record had this version, so no open screen can overwrite values it has not read. A merge is not activity
    // for the client, so retention still counts from the last activity.
    await query(
      sql`UPDATE clients SET lock_version = greatest(lock_version, ${merged.lockVersion + 1}),
         updated_at = greatest(${remaining.updatedAt}::text::timestamptz, ${merged.updatedAt}::text::timestamptz)
       WHERE id = ${id} AND ${visible}`,
    );
    await audit(query, actor, {
      action: "merged",
      entity: "client",
      entityId: other.id,
      clientId: other.id,
      changes: [
        { field: "client.mergedInto", from: null, to: id },
        ...changesOf(clientSchema, removedClient, null, "client"),
      ],
      clientKey,
    });
    // The hooks find the clients that were merged by this row.
    const [row] = await query<{ id: number }>(
      sql`INSERT INTO client_merges (client_id, merged_id, user_id, key_id)
       VALUES (${id}, ${other.id}, ${actor.userId}, ${clientKey.id}) RETURNING id`,
    );
    const moved: MergeDetails["moved"] = {};
    const kept: MergeDetails["kept"] = {};
    for (const { name, merged: move } of hooks) {
      const result = await move?.(query, actor, { action: "merged", from: other.id, to: id, clientKey });
      if (Array.isArray(result)) moved[name] = result;
      else if (result) [moved[name], kept[name]] = [result.ids, result.kept];
    }
    const details = {
      other: removedClient,
      createdAt: merged.createdAt,
      updatedAt: merged.updatedAt,
      before,
      after,
      keyIds,
      moved,
      kept,
    } satisfies MergeDetails;
    await query(
      sql`UPDATE client_merges SET details = ${encryptForClient(details, clientKey).details} WHERE id = ${row?.id}`,
    );
    await query(sql`DELETE FROM clients WHERE id = ${other.id} AND ${visible}`);
    const [merge] = await readMerges(query, actor, sql`m.id = ${row?.id}`);
    if (!merge) throw notFound();
    return { client: withMaskedNumber(await readClient(query, actor, id)), merge };
  });
}

type StoredMerge = Merge & { details: Buffer | null; wrapped: Buffer };

/**
 * Returns the merges that meet the condition on `m` and on `k.client_id`, the current client; newest first. The actor
 * cannot undo one that would restore a record hidden from them.
 */
async function readMerges(query: Query, actor: SessionUser, where: Sql): Promise<Merge[]> {
  const merges = await query<StoredMerge>(
    sql`SELECT m.id, m.client_id AS "clientId", m.merged_id AS "mergedId", ${isoTimestamp(sql`m.at`)} AS at,
       u.first_name || ' ' || u.last_name AS by, m.details, k.wrapped,
       CASE WHEN ${UNDOABLE} AND ${LAST}
         THEN (m.at AT TIME ZONE ${env().TZ} + make_interval(days => ${constant(UNDO_DAYS)}))::date::text END AS "undoableUntil"
     FROM client_merges m JOIN client_keys k ON k.id = m.key_id LEFT JOIN users u ON u.id = m.user_id
     WHERE ${where} ORDER BY m.at DESC, m.id DESC`,
  );
  return merges.map(({ details, wrapped, ...merge }) => ({
    ...merge,
    undoableUntil: merge.undoableUntil && mayRestore(actor, details, wrapped) ? merge.undoableUntil : null,
  }));
}

/**
 * True if the details for undoing can be read, and the restored record would not be hidden from the actor.
 */
function mayRestore(
  { userId, hiddenClients }: SessionUser,
  details: Buffer | null,
  wrapped: Buffer,
): boolean {
  const parsed = details && mergeDetails.safeParse(decryptForClient(details, wrapped));
  if (!parsed?.success) return false;
  const { other, moved } = parsed.data;
  const hiddenFrom = moved[restrictionHooks.name] ?? [];
  return !hiddenFrom.includes(userId) && !hiddenClients.includes(other.id);
}

/** The same for a caller who has not read the client; records a view. */
export async function openMerges(actor: SessionUser, id: number): Promise<Merges> {
  const merges = await mergesOf(actor, id);
  const clientId = merges.mergedInto ?? id;
  await auditRead(actor, { action: "viewed", entity: "client", entityId: id, clientId });
  return merges;
}

/**
 * Returns the merges into a client, or the client into which the record with this id was merged. Throws 404 if neither
 * exists.
 */
export async function mergesOf(actor: SessionUser, id: number): Promise<Merges> {
  if ((await readVisibleIds(rows, actor, [id])).has(id))
    return { merges: await readMerges(rows, actor, sql`k.client_id = ${id}`), mergedInto: null };
  const into = await mergedInto(rows, actor, id);
  if (into === null) throw notFound();
  return { merges: [], mergedInto: into };
}

/**
 * Undoes a merge. Restores the removed record under its id, with what the hooks move back to it. Also
 * restores the other client's values. Values changed since the merge stay with `keepChanged`; without it, throws 409
 * with their labels. Throws 404 if the restored record was hidden from the actor.
 */
export async function undoMerge(
  actor: SessionUser,
  id: number,
  { keepChanged }: { keepChanged: boolean },
  hooks: readonly ClientHooks[],
): Promise<{ client: Client; other: Client }> {
  assertMayMerge(actor);
  return inTransaction(async (query) => {
    await holdDefinitions(query);
    const { clientId, mergedId } = await readUndoable(query, actor, id);
    const remaining = (await lockRows(query, actor, [clientId]))(clientId);
    // The lock waits for any other undo or merge of this client, so this sees its result.
    const [merge] = await query<{ details: Buffer; wrapped: Buffer; keyId: string }>(
      sql`DELETE FROM client_merges m USING client_keys k
       WHERE m.id = ${id} AND k.id = m.key_id AND ${UNDOABLE} AND ${LAST}
       RETURNING m.details, k.wrapped, k.id AS "keyId"`,
    );
    if (!merge) throw tooLate();
    const details = mergeDetails.safeParse(decryptForClient(merge.details, merge.wrapped));
    if (!details.success) throw invalid("id", "The values needed to undo this merge can no longer be read");
    const { other, before, after, keyIds, moved, kept, createdAt, updatedAt } = details.data;

    const now = await readClient(query, actor, clientId);
    const laterChanges = changedSince(before, after, now);
    if (laterChanges.labels.length > 0 && !keepChanged)
      throw new AppError("conflict_version", [
        "Some of this client's values have changed since the merge:",
        ...laterChanges.labels,
      ]);
    await overwriteClient(
      query,
      actor,
      clientId,
      valuesBefore(before, now, laterChanges.fields),
      "unmerged",
      [{ field: "client.mergedWith", from: mergedId, to: null }],
    );
    await query(
      sql`UPDATE clients SET updated_at = ${remaining.updatedAt}::text::timestamptz
       WHERE id = ${clientId} AND ${visible}`,
    );
    const [owner] = await query<{ id: number }>(
      sql`SELECT id FROM users WHERE id = ${other.userId} FOR KEY SHARE`,
    );
    await recreateClient(query, actor, valuesOf(other), {
      id: mergedId,
      user_id: owner?.id ?? now.userId,
      created_on: other.createdOn,
      created_at: createdAt,
      updated_at: updatedAt,
      lock_version: other.lockVersion + 1,
    });
    // The events of the undo name both clients, so they are the last to be encrypted with the merge's key.
    const clientKey = await readClientKey(query, clientId);
    await audit(query, actor, {
      action: "unmerged",
      entity: "client",
      entityId: mergedId,
      clientId: mergedId,
      clientKey,
      changes: [{ field: "client.mergedInto", from: clientId, to: null }],
    });
    await query(sql`UPDATE client_keys SET client_id = ${mergedId} WHERE id = ANY(${keyIds}::uuid[])`);
    await shareKeys(query, clientId, mergedId, merge.keyId);
    const back: ClientMove = { action: "unmerged", from: clientId, to: mergedId, clientKey };
    for (const { name, unmerged } of hooks)
      await unmerged?.(query, actor, back, moved[name] ?? [], kept?.[name]);
    // The actor's session does not know of that restriction yet.
    if ((await restrictedUsers(query, mergedId)).includes(actor.userId)) throw notFound();
    return {
      client: withMaskedNumber(await readClient(query, actor, clientId)),
      other: withMaskedNumber(await readClient(query, actor, mergedId)),
    };
  });
}

const tooLate = () =>
  invalid(
    "id",
    `This merge can no longer be undone. It was already undone or is more than ${UNDO_DAYS} days old`,
  );

/**
 * Returns the merge if it can be undone. Throws 404, 409 if the client was merged again since, and 422 if it is too
 * late.
 */
async function readUndoable(query: Query, actor: SessionUser, id: number) {
  const [merge] = await query<{
    clientId: number;
    mergedId: number;
    currentId: number;
    undoable: boolean;
    last: boolean;
  }>(
    sql`SELECT m.client_id AS "clientId", m.merged_id AS "mergedId", c.id AS "currentId", ${UNDOABLE} AS undoable, ${LAST} AS last
     FROM client_merges m JOIN client_keys k ON k.id = m.key_id JOIN clients c ON c.id = k.client_id
     WHERE m.id = ${id} AND ${visibleClientsWhere(actor)}`,
  );
  if (!merge) throw notFound();
  if (!merge.undoable) throw tooLate();
  if (merge.currentId !== merge.clientId)
    throw new AppError(
      "conflict_in_use",
      `The client has since been merged into client ${merge.currentId}. Please undo that merge first.`,
    );
  if (!merge.last)
    throw new AppError(
      "conflict_in_use",
      "Another record has since been merged into this client. Please undo that merge first.",
    );
  return merge;
}

/** Deletes the undo details of merges that can no longer be undone. */
export async function removeOldMerges(): Promise<void> {
  await rows(
    sql`UPDATE client_merges m SET details = NULL WHERE m.details IS NOT NULL AND NOT (${UNDOABLE})`,
  );
}

/** Returns a client who meets the condition and would be restored by the undo of a merge; undefined if there is none. */
export async function findRestorable(
  query: Query,
  condition: (client: Client) => boolean,
): Promise<Client | undefined> {
  const merges = await query<{ details: Buffer; wrapped: Buffer }>(
    sql`SELECT m.details, k.wrapped FROM client_merges m JOIN client_keys k ON k.id = m.key_id WHERE ${UNDOABLE}`,
  );
  for (const { details, wrapped } of merges) {
    const { data } = mergeDetails.safeParse(decryptForClient(details, wrapped));
    const client = data && [data.other, data.before].find(condition);
    if (client) return client;
  }
  return undefined;
}
