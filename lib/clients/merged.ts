import "server-only";
import type { SessionUser } from "@/lib/core/access/permissions";
import { visibleClientsWhere } from "@/lib/core/access/scope";
import { AppError } from "@/lib/core/api/errors";
import type { Query } from "@/lib/core/database/client";
import { sql } from "@/lib/core/database/sql";

// Merged clients, and the clients into whom they were merged. The keys of a merged client become those of the client who
// remains, also when that one is merged in turn, so that a merge's key always belongs to the client of today.

/** SQL for rows with the `merged_id` of every merged client, and the `client_id` of the one who has the record today. */
export const MERGED_INTO = sql`(SELECT m.merged_id, k.client_id FROM client_merges m JOIN client_keys k ON k.id = m.key_id)`;

/** Of these ids those of merged clients, each with the id of the client who has the record today. */
export async function currentIds(query: Query, ids: readonly number[]): Promise<ReadonlyMap<number, number>> {
  if (ids.length === 0) return new Map();
  const found = await query<{ merged: number; client: number }>(
    sql`SELECT merged_id AS merged, client_id AS client FROM ${MERGED_INTO} AS links WHERE merged_id = ANY(${ids}::int[])`,
  );
  return new Map(found.map(({ merged, client }) => [merged, client]));
}

/** The ids of the clients who were merged into this one. */
export async function formerIds(query: Query, clientId: number): Promise<number[]> {
  const found = await query<{ id: number }>(
    sql`SELECT merged_id AS id FROM ${MERGED_INTO} AS links WHERE client_id = ${clientId}`,
  );
  return found.map(({ id }) => id);
}

/**
 * The id of the client who has the record of a merged one today; null for a client who was not merged, or whom the actor
 * does not see.
 */
export async function mergedInto(query: Query, actor: SessionUser, id: number): Promise<number | null> {
  const [found] = await query<{ id: number }>(
    sql`SELECT c.id FROM ${MERGED_INTO} AS links JOIN clients c ON c.id = links.client_id
     WHERE links.merged_id = ${id} AND ${visibleClientsWhere(actor)}`,
  );
  return found?.id ?? null;
}

/** Refuses (409) to save a client who was merged into another one, which whoever has it open should hear. */
export async function assertNotMerged(query: Query, actor: SessionUser, id: number): Promise<void> {
  if ((await mergedInto(query, actor, id)) !== null)
    throw new AppError("conflict_version", "This client was merged into another record since you opened it");
}
