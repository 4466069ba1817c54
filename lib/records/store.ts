import "server-only";
import type { HistoryKind } from "@/lib/audit/history";
import { listedTable, ownerInFile, wholeTable } from "@/lib/audit/list-export";
import { addScoped, audit, listing, rowsRecorded } from "@/lib/audit/record";
import {
  addRecordIn,
  createOnce,
  type RemovableKind,
  removeRecordIn,
  updateRecord as updateOnce,
} from "@/lib/audit/save";
import { byAdvocate } from "@/lib/clients/list";
import {
  can,
  fullName,
  PERMISSION_NAMES,
  permissionKey,
  type SessionUser,
} from "@/lib/core/access/permissions";
import { visibleRecordsWhere, withoutActor } from "@/lib/core/access/scope";
import { invalidFields, notFound } from "@/lib/core/api/errors";
import type { Table } from "@/lib/core/api/files";
import { creationKey } from "@/lib/core/api/idempotency";
import type { JsonText } from "@/lib/core/api/json-text";
import type { InColumns } from "@/lib/core/api/list-file";
import { idParam, type Meta } from "@/lib/core/api/list-query";
import { namedItem, person } from "@/lib/core/api/response";
import { inTransaction, type Query, queryIn, type Tx } from "@/lib/core/database/client";
import { containsText, textKey } from "@/lib/core/database/folded";
import { type List, readPage, type Sort } from "@/lib/core/database/list";
import { merge } from "@/lib/core/database/record-merge";
import { columnsJson, recordJson } from "@/lib/core/database/record-read";
import { existingSql, missingReferences, referencesOf } from "@/lib/core/database/references";
import { identifier, join, type Sql, sql } from "@/lib/core/database/sql";
import { listRows } from "@/lib/core/database/statements";
import { byKey } from "@/lib/core/fields/by-key";
import {
  type Cells,
  type FileColumn,
  fieldColumns,
  ID_COLUMN,
  OWNER_COLUMNS,
} from "@/lib/core/fields/columns";
import { type Field, fieldsOf } from "@/lib/core/fields/facts";
import { today, yesNo } from "@/lib/core/fields/format";
import { isRecord } from "@/lib/core/fields/plain";
import { problemsOnWire } from "@/lib/core/fields/problems";
import { columnName } from "@/lib/core/fields/tables";
import { ADVOCATE_NAME } from "@/lib/core/fields/words";
import { itemName, type RecordDeclaration } from "@/lib/core/records/declaration";
import { assertOpen, closedThroughSql } from "@/lib/forms/periods/closed-periods";
import { resourceLists, userOptions } from "@/lib/lookups/resources/lists";
import { isResourceKey, type UserOption } from "@/lib/lookups/resources/schema";
import type { LookupChoices } from "@/lib/lookups/schema";
import {
  type RecordItem,
  type RecordListQuery,
  type RecordValues,
  updateBody,
} from "@/lib/records/api-schema";
import { type RecordKey, recordKeys, records } from "@/lib/records/registry";

// The reads and writes of every declared record. The alias of its row is `r`.

/** The parts of a record's statements, made once from its declaration. */
type Source = RecordDeclaration & { key: RecordKey; fields: readonly Field[]; from: Sql };

const sourceOf = (key: RecordKey): Source => {
  const declaration = records[key];
  return {
    ...declaration,
    key,
    fields: fieldsOf(declaration.schema),
    from: sql`${identifier(declaration.plural)} r`,
  };
};

/** The values as sent, with the version that the caller has read. */
const versioned = (values: RecordValues): RecordValues & { lockVersion?: number | undefined } => ({
  ...values,
  lockVersion: typeof values.lockVersion === "number" ? values.lockVersion : undefined,
});

const columnOf = (name: string): Sql => sql`r.${identifier(columnName(name))}`;

