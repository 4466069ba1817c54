import "server-only";
import * as z from "zod/mini";
import { auditPart } from "@/lib/audit/record";
import type { ClientHooks } from "@/lib/clients/hooks";
import type { SessionUser } from "@/lib/core/access/permissions";
import { withoutActor } from "@/lib/core/access/scope";
import type { Query } from "@/lib/core/database/client";
import { insertRecord, Statement } from "@/lib/core/database/record-write";
import { isRecord } from "@/lib/core/objects";
import { identifier, sql } from "@/lib/core/sql";
import { moveContactLink } from "@/lib/forms/contact-link";
import { formSchema } from "@/lib/forms/schema";
import { type KeptForm, keptForm, lockForms, readKeptForms } from "@/lib/groups/kept-forms";

// Rosters and attendances at a merge, its undo, and a purge. Forms move with their own hooks.

const visible = withoutActor("a merge or a purge is about all records of its clients");

/** The data that an undo needs: the groups whose rosters had both clients, and the attendances of sessions that had both. */
const kept = z.object({
  /** The groups whose roster had the merged client, and those that had the other one, too. */
  moved: z.array(z.int()),
  both: z.array(z.int()),
  forms: z.array(keptForm),
});

/** Notifies screens that have the groups or sessions open. */
const renew = (query: Query, userId: number, table: "groups" | "group_sessions", ids: readonly number[]) =>
  query(
    sql`UPDATE ${identifier(table)} SET lock_version = lock_version + 1, updated_by_id = ${userId}
     WHERE id = ANY(${ids}::int[]) AND ${visible}`,
  );

export const groupHooks: ClientHooks = {
  name: "attendances",
  async merged(query, actor, move) {
    const { from, to } = move;
    const rosters = await query<{ id: number; both: boolean }>(
      sql`SELECT gc.group_id AS id, EXISTS (SELECT FROM group_clients o WHERE o.group_id = gc.group_id AND o.client_id = ${to}) AS both
       FROM group_clients gc WHERE gc.client_id = ${from} AND ${visible} ORDER BY 1`,
    );
    const ids = (both: boolean) => rosters.filter((roster) => roster.both === both).map(({ id }) => id);
    await query(
      sql`DELETE FROM group_clients gc WHERE gc.client_id = ${from} AND gc.group_id = ANY(${ids(true)}::int[]) AND ${visible}`,
    );
    await query(sql`UPDATE group_clients SET client_id = ${to} WHERE client_id = ${from} AND ${visible}`);
    await renew(
      query,
      actor.userId,
      "groups",
      rosters.map(({ id }) => id),
    );
    const forms = await readKeptForms(query, from, to);
    const formIds = forms.map(({ form }) => form.id);
    await query(sql`DELETE FROM attendances a WHERE a.form_id = ANY(${formIds}::int[]) AND ${visible}`);
    for (const { form, contact } of forms)
      if (contact)
        await moveContactLink(query, actor, { id: contact.id, from: form.id, to: contact.formId }, move);
    const statement = new Statement();
    const removed = statement.with(
      sql`DELETE FROM forms f WHERE f.id = ANY(${formIds}::int[]) AND ${visible} RETURNING f.id, f.client_id`,
    );
    auditPart(statement, actor, { action: "removed", entity: "form", client: "client_id" }, removed);
    await query(statement.sql(sql`SELECT`));
    const moved = await query<{ id: number; session: number }>(
      sql`UPDATE attendances a SET client_id = ${to} WHERE a.client_id = ${from} AND ${visible}
       RETURNING a.id, a.group_session_id AS session`,
    );
    await renew(query, actor.userId, "group_sessions", [
      ...moved.map(({ session }) => session),
      ...forms.map(({ sessionId }) => sessionId),
    ]);
    return { ids: moved.map(({ id }) => id), kept: { moved: ids(false), both: ids(true), forms } };
  },
  async unmerged(query, actor, move, ids, stored) {
    const { from, to } = move;
    await lockForms(query, [from]);
    const back = await query<{ session: number }>(
      sql`UPDATE attendances a SET client_id = ${to} WHERE a.id = ANY(${ids}::int[]) AND a.client_id = ${from} AND ${visible}
       RETURNING a.group_session_id AS session`,
    );
    const { data = { moved: [], both: [], forms: [] } } = kept.safeParse(stored);
    await query(
      sql`DELETE FROM group_clients gc WHERE gc.client_id = ${from} AND gc.group_id = ANY(${data.moved}::int[]) AND ${visible}`,
    );
    await query(
      sql`INSERT INTO group_clients (group_id, client_id) SELECT g.id, ${to}::int FROM groups g
       WHERE g.id = ANY(${[...data.moved, ...data.both]}::int[]) AND ${visible} ON CONFLICT DO NOTHING`,
    );
    await renew(query, actor.userId, "groups", [...data.moved, ...data.both]);
    for (const one of data.forms) {
      await restoreForm(query, actor, one);
      const { form, contact } = one;
      if (contact)
        await moveContactLink(query, actor, { id: contact.id, from: contact.formId, to: form.id }, move);
    }
    await renew(query, actor.userId, "group_sessions", [
      ...back.map(({ session }) => session),
      ...data.forms.map(({ sessionId }) => sessionId),
    ]);
  },
  async purged(query, clientId) {
    await query(
      sql`DELETE FROM idempotency_keys k WHERE k.entity = 'groupSession' AND k.record_id IN (
         SELECT a.group_session_id FROM attendances a WHERE a.client_id = ${clientId} AND ${visible})`,
    );
    await query(
      sql`UPDATE group_sessions s SET unnamed = s.unnamed + 1, lock_version = s.lock_version + 1
       FROM attendances a WHERE a.group_session_id = s.id AND a.client_id = ${clientId} AND ${visible}`,
    );
    await query(sql`DELETE FROM attendances a WHERE a.client_id = ${clientId} AND ${visible}`);
    await query(
      sql`UPDATE groups g SET lock_version = g.lock_version + 1 FROM group_clients gc
       WHERE gc.group_id = g.id AND gc.client_id = ${clientId} AND ${visible}`,
    );
    await query(sql`DELETE FROM group_clients gc WHERE gc.client_id = ${clientId} AND ${visible}`);
  },
};

