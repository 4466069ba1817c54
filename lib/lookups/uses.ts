import "server-only";
import type { Hiding } from "@/lib/core/access/scope";
import type { Query } from "@/lib/core/database/client";
import { identifier, join, type Sql, sql } from "@/lib/core/sql";
import type { LookupKey } from "@/lib/lookups/registry";

/**
 * A foreign key: the column of a table, and the table whose ids it contains. `loose` if the row outlives the other one
 * without it, as a contact outlives the form that it is linked to.
 */
type Reference = { table: string; column: string; to: string; restricts: boolean; loose: boolean };

/** The number of records that prevent a removal, and the number of them that the actor may know about. */
export type Uses = { all: number; known: number };

/**
 * Counts the records that prevent the removal of a list's record, found through the foreign keys that restrict it. A
 * record of a client who is hidden from the actor also prevents it, but does not count as known.
 */
export async function countUses(query: Query, actor: Hiding, table: LookupKey, id: number): Promise<Uses> {
  const references = await query<Reference>(sql`
    SELECT conrelid::regclass::text AS table, attname::text AS column, confrelid::regclass::text AS to,
      confdeltype = 'r' AS restricts, confdeltype = 'n' AS loose
    FROM pg_constraint JOIN pg_attribute ON attrelid = conrelid AND attnum = conkey[1] WHERE contype = 'f'`);
  const uses = references.filter(({ to, restricts }) => to === table && restricts);
  if (uses.length === 0) return { all: 0, known: 0 };
  const sumOf = (where: (use: Reference) => Sql) =>
    join(
      uses.map(
        (use) => sql`(SELECT count(*)::int FROM ${identifier(use.table)}
          WHERE ${identifier(use.column)} = ${id} AND ${where(use)})`,
      ),
      " + ",
    );
  const isKnown = ({ table }: Reference) => {
    const condition = ofHiddenClient(references, table, actor);
    return condition ? sql`(${condition}) IS NOT TRUE` : sql`TRUE`;
  };
  const [row] = await query<Uses>(sql`SELECT ${sumOf(() => sql`TRUE`)} AS all, ${sumOf(isKnown)} AS known`);
  return row ?? { all: 0, known: 0 };
}

/**
 * Returns the condition that a row of the table belongs to a client who is hidden from the actor. Null if the table has
 * no client. A row that is only linked to such a client, as a contact is, does not: the actor sees it.
 */
function ofHiddenClient(references: readonly Reference[], table: string, actor: Hiding): Sql | null {
  if (actor.hiddenClients.length === 0) return null;
  if (table === "clients") return sql`id = ANY(${actor.hiddenClients}::int[])`;
  const conditions = references
    .filter((reference) => reference.table === table && reference.to !== table && !reference.loose)
    .flatMap(({ column, to }) => {
      const condition = ofHiddenClient(references, to, actor);
      return condition
        ? [sql`${identifier(column)} IN (SELECT id FROM ${identifier(to)} WHERE ${condition})`]
        : [];
    });
  return conditions.length > 0 ? join(conditions, " OR ") : null;
}
