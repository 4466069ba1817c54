import "server-only";
import { auditRead, rowsOfRecord } from "@/lib/audit/record";
import type { Client } from "@/lib/clients/api-schema";
import { assertClient, exportClient } from "@/lib/clients/clients";
import { can, type NamedItem, type SessionUser } from "@/lib/core/access/permissions";
import {
  colleaguesFormsWhere,
  openFormsWhere,
  selectForms,
  visibleFormsWhere,
} from "@/lib/core/access/scope";
import { idParam } from "@/lib/core/api/list-query";
import { rows } from "@/lib/core/database/client";
import { asAppError } from "@/lib/core/database/errors";
import { textKey } from "@/lib/core/database/folded";
import { recordJson } from "@/lib/core/database/record-read";
import { listRows } from "@/lib/core/database/statements";
import { AppError } from "@/lib/core/errors";
import type { FieldFacts } from "@/lib/core/fields/facts";
import { sql } from "@/lib/core/sql";
import type { Form } from "@/lib/forms/api-schema";
import type { LastValue, PrintQuery, ThreadQuery } from "@/lib/forms/by-client/schema";
import { MINUTES_SQL } from "@/lib/forms/minutes";
import { formJson } from "@/lib/forms/read";
import { reportedFields } from "@/lib/forms/reported";
import { formSchema } from "@/lib/forms/schema";

/** An entry of a client's thread. `form` is null for a colleague's form that may not be opened. */
type ThreadEntry = { serviceOn: string; formType: string; form: Form | null };

/** A client's forms, newest first. The totals cover every form in the filters that the actor may open. */
export type Thread = {
  entries: ThreadEntry[];
  /** The number of entries in the filters, including those not shown. */
  count: number;
  /** Of each month (`2026-03`) with a form that the actor may open. */
  months: { month: string; forms: number; minutes: number }[];
  /** The choices of the filters: the types and years of all entries. */
  types: NamedItem[];
  years: number[];
  /** The newest form of all, whatever the filters are. */
  latest: Omit<ThreadEntry, "form"> | null;
};

export const NO_THREAD: Thread = { entries: [], count: 0, months: [], types: [], years: [], latest: null };

/**
 * Returns the newest forms of a client that the actor may see, as many as `shown`. Where the organization allows it, also
 * the date and type of colleagues' forms. Records them as listed. Throws 503 `too_slow`.
 */
export async function threadOf(
  actor: SessionUser,
  clientId: number,
  { type, year, shown }: ThreadQuery,
): Promise<Thread> {
  if (!can(actor, "forms")) return NO_THREAD;
  const [result] = await listRows<Thread & { ids: number[] }>(
    "forms of a client",
    sql`WITH known AS MATERIALIZED (
       SELECT f.id, f.service_on, f.form_type_id, true AS is_open, ${MINUTES_SQL} AS minutes
       FROM forms f WHERE f.client_id = ${clientId} AND ${visibleFormsWhere(actor)}
       UNION ALL SELECT f.id, f.service_on, f.form_type_id, false, 0
       FROM forms f WHERE f.client_id = ${clientId} AND ${colleaguesFormsWhere(actor)}),
     chosen AS (SELECT * FROM known WHERE (${type}::int IS NULL OR form_type_id = ${type}::int)
       AND (${year}::int IS NULL OR extract(year FROM service_on) = ${year}::int)),
     shown AS MATERIALIZED (SELECT * FROM chosen ORDER BY service_on DESC, id DESC LIMIT ${shown}),
     months AS (SELECT to_char(service_on, 'YYYY-MM') AS month, count(*) AS forms, sum(minutes) AS minutes
       FROM chosen WHERE is_open GROUP BY 1)
     SELECT COALESCE((SELECT json_agg(json_build_object('serviceOn', s.service_on, 'formType', t.name,
           'form', CASE WHEN s.is_open THEN ${formJson(actor)} END) ORDER BY s.service_on DESC, s.id DESC)
         FROM shown s JOIN forms f ON f.id = s.id JOIN form_types t ON t.id = s.form_type_id), '[]') AS entries,
       (SELECT count(*)::int FROM chosen) AS count,
       COALESCE((SELECT json_agg(months) FROM months), '[]') AS months,
       COALESCE((SELECT json_agg(json_build_object('id', t.id, 'name', t.name) ORDER BY ${textKey(sql`t.name`)}, t.id)
         FROM form_types t WHERE t.id IN (SELECT form_type_id FROM known)), '[]') AS types,
       ARRAY(SELECT DISTINCT extract(year FROM service_on)::int FROM known ORDER BY 1 DESC) AS years,
       (SELECT json_build_object('serviceOn', k.service_on, 'formType', t.name)
         FROM known k JOIN form_types t ON t.id = k.form_type_id
         ORDER BY k.service_on DESC, k.id DESC LIMIT 1) AS latest,
       ARRAY(SELECT id FROM known WHERE id IN (SELECT id FROM shown)
           OR id = (SELECT id FROM known ORDER BY service_on DESC, id DESC LIMIT 1)
         ORDER BY service_on DESC, id DESC) AS ids`,
  );
  if (!result) return NO_THREAD;
  const { ids, ...thread } = result;
  await auditRead(actor, { action: "listed", entity: "form", clientId, shown: ids });
  return thread;
}

