import "server-only";
import { addRecordIn, type RemovableKind, removeRecordIn, updateRecordIn } from "@/lib/audit/save";
import { db, type Query, queryIn, rows, type Tx } from "@/lib/core/database/client";
import { isForeignKeyViolation, isUniqueViolation } from "@/lib/core/database/errors";
import { checkReferences } from "@/lib/core/database/references";
import { inUse, invalid } from "@/lib/core/errors";
import type { Field } from "@/lib/core/fields/facts";
import type { LookupItem, LookupValues } from "@/lib/core/records/lookup-item";
import { sql } from "@/lib/core/sql";
import { folded } from "@/lib/core/text/folded";
import type { Actor } from "@/lib/identity/session";
import { entityOf, inSentence } from "@/lib/lookups/registry";
import { lookupSchema, lookupValues } from "@/lib/lookups/schema";
import { type LookupSource, readItem, readItemForUpdate } from "@/lib/lookups/source";
import { countUses, type Uses } from "@/lib/lookups/uses";

type Found = { stored: LookupItem | null };

/** How the records of a list are saved in `tx`. Its functions run with the same actor. */
function itemSaves(source: LookupSource, tx: Tx, actor: Actor): RemovableKind<LookupValues, Found> {
  const { key, schema, singular, special, unique } = source;
  return {
    entity: singular,
    schema,
    open: async (query, _actor, id) => ({
      stored: id === null ? null : await readItemForUpdate(source, query, id),
    }),
    async openToRemove(query, _actor, id) {
      const stored = await readItemForUpdate(source, query, id);
      const uses = await countUses(query, actor, key, id);
      if (uses.all > 0) throw usedBy(source, uses);
      await special.checkRemoval?.(tx, actor, stored);
      return { stored };
    },
    prepare: ({ stored }, input) => ({ ...lookupValues(key, stored ?? undefined), ...input }),
    async before(query, _actor, { stored }, next) {
      if (unique) await assertFree(source, query, unique, next, stored);
      await checkReferences(query, actor, lookupSchema(key), singular, next);
      await special.check?.(tx, actor, next, stored);
    },
    besides: ({ stored }, next) => special.besides?.(next, stored) ?? {},
    async after(query, _actor, id, { stored }, next) {
      if (next && special.saved) await special.saved(tx, await readItem(source, query, id), stored, actor);
    },
  };
}

/** Runs a change of the list as its special part requires. A removal has no values. */
const runChange = <T>(
  { special }: LookupSource,
  tx: Tx,
  change: () => Promise<T>,
  values?: LookupValues,
): Promise<T> => (special.runChange ? special.runChange(tx, change, values) : change());

const takenError = ({ singular }: LookupSource, { name, facts }: Field) =>
  invalid(`${singular}.${name}`, `${facts.label} is already taken`);

/** Creates the record, or changes these values of the one with this id, in a separate transaction. Throws as `saveItemIn` does. */
export async function saveItem(
  source: LookupSource,
  actor: Actor,
  id: number | null,
  values: LookupValues,
): Promise<LookupItem> {
  try {
    return await db().$transaction((tx) => saveItemIn(source, tx, actor, id, values));
  } catch (error) {
    throw source.unique && isUniqueViolation(error) ? takenError(source, source.unique) : error;
  }
}

/** Does the same in the caller's transaction. Throws 404, and 422 with the refused fields. */
export const saveItemIn = (
  source: LookupSource,
  tx: Tx,
  actor: Actor,
  id: number | null,
  values: LookupValues,
): Promise<LookupItem> =>
  runChange(
    source,
    tx,
    async () => {
      const kind = itemSaves(source, tx, actor);
      const query = queryIn(tx);
      if (id !== null) await updateRecordIn(kind, query, actor, id, values);
      return readItem(source, query, id ?? (await addRecordIn(kind, query, actor, values)));
    },
    values,
  );

/**
 * Throws 422 for a name that equals another record's after folding; the unique index of the column only ignores case.
 * Records that already shared a name can still be saved. New names of a list are saved in turn, so that two equal ones
 * cannot pass the check together.
 */
async function assertFree(
  source: LookupSource,
  query: Query,
  field: Field,
  values: LookupValues,
  stored: LookupItem | null,
): Promise<void> {
  const { key, table, expression } = source;
  const name = folded(String(values[field.name]));
  if (stored && folded(String(stored[field.name])) === name) return;
  await query(sql`SELECT pg_advisory_xact_lock(hashtextextended(${`new name in ${key}`}, 0))::text`);
  const others = await query<{ name: string }>(
    sql`SELECT ${expression(field.name)}::text AS name FROM ${table} t WHERE t.id IS DISTINCT FROM ${stored?.id ?? null}::int`,
  );
  if (others.some((other) => folded(other.name) === name)) throw takenError(source, field);
}

const usedBy = ({ key }: LookupSource, { known }: Uses) => inUse(inSentence(entityOf(key)), known, "record");

/** Removes the record in a separate transaction. Throws 409 with the number of records that use it. */
export async function removeItem(source: LookupSource, actor: Actor, id: number): Promise<void> {
  try {
    await db().$transaction((tx) => removeItemIn(source, tx, actor, id));
  } catch (error) {
    if (!isForeignKeyViolation(error)) throw error;
    // Another request began to use it after the count.
    throw usedBy(source, await countUses(rows, actor, source.key, id));
  }
}

/** Removes the record in the caller's transaction. */
export const removeItemIn = (source: LookupSource, tx: Tx, actor: Actor, id: number): Promise<void> =>
  runChange(source, tx, () => removeRecordIn(itemSaves(source, tx, actor), queryIn(tx), actor, id));
