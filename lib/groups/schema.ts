import * as z from "zod/mini";
import { MINUTES_MAX } from "@/lib/core/fields/validation";
import {
  count,
  day,
  entries,
  lookup,
  lookups,
  minutes,
  optionalInPut,
  record,
  text,
  version,
} from "@/lib/core/fields/vocabulary";
import { today } from "@/lib/core/text/format";

const harmless = { inErrorReports: true } as const;

/** A group. Its roster is not a field: each person on it is recorded for that client alone. */
export const groupSchema = record("Group", "groups", {
  name: text("Name", { required: true, sensitive: false }),
  formTypeId: lookup("form_types", "Form Type", { required: true, ...harmless }),
  serviceCodeId: lookup("service_codes", "Service Code", { required: true, ...harmless }),
  usualMinutes: minutes("Usual Minutes", { required: true, ...harmless }),
  leaderIds: lookups("users", "Leaders", { required: true }),
  closedOn: day("Closed On", {
    future: true,
    sensitive: false,
    hint: "No session can be recorded after this day.",
    ...harmless,
  }),
  lockVersion: version(),
});
export type GroupInput = z.output<typeof groupSchema>;

/** The most people without a record that a session can be given. A purge may add more. */
export const UNNAMED_MAX = 500;

/** The highest number that a purge can reach. */
const UNNAMED_REACHED = 100_000;

/** A session. Its attendances are not fields: each is recorded for its client alone. */
export const sessionSchema = record("Session", "group_sessions", {
  heldOn: day("Date", { required: true, initial: today, sensitive: false, ...harmless }),
  minutes: minutes("Minutes", { required: true, ...harmless }),
  unnamed: optionalInPut(count("People without a Record", { max: UNNAMED_REACHED, ...harmless })),
  leaders: entries(
    "Leaders",
    "group_session_leaders",
    {
      userId: lookup("users", "Leader", { required: true }),
      minutes: minutes("Minutes", { required: true, ...harmless }),
    },
    { once: "userId" },
  ),
  lockVersion: version(),
});

const attendances = entries("People", "attendances", {
  clientId: optionalInPut(lookup("clients", "Client", { required: true })),
  /** Null while the session's minutes apply. */
  minutes: z.nullish(z.int().check(z.minimum(1), z.maximum(MINUTES_MAX))),
});
export type AttendanceInput = NonNullable<z.output<typeof attendances>>[number];

const { heldOn, minutes: sessionMinutes } = sessionSchema.shape;

/** A session with those who came, as sent. A new one is today's without `heldOn`, and must have `minutes`. */
export const sessionInput = z.extend(sessionSchema, {
  heldOn: optionalInPut(heldOn),
  minutes: optionalInPut(sessionMinutes),
  attendances,
});
