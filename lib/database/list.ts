import "server-only";
import { JsonText } from "@/lib/api/json-text";
import { COUNTED, type ListQuery, type Meta, NO_ITEMS, pageMeta } from "@/lib/api/list-query";
import { type Bind, binding } from "@/lib/database/bind";
import { isGrouped, rowKeys, rowsBeside, type Sort, sortOf } from "@/lib/database/list-order";
import { listRows } from "@/lib/database/statements";

/** Rows that meet conditions. */
type Hits = { from: string; where: string };

/** A search condition, made anew for each statement, which binds its own values. */
export type Match = {
  /** The condition that a row matches. */
  where: (bind: Bind) => string;
  /**
   * Set when an index can find all rows that match and meet the conditions `where`. Otherwise rows are read in the
   * list's order until enough of them match.
   */
  hits?: (bind: Bind, where: string) => Hits;
  /**
   * How many rows are sorted, at most, for a page that ends with the row of this number. Default: `COUNTED`. Set where
   * `hits` are one range of an index.
   */
  sorted?: (end: number) => number;
};

/** The definition of a list. Its texts are SQL and come from the program only; values from callers are bound. */
export type List = {
  /** The name in the log. */
  name: string;
  /** The table that sorts, conditions and searches refer to, with its alias: `forms f`, `f`. */
  from: string;
  alias: string;
  /** Conditions of which each row meets one, where the indexes have an order for each of them, but none for all. */
  parts?: readonly string[] | undefined;
  /** Joins that only the rows shown need; each finds exactly one row. */
  joins?: string;
  /** A `json_build_object(…)` for one row. */
  item: string;
  /** Conditions, joined by AND. */
  where?: (bind: Bind) => string[];
  /**
   * One more condition, which has an index of its own but is in no index that has the order. Where few rows meet it,
   * they are found by its index and sorted; otherwise rows are read in the list's order until enough of them meet it.
   */
  apart?: ((bind: Bind) => string) | undefined;
  /** The `list` in `tallies` that counts its rows, if the conditions are about nothing but what is tallied there. */
  tallied?: string | undefined;
  sorts: Readonly<Record<string, Sort>>;
  /** The column that decides between rows which are equal in what the list is sorted by, before the id does. */
  ties?: string;
  /** Sorts that may be null, with nulls last. On other columns, NULLS LAST would prevent the use of an index. */
  nullable?: readonly string[];
  search: (search: string) => Promise<Match>;
};

/** How the reading of a page is recorded. */
export type Recorder = {
  /** An insert for the statement that reads the part `page`, with the `id` of each row shown, sorted by `order`. */
  insert: (bind: Bind, page: string, order: string) => string;
  /** The answer of `recorded`, or of `plain` where the insert fails. */
  read: <Answer>(
    recorded: () => Promise<Answer>,
    plain: () => Promise<Answer>,
    shown: (answer: Answer) => number[],
  ) => Promise<Answer>;
  /** For a page past the end, which no statement reads. */
  nothing: () => Promise<void>;
};

/** The most rows of a page. Unlike the page size, which is a parameter, this tells the planner that pages are small. */
const MOST = 100;

/**
 * One page of a list with its meta; that it was read is recorded by the same statement. Ids are read first, by an
 * index where the list is large; joins and JSON are made only for the rows shown. Rows are counted as far as contract
 * §7 demands; a page beyond that is read from the nearer end of the list. Every order ends with the id, so pages never
 * overlap. A page begins after the row `query.after` where it can. 503 `too_slow`.
 */
export async function readPage<Item extends { id: number }>(
  list: List,
  query: ListQuery,
  recorder: Recorder,
): Promise<{ items: JsonText<Item[]>; meta: Meta }> {
  const search = query.search === "" ? null : await list.search(query.search);
  const match = list.apart ? withCondition(search, anyOrder(list), list.apart) : search;
  const offset = (query.page - 1) * query.perPage;
  const read = offset + query.perPage <= COUNTED ? readNear<Item> : readFar<Item>;
  const { items, total } = await read(list, query, match, offset, recorder);
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
    // Reading in order passes many rows for each that is found, the more the fewer meet the condition. Measured among a
    // million forms, this is where both take the same time.
    ...(!match?.hits && { sorted: (end) => Math.round(500 * Math.sqrt(end)) }),
  };
}

type Page<Item> = { items: JsonText<Item[]>; total: number };

