import "server-only";
import { auditPart } from "@/lib/audit/record";
import type { ClientKey } from "@/lib/audit/values";
import type { SessionUser } from "@/lib/core/access/permissions";
import { withoutActor } from "@/lib/core/access/scope";
import type { Query } from "@/lib/core/database/client";
import { Statement } from "@/lib/core/database/record-write";
import { empty, identifier, type Sql, sql } from "@/lib/core/database/sql";

// Stays of merged clients. A merge may give a client two stays at one time. The database's constraint leaves out the one
// that moved, until its days or those of the other stay are corrected.

/** For statements on stays of clients that the caller has locked for its actor. */
const visible = withoutActor("the caller has locked the clients for its actor");

/** SQL for the days of a stay without its last, so that a move is no overlap. */
export const stayDays = (alias: string): Sql =>
  sql`daterange(${identifier(alias)}.entered_on, ${identifier(alias)}.left_on)`;

/**
 * Moves stays between two records and records that in the history of each. Includes stays of closed periods. Returns
 * their ids.
 */
export async function moveStays(
  query: Query,
  actor: SessionUser,
  action: "merged" | "unmerged",
  { from, to, clientKey, only }: { from: number; to: number; clientKey: ClientKey | null; only?: number[] },
): Promise<number[]> {
  await query(sql`SELECT id FROM stays WHERE client_id = ${from} AND ${visible} ORDER BY id FOR UPDATE`);
  const statement = new Statement();
  const onlyChosen = only ? sql`AND st.id = ANY(${only}::int[])` : empty;
  const moved = statement.with(
    sql`UPDATE stays st SET client_id = ${to}, lock_version = lock_version + 1, updated_by_id = ${actor.userId},
       overlapping = overlapping OR EXISTS (SELECT FROM stays other
         WHERE other.client_id = ${to} AND ${stayDays("other")} && ${stayDays("st")})
     WHERE st.client_id = ${from} ${onlyChosen} AND ${visible} RETURNING id, client_id`,
  );
  const changes = [{ field: "stay.clientId", from, to }];
  auditPart(statement, actor, { action, entity: "stay", client: "client_id", changes, clientKey }, moved);
  const stays = await query<{ id: number }>(statement.sql(sql`SELECT id FROM ${moved} ORDER BY id`));
  await includeInConstraint(query, from);
  await includeInConstraint(query, to);
  return stays.map(({ id }) => id);
}

/** Makes the constraint apply again to the client's stays that no longer overlap another one. */
export async function includeInConstraint(query: Query, clientId: number): Promise<void> {
  await query(
    sql`UPDATE stays st SET overlapping = FALSE WHERE st.client_id = ${clientId} AND st.overlapping AND ${visible}
       AND NOT EXISTS (SELECT FROM stays other
         WHERE other.client_id = st.client_id AND other.id <> st.id AND ${stayDays("other")} && ${stayDays("st")})`,
  );
}
