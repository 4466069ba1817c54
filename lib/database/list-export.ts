import "server-only";
import type { ListQuery } from "@/lib/api/list-query";
import { type Bind, isGrouped, type List } from "@/lib/database/list";
import { listRows } from "@/lib/database/statements";

/** How many rows are read at once. */
const BATCH = 500;

const conditions = (list: List, bind: Bind) => [
  ...(list.where?.(bind) ?? []),
  ...(list.apart ? [list.apart(bind)] : []),
];

/** The ids of all rows of a list in its order, whatever the query's page. 503 `too_slow`. */
export async function readIds(list: List, { search, sort, order }: ListQuery): Promise<number[]> {
  const match = search === "" ? null : await list.search(search);
  const values: unknown[] = [];
  const bind: Bind = (value) => `$${values.push(value)}`;
  const { alias, sorts, nullable = [] } = list;
  const by = (Object.hasOwn(sorts, sort) && sorts[sort]) || null;
  const direction = order === "desc" ? "DESC" : "ASC";
  const from = isGrouped(by) ? `${list.from} JOIN ${by.from} ON ${by.id} = ${by.key}` : list.from;
  const keys = isGrouped(by) ? [by.name, by.id] : by ? [by] : [];
  const nulls = nullable.includes(sort) ? " NULLS LAST" : "";
  const ordered = [...keys.map((key) => `${key} ${direction}${nulls}`), `${alias}.id ${direction}`].join(
    ", ",
  );
  const where = [...conditions(list, bind), ...(match ? [match.where(bind)] : [])].join(" AND ") || "true";
  const [found] = await listRows<{ ids: number[] }>(
    `${list.name} to export`,
    `SELECT ARRAY(SELECT ${alias}.id FROM ${from} WHERE ${where} ORDER BY ${ordered}) AS ids`,
    values,
  );
  return found?.ids ?? [];
}

/** The rows of these ids in their order, batch by batch; rows that the list does not hold any more are left out. */
export async function* readBatches<Item>(list: List, ids: readonly number[]): AsyncGenerator<Item[]> {
  const { name, from, alias, joins = "", item } = list;
  for (let start = 0; start < ids.length; start += BATCH) {
    const values: unknown[] = [];
    const bind: Bind = (value) => `$${values.push(value)}`;
    const page = `unnest(${bind(ids.slice(start, start + BATCH))}::int[]) WITH ORDINALITY AS page (id, place)`;
    const where = conditions(list, bind).join(" AND ") || "true";
    const found = await listRows<{ item: Item }>(
      `${name} exported`,
      `SELECT ${item} AS item FROM ${from} ${joins} JOIN ${page} ON page.id = ${alias}.id WHERE ${where} ORDER BY place`,
      values,
    );
    yield found.map((row) => row.item);
  }
}
