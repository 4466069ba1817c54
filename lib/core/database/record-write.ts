import "server-only";
import type { z } from "zod/mini";
import { type FieldFacts, fieldsOf, type RecordFacts, recordFacts } from "@/lib/core/fields/facts";
import { isMaskOf } from "@/lib/core/fields/masked";
import { columnName, ownerColumn, pairsTable } from "@/lib/core/fields/tables";
import { isRecord } from "@/lib/core/objects";
import { constant, identifier, join, type Sql, sql } from "@/lib/core/sql";

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

const NO_COLUMN = new Set(["id", "removal", "version", "lookups", "entry", "entries"]);

/** Returns the record's own columns that differ from the stored ones. For a new record, all columns with a value. */
const changedColumns = (schema: z.core.$ZodType, next: Values, stored: Values | null): Column[] =>
  fieldsOf(schema)
    .filter(({ name, facts }) => !NO_COLUMN.has(facts.kind) && next[name] !== undefined)
    .filter(({ name, facts }) => stored === null || !isStored(facts, next[name], stored[name]))
    .map(({ name, facts }) => [
      columnName(name),
      facts.kind === "custom" ? JSON.stringify(next[name]) : next[name],
    ]);

/** Adds the insert of a record with everything nested in it, and with the columns `more`. Returns the part with its id. */
export function insertRecord(statement: Statement, schema: z.core.$ZodType, next: Values, more: Values): Sql {
  const table = identifier(recordFacts(schema).table);
  const columns = [...changedColumns(schema, next, null), ...Object.entries(more)];
  const row = statement.with(
    sql`INSERT INTO ${table} (${join(columns.map(([column]) => identifier(column)))})
     SELECT ${join(columns.map(([, value]) => sql`${value}`))} RETURNING id`,
  );
  writeNested(statement, schema, next, null, { id: sql`${row}.id`, from: row });
  return row;
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
    ...[...changedColumns(schema, next, stored), ...Object.entries(more)].map(
      ([column, value]) => sql`${identifier(column)} = ${value}`,
    ),
    ...(stored.lockVersion === undefined
      ? []
      : [sql`lock_version = lock_version + 1`, sql`updated_by_id = ${userId}`]),
  ];
  const row = statement.with(sql`UPDATE ${table} SET ${join(set)} WHERE id = ${stored.id} RETURNING id`);
  writeNested(statement, schema, next, stored, { id: sql`${row}.id`, from: row });
  return row;
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

/** Inserts rows into one table. Their ids follow the order of `rows`, so that nested rows can find their parents. */
function insert(
  statement: Statement,
  schema: z.core.$ZodType,
  ownerTable: string,
  rows: readonly Values[],
  owner: Owner,
): void {
  const table = identifier(recordFacts(schema).table);
  const rowValues = rows.map((row) => Object.fromEntries(changedColumns(schema, row, null)));
  const names = [...new Set(rowValues.flatMap(Object.keys))].map(identifier);
  const inserted = statement.with(
    sql`INSERT INTO ${table} (${join([identifier(ownerColumn(ownerTable)), ...names])})
     SELECT ${join([owner.id, ...names.map((name) => sql`row.${name}`)])} FROM ${owner.from},
       jsonb_array_elements(${JSON.stringify(rowValues)}::jsonb) WITH ORDINALITY AS each(data, place),
       jsonb_populate_record(NULL::${table}, each.data) AS row ORDER BY place RETURNING id`,
  );
  rows.forEach((row, index) => {
    const from = sql`(SELECT id FROM ${inserted} ORDER BY id OFFSET ${constant(index)} LIMIT 1) AS owner_row`;
    writeNested(statement, schema, row, null, { id: sql`owner_row.id`, from });
  });
}
