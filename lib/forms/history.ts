import "server-only";
import type { HistoryKind } from "@/lib/audit/history";
import { selectForms, visibleFormsWhere } from "@/lib/core/access/scope";
import { sql } from "@/lib/core/sql";
import { formSchema } from "@/lib/forms/schema";

export const formHistory: HistoryKind = {
  entity: "form",
  schema: formSchema,
  select: (actor, id) => selectForms(sql`f.id, f.client_id`, visibleFormsWhere(actor), sql`f.id = ${id}`),
};
