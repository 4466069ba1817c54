import "server-only";
import type { HistoryKind } from "@/lib/audit/history";
import { MERGED_INTO } from "@/lib/clients/merged";
import { clientSchema } from "@/lib/clients/schema";
import { selectClients, visibleClientsWhere } from "@/lib/core/access/scope";
import { sql } from "@/lib/core/sql";

/** The history of a merged client belongs to the one who has the record today. */
export const clientHistory: HistoryKind = {
  entity: "client",
  schema: clientSchema,
  select: (actor, id) =>
    sql`${selectClients(sql`c.id, c.id AS client_id`, visibleClientsWhere(actor), sql`c.id = ${id}`)}
       UNION ALL SELECT links.merged_id, c.id FROM ${MERGED_INTO} AS links JOIN clients c ON c.id = links.client_id
       WHERE links.merged_id = ${id} AND ${visibleClientsWhere(actor)}`,
};
