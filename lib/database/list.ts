import "server-only";
import { type ListQuery, type Meta, pageMeta } from "@/lib/api/list-query";
import { rows } from "@/lib/database/client";

type ListStatement = {
  /** The table and its alias, `forms f`; the row's id is `${alias}.id`. */
  table: string;
  alias: string;
  /** Joins that find exactly one row each, so that counting does without them; conditions do, too. */
  joins?: string;
  /** A `json_build_object(…)` of one row. */
  item: string;
  /** Conditions, all of them; their placeholders start at $1 and are filled from `values`. */
  where: readonly string[];
  values: readonly unknown[];
  /** What the search looks into, as one text expression each. */
  searched: readonly string[];
  /** Column key → SQL expression. Never the caller's text. */
  sorts: Readonly<Record<string, string>>;
  /** Of them, those that may be null, which then comes last. Elsewhere NULLS LAST would keep an index from use. */
  nullable?: readonly string[];
};

/** `%` and `_` in a search are ordinary letters (contract §1). */
const likePattern = (search: string) => `%${search.replace(/[\\%_]/g, "\\$&")}%`;

/**
 * One page of a list and its true total, read by one SQL statement whose JSON PostgreSQL builds itself: three
 * times as fast as Prisma's nested include. The order always ends in the id, so pages never overlap.
 */
export async function readPage<Item>(
  statement: ListStatement,
  query: ListQuery,
): Promise<{ items: Item[]; meta: Meta }> {
  const { table, alias, joins = "", item, searched, sorts, nullable = [] } = statement;
  const values = [...statement.values];
  const bind = (value: unknown) => `$${values.push(value)}`;

  const where = [...statement.where];
  if (query.search !== "") {
    const pattern = bind(likePattern(query.search));
    where.push(`(${searched.map((expression) => `${expression} ILIKE ${pattern}`).join(" OR ")})`);
  }
  const condition = where.length > 0 ? `WHERE ${where.join(" AND ")}` : "";
  const direction = query.order === "desc" ? "DESC" : "ASC";
  const nulls = nullable.includes(query.sort) ? " NULLS LAST" : "";
  const sort = Object.hasOwn(sorts, query.sort) ? `${sorts[query.sort]} ${direction}${nulls}, ` : "";
  const order = `ORDER BY ${sort}${alias}.id ${direction}`;
  const offset = (query.page - 1) * query.perPage;
  const from = `${table} ${joins}`;

  const [answer] = await rows<{ total: number; items: Item[] }>(
    `SELECT (SELECT count(*)::int FROM ${query.search === "" ? table : from} ${condition}) AS total,
       COALESCE((SELECT json_agg(page.item) FROM (
         SELECT ${item} AS item FROM ${from} ${condition} ${order} LIMIT ${bind(query.perPage)} OFFSET ${bind(offset)}
       ) page), '[]') AS items`,
    values,
  );
  return { items: answer?.items ?? [], meta: pageMeta(query, answer?.total ?? 0) };
}
