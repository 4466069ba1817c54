import "server-only";
import type { ListQuery } from "@/lib/api/list-query";
import { binding } from "@/lib/database/bind";
import type { List } from "@/lib/database/list";
import { conditionsOf, rowsBeside } from "@/lib/database/list-order";
import { listRows } from "@/lib/database/statements";

/** The ids of the records before and after one, null at either end. */
export type Neighbours = { previous: number | null; next: number | null };

/**
 * What stands before and after a record in a list's order. The record itself need not be in the list any more: its
 * place is where it would be. A search is ignored. 503 `too_slow`.
 */
export async function readNeighbours(list: List, query: ListQuery, id: number): Promise<Neighbours> {
  const { values, bind } = binding();
  const where = conditionsOf(list, bind);
  const self = `${list.alias}.id = ${bind(id)}`;
  const beside = (isAfter: boolean) => `(${rowsBeside(list, query, { self, where, isAfter, limit: "1" })})`;
  const [found] = await listRows<Neighbours>(
    `${list.name} beside one`,
    `SELECT ${beside(false)} AS previous, ${beside(true)} AS next`,
    values,
  );
  return found ?? { previous: null, next: null };
}
