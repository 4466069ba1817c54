import "server-only";
import { can, type SessionUser } from "@/lib/core/access/permissions";
import { type Query, queryIn, type Tx } from "@/lib/core/database/client";
import { nameSql } from "@/lib/core/database/record-names";
import { forbidden } from "@/lib/core/errors";
import { type ListName, recordFacts } from "@/lib/core/fields/facts";
import { blanksOf } from "@/lib/core/fields/shapes";
import { identifier, sql } from "@/lib/core/sql";
import type { Actor } from "@/lib/identity/session";
import { type Lookup, type LookupKey, lookupKeys, lookups } from "@/lib/lookups/registry";
import { lookupStores } from "@/lib/lookups/store";
import type { Column } from "@/lib/transfer/imports/columns";
import { ADD, finderOf, type ValueOption } from "@/lib/transfer/imports/readings";
import type { Mapping } from "@/lib/transfer/imports/schema";

// The lists that a file's values refer to, and the values that the importer adds to them.

/** Returns the records of lists by their names, the oldest first. */
export async function readLists(
  query: Query,
  lists: readonly ListName[],
): Promise<ReadonlyMap<ListName, readonly ValueOption[]>> {
  const options = new Map<ListName, readonly ValueOption[]>();
  for (const list of lists) {
    const items = await query<{ id: number; name: string }>(
      sql`SELECT id, ${nameSql(list)} AS name FROM ${identifier(list)} ORDER BY id`,
    );
    options.set(
      list,
      items.map(({ id, name }) => ({ value: String(id), label: name })),
    );
  }
  return options;
}

/** Lists whose records are more than a name: they decide what forms ask and what reports count. */
const NEEDS_MORE: readonly LookupKey[] = [
  "users",
  "roles",
  "form_types",
  "service_codes",
  "age_brackets",
  "income_levels",
  "shelters",
  "referral_sources",
];

const lookupOf = (list: ListName): LookupKey | undefined =>
  lookupKeys.find((key) => recordFacts(lookups[key].schema).table === list && !NEEDS_MORE.includes(key));

/** True if the actor may add names of a file to the list that the column refers to. */
export function mayAdd(actor: SessionUser, { facts }: Column): boolean {
  const list = facts && "list" in facts ? lookupOf(facts.list) : undefined;
  return list !== undefined && can(actor, lookups[list].permission);
}

/**
 * Adds the values that the importer decided to add and that their lists lack. Returns true if there are such decisions.
 * Throws 403 if the actor may no longer change a list.
 */
export async function addToLists(
  tx: Tx,
  actor: Actor,
  columns: readonly (Column | null)[],
  mapping: Mapping,
): Promise<boolean> {
  let isExtended = false;
  for (const { key, values = [] } of mapping.columns) {
    const texts = values.flatMap(({ text, becomes }) => (becomes === ADD ? [text.trim()] : []));
    const facts = columns.find((column) => column?.key === key)?.facts;
    const list = facts && "list" in facts ? lookupOf(facts.list) : undefined;
    if (!list || !facts || !("list" in facts) || texts.length === 0) continue;
    const { schema, permission }: Lookup = lookups[list];
    if (!can(actor, permission)) throw forbidden();
    isExtended = true;
    const options = (await readLists(queryIn(tx), [facts.list])).get(facts.list) ?? [];
    const find = finderOf(options.map(({ value, label }) => [label, value] as const));
    for (const name of texts)
      if (find(name) === undefined)
        await lookupStores[list].createIn(tx, actor, { ...blanksOf(schema), name });
  }
  return isExtended;
}
