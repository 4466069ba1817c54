import "server-only";
import { makeZip } from "client-zip";
import { asAppError, busy } from "@/lib/api/errors";
import { streamOf } from "@/lib/api/files";
import { type Described, fileNameOf, packageOf } from "@/lib/archive/package";
import { archiveTables, isArchived } from "@/lib/archive/tables";
import { audit } from "@/lib/audit/record";
import type { SessionUser } from "@/lib/auth/permissions";
import { andNotHidden, countedClientsWhere, visibleFormsWhere } from "@/lib/auth/scope";
import { type Bind, binding } from "@/lib/database/bind";
import { rows } from "@/lib/database/client";
import { isoTimestamp } from "@/lib/database/record-read";
import { replicaReader } from "@/lib/database/replica";
import type { ReadRows } from "@/lib/database/statements";
import { plainCsvLine } from "@/lib/fields/csv";
import type { Table } from "@/lib/fields/tables";
import { processWide } from "@/lib/server/process-wide";

/** How many rows are read at once. */
const BATCH = 500;

/** How long an archive that was answered waits for a reader, in milliseconds. An answer to HEAD never has one. */
const UNREAD_MS = 2000;
/**
 * An archive keeps a connection of the lists for as long as its reader takes, so a process sends one at a time. `turn`
 * says which one, and until the moment `until`, in milliseconds, others are refused.
 */
const archive = processWide("archive", () => ({ turn: 0, until: 0 }));

const alreadyRead = () =>
  busy("All data is being downloaded at the moment. Please try again when that is done.");

function takeTurn(): number {
  if (Date.now() < archive.until) throw alreadyRead();
  archive.until = Date.now() + UNREAD_MS;
  archive.turn += 1;
  return archive.turn;
}

/**
 * All data but drafts and secrets as a zip archive, sent while it is read: one state of the database, of which forms and
 * clients that the actor may not see are left out. Recorded as exported before it begins; a failure breaks it off. 409
 * while another archive is read.
 */
export async function exportArchive(actor: SessionUser): Promise<ReadableStream<Uint8Array>> {
  // Before anything is awaited: whoever asks at the same moment can still be told why not.
  const turn = takeTurn();
  await audit(rows, actor, { action: "exported", entity: "archive" });
  return streamOf(archiveOf(actor, turn));
}

async function* archiveOf(actor: SessionUser, turn: number) {
  // Nobody began to read this one in time, and it is another's turn.
  if (turn !== archive.turn) throw alreadyRead();
  archive.until = Number.POSITIVE_INFINITY;
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  const sent = sendTo(writable, actor)
    // Whoever reads the stream is told.
    .catch((error: unknown) => writable.abort(error).catch(() => {}))
    .finally(() => {
      archive.until = 0;
    });
  yield* readable;
  await sent;
}

/** Sends the archive, read from the replica where that has everything committed until now. */
async function sendTo(writable: WritableStream<Uint8Array>, actor: SessionUser): Promise<void> {
  const reader = await replicaReader(0);
  await reader.inOneSnapshot("archive of all data", async (read) => {
    // The transaction waits while the client reads slowly; the server ends connections that are silent for so long.
    await read("archive, time to wait", "SET LOCAL idle_in_transaction_session_timeout = '60s'", []);
    await makeZip(filesOf(read, actor))
      .pipeTo(writable)
      .catch((error: unknown) => {
        // Any other error would take the replica out, even that of a cancelled download, and start again on the primary
        // when half of the file is sent.
        throw asAppError(error);
      });
  });
}

async function* filesOf(read: ReadRows, actor: SessionUser) {
  const lastModified = new Date();
  const tables = await describeTables(read);
  const counts = new Map<Table, number>();
  for (const described of tables) {
    const input = csvOf(read, tables, described, actor, (count) => counts.set(described.table, count));
    yield { name: fileNameOf(described.table), lastModified, input };
  }
  const description = JSON.stringify(packageOf(tables, counts, lastModified), null, 2);
  yield { name: "datapackage.json", lastModified, input: description };
}

