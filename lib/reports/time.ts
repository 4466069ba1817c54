import "server-only";
import { auditRead } from "@/lib/audit/record";
import { can, type SessionUser } from "@/lib/core/access/permissions";
import { knownFormOfContact, notHidden, withoutActor } from "@/lib/core/access/scope";
import { replicaReader } from "@/lib/core/database/replica";
import { forbidden } from "@/lib/core/errors";
import { sql } from "@/lib/core/sql";
import { seesNumbers } from "@/lib/reports/access";
import type { ReportQuery, Time } from "@/lib/reports/schema";

/**
 * Returns one advocate's minutes by day and service code, on forms of any status and type. Other Service minutes and
 * those of unlinked contacts, of activities, of led group sessions, and of events as staff are separate. The services that a session wrote are
 * not the advocate's. Leaves out forms about clients hidden from the actor, whose contacts look unlinked. Only forms have a
 * form type. Records a list that showed the advocate. `userId` defaults to the actor; throws
 * 403 for another user without Reports and All Forms.
 */
export async function getTime(
  actor: SessionUser,
  { from, to, userId, formTypeId }: ReportQuery,
): Promise<Time> {
  const advocateId = userId ?? actor.userId;
  if (!seesNumbers(actor, { userId: advocateId })) throw forbidden();
  if (advocateId !== actor.userId && !can(actor, "reports")) throw forbidden();
  const reader = await replicaReader(0);
  const [time] = await reader.rows<{ days: Time["days"] }>(
    "report time",
    sql`WITH chosen AS MATERIALIZED (
       SELECT e.id, f.service_on, e.other_service_minutes FROM forms f JOIN service_entries e ON e.form_id = f.id
       WHERE f.user_id = ${advocateId} AND f.reconciled IN (TRUE, FALSE) AND f.service_on BETWEEN ${from}::date AND ${to}::date
         AND (${formTypeId}::int IS NULL OR f.form_type_id = ${formTypeId}) AND ${notHidden(actor, sql`f.client_id`)}),
     codes AS (
       SELECT service_on, c.id, c.code, sum(p.minutes)::int AS minutes
       FROM chosen JOIN service_provided_entries p ON p.service_entry_id = chosen.id JOIN service_codes c ON c.id = p.service_code_id
       WHERE p.minutes > 0 AND NOT p.of_session GROUP BY service_on, c.id, c.code),
     days AS (
       SELECT service_on, sum(other_service_minutes)::int AS other,
         coalesce((SELECT sum(minutes)::int FROM codes WHERE codes.service_on = chosen.service_on), 0) AS minutes,
         coalesce((SELECT json_agg(json_build_object('serviceCodeId', id, 'code', code, 'minutes', minutes) ORDER BY code)
           FROM codes WHERE codes.service_on = chosen.service_on), '[]') AS codes
       FROM chosen GROUP BY service_on),
     calls AS (
       SELECT ct.contacted_on AS service_on, sum(ct.minutes)::int AS contacts FROM contacts ct
       WHERE ct.user_id = ${advocateId} AND ct.contacted_on BETWEEN ${from}::date AND ${to}::date
         AND ${formTypeId}::int IS NULL AND ${knownFormOfContact(actor)} IS NULL
       GROUP BY 1),
     work AS (
       SELECT r.occurred_on AS service_on, sum(r.minutes)::int AS activities FROM activities r
       WHERE r.user_id = ${advocateId} AND r.occurred_on BETWEEN ${from}::date AND ${to}::date AND ${formTypeId}::int IS NULL
         AND ${withoutActor("the minutes of an advocate whose time the actor may see")}
       GROUP BY 1),
     led AS (
       SELECT s.held_on AS service_on, sum(l.minutes)::int AS sessions
       FROM group_session_leaders l JOIN group_sessions s ON s.id = l.group_session_id
       WHERE l.user_id = ${advocateId} AND s.held_on BETWEEN ${from}::date AND ${to}::date AND ${formTypeId}::int IS NULL
         AND ${withoutActor("the minutes of an advocate whose time the actor may see")}
       GROUP BY 1),
     held AS (
       SELECT r.held_on AS service_on, sum(s.minutes)::int AS events FROM events r JOIN event_staff s ON s.event_id = r.id
       WHERE s.user_id = ${advocateId} AND r.held_on BETWEEN ${from}::date AND ${to}::date AND ${formTypeId}::int IS NULL
         AND ${withoutActor("the minutes of an advocate whose time the actor may see")}
       GROUP BY 1),
     summed AS (
       SELECT service_on, coalesce(codes, '[]') AS codes, coalesce(minutes, 0) AS minutes, coalesce(other, 0) AS other,
         coalesce(contacts, 0) AS contacts, coalesce(activities, 0) AS activities,
         coalesce(sessions, 0) AS sessions, coalesce(events, 0) AS events
       FROM days FULL JOIN calls USING (service_on) FULL JOIN work USING (service_on) FULL JOIN led USING (service_on)
         FULL JOIN held USING (service_on))
     SELECT coalesce(json_agg(json_build_object('on', service_on, 'codes', codes, 'minutes', minutes, 'otherMinutes', other,
         'contactMinutes', contacts, 'activityMinutes', activities, 'sessionMinutes', sessions, 'eventMinutes', events)
       ORDER BY service_on) FILTER (WHERE minutes + other + contacts + activities + sessions + events > 0), '[]') AS days FROM summed`,
  );
  await auditRead(actor, { action: "listed", entity: "user", shown: [advocateId] });
  const days = time?.days ?? [];
  const sum = (of: (day: Time["days"][number]) => number) => days.reduce((total, day) => total + of(day), 0);
  return {
    days,
    minutes: sum(({ minutes }) => minutes),
    otherMinutes: sum(({ otherMinutes }) => otherMinutes),
    contactMinutes: sum(({ contactMinutes }) => contactMinutes),
    activityMinutes: sum(({ activityMinutes }) => activityMinutes),
    sessionMinutes: sum(({ sessionMinutes }) => sessionMinutes),
    eventMinutes: sum(({ eventMinutes }) => eventMinutes),
  };
}
