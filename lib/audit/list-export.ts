import "server-only";
import { audit } from "@/lib/audit/record";
import type { SessionUser } from "@/lib/core/access/permissions";
import type { Table } from "@/lib/core/api/files";
import { type InFile, XLSX } from "@/lib/core/api/list-file";
import type { ListQuery } from "@/lib/core/api/list-query";
import { rows } from "@/lib/core/database/client";
import { allIds, type List } from "@/lib/core/database/list";
import { namesOf } from "@/lib/core/database/record-names";
import { replicaReader } from "@/lib/core/database/replica";
import { listRows, type ReadRows } from "@/lib/core/database/statements";
import { AppError } from "@/lib/core/errors";
import {
  type Cells,
  type FileColumn,
  ID_COLUMN,
  rowOf,
  timeKindOf,
  uniqueHeadings,
  valueAt,
} from "@/lib/core/fields/columns";
import { inTurns } from "@/lib/core/process/in-turns";
import { limiter, withoutSlot } from "@/lib/core/process/limiter";
import { processWide } from "@/lib/core/process-wide";
import { and, constant, empty, type Sql, sql } from "@/lib/core/sql";

/** The number of rows read at once, and of records whose lines are counted at once. */
const BATCH = 500;
const COUNT_BATCH = 50_000;
/** A batch ends after the row with which it has as many bytes of JSON. */
const BATCH_BYTES = 4_000_000;

/**
 * An export: the actor, the kind of record as the audit names it, and the clients also recorded as exported.
 */
type Exporting = {
  actor: SessionUser;
  entity: string;
  clients?: readonly number[];
  /** The ids of the only rows that may be in the file. */
  only?: readonly number[];
  list: List;
  query: InFile<ListQuery>;
};

/**
 * For records with several lines in a file: the function that returns the lines, and the SQL joins that count them.
 */
type Lines<Item> = { of: (item: Item) => readonly object[]; joins: Sql };

/** Returns a list as a file with the columns of its screen. */
export const listedTable = async <Item extends { id: number }>(
  name: string,
  exporting: Exporting,
  cells: Cells<Item>,
): Promise<Table> => ({
  name,
  header: uniqueHeadings([ID_COLUMN.label, ...cells.map(([label]) => label)]),
  batches: await mapped(await exportedRows<Item>(exporting), async (items) =>
    items.map((item) => [item.id, ...cells.map(([, cell]) => cell(item) ?? "")]),
  ),
  kinds: [undefined, ...cells.map(([, , kind]) => kind)],
});

/** Returns a list as a file with all columns of its records, which are read as in `list.item`. */
export const wholeTable = async <Item extends object>(
  name: string,
  exporting: Exporting,
  columns: readonly FileColumn[],
  several?: Lines<Item>,
): Promise<Table> => ({
  name,
  header: columns.map(({ label }) => label),
  kinds: columns.map(timeKindOf),
  batches: await mapped(await exportedRows<Item>(exporting, several?.joins), async (items) => {
    const lines = several ? (await inTurns(items, several.of)).flat() : items;
    const lookups = columns.filter(({ facts }) => facts?.kind === "lookup" || facts?.kind === "lookups");
    const ids = await inTurns(lines, (line) => lookups.map(({ path }) => valueAt(line, path)));
    const columnValues = lookups.map(({ facts }, at) => ({ facts, values: ids.map((of) => of[at]) }));
    const names = await namesOf((statement) => listRows("names in a file", statement), columnValues);
    return inTurns(lines, (line) => rowOf(columns, line, names));
  }),
});

/** SQL for the owner of a record, as in `OWNER_COLUMNS`. */
export const ownerInFile = (userId: Sql): Sql =>
  sql`(SELECT json_build_object('name', o.first_name || ' ' || o.last_name, 'email', o.email)
    FROM users o WHERE o.id = ${userId})`;

/** Converts one batch of each user's files at a time, and two of all users. */
const inTurn = processWide("batches of files", () => limiter(2, 1));

/**
 * Returns the batches, each converted by `map`. Reads the first one at once, so that a list that cannot be read gets an
 * error in words instead of a file that ends after its heading. Users take turns, so that many files of one user delay no
 * other.
 */
