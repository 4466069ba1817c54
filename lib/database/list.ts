import "server-only";
import { COUNTED, type ListQuery, type Meta, pageMeta } from "@/lib/api/list-query";
import { listRows } from "@/lib/database/statements";

/** Takes a value of a statement and answers its placeholder. */
export type Bind = (value: unknown) => string;

/**
 * How rows are ordered: by a column, or by the name of what `key` points to, a row of the small table `from`.
 * Then they are read group by group, in the order of the names.
 */
type Sort = string | Groups;
type Groups = { key: string; from: string; id: string; name: string };
const isGrouped = (sort: Sort | null): sort is Groups => typeof sort === "object" && sort !== null;

/** A search. Its texts are made for each statement, which binds its own values. */
export type Match = {
  /** Whether one row matches. */
  where: (bind: Bind) => string;
  /**
   * Where an index finds all rows that match and the conditions `where`. Without it, rows are read in the list's
   * order until enough of them match.
   */
  hits?: (bind: Bind, where: string) => { from: string; where: string };
};

/** What a list is read from. Texts are SQL and the program's own; what a caller sent is bound. */
export type List = {
  /** For the log and for `tallies`. */
  name: string;
  /** What sorts, conditions and searches are about, and the alias of its rows: `forms f`, `f`. */
  from: string;
  alias: string;
  /** Conditions of which each row meets one, where the indexes have an order for each of them, but none for all. */
  parts?: readonly string[] | undefined;
  /** Joins that only the rows shown need; each finds exactly one row. */
  joins?: string;
  /** A `json_build_object(…)` of one row. */
  item: string;
  /** Conditions, all of them. */
  where?: (bind: Bind) => string[];
  /**
   * One more that no index has beside the order, but an index of its own: rows that meet it are found and sorted
   * where they are few, and else read in the list's order until enough of them do.
   */
  apart?: ((bind: Bind) => string) | undefined;
  /** Whether its rows are tallied, and the conditions are about nothing but what is tallied. */
  tallied?: boolean;
  sorts: Readonly<Record<string, Sort>>;
  /** Sorts that may be null, which then comes last. Elsewhere NULLS LAST would keep an index from use. */
  nullable?: readonly string[];
  search: (search: string) => Promise<Match>;
};

/** The most rows of a page. Beside the page's own size, a parameter, it tells the planner that pages are small. */
const MOST = 100;

/**
 * One page of a list with its meta. Ids are read first, by an index where the list is large; joins and JSON are
 * made for the rows shown only. Rows are counted as far as the contract asks (§7); a page past that is read from
 * the end of the list that is nearer. The order always ends in the id, so pages never overlap. 503 `too_slow`.
 */
export async function readPage<Item>(list: List, query: ListQuery): Promise<{ items: Item[]; meta: Meta }> {
  const search = query.search === "" ? null : await list.search(query.search);
  const match = list.apart ? withCondition(search, anyOrder(list), list.apart) : search;
  const offset = (query.page - 1) * query.perPage;
  const read = offset + query.perPage <= COUNTED ? readNear<Item> : readFar<Item>;
  const { items, total } = await read(list, query, match, offset);
  return { items, meta: pageMeta(query, total) };
}

/** The rows that match and meet a condition, which an index finds. */
function withCondition(match: Match | null, from: string, condition: (bind: Bind) => string): Match {
  const both = (bind: Bind) => `${condition(bind)} AND ${match?.where(bind) ?? "true"}`;
  return {
    where: both,
    hits: (bind, where) =>
      match?.hits?.(bind, `${where} AND ${condition(bind)}`) ?? {
        from,
        where: `${where} AND ${both(bind)}`,
      },
  };
}

type Page<Item> = { items: Item[]; total: number };

