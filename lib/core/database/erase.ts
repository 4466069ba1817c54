import "server-only";
import type * as z from "zod/mini";
import { type Field, fieldsOf, recordFacts } from "@/lib/core/fields/facts";
import { columnName, ownerColumn } from "@/lib/core/fields/tables";
import { constant, identifier, join, type Sql, sql } from "@/lib/core/sql";

// The facts of a record's fields decide which columns identify a person: every text, and fields marked as sensitive.
// Flags, choices, numbers, lists and days of service stay.

/** Replaces a text. A blank text stays blank: reports count if there was one. */
const REPLACEMENT = "Removed";

/** Returns SQL for the values of custom fields that stay: choices, boxes, and numbers that are not sensitive. */
function keptCustomValues(column: Sql, fields: readonly Field[]): Sql {
  const kept = fields.filter(({ facts }) => !facts.sensitive).map(({ name }) => name);
  return sql`(SELECT COALESCE(jsonb_object_agg(kept.key, kept.value), '{}') FROM jsonb_each(${column}) AS kept
    WHERE kept.key = ANY(${kept}::text[]))`;
}

/** Returns the SQL value that a purge gives a field's column; null if the column stays. */
function erasedValue({ name, facts, schema }: Field): Sql | null {
  const column = identifier(columnName(name));
  switch (facts.kind) {
    case "text":
    case "longText":
    case "email":
    case "secret":
      return sql`CASE WHEN btrim(${column}) = '' THEN '' ELSE ${constant(REPLACEMENT)} END`;
    case "day":
      return facts.sensitive ? sql`NULL` : null;
    case "custom":
      return keptCustomValues(column, fieldsOf(schema));
    case "choice":
      return facts.sensitive && facts.blank !== null ? constant(facts.blank) : null;
    default:
      return null;
  }
}

/**
 * Returns the statements that erase identifying data from the rows of a record that meet `where`. They also erase it
 * from everything nested in it, innermost first. `more` are additional columns of the record, by name, as SQL.
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
    const value = erasedValue(field);
    return value === null ? [] : [[columnName(field.name), value]];
  });
  const set = Object.entries({ ...Object.fromEntries(columns), ...more });
  if (set.length === 0) return inner;
  return [
    ...inner,
    sql`UPDATE ${table} SET ${join(set.map(([column, value]) => sql`${identifier(column)} = ${value}`))} WHERE ${where}`,
  ];
}
