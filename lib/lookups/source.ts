import "server-only";
import { withoutActor } from "@/lib/core/access/scope";
import type { Query } from "@/lib/core/database/client";
import { containsText, textKey } from "@/lib/core/database/folded";
import type { List } from "@/lib/core/database/list";
import { notFound } from "@/lib/core/errors";
import { type Field, fieldsOf } from "@/lib/core/fields/facts";
import { columnName, pairsTable } from "@/lib/core/fields/tables";
import type { LookupItem } from "@/lib/core/records/lookup-item";
import { empty, identifier, join, jsonObject, type Sql, sql } from "@/lib/core/sql";
import { symbolsIn } from "@/lib/core/text/fold-text";
import type { Special } from "@/lib/identity/special";
import type { lookupQuery } from "@/lib/lookups/api-schema";
import { columnsOf, type Lookup, type LookupKey, lookups } from "@/lib/lookups/registry";

export type LookupListQuery = ReturnType<ReturnType<typeof lookupQuery>["parse"]>;

/** A settings list as SQL and as fields, made once from its registry entry. Its table's alias is `t`. */
export type LookupSource = Pick<Lookup, "schema" | "singular" | "permission"> & {
  key: LookupKey;
  special: Special;
  /** The field whose values are unique. */
  unique: Field | undefined;
  table: Sql;
  /** The table with its joins. */
  from: Sql;
  /** A record as JSON. */
  item: Sql;
  sorts: Readonly<Record<string, Sql>>;
  searched: readonly Sql[];
  /** Returns the SQL of a field's value. */
  expression: (name: string) => Sql;
};

/** Returns the source of a list. Prisma's model and the table are named after the key. */
export function lookupSource(key: LookupKey, special: Special): LookupSource {
  const { schema, singular, permission }: Lookup = lookups[key];
  const fields = fieldsOf(schema);
  const expressions: Record<string, Sql> = {
    id: sql`t.id`,
    ...Object.fromEntries(fields.map((field) => [field.name, valueSql(key, field)])),
    ...special.expressions,
  };
  const expression = (name: string) => expressions[name] ?? sql`NULL`;
  const texts = fields.filter(({ facts }) => ["text", "longText", "email"].includes(facts.kind));
  const sortKey = (name: string) =>
    texts.some((field) => field.name === name) ? textKey(expression(name)) : expression(name);
  const table = identifier(key);
  return {
    key,
    schema,
    singular,
    permission,
    special,
    unique: fields.find(({ facts }) => "unique" in facts && facts.unique),
    table,
    from: sql`${table} t ${special.joins ?? empty}`,
    item: jsonObject(expressions),
    sorts: {
      ...Object.fromEntries(columnsOf(key).map(({ key: name }) => [name, sortKey(name)])),
      ...special.sorts,
    },
    searched: special.searched ?? texts.map(({ name }) => expression(name)),
    expression,
  };
}

/** Returns the SQL of a field's value: its column, or the ids of the records of another list. */
function valueSql(key: LookupKey, { name, facts }: Field): Sql {
  if (facts.kind !== "lookups") return sql`t.${identifier(columnName(name))}`;
  const pairs = pairsTable(key, facts.list);
  const table = identifier(pairs.table);
  const owner = identifier(pairs.owner);
  const other = identifier(pairs.other);
  return sql`ARRAY(SELECT ${other} FROM ${table} WHERE ${owner} = t.id ORDER BY 1)`;
}

/** Returns the record. Throws 404 if there is none. */
export async function readItem({ item, from }: LookupSource, query: Query, id: number): Promise<LookupItem> {
  const [row] = await query<{ item: LookupItem }>(
    sql`SELECT ${item} AS item FROM ${from} WHERE t.id = ${id}`,
  );
  if (!row) throw notFound();
  return row.item;
}

/** Returns the same, and locks it until the transaction ends. */
export async function readItemForUpdate(source: LookupSource, query: Query, id: number): Promise<LookupItem> {
  await query(sql`SELECT FROM ${source.table} WHERE id = ${id} FOR UPDATE`);
  return readItem(source, query, id);
}

/** Returns the list that a query filters, for `readPage`. */
export const listOf = (source: LookupSource, { filters }: Pick<LookupListQuery, "filters">): List => ({
  name: source.key,
  from: source.from,
  id: sql`t.id`,
  item: source.item,
  where: [
    withoutActor("lists of the settings name no client"),
    ...Object.entries(filters).flatMap(([name, value]) =>
      value === null ? [] : [sql`${source.expression(name)} = ${value}`],
    ),
  ],
  sorts: Object.fromEntries(
    Object.entries(source.sorts).map(([name, key]) => [
      name,
      { keys: [key], nullable: source.special.nullable?.includes(name) },
    ]),
  ),
  search: async (text) => contains(source.searched, text),
});

/**
 * Returns the condition that a column contains the typed text. `%` and `_` are ordinary characters. Without such
 * characters, punctuation is ignored as in client names.
 */
function contains(columns: readonly Sql[], typed: string): Sql {
  const conditions = columns.map((column) => containsText(column, typed));
  if (symbolsIn(typed).length === 0)
    conditions.push(
      ...columns.map((column) => sql`strpos(fold_name(${column}), nullif(fold_name(${typed}), '')) > 0`),
    );
  return sql`(${join(conditions, " OR ")})`;
}
