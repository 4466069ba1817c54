import "server-only";
import { auditRead } from "@/lib/audit/record";
import { MERGED_INTO } from "@/lib/clients/merged";
import type { NamedItem, SessionUser } from "@/lib/core/access/permissions";
import { assertAllowed, visibleClientsWhere } from "@/lib/core/access/scope";
import { rows } from "@/lib/core/database/client";
import { sql } from "@/lib/core/sql";

/** SQL for the current id of the imported client in row `r`, even if it was merged since. */
export const CURRENT_CLIENT = sql`COALESCE(
  (SELECT l.client_id FROM ${MERGED_INTO} AS l WHERE l.merged_id = r.record_id), r.record_id)`;

/** Two existing records with the same imported Id; the importer of the second cannot see the first. */
export type PossibleDuplicates = { first: NamedItem; second: NamedItem };

/**
 * Returns pairs of clients that may be duplicates, because one is restricted from the importer of the other. With
 * `clientId`, only pairs with that client. Leaves out clients the actor cannot see. Throws 403 without Restrict
 * Clients.
 */
export async function possibleDuplicates(
  actor: SessionUser,
  clientId: number | null = null,
): Promise<PossibleDuplicates[]> {
  assertAllowed(actor, "restrict-clients");
  const imported = sql`SELECT r.key, r.for_user_id, r.record_id, c.id, c.name
    FROM import_rows r JOIN clients c ON c.id = ${CURRENT_CLIENT}
    WHERE r.kind = 'clients' AND ${visibleClientsWhere(actor)}`;
  const pairs = await rows<PossibleDuplicates>(
    sql`SELECT DISTINCT ON (a.id, b.id) json_build_object('id', a.id, 'name', a.name) AS first,
       json_build_object('id', b.id, 'name', b.name) AS second
     FROM (${imported} AND r.for_user_id IS NOT NULL) AS b
     JOIN (${imported}) AS a ON a.key = b.key AND a.record_id < b.record_id AND a.id <> b.id
     WHERE ${clientId}::int IS NULL OR ${clientId} IN (a.id, b.id) ORDER BY a.id, b.id`,
  );
  const shown = [...new Set(pairs.flatMap((pair) => [pair.first.id, pair.second.id]))];
  if (shown.length > 0) await auditRead(actor, { action: "listed", entity: "client", shown });
  return pairs;
}
