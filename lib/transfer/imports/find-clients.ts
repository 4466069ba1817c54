import "server-only";
import { CURRENT_CLIENT } from "@/lib/clients/duplicates";
import { notHidden, selectClients, visibleClientsWhere, withoutActor } from "@/lib/core/access/scope";
import type { Query } from "@/lib/core/database/client";
import { sql } from "@/lib/core/sql";
import type { Actor } from "@/lib/identity/session";
import { CLIENT_ID, CLIENT_NAME, naming } from "@/lib/transfer/imports/columns";
import type { ImportRecord } from "@/lib/transfer/imports/kind";
import { rowKeys } from "@/lib/transfer/imports/records";

/**
 * Finds the client of each form or stay among those the actor can see. An imported Id finds the client even if it was merged
 * since. Without an Id, a name that only one client has finds it. A name of symbols only, which folding removes, must be
 * equal. The Id of a client restricted from the actor counts as never imported. Of several clients with the same Id, the
 * one the actor imported comes first, then the earliest import.
 */
export async function findClients(
  query: Query,
  actor: Actor,
  records: readonly ImportRecord[],
): Promise<void> {
  const keysOfRecords = records.map(({ texts }) => {
    const external = texts.get(CLIENT_ID);
    const [key = "", former = key] = external === undefined ? [] : rowKeys("clients", ["id", external]);
    // An unknown Id never falls back to the name, which another person may also have.
    return { key, former, name: external === undefined ? (texts.get(CLIENT_NAME) ?? "") : "" };
  });
  const keys = keysOfRecords.map(({ key }) => key);
  const formers = keysOfRecords.map(({ former }) => former);
  const names = keysOfRecords.map(({ name }) => name);
  const visible = visibleClientsWhere(actor);
  const currentExists = sql`EXISTS (SELECT FROM clients c WHERE c.id = ${CURRENT_CLIENT}
    AND ${withoutActor("only decides between several rows of an import")})`;
  const matches = await query<{ place: number; ids: number[] }>(
    sql`SELECT place::int - 1 AS place, array_agg(matches.id) AS ids
     FROM unnest(${keys}::text[], ${formers}::text[], ${names}::text[]) WITH ORDINALITY AS given (key, former, name, place)
     LEFT JOIN LATERAL (SELECT ${CURRENT_CLIENT} AS id FROM import_rows r
         WHERE r.kind = 'clients' AND r.key IN (given.key, given.former) AND ${notHidden(actor, CURRENT_CLIENT)}
         ORDER BY ${currentExists} DESC, (r.for_user_id IS NOT DISTINCT FROM ${actor.userId}::int) DESC, r.for_user_id NULLS FIRST, r.import_id
         LIMIT 1) AS known ON TRUE
     CROSS JOIN LATERAL (
       ${selectClients(sql`c.id`, visible, sql`c.id = known.id`)}
       UNION ALL
       SELECT c.id FROM clients c
       WHERE given.name <> '' AND c.name_folded = fold_name(given.name)
         AND (c.name_folded <> '' OR c.name = given.name) AND ${visible} LIMIT 2
     ) AS matches
     GROUP BY place`,
  );
  const places = new Map(matches.map(({ place, ids }) => [place, ids]));
  for (const [at, { texts, values, problems }] of records.entries()) {
    const [id, second] = places.get(at) ?? [];
    const external = texts.get(CLIENT_ID);
    const name = texts.get(CLIENT_NAME);
    if (second !== undefined)
      problems.push(naming("Client is the name of several clients. Add the Client Id", name));
    else if (id !== undefined) values.clientId = id;
    else if (external !== undefined)
      problems.push(
        `Client was not found: no client was imported with the Client Id “${external}”. Import the clients first, or leave this column out to find clients by name`,
      );
    else if (name !== undefined) problems.push(naming("Client was not found: no client has this name", name));
  }
}
