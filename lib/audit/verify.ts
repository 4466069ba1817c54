import "server-only";
import type pg from "pg";
import { type SealKey, sealKeys } from "@/lib/audit/former";
import {
  ENTRY_BYTES,
  entryOf,
  type KeptSeal,
  ROW_MONTH,
  ROW_TEXT,
  type Seal,
  sameBytes,
  sealHmac,
} from "@/lib/audit/seals";

const PAGE = 20_000;

export type Verdict = {
  rows: number;
  seals: number;
  /** Rows that no seal covers yet. */
  unsealed: number;
  /** What was found, one sentence each. */
  findings: string[];
};

type StoredSeal = Seal & { hmac: Uint8Array };
type Row = { id: string; position: string; month: number; text: string; dropped: number | null };

/**
 * Compares every row of the trail with the seals, these with each other, and with those that were kept outside. It says
 * of each row that was changed, added, moved or is missing which one it is. `client` is its own: it holds one snapshot.
 */
export async function verifyAudit(client: pg.ClientBase, kept: readonly KeptSeal[] = []): Promise<Verdict> {
  await client.query("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
  try {
    return await compareTrail(client, kept);
  } finally {
    await client.query("ROLLBACK");
  }
}

/** The same in a transaction of the caller's. */
export async function compareTrail(client: pg.ClientBase, kept: readonly KeptSeal[] = []): Promise<Verdict> {
  const findings: string[] = [];
  const rowsLeft = pages<Row>(
    client,
    "audit_rows",
    `SELECT e.id::text, e.position::text, ${ROW_MONTH} AS month, ${ROW_TEXT} AS text,
       CASE WHEN e.action = 'purged' AND e.entity = 'auditMonth' THEN e.entity_id END AS dropped
     FROM audit_events e ORDER BY e.position, e.id`,
  );
  // The first position that a row written now can have: what stands beyond the ids given so far was put there.
  const { rows: now } = await client.query<{ next: string }>(
    "SELECT (pg_snapshot_xmax(pg_current_snapshot())::text::bigint + audit_offset())::text AS next",
  );
  const end = BigInt(now[0]?.next ?? 0);
  const keys = await sealKeys(async (text, values = []) => (await client.query(text, [...values])).rows);
  const [missing, added] = [new Map<string, number>(), new Map<string, number>()];
  const dropped = new Set<number>();
  const known = new Map(kept.map(({ id, hmac }) => [id, hmac]));
  let [counted, seals, unsealed] = [0, 0, 0];
  let former: StoredSeal | null = null;
  let next = await rowsLeft.next();

  for await (const seal of sealsOf(client)) {
    seals += 1;
    const { key, findings: wrong } = aboutSeal(seal, former, known, keys);
    findings.push(...wrong);
    const expected = new Map<string, Buffer>();
    const entries = Buffer.from(seal.entries);
    for (let at = 0; at + ENTRY_BYTES <= entries.length; at += ENTRY_BYTES) {
      const entry = entries.subarray(at, at + ENTRY_BYTES);
      expected.set(String(entry.readBigInt64BE()), entry);
    }
    for (; !next.done && BigInt(next.value.position) < BigInt(seal.position); next = await rowsLeft.next()) {
      const row = next.value;
      counted += 1;
      const entry = expected.get(row.id);
      if (!entry) added.set(row.id, row.month);
      else if (!sameBytes(entry, entryOf(row, key)))
        findings.push(`Row ${row.id} (${monthOf(row.month)}) was changed.`);
      else if (row.dropped !== null) dropped.add(row.dropped);
      expected.delete(row.id);
    }
    for (const [id, entry] of expected) missing.set(id, entry.readInt32BE(8));
    former = seal;
  }
  for (; !next.done; next = await rowsLeft.next()) {
    counted += 1;
    unsealed += 1;
    // A row that was sealed and stands further on now, or where no transaction can have put it.
    const { id, month, position } = next.value;
    if (missing.has(id) || BigInt(position) >= end) added.set(id, month);
  }
  for (const [id, month] of missing) {
    if (added.has(id)) findings.push(`Row ${id} (${monthOf(month)}) was moved.`);
    else if (!dropped.has(month)) findings.push(`Row ${id} (${monthOf(month)}) is missing.`);
  }
  for (const [id, month] of added)
    if (!missing.has(id)) findings.push(`Row ${id} (${monthOf(month)}) was added after its time was sealed.`);
  for (const id of known.keys()) findings.push(`Seal ${id}, which was kept outside, is missing.`);
  return { rows: counted, seals, unsealed, findings };
}

/**
 * What is wrong with a seal, given the one before, and the key that it was made with; those that were kept outside
 * leave `known` when they are found.
 */
function aboutSeal(
  seal: StoredSeal,
  former: StoredSeal | null,
  known: Map<number, string>,
  keys: readonly [SealKey, ...SealKey[]],
): { key: Buffer; findings: string[] } {
  const findings: string[] = [];
  const madeWith = keys.find(({ key }) => sameBytes(seal.hmac, sealHmac(seal, former?.hmac ?? null, key)));
  const first = (former?.id ?? 0) + 1;
  if (seal.id > first) findings.push(`Of the seals, ${first} to ${seal.id - 1} are missing.`);
  if (!madeWith || seal.entries.length % ENTRY_BYTES > 0)
    findings.push(`Seal ${seal.id} was changed, or what stood before it.`);
  else if (seal.id > madeWith.lastSeal)
    findings.push(`Seal ${seal.id} was made with an AUTH_SECRET that had been replaced.`);
  const hmac = known.get(seal.id);
  if (hmac !== undefined && hmac !== Buffer.from(seal.hmac).toString("hex"))
    findings.push(`Seal ${seal.id} is not the one that was kept outside.`);
  known.delete(seal.id);
  // Of one that no key has made: the key that was in use then.
  const { key } = madeWith ?? keys.findLast(({ lastSeal }) => lastSeal >= seal.id) ?? keys[0];
  return { key, findings };
}

/** `202611` → `2026-11`. */
const monthOf = (month: number) => `${Math.floor(month / 100)}-${String(month % 100).padStart(2, "0")}`;

const sealsOf = (client: pg.ClientBase) =>
  pages<StoredSeal>(
    client,
    "audit_seals_read",
    "SELECT id, at, position::text, entries, hmac FROM audit_seals ORDER BY id",
    100,
  );

/** The rows of a statement, some at a time, in the snapshot of the client's transaction. */
async function* pages<T extends pg.QueryResultRow>(
  client: pg.ClientBase,
  cursor: string,
  select: string,
  size = PAGE,
): AsyncGenerator<T, undefined> {
  await client.query(`DECLARE ${cursor} CURSOR FOR ${select}`);
  for (;;) {
    const { rows } = await client.query<T>(`FETCH ${size} FROM ${cursor}`);
    yield* rows;
    if (rows.length < size) return;
  }
}
