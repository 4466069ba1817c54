import "server-only";
import { changesOf } from "@/lib/audit/changes";
import { listedTable, wholeTable } from "@/lib/audit/list-export";
import { audit, auditRead, listing } from "@/lib/audit/record";
import type { SessionUser } from "@/lib/core/access/permissions";
import { assertAllowed, type Hiding, withoutActor } from "@/lib/core/access/scope";
import { inUse, invalid, isForeignKeyViolation, isUniqueViolation, notFound } from "@/lib/core/api/errors";
import type { Table } from "@/lib/core/api/files";
import type { JsonText } from "@/lib/core/api/json-text";
import type { InColumns } from "@/lib/core/api/list-file";
import type { Meta } from "@/lib/core/api/list-query";
import { type Db, db, queryIn, type Tx } from "@/lib/core/database/client";
import { type List, readPage } from "@/lib/core/database/list";
import { PLAIN } from "@/lib/core/database/names";
import { isChanged } from "@/lib/core/database/record-write";
import { checkReferences } from "@/lib/core/database/references";
import { empty, identifier, join, jsonObject, type Sql, sql } from "@/lib/core/database/sql";
import { byKey } from "@/lib/core/fields/by-key";
import { type Field, fieldsOf, type ListName } from "@/lib/core/fields/facts";
import { folded } from "@/lib/core/fields/folded";
import { columnName, pairsTable } from "@/lib/core/fields/tables";
import type { Actor } from "@/lib/identity/session";
import { lookupColumns } from "@/lib/lookups/columns";
import {
  columnsOf,
  entityOf,
  inSentence,
  type Lookup,
  type LookupKey,
  lookupKeys,
  lookups,
} from "@/lib/lookups/registry";
import {
  type LookupItem,
  type LookupValues,
  lookupCells,
  type lookupQuery,
  lookupSchema,
  lookupValues,
} from "@/lib/lookups/schema";
import type { Special } from "@/lib/lookups/special";
import { roles, users } from "@/lib/lookups/users";

type ListQuery = ReturnType<ReturnType<typeof lookupQuery>["parse"]>;

type Store = {
  list(actor: SessionUser, query: ListQuery): Promise<{ items: JsonText<LookupItem[]>; meta: Meta }>;
  /** Returns the whole list as a table. */
  export(actor: SessionUser, query: InColumns<ListQuery>): Promise<Table>;
  /** Throws 404 if there is none. */
  get(actor: SessionUser, id: number): Promise<LookupItem>;
  /** Throws 422 with the fields: a name that is taken, or a reference to a record that does not exist. */
  create(actor: Actor, values: LookupValues): Promise<LookupItem>;
  update(actor: Actor, id: number, values: LookupValues): Promise<LookupItem>;
  /** Does the same in the caller's transaction and returns the new record's id. */
  createIn(tx: Tx, actor: Actor, values: LookupValues): Promise<number>;
  /** Changes only these values, in the caller's transaction. */
  changeIn(tx: Tx, actor: Actor, id: number, values: LookupValues): Promise<LookupItem>;
  /** Does the same in its own transaction. */
  change(actor: Actor, id: number, values: LookupValues): Promise<LookupItem>;
  /** True if a record with all these values exists. */
  holds(tx: Tx, values: LookupValues): Promise<boolean>;
  /** Throws 409 with the number of records that use it. */
  remove(actor: Actor, id: number): Promise<void>;
  removeIn(tx: Tx, actor: Actor, id: number): Promise<void>;
  /** The whole list in its default order, as one SQL expression. */
  allSql: Sql;
};

/** The methods of a Prisma model that are used here. */
type Model = {
  create(args: object): Promise<{ id: number }>;
  update(args: object): Promise<unknown>;
  delete(args: object): Promise<unknown>;
};

/**
 * Returns the condition that a column contains the typed text; `%` and `_` are ordinary characters. Accents and
 * punctuation are ignored, as in client names.
 */
