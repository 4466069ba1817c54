import "server-only";
import { type ClientKey, encryptForClient, readClientKey } from "@/lib/audit/values";
import type { Query } from "@/lib/core/database/client";
import { sql } from "@/lib/core/sql";

// The keys that encrypt audit values of merged clients
// (docs/decisions/026-give-merged-keys-to-the-remaining-client.md).

/**
 * Gives the keys of `from` to the client `to`. A new key for the merge becomes the newest. Values of both clients are
 * never encrypted with a key that one of them had before.
 */
export async function takeKeys(
  query: Query,
  to: number,
  from: number,
): Promise<{ clientKey: ClientKey; keyIds: string[] }> {
  const keys = await query<{ id: string }>(
    sql`UPDATE client_keys SET client_id = ${to} WHERE client_id = ${from} RETURNING id`,
  );
  const { made: newKey } = encryptForClient({}, null);
  if (!newKey) throw new Error("encryptForClient() did not create a key");
  await query(
    sql`INSERT INTO client_keys (id, client_id, wrapped, created_at)
     SELECT ${newKey.id}, ${to}::int, ${newKey.wrapped}, greatest(clock_timestamp(), max(created_at) + interval '1 ms')
     FROM client_keys WHERE client_id = ${to}::int`,
  );
  const clientKey = await readClientKey(query, to);
  if (!clientKey) throw new Error("The merge key was not stored");
  return { clientKey, keyIds: keys.map(({ id }) => id) };
}

/**
 * Shares with the restored client `backId` all keys used since the merge. This includes keys left with a third client
 * by a later merge that was undone. A purge of either client deletes them.
 */
export async function shareKeys(
  query: Query,
  clientId: number,
  backId: number,
  keyId: string,
): Promise<void> {
  await query(
    sql`UPDATE client_keys k SET also_ids = array_append(k.also_ids, ${backId}::int) FROM client_keys merged
     WHERE merged.id = ${keyId} AND k.created_at >= merged.created_at
       AND (k.client_id = ${clientId} OR k.also_ids @> ARRAY[${clientId}::int])`,
  );
}
