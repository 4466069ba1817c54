import { day, lookup, minutes, record, version } from "@/lib/core/fields/vocabulary";
import { declareRecord } from "@/lib/core/records/declaration";
import { today } from "@/lib/core/text/format";

const harmless = { inErrorReports: true } as const;

/**
 * Working time that is no service to anyone, such as a staff meeting. It has no field that could name a client, and must
 * never get one.
 */
const activitySchema = record("Activity", "activities", {
  occurredOn: day("Date", { required: true, initial: today, sensitive: false, ...harmless }),
  activityKindId: lookup("activity_kinds", "Kind", { required: true, ...harmless }),
  minutes: minutes("Minutes", { required: true, ...harmless }),
  lockVersion: version(),
});

export const activities = declareRecord({
  entity: "activity",
  plural: "activities",
  schema: activitySchema,
  permission: "activities",
  words: {
    title: "Activities",
    record: "activity",
    notice: "For work that is no service to a client. No names are stored.",
  },
  day: "occurredOn",
  seenBy: "owner",
  columns: ["occurredOn", "activityKindId", "minutes"],
  filters: ["activityKindId"],
  searched: ["activityKindId"],
});
