import "server-only";
import { visibleClientsWhere } from "@/lib/auth/scope";
import type { Actor } from "@/lib/auth/session";
import { MERGED_INTO } from "@/lib/clients/merged";
import { binding } from "@/lib/database/bind";
import type { Query } from "@/lib/database/client";
import { CLIENT_ID, CLIENT_NAME } from "@/lib/imports/columns";
import { type ImportRecord, rowKeys } from "@/lib/imports/records";

/**
 * Finds the clients of forms among those whom the actor sees: by the Id with which they were imported, even if they have
 * been merged since, else by a name that only one client has.
 */
export async function findClients(
  query: Query,
  actor: Actor,
  records: readonly ImportRecord[],
): Promise<void> {
  const wanted = records.map(({ texts }) => {
    const external = texts.get(CLIENT_ID);
    const [key = "", former = key] = external === undefined ? [] : rowKeys("clients", ["id", external]);
    return { key, former, name: texts.get(CLIENT_NAME) ?? "" };
  });
  const { values, bind } = binding(
    wanted.map(({ key }) => key),
    wanted.map(({ former }) => former),
    wanted.map(({ name }) => name),
  );
  const visible = visibleClientsWhere(actor, bind);
  // Where the client of the Id is gone, or hidden from the actor, nobody else of the same name is taken instead.
  const found = await query<{ place: number; ids: number[] }>(
    `SELECT place::int - 1 AS place, array_agg(found.id) AS ids
     FROM unnest($1::text[], $2::text[], $3::text[]) WITH ORDINALITY AS given (key, former, name, place)
     LEFT JOIN LATERAL (SELECT COALESCE(l.client_id, r.record_id) AS id
         FROM import_rows r LEFT JOIN ${MERGED_INTO} AS l ON l.merged_id = r.record_id
         WHERE r.kind = 'clients' AND r.key IN (given.key, given.former) LIMIT 1) AS known ON TRUE
     CROSS JOIN LATERAL (
       SELECT c.id FROM clients c WHERE c.id = known.id AND ${visible}
       UNION ALL
       SELECT c.id FROM clients c
       WHERE known.id IS NULL AND given.name <> '' AND c.name_folded = fold_name(given.name) AND ${visible} LIMIT 2
     ) AS found
     GROUP BY place`,
    values,
  );
  const places = new Map(found.map(({ place, ids }) => [place, ids]));
  for (const [at, { texts, values, problems }] of records.entries()) {
    const [id, second] = places.get(at) ?? [];
    if (second !== undefined) problems.push("Client is the name of several clients here: give the Client Id");
    else if (id !== undefined) values.clientId = id;
    else if (texts.has(CLIENT_ID) || texts.has(CLIENT_NAME))
      problems.push("Client is not here: neither imported with this Client Id nor of this name");
  }
}
