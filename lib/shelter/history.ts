import "server-only";
import type { HistoryKind } from "@/lib/audit/history";
import { visibleStaysWhere } from "@/lib/core/access/scope";
import { sql } from "@/lib/core/database/sql";
import { staySchema } from "@/lib/shelter/schema";

export const stayHistory: HistoryKind = {
  entity: "stay",
  schema: staySchema,
  select: (actor, id) =>
    sql`SELECT st.id, st.client_id FROM stays st WHERE st.id = ${id} AND ${visibleStaysWhere(actor)}`,
};
