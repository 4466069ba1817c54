import "server-only";
import { createHash } from "node:crypto";
import { createReadStream, createWriteStream } from "node:fs";
import { open, readFile, rename, rm } from "node:fs/promises";
import path from "node:path";
import { pipeline as piped, Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGunzip, createGzip } from "node:zlib";
import pg from "pg";
import { type ExternalSeal, newestSeal } from "@/lib/audit/seals";
import { queryOn } from "@/lib/core/database/client";
import { MIGRATIONS, readApplied, readMigrations, withInit } from "@/lib/core/database/migrations";
import { streamed } from "@/lib/core/database/streamed";
import { PlainError } from "@/lib/core/process/plain-error";
import { PROGRAM_FOLDER } from "@/lib/core/process/program-folder";
import { PRODUCT_KEY } from "@/lib/core/product";
import { type BackupKey, type BackupKeys, encrypted, openEncrypted } from "@/lib/ops/encryption";
import { migrate } from "@/lib/ops/migrate";
import { refusePractice } from "@/lib/ops/practice";

// Writes and reads a whole database in one file, for machines without PostgreSQL's own pg_dump. Gzipped lines of JSON:
//   {"lanternbook":2,"madeAt":…,"migrations":{name: checksum}}
//   ["clients"]        a table, then its rows, each {column: value}; tables come after those they point to
//   ["end",{sequence: last value}]
// The lines are encrypted (encryption.ts). Without a key they are not, and the SHA-256 of the file follows them, not
// gzipped, because gzip does not notice every changed byte.

/** The rows inserted at once, and the characters of JSON after which they are inserted although they are fewer. */
const MOST_ROWS = 1_000;
const MOST_CHARACTERS = 1024 * 1024;

const SEAL_BYTES = 32;

const LINE_BREAK = "\n".charCodeAt(0);

interface Head {
  madeAt: string;
  migrations: Record<string, string>;
  auditSeal?: ExternalSeal;
}

interface Table {
  /** Quoted as an SQL identifier. */
  name: string;
  columns: string;
}

/**
 * Writes a consistent snapshot of the database to `file` (mode 600) while the database is in use. Leaves a complete
 * file or none. Encrypts it, unless the key is null.
 */
