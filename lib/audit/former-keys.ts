import "server-only";
import { newestSeal, SEAL_LOCK, SEALS } from "@/lib/audit/seals";
import { OWN_DETAILS } from "@/lib/audit/values";
import type { Query } from "@/lib/core/database/client";
import { decryptAny, encrypt, keyFor, keysFor, secretIds } from "@/lib/core/process/cipher";
import { sql } from "@/lib/core/sql";

// Sealed rows cannot be encrypted or sealed again, because that would break their seals. So when AUTH_SECRET is
// replaced, the old secret's audit keys are stored in former_keys, encrypted with the new secret.

type FormerKeys = {
  details: Buffer;
  seals: Buffer;
  /**
   * The last seal made with them. A later seal is not accepted, so a leaked old secret cannot seal anything new.
   */
  lastSeal: number;
};

const WRAPPING = "former keys v1";

type Row = { id: Uint8Array; wrapped: Uint8Array };
const readRows = (query: Query) => query<Row>(sql`SELECT secret_id AS id, wrapped FROM former_keys`);

/** Returns the keys derived from old secrets, except those that can no longer be decrypted. */
export async function readFormerKeys(query: Query): Promise<FormerKeys[]> {
  return (await readRows(query)).flatMap(({ id, wrapped }) => {
    const opened = decryptAny(keysFor(WRAPPING), wrapped, id);
    if (!opened) return [];
    const { details, seals, lastSeal } = JSON.parse(opened.toString("utf8"));
    return [{ details: Buffer.from(details, "hex"), seals: Buffer.from(seals, "hex"), lastSeal }];
  });
}

/**
 * Stores the audit keys derived from AUTH_SECRET_PREVIOUS, and encrypts those of older secrets with the current one.
 * Must run in a transaction: it takes the sealing lock. A process that still has the old secret stops sealing once it
 * commits.
 */
export async function storeFormerKeys(query: Query): Promise<void> {
  const [presentId, previousId] = secretIds();
  const [[, details], [, seals]] = [keysFor(OWN_DETAILS), keysFor(SEALS)];
  if (!previousId || !details || !seals) return;
  await query(sql`SELECT pg_advisory_xact_lock(${SEAL_LOCK})::text`);
  // An old secret may be put back into use; then it is no longer a former one.
  await query(sql`DELETE FROM former_keys WHERE secret_id = ${presentId}`);
  const keyRows = await readRows(query);
  const store = async (id: Uint8Array, content: Buffer) =>
    query(
      sql`INSERT INTO former_keys (secret_id, wrapped) VALUES (${id}, ${encrypt(keyFor(WRAPPING), content, id)})
       ON CONFLICT (secret_id) DO UPDATE SET wrapped = excluded.wrapped`,
    );
  for (const { id, wrapped } of keyRows) {
    const content = decryptAny(keysFor(WRAPPING), wrapped, id);
    if (content) await store(id, content);
  }
  if (keyRows.some(({ id }) => previousId.equals(id))) return;
  const lastSeal = (await newestSeal(query))?.id ?? 0;
  const content = { details: details.toString("hex"), seals: seals.toString("hex"), lastSeal };
  await store(previousId, Buffer.from(JSON.stringify(content)));
}

export type SealKey = { key: Buffer; lastSeal: number };

/** Returns the possible keys of seals, newest first, each with the last seal that it may have made. */
export async function sealKeys(query: Query): Promise<[SealKey, ...SealKey[]]> {
  const [present, previous] = keysFor(SEALS);
  const former = (await readFormerKeys(query)).map(({ seals, lastSeal }) => ({ key: seals, lastSeal }));
  // The last seal of this key is unknown until the next start has stored it.
  const notStored = previous && !former.some(({ key }) => key.equals(previous)) ? [previous] : [];
  const unlimited = (key: Buffer) => ({ key, lastSeal: Number.POSITIVE_INFINITY });
  return [unlimited(present), ...notStored.map(unlimited), ...former.sort((a, b) => b.lastSeal - a.lastSeal)];
}
