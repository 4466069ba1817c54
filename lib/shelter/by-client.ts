import "server-only";
import { auditRead, rowsOfRecord } from "@/lib/audit/record";
import { can, type SessionUser } from "@/lib/core/access/permissions";
import { visibleStaysWhere } from "@/lib/core/access/scope";
import { listRows } from "@/lib/core/database/statements";
import { sql } from "@/lib/core/sql";
import type { PrintQuery } from "@/lib/forms/by-client/schema";
import type { Stay } from "@/lib/shelter/api-schema";
import { stayReads } from "@/lib/shelter/list";

/** Returns a client's stays, newest first, and records that they were listed; null for an actor without Shelter. */
export async function staysOfClient(actor: SessionUser, clientId: number): Promise<Stay[] | null> {
  if (!can(actor, "shelter")) return null;
  const stays = await listRows<{ stay: Stay }>(
    "stays of a client",
    sql`SELECT ${stayReads.json(actor)} AS stay FROM stays st WHERE st.client_id = ${clientId} AND ${visibleStaysWhere(actor)}
     ORDER BY st.entered_on DESC, st.id DESC`,
  );
  const shown = stays.map(({ stay }) => stay.id);
  if (shown.length > 0) await auditRead(actor, { action: "listed", entity: "stay", clientId, shown });
  return stays.map(({ stay }) => stay);
}

/** Returns a client's stays in order of time and records each as printed; none for an actor without Shelter. */
export const staysToPrint = (actor: SessionUser, clientId: number, days: PrintQuery): Promise<Stay[]> =>
  wholeStays(actor, clientId, "printed", days);

/**
 * Returns a client's stays in order of time and records each as exported. The caller has checked that the actor may see
 * the client.
 */
export const staysToExport = (actor: SessionUser, clientId: number, days: PrintQuery): Promise<Stay[]> =>
  wholeStays(actor, clientId, "exported", days);

async function wholeStays(
  actor: SessionUser,
  clientId: number,
  action: "printed" | "exported",
  { from = "-infinity", to = "infinity" }: PrintQuery,
): Promise<Stay[]> {
  const stays = await rowsOfRecord<{ id: number; stay: Stay }>(
    actor,
    { action, entity: "stay", client: clientId },
    sql`SELECT st.id, ${stayReads.json(actor)} AS stay FROM stays st WHERE st.client_id = ${clientId} AND ${visibleStaysWhere(actor)}
     AND st.entered_on <= ${to}::date AND (st.left_on IS NULL OR st.left_on >= ${from}::date)`,
  );
  const placeOf = ({ enteredOn, id }: Stay) => `${enteredOn} ${String(id).padStart(10, "0")}`;
  return stays.map(({ stay }) => stay).sort((a, b) => (placeOf(a) < placeOf(b) ? -1 : 1));
}
