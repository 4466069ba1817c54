import "server-only";
import { roles, users } from "@/lib/accounts/people/data";
import { inUse, invalid, isForeignKeyViolation, isUniqueViolation, notFound } from "@/lib/api/errors";
import type { JsonText } from "@/lib/api/json-text";
import type { InColumns } from "@/lib/api/list-file";
import type { Meta } from "@/lib/api/list-query";
import { changesOf } from "@/lib/audit/changes";
import { audit, auditRead, listing } from "@/lib/audit/record";
import type { SessionUser } from "@/lib/auth/permissions";
import { assertAllowed } from "@/lib/auth/scope";
import type { Actor } from "@/lib/auth/session";
import { type Db, db, queryIn, type Tx } from "@/lib/database/client";
import { type List, readPage } from "@/lib/database/list";
import { listedTable, type Table, wholeTable } from "@/lib/database/list-export";
import { PLAIN } from "@/lib/database/names";
import { isChanged } from "@/lib/database/record-write";
import { checkReferences } from "@/lib/database/references";
import { join, raw, type Sql, sql } from "@/lib/database/sql";
import { byKey } from "@/lib/fields/by-key";
import { type Field, fieldsOf } from "@/lib/fields/facts";
import { folded } from "@/lib/fields/folded";
import { columnName, pairsTable } from "@/lib/fields/tables";
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
} from "@/lib/lookups/schema";
import type { Special } from "@/lib/lookups/special";

type ListQuery = ReturnType<ReturnType<typeof lookupQuery>["parse"]>;

type Store = {
  list(actor: SessionUser, query: ListQuery): Promise<{ items: JsonText<LookupItem[]>; meta: Meta }>;
  /** All of it, to be written to a file. */
  export(actor: SessionUser, query: InColumns<ListQuery>): Promise<Table>;
  /** 404 if there is none. */
  get(actor: SessionUser, id: number): Promise<LookupItem>;
  /** 422 with the fields: a name that is taken, a reference to a record that does not exist. */
  create(actor: Actor, values: LookupValues): Promise<LookupItem>;
  update(actor: Actor, id: number, values: LookupValues): Promise<LookupItem>;
  /** The same in a transaction of the caller's; answers the new record's id. */
  createIn(tx: Tx, actor: Actor, values: LookupValues): Promise<number>;
  /** Whether a record with all these values is there. */
  holds(tx: Tx, values: LookupValues): Promise<boolean>;
  /** 409 with the number of records that use it. */
  remove(actor: Actor, id: number): Promise<void>;
  removeIn(tx: Tx, actor: Actor, id: number): Promise<void>;
  /** The whole list in its default order, as one SQL expression. */
  allSql: string;
};

/** The methods of a Prisma model that are used here. */
type Model = {
  create(args: object): Promise<{ id: number }>;
  update(args: object): Promise<unknown>;
  delete(args: object): Promise<unknown>;
};

const jsonObject = (expressions: Readonly<Record<string, string>>) =>
  `json_build_object(${Object.entries(expressions)
    .map(([key, expression]) => `'${key}', ${expression}`)
    .join(", ")})`;

/**
 * A search that looks into texts, given as SQL, for what was typed; `%` and `_` are ordinary letters (contract §1). Words
 * are also found where accents and punctuation differ, as in names of clients.
 */
function contains(texts: readonly string[], typed: string): Sql {
  const columns = texts.map(raw);
  const pattern = `%${typed.replace(/[\\%_]/g, "\\$&")}%`;
  const found = columns.map((column) => sql`${column} ILIKE ${pattern}`);
  if (PLAIN.test(typed))
    found.push(
      ...columns.map((column) => sql`strpos(fold_name(${column}), nullif(fold_name(${typed}), '')) > 0`),
    );
  return sql`(${join(found, " OR ")})`;
}

/**
 * The reads and writes of a list, made from its registry entry. Prisma's model and the table are named after the key.
 */