/** Reads the page and counts up to one row more than is reported, in one statement. */
async function readNear<Item extends { id: number }>(
  list: List,
  query: ListQuery,
  match: Match | null,
  offset: number,
  recorder: Recorder,
) {
  const made = statementOf(list);
  const { bind, where } = made;
  const order = orderOf(list, query, false);
  const limit = () => `LIMIT ${bind(query.perPage)} OFFSET ${bind(offset)}`;
  const tally = tallyOf(list, query, where, bind);
  const hits = match?.hits?.(bind, where);
  const ofHits = (hits: Hits) => {
    const sorted = match?.sorted?.(offset + query.perPage) ?? COUNTED;
    const isSorted = `(SELECT total FROM counted) <= ${bind(sorted)}`;
    // Rows of one range of an index take less time to read twice than to keep.
    const kept = match?.sorted ? "NOT MATERIALIZED" : "MATERIALIZED";
    return `hits AS ${kept} (${hitsOf(list, order, hits)} LIMIT ${bind(Math.max(sorted, COUNTED) + 1)}),
       counted AS MATERIALIZED (${tally ?? "SELECT count(*)::int AS total FROM hits"}),
       ${pageOf(`(SELECT id FROM hits WHERE ${isSorted} ${order.ofHits} ${limit()})
         UNION ALL
         (${inOrder(list, order, where, match, bind, `NOT ${isSorted}`)} ${limit()})`)}`;
  };
  const parts = hits
    ? ofHits(hits)
    : pageOf(idsOf(list, query, order, made, match, { size: query.perPage, offset }));
  const total = hits
    ? "SELECT total FROM counted"
    : (tally ?? countOf(list, where, match?.where(bind), `LIMIT ${COUNTED + 1}`));
  return readParts<Item>(list, query, made, parts, total, "place", recorder);
}

/** Reads a page that needs the full count, in two statements. */
async function readFar<Item extends { id: number }>(
  list: List,
  query: ListQuery,
  match: Match | null,
  offset: number,
  recorder: Recorder,
) {
  const total = await countAll(list, query, match);
  const follows = canFollow(list, query, match);
  // After rows have left the list, more may follow a row than the page's number says.
  const size = follows ? query.perPage : Math.min(query.perPage, total - offset);
  if (size <= 0) {
    await recorder.nothing();
    return { items: NO_ITEMS, total };
  }
  const made = statementOf(list);
  const backwards = !follows && offset > total / 2;
  const place = { size, offset: backwards ? total - offset - size : offset };
  const ids = idsOf(list, query, orderOf(list, query, backwards), made, match, place);
  const order = backwards ? "place DESC" : "place";
  const { items } = await readParts<Item>(list, query, made, pageOf(ids), "NULL", order, recorder);
  return { items, total };
}

/** Reads the rows of the part `page` and `total`, and records that in the same statement. */
async function readParts<Item extends { id: number }>(
  list: List,
  query: ListQuery,
  { values, bind }: ReturnType<typeof statementOf>,
  parts: string,
  total: string,
  order: string,
  recorder: Recorder,
): Promise<Page<Item>> {
  const select = shown(list, total, order);
  const bound = values.length;
  const insert = recorder.insert(bind, "page", order);
  const read = async (text: string, values: readonly unknown[]) => {
    const [answer] = await listRows<{ items: string; total: number }>(nameOf(list, query), text, values);
    return answer ? { ...answer, items: new JsonText<Item[]>(answer.items) } : { items: NO_ITEMS, total: 0 };
  };
  return recorder.read(
    () => read(`WITH ${parts}, recorded AS (${insert}) ${select}`, values),
    () => read(`WITH ${parts} ${select}`, values.slice(0, bound)),
    ({ items }) => items.value().map(({ id }) => id),
  );
}

async function countAll(list: List, query: ListQuery, match: Match | null): Promise<number> {
  const { values, bind, where } = statementOf(list);
  const tally = tallyOf(list, query, where, bind);
  const hits = tally === null && match?.hits?.(bind, where);
  const count = hits
    ? `SELECT count(*)::int FROM ${hits.from} WHERE ${hits.where}`
    : (tally ?? countOf(list, where, match?.where(bind), ""));
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
  const { values, bind } = binding();
  return { values, bind, where: list.where?.(bind).join(" AND ") || "true" };
}

