import "server-only";
import * as z from "zod/mini";
import { withoutActor } from "@/lib/core/access/scope";
import type { Query } from "@/lib/core/database/client";
import { recordJson } from "@/lib/core/database/record-read";
import { sql } from "@/lib/core/sql";
import { formSchema } from "@/lib/forms/schema";

const visible = withoutActor("a merge is about all records of its clients");

/** A form that a merge keeps, because the remaining client was at the same session. */
export const keptForm = z.object({
  form: z.looseObject({ id: z.int(), clientId: z.int() }),
  /** The columns of its row besides the fields. */
  columns: z.record(z.string(), z.unknown()),
  comments: z.array(z.looseObject({})),
  /** The contact linked to it, and the form to which the merge moved the link; null if that has a contact of its own. */
  contact: z.nullish(z.object({ id: z.int(), formId: z.nullable(z.int()) })),
  /** The place of the service that the session wrote among those of the form; null if there is none. */
  sessionRow: z.nullable(z.int()),
  sessionId: z.int(),
  minutes: z.nullable(z.int()),
  edited: z.boolean(),
});
export type KeptForm = z.output<typeof keptForm>;

/** Locks all forms of the clients. Other code locks them before attendances. */
export const lockForms = (query: Query, clientIds: readonly number[]) =>
  query(
    sql`SELECT f.id FROM forms f WHERE f.client_id = ANY(${clientIds}::int[]) AND ${visible} ORDER BY f.id FOR UPDATE`,
  );

/** Locks and reads the forms of the client `from` in sessions that the client `to` attended, too. */
export async function readKeptForms(query: Query, from: number, to: number): Promise<KeptForm[]> {
  await lockForms(query, [from, to]);
  return query<KeptForm>(
    sql`SELECT ${recordJson(formSchema, "f", {})} AS form, a.group_session_id AS "sessionId", a.minutes, a.edited,
       json_build_object('user_id', f.user_id, 'reconciled', f.reconciled, 'reconciled_by_id', f.reconciled_by_id,
         'reconciled_at', f.reconciled_at, 'returned_by_id', f.returned_by_id, 'returned_at', f.returned_at,
         'return_comment', f.return_comment, 'answered_to_id', f.answered_to_id, 'checked_at', f.checked_at,
         'updated_by_id', f.updated_by_id, 'lock_version', f.lock_version + 1, 'created_at', f.created_at,
         'updated_at', f.updated_at) AS columns,
       (SELECT COALESCE(json_agg(k), '[]') FROM form_comments k WHERE k.form_id = f.id) AS comments,
       (SELECT json_build_object('id', ct.id, 'formId', (SELECT o.form_id FROM attendances o
            WHERE o.group_session_id = a.group_session_id AND o.client_id = ${to}
              AND NOT EXISTS (SELECT FROM contacts other WHERE other.form_id = o.form_id)))
          FROM contacts ct WHERE ct.form_id = f.id) AS contact,
       (SELECT row.place::int FROM (SELECT p.of_session, row_number() OVER (ORDER BY p.id) - 1 AS place
          FROM service_provided_entries p JOIN service_entries e ON e.id = p.service_entry_id WHERE e.form_id = f.id) AS row
        WHERE row.of_session LIMIT 1) AS "sessionRow"
     FROM attendances a JOIN forms f ON f.id = a.form_id
     WHERE a.client_id = ${from} AND ${visible} AND EXISTS (
       SELECT FROM attendances o WHERE o.group_session_id = a.group_session_id AND o.client_id = ${to}) ORDER BY f.id`,
  );
}
