import "server-only";
import type * as z from "zod/mini";
import {
  type Field,
  type FieldFacts,
  fieldsOf,
  isNested,
  type RecordFacts,
  recordFacts,
} from "@/lib/core/fields/facts";
import { columnName, ownerColumn, pairsTable } from "@/lib/core/fields/tables";
import { identifier, jsonObject, type Sql, sql } from "@/lib/core/sql";

/**
 * Keys returned for a table's rows in addition to their fields, each with its SQL. In the SQL, the row's alias is its
 * table's name.
 */
type Extras = Readonly<Record<string, Readonly<Record<string, Sql>>>>;

/** Returns SQL for a timestamp as ISO 8601 in UTC, independent of the connection's time zone. */
export const isoTimestamp = (column: Sql): Sql =>
  sql`to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

/** Returns SQL for a JSON object of the columns named by a response schema, from the row `alias`. */
export const columnsJson = (schema: { shape: object }, alias: string): Sql =>
  jsonObject(
    Object.fromEntries(Object.keys(schema.shape).map((key) => [key, columnOf(alias, columnName(key))])),
  );

const columnOf = (alias: string, column: string): Sql => sql`${identifier(alias)}.${identifier(column)}`;

/**
 * Returns SQL for a whole record and everything nested in it as one JSON object, as the API sends it. It has its id,
 * its fields by name, days as `YYYY-MM-DD`, nested rows and ids sorted by id. `row` is the alias of the record's row.
 * With `keeps`, only those fields and the nested rows that have one.
 */
export function recordJson(
  schema: z.core.$ZodType,
  row: string,
  extras: Extras,
  keeps: (facts: FieldFacts) => boolean = () => true,
): Sql {
  const { table } = recordFacts(schema);
  const id = columnOf(row, "id");
  const expressions: Record<string, Sql> = { id };
  for (const { name, facts, schema: field } of fieldsOf(schema).filter(isKept)) {
    switch (facts.kind) {
      case "id":
      case "removal":
        break;
      case "lookups": {
        const pairs = pairsTable(table, facts.list);
        const from = identifier(pairs.table);
        const owner = identifier(pairs.owner);
        const other = identifier(pairs.other);
        expressions[name] = sql`ARRAY(SELECT ${other} FROM ${from} WHERE ${owner} = ${id} ORDER BY 1)`;
        break;
      }
      case "entry":
        expressions[name] = sql`(SELECT ${nested(field, facts)} FROM ${belonging(facts)})`;
        break;
      case "entries": {
        const rows = sql`json_agg(${nested(field, facts)} ORDER BY ${columnOf(facts.table, "id")})`;
        expressions[name] = sql`(SELECT COALESCE(${rows}, '[]') FROM ${belonging(facts)})`;
        break;
      }
      default:
        expressions[name] = columnOf(row, columnName(name));
    }
  }
  return jsonObject({ ...expressions, ...extras[table] });

  function isKept({ facts, schema: field }: Field): boolean {
    return isNested(facts) ? fieldsOf(field).some(isKept) : keeps(facts);
  }
  function nested(field: z.core.$ZodType, facts: RecordFacts) {
    return recordJson(field, facts.table, extras, keeps);
  }
  function belonging(inner: RecordFacts) {
    return sql`${identifier(inner.table)} WHERE ${columnOf(inner.table, ownerColumn(table))} = ${id}`;
  }
}
