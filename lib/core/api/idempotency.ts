import "server-only";
import { createHmac } from "node:crypto";
import type { SessionUser } from "@/lib/core/access/permissions";
import { type Query, rows } from "@/lib/core/database/client";
import type { Statement } from "@/lib/core/database/record-write";
import { invalid } from "@/lib/core/errors";
import { keysFor } from "@/lib/core/process/cipher";
import { constant, type Sql, sql } from "@/lib/core/sql";

const LIFETIME_HOURS = 24;

const EXPIRED = sql`created_at < now() - make_interval(hours => ${constant(LIFETIME_HOURS)})`;
/** Skips those that another request is deleting. */
const REMOVE_OLD = sql`DELETE FROM idempotency_keys
  WHERE id IN (SELECT id FROM idempotency_keys WHERE ${EXPIRED} FOR UPDATE SKIP LOCKED)`;

/** The `Idempotency-Key` of a creation. */
export type CreationKey = {
  /**
   * Returns the id of the record that an earlier request with the key created; null if there was none. Requests with the
   * same key wait here until the transaction of `query` ends. Throws 422 if the earlier body was a different one.
   */
  claim: (query: Query) => Promise<number | null>;
  /** Adds to the creation's statement the part that stores the key; the part `row` has the record's id. */
  keep: (statement: Statement, row: Sql) => void;
};

/**
 * Returns the key of a user's creation; null without one. Throws 422 for a key that is empty or too long. Only a keyed
 * hash of the body is stored. From a plain hash, a client's name could be guessed.
 */
export function creationKey(
  { userId }: SessionUser,
  key: string | null,
  body: Readonly<Record<string, unknown>>,
): CreationKey | null {
  if (key === null) return null;
  if (key.length === 0 || key.length > 255)
    throw invalid("Idempotency-Key", "Idempotency Key must have 1 to 255 characters");
  const text = JSON.stringify(body) ?? "";
  const [bodyHash = "", ...formerHashes] = keysFor("idempotent bodies v1").map((hashing) =>
    createHmac("sha256", hashing).update(text).digest("hex"),
  );
  return {
    async claim(query) {
      await query(sql`SELECT pg_advisory_xact_lock(hashtextextended(${`${userId} ${key}`}, 1))::text`);
      const [first] = await query<{ bodyHash: string; recordId: number }>(
        sql`SELECT body_hash AS "bodyHash", record_id AS "recordId" FROM idempotency_keys
         WHERE user_id = ${userId} AND key = ${key} AND NOT ${EXPIRED}`,
      );
      if (!first) return null;
      if (first.bodyHash !== bodyHash && !formerHashes.includes(first.bodyHash))
        throw invalid("Idempotency-Key", "Idempotency Key was already used for another request");
      return first.recordId;
    },
    keep: (statement, row) => {
      const [entity] = Object.keys(body);
      statement.with(
        sql`INSERT INTO idempotency_keys (user_id, key, body_hash, entity, record_id)
         SELECT ${userId}::int, ${key}, ${bodyHash}, ${entity}, id FROM ${row}
         ON CONFLICT (user_id, key) DO UPDATE SET body_hash = EXCLUDED.body_hash, entity = EXCLUDED.entity,
           record_id = EXCLUDED.record_id, created_at = EXCLUDED.created_at`,
      );
    },
  };
}

/** Deletes expired keys. */
export async function removeOldKeys(): Promise<void> {
  await rows(REMOVE_OLD);
}
