import "server-only";
import type { Query } from "@/lib/core/database/client";
import { constant, identifier, join, type Sql, sql } from "@/lib/core/database/sql";
import type { Names } from "@/lib/core/fields/columns";
import type { FieldFacts, ListName } from "@/lib/core/fields/facts";

/** SQL for the display name in lists without a `name` column. */
const NAMES: Partial<Record<ListName, Sql>> = {
  service_codes: sql`code`,
  referral_sources: sql`code`,
  users: sql`first_name || ' ' || last_name`,
};

/** SQL for the display name of a record of the list. */
export const nameSql = (list: ListName): Sql => sql`(${NAMES[list] ?? sql`name`})::text`;

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