function store(key: LookupKey, special: Special = {}): Store {
  const { schema, singular, defaultSort, permission }: Lookup = lookups[key];
  const { joins = "", nullable } = special;
  const fields = fieldsOf(schema);
  const [pairs] = fields.flatMap(({ name, facts }) =>
    facts.kind === "lookups" ? [{ field: name, ...pairsTable(key, facts.list) }] : [],
  );
  const runChange = special.runChange ?? ((_tx, change) => change());
  const table = `${key} t`;
  const from = `${table} ${joins}`;
  const expressions: Record<string, string> = {
    id: "t.id",
    ...Object.fromEntries(fields.map(({ name }) => [name, `t.${columnName(name)}`])),
    ...(pairs && {
      [pairs.field]: `ARRAY(SELECT ${pairs.other} FROM ${pairs.table} WHERE ${pairs.own} = t.id ORDER BY 1)`,
    }),
    ...special.expressions,
  };
  const isText = (name: string) =>
    fields.some((field) => field.name === name && ["text", "longText", "email"].includes(field.facts.kind));
  const item = jsonObject(expressions);
  const expression = (name: string) => expressions[name] ?? "NULL";
  const sorts: Record<string, string> = {
    ...Object.fromEntries(
      columnsOf(key).map(({ key: name }) => [
        name,
        isText(name) ? `lower(${expression(name)})` : expression(name),
      ]),
    ),
    ...special.sorts,
  };
  const searched =
    special.searched ?? fields.filter(({ name }) => isText(name)).map(({ name }) => expression(name));

  const unique = fields.find(({ facts }) => "unique" in facts && facts.unique);
  const taken = ({ name, facts }: Field) => invalid(`${singular}.${name}`, `${facts.label} is already taken`);

  const model = (tx: Tx): Model => Reflect.get(tx, singular);

  async function read(tx: Tx, id: number): Promise<LookupItem> {
    const [row] = await tx.$queryRawUnsafe<{ item: LookupItem }[]>(
      `SELECT ${item} AS item FROM ${from} WHERE t.id = $1`,
      id,
    );
    if (!row) throw notFound();
    return row.item;
  }

  async function save(actor: Actor, id: number | null, values: LookupValues): Promise<LookupItem> {
    try {
      return await db().$transaction((tx) => runChange(tx, () => write(tx, actor, id, values), values));
    } catch (error) {
      throw unique && isUniqueViolation(error) ? taken(unique) : error;
    }
  }

  /**
   * Refuses a name that equals another record's after folding (contract §7); the unique index of the column only
   * ignores case. Records that already shared a name can still be saved. New names of a list are saved one after the
   * other, so that two equal ones cannot pass the check together.
   */
  async function assertFree(tx: Tx, field: Field, values: LookupValues, stored: LookupItem | null) {
    const name = folded(String(values[field.name]));
    if (stored && folded(String(stored[field.name])) === name) return;
    await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended(${`new name in ${key}`}, 0))`;
    const others = await tx.$queryRawUnsafe<{ name: string }[]>(
      `SELECT ${expressions[field.name]}::text AS name FROM ${table} WHERE t.id IS DISTINCT FROM $1::int`,
      stored?.id ?? null,
    );
    if (others.some((other) => folded(other.name) === name)) throw taken(field);
  }

  async function write(tx: Tx, actor: Actor, id: number | null, values: LookupValues): Promise<LookupItem> {
    if (id !== null) await tx.$queryRawUnsafe(`SELECT FROM ${key} WHERE id = $1 FOR UPDATE`, id);
    const stored = id === null ? null : await read(tx, id);
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
      await tx.$executeRawUnsafe(`DELETE FROM ${table} WHERE ${own} = $1`, savedId);
      await tx.$executeRawUnsafe(
        `INSERT INTO ${table} (${own}, ${other}) SELECT DISTINCT $1::int, unnest($2::int[])`,
        savedId,
        chosen,
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
    from: raw(from),
    id: sql`t.id`,
    item: raw(item),
    where: Object.entries(filters).flatMap(([name, value]) =>
      value === null ? [] : [sql`${raw(expression(name))} = ${value}`],
    ),
    sorts: Object.fromEntries(
      Object.entries(sorts).map(([name, key]) => [
        name,
        { keys: [raw(key)], nullable: nullable?.includes(name) },
      ]),
    ),
    search: async (text) => contains(searched, text),
  });
  const refusal = (uses: number) => inUse(inSentence(entityOf(key)), uses, "record");

  const removeIn = (tx: Tx, actor: Actor, id: number): Promise<void> =>
    runChange(tx, async () => {
      const stored = await read(tx, id);
      const uses = await countUses(tx, key, id);
      if (uses > 0) throw refusal(uses);
      await special.checkRemoval?.(tx, actor, stored);
      await model(tx).delete({ where: { id } });
      const changes = changesOf(schema, stored, null, singular);
      await audit(queryIn(tx), actor, { action: "removed", entity: singular, entityId: id, changes });
    });

  return {
    allSql: `(SELECT COALESCE(json_agg(${item} ORDER BY ${defaultSort ? `${sorts[defaultSort]}, ` : ""}t.id), '[]') FROM ${from})`,
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
      const found = await tx.$queryRawUnsafe<{ item: LookupItem }[]>(
        `SELECT ${item} AS item FROM ${from} WHERE ${expression(unique.name)}::text = $1`,
        values[unique.name],
      );
      return found.some((stored) => !isChanged(schema, values, stored.item));
    },
    createIn: async (tx, actor, values) => (await write(tx, actor, null, values)).id,
    async remove(actor, id) {
      try {
        await db().$transaction((tx) => removeIn(tx, actor, id));
      } catch (error) {
        // A record began to use it after the count.
        throw isForeignKeyViolation(error) ? refusal(await countUses(db(), key, id)) : error;
      }
    },
    removeIn,
  };
}

/** The number of records that prevent the removal, found through the foreign keys that restrict it. */
async function countUses(tx: Tx | Db, table: LookupKey, id: number): Promise<number> {
  const keys = await tx.$queryRaw<{ used_in: string; by: string }[]>`
    SELECT conrelid::regclass::text AS used_in, attname::text AS by
    FROM pg_constraint JOIN pg_attribute ON attrelid = conrelid AND attnum = conkey[1]
    WHERE contype = 'f' AND confdeltype = 'r' AND confrelid = ${table}::regclass`;
  if (keys.length === 0) return 0;
  const counts = keys.map(({ used_in, by }) => `(SELECT count(*)::int FROM ${used_in} WHERE ${by} = $1)`);
  const [row] = await tx.$queryRawUnsafe<{ uses: number }[]>(`SELECT ${counts.join(" + ")} AS uses`, id);
  return row?.uses ?? 0;
}

/** What the other lists have beyond the registry. */
const SPECIAL: Partial<Record<LookupKey, Special>> = {
  service_codes: {
    // Set by the seed, not by administrators: spec §7 has neither in the body.
    expressions: { hotelShelter: "t.hotel_shelter", videoconferencing: "t.videoconferencing" },
  },
  users,
  roles,
};

/** The store of each list. */
export const lookupStores = byKey(lookupKeys, (key) => store(key, SPECIAL[key]));