/** What the database says of the archive's tables. */
async function describeTables(read: ReadRows): Promise<Described[]> {
  const found = await read<Described>(
    "tables of the archive",
    `SELECT t.name AS table,
       (SELECT json_agg(json_build_object('name', attname, 'type', format_type(atttypid, NULL), 'required', attnotnull)
          ORDER BY attnum)
        FROM pg_attribute WHERE attrelid = t.name::regclass AND attnum > 0 AND NOT attisdropped) AS columns,
       ARRAY(SELECT attname::text FROM pg_constraint JOIN pg_attribute ON attrelid = conrelid AND attnum = ANY(conkey)
        WHERE contype = 'p' AND conrelid = t.name::regclass ORDER BY array_position(conkey, attnum)) AS "primaryKey",
       (SELECT COALESCE(json_agg(json_build_object('column', attname, 'table', confrelid::regclass::text) ORDER BY attnum), '[]')
        FROM pg_constraint JOIN pg_attribute ON attrelid = conrelid AND attnum = conkey[1]
        WHERE contype = 'f' AND conrelid = t.name::regclass) AS "references"
     FROM unnest($1::text[]) WITH ORDINALITY AS t(name, place) ORDER BY place`,
    [archiveTables],
  );
  return found.map(({ table, columns, primaryKey, references }) => ({
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
  tables: readonly Described[],
  described: Described,
  actor: SessionUser,
  finished: (rows: number) => void,
): AsyncGenerator<Uint8Array> {
  const bytes = new TextEncoder();
  const { table, columns, primaryKey } = described;
  yield bytes.encode(plainCsvLine(columns.map(({ name }) => name)));
  const { values, bind } = binding();
  const alias = aliasOf(table);
  const cells = columns.map(({ name, type }) => textOf(`${alias}.${name}`, type));
  const where = conditionOf(tables, described, actor, bind) ?? "TRUE";
  const order = primaryKey.map((column) => `${alias}.${column}`).join(", ");
  await read(
    `archive of ${table}`,
    `DECLARE archived NO SCROLL CURSOR FOR
     SELECT ARRAY[${cells.join(", ")}]::text[] AS cells FROM ${table} ${alias} WHERE ${where} ORDER BY ${order}`,
    values,
  );
  let count = 0;
  for (;;) {
    const batch = await read<{ cells: (string | null)[] }>(
      "archive, next rows",
      `FETCH ${BATCH} FROM archived`,
      [],
    );
    if (batch.length === 0) break;
    count += batch.length;
    yield bytes.encode(batch.map((row) => plainCsvLine(row.cells.map((cell) => cell ?? ""))).join(""));
  }
  await read("archive, end of a table", "CLOSE archived", []);
  finished(count);
}

/** A column's value as the description types it. */
function textOf(column: string, type: string): string {
  if (type === "timestamp with time zone") return isoTimestamp(column);
  return type.endsWith("[]") ? `to_json(${column})::text` : `${column}::text`;
}

/** The aliases that the conditions of lib/auth/scope.ts expect. */
const aliasOf = (table: Table): string => (table === "clients" ? "c" : table === "forms" ? "f" : table);

/** What columns refer to that are no foreign keys, because what they name may be gone. */
const LOOSE: readonly { column: string; table: Table }[] = [
  { column: "client_id", table: "clients" },
  { column: "form_id", table: "forms" },
];

/** Which rows of a table the actor may see: those that refer to no client or form that the actor may not; null for all. */
function conditionOf(
  tables: readonly Described[],
  { table, columns, references }: Described,
  actor: SessionUser,
  bind: Bind,
): string | null {
  const loose = LOOSE.filter(
    ({ column }) =>
      columns.some(({ name }) => name === column) && !references.some((known) => known.column === column),
  );
  const own =
    table === "clients"
      ? countedClientsWhere(actor, bind)
      : table === "forms"
        ? visibleFormsWhere(actor, bind)
        : "TRUE";
  const ofOthers = [...references, ...loose].flatMap(({ column, table: other }) => {
    const described = tables.find((one) => one.table === other);
    const condition = described && conditionOf(tables, described, actor, bind);
    const alias = aliasOf(other);
    return condition
      ? [
          `NOT EXISTS (SELECT FROM ${other} ${alias}
             WHERE ${alias}.id = ${aliasOf(table)}.${column} AND NOT (${condition}))`,
        ]
      : [];
  });
  // A client stays hidden when their row is gone.
  const ofHidden = loose
    .filter((one) => one.table === "clients")
    .map(({ column }) => `TRUE${andNotHidden(actor, `coalesce(${aliasOf(table)}.${column}, 0)`, bind)}`);
  const conditions = [own, ...ofOthers, ...ofHidden].filter(
    (condition) => condition.toUpperCase() !== "TRUE",
  );
  return conditions.join(" AND ") || null;
}
