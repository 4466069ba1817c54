import "server-only";
import type { HistoryKind } from "@/lib/audit/history";
import { listedTable, ownerInFile, wholeTable } from "@/lib/audit/list-export";
import { addScoped, listing, type PartAct, rowsRecorded } from "@/lib/audit/record";
import { byAdvocate } from "@/lib/clients/list";
import {
  allows,
  can,
  fullName,
  PERMISSION_NAMES,
  permissionKey,
  type SessionUser,
} from "@/lib/core/access/permissions";
import { visibleRecordsWhere, withoutActor } from "@/lib/core/access/scope";
import type { Table } from "@/lib/core/api/files";
import type { InColumns } from "@/lib/core/api/list-file";
import { idParam, type Meta } from "@/lib/core/api/list-query";
import { person } from "@/lib/core/api/response";
import type { Query } from "@/lib/core/database/client";
import { containsText, textKey } from "@/lib/core/database/folded";
import { type List, readPage, type Sort } from "@/lib/core/database/list";
import { nameSql, rowNameInFile } from "@/lib/core/database/record-names";
import { columnsJson, recordJson } from "@/lib/core/database/record-read";
import { listRows } from "@/lib/core/database/statements";
import { notFound } from "@/lib/core/errors";
import {
  type Cells,
  type FileColumn,
  fieldColumns,
  ID_COLUMN,
  OWNER_COLUMNS,
} from "@/lib/core/fields/columns";
import { type FieldFacts, fieldsOf, type ListName } from "@/lib/core/fields/facts";
import { columnName, ownerColumn } from "@/lib/core/fields/tables";
import { ADVOCATE_NAME } from "@/lib/core/fields/words";
import { isRecord } from "@/lib/core/objects";
import {
  isTyped,
  itemName,
  namedFields,
  type RecordDeclaration,
  rowLists,
} from "@/lib/core/records/declaration";
import { identifier, join, jsonObject, type Sql, sql } from "@/lib/core/sql";
import { foldText } from "@/lib/core/text/fold-text";
import { yesNo } from "@/lib/core/text/format";
import type { JsonText } from "@/lib/core/text/json-text";
import type { RecordItem, RecordListQuery } from "@/lib/declared-records/api-schema";
import { namedChoices } from "@/lib/declared-records/choices";
import { chosenLists } from "@/lib/declared-records/chosen-lists";
import { resourceLists, userOptions } from "@/lib/lookups/resources/lists";
import { resources, type UserOption } from "@/lib/lookups/resources/schema";
import type { LookupChoices } from "@/lib/lookups/schema";

// The reads of a declared record.

/** The parts of the reads of one kind that differ from its declaration. */
type Differences<Item> = {
  /** The alias of a row in SQL, `r` if it is missing. */
  row?: string;
  /** Returns SQL for each key of a response, or of a line of a file, besides the fields, by name. */
  keys?: (actor: SessionUser, inFile: boolean) => Readonly<Record<string, Sql>>;
  /** The columns of whole records in a file. */
  columns?: readonly FileColumn[];
  /** The columns of the list in a file. */
  cells?: Cells<Item>;
  /** Returns the condition that a record is a user's, for the list's filter by user. If missing, it is its owner's. */
  ofUser?: (userId: Sql) => Sql;
  /** Returns the conditions of the list's filters. */
  conditions?: (query: RecordListQuery) => Iterable<Sql>;
};

/** Returns the columns of whole records in a file. */
export const recordColumns = ({ schema }: RecordDeclaration): readonly FileColumn[] => [
  ID_COLUMN,
  ...OWNER_COLUMNS,
  ...fieldsOf(schema).flatMap(({ name, facts }): FileColumn[] => {
    if (facts.kind === "entries") return [{ label: facts.label, path: [name], facts }];
    const columns = fieldColumns(schema).filter(({ path }) => path[0] === name);
    return isTyped(schema, facts) ? columns : columns.map(({ label, path }) => ({ label, path }));
  }),
];

/** SQL for the record of a list, with its name, that a column refers to. */
const namedSql = (column: Sql, list: ListName): Sql =>
  sql`(SELECT ${jsonObject({ id: sql`item.id`, name: nameSql(list) })} FROM ${identifier(list)} item WHERE item.id = ${column})`;

