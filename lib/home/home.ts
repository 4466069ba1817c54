import "server-only";
import { auditRead } from "@/lib/audit/record";
import { type PossibleDuplicates, possibleDuplicates } from "@/lib/clients/duplicates";
import { can, canAny, type NamedItem, type SessionUser } from "@/lib/core/access/permissions";
import {
  knownFormOfContact,
  openFormsWhere,
  selectForms,
  visibleClientsWhere,
  visibleFormsWhere,
  withoutActor,
} from "@/lib/core/access/scope";
import { backupTimes } from "@/lib/core/database/backup-files";
import { rows } from "@/lib/core/database/client";
import { textKey } from "@/lib/core/database/folded";
import { listRows } from "@/lib/core/database/statements";
import { empty, sql } from "@/lib/core/sql";
import { addDays, ago, shortDateTimeOfDay, today } from "@/lib/core/text/format";
import { type OpenSeries, openSeries } from "@/lib/events/events";
import { listDrafts } from "@/lib/forms/drafts/drafts";
import type { DraftSummary } from "@/lib/forms/drafts/schema";
import { closedThrough } from "@/lib/forms/periods/closed-periods";
import { countAnswered, type ReturnedForms, returnedForms } from "@/lib/forms/review/reviews";
import { mailProblems } from "@/lib/identity/mail/queue";
import { USER_STATUS } from "@/lib/identity/users";
import { formTypeOptions } from "@/lib/lookups/resources/lists";
import { type EnteredKey, enteredKinds } from "@/lib/records/quick-entry";
import { type DueReport, reportsDue } from "@/lib/reports/overview";
import { monthOf, type Period, weekOf } from "@/lib/reports/periods";
import type { Time } from "@/lib/reports/schema";
import { hasShelters, type LongStay, longStays } from "@/lib/shelter/board";

/** Each of these permissions records time. */
const RECORDS_TIME = ["forms", "contacts", "activities", "groups", "events"] as const;

/** `contactMinutes` are those of contacts that are linked to no form. */
export type Day = Pick<
  Time["days"][number],
  "on" | "minutes" | "contactMinutes" | "activityMinutes" | "sessionMinutes" | "eventMinutes"
>;
/** The number of an advocate's unreconciled forms; `oldest` is their earliest date of service. */
export type Waiting = NamedItem & { forms: number; oldest: string };

/** The content of Home. A part the user has no permission for is null. */
export type Home = {
  userId: number;
  /** The form types that a new form can have. */
  formTypes: NamedItem[] | null;
  /** True if the actor may write forms and has none yet, and none to review. */
  isNew: boolean;
  returned: ReturnedForms | null;
  drafts: DraftSummary[] | null;
  /** The days of this week, in order. */
  week: Day[] | null;
  clients: (NamedItem & { createdOn: string })[] | null;
  waiting: Waiting[] | null;
  /** The number of forms that the actor returned and that were answered since. */
  answered: number | null;
  /** `failedBackup` is the newest one that failed after the last complete one. Both are "" if there is none. */
  administration: { invited: number; mailFailed: number; lastBackup: string; failedBackup: string } | null;
  duplicates: PossibleDuplicates[] | null;
  longStays: LongStay[] | null;
  /** The series of events without the number of their people. */
  openSeries: OpenSeries[] | null;
  /**
   * The days after the last closed one in months that have ended, and the number of forms to review in them. It is null if
   * the actor sees no such form and may not see all.
   */
  closing: (Period & { forms: number | null }) | null;
  /** The funders' reports that are due soon or overdue. */
  due: DueReport[] | null;
  /** The kinds of records that the quick entry offers to the actor. */
  entered: EnteredKey[];
  /** True if the actor may move a client into a shelter, and there is one. */
  movesIn: boolean;
};

const isReviewer = (actor: SessionUser): boolean => can(actor, "forms") && can(actor, "all-forms");

