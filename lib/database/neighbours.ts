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
  const { from, keys } = sortedRows(list, query);
  const where = conditionsOf(list, bind);
  const here = `(SELECT ${keys.join(", ")} FROM ${from} WHERE ${alias}.id = ${bind(id)})`;
  const columns = keys.map((key, place) => `${key} AS key${place}`).join(", ");
  const beside = (isAfter: boolean) => {
    const descends = (query.order === "desc") === isAfter;
    const direction = descends ? "DESC" : "ASC";
    const ordered = (by: string[]) => `ORDER BY ${by.map((key) => `${key} ${direction}`).join(", ")} LIMIT 1`;
    // The indexes have an order for each part, but none for all.
    const nearest = parts.map(
      (part) =>
        `(SELECT ${columns} FROM ${from} WHERE ${where} AND ${part}
          AND (${keys.join(", ")}) ${descends ? "<" : ">"} ${here} ${ordered(keys)})`,
    );
    return `(SELECT key${keys.length - 1} FROM (${nearest.join(" UNION ALL ")}) AS nearest
      ${ordered(keys.map((_, place) => `key${place}`))})`;
  };
  const [found] = await listRows<Neighbours>(
    `${name} beside one`,
    `SELECT ${beside(false)} AS previous, ${beside(true)} AS next`,
    values,
  );
  return found ?? { previous: null, next: null };
}
