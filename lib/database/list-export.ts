import "server-only";
import { AppError } from "@/lib/api/errors";
import { type InFile, XLSX } from "@/lib/api/list-file";
import type { ListQuery } from "@/lib/api/list-query";
import { audit } from "@/lib/audit/record";
import type { SessionUser } from "@/lib/auth/permissions";
import { binding } from "@/lib/database/bind";
import { rows } from "@/lib/database/client";
import type { List, Match } from "@/lib/database/list";
import { conditionsOf, sortedRows } from "@/lib/database/list-order";
import { namesOf } from "@/lib/database/record-names";
import { replicaReader } from "@/lib/database/replica";
import { listRows, type ReadRows } from "@/lib/database/statements";
import { type Cells, type FileColumn, ID_COLUMN, rowOf, valueAt } from "@/lib/fields/columns";
import type { CsvRow } from "@/lib/fields/csv";

/** How many rows are read at once, and of how many the lines are counted. */
const [BATCH, COUNTED] = [500, 50_000];

/** What a file of a list holds. */
export type Table = {
  /** The file's name without its ending; it must not identify anyone. */
  name: string;
  header: readonly string[];
  /** Its lines, batch by batch. */
  batches: AsyncIterable<readonly CsvRow[]>;
};

/** Who exports what: the kind of record as the audit names it, and the clients who are recorded as exported too. */
type Exporting = {
  actor: SessionUser;
  entity: string;
  clients?: readonly number[];
  /** The ids of the only rows that may be in the file. */
  only?: readonly number[];
  list: List;
  query: InFile<ListQuery>;
};

/** How a record of which a file may have several lines becomes them, and the joins by which SQL counts them. */
type Lines<Item> = { of: (item: Item) => readonly object[]; joins: string };

/** A list as a file with the columns of its screen. */
export const listedTable = async <Item extends { id: number }>(
  name: string,
  exporting: Exporting,
  cells: Cells<Item>,
): Promise<Table> => ({
  name,
  header: [ID_COLUMN.label, ...Object.keys(cells)],
  batches: mapped(await exportedRows<Item>(exporting), async (items) =>
    items.map((item) => [item.id, ...Object.values(cells).map((cell) => cell(item))]),
  ),
});

/** A list as a file with all columns of its records, which are read as `list.item` has them. */
export const wholeTable = async <Item extends object>(
  name: string,
  exporting: Exporting,
  columns: readonly FileColumn[],
  several?: Lines<Item>,
): Promise<Table> => ({
  name,
  header: columns.map(({ label }) => label),
  batches: mapped(await exportedRows<Item>(exporting, several?.joins), async (items) => {
    const lines = several ? items.flatMap(several.of) : items;
    const given = columns.map(({ path, facts }) => ({
      facts,
      values: lines.map((line) => valueAt(line, path)),
    }));
    const names = await namesOf((text, values = []) => listRows("names in a file", text, values), given);
    return lines.map((line) => rowOf(columns, line, names));
  }),
});

/** SQL for the owner of a record, as `OWNER_COLUMNS` have it. */
export const ownerInFile = (userId: string): string =>
  `(SELECT json_build_object('name', o.first_name || ' ' || o.last_name, 'email', o.email)
    FROM users o WHERE o.id = ${userId})`;

async function* mapped<From, To>(batches: AsyncIterable<From>, map: (batch: From) => Promise<To>) {
  for await (const batch of batches) yield await map(batch);
}

/** All rows of a list under its query, recorded as exported before the first is read. */
async function exportedRows<Item>(
  { actor, entity, clients, only, list, query }: Exporting,
  lineJoins = "",
): Promise<AsyncGenerator<Item[]>> {
  // A client who was restricted or purged a moment ago must not be in the file.
  const reader = await replicaReader(0);
  const match = query.search === "" ? null : await list.search(query.search);
  // Sorting a million rows may take longer than a page of a list may, as counting a report does.
  const ids = await reader.inOneSnapshot(`${list.name} to export`, (read) =>
    readIds(read, list, query, match, only),
  );
  if (query.format === "xlsx") await assertFits(reader.rows, list, ids, lineJoins);
  // Of the audit trail only their number is recorded, because there may be millions of ids.
  const which = entity === "auditEvent" ? { count: ids.length } : { shown: ids };
  if (clients) await audit(rows, actor, { action: "exported", entity: "client", shown: clients });
  await audit(rows, actor, { action: "exported", entity, search: query.search, ...which });
  return readBatches<Item>(reader.rows, list, ids);
}

/** Refuses a list with more lines than Excel opens. */
async function assertFits(
  read: ReadRows,
  list: List,
  ids: readonly number[],
  lineJoins: string,
): Promise<void> {
  const lines = lineJoins === "" ? ids.length : await countLines(read, list, ids, lineJoins);
  if (lines <= XLSX.mostLines) return;
  const most = XLSX.mostLines.toLocaleString("en-US");
  throw new AppError(
    "invalid",
    `An XLSX file holds at most ${most} lines, and this list has more. Please download it as CSV, or narrow it.`,
  );
}

/** The lines of these records, counted until they are too many for Excel. */
async function countLines(
  read: ReadRows,
  { name, from, alias }: List,
  ids: readonly number[],
  joins: string,
): Promise<number> {
  let lines = 0;
  for (let start = 0; start < ids.length && lines <= XLSX.mostLines; start += COUNTED) {
    const [counted] = await read<{ lines: number }>(
      `${name}, lines to export`,
      `SELECT count(*)::int AS lines FROM ${from} ${joins} WHERE ${alias}.id = ANY($1::int[])`,
      [ids.slice(start, start + COUNTED)],
    );
    lines += counted?.lines ?? 0;
  }
  return lines;
}

/** The ids of all rows of a list in its order, whatever the query's page. 503 `too_slow`. */
async function readIds(
  read: ReadRows,
  list: List,
  query: ListQuery,
  match: Match | null,
  only?: readonly number[],
): Promise<number[]> {
  const { values, bind } = binding();
  const { from, keys } = sortedRows(list, query);
  const direction = query.order === "desc" ? "DESC" : "ASC";
  const nulls = list.nullable?.includes(query.sort) ? " NULLS LAST" : "";
  const among = only ? `${list.alias}.id = ANY(${bind(only)}::int[])` : "true";
  const where = `${conditionsOf(list, bind)} AND ${match?.where(bind) ?? "true"} AND ${among}`;
  const [found] = await read<{ ids: number[] }>(
    `${list.name} to export`,
    `SELECT ARRAY(SELECT ${list.alias}.id FROM ${from} WHERE ${where}
      ORDER BY ${keys.map((key) => `${key} ${direction}${nulls}`).join(", ")}) AS ids`,
    values,
  );
  return found?.ids ?? [];
}

/** The rows of these ids in their order, batch by batch; rows that the list does not hold any more are left out. */
async function* readBatches<Item>(
  read: ReadRows,
  list: List,
  ids: readonly number[],
): AsyncGenerator<Item[]> {
  const { name, from, alias, joins = "", item } = list;
  for (let start = 0; start < ids.length; start += BATCH) {
    const { values, bind } = binding();
    const page = `unnest(${bind(ids.slice(start, start + BATCH))}::int[]) WITH ORDINALITY AS page (id, place)`;
    const where = conditionsOf(list, bind);
    const found = await read<{ item: Item }>(
      `${name} exported`,
      `SELECT ${item} AS item FROM ${from} ${joins} JOIN ${page} ON page.id = ${alias}.id WHERE ${where} ORDER BY place`,
      values,
    );
    yield found.map((row) => row.item);
  }
}
