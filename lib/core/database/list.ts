import "server-only";
import type {
  VisibleClients,
  VisibleContacts,
  VisibleForms,
  VisibleGroups,
  VisibleRecords,
  VisibleStays,
} from "@/lib/core/access/scope";
import { COUNTED_ROWS_MAX, type ListQuery, type Meta, NO_ITEMS, pageMeta } from "@/lib/core/api/list-query";
import { listRows } from "@/lib/core/database/statements";
import { and, constant, empty, join, type Sql, sql } from "@/lib/core/sql";
import { JsonText } from "@/lib/core/text/json-text";

/** One order of a list. Ties are broken by the list's `ties`, then by the id. */
export type Sort = {
  keys: readonly Sql[];
  /** A join that the keys need. Such an order has no index: PostgreSQL sorts all matching rows. */
  join?: Sql;
  /** True if a key may be null. Nulls are last in either direction. */
  nullable?: boolean;
};

/** The definition of a list. */
export type List = {
  /** The name of its statements in the log. */
  name: string;
  from: Sql;
  id: Sql;
  /** Joins that the item needs. Each matches exactly one row. */
  joins?: Sql;
  /** A `json_build_object(…)` of one row. */
  item: Sql;
  /** The first condition selects the rows the actor may see. */
  where: readonly [
    VisibleForms | VisibleClients | VisibleContacts | VisibleRecords | VisibleStays | VisibleGroups,
    ...Sql[],
  ];
  sorts: Readonly<Record<string, Sort>>;
  ties?: Sql;
  /** Returns the condition for rows that match a search text. */
  search: (search: string) => Promise<Sql>;
};

/** Records that a page was read. */
export type Recorder = {
  /** An insert that records the `id` of each row of the part `page`, in the order of its `place`. */
  insert: Sql;
  /** Returns the result of `recorded`, or of `plain` if the insert fails. */
  read: <Result>(
    recorded: () => Promise<Result>,
    plain: () => Promise<Result>,
    shown: (result: Result) => number[],
  ) => Promise<Result>;
};

/** The most rows of a page. The page size is a parameter, so this constant shows the planner that pages are small. */
const PAGE_ROWS_MAX = 100;

/**
 * Returns one page of a list with its meta, and records in the same statement that it was read. Reads ids first; joins
 * and JSON are made only for the rows shown. Counts rows up to 10,001, or all of them if the page is beyond 10,000.
 * The page begins right after the row `query.after` if possible. Throws 503 `too_slow`.
 */
export async function readPage<Item extends { id: number }>(
  list: List,
  query: ListQuery,
  recorder: Recorder,
): Promise<{ items: JsonText<Item[]>; meta: Meta }> {
  const offset = (query.page - 1) * query.perPage;
  const where = and([...list.where, ...(await searchConditions(list, query))]);
  const limit = offset + query.perPage <= COUNTED_ROWS_MAX ? sql`LIMIT ${COUNTED_ROWS_MAX + 1}` : empty;
  const total = sql`SELECT count(*)::int FROM (SELECT FROM ${list.from} WHERE ${where} ${limit}) AS counted`;
  const byNumber = sql`${rowsInOrder(list, query, where)} LIMIT ${query.perPage} OFFSET ${offset}`;

  const read = async (ids: Sql) => {
    const page = sql`page AS MATERIALIZED (
      SELECT id, row_number() OVER () AS place FROM (${ids}) AS ids LIMIT ${constant(PAGE_ROWS_MAX)})`;
    const select = sql`SELECT (${total}) AS total, COALESCE((SELECT json_agg(${list.item} ORDER BY place)
      FROM ${list.from} ${list.joins ?? empty} JOIN page ON page.id = ${list.id}), '[]')::text AS items`;
    const run = async (statement: Sql) => {
      const [row] = await listRows<{ items: string; total: number }>(nameOf(list, query), statement);
      return { items: row ? new JsonText<Item[]>(row.items) : NO_ITEMS, total: row?.total ?? 0 };
    };
    return recorder.read(
      () => run(sql`WITH ${page}, recorded AS (${recorder.insert}) ${select}`),
      () => run(sql`WITH ${page} ${select}`),
      ({ items }) => items.value().map(({ id }) => id),
    );
  };

  const after = query.search === "" ? rowsAfter(list, query, query.after, query.perPage) : null;
  const { items, total: rowCount } = await read(
    after
      ? sql`WITH followers AS MATERIALIZED (${after})
          SELECT id FROM followers
          UNION ALL (SELECT id FROM (${byNumber}) AS by_number WHERE NOT EXISTS (SELECT FROM followers))`
      : byNumber,
  );
  return { items, meta: pageMeta(query, rowCount) };
}

