import "server-only";
import type { Query } from "@/lib/core/database/client";
import { rowNameInFile } from "@/lib/core/database/record-names";
import type { RecordDeclaration } from "@/lib/core/records/declaration";
import { rowLists } from "@/lib/core/records/declaration";
import { identifier, sql } from "@/lib/core/sql";
import type { Actor } from "@/lib/identity/session";
import { naming } from "@/lib/transfer/imports/columns";
import type { ImportRecord } from "@/lib/transfer/imports/kind";
import { finderOf } from "@/lib/transfer/imports/readings";

/**
 * Replaces the names of rows within records by the ids of what they name. A user is named as in our own files
 * (`Ada Brown <ada@example.org>`), or by email or name alone. Adds a problem for a name that none or several have.
 */
export async function findRowNames(
  { schema }: RecordDeclaration,
  query: Query,
  _actor: Actor,
  records: readonly ImportRecord[],
): Promise<void> {
  for (const { name: list, facts, named } of rowLists(schema)) {
    if (named.facts.kind !== "lookup") continue;
    const table = named.facts.list;
    const items = await query<{ id: number; names: string[] }>(
      sql`SELECT id, ${rowNameInFile(table)} AS names FROM ${identifier(table)} ORDER BY id`,
    );
    const find = finderOf(items.flatMap(({ id, names }) => names.map((name) => [name, id] as const)));
    for (const { values, problems } of records) {
      const rows: unknown = values[list];
      if (!Array.isArray(rows)) continue;
      values[list] = rows.map((row) => {
        const id = find(String(row[named.name]));
        if (id === undefined)
          problems.push(
            naming(`${facts.label}: ${named.facts.label} is not in the list`, String(row[named.name])),
          );
        return { ...row, [named.name]: id };
      });
    }
  }
}
