import { date } from "@/lib/core/fields/format";
import { isMonth, isQuarter, type Period } from "@/lib/reports/periods";
import type { ReportQuery } from "@/lib/reports/schema";

/** The query of a report page: the period and the filters, as `?from=…&to=…`. */
export function askedIn(
  { from, to, userId, formTypeId }: ReportQuery,
  more: Record<string, string> = {},
): string {
  const filters = {
    ...(userId && { userId: String(userId) }),
    ...(formTypeId && { formTypeId: String(formTypeId) }),
  };
  return `?${new URLSearchParams({ from, to, ...filters, ...more })}`;
}

export const MONTHS =
  "January February March April May June July August September October November December".split(" ");
export const monthName = (day: string): string => MONTHS[Number(day.slice(5, 7)) - 1] ?? "";

/** A period in words: `October–December 2026`, `March 2026`, or its first and last day, in words of `day`. */
export function periodName(period: Period, day: (day: string) => string = date): string {
  const { from, to } = period;
  const year = from.slice(0, 4);
  if (isQuarter(period)) return `${monthName(from)}–${monthName(to)} ${year}`;
  if (isMonth(period)) return `${monthName(from)} ${year}`;
  return `${day(from)} to ${day(to)}`;
}

/** The days of a stay: `10/01/2026 to 10/05/2026`, or `since 10/01/2026`. */
export const stayDays = ({ enteredOn, leftOn }: { enteredOn: string; leftOn: string | null }): string =>
  leftOn === null ? `since ${date(enteredOn)}` : `${date(enteredOn)} to ${date(leftOn)}`;
