import "server-only";
import type { ListQuery } from "@/lib/api/list-query";
import { binding } from "@/lib/database/bind";
import { conditionsOf, type List, sortedRows } from "@/lib/database/list";
import { listRows } from "@/lib/database/statements";

/** How many rows are read at once. */
const BATCH = 500;

/** The ids of all rows of a list in its order, whatever the query's page. 503 `too_slow`. */
export async function readIds(list: List, query: ListQuery): Promise<number[]> {
  const match = query.search === "" ? null : await list.search(query.search);
  const { values, bind } = binding();
  const { from, keys } = sortedRows(list, query);
  const direction = query.order === "desc" ? "DESC" : "ASC";
  const nulls = list.nullable?.includes(query.sort) ? " NULLS LAST" : "";
  const where = `${conditionsOf(list, bind)} AND ${match?.where(bind) ?? "true"}`;
  const [found] = await listRows<{ ids: number[] }>(
    `${list.name} to export`,
    `SELECT ARRAY(SELECT ${list.alias}.id FROM ${from} WHERE ${where}
      ORDER BY ${keys.map((key) => `${key} ${direction}${nulls}`).join(", ")}) AS ids`,
    values,
  );
  return found?.ids ?? [];
}

/** The rows of these ids in their order, batch by batch; rows that the list does not hold any more are left out. */
export async function* readBatches<Item>(list: List, ids: readonly number[]): AsyncGenerator<Item[]> {
  const { name, from, alias, joins = "", item } = list;
  for (let start = 0; start < ids.length; start += BATCH) {
    const { values, bind } = binding();
    const page = `unnest(${bind(ids.slice(start, start + BATCH))}::int[]) WITH ORDINALITY AS page (id, place)`;
    const where = conditionsOf(list, bind);
    const found = await listRows<{ item: Item }>(
      `${name} exported`,
      `SELECT ${item} AS item FROM ${from} ${joins} JOIN ${page} ON page.id = ${alias}.id WHERE ${where} ORDER BY place`,
      values,
    );
    yield found.map((row) => row.item);
  }
}
