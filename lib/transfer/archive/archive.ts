import "server-only";
import { once } from "node:events";
import { PassThrough, Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { ZipFile } from "yazl";
import { aboutNobodyHidden, shownOf } from "@/lib/audit/history";
import { audit } from "@/lib/audit/record";
import type { SessionUser } from "@/lib/core/access/permissions";
import {
  countedClientsWhere,
  knownFormOfContact,
  notHidden,
  visibleFormsWhere,
  visibleRecordsWhere,
  visibleStaysWhere,
} from "@/lib/core/access/scope";
import { streamOf } from "@/lib/core/api/files";
import { rows } from "@/lib/core/database/client";
import { asAppError } from "@/lib/core/database/errors";
import { isoTimestamp } from "@/lib/core/database/record-read";
import { replicaReader } from "@/lib/core/database/replica";
import type { ReadRows, StreamRows } from "@/lib/core/database/statements";
import { busy } from "@/lib/core/errors";
import type { Table } from "@/lib/core/fields/tables";
import { byKey } from "@/lib/core/objects";
import { processWide } from "@/lib/core/process-wide";
import { and, identifier, join, type Sql, sql } from "@/lib/core/sql";
import { escapeFormula, plainCsvLine } from "@/lib/core/text/csv";
import { recordKeys, records } from "@/lib/records/registry";
import { withheldCount } from "@/lib/reports/submissions/withheld";
import { type Described, fileNameOf, packageOf, typeOf } from "@/lib/transfer/archive/package";
import { archiveTables, isArchived } from "@/lib/transfer/archive/tables";
import { importCounts, visibleImportsWhere } from "@/lib/transfer/imports/imports";

/**
 * The numbers of rows fetched by one statement, and the characters that they should have at most. A row may have two
 * million: 200 long custom fields. So a table begins with one row. If large rows follow small ones, the rows of one
 * statement are received in batches of about 1 MB.
 */
const FETCHED_ROWS = [50, 10, 1];
const FETCHED_CHARACTERS = 4_000_000;

/** The time for which an archive waits for a reader, in milliseconds. The response to HEAD never has one. */
const UNREAD_MS = 2000;
/**
 * An archive uses a connection until its reader has received it, so a process sends one at a time. `turn` is the number
 * of the current archive. Until the time `until`, in milliseconds, others are refused.
 */
const archive = processWide("archive", () => ({ turn: 0, until: 0 }));

const alreadyRead = () =>
  busy("All data is already being downloaded. Please try again when that download has ended.");

function takeTurn(): number {
  if (Date.now() < archive.until) throw alreadyRead();
  archive.until = Date.now() + UNREAD_MS;
  archive.turn += 1;
  return archive.turn;
}

/**
 * Returns all data except drafts and secrets as a zip archive, sent while it is read. It is one snapshot of the
 * database, without the forms and clients that the actor may not see. The export is recorded before it begins; a
 * failure ends the file early. Throws 409 while another archive is read.
 */
export async function exportArchive(actor: SessionUser): Promise<ReadableStream<Uint8Array>> {
  // This comes before anything is awaited, so that a simultaneous caller can still get the error.
  const turn = takeTurn();
  await audit(rows, actor, { action: "exported", entity: "archive" });
  return streamOf(archiveOf(actor, turn));
}

async function* archiveOf(actor: SessionUser, turn: number) {
  // No reader began in time, and another archive has the turn.
  if (turn !== archive.turn) throw alreadyRead();
  archive.until = Number.POSITIVE_INFINITY;
  // A stream of Node: its adapters for web streams throw where nothing can catch it if the reader cancels.
  const sent = new PassThrough();
  const sending = sendTo(sent, actor)
    // The reader of the stream gets the error.
    .catch((error: Error) => void sent.destroy(error))
    .finally(() => {
      archive.until = 0;
    });
  yield* sent as AsyncIterable<Uint8Array>;
  await sending;
}

/** Sends the archive, read from the replica if that has everything committed until now. */
async function sendTo(sent: PassThrough, actor: SessionUser): Promise<void> {
  const reader = await replicaReader(0);
  await reader.inOneSnapshot("archive of all data", async (read, stream) => {
    // The transaction waits while the client reads slowly, and so may a statement with large rows. The server closes
    // connections that are silent for this long.
    await read("archive, time to wait", sql`SET LOCAL idle_in_transaction_session_timeout = '60s'`);
    await read("archive, time to send", sql`SET LOCAL statement_timeout = '5min'`);
    await sendZip(filesOf(await describeTables(read), read, stream, actor), sent).catch((error: unknown) => {
      // Any other error would stop the use of the replica, even an error of a canceled download. The archive would
      // start again on the primary after half of the file.
      throw asAppError(error);
    });
  });
}

/** A file of the archive. `read` is called when the files before it have been sent. */
type ArchiveFile = { name: string; read: () => AsyncIterable<Uint8Array> };

/**
 * Sends the files one after the other, compressed, no faster than the client receives them. Throws if one cannot be
 * read.
 */
async function sendZip(files: readonly ArchiveFile[], sent: PassThrough): Promise<void> {
  const zip = new ZipFile();
  const output = zip.outputStream as PassThrough;
  let source: Readable | undefined;
  zip.on("error", (error: Error) => output.destroy(error));
  for (const { name, read } of files)
    zip.addReadStreamLazy(name, { mtime: new Date() }, (begin) => {
      source = Readable.from(read(), { objectMode: false });
      begin(null, source);
    });
  zip.end();
  try {
    await pipeline(output, sent);
  } finally {
    // The transaction may end only when nothing in it is reading any more.
    source?.destroy();
    if (source && !source.closed) await once(source, "close");
  }
}

function filesOf(
  tables: readonly Described[],
  read: ReadRows,
  stream: StreamRows,
  actor: SessionUser,
): ArchiveFile[] {
  const madeAt = new Date();
  const counts = new Map<Table, number>();
  const csvFiles = tables.map((described) => ({
    name: fileNameOf(described.table),
    read: () => csvOf(read, stream, tables, described, actor, (count) => counts.set(described.table, count)),
  }));
  async function* description() {
    yield new TextEncoder().encode(JSON.stringify(packageOf(tables, counts, madeAt), null, 2));
  }
  return [...csvFiles, { name: "datapackage.json", read: description }];
}

async function describeTables(read: ReadRows): Promise<Described[]> {
  const tables = await read<Described>(
    "tables of the archive",
    sql`SELECT t.name AS table,
       (SELECT json_agg(json_build_object('name', attname, 'type', format_type(atttypid, NULL), 'required', attnotnull)
          ORDER BY attnum)
        FROM pg_attribute WHERE attrelid = t.name::regclass AND attnum > 0 AND NOT attisdropped) AS columns,
       ARRAY(SELECT attname::text FROM pg_constraint JOIN pg_attribute ON attrelid = conrelid AND attnum = ANY(conkey)
        WHERE contype = 'p' AND conrelid = t.name::regclass ORDER BY array_position(conkey, attnum)) AS "primaryKey",
       (SELECT COALESCE(json_agg(json_build_object('column', attname, 'table', confrelid::regclass::text) ORDER BY attnum), '[]')
        FROM pg_constraint JOIN pg_attribute ON attrelid = conrelid AND attnum = conkey[1]
        WHERE contype = 'f' AND conrelid = t.name::regclass) AS "references"
     FROM unnest(${archiveTables}::text[]) WITH ORDINALITY AS t(name, place) ORDER BY place`,
  );
  return tables.map(({ table, columns, primaryKey, references }) => ({
    table,
    columns: columns.filter(({ name }) => isArchived(table, name)),
    primaryKey,
    references: references.filter(
      ({ column, table: other }) => isArchived(table, column) && archiveTables.includes(other),
    ),
  }));
}

async function* csvOf(
  read: ReadRows,
  stream: StreamRows,
  tables: readonly Described[],
  described: Described,
  actor: SessionUser,
  finished: (rows: number) => void,
): AsyncGenerator<Uint8Array> {
  const bytes = new TextEncoder();
  const { table, columns, primaryKey } = described;
  yield bytes.encode(plainCsvLine(columns.map(({ name }) => name)));
  const alias = aliasOf(table);
  const columnOf = (name: string) => sql`${alias}.${identifier(name)}`;
  const replaced = columnsFor(table, actor);
  const cells = columns.map(({ name, type }) => textOf(replaced[name] ?? columnOf(name), type));
  const where = and(conditionsOf(tables, described, actor));
  await read(
    `archive of ${table}`,
    sql`DECLARE archived NO SCROLL CURSOR FOR
     SELECT ${join(cells)} FROM ${identifier(table)} ${alias} WHERE ${where}
     ORDER BY ${join(primaryKey.map(columnOf))}`,
  );
  // Only text can be a formula, so a negative number does not change.
  const isText = columns.map(({ type }) => typeOf(type) === "string");
  const cellOf = (cell: string | null, at: number) => (isText[at] ? escapeFormula(cell ?? "") : (cell ?? ""));
  let count = 0;
  for (let size = 1; ; ) {
    let fetched = 0;
    let characters = 0;
    for await (const batch of stream(`FETCH ${size} FROM archived`)) {
      const lines = batch.map((row) => plainCsvLine(row.map(cellOf))).join("");
      fetched += batch.length;
      characters += lines.length;
      yield bytes.encode(lines);
    }
    if (fetched === 0) break;
    count += fetched;
    const fitting = (FETCHED_CHARACTERS * fetched) / characters;
    size = FETCHED_ROWS.find((rows) => rows <= fitting) ?? 1;
  }
  await read("archive, end of a table", sql`CLOSE archived`);
  finished(count);
}

/** Returns the columns that count records or link to them, as SQL without the records hidden from the actor. */
function columnsFor(table: Table, actor: SessionUser): Readonly<Record<string, Sql>> {
  if (table === "report_submission_lines")
    return { count: sql`(report_submission_lines.count - ${withheldCount(actor)})` };
  if (table === "audit_events") return { rows: shownOf(actor).count };
  if (table === "contacts") return { form_id: knownFormOfContact(actor, sql`r.form_id`) };
  return table === "imports" ? importCounts(actor) : {};
}

/** Returns a column's value with the type in the description. */
function textOf(column: Sql, type: string): Sql {
  if (type === "timestamp with time zone") return isoTimestamp(column);
  return type.endsWith("[]") ? sql`to_json(${column})::text` : sql`${column}::text`;
}

/** The aliases that conditions of other modules expect. */
const ALIASES: Partial<Record<Table, string>> = {
  clients: "c",
  forms: "f",
  stays: "st",
  audit_events: "e",
  imports: "i",
  ...byKey(recordKeys, () => "r"),
};
const aliasOf = (table: Table): Sql => identifier(ALIASES[table] ?? table);

/** Returns the condition on the rows of a table itself, in addition to those on their references. */
function visibleCondition(table: Table, actor: SessionUser): Sql {
  if (table === "clients") return countedClientsWhere(actor);
  if (table === "forms") return visibleFormsWhere(actor);
  if (table === "stays") return visibleStaysWhere(actor);
  const declared = recordKeys.find((key) => key === table);
  if (declared) return visibleRecordsWhere(actor, records[declared]);
  if (table === "audit_events") return aboutNobodyHidden(actor);
  return table === "imports" ? visibleImportsWhere(actor) : sql`TRUE`;
}

/** The columns with ids of other tables that are not foreign keys, because the referenced row may have been removed. */
const LOOSE: readonly { column: string; table: Table }[] = [
  { column: "client_id", table: "clients" },
  { column: "form_id", table: "forms" },
];

/**
 * Returns the conditions on the rows that the actor may see. Such rows refer to no client or form that the actor may
 * not see.
 */
function conditionsOf(
  tables: readonly Described[],
  { table, columns, references }: Described,
  actor: SessionUser,
): Sql[] {
  const loose = LOOSE.filter(
    ({ column }) =>
      columns.some(({ name }) => name === column) && !references.some((known) => known.column === column),
  );
  const visible = visibleCondition(table, actor);
  // A contact whose form is hidden is in the archive, without the link.
  const followed =
    table === "contacts" ? references.filter(({ column }) => column !== "form_id") : references;
  // An event of a series refers to its first event, which its readers see as well.
  const others = followed.filter((reference) => reference.table !== table);
  const ofOthers = [...others, ...loose].flatMap(({ column, table: other }) => {
    const described = tables.find((one) => one.table === other);
    const conditions = described ? conditionsOf(tables, described, actor) : [];
    const alias = aliasOf(other);
    return conditions.length > 0
      ? [
          sql`NOT EXISTS (SELECT FROM ${identifier(other)} ${alias}
             WHERE ${alias}.id = ${aliasOf(table)}.${identifier(column)} AND NOT (${and(conditions)}))`,
        ]
      : [];
  });
  // A client stays hidden after the row is removed.
  const ofHidden = loose
    .filter((one) => one.table === "clients")
    .map(({ column }) => notHidden(actor, sql`coalesce(${aliasOf(table)}.${identifier(column)}, 0)`));
  return [visible, ...ofOthers, ...ofHidden].filter(({ sql: text }) => text !== "TRUE");
}
