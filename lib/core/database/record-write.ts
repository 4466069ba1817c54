import "server-only";
import type * as z from "zod/mini";
import { type FieldFacts, fieldsOf, type RecordFacts, recordFacts } from "@/lib/core/fields/facts";
import { isMaskOf } from "@/lib/core/fields/masked";
import { columnName, ownerColumn, pairsTable } from "@/lib/core/fields/tables";
import { isRecord } from "@/lib/core/objects";
import { constant, empty, identifier, join, type Sql, sql } from "@/lib/core/sql";

type Values = Readonly<Record<string, unknown>>;
type Column = readonly [column: string, value: unknown];
/** The row that others belong to: the SQL of its id, and the part of the statement that returns it. */
type Owner = { id: Sql; from: Sql };

/**
 * One SQL statement made of parts (common table expressions). A part reads the parts it depends on. So PostgreSQL runs
 * all of them or none, in the order that foreign keys need.
 */
export class Statement {
  private readonly parts: Sql[] = [];

  /** Adds a part and returns its name. */
  with(part: Sql): Sql {
    const name = identifier(`part${this.parts.length}`);
    this.parts.push(sql`${name} AS (${part})`);
    return name;
  }

  /** Returns the statement, which returns the rows of `query`. */
  sql(query: Sql): Sql {
    return sql`WITH ${join(this.parts)} ${query}`;
  }
}

const same = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);
const isStored = (facts: FieldFacts, value: unknown, stored: unknown) =>
  same(value, stored) || isMaskOf(facts, value, stored);
const rowsIn = (value: unknown): Values[] => (Array.isArray(value) ? value.filter(isRecord) : []);

const NESTED = new Set(["lookups", "entry", "entries"]);
const NO_COLUMN = new Set(["id", "removal", "version", ...NESTED]);

/** Returns the record's own columns that differ from the stored ones. For a new record, all columns with a value. */
const changedColumns = (schema: z.core.$ZodType, next: Values, stored: Values | null): Column[] =>
  fieldsOf(schema)
    .filter(({ name, facts }) => !NO_COLUMN.has(facts.kind) && next[name] !== undefined)
    .filter(({ name, facts }) => stored === null || !isStored(facts, next[name], stored[name]))
    .map(({ name }) => [columnName(name), next[name]]);

/** Returns a column's value as a statement binds it: the custom fields of a record as JSON. */
const bound = (value: unknown) => (isRecord(value) ? JSON.stringify(value) : value);

/** Adds the insert of a record with everything nested in it, and with the columns `more`. Returns the part with its id. */
export function insertRecord(statement: Statement, schema: z.core.$ZodType, next: Values, more: Values): Sql {
  const table = identifier(recordFacts(schema).table);
  const columns = [
    ...changedColumns(schema, next, null).map(([column, value]) => [column, bound(value)] as const),
    ...Object.entries(more),
  ];
  const row = statement.with(
    sql`INSERT INTO ${table} (${join(columns.map(([column]) => identifier(column)))})
     SELECT ${join(columns.map(([, value]) => sql`${value}`))} RETURNING id`,
  );
  writeNested(statement, schema, next, null, { id: sql`${row}.id`, from: row });
  return row;
}

/**
 * Adds the inserts of several records with everything nested in them, and with the columns `more`: one part for each table.
 * All records have the same columns. Returns the part with their ids, which ascend in the order of `records`.
 */
export function insertRecords(
  statement: Statement,
  schema: z.core.$ZodType,
  records: readonly Values[],
  more: Values,
): Sql {
  const rows = records.map((values) => ({ values, more }));
  const [names, ...others] = rows.map((row) => Object.keys(columnsOf(schema, row)).sort().join());
  if (others.some((other) => other !== names)) throw new Error("The records have different columns");
  return insertRows(statement, schema, rows, null);
}

/**
 * Adds the update of a stored record, which the transaction has locked, to `next`: only the differences, plus its columns
 * `more`. A record with a version gets the next one, and the saving user. Returns the part with the record's id.
 */
