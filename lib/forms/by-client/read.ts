import "server-only";
import { auditRead, rowsOfRecord } from "@/lib/audit/record";
import { exportClient } from "@/lib/clients/clients";
import type { Client } from "@/lib/clients/schema";
import { can, type SessionUser } from "@/lib/core/access/permissions";
import { colleaguesFormsWhere, selectForms, visibleFormsWhere } from "@/lib/core/access/scope";
import { AppError, asAppError } from "@/lib/core/api/errors";
import { constant, sql } from "@/lib/core/database/sql";
import { listRows } from "@/lib/core/database/statements";
import type { PrintQuery } from "@/lib/forms/by-client/schema";
import { MINUTES_SQL } from "@/lib/forms/minutes";
import { FORM_JSON } from "@/lib/forms/read";
import type { Form, FormListItem } from "@/lib/forms/schema";

/** A form as a client's page shows it; `minutes` is the total of its services. */
export type ClientForm = Omit<FormListItem, "client"> & { minutes: number };
/** The only facts shown about a colleague's form. */
type ColleagueForm = Pick<FormListItem, "serviceOn"> & { formType: string };

/**
 * A client's forms, newest first. The totals cover every form the actor may see, including those past the limit.
 */
export type ClientForms = {
  forms: ClientForm[];
  totalForms: number;
  totalMinutes: number;
  colleagues: ColleagueForm[];
};

export const NO_FORMS: ClientForms = { forms: [], totalForms: 0, totalMinutes: 0, colleagues: [] };

/** The most forms the page shows; the forms list has the rest. */
const FORMS_SHOWN_MAX = 200;

/**
 * Returns the client's forms that the actor may see. Where the organization allows it, the result also lists the date
 * and type of colleagues' forms. Throws 503 `too_slow`.
 */
export async function formsOfClient(actor: SessionUser, clientId: number): Promise<ClientForms> {
  if (!can(actor, "forms")) return NO_FORMS;
  const [result] = await listRows<ClientForms & { otherIds: number[] }>(
    "forms of a client",
    sql`WITH seen AS MATERIALIZED (
       SELECT f.id, f.service_on, f.service_status, f.reconciled, f.form_type_id, f.user_id, ${MINUTES_SQL} AS minutes
       FROM forms f WHERE f.client_id = ${clientId} AND ${visibleFormsWhere(actor)}),
     shown AS (SELECT * FROM seen ORDER BY service_on DESC, id DESC LIMIT ${constant(FORMS_SHOWN_MAX)}),
     others AS (SELECT f.id, f.service_on, f.form_type_id FROM forms f
       WHERE f.client_id = ${clientId} AND ${colleaguesFormsWhere(actor)}
       ORDER BY f.service_on DESC, f.id DESC LIMIT ${constant(FORMS_SHOWN_MAX)})
     SELECT (SELECT count(*)::int FROM seen) AS "totalForms",
       (SELECT COALESCE(sum(minutes), 0)::int FROM seen) AS "totalMinutes",
       COALESCE((SELECT json_agg(json_build_object('id', s.id, 'serviceOn', s.service_on,
           'serviceStatus', s.service_status, 'reconciled', s.reconciled, 'minutes', s.minutes,
           'formType', json_build_object('id', t.id, 'name', t.name),
           'user', json_build_object('id', u.id, 'firstName', u.first_name, 'lastName', u.last_name))
           ORDER BY s.service_on DESC, s.id DESC)
         FROM shown s JOIN form_types t ON t.id = s.form_type_id JOIN users u ON u.id = s.user_id), '[]') AS forms,
       COALESCE((SELECT json_agg(json_build_object('serviceOn', o.service_on, 'formType', t.name)
           ORDER BY o.service_on DESC, o.id DESC)
         FROM others o JOIN form_types t ON t.id = o.form_type_id), '[]') AS colleagues,
       ARRAY(SELECT id FROM others) AS "otherIds"`,
  );
  if (!result) return NO_FORMS;
  const { otherIds, ...forms } = result;
  const shown = [...forms.forms.map(({ id }) => id), ...otherIds];
  await auditRead(actor, { action: "listed", entity: "form", clientId, shown });
  return forms;
}

/**
 * Returns every form of a client that the actor may see, in full and in order of service. Records each as printed.
 * Throws 503 `too_slow` if there are too many to read at once.
 */
export const formsToPrint = (actor: SessionUser, clientId: number, days: PrintQuery = {}): Promise<Form[]> =>
  wholeForms(actor, clientId, "printed", days);

/**
 * Returns a client's whole record with the forms the actor may see, and records each as exported. Throws 404 or 503.
 */
export async function exportRecord(
  actor: SessionUser,
  clientId: number,
  days: PrintQuery,
): Promise<{ client: Client; forms: Form[] }> {
  const client = await exportClient(actor, clientId);
  return { client, forms: await wholeForms(actor, clientId, "exported", days) };
}

async function wholeForms(
  actor: SessionUser,
  clientId: number,
  action: "printed" | "exported",
  { from = "-infinity", to = "infinity" }: PrintQuery,
): Promise<Form[]> {
  if (!can(actor, "forms")) return [];
  const records = await rowsOfRecord<{ id: number; form: Form }>(
    actor,
    { action, entity: "form", client: clientId },
    selectForms(
      sql`f.id, ${FORM_JSON} AS form`,
      visibleFormsWhere(actor),
      sql`f.client_id = ${clientId} AND f.service_on BETWEEN ${from}::date AND ${to}::date`,
    ),
  ).catch((error: unknown) => {
    throw asAppError(error).code === "too_slow"
      ? new AppError("too_slow", "This record is too large to show at once. Please choose fewer days.")
      : error;
  });
  const placeOf = ({ serviceOn, id }: Form) => `${serviceOn} ${String(id).padStart(10, "0")}`;
  return records.map(({ form }) => form).sort((a, b) => (placeOf(a) < placeOf(b) ? -1 : 1));
}
