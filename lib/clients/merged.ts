import "server-only";
import type { SessionUser } from "@/lib/core/access/permissions";
import { visibleClientsWhere } from "@/lib/core/access/scope";
import type { Query } from "@/lib/core/database/client";
import { AppError } from "@/lib/core/errors";
import { sql } from "@/lib/core/sql";

// Merged clients, and the clients they were merged into. The keys of a merged client move to the client that remains,
// however often that one is merged. So a merge's key always belongs to the current client.

/** SQL for rows with the `merged_id` of every merged client and the `client_id` that has the record now. */
export const MERGED_INTO = sql`(SELECT m.merged_id, k.client_id FROM client_merges m JOIN client_keys k ON k.id = m.key_id)`;

/** Returns the current client id for each of these ids that belongs to a merged client. */
export async function currentIds(query: Query, ids: readonly number[]): Promise<ReadonlyMap<number, number>> {
  if (ids.length === 0) return new Map();
  const links = await query<{ merged: number; client: number }>(
    sql`SELECT merged_id AS merged, client_id AS client FROM ${MERGED_INTO} AS links WHERE merged_id = ANY(${ids}::int[])`,
  );
  return new Map(links.map(({ merged, client }) => [merged, client]));
}

/** Returns the ids of the clients that were merged into this one. */
export async function formerIds(query: Query, clientId: number): Promise<number[]> {
  const merged = await query<{ id: number }>(
    sql`SELECT merged_id AS id FROM ${MERGED_INTO} AS links WHERE client_id = ${clientId}`,
  );
  return merged.map(({ id }) => id);
}

/**
 * Returns the id of the client that now has the record of a merged one. Null if the client was not merged or the actor
 * cannot see the result.
 */
export async function mergedInto(query: Query, actor: SessionUser, id: number): Promise<number | null> {
  const [row] = await query<{ id: number }>(
    sql`SELECT c.id FROM ${MERGED_INTO} AS links JOIN clients c ON c.id = links.client_id
     WHERE links.merged_id = ${id} AND ${visibleClientsWhere(actor)}`,
  );
  return row?.id ?? null;
}

/** Throws 409 if the client was merged into another one, so that a user with an open page sees it. */
export async function assertNotMerged(query: Query, actor: SessionUser, id: number): Promise<void> {
  if ((await mergedInto(query, actor, id)) !== null)
    throw new AppError("conflict_version", "This client was merged into another record since you opened it");
}
