import "server-only";
import type { HistoryKind } from "@/lib/audit/history";
import { contactSchema } from "@/lib/contacts/schema";
import { seesClients, visibleContactsWhere } from "@/lib/core/access/scope";
import { sql } from "@/lib/core/database/sql";

export const contactHistory: HistoryKind = {
  entity: "contact",
  schema: contactSchema,
  select: (actor, id) =>
    sql`SELECT ct.id, NULL::int AS client_id FROM contacts ct WHERE ct.id = ${id} AND ${visibleContactsWhere(actor)}`,
  // The events about a client are those of the contact's link to a form.
  events: (actor) => (seesClients(actor) ? sql`TRUE` : sql`e.client_id IS NULL`),
};
