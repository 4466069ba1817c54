import "server-only";
import type { HistoryKind } from "@/lib/audit/history";
import { contactSchema } from "@/lib/contacts/schema";
import { visibleContactsWhere } from "@/lib/core/access/scope";
import { sql } from "@/lib/core/database/sql";

export const contactHistory: HistoryKind = {
  entity: "contact",
  schema: contactSchema,
  select: (actor, id) =>
    sql`SELECT ct.id, NULL::int AS client_id FROM contacts ct WHERE ct.id = ${id} AND ${visibleContactsWhere(actor)}`,
};