/** Returns a record whose entries and rows are new ones. */
const withoutIds = (values: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(values).flatMap(([name, value]): [string, unknown][] => {
      if (name === "id") return [];
      if (Array.isArray(value)) return [[name, value.map((row) => (isRecord(row) ? withoutIds(row) : row))]];
      return [[name, isRecord(value) ? withoutIds(value) : value]];
    }),
  );

/** The columns with users that are blank once the account is removed. */
const USER_COLUMNS = ["reconciled_by_id", "returned_by_id", "answered_to_id", "updated_by_id"];

/**
 * Writes a kept form again under its id, with its review and its attendance if the session still exists. Accounts may have
 * been removed since: the actor then owns the form, and its comments and review name nobody, as after any removal.
 */
async function restoreForm(query: Query, actor: SessionUser, kept: KeptForm) {
  const { form, columns, sessionRow, ...attendance } = kept;
  const owners = [columns.user_id, ...USER_COLUMNS.map((name) => columns[name])];
  const named = [...owners, ...kept.comments.map((comment) => comment.user_id)];
  const userIds = named.filter((id) => typeof id === "number");
  const users = await query<{ id: number }>(
    sql`SELECT id FROM users WHERE id = ANY(${userIds}::int[]) ORDER BY id FOR KEY SHARE`,
  );
  const existing = (id: unknown) => users.find((user) => user.id === id)?.id ?? null;
  const comments = kept.comments.map((comment) => ({ ...comment, user_id: existing(comment.user_id) }));
  const statement = new Statement();
  insertRecord(statement, formSchema, withoutIds(form), {
    id: form.id,
    ...columns,
    ...Object.fromEntries(USER_COLUMNS.map((name) => [name, existing(columns[name])])),
    user_id: existing(columns.user_id) ?? actor.userId,
  });
  await query(statement.sql(sql`SELECT`));
  await query(
    sql`INSERT INTO form_comments (form_id, user_id, at, text)
     SELECT ${form.id}::int, user_id, at, text FROM jsonb_populate_recordset(NULL::form_comments, ${JSON.stringify(comments)}::jsonb) ORDER BY id`,
  );
  if (sessionRow !== null)
    await query(
      sql`UPDATE service_provided_entries SET of_session = TRUE WHERE id = (
         SELECT p.id FROM service_provided_entries p JOIN service_entries e ON e.id = p.service_entry_id
         WHERE e.form_id = ${form.id} ORDER BY p.id OFFSET ${sessionRow} LIMIT 1)`,
    );
  await query(
    sql`INSERT INTO attendances (group_session_id, client_id, form_id, minutes, edited)
     SELECT s.id, ${form.clientId}::int, ${form.id}::int, ${attendance.minutes}::int, ${attendance.edited}::boolean
     FROM group_sessions s WHERE s.id = ${attendance.sessionId} AND ${visible}`,
  );
}
