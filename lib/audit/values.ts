import "server-only";
import { randomBytes, randomUUID } from "node:crypto";
import type { Change } from "@/lib/audit/changes";
import type { Query } from "@/lib/core/database/client";
import { decryptAny, encrypt, KEY_BYTES, keyFor, keysFor } from "@/lib/core/process/cipher";
import { type Sql, sql } from "@/lib/core/sql";

// The encrypted part of audit events. Values about a client are encrypted with a key of that client. This key is stored
// in client_keys, encrypted with a key derived from AUTH_SECRET. Deleting its row makes the values permanently
// unreadable. Everything else is encrypted with a derived key.

/** The content of an event besides names and ids. */
type Details = { changes?: readonly Change[] };

/** A client's key as stored. */
export type ClientKey = { id: string; wrapped: string };

/** SQL for the newest key that belongs only to the client, as JSON; null if the client has none yet. */
export const clientKeySql = (clientId: Sql): Sql =>
  sql`(SELECT json_build_object('id', k.id, 'wrapped', encode(k.wrapped, 'base64')) FROM client_keys k
    WHERE k.client_id = ${clientId} AND k.also_ids = '{}' ORDER BY k.created_at DESC, k.id DESC LIMIT 1)`;

/** Returns the newest key that belongs only to the client; null if the client has none yet. */
export async function readClientKey(query: Query, clientId: number): Promise<ClientKey | null> {
  const [row] = await query<{ key: ClientKey | null }>(sql`SELECT ${clientKeySql(sql`${clientId}`)} AS key`);
  return row?.key ?? null;
}

/** Does the same for several clients. Returns the keys of those who have one, by client. */
export async function readClientKeys(
  query: Query,
  clientIds: readonly number[],
): Promise<ReadonlyMap<number, ClientKey>> {
  const keys = await query<{ clientId: number; key: ClientKey | null }>(
    sql`SELECT given.id AS "clientId", ${clientKeySql(sql`given.id`)} AS key FROM unnest(${[...new Set(clientIds)]}::int[]) AS given (id)`,
  );
  return new Map(keys.flatMap(({ clientId, key }) => (key ? [[clientId, key]] : [])));
}

const WRAPPED = Buffer.from("client key");
const DETAILS = Buffer.from("audit details");

const WRAPPING = "client keys v1";
/** The purpose of the key for details that concern no client. */
export const OWN_DETAILS = "audit details v1";

const wrap = (key: Uint8Array) => encrypt(keyFor(WRAPPING), key, WRAPPED);
const unwrap = (wrapped: Uint8Array) => decryptAny(keysFor(WRAPPING), wrapped, WRAPPED);

/**
 * Encrypted details and the id of their key (null: the derived key). `made` is that key if it is new and must be
 * stored.
 */
type Encrypted = { details: Buffer; keyId: string | null; made?: { id: string; wrapped: Buffer } };

/** Encrypts with the client's stored key. Makes a new one if there is none (null) or it cannot be decrypted. */
export function encryptForClient(details: object, stored: ClientKey | null): Encrypted {
  const unwrapped = stored && unwrap(Buffer.from(stored.wrapped, "base64"));
  const key = unwrapped ?? randomBytes(KEY_BYTES);
  const id = unwrapped && stored ? stored.id : randomUUID();
  const bytes = encrypt(key, Buffer.from(JSON.stringify(details)), DETAILS);
  return {
    details: bytes,
    keyId: id,
    ...(!unwrapped && { made: { id, wrapped: wrap(key) } }),
  };
}

/** Encrypts details that concern no client. */
export const encryptDetails = (details: Details): Encrypted => ({
  details: encrypt(keyFor(OWN_DETAILS), Buffer.from(JSON.stringify(details)), DETAILS),
  keyId: null,
});

/**
 * Decrypts details. Returns null if their key was deleted, AUTH_SECRET is a different one, or a byte was changed.
 * `former` are the program's own keys derived from old secrets (lib/audit/former-keys.ts).
 */
export function decryptDetails(
  details: Uint8Array,
  keyId: string | null,
  wrapped: Uint8Array | null,
  former: readonly Buffer[] = [],
): Details | null {
  if (keyId !== null) return wrapped && decryptForClient(details, wrapped);
  const bytes = decryptAny([...keysFor(OWN_DETAILS), ...former], details, DETAILS);
  return bytes && JSON.parse(bytes.toString("utf8"));
}

/** Decrypts the output of `encryptForClient` with the stored key. Returns null as `decryptDetails` does. */
export function decryptForClient(details: Uint8Array, wrapped: Uint8Array) {
  const key = unwrap(wrapped);
  const bytes = key && decryptAny([key], details, DETAILS);
  return bytes && JSON.parse(bytes.toString("utf8"));
}

/** The number of client keys that are tried. Their ids are random, and so is the sample. */
const TRIED_KEYS = 200;

/** True if client keys are stored that cannot be decrypted. Tries a sample. */
export async function hasLockedClientKeys(query: Query): Promise<boolean> {
  const keyRows = await query<{ wrapped: Buffer }>(
    sql`SELECT wrapped FROM client_keys ORDER BY id LIMIT ${TRIED_KEYS}`,
  );
  return keyRows.some(({ wrapped }) => unwrap(wrapped) === null);
}

const PAGE = 1_000;

/**
 * Encrypts again all client keys that are still encrypted with AUTH_SECRET_PREVIOUS. Returns the number of keys.
 */
export async function renewClientKeys(query: Query): Promise<number> {
  const [present, previous] = keysFor(WRAPPING);
  if (!previous) return 0;
  let count = 0;
  for (let after = "00000000-0000-0000-0000-000000000000"; ; ) {
    const keyRows = await query<{ id: string; wrapped: Buffer }>(
      sql`SELECT id, wrapped FROM client_keys WHERE id > ${after}::uuid ORDER BY id LIMIT ${PAGE}`,
    );
    const renewed = keyRows.flatMap(({ id, wrapped }) => {
      const key = decryptAny([previous], wrapped, WRAPPED);
      return key ? [{ id, wrapped: encrypt(present, key, WRAPPED) }] : [];
    });
    await query(
      sql`UPDATE client_keys k SET wrapped = n.wrapped 
       FROM unnest(${renewed.map(({ id }) => id)}::uuid[], ${renewed.map(({ wrapped }) => wrapped)}::bytea[]) AS n(id, wrapped)
       WHERE k.id = n.id`,
    );
    count += renewed.length;
    const last = keyRows.at(-1);
    if (!last || keyRows.length < PAGE) return count;
    after = last.id;
  }
}
