import "server-only";
import type { z } from "zod";
import { fieldsOf, type RecordFacts, recordFacts } from "@/lib/fields/facts";
import { columnName, ownerColumn, pairsTable } from "@/lib/fields/tables";

/** Keys returned for a table's rows besides their fields: key → SQL, in which the row's alias is its table's name. */
type Extras = Readonly<Record<string, Readonly<Record<string, string>>>>;

const jsonObject = (expressions: readonly (readonly [key: string, sql: string])[]) =>
  `json_build_object(${expressions.map(([key, sql]) => `'${key}', ${sql}`).join(", ")})`;

/** The SQL expression of a timestamp as ISO 8601 in UTC, whatever the connection's time zone (contract §1). */
export const isoTimestamp = (column: string): string =>
  `to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

/** The SQL expression that reads the columns named by an answer's schema from the row `alias`. */
export const columnsJson = (schema: z.ZodObject, alias: string): string =>
  jsonObject(Object.keys(schema.shape).map((key) => [key, `${alias}.${columnName(key)}`]));

/**
 * An SQL expression that reads a whole record and everything nested in it as one JSON object (contract §1): its id, its
 * fields by name, days as `YYYY-MM-DD`, nested rows and ids sorted by id. `row` is the alias of the record's row.
 */
export function recordJson(schema: z.core.$ZodType, row: string, extras: Extras = {}): string {
  const { table } = recordFacts(schema);
  return jsonObject([
    ["id", `${row}.id`],
    ...fieldsOf(schema).flatMap(({ name, facts, schema: field }): [string, string][] => {
      switch (facts.kind) {
        case "id":
        case "removal":
          return [];
        case "lookups": {
          const { table: pairs, own, other } = pairsTable(table, facts.list);
          return [[name, `ARRAY(SELECT ${other} FROM ${pairs} WHERE ${own} = ${row}.id ORDER BY 1)`]];
        }
        case "entry":
          return [[name, `(SELECT ${nested(field, facts)} FROM ${belonging(facts.table)})`]];
        case "entries": {
          const rows = `json_agg(${nested(field, facts)} ORDER BY ${facts.table}.id)`;
          return [[name, `(SELECT COALESCE(${rows}, '[]') FROM ${belonging(facts.table)})`]];
        }
        default:
          return [[name, `${row}.${columnName(name)}`]];
      }
    }),
    ...Object.entries(extras[table] ?? {}),
  ]);

  function nested(field: z.core.$ZodType, facts: RecordFacts) {
    return recordJson(field, facts.table, extras);
  }
  function belonging(inner: string) {
    return `${inner} WHERE ${inner}.${ownerColumn(table)} = ${row}.id`;
  }
}