export function updateRecord(
  statement: Statement,
  schema: z.core.$ZodType,
  next: Values,
  stored: Values & { id: number; lockVersion?: number },
  userId: number,
  more: Values = {},
): Sql {
  const table = identifier(recordFacts(schema).table);
  const set = [
    sql`updated_at = now()`,
    ...changedColumns(schema, next, stored).map(
      ([column, value]) => sql`${identifier(column)} = ${bound(value)}`,
    ),
    ...Object.entries(more).map(([column, value]) => sql`${identifier(column)} = ${value}`),
    ...versionColumns(table, stored, userId),
  ];
  const row = statement.with(sql`UPDATE ${table} SET ${join(set)} WHERE id = ${stored.id} RETURNING id`);
  writeNested(statement, schema, next, stored, { id: sql`${row}.id`, from: row });
  return row;
}

const versionColumns = (table: Sql, stored: { lockVersion?: number }, userId: number): Sql[] =>
  stored.lockVersion === undefined
    ? []
    : [sql`lock_version = ${table}.lock_version + 1`, sql`updated_by_id = ${userId}`];

/** A stored record, the values to store over it, and columns besides its fields. */
type RecordUpdate = {
  next: Values;
  stored: Values & { id: number; lockVersion?: number };
  more: Values | undefined;
};

/**
 * Adds the updates of several records as `updateRecord` does. Records in which the same columns change, their own ones or
 * those of rows nested in them, share a part. Returns the part with the ids of all.
 */
export function updateRecords(
  statement: Statement,
  schema: z.core.$ZodType,
  records: readonly RecordUpdate[],
  userId: number,
): Sql {
  const groups = new Map<string, UpdatedRows & { isRoot: boolean; version: Sql[] }>();
  const ids: Sql[] = [];
  for (const { next, stored, more = {} } of records) {
    const nested = nestedUpdates(schema, next, stored);
    if (nested === null) {
      ids.push(sql`SELECT id FROM ${updateRecord(statement, schema, next, stored, userId, more)}`);
      continue;
    }
    const { table } = recordFacts(schema);
    const own = { ...Object.fromEntries(changedColumns(schema, next, stored)), ...more };
    const all = [{ table, row: { ...own, id: stored.id }, isRoot: true }, ...nested];
    for (const { table, row, isRoot = false } of all) {
      const key = `${table} ${isRoot} ${Object.keys(row).sort().join()}`;
      const version = isRoot ? versionColumns(identifier(table), stored, userId) : [];
      const group = groups.get(key) ?? { table, rows: [], isRoot, version };
      group.rows.push(row);
      groups.set(key, group);
    }
  }
  for (const { table, rows, isRoot, version } of groups.values()) {
    const columns = Object.keys(rows[0] ?? {}).filter((column) => column !== "id");
    const set = [
      ...(isRoot ? [sql`updated_at = now()`] : []),
      ...columns.map(identifier).map((column) => sql`${column} = given.${column}`),
      ...version,
    ];
    const name = identifier(table);
    const part = statement.with(
      sql`UPDATE ${name} SET ${join(set)} FROM jsonb_populate_recordset(NULL::${name}, ${JSON.stringify(rows)}::jsonb) AS given
       WHERE ${name}.id = given.id AND ${name}.id = ANY(${rows.map(({ id }) => id)}::int[]) RETURNING ${name}.id`,
    );
    if (isRoot) ids.push(sql`SELECT id FROM ${part}`);
  }
  return statement.with(join(ids, " UNION ALL "));
}

type UpdatedRows = { table: string; rows: Values[] };

/**
 * Returns the changed columns of the rows nested in a stored record, each row with its id. Returns null if rows are added
 * or removed, too.
 */
function nestedUpdates(
  schema: z.core.$ZodType,
  next: Values,
  stored: Values,
): { table: string; row: Values; isRoot?: boolean }[] | null {
  const updates: { table: string; row: Values }[] = [];
  for (const { name, facts, schema: field } of fieldsOf(schema)) {
    if (!NESTED.has(facts.kind) || next[name] === undefined || same(next[name], stored[name] ?? null))
      continue;
    if (facts.kind !== "entry" && facts.kind !== "entries") return null;
    const [after, before] = [rowsIn([next[name]].flat()), rowsIn([stored[name]].flat())];
    const ids = after.map(({ id }) => id ?? (facts.kind === "entry" ? before[0]?.id : undefined));
    if (after.length !== before.length || before.some(({ id }) => !ids.includes(id))) return null;
    for (const [index, row] of after.entries()) {
      const existing = before.find(({ id }) => id === ids[index]);
      const inner = existing && nestedUpdates(field, row, existing);
      if (!existing || !inner) return null;
      const columns = changedColumns(field, row, existing);
      if (columns.length > 0)
        updates.push({ table: facts.table, row: { ...Object.fromEntries(columns), id: existing.id } });
      updates.push(...inner);
    }
  }
  return updates;
}

