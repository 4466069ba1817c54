import "server-only";
import { newestSeal, SEAL_LOCK, SEALS } from "@/lib/audit/seals";
import { OWN_DETAILS } from "@/lib/audit/values";
import type { Query } from "@/lib/database/client";
import { decryptAny, encrypt, keyFor, keysFor, secretIds } from "@/lib/server/cipher";

// Sealed rows of the audit trail cannot be encrypted or sealed again. So when AUTH_SECRET is replaced, the keys that the
// trail has from the former one are kept in former_keys, encrypted under the present one.

export type FormerKeys = {
  details: Buffer;
  seals: Buffer;
  /** The newest seal made with them: whoever learns the former secret cannot seal anything later. */
  lastSeal: number;
};

const WRAPPING = "former keys v1";

type Row = { id: Uint8Array; wrapped: Uint8Array };
const readRows = (query: Query) => query<Row>("SELECT secret_id AS id, wrapped FROM former_keys");

/** The keys of former secrets, except those that can no longer be opened. */
export async function readFormerKeys(query: Query): Promise<FormerKeys[]> {
  return (await readRows(query)).flatMap(({ id, wrapped }) => {
    const opened = decryptAny(keysFor(WRAPPING), wrapped, id);
    if (!opened) return [];
    const { details, seals, lastSeal } = JSON.parse(opened.toString("utf8"));
    return [{ details: Buffer.from(details, "hex"), seals: Buffer.from(seals, "hex"), lastSeal }];
  });
}

/**
 * Keeps what the trail needs of AUTH_SECRET_PREVIOUS, and brings what is kept of older secrets under the present one.
 * In a transaction: nothing is sealed meanwhile, and whatever process still works with the former secret seals no more.
 */
export async function keepFormerKeys(query: Query): Promise<void> {
  const [presentId, previousId] = secretIds();
  const [[, details], [, seals]] = [keysFor(OWN_DETAILS), keysFor(SEALS)];
  if (!previousId || !details || !seals) return;
  await query("SELECT pg_advisory_xact_lock($1)::text", [SEAL_LOCK]);
  // A secret that is taken back into use is none of the former ones.
  await query("DELETE FROM former_keys WHERE secret_id = $1", [presentId]);
  const kept = await readRows(query);
  const keep = async (id: Uint8Array, content: Buffer) =>
    query(
      `INSERT INTO former_keys (secret_id, wrapped) VALUES ($1, $2)
       ON CONFLICT (secret_id) DO UPDATE SET wrapped = excluded.wrapped`,
      [id, encrypt(keyFor(WRAPPING), content, id)],
    );
  for (const { id, wrapped } of kept) {
    const content = decryptAny(keysFor(WRAPPING), wrapped, id);
    if (content) await keep(id, content);
  }
  if (kept.some(({ id }) => previousId.equals(id))) return;
  const lastSeal = (await newestSeal(query))?.id ?? 0;
  const content = { details: details.toString("hex"), seals: seals.toString("hex"), lastSeal };
  await keep(previousId, Buffer.from(JSON.stringify(content)));
}

export type SealKey = { key: Buffer; lastSeal: number };

/** The keys that seals can have been made with, newest first, and up to which seal. */
export async function sealKeys(query: Query): Promise<[SealKey, ...SealKey[]]> {
  const [present, previous] = keysFor(SEALS);
  const former = (await readFormerKeys(query)).map(({ seals, lastSeal }) => ({ key: seals, lastSeal }));
  // Until a start has noted up to where.
  const unnoted = previous && !former.some(({ key }) => key.equals(previous)) ? [previous] : [];
  const unlimited = (key: Buffer) => ({ key, lastSeal: Number.POSITIVE_INFINITY });
  return [unlimited(present), ...unnoted.map(unlimited), ...former.sort((a, b) => b.lastSeal - a.lastSeal)];
}