/**
 * Returns the last reported value of each field that `keeps` selects, from the client's forms that the actor may see.
 * Fields that no form reports are left out. Records the forms as listed.
 */
async function lastValues(
  actor: SessionUser,
  clientId: number,
  keeps: (facts: FieldFacts) => boolean,
): Promise<LastValue[]> {
  const parts = await listRows<{ id: number; serviceOn: string; form: object }>(
    "last values of a client",
    sql`${selectForms(
      sql`f.id, f.service_on::text AS "serviceOn", ${recordJson(formSchema, "f", {}, keeps)} AS form`,
      openFormsWhere(actor),
      sql`f.client_id = ${clientId}`,
    )} ORDER BY f.service_on DESC, f.id DESC`,
  );
  const values = new Map<string, LastValue>();
  const ids = new Set<number>();
  for (const { id, serviceOn, form } of parts)
    for (const { path, facts, value } of reportedFields(formSchema, form))
      if (keeps(facts) && !values.has(path)) {
        values.set(path, { path, value, serviceOn });
        ids.add(id);
      }
  if (ids.size > 0) await auditRead(actor, { action: "listed", entity: "form", clientId, shown: [...ids] });
  return [...values.values()];
}

/** Returns the last values of what warns the next colleague. */
export const warningsOfClient = (actor: SessionUser, clientId: number): Promise<LastValue[]> =>
  lastValues(actor, clientId, ({ safety = false }) => safety);

const lastingValues = (actor: SessionUser, clientId: number): Promise<LastValue[]> =>
  lastValues(actor, clientId, ({ lasting = false }) => lasting);

/** Returns the number of a client's forms that the actor may see. */
async function countForms(actor: SessionUser, clientId: number): Promise<number> {
  const [row] = await rows<{ forms: number }>(
    selectForms(sql`count(*)::int AS forms`, openFormsWhere(actor), sql`f.client_id = ${clientId}`),
  );
  return row?.forms ?? 0;
}

/**
 * Returns the last values of what rarely changes, to suggest them on a new form, and the number of the client's forms.
 * None if `id` is not a client's id.
 */
export async function suggestionsFor(actor: SessionUser, id: unknown) {
  const clientId = idParam.safeParse(String(id)).data ?? null;
  if (clientId === null) return { clientId, values: [], forms: 0 };
  const [values, forms] = await Promise.all([lastingValues(actor, clientId), countForms(actor, clientId)]);
  return { clientId, values, forms };
}

/** Returns the same for a client who is chosen on the form's screen. Throws 404 if the actor may not see the client. */
export async function listSuggestions(
  actor: SessionUser,
  clientId: number,
): Promise<{ suggestions: LastValue[] }> {
  await assertClient(actor, clientId);
  return { suggestions: await lastingValues(actor, clientId) };
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
      sql`f.id, ${formJson(actor)} AS form`,
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
