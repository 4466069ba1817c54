import "server-only";
import { createHmac } from "node:crypto";
import { busy, invalid } from "@/lib/api/errors";
import type { SessionUser } from "@/lib/auth/permissions";
import { type Db, db, type Tx } from "@/lib/database/client";
import { keysFor } from "@/lib/server/cipher";

const LIFETIME_HOURS = 24;

/**
 * Runs a creation once per user and `Idempotency-Key` and returns the id of the created record (contract §4, §7). The
 * same key with the same body returns the same id; with another body it is 422; while the first request still runs,
 * 409. The key is written in the transaction of the creation, so a crash leaves neither. Only a keyed hash of the body
 * is stored: with a plain hash, a client's name could be found by guessing.
 */
export async function once(
  tx: Tx,
  actor: SessionUser,
  key: string | null,
  body: unknown,
  create: () => Promise<number>,
): Promise<number> {
  if (key === null) return create();
  if (key.length === 0 || key.length > 255)
    throw invalid("Idempotency-Key", "Idempotency Key must have 1 to 255 characters");
  const scope = `idempotency ${actor.userId} ${key}`;
  const [lock] = await tx.$queryRaw<
    { held: boolean }[]
  >`SELECT pg_try_advisory_xact_lock(hashtextextended(${scope}, 0)) AS held`;
  if (!lock?.held) throw busy("The same request is still running.");

  await removeOldKeys(tx);
  const text = JSON.stringify(body) ?? "";
  const [bodyHash = "", ...formerHashes] = keysFor("idempotent bodies v1").map((hashing) =>
    createHmac("sha256", hashing).update(text).digest("hex"),
  );
  const first = await tx.idempotencyKey.findUnique({ where: { userId_key: { userId: actor.userId, key } } });
  if (first && first.bodyHash !== bodyHash && !formerHashes.includes(first.bodyHash)) {
    throw invalid("Idempotency-Key", "Idempotency Key was already used for another request");
  }
  if (first) return first.recordId;
  const recordId = await create();
  await tx.idempotencyKey.create({ data: { userId: actor.userId, key, bodyHash, recordId } });
  return recordId;
}

/** Deletes expired keys, skipping those that another request is deleting. */
export async function removeOldKeys(tx: Tx | Db = db()): Promise<void> {
  await tx.$executeRaw`DELETE FROM idempotency_keys WHERE id IN (
    SELECT id FROM idempotency_keys WHERE created_at < now() - make_interval(hours => ${LIFETIME_HOURS})
    FOR UPDATE SKIP LOCKED)`;
}
