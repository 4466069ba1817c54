import "server-only";
import { createHmac } from "node:crypto";
import { busy, invalid } from "@/lib/api/errors";
import type { SessionUser } from "@/lib/auth/permissions";
import { type Query, rows } from "@/lib/database/client";
import type { Statement } from "@/lib/database/record-write";
import { keysFor } from "@/lib/server/cipher";

const LIFETIME_HOURS = 24;

const EXPIRED = `created_at < now() - make_interval(hours => ${LIFETIME_HOURS})`;
/** Skips those that another request is deleting. */
const REMOVE_OLD = `DELETE FROM idempotency_keys
  WHERE id IN (SELECT id FROM idempotency_keys WHERE ${EXPIRED} FOR UPDATE SKIP LOCKED)`;

/** Adds to the statement of a creation what keeps the key; the part `row` knows the record's id. */
type KeepKey = (statement: Statement, row: string) => void;

/**
 * Runs a creation once per user and `Idempotency-Key` and returns the id of the created record (contract §4, §7). The
 * same key with the same body returns the same id, as `repeated`; with another body it is 422; while the first request
 * still runs, 409. The key is written by the statement of the creation, so a crash leaves neither. Only a keyed hash of
 * the body is stored: with a plain hash, a client's name could be found by guessing. `query` is a transaction's.
 */
export async function once(
  query: Query,
  { userId }: SessionUser,
  key: string | null,
  body: Readonly<Record<string, unknown>>,
  create: (keep: KeepKey) => Promise<number>,
): Promise<{ id: number; repeated: boolean }> {
  if (key === null) return { id: await create(() => {}), repeated: false };
  if (key.length === 0 || key.length > 255)
    throw invalid("Idempotency-Key", "Idempotency Key must have 1 to 255 characters");
  const [lock] = await query<{ held: boolean }>(
    "SELECT pg_try_advisory_xact_lock(hashtextextended($1, 0)) AS held",
    [`idempotency ${userId} ${key}`],
  );
  if (!lock?.held) throw busy("The same request is still running.");

  const text = JSON.stringify(body) ?? "";
  const [bodyHash = "", ...formerHashes] = keysFor("idempotent bodies v1").map((hashing) =>
    createHmac("sha256", hashing).update(text).digest("hex"),
  );
  const [first] = await query<{ bodyHash: string; recordId: number }>(
    `WITH old AS (${REMOVE_OLD})
     SELECT body_hash AS "bodyHash", record_id AS "recordId" FROM idempotency_keys
     WHERE user_id = $1 AND key = $2 AND NOT ${EXPIRED}`,
    [userId, key],
  );
  if (first && first.bodyHash !== bodyHash && !formerHashes.includes(first.bodyHash)) {
    throw invalid("Idempotency-Key", "Idempotency Key was already used for another request");
  }
  if (first) return { id: first.recordId, repeated: true };
  const id = await create((statement, row) => {
    const [entity] = Object.keys(body);
    const [user, name, hash, what] = [userId, key, bodyHash, entity].map((value) => statement.bind(value));
    statement.with(
      `INSERT INTO idempotency_keys (user_id, key, body_hash, entity, record_id)
       SELECT ${user}::int, ${name}, ${hash}, ${what}, id FROM ${row}`,
    );
  });
  return { id, repeated: false };
}

/** Deletes expired keys. */
export async function removeOldKeys(): Promise<void> {
  await rows(REMOVE_OLD);
}
