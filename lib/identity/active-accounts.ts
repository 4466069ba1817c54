import "server-only";
import type { Query } from "@/lib/core/database/client";
import { sql } from "@/lib/core/sql";

/** Returns those of the accounts that cannot join new work: deactivated ones, and ones that nobody has activated. */
export async function inactiveAccounts(query: Query, ids: readonly number[]): Promise<ReadonlySet<number>> {
  if (ids.length === 0) return new Set();
  const found = await query<{ id: number }>(
    sql`SELECT id FROM users WHERE id = ANY(${ids}::int[]) AND NOT (active AND activated_at IS NOT NULL)`,
  );
  return new Set(found.map(({ id }) => id));
}
