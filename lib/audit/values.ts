import "server-only";
import { randomBytes, randomUUID } from "node:crypto";
import type { Change } from "@/lib/audit/changes";
import type { Query } from "@/lib/database/client";
import { decryptAny, encrypt, KEY_BYTES, keyFor, keysFor } from "@/lib/server/cipher";

// What the audit trail keeps encrypted. Values about a client stand under a key of that client, which is kept in
// client_keys, itself encrypted under a key derived from AUTH_SECRET: without the row they are lost. All else stands
// under a derived key.

/** What an event holds beside its names and ids. */
export type Details = { changes?: readonly Change[]; search?: string };

/** A client's key as it is stored. */
export type ClientKey = { id: string; wrapped: string };

/** The SQL of a client's newest key, as JSON; null where the client has none yet. */
export const clientKeySql = (clientId: string): string =>
  `(SELECT json_build_object('id', k.id, 'wrapped', encode(k.wrapped, 'base64')) FROM client_keys k
    WHERE k.client_id = ${clientId} ORDER BY k.created_at DESC, k.id DESC LIMIT 1)`;

/** The same, read by itself. */
export async function readClientKey(query: Query, clientId: number): Promise<ClientKey | null> {
  const [found] = await query<{ key: ClientKey | null }>(`SELECT ${clientKeySql("$1")} AS key`, [clientId]);
  return found?.key ?? null;
}

const WRAPPED = Buffer.from("client key");
const DETAILS = Buffer.from("audit details");

const WRAPPING = "client keys v1";
/** What the details that are about no client stand under. */
export const OWN_DETAILS = "audit details v1";

const wrap = (key: Uint8Array) => encrypt(keyFor(WRAPPING), key, WRAPPED);
const unwrap = (wrapped: Uint8Array) => decryptAny(keysFor(WRAPPING), wrapped, WRAPPED);

/** Encrypted details, the key that they stand under, and that key where it is new and has to be stored. */
export type Encrypted = { details: Buffer; keyId: string | null; made?: { id: string; wrapped: Buffer } };

/** Encrypts under the key of the client it is about: the one that is stored, or a new one (null). */
export function encryptForClient(details: Details, stored: ClientKey | null): Encrypted {
  const known = stored && unwrap(Buffer.from(stored.wrapped, "base64"));
  const key = known ?? randomBytes(KEY_BYTES);
  const id = known && stored ? stored.id : randomUUID();
  const bytes = encrypt(key, Buffer.from(JSON.stringify(details)), DETAILS);
  return {
    details: bytes,
    keyId: id,
    ...(!known && { made: { id, wrapped: wrap(key) } }),
  };
}

/** Encrypts what is about no client. */
export const encryptDetails = (details: Details): Encrypted => ({
  details: encrypt(keyFor(OWN_DETAILS), Buffer.from(JSON.stringify(details)), DETAILS),
  keyId: null,
});

/**
 * What was encrypted; null when its key is gone, AUTH_SECRET is another, or a byte was changed. `former` are those keys
 * of the program's own that stood under secrets of before (lib/audit/former.ts).
 */
export function decryptDetails(
  details: Uint8Array,
  keyId: string | null,
  wrapped: Uint8Array | null,
  former: readonly Buffer[] = [],
): Details | null {
  const key = wrapped && unwrap(wrapped);
  const keys = keyId === null ? [...keysFor(OWN_DETAILS), ...former] : key ? [key] : [];
  const bytes = decryptAny(keys, details, DETAILS);
  return bytes && JSON.parse(bytes.toString("utf8"));
}

const PAGE = 1_000;

/** Encrypts all clients' keys again that stand under AUTH_SECRET_PREVIOUS; how many they were. */
export async function renewClientKeys(query: Query): Promise<number> {
  const [present, previous] = keysFor(WRAPPING);
  if (!previous) return 0;
  let count = 0;
  for (let after = "00000000-0000-0000-0000-000000000000"; ; ) {
    const found = await query<{ id: string; wrapped: Buffer }>(
      "SELECT id, wrapped FROM client_keys WHERE id > $1::uuid ORDER BY id LIMIT $2",
      [after, PAGE],
    );
    const renewed = found.flatMap(({ id, wrapped }) => {
      const key = decryptAny([previous], wrapped, WRAPPED);
      return key ? [{ id, wrapped: encrypt(present, key, WRAPPED) }] : [];
    });
    await query(
      `UPDATE client_keys k SET wrapped = n.wrapped FROM unnest($1::uuid[], $2::bytea[]) AS n(id, wrapped)
       WHERE k.id = n.id`,
      [renewed.map(({ id }) => id), renewed.map(({ wrapped }) => wrapped)],
    );
    count += renewed.length;
    const last = found.at(-1);
    if (!last || found.length < PAGE) return count;
    after = last.id;
  }
}
