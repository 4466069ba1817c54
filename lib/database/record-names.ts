import "server-only";
import type { Query } from "@/lib/database/client";
import type { Names } from "@/lib/fields/columns";
import type { FieldFacts, ListName } from "@/lib/fields/facts";

/** SQL for the display name of lists that have no `name` column. */
const NAMES: Partial<Record<ListName, string>> = {
  service_codes: "code",
  referral_sources: "code",
  users: "first_name || ' ' || last_name",
};

/** SQL for the display name of a record of the list. */
export const nameSql = (list: ListName): string => `(${NAMES[list] ?? "name"})::text`;

type Given = { facts: FieldFacts | undefined; values: readonly unknown[] };

/** The names of all records that the values refer to, keyed by `list id`. */
export async function namesOf(query: Query, given: readonly Given[]): Promise<Names> {
  const wanted = new Map<ListName, Set<number>>();
  for (const { facts, values } of given) {
    if (facts?.kind !== "lookup" && facts?.kind !== "lookups") continue;
    const ids = wanted.get(facts.list) ?? new Set();
    for (const id of values.flat()) if (typeof id === "number") ids.add(id);
    wanted.set(facts.list, ids);
  }
  const lists = [...wanted].filter(([, ids]) => ids.size > 0);
  if (lists.length === 0) return new Map();
  const selects = lists.map(
    ([list], index) =>
      `SELECT '${list}' AS list, id, ${nameSql(list)} AS name FROM ${list} WHERE id = ANY($${index + 1}::int[])`,
  );
  const found = await query<{ list: string; id: number; name: string }>(
    selects.join(" UNION ALL "),
    lists.map(([, ids]) => [...ids]),
  );
  return new Map(found.map(({ list, id, name }) => [`${list} ${id}`, name]));
}
