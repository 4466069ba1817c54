import "server-only";
import { auditPart } from "@/lib/audit/record";
import type { ClientKey } from "@/lib/audit/values";
import type { SessionUser } from "@/lib/core/access/permissions";
import type { Query } from "@/lib/core/database/client";
import { Statement } from "@/lib/core/database/record-write";
import { empty, identifier, type Sql, sql } from "@/lib/core/sql";

// Modules above this one have the records of a client. Each has hooks for what happens to a client, which run in the same
// transaction. lib/records/client-hooks.ts lists them.

/** The merge of the client `from` into the client `to`, or its undo. Both are locked for the actor. */
export type ClientMove = {
  action: "merged" | "unmerged";
  from: number;
  to: number;
  /** The key for values about both clients. */
  clientKey: ClientKey | null;
};

/** The data that the undo of a merge needs. */
type Kept = { ids: number[]; kept: unknown };

export type ClientHooks = {
  /** Merges that can be undone are stored with this name, so it stays. */
  name: string;
  /**
   * Moves what belongs to `from` to the client `to`. Returns the ids that the undo needs, and `kept` if the merge must keep
   * more for it. Both are encrypted with the merge.
   */
  merged?(query: Query, actor: SessionUser, move: ClientMove): Promise<number[] | Kept>;
  /** Moves back what the merge moved and is still with `from`. */
  unmerged?(
    query: Query,
    actor: SessionUser,
    move: ClientMove,
    ids: readonly number[],
    kept: unknown,
  ): Promise<unknown>;
  /** Erases what identifies a locked client. Ids, days, and numbers stay for reports. */
  purged?(query: Query, clientId: number): Promise<void>;
};

/**
 * Moves records from one client to the other, or only those with the ids `only`, and records that in the history of each.
 * Includes records of closed periods. `columns` are assigned too; the alias of the record is `r`. Returns their ids.
 */
export async function moveRecords(
  query: Query,
  actor: SessionUser,
  { entity, table, columns = empty }: { entity: string; table: string; columns?: Sql },
  { action, from, to, clientKey }: ClientMove,
  only?: readonly number[],
): Promise<number[]> {
  const records = identifier(table);
  // This is the order in which other code locks them.
  await query(sql`SELECT id FROM ${records} WHERE client_id = ${from} ORDER BY id FOR UPDATE`);
  const statement = new Statement();
  // The new version notifies screens that have the record open. Its review and the time of last use stay.
  const moved = statement.with(
    sql`UPDATE ${records} r SET client_id = ${to}, lock_version = lock_version + 1, updated_by_id = ${actor.userId} ${columns}
     WHERE r.client_id = ${from} ${only ? sql`AND r.id = ANY(${only}::int[])` : empty} RETURNING id, client_id`,
  );
  const changes = [{ field: `${entity}.clientId`, from, to }];
  auditPart(statement, actor, { action, entity, client: "client_id", changes, clientKey }, moved);
  const ids = await query<{ id: number }>(statement.sql(sql`SELECT id FROM ${moved} ORDER BY id`));
  return ids.map(({ id }) => id);
}
