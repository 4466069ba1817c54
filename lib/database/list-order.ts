import "server-only";
import type { ListQuery } from "@/lib/api/list-query";
import type { Bind } from "@/lib/database/bind";
import type { List } from "@/lib/database/list";

/**
 * The order of rows: by a column, or by the name of the record that `key` refers to in the small table `from`. In the
 * second case rows are read group by group, in the order of the names.
 */
export type Sort = string | Groups;
type Groups = { key: string; from: string; id: string; name: string };
export const isGrouped = (sort: Sort | null): sort is Groups => typeof sort === "object" && sort !== null;

/** What a query sorts by; null for the id alone. */
export const sortOf = (sorts: List["sorts"], { sort }: Pick<ListQuery, "sort">): Sort | null =>
  (Object.hasOwn(sorts, sort) && sorts[sort]) || null;

/**
 * A whole list in one order: its table, with what it is sorted by joined, and the columns, of which the id is last.
 * `groups`: what the rows are grouped by, if they are; the first two columns are then its name and id.
 */
export function sortedRows(list: List, query: Pick<ListQuery, "sort">) {
  const { from, sorts } = list;
  const sort = sortOf(sorts, query);
  const keys = rowKeys(list, sort);
  if (!isGrouped(sort)) return { from, keys, groups: null };
  const joined = `${from} JOIN ${sort.from} ON ${sort.id} = ${sort.key}`;
  return { from: joined, keys: [sort.name, sort.id, ...keys], groups: sort };
}

/** What the rows of a list, or of one group, are ordered by. */
export const rowKeys = ({ alias, ties }: List, sort: Sort | null): string[] => [
  ...new Set([typeof sort === "string" ? sort : null, ties, `${alias}.id`].filter((key) => key != null)),
];

/** All conditions of a list but a search. */
export const conditionsOf = ({ where, apart }: List, bind: Bind): string =>
  [...(where?.(bind) ?? []), ...(apart ? [apart(bind)] : [])].join(" AND ") || "true";

/** Which rows beside a row: `self` is the condition that finds that one, `where` those that the others meet. */
type Beside = { self: string; where: string; isAfter: boolean; limit: string };

/**
 * Selects the ids of the rows right after a row in the list's order, or right before it, the nearest first; none where
 * `self` finds no row. Not for `nullable` sorts: a comparison with null is never true.
 */
export function rowsBeside(
  list: List,
  query: Pick<ListQuery, "sort" | "order">,
  { self, where, isAfter, limit }: Beside,
): string {
  const { from, keys, groups } = sortedRows(list, query);
  const descends = (query.order === "desc") === isAfter;
  const direction = descends ? "DESC" : "ASC";
  const here = (columns: string[]) => `(SELECT ${columns.join(", ")} FROM ${from} WHERE ${self})`;
  const past = (columns: string[]) => `(${columns.join(", ")}) ${descends ? "<" : ">"} ${here(columns)}`;
  const nearest = (by: string[]) =>
    `ORDER BY ${by.map((key) => `${key} ${direction}`).join(", ")} LIMIT ${limit}`;
  const columns = keys.map((key, place) => `${key} AS key${place}`).join(", ");
  // The indexes have an order for each part and each group, but none for all. Rows of other groups come in the order of
  // their subquery, which a nested loop preserves.
  const rows = (list.parts ?? ["true"]).flatMap((part) => {
    const met = `${where} AND ${part}`;
    if (!groups) return `(SELECT ${columns} FROM ${from} WHERE ${met} AND ${past(keys)} ${nearest(keys)})`;
    const [group, own] = [keys.slice(0, 2), keys.slice(2)];
    return [
      `(SELECT ${columns} FROM ${from}
        WHERE ${met} AND ${groups.key} = ${here([groups.key])} AND ${past(own)} ${nearest(own)})`,
      `(SELECT nearest.* FROM
          (SELECT ${group.join(" AS key0, ")} AS key1 FROM ${groups.from} WHERE ${past(group)}
            ORDER BY ${group.map((key) => `${key} ${direction}`).join(", ")} OFFSET 0) AS other,
          LATERAL (SELECT other.*, ${own.map((key, place) => `${key} AS key${place + 2}`).join(", ")}
            FROM ${list.from} WHERE ${met} AND ${groups.key} = other.key1 ${nearest(own)}) AS nearest
        ${nearest(["other.key0", "other.key1"])})`,
    ];
  });
  const numbered = keys.map((_, place) => `key${place}`);
  return `SELECT ${numbered.at(-1)} AS id FROM (${rows.join(" UNION ALL ")}) AS beside ${nearest(numbered)}`;
}