/** SQL for a whole record as the API returns it (`recordResponse`), with this `user`. */
function recordSql(
  { schema, plural, fields }: Source,
  user = sql`(SELECT ${columnsJson(person, "owner")} FROM users owner WHERE owner.id = r.user_id)`,
): Sql {
  const items = fields.flatMap(({ name, facts }) =>
    facts.kind === "lookup"
      ? [
          [
            itemName(name),
            sql`(SELECT ${columnsJson(namedItem, "item")} FROM ${identifier(facts.list)} item WHERE item.id = ${columnOf(name)})`,
          ] as const,
        ]
      : [],
  );
  return recordJson(schema, "r", {
    [plural]: { ...Object.fromEntries(items), userId: sql`r.user_id`, user },
  });
}

/** Returns the list of the records that the actor may see, under the query's filters. */
function listOf(source: Source, actor: SessionUser, query: RecordListQuery): List {
  const { plural, fields, from, day, columns, filters, searched } = source;
  const kindOf = (name: string) => fields.find((field) => field.name === name)?.facts;
  const sortOf = (name: string): Sort => {
    const facts = kindOf(name);
    if (facts?.kind === "lookup") {
      const places = sql`(SELECT id, row_number() OVER (ORDER BY ${textKey(sql`name`)}, id) AS place FROM ${identifier(facts.list)})`;
      const join = sql`LEFT JOIN ${places} AS places ON places.id = ${columnOf(name)}`;
      return { join, keys: [sql`places.place`], nullable: !facts.required };
    }
    return { keys: [facts?.kind === "text" ? textKey(columnOf(name)) : columnOf(name)] };
  };
  const { userId, from: first, to: last } = query.filters;
  const conditions = [
    ...(userId === null ? [] : [sql`r.user_id = ${userId}`]),
    ...(first === null ? [] : [sql`${columnOf(day)} >= ${first}::date`]),
    ...(last === null ? [] : [sql`${columnOf(day)} <= ${last}::date`]),
    ...filters.flatMap((name) => {
      const value = query.filters[name] ?? null;
      return value === null ? [] : [sql`${columnOf(name)} = ${value}`];
    }),
  ];
  return {
    name: plural,
    from,
    id: sql`r.id`,
    item: recordSql(source),
    where: [visibleRecordsWhere(actor, source), ...conditions],
    sorts: {
      ...Object.fromEntries(columns.map((name) => [itemName(name), sortOf(name)])),
      advocate: byAdvocate(sql`r.user_id`),
    },
    ties: columnOf(day),
    search: async (search) => {
      const conditions = searched.map((name) => {
        const facts = kindOf(name);
        if (facts?.kind !== "lookup") return containsText(columnOf(name), search);
        return sql`${columnOf(name)} IN (SELECT item.id FROM ${identifier(facts.list)} item WHERE ${containsText(sql`item.name`, search)})`;
      });
      return conditions.length > 0 ? sql`(${join(conditions, " OR ")})` : sql`FALSE`;
    },
  };
}

/** The columns of the list in an exported file. */
const listedCells = ({ columns, fields }: Source): Cells<RecordItem> => [
  ...columns.flatMap((name): Cells<RecordItem> => {
    const facts = fields.find((field) => field.name === name)?.facts;
    if (!facts) return [];
    const cell = (item: RecordItem) => {
      const value = item[facts.kind === "lookup" ? itemName(name) : name];
      if (isRecord(value)) return String(value.name);
      if (typeof value === "boolean") return yesNo(value);
      if (facts.kind === "choice") return facts.choices.find((choice) => choice.value === value)?.label ?? "";
      return typeof value === "number" ? value : String(value ?? "");
    };
    return [[facts.label, cell, facts.kind === "day" ? "day" : undefined]];
  }),
  [ADVOCATE_NAME, ({ user }) => fullName(user)],
];

/** The columns of whole records in a file, one line per record. */
export const recordColumns = (key: RecordKey): readonly FileColumn[] => [
  ID_COLUMN,
  ...OWNER_COLUMNS,
  ...fieldColumns(records[key].schema),
];