function contains(columns: readonly Sql[], typed: string): Sql {
  const pattern = `%${typed.replace(/[\\%_]/g, "\\$&")}%`;
  const conditions = columns.map((column) => sql`${column} ILIKE ${pattern}`);
  if (PLAIN.test(typed))
    conditions.push(
      ...columns.map((column) => sql`strpos(fold_name(${column}), nullif(fold_name(${typed}), '')) > 0`),
    );
  return sql`(${join(conditions, " OR ")})`;
}

/** Returns the table and columns of a field that references several records of another list. */
function pairsOf(key: LookupKey, field: string, list: ListName) {
  const { table, own, other } = pairsTable(key, list);
  return { field, table: identifier(table), own: identifier(own), other: identifier(other) };
}

/**
 * Returns the reads and writes of a list, made from its registry entry. Prisma's model and the table are named after
 * the key.
 */
function store(key: LookupKey, special: Special = {}): Store {
  const { schema, singular, defaultSort, permission }: Lookup = lookups[key];
  const { joins = empty, nullable } = special;
  const fields = fieldsOf(schema);
  const [pairs] = fields.flatMap(({ name, facts }) =>
    facts.kind === "lookups" ? [pairsOf(key, name, facts.list)] : [],
  );
  const runChange = special.runChange ?? ((_tx, change) => change());
  const table = identifier(key);
  const from = sql`${table} t ${joins}`;
  const expressions: Record<string, Sql> = {
    id: sql`t.id`,
    ...Object.fromEntries(fields.map(({ name }) => [name, sql`t.${identifier(columnName(name))}`])),
    ...(pairs && {
      [pairs.field]: sql`ARRAY(SELECT ${pairs.other} FROM ${pairs.table} WHERE ${pairs.own} = t.id ORDER BY 1)`,
    }),
    ...special.expressions,
  };
  const isText = (name: string) =>
    fields.some((field) => field.name === name && ["text", "longText", "email"].includes(field.facts.kind));
  const item = jsonObject(expressions);
  const expression = (name: string) => expressions[name] ?? sql`NULL`;
  const sorts: Record<string, Sql> = {
    ...Object.fromEntries(
      columnsOf(key).map(({ key: name }) => [
        name,
        isText(name) ? sql`lower(${expression(name)})` : expression(name),
      ]),
    ),
    ...special.sorts,
  };
  const searched =
    special.searched ?? fields.filter(({ name }) => isText(name)).map(({ name }) => expression(name));

  const unique = fields.find(({ facts }) => "unique" in facts && facts.unique);
  const taken = ({ name, facts }: Field) => invalid(`${singular}.${name}`, `${facts.label} is already taken`);

  const model = (tx: Tx): Model => Reflect.get(tx, singular);

  async function read(tx: Tx | Db, id: number): Promise<LookupItem> {
    const [row] = await queryIn(tx)<{ item: LookupItem }>(
      sql`SELECT ${item} AS item FROM ${from} WHERE t.id = ${id}`,
    );
    if (!row) throw notFound();
    return row.item;
  }

  async function readLocked(tx: Tx, id: number): Promise<LookupItem> {
    await queryIn(tx)(sql`SELECT FROM ${table} WHERE id = ${id} FOR UPDATE`);
    return read(tx, id);
  }

  async function save(actor: Actor, id: number | null, values: LookupValues): Promise<LookupItem> {
    try {
      return await db().$transaction((tx) => runChange(tx, () => write(tx, actor, id, values), values));
    } catch (error) {
      throw unique && isUniqueViolation(error) ? taken(unique) : error;
    }
  }

  /**
   * Throws 422 for a name that equals another record's after folding; the unique index only ignores case. Records that
   * already shared a name can still be saved. The lock serializes new names of a list, so that two equal ones cannot
   * both pass the check.
   */
  async function assertFree(tx: Tx, field: Field, values: LookupValues, stored: LookupItem | null) {
    const name = folded(String(values[field.name]));
    if (stored && folded(String(stored[field.name])) === name) return;
    await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended(${`new name in ${key}`}, 0))`;
    const others = await queryIn(tx)<{ name: string }>(
      sql`SELECT ${expression(field.name)}::text AS name FROM ${table} t WHERE t.id IS DISTINCT FROM ${stored?.id ?? null}::int`,
    );
    if (others.some((other) => folded(other.name) === name)) throw taken(field);
  }

  async function write(tx: Tx, actor: Actor, id: number | null, values: LookupValues): Promise<LookupItem> {
    const stored = id === null ? null : await readLocked(tx, id);
    if (unique) await assertFree(tx, unique, values, stored);
    await checkReferences(tx, actor, lookupSchema(key), singular, values);
    await special.check?.(tx, actor, values, stored);
    const data = { ...values };
    if (pairs) delete data[pairs.field];
    if (stored) await model(tx).update({ where: { id: stored.id }, data });
    const savedId = stored?.id ?? (await model(tx).create({ data })).id;
    const chosen = pairs && values[pairs.field];
    if (chosen) {
      const { table, own, other } = pairs;
      const query = queryIn(tx);
      await query(sql`DELETE FROM ${table} WHERE ${own} = ${savedId}`);
      await query(
        sql`INSERT INTO ${table} (${own}, ${other}) SELECT DISTINCT ${savedId}::int, unnest(${chosen}::int[])`,
      );
    }
    const saved = await read(tx, savedId);
    await special.saved?.(tx, saved, stored, actor);
    await audit(queryIn(tx), actor, {
      action: special.actionOf?.(saved, stored) ?? (stored ? "updated" : "created"),
      entity: singular,
      entityId: savedId,
      changes: changesOf(schema, stored, saved, singular),
    });
    return saved;
  }

  const listOf = ({ filters }: ListQuery): List => ({
    name: key,
    from,
    id: sql`t.id`,
    item,
    where: [
      withoutActor("lists of the settings name no client"),
      ...Object.entries(filters).flatMap(([name, value]) =>
        value === null ? [] : [sql`${expression(name)} = ${value}`],
      ),
    ],
    sorts: Object.fromEntries(
      Object.entries(sorts).map(([name, key]) => [name, { keys: [key], nullable: nullable?.includes(name) }]),
    ),
    search: async (text) => contains(searched, text),
  });
  const refusal = ({ known }: Uses) => inUse(inSentence(entityOf(key)), known, "record");

  const removeIn = (tx: Tx, actor: Actor, id: number): Promise<void> =>
    runChange(tx, async () => {
      const stored = await read(tx, id);
      const uses = await countUses(tx, actor, key, id);
      if (uses.all > 0) throw refusal(uses);
      await special.checkRemoval?.(tx, actor, stored);
      await model(tx).delete({ where: { id } });
      const changes = changesOf(schema, stored, null, singular);
      await audit(queryIn(tx), actor, { action: "removed", entity: singular, entityId: id, changes });
    });

  const changeIn = (tx: Tx, actor: Actor, id: number, values: LookupValues): Promise<LookupItem> =>
    runChange(
      tx,
      async () => write(tx, actor, id, { ...lookupValues(key, await readLocked(tx, id)), ...values }),
      values,
    );

  const inOrder = [...(defaultSort && sorts[defaultSort] ? [sorts[defaultSort]] : []), sql`t.id`];
  return {
    allSql: sql`(SELECT COALESCE(json_agg(${item} ORDER BY ${join(inOrder)}), '[]') FROM ${from})`,
    async list(actor, query) {
      assertAllowed(actor, permission);
      return readPage<LookupItem>(listOf(query), query, listing(actor, singular, query.search));
    },
    async export(actor, query) {
      assertAllowed(actor, permission);
      const exporting = { actor, entity: singular, list: listOf(query), query };
      return query.columns === "all"
        ? wholeTable(key, exporting, lookupColumns(key))
        : listedTable<LookupItem>(key, exporting, lookupCells(key));
    },
    async get(actor, id) {
      assertAllowed(actor, permission);
      const found = await read(db(), id);
      await auditRead(actor, { action: "viewed", entity: singular, entityId: id });
      return found;
    },
    create: (actor, values) => save(actor, null, values),
    update: (actor, id, values) => save(actor, id, values),
    async holds(tx, values) {
      if (!unique) return false;
      const found = await queryIn(tx)<{ item: LookupItem }>(
        sql`SELECT ${item} AS item FROM ${from} WHERE ${expression(unique.name)}::text = ${values[unique.name]}`,
      );
      return found.some((stored) => !isChanged(schema, values, stored.item));
    },
    createIn: async (tx, actor, values) => (await write(tx, actor, null, values)).id,
    changeIn,
    change: (actor, id, values) => db().$transaction((tx) => changeIn(tx, actor, id, values)),
    async remove(actor, id) {
      try {
        await db().$transaction((tx) => removeIn(tx, actor, id));
      } catch (error) {
        // A record began to use it after the count.
        throw isForeignKeyViolation(error) ? refusal(await countUses(db(), actor, key, id)) : error;
      }
    },
    removeIn,
  };
}

/** A foreign key: the column of a table, and the table whose ids it holds. */
type Reference = { table: string; column: string; to: string; restricts: boolean };

/** The number of records that prevent the removal, and the number of those that the actor may see. */
type Uses = { all: number; known: number };

/**
 * Counts the records that prevent the removal, through the foreign keys that restrict it. A record of a client hidden
 * from the actor counts too, but not in `known`.
 */
async function countUses(tx: Tx | Db, actor: Hiding, table: LookupKey, id: number): Promise<Uses> {
  const references = await tx.$queryRaw<Reference[]>`
    SELECT conrelid::regclass::text AS table, attname::text AS column, confrelid::regclass::text AS to,
      confdeltype = 'r' AS restricts
    FROM pg_constraint JOIN pg_attribute ON attrelid = conrelid AND attnum = conkey[1] WHERE contype = 'f'`;
  const uses = references.filter(({ to, restricts }) => to === table && restricts);
  if (uses.length === 0) return { all: 0, known: 0 };
  const sumOf = (where: (use: Reference) => Sql) =>
    join(
      uses.map(
        (use) => sql`(SELECT count(*)::int FROM ${identifier(use.table)}
          WHERE ${identifier(use.column)} = ${id} AND ${where(use)})`,
      ),
      " + ",
    );
  const isKnown = ({ table }: Reference) => {
    const condition = ofHiddenClient(references, table, actor);
    return condition ? sql`(${condition}) IS NOT TRUE` : sql`TRUE`;
  };
  const [row] = await queryIn(tx)<Uses>(
    sql`SELECT ${sumOf(() => sql`TRUE`)} AS all, ${sumOf(isKnown)} AS known`,
  );
  return row ?? { all: 0, known: 0 };
}

/**
 * Returns the SQL condition that a row of the table belongs, through foreign keys, to a client hidden from the actor;
 * null if no row can.
 */
function ofHiddenClient(references: readonly Reference[], table: string, actor: Hiding): Sql | null {
  if (actor.hiddenClients.length === 0) return null;
  if (table === "clients") return sql`id = ANY(${actor.hiddenClients}::int[])`;
  const conditions = references
    .filter((reference) => reference.table === table && reference.to !== table)
    .flatMap(({ column, to }) => {
      const condition = ofHiddenClient(references, to, actor);
      return condition
        ? [sql`${identifier(column)} IN (SELECT id FROM ${identifier(to)} WHERE ${condition})`]
        : [];
    });
  return conditions.length > 0 ? join(conditions, " OR ") : null;
}

/** The parts of lists that the registry cannot describe. */
const SPECIAL: Partial<Record<LookupKey, Special>> = {
  service_codes: {
    // Set by the seed, not by administrators: neither is in the API's request body.
    expressions: { hotelShelter: sql`t.hotel_shelter`, videoconferencing: sql`t.videoconferencing` },
  },
  users,
  roles,
};

/** The store of each list. */
export const lookupStores = byKey(lookupKeys, (key) => store(key, SPECIAL[key]));
