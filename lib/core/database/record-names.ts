import "server-only";
import type { Query } from "@/lib/core/database/client";
import type { Names } from "@/lib/core/fields/columns";
import type { FieldFacts, ListName } from "@/lib/core/fields/facts";
import { constant, identifier, join, type Sql, sql } from "@/lib/core/sql";

/** SQL for the display name in lists without a `name` column. */
const NAMES: Partial<Record<ListName, Sql>> = {
  service_codes: sql`code`,
  referral_sources: sql`code`,
  events: sql`title`,
  users: sql`first_name || ' ' || last_name`,
};

/** SQL for the display name of a record of the list. */
export const nameSql = (list: ListName): Sql => sql`(${NAMES[list] ?? sql`name`})::text`;

/**
 * SQL for the names, as an array, under which a file may have a record that names a row of another one. The first is that
 * of our own files: of a user with the email, because names may be equal.
 */
export const rowNameInFile = (list: ListName): Sql =>
  list === "users"
    ? sql`ARRAY[${nameSql(list)} || ' <' || email || '>', email, ${nameSql(list)}]::text[]`
    : sql`ARRAY[${nameSql(list)}]`;

type Given = { facts: FieldFacts | undefined; values: readonly unknown[] };

/** Returns the names of all records that the values refer to, keyed by `list id`. */
export async function namesOf(query: Query, given: readonly Given[]): Promise<Names> {
  const idsByList = new Map<ListName, Set<number>>();
  for (const { facts, values } of given) {
    if (facts?.kind !== "lookup" && facts?.kind !== "lookups") continue;
    const ids = idsByList.get(facts.list) ?? new Set();
    for (const id of values.flat()) if (typeof id === "number") ids.add(id);
    idsByList.set(facts.list, ids);
  }
  const lists = [...idsByList].filter(([, ids]) => ids.size > 0);
  if (lists.length === 0) return new Map();
  const selects = lists.map(
    ([list, ids]) =>
      sql`SELECT ${constant(list)} AS list, id, ${nameSql(list)} AS name FROM ${identifier(list)}
        WHERE id = ANY(${[...ids]}::int[])`,
  );
  const records = await query<{ list: string; id: number; name: string }>(join(selects, " UNION ALL "));
  return new Map(records.map(({ list, id, name }) => [`${list} ${id}`, name]));
}