/** Returns the order of a list by a field. Choices are ordered by label, records of lists by name. */
function sortBy(column: Sql, facts: FieldFacts | undefined): Sort {
  if (facts?.kind === "choice") {
    const labels = sql`(${facts.choices.map(({ label }) => label)}::text[])`;
    const place = sql`array_position(${facts.choices.map(({ value }) => value)}::text[], ${column})`;
    return { keys: [textKey(sql`COALESCE(${labels}[${place}], ${column})`)] };
  }
  if (facts?.kind !== "lookup")
    return {
      keys: [facts?.kind === "text" ? textKey(column) : column],
      nullable:
        (facts?.kind === "day" && !facts.required) || (facts?.kind === "count" && facts.initial === null),
    };
  const places = sql`(SELECT id, row_number() OVER (ORDER BY ${textKey(nameSql(facts.list))}, id) AS place FROM ${identifier(facts.list)}) AS places`;
  const on = sql`places.id = ${column}`;
  return {
    join: facts.required ? sql`JOIN ${places} ON ${on}` : sql`LEFT JOIN ${places} ON ${on}`,
    keys: [sql`places.place`],
    nullable: !facts.required,
  };
}

/** The reads of a declared record. */
export type RecordReads<Item extends RecordItem = RecordItem> = {
  declaration: RecordDeclaration;
  /** The alias of a row in SQL. */
  row: Sql;
  /** Returns SQL for a whole record as the API returns it. */
  json(actor: SessionUser): Sql;
  /** Returns `FROM … WHERE …` for the row of a record that the actor may see. */
  fromRow(actor: SessionUser, id: number | null): Sql;
  /** Returns the list of the records that the actor may see, under the query's filters. */
  listOf(actor: SessionUser, query: RecordListQuery): List;
  /** Returns a page of the records that the actor may see. */
  list(actor: SessionUser, query: RecordListQuery): Promise<{ items: JsonText<Item[]>; meta: Meta }>;
  /** The columns of the list in a file. */
  cells: Cells<RecordItem>;
  /** The columns of whole records in a file, one line per record. */
  columns: readonly FileColumn[];
  /** Writes all records that match the query's filters to a file, in the query's order, and records the export. */
  export(actor: SessionUser, query: InColumns<RecordListQuery>): Promise<Table>;
  /** Returns a record the actor may see and records the view. Throws 404 otherwise. */
  get(actor: SessionUser, id: number): Promise<Item>;
  /** Returns the record named in the URL, or null if `id` is not an id. Throws 404 as `get` does. */
  fromUrl(actor: SessionUser, id: unknown): Promise<Item | null>;
  /** Returns a record the actor may see, in the transaction of `query`. Throws 404 otherwise. */
  read(query: Query, actor: SessionUser, id: number): Promise<Item>;
  /** Returns what the fields are chosen from, by list. */
  choices(actor: SessionUser): Promise<LookupChoices>;
  /**
   * Returns the options of the list's user filter: holders of the permission and owners of a record. Returns null for a
   * user who sees only their own, or may not read the list of users.
   */
  userOptions(actor: SessionUser): Promise<UserOption[] | null>;
  history: HistoryKind;
};

/** A declared record in SQL. */
type Source = {
  declaration: RecordDeclaration;
  alias: string;
  /** The alias of a row. */
  row: Sql;
  /** The table with its alias. */
  from: Sql;
  userId: Sql;
  /** Returns the condition that a row is a user's. */
  ofUser(userId: Sql): Sql;
  /** The client of a row; NULL for a record without one. */
  clientId: Sql;
  /** Returns the column of a field, always as the same value: a list compares the columns with its order. */
  columnOf(name: string): Sql;
};

function sourceOf(
  declaration: RecordDeclaration,
  alias: string,
  ofUser: ((userId: Sql) => Sql) | undefined,
): Source {
  const { entity, plural, schema, seenBy } = declaration;
  const row = identifier(alias);
  const columns = new Map(
    fieldsOf(schema).map(({ name }) => [name, sql`${row}.${identifier(columnName(name))}`]),
  );
  return {
    declaration,
    alias,
    row,
    from: sql`${identifier(plural)} ${row}`,
    userId: sql`${row}.user_id`,
    ofUser: ofUser ?? ((userId) => sql`${row}.user_id = ${userId}`),
    clientId: seenBy === "client" ? sql`${row}.client_id` : sql`NULL::int`,
    columnOf(name) {
      const column = columns.get(name);
      if (!column) throw new Error(`${entity} has no field ${name}`);
      return column;
    },
  };
}

const factsIn = ({ schema }: RecordDeclaration, name: string): FieldFacts | undefined =>
  fieldsOf(schema).find((field) => field.name === name)?.facts;

