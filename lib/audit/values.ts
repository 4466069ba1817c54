import "server-only";
import { randomBytes, randomUUID } from "node:crypto";
import type { Change } from "@/lib/audit/changes";
import type { Query } from "@/lib/database/client";
import { decrypt, encrypt, KEY_BYTES, keyFor } from "@/lib/server/cipher";

// What the audit trail keeps encrypted. Values about a client stand under a key of that client, which is kept in
// client_keys, itself encrypted under a key derived from AUTH_SECRET: without the row they are lost. All else stands
// under a derived key.

/** What an event holds beside its names and ids. */
export type Details = { changes?: readonly Change[]; search?: string };

/** A client's key as it is stored. */
export type ClientKey = { id: string; wrapped: string };

/** The SQL of a client's newest key, as JSON; null where the client has none yet. One made under a former AUTH_SECRET cannot be opened. */
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

const wrappingKey = () => keyFor("client keys v1");
const ownKey = () => keyFor("audit details v1");

/** Encrypted details, the key that they stand under, and that key where it is new and has to be stored. */
export type Encrypted = { details: Buffer; keyId: string | null; made?: { id: string; wrapped: Buffer } };

/** Encrypts under the key of the client it is about: the one that is stored, or a new one (null). */
export function encryptForClient(details: Details, stored: ClientKey | null): Encrypted {
  const known = stored && decrypt(wrappingKey(), Buffer.from(stored.wrapped, "base64"), WRAPPED);
  const key = known ?? randomBytes(KEY_BYTES);
  const id = known && stored ? stored.id : randomUUID();
  const bytes = encrypt(key, Buffer.from(JSON.stringify(details)), DETAILS);
  return {
    details: bytes,
    keyId: id,
    ...(!known && { made: { id, wrapped: encrypt(wrappingKey(), key, WRAPPED) } }),
  };
}

/** Encrypts what is about no client. */
export const encryptDetails = (details: Details): Encrypted => ({
  details: encrypt(ownKey(), Buffer.from(JSON.stringify(details)), DETAILS),
  keyId: null,
});

/** What was encrypted; null when its key is gone, AUTH_SECRET is another, or a byte was changed. */
export function decryptDetails(
  details: Uint8Array,
  keyId: string | null,
  wrapped: Uint8Array | null,
): Details | null {
  const key = keyId === null ? ownKey() : wrapped && decrypt(wrappingKey(), wrapped, WRAPPED);
  const bytes = key && decrypt(key, details, DETAILS);
  return bytes && JSON.parse(bytes.toString("utf8"));
}
