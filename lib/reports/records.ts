import "server-only";
import { can, type SessionUser } from "@/lib/auth/permissions";
import { countedClientsWhere, visibleFormsWhere } from "@/lib/auth/scope";
import { binding } from "@/lib/database/bind";
import { listRows } from "@/lib/database/statements";
import type { Behind } from "@/lib/reports/schema";

/** A client of the list behind a number, with those of its forms that count there. */
export type RecordRow = {
  id: number;
  name: string;
  forms: { id: number; serviceOn: string; serviceStatus: string; formType: string; advocate: string }[];
};

/** How many clients a screen shows at most; the API answers the ids of all. */
export const SHOWN = 200;

/** The first clients of a list by name, with their forms in it. Reading the list has already been recorded. */
export async function readRecords(
  actor: SessionUser,
  { clients, forms }: Pick<Behind, "clients" | "forms">,
): Promise<RecordRow[]> {
  const { values, bind } = binding();
  const visible = can(actor, "forms") ? visibleFormsWhere(actor, bind) : "FALSE";
  return listRows<RecordRow>(
    "report records",
    `SELECT c.id, c.name, coalesce((
        SELECT json_agg(json_build_object('id', f.id, 'serviceOn', f.service_on, 'serviceStatus', f.service_status,
          'formType', t.name, 'advocate', u.first_name || ' ' || u.last_name) ORDER BY f.service_on, f.id)
        FROM forms f JOIN form_types t ON t.id = f.form_type_id JOIN users u ON u.id = f.user_id
        WHERE f.client_id = c.id AND f.id = ANY(${bind(forms)}::int[]) AND ${visible}), '[]') AS forms
     FROM clients c WHERE c.id = ANY(${bind(clients)}::int[]) AND ${countedClientsWhere(actor, bind)}
     ORDER BY c.name_folded, c.id LIMIT ${SHOWN}`,
    values,
  );
}
