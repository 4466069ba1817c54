import "server-only";
import { auditMembers, type Membership } from "@/lib/audit/record";
import { canAll, GROUP_PERMISSIONS, type SessionUser } from "@/lib/core/access/permissions";
import { visibleGroupsWhere, withoutActor } from "@/lib/core/access/scope";
import type { Query } from "@/lib/core/database/client";
import type { Statement } from "@/lib/core/database/record-write";
import { type Sql, sql } from "@/lib/core/sql";
import { assertOpen, closedThrough } from "@/lib/forms/periods/closed-periods";

// A form that a group session wrote (lib/groups). The link is in the row of the attendance, which goes with the form.

const visible = withoutActor("the caller has found the form for its actor");

/** Returns SQL for the session that wrote the form `f`; null if the actor may not see the group. It names no other attendee. */
export const sessionOfForm = (actor: SessionUser): Sql =>
  canAll(actor, GROUP_PERMISSIONS)
    ? sql`(SELECT json_build_object('id', s.id, 'groupId', g.id, 'groupName', g.name)
        FROM attendances a JOIN group_sessions s ON s.id = a.group_session_id JOIN groups g ON g.id = s.group_id
        WHERE a.form_id = f.id AND ${visibleGroupsWhere(actor, sql`g.id`)})`
    : sql`NULL`;

/** SQL boolean: a session wrote the form with this id. */
export const ofSessionSql = (formId: Sql): Sql =>
  sql`EXISTS (SELECT FROM attendances a WHERE a.form_id = ${formId} AND ${visible})`;

/** Adds the part that marks the attendance of a changed form: its session writes the form no more. */
export const editedPart = (statement: Statement, row: Sql): Sql =>
  statement.with(
    sql`UPDATE attendances a SET edited = TRUE FROM ${row} WHERE a.form_id = ${row}.id AND NOT a.edited AND ${visible}`,
  );

/**
 * Removes the attendance of a form that is about to be removed, and records it. Throws 409 if the session is in a closed
 * period. The caller has locked the client and the form.
 */
export async function leaveSession(
  query: Query,
  actor: SessionUser,
  form: { id: number; clientId: number },
): Promise<void> {
  const [session] = await query<{ id: number; heldOn: string }>(
    sql`SELECT s.id, s.held_on::text AS "heldOn" FROM group_sessions s
     WHERE s.id = (SELECT a.group_session_id FROM attendances a WHERE a.form_id = ${form.id}) AND ${visible} FOR UPDATE`,
  );
  if (!session) return;
  assertOpen(await closedThrough(query, "FOR SHARE"), session.heldOn);
  await query(sql`DELETE FROM attendances a WHERE a.form_id = ${form.id} AND ${visible}`);
  await query(
    sql`UPDATE group_sessions SET lock_version = lock_version + 1, updated_by_id = ${actor.userId}, updated_at = now()
     WHERE id = ${session.id} AND ${visible}`,
  );
  await auditAttendances(query, actor, session.id, [{ from: form.clientId, to: null }]);
}

/** Records that clients came to a session, or no longer count as there. Each event is about that client alone. */
export const auditAttendances = (
  query: Query,
  actor: SessionUser,
  entityId: number,
  members: readonly Membership[],
): Promise<void> =>
  auditMembers(
    query,
    actor,
    { entity: "groupSession", entityId, field: "groupSession.attendances" },
    members,
  );