/** A page and the count of up to one row more than is told, by one statement. */
async function readNear<Item>(list: List, query: ListQuery, match: Match | null, offset: number) {
  const { values, bind, where } = statementOf(list);
  const order = orderOf(list, query, false);
  const limit = () => `LIMIT ${bind(query.perPage)} OFFSET ${bind(offset)}`;
  const hits = match?.hits?.(bind, where);
  const text = hits
    ? `WITH hits AS MATERIALIZED (${hitsOf(list, order, hits)} LIMIT ${COUNTED + 1}),
       counted AS MATERIALIZED (SELECT count(*)::int AS total FROM hits),
       ${pageOf(`(SELECT id FROM hits WHERE (SELECT total FROM counted) <= ${COUNTED} ${order.ofHits} ${limit()})
         UNION ALL
         (${inOrder(list, order, where, match, bind, `(SELECT total FROM counted) > ${COUNTED}`)} ${limit()})`)}
       ${shown(list, "SELECT total FROM counted", "place")}`
    : `WITH ${pageOf(`${inOrder(list, order, where, match, bind)} ${limit()}`)}
       ${shown(list, countOf(list, where, match?.where(bind), `LIMIT ${COUNTED + 1}`), "place")}`;
  const [answer] = await listRows<Page<Item>>(nameOf(list, query), text, values);
  return answer ?? { items: [], total: 0 };
}

/** A page that needs the whole count, by two statements. */
async function readFar<Item>(list: List, query: ListQuery, match: Match | null, offset: number) {
  const total = await countAll(list, match);
  const size = Math.min(query.perPage, total - offset);
  if (size <= 0) return { items: [], total };
  const { values, bind, where } = statementOf(list);
  const backwards = offset > total / 2;
  const ids = inOrder(list, orderOf(list, query, backwards), where, match, bind);
  const limit = `LIMIT ${bind(size)} OFFSET ${bind(backwards ? total - offset - size : offset)}`;
  const text = `WITH ${pageOf(`${ids} ${limit}`)} ${shown(list, "NULL", backwards ? "place DESC" : "place")}`;
  const [answer] = await listRows<Page<Item>>(nameOf(list, query), text, values);
  return { items: answer?.items ?? [], total };
}

async function countAll(list: List, match: Match | null): Promise<number> {
  const { values, bind, where } = statementOf(list);
  const hits = match?.hits?.(bind, where);
  const count = hits
    ? `SELECT count(*)::int FROM ${hits.from} WHERE ${hits.where}`
    : countOf(list, where, match?.where(bind), "");
  const [answer] = await listRows<{ total: number }>(
    `${list.name} counted`,
    `SELECT (${count}) AS total`,
    values,
  );
  return answer?.total ?? 0;
}

const nameOf = ({ name }: List, { sort, search }: ListQuery) =>
  `${name} by ${sort || "id"}${search && ", searched"}`;

function statementOf(list: List) {
  const values: unknown[] = [];
  const bind: Bind = (value) => `$${values.push(value)}`;
  return { values, bind, where: list.where?.(bind).join(" AND ") || "true" };
}

function countOf(list: List, where: string, match: string | undefined, limit: string) {
  const { name, alias, tallied } = list;
  if (tallied && !match)
    return `SELECT COALESCE(sum(tally), 0)::int FROM tallies ${alias} WHERE ${alias}.list = '${name}' AND ${where}`;
  return `SELECT count(*)::int FROM (SELECT FROM ${anyOrder(list)} WHERE ${where} AND ${match ?? "true"} ${limit}) AS counted`;
}

type Order = {
  sort: Sort | null;
  direction: string;
  /** `ORDER BY` of the list's own rows, where they are not read by groups. */
  ofRows: string;
  /** `ORDER BY` of what `hitsOf` selects. */
  ofHits: string;
};

