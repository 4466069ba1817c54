import { date } from "@/lib/core/text/format";
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

/** The days of a stay: `10/01/2026 to 10/05/2026`, or `since 10/01/2026`. */
export const stayDays = ({ enteredOn, leftOn }: { enteredOn: string; leftOn: string | null }): string =>
  leftOn === null ? `since ${date(enteredOn)}` : `${date(enteredOn)} to ${date(leftOn)}`;