/** How many rows there are where `tallies` knows, which it does not of a search; null elsewhere. */
function tallyOf({ alias, tallied, apart }: List, { search }: ListQuery, where: string, bind: Bind) {
  if (!tallied || search !== "") return null;
  return `SELECT COALESCE(sum(tally), 0)::int AS total FROM tallies ${alias}
    WHERE ${alias}.list = '${tallied}' AND ${where} AND ${apart?.(bind) ?? "true"}`;
}

const countOf = (list: List, where: string, match: string | undefined, limit: string) =>
  `SELECT count(*)::int FROM (SELECT FROM ${anyOrder(list)} WHERE ${where} AND ${match ?? "true"} ${limit}) AS counted`;

type Order = {
  sort: Sort | null;
  direction: string;
  /** `ORDER BY` for the list's own rows, when they are not read by groups. */
  ofRows: string;
  /** `ORDER BY` for the rows of `hitsOf`. */
  ofHits: string;
};

function orderOf(list: List, query: ListQuery, backwards: boolean): Order {
  const { sorts, nullable = [] } = list;
  const sort = sortOf(sorts, query);
  const direction = (query.order === "desc") === backwards ? "ASC" : "DESC";
  const nulls = nullable.includes(query.sort) ? ` NULLS ${backwards ? "FIRST" : "LAST"}` : "";
  return {
    sort,
    direction,
    ofRows: `ORDER BY ${rowKeys(list, sort)
      .map((key) => `${key} ${direction}${key === sort ? nulls : ""}`)
      .join(", ")}`,
    ofHits: `ORDER BY sorted_by ${direction}, group_id ${direction}, tie ${direction}, id ${direction}`,
  };
}

/** All ids that a search finds, with the values they are sorted by. */
function hitsOf({ alias, ties = "0" }: List, { sort }: Order, hits: Hits): string {
  const columns = `SELECT ${alias}.id, ${ties} AS tie`;
  return isGrouped(sort)
    ? `${columns}, ${sort.name} AS sorted_by, ${sort.id} AS group_id
       FROM ${hits.from} JOIN ${sort.from} ON ${sort.id} = ${sort.key} WHERE ${hits.where}`
    : `${columns}, ${sort ?? "0"} AS sorted_by, 0 AS group_id FROM ${hits.from} WHERE ${hits.where}`;
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
 * Ids of the matching rows in the list's order, if `gate` is true. OFFSET 0 makes the planner keep that order: it
 * cannot estimate how many rows match a search, and the first few are found quickly. Rows of a group come in the order
 * of their subquery, which a nested loop preserves.
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

/**
 * Whether a page can begin right after a row. Not where rows are searched or meet `apart`, because they have no index in
 * the list's order, nor in an order with nulls, which comparisons leave out.
 */
const canFollow = ({ nullable }: List, { after, sort }: ListQuery, match: Match | null): boolean =>
  after !== null && match === null && !nullable?.includes(sort);

/** Ids of `size` rows: those after the row `query.after`, if there are any, otherwise those from `offset` on. */
function idsOf(
  list: List,
  query: ListQuery,
  order: Order,
  { bind, where }: ReturnType<typeof statementOf>,
  match: Match | null,
  { size, offset }: { size: number; offset: number },
): string {
  const limit = bind(size);
  const byNumber = (gate?: string) =>
    `${inOrder(list, order, where, match, bind, gate)} LIMIT ${limit} OFFSET ${bind(offset)}`;
  if (!canFollow(list, query, match)) return byNumber();
  // Only a row of this list: the place of one that the caller may not see would tell what it holds.
  const self = `${list.alias}.id = ${bind(query.after)} AND ${where}`;
  return `WITH followers AS MATERIALIZED (${rowsBeside(list, query, { where, self, isAfter: true, limit })})
    SELECT id FROM followers UNION ALL (${byNumber("NOT EXISTS (SELECT FROM followers)")})`;
}

/** The ids that `ids` selects, with their positions. */
const pageOf = (ids: string) => `page AS MATERIALIZED (
    SELECT id, row_number() OVER () AS place FROM (${ids}) AS ids LIMIT ${MOST})`;

/** The rows of the page, and `total`. */
const shown = ({ from, alias, joins = "", item }: List, total: string, order: string) =>
  `SELECT (${total}) AS total, COALESCE((SELECT json_agg(${item} ORDER BY ${order})
    FROM ${from} ${joins} JOIN page ON page.id = ${alias}.id), '[]')::text AS items`;
