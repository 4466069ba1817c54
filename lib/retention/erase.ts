import "server-only";
import type { z } from "zod";
import { constant, identifier, join, type Sql, sql } from "@/lib/core/database/sql";
import { type Field, fieldsOf, recordFacts } from "@/lib/core/fields/facts";
import { columnName, ownerColumn } from "@/lib/core/fields/tables";

// Which columns of a record identify a person follows from the facts of its fields: every text, and what is marked as
// sensitive besides. Flags, choices, numbers, lists and days of service stay.

/** What stands in place of a text. A text that was blank stays so: reports count whether something was said. */
const INSTEAD = "Removed";

/** The SQL of what a purge makes of a field's column; null for one that stays. */
function erased({ name, facts }: Field): Sql | null {
  const column = identifier(columnName(name));
  switch (facts.kind) {
    case "text":
    case "longText":
    case "email":
    case "secret":
      return sql`CASE WHEN btrim(${column}) = '' THEN '' ELSE ${constant(INSTEAD)} END`;
    case "day":
      return facts.sensitive ? sql`NULL` : null;
    case "choice":
      return facts.sensitive && facts.blank !== null ? constant(facts.blank) : null;
    default:
      return null;
  }
}

/**
 * The statements that erase what identifies a person from the rows of a record that meet `where`, and from everything
 * nested in it; the inner ones first. `more` are further columns of the record, by name, as SQL.
 */
export function erasing(
  schema: z.core.$ZodType,
  where: Sql,
  more: Readonly<Record<string, Sql>> = {},
): Sql[] {
  const facts = recordFacts(schema);
  const table = identifier(facts.table);
  const fields = fieldsOf(schema);
  const inner = fields
    .filter(({ facts }) => facts.kind === "entry" || facts.kind === "entries")
    .flatMap(({ schema: nested }) =>
      erasing(
        nested,
        sql`${identifier(ownerColumn(facts.table))} IN (SELECT id FROM ${table} WHERE ${where})`,
      ),
    );
  const columns = fields.flatMap((field): [string, Sql][] => {
    const value = erased(field);
    return value === null ? [] : [[columnName(field.name), value]];
  });
  const set = Object.entries({ ...Object.fromEntries(columns), ...more });
  if (set.length === 0) return inner;
  return [
    ...inner,
    sql`UPDATE ${table} SET ${join(set.map(([column, value]) => sql`${identifier(column)} = ${value}`))} WHERE ${where}`,
  ];
}
