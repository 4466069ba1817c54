import "server-only";
import { ownerInFile } from "@/lib/audit/list-export";
import type { SessionUser } from "@/lib/core/access/permissions";
import { selectForms, visibleFormsWhere } from "@/lib/core/access/scope";
import { namedItem, person } from "@/lib/core/api/response";
import type { Query } from "@/lib/core/database/client";
import { columnsJson, isoTimestamp, recordJson } from "@/lib/core/database/record-read";
import type { StoredVersion } from "@/lib/core/database/versions";
import { invalid, notFound } from "@/lib/core/errors";
import { type Sql, sql } from "@/lib/core/sql";
import { JsonText } from "@/lib/core/text/json-text";
import type { Form } from "@/lib/forms/api-schema";
import { formSchema } from "@/lib/forms/schema";
import { sessionOfForm } from "@/lib/forms/session-link";
import { formType, serviceCode } from "@/lib/lookups/api-schema";

/** SQL for the public fields of a user, or null if the account no longer exists. */
const personJson = (id: Sql) =>
  sql`(SELECT ${columnsJson(person, "person")} FROM users person WHERE person.id = ${id})`;

/**
 * SQL for a form's return (`returned` in the response); null if it was not returned or the advocate has responded.
 */
export const RETURNED_JSON = sql`CASE WHEN f.returned_at IS NOT NULL THEN json_build_object(
  'by', ${personJson(sql`f.returned_by_id`)}, 'at', ${isoTimestamp(sql`f.returned_at`)}, 'comment', f.return_comment) END`;

/** SQL for a comment `k` as the API returns it. */
export const COMMENT_JSON = sql`json_build_object('id', k.id, 'at', ${isoTimestamp(sql`k.at`)},
  'by', ${personJson(sql`k.user_id`)}, 'text', k.text)`;

/** SQL for the comments on a form `f`, oldest first. */
export const COMMENTS_JSON = sql`(SELECT COALESCE(json_agg(${COMMENT_JSON} ORDER BY k.id), '[]') FROM form_comments k
  WHERE k.form_id = f.id)`;

/** SQL boolean: the client of the form `f` was purged. */
// biome-ignore lint/plugin: the client of a visible form
const PURGED = sql`(SELECT c.purged FROM clients c WHERE c.id = f.client_id)`;

const EXTRAS = {
  forms: {
    reconciled: sql`f.reconciled`,
    reconciledBy: personJson(sql`f.reconciled_by_id`),
    reconciledAt: isoTimestamp(sql`f.reconciled_at`),
    returned: RETURNED_JSON,
    comments: COMMENTS_JSON,
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
};

/**
 * A whole form as the API returns it, without the session that wrote it, which depends on the actor. It is assembled once,
 * because that takes longer than the read itself.
 */
const AROUND_SESSION = recordJson(formSchema, "f", {
  ...EXTRAS,
  forms: { ...EXTRAS.forms, groupSession: sql`${null}` },
});

/** Returns SQL for a whole form as the API returns it to the actor (`formResponse`); the row's alias is `f`. */
export const formJson = (actor: SessionUser): Sql => sql(AROUND_SESSION.strings, sessionOfForm(actor));

/** SQL for a whole form as exported files show it (`formColumns`). */
export const FORM_IN_FILE = recordJson(formSchema, "f", {
  forms: { reconciled: sql`f.reconciled`, user: ownerInFile(sql`f.user_id`) },
});

/** Returns a form the actor may see, in its current state. Throws 404 otherwise. The caller records the view. */
export async function readForm(query: Query, actor: SessionUser, id: number): Promise<JsonText<Form>> {
  const [row] = await query<{ form: string }>(
    selectForms(sql`${formJson(actor)}::text AS form`, visibleFormsWhere(actor), sql`f.id = ${id}`),
  );
  if (!row) throw notFound();
  return new JsonText(row.form);
}

/** The facts that decide if a form may be reviewed or removed. */
export type LockedForm = {
  id: number;
  userId: number;
  clientId: number;
  serviceOn: string;
  reconciled: boolean;
  /** Null if the form is not returned. */
  returnComment: string | null;
  clientPurged: boolean;
  /** The user who saved this version. */
  changedById: number | null;
} & StoredVersion;

/** Throws 422 if the client was purged. The rest of the form remains only for report counts and must not change. */
export function assertNotPurged(form: Pick<LockedForm, "clientPurged"> | undefined): void {
  if (form?.clientPurged)
    throw invalid("form.clientId", "The client's record was removed, so its forms can no longer be changed");
}

/**
 * Locks the forms the actor may see, in order of id so that two transactions never deadlock. Returns them by id.
 */
export async function lockForms(
  query: Query,
  actor: SessionUser,
  ids: readonly number[],
  where = sql`TRUE`,
): Promise<Map<number, LockedForm>> {
  const locked = await query<LockedForm>(
    sql`SELECT f.id, f.user_id AS "userId", f.client_id AS "clientId", f.service_on::text AS "serviceOn", f.reconciled,
       ${PURGED} AS "clientPurged", f.lock_version AS "lockVersion", f.updated_by_id AS "changedById",
       (SELECT u.first_name || ' ' || u.last_name FROM users u WHERE u.id = f.updated_by_id) AS "changedBy",
       CASE WHEN f.returned_at IS NOT NULL THEN f.return_comment END AS "returnComment" FROM forms f
     WHERE f.id = ANY(${ids}::int[]) AND ${where} AND ${visibleFormsWhere(actor)} ORDER BY f.id FOR UPDATE`,
  );
  return new Map(locked.map((form) => [form.id, form]));
}
