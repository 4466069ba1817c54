import "server-only";
import { createHmac, timingSafeEqual } from "node:crypto";
import { db, type Query, queryIn, rows } from "@/lib/core/database/client";
import { keyFor, secretIds } from "@/lib/core/process/cipher";
import { alarmLog, log } from "@/lib/core/process/log";
import { constant, sql } from "@/lib/core/sql";

// Seals make tampering with the audit trail detectable. A row's position is the id of the transaction that wrote it. A
// seal covers the rows from the previous seal's position up to its own. All transactions below that have ended, because
// it is at most the horizon, the oldest id still in use. So no row can be added there later. A seal has an entry for
// each row, and an HMAC over these entries and the previous seal. The key is not in the database. The newest seal is
// also written to the log and into each backup. So even an attacker with the database and the key cannot remove the
// latest rows unnoticed.

/** An entry is the row's id (8 bytes), its month as 202611 (4 bytes) and the first 16 bytes of its HMAC. */
export const ENTRY_BYTES = 28;
const MAC_BYTES = 16;
/** The most rows of a seal, unless a single transaction wrote more. */
const SEAL_ROWS_MAX = 10_000;
/** The bytes of recorded values after which a seal ends, so that large rows neither fill the memory nor take too long. */
const SEAL_BYTES_MAX = 8_000_000;
/** The advisory lock that lets only one process seal at a time. */
export const SEAL_LOCK = 7_233_003;

/** The purpose of the seals' key. */
export const SEALS = "audit seals v1";

/**
 * SQL for the whole content of a row (alias `e`) as text. It does not depend on connection settings such as the time
 * zone.
 */
export const ROW_TEXT = sql`ROW(e.id, (extract(epoch FROM e.at) * 1000)::bigint, e.position, e.user_id, e.user_name, e.action,
  e.entity, e.entity_id, e.client_id, e.request_id, e.address, e.fields, e.rows, e.shown, e.key_id,
  encode(e.details, 'hex'))::text`;
/** SQL for the month of a row as 202611. */
export const ROW_MONTH = sql`to_char(e.at AT TIME ZONE 'UTC', 'YYYYMM')::int`;

type Row = { id: string; position: string; month: number; text: string };

/** Returns the entry of a row. */
export function entryOf({ id, month, text }: Pick<Row, "id" | "month" | "text">, key: Buffer): Buffer {
  const entry = Buffer.alloc(ENTRY_BYTES);
  entry.writeBigInt64BE(BigInt(id));
  entry.writeInt32BE(month, 8);
  createHmac("sha256", key)
    .update(text)
    .digest()
    .copy(entry, ENTRY_BYTES - MAC_BYTES, 0, MAC_BYTES);
  return entry;
}

export type Seal = { id: number; at: Date; position: string; entries: Uint8Array };

/** Returns the HMAC of a seal that follows the one whose HMAC is `former`. */
export function sealHmac(
  { id, at, position, entries }: Seal,
  former: Uint8Array | null,
  key: Buffer,
): Buffer {
  return createHmac("sha256", key)
    .update(`seal ${id} at ${at.toISOString()} up to ${position} after `)
    .update(former ?? "")
    .update(entries)
    .digest();
}

export const sameBytes = (a: Uint8Array, b: Uint8Array): boolean =>
  a.length === b.length && timingSafeEqual(a, b);

/** Seals all rows that can be sealed, unless another process is sealing. Called by the worker. */
export async function sealAudit(): Promise<void> {
  while (await sealSome());
}

/** Makes one seal. Returns true if there may be more rows to seal. */
async function sealSome(): Promise<boolean> {
  return db().$transaction(async (tx) => {
    const query = queryIn(tx);
    const [begin] = await query<{ held: boolean; horizon: string }>(
      sql`SELECT pg_try_advisory_xact_lock(${SEAL_LOCK}) AS held, audit_horizon()::text AS horizon`,
    );
    if (!begin?.held) return false;
    // A process with a newer AUTH_SECRET has started and does the sealing from now on.
    const [id] = secretIds();
    if ((await query(sql`SELECT FROM former_keys WHERE secret_id = ${id}`)).length > 0) return false;
    const [last] = await query<{ id: number; position: string; hmac: Uint8Array }>(
      sql`SELECT id, position::text, hmac FROM audit_seals ORDER BY id DESC LIMIT 1`,
    );
    const { batch, position, isFull } = await nextBatch(query, last?.position ?? "0", begin.horizon);
    if (batch.length === 0) return false;
    const key = keyFor(SEALS);
    const entries = Buffer.concat(batch.map((row) => entryOf(row, key)));
    const seal = { id: (last?.id ?? 0) + 1, at: new Date(), position, entries };
    const hmac = sealHmac(seal, last?.hmac ?? null, key);
    await query(
      sql`INSERT INTO audit_seals (id, at, position, entries, hmac)
       VALUES (${seal.id}, ${seal.at.toISOString()}::timestamptz, ${position}::text::bigint, ${entries}, ${hmac})`,
    );
    return isFull;
  });
}

