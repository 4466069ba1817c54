import "server-only";
import * as z from "zod/mini";
import { removeRecordIn, updateRecordIn } from "@/lib/audit/save";
import { can, type SessionUser } from "@/lib/core/access/permissions";
import { visibleGroupsWhere, withoutActor } from "@/lib/core/access/scope";
import { type Query, queryIn, type Tx } from "@/lib/core/database/client";
import { AppError, invalid } from "@/lib/core/errors";
import { day, lookup, minutes } from "@/lib/core/fields/vocabulary";
import { sql } from "@/lib/core/sql";
import { removeFormIn } from "@/lib/forms/forms";
import { addSessionIn, readSession, sessionSaves } from "@/lib/groups/sessions";

// Attendances that an import records one by one. Those of one group and day are one session, which writes their forms.

/** The column of a file with the name of the group. */
export const GROUP_NAME = "group.name";

/** An attendance in a file. Its group is found by name. */
export const pastAttendance = z.object({
  heldOn: day("Date", { required: true, sensitive: false }),
  clientId: lookup("clients", "Client", { required: true }),
  minutes: minutes("Minutes"),
});
type PastAttendance = z.output<typeof pastAttendance>;

const visible = withoutActor("the caller has found the session among those of visible groups");

/** Returns the ids of the groups that the actor sees, at most two for each of the names. */
export async function visibleGroupIds(
  query: Query,
  actor: SessionUser,
  names: readonly string[],
): Promise<ReadonlyMap<string, number[]>> {
  const found = await query<{ name: string; ids: number[] }>(
    sql`SELECT given.name, array_agg(g.id) AS ids FROM unnest(${[...names]}::text[]) AS given (name)
     CROSS JOIN LATERAL (SELECT r.id FROM groups r WHERE ${visibleGroupsWhere(actor, sql`r.id`)}
       AND fold_name(r.name) = fold_name(given.name) AND (fold_name(r.name) <> '' OR r.name = given.name) LIMIT 2) AS g
     GROUP BY given.name`,
  );
  return new Map(found.map(({ name, ids }) => [name, ids]));
}

/**
 * Returns the visible sessions of a group on a day, and the form of the client in each. `isRecorded` is true if the
 * transaction has written the session already.
 */
const sessionsOn = (
  query: Query,
  actor: SessionUser,
  groupId: number,
  { heldOn, clientId }: PastAttendance,
): Promise<{ id: number; minutes: number; formId: number | null; isRecorded: boolean }[]> =>
  query(
    sql`SELECT s.id, s.minutes, a.form_id AS "formId", s.updated_at = now()::timestamptz(3) AS "isRecorded" FROM group_sessions s
       LEFT JOIN attendances a ON a.group_session_id = s.id AND a.client_id = ${clientId}
     WHERE s.group_id = ${groupId} AND s.held_on = ${heldOn}::date AND ${visibleGroupsWhere(actor, sql`s.group_id`)}
     ORDER BY s.id`,
  );

/** True if the client is in a session of the group on that day. */
export async function isAttended(
  query: Query,
  actor: SessionUser,
  groupId: number,
  attendance: PastAttendance,
): Promise<boolean> {
  const sessions = await sessionsOn(query, actor, groupId, attendance);
  return sessions.some(({ formId }) => formId !== null);
}

/**
 * Adds a client to the session of a group on a day and returns the id of the form. A session that does not exist is
 * created: the user `leaderId` leads it, and it has the minutes of this attendance or the usual ones. Throws 422 with the
 * invalid columns, and 409 in a closed period.
 */