/** Returns everything that `/home` shows to the actor. */
export async function homeOf(actor: SessionUser): Promise<Home> {
  const hasForms = can(actor, "forms");
  const hasClients = can(actor, "clients");
  const [
    formTypes,
    hasOwn,
    returned,
    drafts,
    week,
    clients,
    waiting,
    answered,
    administration,
    duplicates,
    stays,
    series,
    closing,
    due,
    movesIn,
  ] = await Promise.all([
    hasForms ? formTypeOptions(actor) : null,
    hasForms ? hasOwnForms(actor) : null,
    hasForms ? returnedForms(actor) : null,
    hasForms ? listDrafts(actor) : null,
    canAny(actor, RECORDS_TIME) ? minutesThisWeek(actor) : null,
    hasClients ? newestClients(actor) : null,
    isReviewer(actor) ? waitingForms(actor) : null,
    isReviewer(actor) ? countAnswered(actor) : null,
    can(actor, "users") ? administrationOf(actor) : null,
    hasClients && can(actor, "restrict-clients") ? possibleDuplicates(actor) : null,
    can(actor, "shelter") ? longStays(actor) : null,
    can(actor, "events") ? openSeries(actor) : null,
    can(actor, "close-periods") ? monthsToClose(actor) : null,
    can(actor, "reports") ? reportsDue(actor, today()) : null,
    can(actor, "shelter") && (hasForms || hasClients) ? hasShelters() : false,
  ]);
  return {
    userId: actor.userId,
    isNew: hasOwn === false && drafts?.length === 0 && !waiting?.length,
    formTypes,
    returned,
    drafts,
    week,
    clients,
    waiting,
    answered,
    administration,
    duplicates,
    longStays: stays,
    openSeries: series,
    closing,
    due,
    movesIn,
    entered: enteredKinds(actor),
  };
}

async function hasOwnForms(actor: SessionUser): Promise<boolean> {
  const [found] = await rows<{ has: boolean }>(
    sql`SELECT EXISTS (${selectForms(empty, visibleFormsWhere(actor), sql`f.user_id = ${actor.userId}`)}) AS has`,
  );
  return found?.has ?? false;
}

/** Returns the actor's own service minutes, and those of their contacts, activities, group sessions, and events, on each day of the current week, as My Time does. */
async function minutesThisWeek(actor: SessionUser): Promise<Day[]> {
  const week = weekOf(today());
  const days = await listRows<Day>(
    "minutes of a week",
    sql`SELECT "on", sum(minutes)::int AS minutes, sum(contacts)::int AS "contactMinutes", sum(activities)::int AS "activityMinutes",
       sum(sessions)::int AS "sessionMinutes", sum(events)::int AS "eventMinutes" FROM (
       SELECT f.service_on::text AS "on", p.minutes, 0 AS contacts, 0 AS activities, 0 AS sessions, 0 AS events
       FROM forms f JOIN service_entries e ON e.form_id = f.id
         JOIN service_provided_entries p ON p.service_entry_id = e.id
       WHERE f.user_id = ${actor.userId} AND ${visibleFormsWhere(actor)} AND NOT p.of_session
         AND f.service_on BETWEEN ${week.from}::date AND ${week.to}::date
       UNION ALL SELECT ct.contacted_on::text, 0, ct.minutes, 0, 0, 0 FROM contacts ct
       WHERE ct.user_id = ${actor.userId} AND ${knownFormOfContact(actor)} IS NULL
         AND ct.contacted_on BETWEEN ${week.from}::date AND ${week.to}::date
       UNION ALL SELECT r.occurred_on::text, 0, 0, r.minutes, 0, 0 FROM activities r
       WHERE r.user_id = ${actor.userId} AND ${withoutActor("one's own minutes stay without the permission Activities")}
         AND r.occurred_on BETWEEN ${week.from}::date AND ${week.to}::date
       UNION ALL SELECT s.held_on::text, 0, 0, 0, l.minutes, 0
       FROM group_session_leaders l JOIN group_sessions s ON s.id = l.group_session_id
       WHERE l.user_id = ${actor.userId} AND ${withoutActor("one's own minutes stay after one led the group")}
         AND s.held_on BETWEEN ${week.from}::date AND ${week.to}::date
       UNION ALL SELECT r.held_on::text, 0, 0, 0, 0, s.minutes FROM events r JOIN event_staff s ON s.event_id = r.id
       WHERE s.user_id = ${actor.userId} AND ${withoutActor("one's own minutes stay without the permission Events")}
         AND r.held_on BETWEEN ${week.from}::date AND ${week.to}::date) AS spent
     GROUP BY "on"`,
  );
  const byDay = new Map(days.map((day) => [day.on, day]));
  return Array.from({ length: 7 }, (_, day) => addDays(week.from, day)).map(
    (on) =>
      byDay.get(on) ?? {
        on,
        minutes: 0,
        contactMinutes: 0,
        activityMinutes: 0,
        sessionMinutes: 0,
        eventMinutes: 0,
      },
  );
}

