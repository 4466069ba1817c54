import { z } from "zod";
import { date, parseDate, today } from "@/lib/core/fields/format";

/** The last day of the closed period, whose forms cannot change; null if nothing is closed. */
export const closedPeriods = z.object({ closedThrough: z.iso.date().nullable() });

const closedThrough = z.string().transform((value, context) => {
  const day = parseDate(value);
  if (day !== null && day < today()) return day;
  context.addIssue({
    code: "custom",
    message: day === null ? "must be a date like MM/DD/YYYY" : "must be before today",
  });
  return z.NEVER;
});

/** The error message for a form, or another record, of a closed period. */
export const closedMessage = (through: string, records = "Forms"): string =>
  `${records} through ${date(through)} are closed: they cannot be added, changed, or removed`;

/** The body of `PUT /api/closed_periods`; null reopens everything. */
export const closedPeriodsBody = z.object({ closedThrough: closedThrough.nullable() });
