import "server-only";
import type { Query } from "@/lib/core/database/client";
import { ensureDefinitions } from "@/lib/core/database/definitions";
import { currentDefinitions, type Definitions } from "@/lib/core/fields/definitions";
import { sql } from "@/lib/core/sql";

/**
 * Increments the version in a transaction that changes a definition, and returns the definitions before the change. Other
 * changes wait until the transaction ends.
 */
export async function changeDefinitions(query: Query): Promise<Definitions> {
  await query(sql`INSERT INTO field_definitions (version) VALUES (0) ON CONFLICT (id) DO NOTHING`);
  const [row] = await query<{ version: number }>(sql`SELECT version FROM field_definitions FOR UPDATE`);
  // Facts and labels must also be those of the last change.
  await ensureDefinitions(row?.version ?? 0, query);
  await query(sql`UPDATE field_definitions SET version = version + 1`);
  return currentDefinitions();
}

/** Stores the order of fields. The transaction must already have incremented the version of the definitions. */
export async function saveOrder(query: Query, order: readonly string[]): Promise<void> {
  await query(sql`UPDATE field_definitions SET field_order = ${order}::text[]`);
}
