import "server-only";
import type { ListQuery } from "@/lib/api/list-query";
import { binding } from "@/lib/database/bind";
import { conditionsOf, type List, sortedRows } from "@/lib/database/list";
import { listRows } from "@/lib/database/statements";

/** The ids of the records before and after one, null at either end. */
export type Neighbours = { previous: number | null; next: number | null };

/**
 * What stands before and after a record in a list's order. The record itself need not be in the list any more: its
 * place is where it would be. A search is ignored. 503 `too_slow`.
 */
export async function readNeighbours(list: List, query: ListQuery, id: number): Promise<Neighbours> {
  const { values, bind } = binding();
  const { name, alias, parts = ["true"] } = list;
  const { from, keys, groups } = sortedRows(list, query);
  const where = conditionsOf(list, bind);
  const self = bind(id);
  const here = (columns: string[]) =>
    `(SELECT ${columns.join(", ")} FROM ${from} WHERE ${alias}.id = ${self})`;
  const numbered = keys.map((_, place) => `key${place}`);
  const columns = keys.map((key, place) => `${key} AS key${place}`).join(", ");
  const beside = (isAfter: boolean) => {
    const descends = (query.order === "desc") === isAfter;
    const direction = descends ? "DESC" : "ASC";
    const past = (columns: string[]) => `(${columns.join(", ")}) ${descends ? "<" : ">"} ${here(columns)}`;
    const ordered = (by: string[]) => `ORDER BY ${by.map((key) => `${key} ${direction}`).join(", ")}`;
    // The indexes have an order for each part and each group, but none for all.
    const nearest = parts.flatMap((part) => {
      const rows = `${where} AND ${part}`;
      if (!groups)
        return `(SELECT ${columns} FROM ${from} WHERE ${rows} AND ${past(keys)} ${ordered(keys)} LIMIT 1)`;
      const [group, own] = [keys.slice(0, 2), keys.slice(2)];
      return [
        `(SELECT ${columns} FROM ${from}
          WHERE ${rows} AND ${groups.key} = ${here([groups.key])} AND ${past(own)} ${ordered(own)} LIMIT 1)`,
        `(SELECT nearest.* FROM
            (SELECT ${group.join(" AS key0, ")} AS key1 FROM ${groups.from} WHERE ${past(group)} ${ordered(group)} OFFSET 0) AS other,
            LATERAL (SELECT other.*, ${own.map((key, place) => `${key} AS key${place + 2}`).join(", ")}
              FROM ${list.from} WHERE ${rows} AND ${groups.key} = other.key1 ${ordered(own)} LIMIT 1) AS nearest
          ${ordered(["key0", "key1"].map((key) => `other.${key}`))} LIMIT 1)`,
      ];
    });
    return `(SELECT key${keys.length - 1} FROM (${nearest.join(" UNION ALL ")}) AS nearest
      ${ordered(numbered)} LIMIT 1)`;
  };
  const [found] = await listRows<Neighbours>(
    `${name} beside one`,
    `SELECT ${beside(false)} AS previous, ${beside(true)} AS next`,
    values,
  );
  return found ?? { previous: null, next: null };
}