type Found = { stored: RecordItem | null; known: string[] | null; closedThrough: string | null };

/** How a record is saved. */
function savesOf(source: Source): RemovableKind<ReturnType<typeof versioned>, Found, RecordValues> {
  const { key, entity, schema, from, day } = source;
  const find = async (query: Query, actor: SessionUser, id: number | null, input: RecordValues | null) => {
    const visible = visibleRecordsWhere(actor, source);
    if (id !== null) {
      const locked = await query(sql`SELECT FROM ${from} WHERE r.id = ${id} AND ${visible} FOR UPDATE OF r`);
      if (locked.length === 0) throw notFound();
    }
    const references = input ? [...referencesOf(schema, input, entity)] : [];
    const [found] = await query<Found>(
      sql`SELECT (SELECT ${recordSql(source)} FROM ${from} WHERE r.id = ${id}::int AND ${visible}) AS stored,
         ${existingSql(actor, schema, references)} AS known, ${closedThroughSql("FOR SHARE")} AS "closedThrough"`,
    );
    if (!found) throw new Error("A SELECT without FROM returns a row");
    return found;
  };
  const dayOf = (values: RecordValues | null) => (values ? String(values[day]) : undefined);
  return {
    entity,
    schema,
    open: find,
    async openToRemove(query, actor, id) {
      const found = await find(query, actor, id, null);
      assertOpen(found.closedThrough, dayOf(found.stored));
      return found;
    },
    prepare(found, sent) {
      const { stored, known } = found;
      const input = { ...sent, [day]: sent[day] ?? stored?.[day] ?? today() };
      assertOpen(found.closedThrough, dayOf(stored), dayOf(input));
      const problems: Record<string, string> = {};
      const values = merge(schema, stored, input, entity, problems);
      Object.assign(problems, missingReferences(referencesOf(schema, input, entity), known));
      if (Object.keys(problems).length > 0) throw invalidFields(problemsOnWire(updateBody(key), problems));
      return values;
    },
  };
}