/** Returns SQL for a whole record as the API returns it, or as a file has it. */
function jsonOf(
  { declaration, alias, userId, columnOf }: Source,
  keys: Differences<RecordItem>["keys"],
): (actor: SessionUser, inFile: boolean) => Sql {
  const items = Object.fromEntries(
    namedFields(declaration).flatMap(({ name, facts }) =>
      "list" in facts ? [[itemName(name), namedSql(columnOf(name), facts.list)]] : [],
    ),
  );
  const rows = Object.fromEntries(
    rowLists(declaration.schema).map((list) => [
      list.name,
      rowsInFile(list, declaration.plural, identifier(alias)),
    ]),
  );
  const owner = sql`(SELECT ${columnsJson(person, "owner")} FROM users owner WHERE owner.id = ${userId})`;
  return (actor, inFile) =>
    recordJson(declaration.schema, alias, {
      [declaration.plural]: {
        ...items,
        ...(inFile && rows),
        ...keys?.(actor, inFile),
        userId,
        user: inFile ? ownerInFile(userId) : owner,
      },
    });
}

/** SQL for the rows of a record in one cell, one per line: `Ada Brown <ada@example.org>: 60`. An import reads them. */
function rowsInFile(
  { facts, named, others }: ReturnType<typeof rowLists>[number],
  owner: string,
  row: Sql,
): Sql {
  if (named.facts.kind !== "lookup") throw new Error("Rows are named by a record");
  const { list } = named.facts;
  const numbers = others.map(({ name }) => sql`rows.${identifier(columnName(name))}`);
  return sql`(SELECT coalesce(string_agg((SELECT (${rowNameInFile(list)})[1] FROM ${identifier(list)} item
      WHERE item.id = rows.${identifier(columnName(named.name))}) || ': ' || concat_ws(' / ', ${join(numbers)}), E'\n' ORDER BY rows.id), '')
    FROM ${identifier(facts.table)} rows WHERE rows.${identifier(ownerColumn(owner))} = ${row}.id)`;
}

/** Returns SQL conditions for the filters of the list: its owner, its days, and the fields of the declaration. */
function* filterConditions(
  { declaration: { day, filters }, ofUser, columnOf }: Source,
  { filters: { userId: ownerId, from, to, ...others } }: RecordListQuery,
): Generator<Sql> {
  if (ownerId !== null) yield ofUser(sql`${ownerId}::int`);
  if (from !== null) yield sql`${columnOf(day)} >= ${from}::date`;
  if (to !== null) yield sql`${columnOf(day)} <= ${to}::date`;
  for (const name of filters) if (others[name] != null) yield sql`${columnOf(name)} = ${others[name]}`;
}

/** SQL condition: a searched field contains the text, or refers to a record whose name does. */
function searchIn({ declaration, columnOf }: Source, text: string): Sql {
  const matches = declaration.searched.map((name) => {
    const facts = factsIn(declaration, name);
    if (facts?.kind === "choice") {
      const chosen = facts.choices.filter(({ label }) => foldText(label).includes(foldText(text)));
      return sql`${columnOf(name)} = ANY(${chosen.map(({ value }) => value)}::text[])`;
    }
    if (facts?.kind !== "lookup") return containsText(columnOf(name), text);
    const found = sql`SELECT id FROM ${identifier(facts.list)} WHERE ${containsText(nameSql(facts.list), text)}`;
    return sql`${columnOf(name)} IN (${found})`;
  });
  return matches.length > 0 ? sql`(${join(matches, " OR ")})` : sql`FALSE`;
}

/** Returns the orders of the list by its columns. */
const sortsOf = ({ declaration, userId, columnOf }: Source): Record<string, Sort> => ({
  ...Object.fromEntries(
    declaration.columns.map((name) => [itemName(name), sortBy(columnOf(name), factsIn(declaration, name))]),
  ),
  advocate: byAdvocate(userId),
});

/** Returns the columns of the list in a file. */
const cellsOf = (declaration: RecordDeclaration): Cells<RecordItem> => [
  ...declaration.columns.flatMap((name) => {
    const facts = factsIn(declaration, name);
    return facts ? [cellOf(name, facts)] : [];
  }),
  [ADVOCATE_NAME, ({ user }) => fullName(user)],
];

/** Returns the users who may record, and those who have. */
async function ownersIn({ declaration, from, ofUser }: Source): Promise<number[]> {
  const { permission, plural, words } = declaration;
  const name = PERMISSION_NAMES.find((name) => permissionKey(name) === permission) ?? "";
  const users = await listRows<{ id: number }>(
    `users who record ${plural}`,
    sql`SELECT u.id FROM users u
     WHERE EXISTS (SELECT FROM role_permissions rp JOIN permissions p ON p.id = rp.permission_id
         WHERE rp.role_id = u.role_id AND p.name = ${name})
       OR EXISTS (SELECT FROM ${from} WHERE ${ofUser(sql`u.id`)} AND ${withoutActor(`only users of ${words.title} are returned`)})
     ORDER BY u.id`,
  );
  return users.map(({ id }) => id);
}

