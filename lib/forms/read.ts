import "server-only";
import { ownerInFile } from "@/lib/audit/list-export";
import type { SessionUser } from "@/lib/core/access/permissions";
import { selectForms, visibleFormsWhere } from "@/lib/core/access/scope";
import { namedItem, person } from "@/lib/core/api/answer";
import { invalid, notFound } from "@/lib/core/api/errors";
import { JsonText } from "@/lib/core/api/json-text";
import type { Query } from "@/lib/core/database/client";
import { columnsJson, isoTimestamp, recordJson } from "@/lib/core/database/record-read";
import { type Sql, sql } from "@/lib/core/database/sql";
import { type Form, formSchema } from "@/lib/forms/schema";
import { formType, serviceCode } from "@/lib/lookups/types";

/** The SQL of a person as others may know them, null where that account is gone. */
const personJson = (id: Sql) =>
  sql`(SELECT ${columnsJson(person, "person")} FROM users person WHERE person.id = ${id})`;

/** The SQL of a form's return (`returned` of the answer), null where it was not returned or is answered. */
export const RETURNED_JSON = sql`CASE WHEN f.returned_at IS NOT NULL THEN json_build_object(
  'by', ${personJson(sql`f.returned_by_id`)}, 'at', ${isoTimestamp(sql`f.returned_at`)}, 'comment', f.return_comment) END`;

/** The SQL of whether the client of the form `f` was purged. */
// biome-ignore lint/plugin: the client of a visible form
export const PURGED = sql`(SELECT c.purged FROM clients c WHERE c.id = f.client_id)`;

/** SQL for a whole form as the API returns it (`formAnswer`); the row's alias is `f`. */
export const FORM_JSON = recordJson(formSchema, "f", {
  forms: {
    reconciled: sql`f.reconciled`,
    reconciledBy: personJson(sql`f.reconciled_by_id`),
    reconciledAt: isoTimestamp(sql`f.reconciled_at`),
    returned: RETURNED_JSON,
    userId: sql`f.user_id`,
    user: personJson(sql`f.user_id`),
    // biome-ignore lint/plugin: the client of a visible form
    client: sql`(SELECT ${columnsJson(namedItem, "c")} FROM clients c WHERE c.id = f.client_id)`,
    formType: sql`(SELECT ${columnsJson(formType, "t")} FROM form_types t WHERE t.id = f.form_type_id)`,
  },
  service_provided_entries: {
    serviceEntryId: sql`service_provided_entries.service_entry_id`,
    serviceCode: sql`(SELECT ${columnsJson(serviceCode, "sc")} FROM service_codes sc
      WHERE sc.id = service_provided_entries.service_code_id)`,
  },
});

/** SQL for a whole form as files have it (`formColumns`). */
export const FORM_IN_FILE = recordJson(formSchema, "f", {
  forms: { reconciled: sql`f.reconciled`, user: ownerInFile(sql`f.user_id`) },
});

/** A form that the actor may see, as it is now; 404 otherwise. Records nothing: the caller does. */
export async function readForm(query: Query, actor: SessionUser, id: number): Promise<JsonText<Form>> {
  const [found] = await query<{ form: string }>(
    selectForms(sql`${FORM_JSON}::text AS form`, visibleFormsWhere(actor), sql`f.id = ${id}`),
  );
  if (!found) throw notFound();
  return new JsonText(found.form);
}

/** What decides whether a form may be reviewed or removed. */
export type HeldForm = {
  id: number;
  userId: number;
  clientId: number;
  serviceOn: string;
  reconciled: boolean;
  /** Null where the form is not returned. */
  returnComment: string | null;
  clientPurged: boolean;
};

/** Refuses (422) to change what a purge has left for reports to count. */
export function assertNotPurged(form: Pick<HeldForm, "clientPurged"> | undefined): void {
  if (form?.clientPurged)
    throw invalid("form.clientId", "The client's record was removed, so its forms can no longer be changed");
}

/**
 * Locks those of the forms that the actor may see, until the transaction ends; in one order, so that no two transactions
 * wait for each other.
 */
export async function holdForms(
  query: Query,
  actor: SessionUser,
  ids: readonly number[],
): Promise<Map<number, HeldForm>> {
  const found = await query<HeldForm>(
    sql`SELECT f.id, f.user_id AS "userId", f.client_id AS "clientId", f.service_on::text AS "serviceOn", f.reconciled,
       ${PURGED} AS "clientPurged",
       CASE WHEN f.returned_at IS NOT NULL THEN f.return_comment END AS "returnComment" FROM forms f
     WHERE f.id = ANY(${ids}::int[]) AND ${visibleFormsWhere(actor)} ORDER BY f.id FOR UPDATE`,
  );
  return new Map(found.map((form) => [form.id, form]));
}
