import "server-only";
import type { ListQuery } from "@/lib/api/list-query";
import { type Bind, isGrouped, type List } from "@/lib/database/list";
import { listRows } from "@/lib/database/statements";

/** The ids of the records before and after one, null at either end. */
export type Neighbours = { previous: number | null; next: number | null };

/**
 * What stands before and after a record in a list's order. The record itself need not be in the list any more: its
 * place is where it would be. A search is ignored. 503 `too_slow`.
 */
export async function readNeighbours(
  list: List,
  { sort, order }: ListQuery,
  id: number,
): Promise<Neighbours> {
  const values: unknown[] = [];
  const bind: Bind = (value) => `$${values.push(value)}`;
  const { name, alias, sorts, apart } = list;
  const by = (Object.hasOwn(sorts, sort) && sorts[sort]) || null;
  const from = isGrouped(by) ? `${list.from} JOIN ${by.from} ON ${by.id} = ${by.key}` : list.from;
  const keys = [...(isGrouped(by) ? [by.name, by.id] : by ? [by] : []), `${alias}.id`];
  const where = [...(list.where?.(bind) ?? []), ...(apart ? [apart(bind)] : [])].join(" AND ") || "true";
  const here = `(SELECT ${keys.join(", ")} FROM ${from} WHERE ${alias}.id = ${bind(id)})`;
  const beside = (isAfter: boolean) => {
    const descends = (order === "desc") === isAfter;
    const direction = descends ? "DESC" : "ASC";
    return `(SELECT ${alias}.id FROM ${from}
      WHERE ${where} AND (${keys.join(", ")}) ${descends ? "<" : ">"} ${here}
      ORDER BY ${keys.map((key) => `${key} ${direction}`).join(", ")} LIMIT 1)`;
  };
  const [found] = await listRows<Neighbours>(
    `${name} beside one`,
    `SELECT ${beside(false)} AS previous, ${beside(true)} AS next`,
    values,
  );
  return found ?? { previous: null, next: null };
}
