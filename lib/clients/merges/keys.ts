import "server-only";
import { type ClientKey, encryptForClient, readClientKey } from "@/lib/audit/values";
import type { Query } from "@/lib/core/database/client";
import { sql } from "@/lib/core/database/sql";

// The audit keys of merged clients (docs/decisions/026-give-merged-keys-to-the-remaining-client.md).

/**
 * Gives the client `to` the keys of `from`, and a new one for the merge, which is the newest: nothing that holds the values
 * of both is ever under a key that one of them had before.
 */
export async function takeKeys(
  query: Query,
  to: number,
  from: number,
): Promise<{ clientKey: ClientKey; keyIds: string[] }> {
  const keys = await query<{ id: string }>(
    sql`UPDATE client_keys SET client_id = ${to} WHERE client_id = ${from} RETURNING id`,
  );
  const { made } = encryptForClient({}, null);
  if (!made) throw new Error("A new key is made where none is given");
  await query(
    sql`INSERT INTO client_keys (id, client_id, wrapped, created_at)
     SELECT ${made.id}, ${to}::int, ${made.wrapped}, greatest(clock_timestamp(), max(created_at) + interval '1 ms')
     FROM client_keys WHERE client_id = ${to}::int`,
  );
  const clientKey = await readClientKey(query, to);
  if (!clientKey) throw new Error("The key of a merge was stored");
  return { clientKey, keyIds: keys.map(({ id }) => id) };
}

/**
 * Shares with `backId`, who is back, all keys that were used since the merge, also those that a later merge, undone since,
 * has left with a third client. A purge of either deletes them.
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
