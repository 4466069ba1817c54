import * as z from "zod/mini";
import { converted } from "@/lib/core/fields/validation";
import { NOT_A_DATE } from "@/lib/core/fields/words";
import { parseDate, today } from "@/lib/core/text/format";

/** The last day of the closed period, whose forms cannot change; null if nothing is closed. */
export const closedPeriods = z.object({ closedThrough: z.nullable(z.iso.date()) });

const closedThrough = converted(z.string(), (value, refuse) => {
  const day = parseDate(value);
  if (day !== null && day < today()) return day;
  return refuse(day === null ? NOT_A_DATE : "must be before today");
});

/** The body of `PUT /api/closed_periods`; null reopens everything. */
export const closedPeriodsBody = z.object({ closedThrough: z.nullable(closedThrough) });
