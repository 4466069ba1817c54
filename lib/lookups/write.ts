import "server-only";
import { changesOf, isChanged } from "@/lib/audit/changes";
import { audit } from "@/lib/audit/record";
import { inUse, invalid, isForeignKeyViolation, isUniqueViolation } from "@/lib/core/api/errors";
import { db, queryIn, type Tx } from "@/lib/core/database/client";
import { checkReferences } from "@/lib/core/database/references";
import { sql } from "@/lib/core/database/sql";
import type { Field } from "@/lib/core/fields/facts";
import { folded } from "@/lib/core/fields/folded";
import type { Actor } from "@/lib/identity/session";
import { entityOf, inSentence } from "@/lib/lookups/registry";
import { type LookupItem, type LookupValues, lookupSchema, lookupValues } from "@/lib/lookups/schema";
import { type LookupSource, readItem, readItemForUpdate } from "@/lib/lookups/source";
import { countUses, type Uses } from "@/lib/lookups/uses";

/** The methods of a Prisma model that are used here. */
type Model = {
  create(args: object): Promise<{ id: number }>;
  update(args: object): Promise<unknown>;
  delete(args: object): Promise<unknown>;
};

const modelOf = ({ singular }: LookupSource, tx: Tx): Model => Reflect.get(tx, singular);

/** Runs a change of the list as its special part requires. A removal has no values. */
const runChange = <T>(
  { special }: LookupSource,
  tx: Tx,
  change: () => Promise<T>,
  values?: LookupValues,
): Promise<T> => (special.runChange ? special.runChange(tx, change, values) : change());

const takenError = ({ singular }: LookupSource, { name, facts }: Field) =>
  invalid(`${singular}.${name}`, `${facts.label} is already taken`);

/** Creates the record, or updates the one with this id, in a separate transaction. */
export async function saveItem(
  source: LookupSource,
  actor: Actor,
  id: number | null,
  values: LookupValues,
): Promise<LookupItem> {
  try {
    return await db().$transaction((tx) =>
      runChange(source, tx, () => writeItem(source, tx, actor, id, values), values),
    );
  } catch (error) {
    throw source.unique && isUniqueViolation(error) ? takenError(source, source.unique) : error;
  }
}

/** Changes only these values. */
export const changeItem = (
  source: LookupSource,
  tx: Tx,
  actor: Actor,
  id: number,
  values: LookupValues,
): Promise<LookupItem> =>
  runChange(
    source,
    tx,
    async () => {
      const stored = lookupValues(source.key, await readItemForUpdate(source, tx, id));
      return writeItem(source, tx, actor, id, { ...stored, ...values });
    },
    values,
  );

/**
 * Checks, writes and audits the record. Values that change nothing are not written. Throws 422 with the refused fields.
 */
export async function writeItem(
  source: LookupSource,
  tx: Tx,
  actor: Actor,
  id: number | null,
  values: LookupValues,
): Promise<LookupItem> {
  const { key, schema, singular, special, unique } = source;
  const former = id === null ? null : await readItemForUpdate(source, tx, id);
  if (unique) await assertFree(source, tx, unique, values, former);
  await checkReferences(tx, actor, lookupSchema(key), singular, values);
  await special.check?.(tx, actor, values, former);
  if (former && !isChangedBy(source, former, values)) {
    await audit(queryIn(tx), actor, { action: "viewed", entity: singular, entityId: former.id });
    return former;
  }
  const savedId = await writeRow(source, tx, former, values);
  await writePairs(source, tx, savedId, values);
  const item = await readItem(source, tx, savedId);
  await special.saved?.(tx, item, former, actor);
  await audit(queryIn(tx), actor, {
    action: special.actionOf?.(item, former) ?? (former ? "updated" : "created"),
    entity: singular,
    entityId: savedId,
    changes: changesOf(schema, former, item, singular),
  });
  return item;
}

/** True if these values would change the record, or what its list stores next to the fields, such as an account's `active`. */
function isChangedBy({ schema }: LookupSource, former: LookupItem, values: LookupValues): boolean {
  const { confirmed: _, ...stored } = values;
  const sent = Object.entries(stored).filter(([, value]) => value !== undefined);
  return (
    isChanged(schema, former, { ...former, ...values }) ||
    sent.some(([name, value]) => !Object.hasOwn(schema.shape, name) && value !== former[name])
  );
}

/**
 * Throws 422 for a name that equals another record's after folding; the unique index of the column only ignores case.
 * Records that already shared a name can still be saved. New names of a list are saved in turn, so that two equal ones
 * cannot pass the check together.
 */
async function assertFree(
  source: LookupSource,
  tx: Tx,
  field: Field,
  values: LookupValues,
  stored: LookupItem | null,
): Promise<void> {
  const { key, table, expression } = source;
  const name = folded(String(values[field.name]));
  if (stored && folded(String(stored[field.name])) === name) return;
  await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended(${`new name in ${key}`}, 0))`;
  const others = await queryIn(tx)<{ name: string }>(
    sql`SELECT ${expression(field.name)}::text AS name FROM ${table} t WHERE t.id IS DISTINCT FROM ${stored?.id ?? null}::int`,
  );
  if (others.some((other) => folded(other.name) === name)) throw takenError(source, field);
}

/** Writes the columns of the list's own table and returns the record's id. */
async function writeRow(
  source: LookupSource,
  tx: Tx,
  stored: LookupItem | null,
  values: LookupValues,
): Promise<number> {
  const { confirmed: _, ...data } = values;
  if (source.pairs) delete data[source.pairs.field];
  if (!stored) return (await modelOf(source, tx).create({ data })).id;
  await modelOf(source, tx).update({ where: { id: stored.id }, data });
  return stored.id;
}

/** Replaces the record's references to the other list, if the values name them. */
async function writePairs({ pairs }: LookupSource, tx: Tx, id: number, values: LookupValues): Promise<void> {
  const ids = pairs && values[pairs.field];
  if (!ids) return;
  const { table, own, other } = pairs;
  const query = queryIn(tx);
  await query(sql`DELETE FROM ${table} WHERE ${own} = ${id}`);
  await query(sql`INSERT INTO ${table} (${own}, ${other}) SELECT DISTINCT ${id}::int, unnest(${ids}::int[])`);
}

const usedBy = ({ key }: LookupSource, { known }: Uses) => inUse(inSentence(entityOf(key)), known, "record");

/** Removes the record in a separate transaction. Throws 409 with the number of records that use it. */
export async function removeItem(source: LookupSource, actor: Actor, id: number): Promise<void> {
  try {
    await db().$transaction((tx) => removeItemIn(source, tx, actor, id));
  } catch (error) {
    if (!isForeignKeyViolation(error)) throw error;
    // Another request began to use it after the count.
    throw usedBy(source, await countUses(db(), actor, source.key, id));
  }
}

/** Removes the record in the caller's transaction. */
export const removeItemIn = (source: LookupSource, tx: Tx, actor: Actor, id: number): Promise<void> =>
  runChange(source, tx, async () => {
    const { key, schema, singular, special } = source;
    const item = await readItem(source, tx, id);
    const uses = await countUses(tx, actor, key, id);
    if (uses.all > 0) throw usedBy(source, uses);
    await special.checkRemoval?.(tx, actor, item);
    await modelOf(source, tx).delete({ where: { id } });
    const changes = changesOf(schema, item, null, singular);
    await audit(queryIn(tx), actor, { action: "removed", entity: singular, entityId: id, changes });
  });