export async function writeArchive(url: string, file: string, key: BackupKey | null): Promise<void> {
  const unfinished = `${file}.unfinished`;
  await rm(unfinished, { force: true });
  const client = new pg.Client(url);
  await client.connect();
  try {
    await client.query("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
    const target = createWriteStream(unfinished, { flags: "wx", mode: 0o600, flush: true });
    const protect = (bytes: AsyncIterable<Buffer>) => (key === null ? sealed(bytes) : encrypted(bytes, key));
    await pipeline(Readable.from(linesFrom(client)), createGzip(), protect, target);
    await rename(unfinished, file);
  } finally {
    await client.end();
    await rm(unfinished, { force: true });
  }
}

async function* sealed(bytes: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const hash = createHash("sha256");
  for await (const chunk of bytes) {
    hash.update(chunk);
    yield chunk;
  }
  yield hash.digest();
}

/** Returns the newest seal of the audit trail, which a backup stores outside the database (`npm run audit:verify`). */
async function sealOf(client: pg.Client): Promise<Pick<Head, "auditSeal">> {
  const { rows: known } = await client.query("SELECT to_regclass('audit_seals') IS NOT NULL AS sealed");
  const auditSeal = known[0].sealed ? await newestSeal(queryOn(client)) : null;
  return auditSeal ? { auditSeal } : {};
}

async function* linesFrom(client: pg.Client): AsyncGenerator<string> {
  const migrations = Object.fromEntries(await readApplied(client));
  const head = {
    [PRODUCT_KEY]: 2,
    madeAt: new Date().toISOString(),
    migrations,
    ...(await sealOf(client)),
  };
  yield `${JSON.stringify(head)}\n`;
  for (const { name, columns } of await tablesOf(client)) {
    yield `${JSON.stringify([name])}\n`;
    const rows = streamed(client, `SELECT row_to_json(r)::text FROM (SELECT ${columns} FROM ${name}) r`);
    for await (const batch of rows) yield batch.map(([row]) => `${row}\n`).join("");
  }
  const { rows } = await client.query<{ name: string; last: string }>(
    `SELECT format('%I', sequencename) AS name, last_value AS last FROM pg_sequences
     WHERE schemaname = 'public' AND last_value IS NOT NULL`,
  );
  yield `${JSON.stringify(["end", Object.fromEntries(rows.map(({ name, last }) => [name, last]))])}\n`;
}

/** Tables whose rows no backup contains (after-restore.sql): credentials, counters, and files to be imported. */
export const NOT_BACKED_UP = [
  "sessions",
  "mails",
  "tokens",
  "api_tokens",
  "recovery_codes",
  "reset_requests",
  "login_failures",
  "idempotency_keys",
  "import_parts",
];
/** Migrations fill these tables when they run. */
const FILLED_BY_MIGRATIONS = ["_prisma_migrations"];
const LEFT_OUT = [...FILLED_BY_MIGRATIONS, ...NOT_BACKED_UP];

/**
 * Returns the tables to back up, each after those it refers to. For a restore, older archives may contain all of them.
 */
async function tablesOf(client: pg.Client, leftOut: readonly string[] = LEFT_OUT): Promise<Table[]> {
  const { rows } = await client.query<Table & { needs: string[] }>(
    `SELECT format('%I', c.relname) AS name,
       (SELECT string_agg(format('%I', attname), ', ' ORDER BY attnum) FROM pg_attribute
        WHERE attrelid = c.oid AND attnum > 0 AND NOT attisdropped AND attgenerated = '') AS columns,
       ARRAY(SELECT format('%I', t.relname) FROM pg_constraint k JOIN pg_class t ON t.oid = k.confrelid
        WHERE k.conrelid = c.oid AND k.contype = 'f' AND k.confrelid <> c.oid AND NOT t.relname = ANY($1)) AS needs
     FROM pg_class c
     WHERE c.relkind IN ('r', 'p') AND NOT c.relispartition AND c.relnamespace = 'public'::regnamespace AND NOT c.relname = ANY($1)
     ORDER BY 1`,
    [leftOut],
  );
  const ordered: Table[] = [];
  for (let remaining = rows; remaining.length > 0; ) {
    const known = new Set(ordered.map(({ name }) => name));
    const next = remaining.filter(({ needs }) => needs.every((name) => known.has(name)));
    if (next.length === 0)
      throw new Error(`Tables point to each other: ${remaining.map(({ name }) => name)}`);
    ordered.push(...next);
    remaining = remaining.filter((table) => !next.includes(table));
  }
  return ordered;
}

/**
 * Fills an empty database from an archive, at the migrations it had then; the next start applies later ones. Restores
 * all rows or none. Throws PlainError for a practice database, one with rows, and an archive that is damaged or from a
 * newer program. Returns whether it was encrypted, and whether with a passphrase: only a passphrase proves that nobody
 * has changed it. If the operator `encryptsBackups`, an unencrypted archive is refused unless `unencrypted`. Anyone who
 * can replace a backup could have made it.
 */
export async function readArchive(
  url: string,
  file: string,
  keys: BackupKeys,
  { unencrypted = false, encryptsBackups = Boolean(keys.passphrase || keys.identities) } = {},
): Promise<{ isEncrypted: boolean; isAuthentic: boolean }> {
  const { bytes, isEncrypted, isAuthentic, isWhole } = await openArchive(file, keys);
  const lines = linesOf(bytes());
  const { migrations } = headOf((await lines.next()).value);
  if (!isWhole) throw damaged();
  if (encryptsBackups && !isEncrypted && !unencrypted) {
    throw new PlainError(
      "The file is not encrypted, unlike your backups, so anyone may have created it. If you trust its source, add --unencrypted.",
    );
  }
  const client = new pg.Client(url);
  await client.connect();
  try {
    await refusePractice(client);
    await assertEmpty(client);
    await migrateTo(client, migrations);
    await client.query("BEGIN");
    // The archive also contains the rows that migrations insert.
    const all = await tablesOf(client, FILLED_BY_MIGRATIONS);
    const tables = new Map(all.map((table) => [table.name, table]));
    await client.query(`TRUNCATE ${[...tables.keys()].join(", ")}`);
    await fill(client, tables, lines);
    await client.query(await readFile(path.join(PROGRAM_FOLDER, "lib/ops/after-restore.sql"), "utf8"));
    await client.query("COMMIT");
  } finally {
    await client.end();
  }
  return { isEncrypted, isAuthentic };
}

/** Returns the newest seal of the audit trail in an encrypted archive; null for any other file. */
export async function sealInArchive(file: string, keys: BackupKeys): Promise<ExternalSeal | null> {
  const { bytes, isEncrypted } = await openArchive(file, keys);
  if (!isEncrypted) return null;
  return headOf((await linesOf(bytes()).next()).value).auditSeal ?? null;
}

/** Opens the gzipped lines of an archive. An encrypted archive is first checked as a whole. */
async function openArchive(file: string, keys: BackupKeys) {
  const reader = await openEncrypted(file, keys);
  if (reader) {
    for await (const _ of reader.bytes());
    const bytes = () => Readable.from(reader.bytes());
    return { bytes, isEncrypted: true, isAuthentic: reader.isAuthentic, isWhole: true };
  }
  const length = await sealedLength(file);
  const end = (length ?? Number.POSITIVE_INFINITY) - 1;
  return {
    bytes: () => createReadStream(file, { end }),
    isEncrypted: false,
    isAuthentic: false,
    isWhole: length !== undefined,
  };
}

async function assertEmpty(client: pg.Client): Promise<void> {
  for (const { name } of await tablesOf(client)) {
    const { rowCount } = await client.query(`SELECT FROM ${name} LIMIT 1`);
    if (rowCount) {
      throw new PlainError(
        "The database already contains data. Restore into an empty one: name it in DATABASE_URL, or choose a new DATA_DIR.",
      );
    }
  }
}

const damaged = () => new PlainError("The file is damaged or is not a backup of this program.");

/** Returns the number of bytes before the digest at the file's end; undefined if the digest does not match them. */
async function sealedLength(file: string): Promise<number | undefined> {
  const handle = await open(file);
  try {
    const length = (await handle.stat()).size - SEAL_BYTES;
    if (length <= 0) return undefined;
    const hash = createHash("sha256");
    const seal = Buffer.alloc(SEAL_BYTES);
    await handle.read(seal, { position: length });
    for await (const chunk of handle.createReadStream({ start: 0, end: length - 1, autoClose: false }))
      hash.update(chunk);
    return hash.digest().equals(seal) ? length : undefined;
  } finally {
    await handle.close();
  }
}

function headOf(line: unknown): Head {
  try {
    const head = JSON.parse(String(line));
    if (head[PRODUCT_KEY] === 2) return head;
  } catch {}
  throw damaged();
}

async function migrateTo(client: pg.Client, recorded: Record<string, string>): Promise<void> {
  const migrations = withInit(
    new Map(Object.entries(recorded)),
    await readMigrations(MIGRATIONS),
    "The database in the backup",
  );
  await migrate(client, undefined, (name) => migrations.has(name));
  const applied = await readApplied(client);
  const other = [...migrations].filter(([name, checksum]) => applied.get(name) !== checksum);
  if (other.length > 0)
    throw new PlainError(
      `The backup is from a newer version of this program: it has ${other.map(([name]) => name).join(", ")}.`,
    );
  if (applied.size > migrations.size)
    throw new PlainError("The backup is older than the tables of the database. Restore into an empty one.");
}

async function fill(client: pg.Client, tables: Map<string, Table>, lines: AsyncIterable<string>) {
  let table: Table | undefined;
  let rows: string[] = [];
  let characters = 0;
  const flush = async () => {
    if (!table || rows.length === 0) return;
    const { name, columns } = table;
    const values = `SELECT ${columns} FROM json_populate_recordset(NULL::${name}, $1)`;
    await client.query(`INSERT INTO ${name} (${columns}) ${values}`, [`[${rows.join(",")}]`]);
    rows = [];
    characters = 0;
  };
  for await (const line of lines) {
    if (line.startsWith("[")) {
      await flush();
      const [name, sequences] = JSON.parse(line);
      if (name === "end") return setSequences(client, sequences);
      table = tables.get(name);
      if (!table) throw damaged();
    } else {
      characters += line.length;
      if (rows.push(line) === MOST_ROWS || characters >= MOST_CHARACTERS) await flush();
    }
  }
  throw damaged();
}

async function setSequences(client: pg.Client, sequences: Record<string, string>): Promise<void> {
  for (const [name, last] of Object.entries(sequences)) {
    await client.query("SELECT setval($1::regclass, $2)", [name, last]);
  }
}

async function* linesOf(bytes: Readable): AsyncGenerator<string> {
  // The loop below handles errors of both streams.
  const unzipped = piped(bytes, createGunzip(), () => {});
  // A line may be longer than many chunks.
  let begun: Buffer[] = [];
  try {
    for await (const chunk of unzipped) {
      let start = 0;
      for (let end = chunk.indexOf(LINE_BREAK); end >= 0; end = chunk.indexOf(LINE_BREAK, start)) {
        yield Buffer.concat([...begun, chunk.subarray(start, end)]).toString();
        begun = [];
        start = end + 1;
      }
      if (start < chunk.length) begun.push(chunk.subarray(start));
    }
  } catch (error) {
    const isUnzipping = error instanceof Error && "code" in error && String(error.code).startsWith("Z_");
    throw isUnzipping ? damaged() : error;
  }
}