async function mapped<From, To>(batches: AsyncIterable<From>, map: (batch: From) => Promise<To>) {
  const converted = (async function* () {
    for await (const batch of batches) yield await map(batch);
  })();
  const next = () => withoutSlot(() => inTurn(() => converted.next()));
  const first = await next();
  return (async function* () {
    try {
      for (let read = first; !read.done; read = await next()) yield read.value;
    } finally {
      await converted.return(undefined);
    }
  })();
}

/** Returns all rows of a list under its query. Records the export before the first row is read. */
async function exportedRows<Item>(
  { actor, entity, clients, only, list, query }: Exporting,
  lineJoins = empty,
): Promise<AsyncGenerator<Item[]>> {
  // A client who was restricted or purged a moment ago must not be in the file.
  const reader = await replicaReader(0);
  const statement = sql`SELECT ARRAY(${await allIds(list, query, only)}) AS ids`;
  // Sorting a million rows may exceed the time limit of a list page, so the limit of reports applies.
  const name = `${list.name} to export`;
  const [result] = await reader.inOneSnapshot(name, (read) => read<{ ids: number[] }>(name, statement));
  const ids = result?.ids ?? [];
  if (query.format === "xlsx") await assertFits(reader.rows, list, ids, lineJoins);
  // For the audit trail only the number is recorded, because there may be millions of ids.
  const which = entity === "auditEvent" ? { count: ids.length } : { shown: ids };
  if (clients) await audit(rows, actor, { action: "exported", entity: "client", shown: clients });
  await audit(rows, actor, { action: "exported", entity, ...which });
  return readBatches<Item>(reader.rows, list, ids);
}

/** Throws 422 if the list has more lines than Excel opens. */
async function assertFits(read: ReadRows, list: List, ids: readonly number[], lineJoins: Sql): Promise<void> {
  const lines = lineJoins === empty ? ids.length : await countLines(read, list, ids, lineJoins);
  if (lines <= XLSX.mostLines) return;
  const most = XLSX.mostLines.toLocaleString("en-US");
  throw new AppError(
    "invalid",
    `An XLSX file can have at most ${most} rows, and this list has more. Please download it as CSV or narrow the list.`,
  );
}

/** Returns the number of lines of these records; stops counting when there are too many for Excel. */
async function countLines(
  read: ReadRows,
  { name, from, id }: List,
  ids: readonly number[],
  joins: Sql,
): Promise<number> {
  let lines = 0;
  for (let start = 0; start < ids.length && lines <= XLSX.mostLines; start += COUNT_BATCH) {
    const batch = ids.slice(start, start + COUNT_BATCH);
    const [row] = await read<{ lines: number }>(
      `${name}, lines to export`,
      sql`SELECT count(*)::int AS lines FROM ${from} ${joins} WHERE ${id} = ANY(${batch}::int[])`,
    );
    lines += row?.lines ?? 0;
  }
  return lines;
}

/**
 * Yields the rows with these ids in order, in batches of at most 500 rows and of about 4 MB. PostgreSQL reads one row
 * after the other until it has that many bytes, because 500 of the largest records would be more than a statement may
 * return in time. Skips rows that are no longer in the list.
 */
async function* readBatches<Item>(
  read: ReadRows,
  list: List,
  ids: readonly number[],
): AsyncGenerator<Item[]> {
  const { name, from, id, joins = empty, item, where } = list;
  for (let start = 0; start < ids.length; ) {
    const page = ids.slice(start, start + BATCH);
    const batch = await read<{ item: Item | null }>(
      `${name} exported`,
      sql`WITH RECURSIVE export_page AS (SELECT ${page}::int[] AS ids),
        export_read AS (
          SELECT 0 AS place, NULL::text AS item, 0 AS bytes
          UNION ALL SELECT place + 1, line.item, bytes + coalesce(octet_length(line.item), 0)
          FROM export_read, export_page, LATERAL (SELECT (SELECT (${item})::text FROM ${from} ${joins}
            WHERE ${id} = export_page.ids[export_read.place + 1] AND ${and(where)}) AS item) AS line
          WHERE place < cardinality(export_page.ids) AND bytes < ${constant(BATCH_BYTES)})
        SELECT item::json AS item FROM export_read WHERE place > 0 ORDER BY place`,
    );
    yield batch.flatMap((row) => row.item ?? []);
    start += batch.length;
  }
}