/** Returns the months that have ended since the last closed one. Null if there is none, or if months are not closed here. */
async function monthsToClose(actor: SessionUser): Promise<Home["closing"]> {
  const through = await closedThrough();
  const { to } = monthOf(today(), -1);
  if (through === null || through >= to) return null;
  const from = addDays(through, 1);
  const [row] = await rows<{ forms: number }>(
    selectForms(
      sql`count(*)::int AS forms`,
      openFormsWhere(actor),
      sql`NOT f.reconciled AND f.service_on BETWEEN ${from}::date AND ${to}::date`,
    ),
  );
  const forms = row?.forms ?? 0;
  return { from, to, forms: forms > 0 || isReviewer(actor) ? forms : null };
}

/** Returns the five newest clients of the actor. */
async function newestClients(actor: SessionUser) {
  const clients = await listRows<NamedItem & { createdOn: string }>(
    "newest clients",
    sql`SELECT c.id, c.name, c.created_on::text AS "createdOn" FROM clients c
     WHERE c.user_id = ${actor.userId} AND ${visibleClientsWhere(actor)} ORDER BY c.created_on DESC, c.id DESC LIMIT 5`,
  );
  if (clients.length > 0)
    await auditRead(actor, { action: "listed", entity: "client", shown: clients.map(({ id }) => id) });
  return clients;
}

/** Returns the advocates with unreconciled forms, those with the most first. */
async function waitingForms(actor: SessionUser): Promise<Waiting[]> {
  return listRows<Waiting>(
    "forms that wait",
    sql`SELECT u.id, u.first_name || ' ' || u.last_name AS name, w.forms, w.oldest::text AS oldest
     FROM (SELECT f.user_id, count(*)::int AS forms, min(f.service_on) AS oldest FROM forms f
       WHERE NOT f.reconciled AND ${visibleFormsWhere(actor)} GROUP BY f.user_id) AS w
     JOIN users u ON u.id = w.user_id ORDER BY w.forms DESC, ${textKey(sql`u.last_name`)}, u.id`,
  );
}

async function administrationOf(actor: SessionUser) {
  const [[row], problems, { completedAt, failedAt, isUnreadable }] = await Promise.all([
    rows<{ invited: number }>(
      sql`SELECT count(*)::int AS invited FROM users t WHERE ${USER_STATUS} = 'invited'`,
    ),
    mailProblems(actor),
    backupTimes(),
  ]);
  return {
    invited: row?.invited ?? 0,
    mailFailed: problems.length,
    lastBackup: isUnreadable ? "Unknown" : agedMoment(completedAt),
    failedBackup: isUnreadable ? "The folder of backups cannot be read" : agedMoment(failedAt),
  };
}

/** Returns the time of a backup with its age, `2 days ago, 11/20/26 02:30 AM`; "" if there is none. */
const agedMoment = (moment: string | null): string =>
  moment ? `${ago(moment, Date.now())}, ${shortDateTimeOfDay(moment)}` : "";