/** Returns the reads of a declared record. */
export function recordReads<Item extends RecordItem = RecordItem>(
  declaration: RecordDeclaration,
  {
    row: alias = "r",
    keys,
    columns = recordColumns(declaration),
    cells: listed,
    ofUser,
    conditions,
  }: Differences<Item> = {},
): RecordReads<Item> {
  const { entity, plural, schema, seenBy, day } = declaration;
  const source = sourceOf(declaration, alias, ofUser);
  const { row, from, clientId } = source;
  addScoped(entity, sql`SELECT ${row}.id, ${clientId} AS client_id FROM ${from}`, row);

  const jsonWith = jsonOf(source, keys);
  const json = (actor: SessionUser) => jsonWith(actor, false);
  const cells = cellsOf(declaration);

  const fromRow = (actor: SessionUser, id: number | null) =>
    sql`FROM ${from} WHERE ${row}.id = ${id}::int AND ${visibleRecordsWhere(actor, declaration, row)}`;
  const select = (actor: SessionUser, id: number) =>
    sql`SELECT ${row}.id, ${clientId} AS client_id, ${json(actor)} AS record ${fromRow(actor, id)}`;

  const listOf = (actor: SessionUser, query: RecordListQuery): List => ({
    name: plural,
    from,
    id: sql`${row}.id`,
    item: json(actor),
    where: [
      visibleRecordsWhere(actor, declaration, row),
      ...(conditions?.(query) ?? filterConditions(source, query)),
    ],
    sorts: sortsOf(source),
    ties: source.columnOf(day),
    search: async (text) => searchIn(source, text),
  });

  async function get(actor: SessionUser, id: number): Promise<Item> {
    const act: PartAct = { action: "viewed", entity, ...(seenBy === "client" && { client: "client_id" }) };
    const [row] = await rowsRecorded<{ id: number; record: Item }>(actor, act, select(actor, id));
    if (!row) throw notFound();
    return row.record;
  }

  return {
    declaration,
    row,
    json,
    fromRow,
    listOf,
    list: (actor, query) => readPage<Item>(listOf(actor, query), query, listing(actor, entity, query.search)),
    cells,
    columns,
    export(actor, query) {
      const list = listOf(actor, query);
      const exporting = { actor, entity, list, query };
      if (query.columns === "listed") return listedTable<Item>(plural, exporting, listed ?? cells);
      return wholeTable(plural, { ...exporting, list: { ...list, item: jsonWith(actor, true) } }, columns);
    },
    get,
    async fromUrl(actor, id) {
      const parsed = idParam.safeParse(id);
      return parsed.success ? get(actor, parsed.data) : null;
    },
    async read(query, actor, id) {
      const [row] = await query<{ record: Item }>(select(actor, id));
      if (!row) throw notFound();
      return row.record;
    },
    async choices(actor) {
      const lists = chosenLists(schema);
      const read = Object.values(await resourceLists(actor, lists));
      return Object.fromEntries(lists.map((list, at) => [list, namedChoices(read[at])]));
    },
    async userOptions(actor) {
      if (seenBy === "owner" && !can(actor, "all-forms")) return null;
      if (!allows(resources.users.permission, actor)) return null;
      const [options, ids] = await Promise.all([userOptions(actor), ownersIn(source)]);
      return options.filter(({ id }) => ids.includes(id));
    },
    history: {
      entity,
      schema,
      select: (actor, id) => sql`SELECT ${row}.id, ${clientId} AS client_id ${fromRow(actor, id)}`,
    },
  };
}

/** Returns the column of a field in a file with the columns of the list. */
function cellOf(name: string, facts: FieldFacts): Cells<RecordItem>[number] {
  const cell = (item: RecordItem) => {
    const value = item[facts.kind === "lookup" ? itemName(name) : name];
    if (isRecord(value)) return String(value.name);
    if (typeof value === "boolean") return yesNo(value);
    if (facts.kind === "choice") return facts.choices.find((choice) => choice.value === value)?.label ?? "";
    return typeof value === "number" ? value : String(value ?? "");
  };
  return [facts.label, cell, facts.kind === "day" ? "day" : undefined];
}
