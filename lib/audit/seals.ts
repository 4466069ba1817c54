import "server-only";
import { createHmac, timingSafeEqual } from "node:crypto";
import { db, type Query, queryIn, rows } from "@/lib/database/client";
import { keyFor, secretIds } from "@/lib/server/cipher";

// Seals make changes of the audit trail detectable. One covers the rows that stand between the position of the seal
// before and its own: transactions get their ids in that order, and none below the horizon is still under way, so no
// row can come there any more. It holds an entry for each row, and an HMAC over these and the seal before, with a key
// that the database does not hold. Whoever has both the database and the key can still not shorten the past, since seals
// are kept elsewhere too: in the log and in each backup.

/** Of an entry: the row's id (8 bytes), its month as 202611 (4), the beginning of its HMAC (16). */
export const ENTRY_BYTES = 28;
const MAC_BYTES = 16;
/** Rows of a seal, unless one transaction has written more. */
const MOST = 10_000;
/** One process seals at a time. */
export const SEAL_LOCK = 7_233_003;

/** The purpose of the seals' key. */
export const SEALS = "audit seals v1";

/** All that a row holds, as one text which no setting of a connection changes; of the alias `e`. */
export const ROW_TEXT = `ROW(e.id, (extract(epoch FROM e.at) * 1000)::bigint, e.position, e.user_id, e.user_name, e.action,
  e.entity, e.entity_id, e.client_id, e.request_id, e.address, e.fields, e.rows, e.shown, e.key_id,
  encode(e.details, 'hex'))::text`;
/** The month of a row as 202611. */
export const ROW_MONTH = `to_char(e.at AT TIME ZONE 'UTC', 'YYYYMM')::int`;

type Row = { id: string; position: string; month: number; text: string };

/** The entry of a row. */
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

/** The HMAC of a seal after the one whose HMAC is `former`. */
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

/** Seals all rows that can be sealed, if no other process is at it. For the worker. */
export async function sealAudit(): Promise<void> {
  while (await sealSome());
}

/** Whether there may be more. */
async function sealSome(): Promise<boolean> {
  return db().$transaction(async (tx) => {
    const query = queryIn(tx);
    const [begin] = await query<{ held: boolean; horizon: string }>(
      "SELECT pg_try_advisory_xact_lock($1) AS held, audit_horizon()::text AS horizon",
      [SEAL_LOCK],
    );
    if (!begin?.held) return false;
    // Another process has begun to work with a newer secret; it seals from now on.
    const [id] = secretIds();
    if ((await query("SELECT FROM former_keys WHERE secret_id = $1", [id])).length > 0) return false;
    const [last] = await query<{ id: number; position: string; hmac: Uint8Array }>(
      "SELECT id, position::text, hmac FROM audit_seals ORDER BY id DESC LIMIT 1",
    );
    const { batch, position, isFull } = await nextBatch(query, last?.position ?? "0", begin.horizon);
    if (batch.length === 0) return false;
    const key = keyFor(SEALS);
    const entries = Buffer.concat(batch.map((row) => entryOf(row, key)));
    const seal = { id: (last?.id ?? 0) + 1, at: new Date(), position, entries };
    await query(
      "INSERT INTO audit_seals (id, at, position, entries, hmac) VALUES ($1, $2::timestamptz, $3::text::bigint, $4, $5)",
      [seal.id, seal.at.toISOString(), position, entries, sealHmac(seal, last?.hmac ?? null, key)],
    );
    return isFull;
  });
}

/** The next rows to be sealed, none of a transaction without its others, and the position up to which they stand. */
async function nextBatch(query: Query, since: string, horizon: string) {
  const read = (from: string, to: string, limit = "") =>
    query<Row>(
      `SELECT e.id::text, e.position::text, ${ROW_MONTH} AS month, ${ROW_TEXT} AS text FROM audit_events e
       WHERE e.position >= $1::text::bigint AND e.position < $2::text::bigint ORDER BY e.position, e.id ${limit}`,
      [from, to],
    );
  const found = await read(since, horizon, `LIMIT ${MOST + 1}`);
  const last = found.at(-1);
  if (!last || found.length <= MOST) return { batch: found, position: horizon, isFull: false };
  if (found[0]?.position !== last.position)
    return {
      batch: found.filter(({ position }) => position !== last.position),
      position: last.position,
      isFull: true,
    };
  const position = String(BigInt(last.position) + 1n);
  return { batch: await read(last.position, position), position, isFull: true };
}

/** A seal as it is kept outside the database. */
export type KeptSeal = { id: number; hmac: string };

/** The newest seal, to be kept outside the database; null while there is none. */
export async function newestSeal(query: Query = rows): Promise<KeptSeal | null> {
  const [seal] = await query<KeptSeal>(
    "SELECT id, encode(hmac, 'hex') AS hmac FROM audit_seals ORDER BY id DESC LIMIT 1",
  );
  return seal ?? null;
}

/** Writes the newest seal into the log, where it is out of the database's reach. For the worker. */
export async function logNewestSeal(): Promise<void> {
  const auditSeal = await newestSeal();
  if (auditSeal) console.log(JSON.stringify({ level: "info", auditSeal }));
}