/**
 * Adds the changes that turn the stored nested entries into those of `next`. Remaining entries keep their ids; others
 * are deleted. `owner` is the record's row; nothing is written if that part is empty.
 */
function writeNested(
  statement: Statement,
  schema: z.core.$ZodType,
  next: Values,
  stored: Values | null,
  owner: Owner,
): void {
  const { table } = recordFacts(schema);
  for (const { name, facts, schema: field } of fieldsOf(schema)) {
    const after = next[name];
    const before = stored?.[name] ?? null;
    if (after === undefined || same(after, before)) continue;
    if (facts.kind === "lookups") writePairs(statement, pairsTable(table, facts.list), after, before, owner);
    else if (facts.kind === "entry") {
      const nextEntry = isRecord(after) ? after : null;
      const storedEntry = isRecord(before) ? before : null;
      if (nextEntry && storedEntry) update(statement, field, table, [[nextEntry, storedEntry]], owner);
      else if (nextEntry) insert(statement, field, table, [nextEntry], owner);
      else if (storedEntry) remove(statement, facts, [storedEntry.id], owner);
    } else if (facts.kind === "entries") {
      const nextRows = rowsIn(after);
      const storedRows = rowsIn(before);
      const remainingIds = new Set(nextRows.map(({ id }) => id));
      const removedIds = storedRows.map(({ id }) => id).filter((id) => !remainingIds.has(id));
      if (removedIds.length > 0) remove(statement, facts, removedIds, owner);
      const updates = nextRows.flatMap((row): [Values, Values][] => {
        const existing = storedRows.find(({ id }) => id === row.id);
        return existing && !same(row, existing) ? [[row, existing]] : [];
      });
      if (updates.length > 0) update(statement, field, table, updates, owner);
      const added = nextRows.filter(({ id }) => id === undefined);
      if (added.length > 0) insert(statement, field, table, added, owner);
    }
  }
}

function writePairs(
  statement: Statement,
  pairs: ReturnType<typeof pairsTable>,
  after: unknown,
  before: unknown,
  { id, from }: Owner,
): void {
  const table = identifier(pairs.table);
  const owner = identifier(pairs.owner);
  const other = identifier(pairs.other);
  if (before)
    statement.with(
      sql`DELETE FROM ${table} USING ${from} WHERE ${owner} = ${id} AND NOT ${other} = ANY(${after}::int[])`,
    );
  statement.with(
    sql`INSERT INTO ${table} (${owner}, ${other}) SELECT ${id}, unnest(${after}::int[]) FROM ${from} ON CONFLICT DO NOTHING`,
  );
}

function remove(statement: Statement, facts: RecordFacts, ids: unknown[], { from }: Owner): void {
  const table = identifier(facts.table);
  statement.with(sql`DELETE FROM ${table} USING ${from} WHERE ${table}.id = ANY(${ids}::int[])`);
}

/** Updates rows of one table, each with its next and stored values. */
function update(
  statement: Statement,
  schema: z.core.$ZodType,
  ownerTable: string,
  rows: readonly (readonly [next: Values, stored: Values])[],
  owner: Owner,
): void {
  const table = identifier(recordFacts(schema).table);
  const columnNames = new Set(
    rows.flatMap((row) => changedColumns(schema, ...row).map(([column]) => column)),
  );
  if (columnNames.size > 0) {
    // If a column changes in one row, it is set in all of them.
    const rowValues = rows.map(([next, stored]) => ({
      ...Object.fromEntries(changedColumns(schema, stored, null)),
      ...Object.fromEntries(changedColumns(schema, next, null)),
      id: stored.id,
    }));
    const set = [...columnNames].map(identifier).map((column) => sql`${column} = given.${column}`);
    // Joins through the owner's index: PostgreSQL expects 100 rows of a JSON list, and would rather scan the table.
    statement.with(
      sql`UPDATE ${table} SET ${join(set)} FROM ${owner.from},
         jsonb_populate_recordset(NULL::${table}, ${JSON.stringify(rowValues)}::jsonb) AS given
       WHERE ${table}.${identifier(ownerColumn(ownerTable))} = ${owner.id} AND ${table}.id = given.id`,
    );
  }
  for (const [next, stored] of rows)
    writeNested(statement, schema, next, stored, { id: sql`${stored.id}::int`, from: owner.from });
}

