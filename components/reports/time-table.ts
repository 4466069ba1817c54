import { date, MONTHS } from "@/lib/core/text/format";
import { type Period, weekOf } from "@/lib/reports/periods";
import type { Time } from "@/lib/reports/schema";

/** The row heads of minutes that are in no total. */
const OTHER = "Other Service";
const CONTACTS = "Contacts";
const ACTIVITIES = "Activities";
const SESSIONS = "Group Sessions";
const EVENTS = "Events";

type Row = { label: string; minutes: number[]; sum: number };

/** Minutes as a table: a row for each service code, a column for each part of the period. */
type TimeTable = {
  columns: string[];
  codes: Row[];
  total: Row;
  /** Minutes that the total does not have; rows without minutes are left out. */
  apart: Row[];
};

const DAY_MS = 86_400_000;
const daysIn = ({ from, to }: Period) => (Date.parse(to) - Date.parse(from)) / DAY_MS + 1;
const shortDay = (day: string) => date(day).slice(0, 5);
const shortMonth = (day: string) => `${MONTHS[Number(day.slice(5, 7)) - 1]?.slice(0, 3)} ${day.slice(0, 4)}`;

/** The parts of a period, smallest first. Each has the longest period that it is for, and its name. */
const PARTS: readonly { daysMax: number; nameOf: (day: string) => string }[] = [
  { daysMax: 10, nameOf: shortDay },
  {
    daysMax: 62,
    nameOf: (day) => {
      const { from, to } = weekOf(day);
      return `${shortDay(from)}–${shortDay(to)}`;
    },
  },
  { daysMax: 366, nameOf: shortMonth },
  { daysMax: Number.POSITIVE_INFINITY, nameOf: (day) => day.slice(0, 4) },
];

/**
 * Returns the minutes of a period by service code. The columns are days, weeks, months or years, so that they fit on a
 * screen. Parts without minutes are left out.
 */
export function timeTable({ days }: Pick<Time, "days">, period: Period): TimeTable {
  const { nameOf } = PARTS.find(({ daysMax }) => daysIn(period) <= daysMax) ?? { nameOf: shortDay };
  const columns = [...new Set(days.map(({ on }) => nameOf(on)))];
  const rowOf = (label: string, minutesOf: (day: Time["days"][number]) => number): Row => {
    const minutes = columns.map((column) =>
      days.filter(({ on }) => nameOf(on) === column).reduce((sum, day) => sum + minutesOf(day), 0),
    );
    return { label, minutes, sum: minutes.reduce((sum, part) => sum + part, 0) };
  };
  const codes = new Map(
    days.flatMap((day) => day.codes.map(({ serviceCodeId, code }) => [serviceCodeId, code])),
  );
  return {
    columns,
    codes: [...codes]
      .sort(([, a], [, b]) => (a < b ? -1 : 1))
      .map(([id, code]) =>
        rowOf(code, (day) => day.codes.find(({ serviceCodeId }) => serviceCodeId === id)?.minutes ?? 0),
      ),
    total: rowOf("Total", (day) => day.minutes),
    apart: [
      rowOf(OTHER, (day) => day.otherMinutes),
      rowOf(CONTACTS, (day) => day.contactMinutes),
      rowOf(ACTIVITIES, (day) => day.activityMinutes),
      rowOf(SESSIONS, (day) => day.sessionMinutes),
      rowOf(EVENTS, (day) => day.eventMinutes),
    ].filter(({ sum }) => sum > 0),
  };
}
