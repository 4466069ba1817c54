import "server-only";
import { createHmac } from "node:crypto";
import type { SessionUser } from "@/lib/core/access/permissions";
import { busy, invalid, isUniqueViolation } from "@/lib/core/api/errors";
import { type Query, rows } from "@/lib/core/database/client";
import type { Statement } from "@/lib/core/database/record-write";
import { constant, type Sql, sql } from "@/lib/core/database/sql";
import { keysFor } from "@/lib/core/server/cipher";

const LIFETIME_HOURS = 24;

const EXPIRED = sql`created_at < now() - make_interval(hours => ${constant(LIFETIME_HOURS)})`;
/** Skips those that another request is deleting. */
const REMOVE_OLD = sql`DELETE FROM idempotency_keys
  WHERE id IN (SELECT id FROM idempotency_keys WHERE ${EXPIRED} FOR UPDATE SKIP LOCKED)`;

/** The number of attempts at a creation, if data it read changes before it writes. */
const ATTEMPTS_MAX = 3;

type First = { bodyHash: string; recordId: number };
/** The part of a creation's reads that concerns its key. */
export type Keyed = { first: First | null };

/** The `Idempotency-Key` of a creation, as parts of its reads and writes. */
export type CreationKey = {
  /** The column `first` of `Keyed`: the record of an earlier request with the key; null if there was none. */
  first: Sql;
  /**
   * Returns the id of the record that the earlier request created. Throws 422 if its body was a different one.
   */
  recordOf: (first: First) => number;
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
    first: sql`(SELECT json_build_object('bodyHash', body_hash, 'recordId', record_id) FROM idempotency_keys
      WHERE user_id = ${userId} AND key = ${key} AND NOT ${EXPIRED})`,
    recordOf: (first) => {
      if (first.bodyHash !== bodyHash && !formerHashes.includes(first.bodyHash))
        throw invalid("Idempotency-Key", "Idempotency Key was already used for another request");
      return first.recordId;
    },
    keep: (statement, row) => {
      const [entity] = Object.keys(body);
      statement.with(
        sql`INSERT INTO idempotency_keys (user_id, key, body_hash, entity, record_id)
         SELECT ${userId}::int, ${key}, ${bodyHash}, ${entity}, id FROM ${row}`,
      );
    },
  };
}

/** Returns the record of an earlier request with the key, if any. A transaction that waited for a lock reads it again. */
export async function readFirst(query: Query, key: CreationKey | null): Promise<Keyed> {
  const [read] = key ? await query<Keyed>(sql`SELECT ${key.first} AS first`) : [];
  return read ?? { first: null };
}

/**
 * Runs a creation once per user and key, and returns the id of the created record. The same key with the same body
 * returns the same id, as `repeated`. While the first request still runs, throws 409. `write` is one statement that
 * also writes the key, so a crash leaves neither. It returns null and writes nothing if the result of `read` has
 * changed.
 */
export async function once<Context extends Keyed>(
  key: CreationKey | null,
  read: () => Promise<Context>,
  write: (context: Context) => Promise<number | null>,
): Promise<{ id: number; repeated: boolean }> {
  for (let tries = 0; tries < ATTEMPTS_MAX; tries++) {
    const context = await read();
    if (key && context.first) return { id: key.recordOf(context.first), repeated: true };
    try {
      const id = await write(context);
      if (id !== null) return { id, repeated: false };
    } catch (error) {
      if (!isUniqueViolation(error, "idempotency_keys_user_id_key_key")) throw error;
      // Another request with the key was faster, which the next read finds, or the key has expired.
      await removeOldKeys();
    }
  }
  throw busy("The same request is still in progress.");
}

/** Deletes expired keys. */
export async function removeOldKeys(): Promise<void> {
  await rows(REMOVE_OLD);
}