/** The key of a row's place in JSON. No column has such a name. */
const PLACE = "@place";

/** A new row, columns besides its fields, and the place of its owner among the rows of the part with the owners. */
type NewRow = { values: Values; more?: Values; place?: number };

const columnsOf = (schema: z.core.$ZodType, { values, more, place }: NewRow): Values => ({
  ...Object.fromEntries(changedColumns(schema, values, null)),
  ...more,
  ...(place !== undefined && { [PLACE]: place }),
});

/** Inserts rows of one owner into one table. */
const insert = (
  statement: Statement,
  schema: z.core.$ZodType,
  ownerTable: string,
  rows: readonly Values[],
  owner: Owner,
): Sql =>
  insertRows(
    statement,
    schema,
    rows.map((values) => ({ values })),
    { ...owner, column: ownerColumn(ownerTable) },
  );

/**
 * Inserts rows into one table, and everything nested in them. Their ids follow the order of `rows`, so that nested rows can
 * find their owners by place. Returns the part with the ids.
 */
function insertRows(
  statement: Statement,
  schema: z.core.$ZodType,
  rows: readonly NewRow[],
  owner: (Owner & { column: string }) | null,
): Sql {
  const { table } = recordFacts(schema);
  const name = identifier(table);
  const rowValues = rows.map((row) => columnsOf(schema, row));
  const columns = [...new Set(rowValues.flatMap(Object.keys))].filter((column) => column !== PLACE);
  const names = [...(owner ? [identifier(owner.column)] : []), ...columns.map(identifier)];
  const values = [...(owner ? [owner.id] : []), ...columns.map((column) => sql`row.${identifier(column)}`)];
  const isPlaced = rows.some(({ place }) => place !== undefined);
  const inserted = statement.with(
    sql`INSERT INTO ${name} (${join(names)})
     SELECT ${join(values)} FROM ${owner ? sql`${owner.from},` : empty}
       jsonb_array_elements(${JSON.stringify(rowValues)}::jsonb) WITH ORDINALITY AS each(data, place),
       jsonb_populate_record(NULL::${name}, each.data) AS row
     ${isPlaced ? sql`WHERE owner_row.place = (each.data->>${constant(PLACE)})::int` : empty} ORDER BY each.place RETURNING id`,
  );
  for (const { name, facts, schema: field } of fieldsOf(schema)) {
    if (!NESTED.has(facts.kind)) continue;
    const from = sql`(SELECT id, row_number() OVER (ORDER BY id) - 1 AS place FROM ${inserted}) AS owner_row`;
    if (facts.kind === "lookups") {
      const pairs = pairsTable(table, facts.list);
      const ids = rows.map(({ values }) => values[name]).map((value) => (Array.isArray(value) ? value : []));
      const places = ids.flatMap((list, place) => list.map(() => place));
      if (places.length > 0)
        statement.with(
          sql`INSERT INTO ${identifier(pairs.table)} (${identifier(pairs.owner)}, ${identifier(pairs.other)})
           SELECT owner_row.id, given.id FROM ${from}, unnest(${places}::int[], ${ids.flat()}::int[]) AS given (place, id)
           WHERE owner_row.place = given.place ON CONFLICT DO NOTHING`,
        );
      continue;
    }
    const nested = rows.flatMap(({ values }, place) =>
      rowsIn([values[name]].flat()).map((values) => ({ values, place })),
    );
    if (nested.length > 0)
      insertRows(statement, field, nested, { id: sql`owner_row.id`, from, column: ownerColumn(table) });
  }
  return inserted;
}