export async function recordAttendance(
  query: Query,
  actor: SessionUser,
  groupId: number,
  attendance: PastAttendance,
  leaderId: number,
): Promise<number> {
  const { heldOn, clientId } = attendance;
  // A blank field is 0.
  const minutes = attendance.minutes || null;
  const [session, second] = await sessionsOn(query, actor, groupId, attendance);
  if (second) throw invalid("heldOn", "Date: the group has several sessions on this day");
  try {
    if (session) {
      const { attendances } = await readSession(query, actor, session.id);
      const own = minutes === session.minutes ? null : minutes;
      const saves = sessionSaves(groupId);
      // The rows of a chunk are one transaction, and one event of their session.
      const recorded = session.isRecorded ? { ...saves, events: () => [] } : saves;
      await updateRecordIn(recorded, query, actor, session.id, {
        attendances: [
          ...attendances.map(({ id }) => ({ id, _destroy: false })),
          { clientId, minutes: own, _destroy: false },
        ],
      });
    } else {
      const usualMinutes = await minutesOfLeader(query, actor, groupId, leaderId);
      const all = minutes ?? usualMinutes;
      await addSessionIn(query, actor, groupId, {
        heldOn,
        minutes: all,
        leaders: [{ userId: leaderId, minutes: all, _destroy: false }],
        attendances: [{ clientId, minutes: null, _destroy: false }],
      });
    }
  } catch (error) {
    throw inColumns(error);
  }
  const sessions = await sessionsOn(query, actor, groupId, attendance);
  const formId = sessions.find(({ formId }) => formId !== null)?.formId;
  if (!formId) throw new Error("The session has no form of the client");
  return formId;
}

/** Returns the usual minutes of a group. Throws 422 if the user may not be recorded as its leader. */
async function minutesOfLeader(
  query: Query,
  actor: SessionUser,
  groupId: number,
  leaderId: number,
): Promise<number> {
  const [group] = await query<{ minutes: number; leads: boolean }>(
    sql`SELECT r.usual_minutes AS minutes, EXISTS (SELECT FROM group_users gu WHERE gu.group_id = r.id
         AND gu.user_id = ${leaderId} AND ${visible}) AS leads
     FROM groups r WHERE r.id = ${groupId} AND ${visibleGroupsWhere(actor, sql`r.id`)}`,
  );
  if (leaderId !== actor.userId && !can(actor, "all-forms"))
    throw invalid("userId", "Sessions of other advocates require the permission All Forms");
  if (!group?.leads)
    throw invalid("userId", "Advocate Email must be the email of a leader of the group, who led the session");
  return group.minutes;
}

/** Returns an error about a session as one about the columns of a file. */
function inColumns(error: unknown): unknown {
  if (!(error instanceof AppError)) return error;
  const fields = error.extra.fields ?? {};
  const unfit = fields["group.formTypeId"];
  if (unfit) return invalid("groupId", `Group: ${unfit}`);
  const leaders = fields["groupSession.leadersAttributes"];
  return leaders ? invalid("userId", `Advocate Email: ${leaders}`) : error;
}

/**
 * Removes an imported attendance with its form, and a session that was created together with it once nobody is left in
 * it. Throws 404, and 409 in a closed period or with the reason why the form must stay.
 */
export async function removeAttendance(tx: Tx, actor: SessionUser, formId: number): Promise<void> {
  const query = queryIn(tx);
  const [found] = await query<{ id: number; sessionId: number; groupId: number; isLast: boolean }>(
    sql`SELECT a.id, s.id AS "sessionId", s.group_id AS "groupId",
       s.created_at = f.created_at AND s.unnamed = 0 AND NOT EXISTS (
         SELECT FROM attendances o WHERE o.group_session_id = s.id AND o.id <> a.id AND ${visible}) AS "isLast"
     FROM attendances a JOIN group_sessions s ON s.id = a.group_session_id JOIN forms f ON f.id = a.form_id
     WHERE a.form_id = ${formId} AND ${visibleGroupsWhere(actor, sql`s.group_id`)} AND ${visible}`,
  );
  // The session was removed since, or its group is no longer visible.
  if (!found) return removeFormIn(tx, actor, formId);
  const { id, sessionId, groupId, isLast } = found;
  const saves = sessionSaves(groupId);
  if (isLast) return removeRecordIn(saves, query, actor, sessionId);
  const { attendances } = await readSession(query, actor, sessionId);
  const others = attendances.filter((other) => other.id !== id).map(({ id }) => ({ id, _destroy: false }));
  await updateRecordIn(saves, query, actor, sessionId, { attendances: others });
}