function orderOf({ alias, sorts, nullable = [] }: List, query: ListQuery, backwards: boolean): Order {
  const sort = (Object.hasOwn(sorts, query.sort) && sorts[query.sort]) || null;
  const direction = (query.order === "desc") === backwards ? "ASC" : "DESC";
  const nulls = nullable.includes(query.sort) ? ` NULLS ${backwards ? "FIRST" : "LAST"}` : "";
  return {
    sort,
    direction,
    ofRows: `ORDER BY ${typeof sort === "string" ? `${sort} ${direction}${nulls}, ` : ""}${alias}.id ${direction}`,
    ofHits: `ORDER BY sorted_by ${direction}, group_id ${direction}, id ${direction}`,
  };
}

/** All ids of a search, with what they are sorted by. */
function hitsOf({ alias }: List, { sort }: Order, hits: { from: string; where: string }): string {
  const id = `${alias}.id`;
  return isGrouped(sort)
    ? `SELECT ${id}, ${sort.name} AS sorted_by, ${sort.id} AS group_id
       FROM ${hits.from} JOIN ${sort.from} ON ${sort.id} = ${sort.key} WHERE ${hits.where}`
    : `SELECT ${id}, ${sort ?? "0"} AS sorted_by, 0 AS group_id FROM ${hits.from} WHERE ${hits.where}`;
}

/** What rows are read from that need no order. */
const anyOrder = ({ from, alias, parts }: List): string =>
  parts
    ? `(${parts.map((part) => `SELECT * FROM ${from} WHERE ${part}`).join(" UNION ALL ")}) AS ${alias}`
    : from;

/** Rows in an order that an index has, or has for each part; PostgreSQL merges those. */
const ordered = ({ from, alias, parts }: List, columns: string, where: string, order: string): string =>
  parts
    ? `SELECT ${columns} FROM (${parts
        .map((part) => `(SELECT * FROM ${from} WHERE ${where} AND ${part} ${order})`)
        .join(" UNION ALL ")}) AS ${alias} ${order}`
    : `SELECT ${columns} FROM ${from} WHERE ${where} ${order}`;

/**
 * Ids in the list's order, of the rows that match, if `gate` opens. OFFSET 0 keeps the planner to that order, which
 * it would leave for a search: how many rows match is beyond its guess, and the first of them are soon found. The
 * rows of a group come in the order of their subquery, which the nested loop keeps.
 */
function inOrder(
  list: List,
  { sort, direction, ofRows }: Order,
  where: string,
  match: Match | null,
  bind: Bind,
  gate = "true",
): string {
  const { alias } = list;
  const matching = `${gate} AND ${match?.where(bind) ?? "true"}`;
  if (isGrouped(sort)) {
    const ofGroups = `ORDER BY sorted_by ${direction}, group_id ${direction}`;
    const ofGroup = ordered(list, match ? "*" : `${alias}.id`, `${where} AND ${sort.key} = group_id`, ofRows);
    return `SELECT ${alias}.id FROM
        (SELECT ${sort.name} AS sorted_by, ${sort.id} AS group_id FROM ${sort.from} ${ofGroups} OFFSET 0) AS groups,
        LATERAL (${ofGroup} OFFSET 0) AS ${alias}
      WHERE ${matching} ${ofGroups}`;
  }
  return match?.hits
    ? `SELECT ${alias}.id FROM (${ordered(list, "*", where, ofRows)} OFFSET 0) AS ${alias} WHERE ${matching} ${ofRows}`
    : ordered(list, `${alias}.id`, `${where} AND ${matching}`, ofRows);
}

/** The ids that `ids` finds, with their places. */
const pageOf = (ids: string) => `page AS MATERIALIZED (
    SELECT id, row_number() OVER () AS place FROM (${ids}) AS ids LIMIT ${MOST})`;

/** The rows of the page, and `total`. */
const shown = ({ from, alias, joins = "", item }: List, total: string, order: string) =>
  `SELECT (${total}) AS total, COALESCE((SELECT json_agg(${item} ORDER BY ${order})
    FROM ${from} ${joins} JOIN page ON page.id = ${alias}.id), '[]') AS items`;
