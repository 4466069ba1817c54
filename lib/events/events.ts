import "server-only";
import { updateRecordIn } from "@/lib/audit/save";
import type { SessionUser } from "@/lib/core/access/permissions";
import { visibleRecordsWhere, withoutActor } from "@/lib/core/access/scope";
import type { Query } from "@/lib/core/database/client";
import { listRows } from "@/lib/core/database/statements";
import { AppError, invalid } from "@/lib/core/errors";
import { isRemoved } from "@/lib/core/fields/removed-rows";
import { type Sql, sql } from "@/lib/core/sql";
import { counted, date, today } from "@/lib/core/text/format";
import type { RecordValues } from "@/lib/declared-records/api-schema";
import { recordReads } from "@/lib/declared-records/reads";
import { checkRecord, type RecordSaves, recordSaves, refuseProblems } from "@/lib/declared-records/saves";
import { type RecordStore, storeOf } from "@/lib/declared-records/store";
import { type Event, events } from "@/lib/events/record";
import { inactiveAccounts } from "@/lib/identity/active-accounts";

// Events do more than their declaration says: they form series, and staff must be active accounts.

/** SQL condition: the user is staff of the event `r`. */
const isStaff = (userId: Sql): Sql =>
  sql`EXISTS (SELECT FROM event_staff s WHERE s.event_id = r.id AND s.user_id = ${userId})`;

const reads = recordReads<Event>(events, { ofUser: isStaff });

const numberOf = (value: unknown): number | null => (typeof value === "number" ? value : null);

/** Returns the problems of an event's number of people in its series, by path. */
function seriesProblems(sent: RecordValues, { seriesId, seriesPeople, attended }: RecordValues) {
  const people = numberOf(sent.seriesPeople ?? seriesPeople);
  if (people === null) return {};
  const path = sent.seriesPeople === undefined ? "event.attended" : "event.seriesPeople";
  if (numberOf(seriesId) === null)
    return sent.seriesPeople === undefined ? {} : { [path]: "is only for an event of a series" };
  if (people >= (numberOf(attended) ?? 0)) return {};
  return {
    [path]:
      sent.seriesPeople === undefined
        ? "must not be more than the different people in all sessions"
        : "must not be less than Attended",
  };
}

/** Throws 422 for added staff whose accounts are not active. Existing rows stay. */
async function assertActive(query: Query, stored: Event | null, next: RecordValues): Promise<void> {
  const before = new Set(stored?.staff.map(({ userId }) => userId));
  const staff = Array.isArray(next.staff) ? next.staff : [];
  const isAdded = (row: { userId: number }) => !isRemoved(row) && !before.has(row.userId);
  const added = staff.filter(isAdded).map(({ userId }) => Number(userId));
  const inactive = await inactiveAccounts(query, added);
  const at = staff.findIndex((row) => isAdded(row) && inactive.has(row.userId));
  if (at >= 0)
    throw invalid(`event.staffAttributes.${at}.userId`, "Name must be a person with an active account");
}

/** Returns the number of other events of the series that begins with this event. */
async function laterSessions(query: Query, actor: SessionUser, id: number): Promise<number> {
  const [row] = await query<{ sessions: number }>(
    sql`SELECT count(*)::int AS sessions FROM events r
     WHERE r.series_id = ${id} AND r.id <> ${id} AND ${visibleRecordsWhere(actor, events)}`,
  );
  return row?.sessions ?? 0;
}

/** The days after the latest session of a series after which the number of its people is missing. */
const OPEN_DAYS = 60;

/** SELECT of the `series_id` of series without the number of people, long after their latest sessions. */
export const openSeriesSql = (): Sql =>
  sql`SELECT e.series_id FROM events e WHERE e.series_id IS NOT NULL
      AND ${withoutActor("holders of Events see all, and readers of reports only numbers")}
    GROUP BY e.series_id HAVING count(e.series_people) = 0 AND max(e.held_on) <= ${today()}::date - ${OPEN_DAYS}::int`;

/** A series without the number of people, by its first event. */
export type OpenSeries = { id: number; title: string };

/** Returns the series that Home lists to holders of Events, the oldest first. */
export const openSeries = (actor: SessionUser): Promise<OpenSeries[]> =>
  listRows<OpenSeries>(
    "open series",
    sql`SELECT r.id, r.title FROM events r
     WHERE r.id IN (${openSeriesSql()}) AND ${visibleRecordsWhere(actor, events)} ORDER BY r.held_on, r.id LIMIT 10`,
  );

const inUse = (message: string) => new AppError("conflict_in_use", message);

/** Locks the first event of the series that the event is to join, and makes it the first if it is in no series yet. */
async function joinSeries(query: Query, actor: SessionUser, firstId: number): Promise<void> {
  const [first] = await query<{ seriesId: number | null }>(
    sql`SELECT r.series_id AS "seriesId" FROM events r
     WHERE r.id = ${firstId} AND ${visibleRecordsWhere(actor, events)} FOR UPDATE OF r`,
  );
  if (!first) throw invalid("event.seriesId", "Series does not exist");
  if (first.seriesId === null) await updateRecordIn(saves, query, actor, firstId, { seriesId: firstId });
  else if (first.seriesId !== firstId)
    throw invalid("event.seriesId", `Series must be the first event of a series, such as ${first.seriesId}`);
}

/** Throws 409 if another event of the series has the number of people. */
async function assertOnlyNumber(query: Query, actor: SessionUser, id: number | null, seriesId: number) {
  const [other] = await query<{ id: number; heldOn: string; title: string }>(
    sql`SELECT r.id, r.held_on AS "heldOn", r.title FROM events r
     WHERE r.series_id = ${seriesId} AND r.series_people IS NOT NULL AND r.id IS DISTINCT FROM ${id}::int
       AND ${visibleRecordsWhere(actor, events)}`,
  );
  if (other)
    throw inUse(
      `Event ${other.id} of ${date(other.heldOn)}, “${other.title}”, has the number of people of this series already`,
    );
}

const declaredSaves = recordSaves(reads);
const saves: RecordSaves<Event> = {
  ...declaredSaves,
  async openToRemove(query, actor, id) {
    const found = await declaredSaves.openToRemove(query, actor, id);
    const sessions = await laterSessions(query, actor, id);
    if (sessions > 0)
      throw inUse(
        `This event begins a series with ${counted(sessions, "more session")} and cannot be removed before them`,
      );
    return found;
  },
  prepare(found, sent) {
    const { values, problems } = checkRecord(events, found, sent);
    refuseProblems(events, { ...seriesProblems(sent, values), ...problems });
    return values;
  },
  async before(query, actor, { stored }, next) {
    await assertActive(query, stored, next);
    const id = stored?.id ?? null;
    const seriesId = numberOf(next.seriesId);
    if (id !== null && stored?.seriesId === id && seriesId !== id) {
      const sessions = await laterSessions(query, actor, id);
      if (sessions > 0)
        throw inUse(
          `This event begins a series with ${counted(sessions, "more session")} and cannot leave it before them`,
        );
    }
    if (seriesId === null) return;
    if (seriesId !== id) await joinSeries(query, actor, seriesId);
    if (numberOf(next.seriesPeople) !== null) await assertOnlyNumber(query, actor, id, seriesId);
  },
};

export const eventStore: RecordStore<Event> = storeOf(reads, saves);