/**
 * Returns the next rows to seal and the position below which they are. A transaction's rows are never split between
 * seals.
 */
async function nextBatch(query: Query, since: string, horizon: string) {
  // The index and the stored sizes find the end of the batch first. Sorting all waiting rows with their texts exceeds the
  // statement timeout once there are many. Then none of them would ever be sealed.
  const [end] = await query<{ position: string }>(
    sql`WITH waiting AS (
       SELECT e.position, e.id, COALESCE(pg_column_size(e.details), 0) AS bytes FROM audit_events e
       WHERE e.position >= ${since}::text::bigint AND e.position < ${horizon}::text::bigint
       ORDER BY e.position LIMIT ${constant(SEAL_ROWS_MAX + 1)}),
     summed AS (SELECT position, row_number() OVER upto AS place, sum(bytes) OVER upto AS bytes FROM waiting
       WINDOW upto AS (ORDER BY position, id ROWS UNBOUNDED PRECEDING))
     SELECT position::text FROM summed
     WHERE place > ${constant(SEAL_ROWS_MAX)} OR bytes > ${constant(SEAL_BYTES_MAX)} ORDER BY summed.position LIMIT 1`,
  );
  const until = async (position: string) => ({
    batch: await query<Row>(
      sql`SELECT e.id::text, e.position::text, ${ROW_MONTH} AS month, ${ROW_TEXT} AS text FROM audit_events e
       WHERE e.position >= ${since}::text::bigint AND e.position < ${position}::text::bigint ORDER BY e.position, e.id`,
    ),
    position,
    isFull: end !== undefined,
  });
  if (!end) return until(horizon);
  const next = await until(end.position);
  // Empty if a single transaction wrote more rows than fit in a seal.
  return next.batch.length > 0 ? next : until(String(BigInt(end.position) + 1n));
}

/** Returns the age of the oldest row without a seal, in seconds; 0 if all have one. */
export async function sealDelay(): Promise<number> {
  const [oldest] = await rows<{ seconds: number }>(
    sql`SELECT COALESCE(extract(epoch FROM now() - min(at)), 0)::float AS seconds FROM audit_events
     WHERE position >= COALESCE((SELECT position FROM audit_seals ORDER BY id DESC LIMIT 1), 0)`,
  );
  return Math.max(0, oldest?.seconds ?? 0);
}

/**
 * The most seconds a row may stay unsealed. It waits for older transactions to end, which normally takes far less.
 */
const LATEST_SECONDS = 5 * 60;

/**
 * Logs an alarm while rows stay unsealed for too long, because unsealed rows can be changed unnoticed. The cause is an
 * open transaction, a held sealing lock, or a changed function in the database. Called by the worker.
 */
export async function reportLateSeals(): Promise<void> {
  const [late] = await rows<{ seconds: number }>(
    sql`SELECT extract(epoch FROM now() - min(at))::int AS seconds FROM audit_events
     WHERE position >= COALESCE((SELECT position FROM audit_seals ORDER BY id DESC LIMIT 1), 0)
     HAVING min(at) < now() - make_interval(secs => ${LATEST_SECONDS})`,
  );
  if (late)
    log.error(
      { alarm: "audit_not_sealed", ...late },
      "Rows of the audit trail have waited too long for their seal",
    );
}

/** Drops the months older than AUDIT_KEEP_MONTHS. The database records each drop. Called by the worker. */
export async function dropOldMonths(): Promise<void> {
  await rows(
    sql`WITH months AS MATERIALIZED (
       SELECT to_date(right(relid::text, 7), 'YYYY_MM') AS month FROM pg_partition_tree('audit_events')
       WHERE relid::text ~ '^audit_events_[0-9]{4}_[0-9]{2}$')
     SELECT drop_audit_month(month, NULL, 'The program') FROM months
     WHERE month + make_interval(months => 1 + (SELECT max(months) FROM audit_retention)) <= now()`,
  );
}

/** The part of a seal that is stored outside the database. */
export type ExternalSeal = { id: number; hmac: string };

/** Returns the newest seal, for storage outside the database; null if there is none yet. */
export async function newestSeal(query: Query = rows): Promise<ExternalSeal | null> {
  const [seal] = await query<ExternalSeal>(
    sql`SELECT id, encode(hmac, 'hex') AS hmac FROM audit_seals ORDER BY id DESC LIMIT 1`,
  );
  return seal ?? null;
}

/**
 * Writes the newest seal to the log, so that it is also stored outside the database. Called by the worker.
 */
export async function logNewestSeal(): Promise<void> {
  const auditSeal = await newestSeal();
  if (auditSeal) alarmLog.info({ auditSeal }, "The newest seal of the audit trail");
}
