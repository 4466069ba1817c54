import { addDays, date, monthName } from "@/lib/core/text/format";
import { type ReportKey, reports } from "@/lib/reports/definitions";

// Days are YYYY-MM-DD strings, so that comparing the strings compares the days.

export type Period = { from: string; to: string };

/** A period with a name, if its dates are not its name: `This week`. */
export type NamedPeriod = Period & { name?: string };

const pad = (number: number) => String(number).padStart(2, "0");
const dayOf = (year: number, month: number, day = 1) => `${year}-${pad(month)}-${pad(day)}`;
const parts = (day: string): [number, number] => [Number(day.slice(0, 4)), Number(day.slice(5, 7))];
const lastDay = (year: number, month: number) => new Date(Date.UTC(year, month, 0)).getUTCDate();

/** Returns the first days of the years that overlap the period, where years begin in month `start` (1–12). */
export function yearsOf(start: number, from: string, to: string): string[] {
  const [year, month] = parts(from);
  const first = month >= start ? year : year - 1;
  const count = Number(to.slice(0, 4)) - first + 1;
  return Array.from({ length: count }, (_, n) => dayOf(first + n, start)).filter((day) => day <= to);
}

/**
 * Returns a period of `length` months. `month` counts from January of `year`: 13 is the next January, 0 the December
 * before.
 */
function months(year: number, month: number, length: number): Period {
  const at = (shift: number): [number, number] => {
    const index = year * 12 + month - 1 + shift;
    return [Math.floor(index / 12), (index % 12) + 1];
  };
  const [lastYear, lastMonth] = at(length - 1);
  return { from: dayOf(...at(0)), to: dayOf(lastYear, lastMonth, lastDay(lastYear, lastMonth)) };
}

/** Returns the month that contains the day, or the one `later` months after it. */
export function monthOf(day: string, later = 0): Period {
  const [year, month] = parts(day);
  return months(year, month + later, 1);
}

/** Returns the calendar quarter that contains the day, or the one `later` quarters after it. */
export function quarterOf(day: string, later = 0): Period {
  const [year, month] = parts(day);
  return months(year, month - ((month - 1) % 3) + later * 3, 3);
}

/**
 * Returns the week that contains the day, or the one `later` weeks after it. Weeks begin on Sunday, as in the date
 * fields' calendar.
 */
export function weekOf(day: string, later = 0): Period {
  const from = addDays(day, later * 7 - new Date(`${day}T00:00:00Z`).getUTCDay());
  return { from, to: addDays(from, 6) };
}

export const isSame = (a: Period, b: Period): boolean => a.from === b.from && a.to === b.to;
export const isQuarter = (period: Period): boolean => isSame(period, quarterOf(period.from));
const isMonth = (period: Period): boolean => isSame(period, monthOf(period.from));

/** Returns the year that contains the day, or the one `later` years after it, where years begin in month `start` (1–12). */
export function yearOf(day: string, start: number, later = 0): Period {
  const [year, month] = parts(day);
  return months((month >= start ? year : year - 1) + later, start, 12);
}
const isYear = (period: Period, start: number): boolean => isSame(period, yearOf(period.from, start));

/** True for a period that a funder may get: a quarter, and if the report is yearly, a fiscal year. */
export const isSubmittable = (report: ReportKey, period: Period, yearStart: number): boolean =>
  isQuarter(period) || (reports[report].isYearly && isYear(period, yearStart));

/**
 * True for a whole period that ended before `today`, without filters: a fiscal year if the report is yearly, otherwise a
 * quarter. Copies of overlapping periods could be subtracted to identify people.
 */
export const isShareable = (
  report: ReportKey,
  { from, to, userId, formTypeId }: Period & { userId: number | null; formTypeId: number | null },
  yearStart: number,
  today: string,
): boolean =>
  (reports[report].isYearly ? isYear({ from, to }, yearStart) : isQuarter({ from, to })) &&
  to < today &&
  userId === null &&
  formTypeId === null;

/** Returns the latest period that can be shared. */
export const lastShared = (report: ReportKey, yearStart: number, today: string): Period =>
  reports[report].isYearly ? yearOf(today, yearStart, -1) : quarterOf(today, -1);

/**
 * Returns a period in words: `October–December 2026`, `October 2025–September 2026`, `March 2026`, or its first and last
 * day, in words of `day`.
 */
export function periodName(period: Period, day: (day: string) => string = date): string {
  const { from, to } = period;
  const year = from.slice(0, 4);
  if (isQuarter(period)) return `${monthName(from)}–${monthName(to)} ${year}`;
  if (isMonth(period)) return `${monthName(from)} ${year}`;
  if (isYear(period, Number(from.slice(5, 7))))
    return `${monthName(from)} ${year}–${monthName(to)} ${to.slice(0, 4)}`;
  return `${day(from)} to ${day(to)}`;
}