/** The reads and writes of a record, made from its declaration. */
function storeOf(key: RecordKey) {
  const source = sourceOf(key);
  const { entity, plural, from, fields } = source;
  addScoped(entity, plural);
  const saves = savesOf(source);
  const select = (actor: SessionUser, id: number) =>
    sql`SELECT r.id, NULL::int AS client_id, ${recordSql(source)} AS record FROM ${from}
     WHERE r.id = ${id} AND ${visibleRecordsWhere(actor, source)}`;
  const read = async (query: Query, actor: SessionUser, id: number): Promise<RecordItem> => {
    const [row] = await query<{ record: RecordItem }>(select(actor, id));
    if (!row) throw notFound();
    return row.record;
  };
  const get = async (actor: SessionUser, id: number): Promise<RecordItem> => {
    const act = { action: "viewed", entity } as const;
    const [row] = await rowsRecorded<{ id: number; record: RecordItem }>(actor, act, select(actor, id));
    if (!row) throw notFound();
    return row.record;
  };
  const lists = fields.flatMap(({ facts }) =>
    "list" in facts && isResourceKey(facts.list) ? [facts.list] : [],
  );
  return {
    /** Returns a page of the records that the actor may see. */
    list(actor: SessionUser, query: RecordListQuery): Promise<{ items: JsonText<RecordItem[]>; meta: Meta }> {
      return readPage<RecordItem>(listOf(source, actor, query), query, listing(actor, entity, query.search));
    },
    /** Writes all records that match the query's filters to a file, in the query's order, and records the export. */
    export(actor: SessionUser, query: InColumns<RecordListQuery>): Promise<Table> {
      const list = listOf(source, actor, query);
      const exporting = { actor, entity, list, query };
      if (query.columns === "listed") return listedTable(plural, exporting, listedCells(source));
      const item = recordSql(source, ownerInFile(sql`r.user_id`));
      return wholeTable(plural, { ...exporting, list: { ...list, item } }, recordColumns(key));
    },
    /** Returns a record the actor may see and records the view. Throws 404 otherwise. */
    get,
    /** Returns the record named in the URL, or null if `id` is not an id. Throws 404 as `get` does. */
    async fromUrl(actor: SessionUser, id: unknown): Promise<RecordItem | null> {
      const parsed = idParam.safeParse(id);
      return parsed.success ? get(actor, parsed.data) : null;
    },
    /**
     * Creates a record owned by the actor; without a day, it is today's. A repeated key returns that record as it is now,
     * or throws 404 if it was removed. Throws 409 in a closed period and 422 with the invalid fields.
     */
    create(actor: SessionUser, values: RecordValues, idempotencyKey: string | null): Promise<RecordItem> {
      const created = creationKey(actor, idempotencyKey, { [entity]: values });
      return createOnce(
        created,
        (query) =>
          addRecordIn(saves, query, actor, versioned(values), { ownerId: actor.userId, key: created }),
        (query, id) => read(query, actor, id),
        (query, id) => audit(query, actor, { action: "viewed", entity, entityId: id }),
      );
    },
    /** Adds a record for an owner in the caller's transaction and returns its id. */
    createIn: (tx: Tx, actor: SessionUser, values: RecordValues, ownerId: number): Promise<number> =>
      addRecordIn(saves, queryIn(tx), actor, versioned(values), { ownerId }),
    /** Updates a visible record; the owner does not change. Throws 404, 409 for a stale version or a closed period, and 422. */
    update: (actor: SessionUser, id: number, values: RecordValues): Promise<RecordItem> =>
      updateOnce(saves, actor, id, versioned(values), read),
    /** Removes a visible record. Throws 404, and 409 in a closed period. */
    remove: (actor: SessionUser, id: number): Promise<void> =>
      inTransaction((query) => removeRecordIn(saves, query, actor, id)),
    /** Does the same in the caller's transaction. */
    removeIn: (tx: Tx, actor: SessionUser, id: number): Promise<void> =>
      removeRecordIn(saves, queryIn(tx), actor, id),
    /** Returns what the fields are chosen from, by list. */
    async choices(actor: SessionUser): Promise<LookupChoices> {
      const read = await resourceLists<Record<string, { id: number; name: string }[]>>(actor, lists);
      return Object.fromEntries(lists.map((list, at) => [list, Object.values(read)[at] ?? []]));
    },
    /**
     * Returns the options of the list's user filter: holders of the permission and owners of a record. Returns null for a
     * user who sees only their own.
     */
    async userOptions(actor: SessionUser): Promise<UserOption[] | null> {
      if (source.seenBy === "owner" && !can(actor, "all-forms")) return null;
      const [options, owners] = await Promise.all([userOptions(actor), ownersOf(source)]);
      return options.filter(({ id }) => owners.includes(id));
    },
    history: { entity, schema: source.schema, select } satisfies HistoryKind,
  };
}

async function ownersOf({ words, permission, plural, from }: Source): Promise<number[]> {
  const name = PERMISSION_NAMES.find((name) => permissionKey(name) === permission) ?? "";
  const users = await listRows<{ id: number }>(
    `users who record ${plural}`,
    sql`SELECT u.id FROM users u
     WHERE EXISTS (SELECT FROM role_permissions rp JOIN permissions p ON p.id = rp.permission_id
         WHERE rp.role_id = u.role_id AND p.name = ${name})
       OR EXISTS (SELECT FROM ${from} WHERE r.user_id = u.id AND ${withoutActor(`only users of ${words.title} are returned`)})
     ORDER BY u.id`,
  );
  return users.map(({ id }) => id);
}

/** The store of each declared record. */
export const recordStores = byKey(recordKeys, storeOf);
