import "server-only";
import type { Client } from "@/lib/clients/api-schema";
import type { SessionUser } from "@/lib/core/access/permissions";
import type { Form } from "@/lib/forms/api-schema";
import { exportRecord } from "@/lib/forms/by-client/read";
import type { PrintQuery } from "@/lib/forms/by-client/schema";
import type { Stay } from "@/lib/shelter/api-schema";
import { staysToExport } from "@/lib/shelter/by-client";

/**
 * Returns a client's whole record with the forms and stays the actor may see, and records each as exported. Throws 404
 * or 503.
 */
export async function exportClientRecord(
  actor: SessionUser,
  clientId: number,
  days: PrintQuery,
): Promise<{ client: Client; forms: Form[]; stays: Stay[] }> {
  const record = await exportRecord(actor, clientId, days);
  return { ...record, stays: await staysToExport(actor, clientId, days) };
}
