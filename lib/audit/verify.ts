import "server-only";
import type pg from "pg";
import { type SealKey, sealKeys } from "@/lib/audit/former-keys";
import {
  ENTRY_BYTES,
  type ExternalSeal,
  entryOf,
  ROW_MONTH,
  ROW_TEXT,
  type Seal,
  sameBytes,
  sealHmac,
} from "@/lib/audit/seals";
import { queryOn } from "@/lib/core/database/client";
import { env } from "@/lib/core/process/env";
import { identifier, type Sql, sql } from "@/lib/core/sql";

/** The rows read at once. One can have some megabytes of recorded values. */
const PAGE = 100;

type Verdict = {
  rows: number;
  seals: number;
  /** The number of rows that no seal covers yet. */
  unsealed: number;
  /** One sentence for each problem. */
  findings: string[];
};

type StoredSeal = Seal & { hmac: Uint8Array };
type Row = { id: string; position: string; month: number; text: string; dropped: number | null };

/**
 * Compares each row of the trail with its seal, each seal with its predecessor, and all with those outside. Names each
 * row that was changed, added, moved, or removed. The comparison runs in one snapshot, so nothing else may use `client`
 * at the same time.
 */
export async function verifyAudit(
  client: pg.ClientBase,
  externalSeals: readonly ExternalSeal[] = [],
): Promise<Verdict> {
  await client.query("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
  try {
    return await compareTrail(client, externalSeals);
  } finally {
    await client.query("ROLLBACK");
  }
}

/** Like `verifyAudit`, in the transaction that `client` has open. */
export async function compareTrail(
  client: pg.ClientBase,
  externalSeals: readonly ExternalSeal[] = [],
): Promise<Verdict> {
  const findings: string[] = [];
  const rowsLeft = pages<Row>(
    client,
    "audit_rows",
    sql`SELECT e.id::text, e.position::text, ${ROW_MONTH} AS month, ${ROW_TEXT} AS text,
       CASE WHEN e.action = 'purged' AND e.entity = 'auditMonth' THEN e.entity_id END AS dropped
     FROM audit_events e ORDER BY e.position, e.id`,
  );
  // The first position that a row written from now on can have. A row at or beyond it was inserted by hand.
  const { rows: now } = await client.query<{ next: string }>(
    "SELECT (pg_snapshot_xmax(pg_current_snapshot())::text::bigint + audit_offset())::text AS next",
  );
  const end = BigInt(now[0]?.next ?? 0);
  const keys = await sealKeys(queryOn(client));
  const missing = new Map<string, { month: number; seal: number }>();
  const newRows = new Map<string, number>();
  const seenMonths = new Set<number>();
  // The dropped months, each with the seal that covers the record of the drop.
  const dropped = new Map<number, number>();
  const externalHmacs = new Map(externalSeals.map(({ id, hmac }) => [id, hmac]));
  let rowCount = 0;
  let seals = 0;
  let unsealed = 0;
  let sealedByPresent = false;
  let former: StoredSeal | null = null;
  let next = await rowsLeft.next();

  for await (const seal of sealsOf(client)) {
    seals += 1;
    const { key, findings: wrong } = checkSeal(seal, former, externalHmacs, keys);
    findings.push(...wrong);
    sealedByPresent ||= key === keys[0].key;
    const expected = new Map<string, Buffer>();
    const entries = Buffer.from(seal.entries);
    for (let at = 0; at + ENTRY_BYTES <= entries.length; at += ENTRY_BYTES) {
      const entry = entries.subarray(at, at + ENTRY_BYTES);
      expected.set(String(entry.readBigInt64BE()), entry);
    }
    for (; !next.done && BigInt(next.value.position) < BigInt(seal.position); next = await rowsLeft.next()) {
      const row = next.value;
      rowCount += 1;
      const entry = expected.get(row.id);
      if (!entry) newRows.set(row.id, row.month);
      else if (!sameBytes(entry, entryOf(row, key)))
        findings.push(`Row ${row.id} (${monthOf(row.month)}) was changed.`);
      else if (row.dropped !== null && mayBeDropped(row.dropped) && !seenMonths.has(row.dropped))
        dropped.set(row.dropped, seal.id);
      seenMonths.add(row.month);
      expected.delete(row.id);
    }
    for (const [id, entry] of expected) missing.set(id, { month: entry.readInt32BE(8), seal: seal.id });
    former = seal;
  }
  // The first start with the current secret stores these keys before anything is sealed with it.
  const unlimited = keys.slice(1).some(({ lastSeal }) => lastSeal === Number.POSITIVE_INFINITY);
  if (unlimited && sealedByPresent)
    findings.push("The stored keys of AUTH_SECRET_PREVIOUS were removed: with them, seals can be forged.");
  for (; !next.done; next = await rowsLeft.next()) {
    rowCount += 1;
    unsealed += 1;
    // Either it was sealed at an earlier position, or no transaction can have written it here.
    const { id, month, position } = next.value;
    if (missing.has(id) || BigInt(position) >= end) newRows.set(id, month);
  }
  for (const [id, { month, seal }] of missing) {
    if (newRows.has(id)) findings.push(`Row ${id} (${monthOf(month)}) was moved.`);
    else if (seal > (dropped.get(month) ?? 0)) findings.push(`Row ${id} (${monthOf(month)}) is missing.`);
  }
  for (const [id, month] of newRows)
    if (!missing.has(id)) findings.push(`Row ${id} (${monthOf(month)}) was added after its time was sealed.`);
  for (const id of externalHmacs.keys())
    findings.push(`Seal ${id}, which is stored outside the database, is missing.`);
  return { rows: rowCount, seals, unsealed, findings };
}

/**
 * True if a month is older than AUDIT_KEEP_MONTHS, by this machine's clock and environment. The database is not asked.
 * An attacker who controls it can record that any month was dropped, and change the retention period.
 */
function mayBeDropped(month: number): boolean {
  const keptUntil = new Date(Date.UTC(Math.floor(month / 100), month % 100));
  keptUntil.setUTCMonth(keptUntil.getUTCMonth() + env().AUDIT_KEEP_MONTHS);
  return keptUntil.getTime() <= Date.now();
}

/**
 * Returns the problems of a seal, given the previous one, and the key it was made with. If the seal is also stored
 * outside the database, it is compared with that and removed from `externalHmacs`.
 */
function checkSeal(
  seal: StoredSeal,
  former: StoredSeal | null,
  externalHmacs: Map<number, string>,
  keys: readonly [SealKey, ...SealKey[]],
): { key: Buffer; findings: string[] } {
  const findings: string[] = [];
  const madeWith = keys.find(({ key }) => sameBytes(seal.hmac, sealHmac(seal, former?.hmac ?? null, key)));
  const first = (former?.id ?? 0) + 1;
  if (seal.id > first) findings.push(`Seals ${first} to ${seal.id - 1} are missing.`);
  if (!madeWith || seal.entries.length % ENTRY_BYTES > 0)
    findings.push(`Seal ${seal.id} or the seal before it was changed.`);
  else if (seal.id > madeWith.lastSeal)
    findings.push(`Seal ${seal.id} was made with an AUTH_SECRET that had been replaced.`);
  const hmac = externalHmacs.get(seal.id);
  if (hmac !== undefined && hmac !== Buffer.from(seal.hmac).toString("hex"))
    findings.push(`Seal ${seal.id} differs from the one stored outside the database.`);
  externalHmacs.delete(seal.id);
  // If no key fits, its rows are still compared, with the key in use at that time.
  const { key } = madeWith ?? keys.findLast(({ lastSeal }) => lastSeal >= seal.id) ?? keys[0];
  return { key, findings };
}

/** `202611` → `2026-11`. */
const monthOf = (month: number) => `${Math.floor(month / 100)}-${String(month % 100).padStart(2, "0")}`;

const sealsOf = (client: pg.ClientBase) =>
  pages<StoredSeal>(
    client,
    "audit_seals_read",
    sql`SELECT id, at, position::text, entries, hmac FROM audit_seals ORDER BY id`,
  );

/**
 * Yields the rows of a statement in batches within the client's transaction. Each batch is fetched while the one
 * before is compared.
 */
async function* pages<T extends pg.QueryResultRow>(
  client: pg.ClientBase,
  cursor: string,
  select: Sql,
): AsyncGenerator<T, undefined> {
  await client.query(sql`DECLARE ${identifier(cursor)} CURSOR FOR ${select}`);
  const fetch = () => {
    const fetching = client.query<T>(`FETCH ${PAGE} FROM ${cursor}`);
    // If the comparison fails first, this promise is never awaited.
    fetching.catch(() => {});
    return fetching;
  };
  for (let nextBatch = fetch(); ; ) {
    const { rows } = await nextBatch;
    const isLast = rows.length < PAGE;
    if (!isLast) nextBatch = fetch();
    yield* rows;
    if (isLast) return;
  }
}