/** The ids of the rows before and after one, null at either end. */
export type Neighbors = { previous: number | null; next: number | null };

/**
 * Returns the previous and next record in list order. The record itself may have left the list: its place is where it
 * would be. Ignores a search. Throws 503 `too_slow`.
 */
export async function readNeighbors(list: List, query: ListQuery, id: number): Promise<Neighbors> {
  const where = and(list.where);
  const self = sql`${list.id} = ${id}`;
  const nearest = (isAfter: boolean) => sql`(${rowsBeyond(list, query, { self, where, isAfter, limit: 1 })})`;
  const statement = sql`SELECT ${nearest(false)} AS previous, ${nearest(true)} AS next`;
  const [row] = await listRows<Neighbors>(`${list.name}, neighbors`, statement);
  return row ?? { previous: null, next: null };
}

/** Returns SQL for the ids of all rows that match, in the list's order; `query.page` is ignored. */
export async function allIds(list: List, query: ListQuery, only?: readonly number[]): Promise<Sql> {
  const among = only ? [sql`${list.id} = ANY(${only}::int[])`] : [];
  return rowsInOrder(list, query, and([...list.where, ...(await searchConditions(list, query)), ...among]));
}

const searchConditions = async (list: List, { search }: ListQuery): Promise<Sql[]> =>
  search === "" ? [] : [await list.search(search)];

const nameOf = ({ name }: List, { sort, search }: ListQuery) =>
  `${name} by ${sort || "id"}${search && ", searched"}`;

const BY_ID: Sort = { keys: [] };
const sortOf = ({ sorts }: List, { sort }: Pick<ListQuery, "sort">): Sort =>
  (Object.hasOwn(sorts, sort) && sorts[sort]) || BY_ID;

/** Returns the keys that a list is ordered by, with the id last. */
const keysOf = (list: List, { keys }: Sort): Sql[] => {
  const ties = list.ties && !keys.includes(list.ties) ? [list.ties] : [];
  return [...keys, ...ties, list.id];
};

const rowsOf = (list: List, { join = empty }: Sort): Sql => sql`${list.from} ${join}`;

function rowsInOrder(list: List, query: ListQuery, where: Sql): Sql {
  const sort = sortOf(list, query);
  const direction = query.order === "desc" ? sql`DESC` : sql`ASC`;
  // The index has no NULLS LAST, so the clause would prevent its use.
  const nulls = sort.nullable ? sql`NULLS LAST` : empty;
  const order = join(keysOf(list, sort).map((key) => sql`${key} ${direction} ${nulls}`));
  return sql`SELECT ${list.id} FROM ${rowsOf(list, sort)} WHERE ${where} ORDER BY ${order}`;
}

/**
 * Returns the ids of the rows after a row of the list, in list order. Null if `after` is null, or if this order has no
 * index: then the page is read by its number.
 */
function rowsAfter(list: List, query: ListQuery, after: number | null, limit: number): Sql | null {
  const { join, nullable } = sortOf(list, query);
  if (after === null || join || nullable) return null;
  const where = and(list.where);
  // Only a row of this list. The place of a row that the caller may not see would reveal its values.
  return rowsBeyond(list, query, {
    self: sql`${list.id} = ${after} AND ${where}`,
    where,
    isAfter: true,
    limit,
  });
}

type Beyond = {
  self: Sql;
  where: Sql;
  isAfter: boolean;
  limit: number;
};

/** Returns the ids of the rows right after a row in list order, or right before it, nearest first. */
function rowsBeyond(list: List, query: Pick<ListQuery, "sort" | "order">, beyond: Beyond): Sql {
  const { self, where, isAfter, limit } = beyond;
  const sort = sortOf(list, query);
  const from = rowsOf(list, sort);
  const keys = keysOf(list, sort);
  const descends = (query.order === "desc") === isAfter;
  const [compare, direction] = descends ? [sql`<`, sql`DESC`] : [sql`>`, sql`ASC`];
  const row = join(keys);
  return sql`SELECT ${list.id} FROM ${from}
    WHERE ${where} AND (${row}) ${compare} (SELECT ${row} FROM ${from} WHERE ${self})
    ORDER BY ${join(keys.map((key) => sql`${key} ${direction}`))} LIMIT ${limit}`;
}
