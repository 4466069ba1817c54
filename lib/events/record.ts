import {
  choice,
  count,
  day,
  entries,
  flag,
  lookup,
  minutes,
  record,
  text,
  version,
} from "@/lib/core/fields/vocabulary";
import { declareRecord } from "@/lib/core/records/declaration";
import { today } from "@/lib/core/text/format";
import type { RecordOf } from "@/lib/declared-records/api-schema";

const harmless = { inErrorReports: true } as const;
const PEOPLE_MAX = 99_999;

/**
 * A talk, a training, or another event. It has no field for people who attended, and must never get one. `seriesId` is the
 * first event of its series, which names itself.
 */
export const eventSchema = record("Event", "events", {
  heldOn: day("Date", { required: true, initial: today, sensitive: false, ...harmless }),
  eventKindId: lookup("event_kinds", "Kind", { required: true, ...harmless }),
  title: text("Title", {
    required: true,
    sensitive: false,
    hint: "Never the name of a person who attended.",
  }),
  audience: choice(
    [
      { value: "general", label: "General public" },
      { value: "youth", label: "Youth" },
      { value: "professionals", label: "Professionals" },
    ],
    "Audience",
    harmless,
  ),
  attended: count("Attended", { max: PEOPLE_MAX, ...harmless }),
  materials: count("Materials Handed Out", { max: PEOPLE_MAX, ...harmless }),
  identifiesVictimization: flag("Explained Victimization and Referred to Services", {
    hint: "The event explained how to recognize victimization, and where victims find help.",
    ...harmless,
  }),
  seriesId: lookup("events", "Series", { entered: false, ...harmless }),
  seriesPeople: count("Different People in All Sessions", {
    unknown: true,
    max: PEOPLE_MAX,
    dependsOn: { boxes: ["seriesId"] },
    hint: "On the last session only. Each person counts once.",
    ...harmless,
  }),
  staff: entries(
    "Staff",
    "event_staff",
    {
      userId: lookup("users", "Name", { required: true }),
      minutes: minutes("Minutes", { required: true, ...harmless }),
    },
    { once: "userId", required: true },
  ),
  lockVersion: version(),
});

export type Event = RecordOf<typeof eventSchema>;

export const events = declareRecord({
  entity: "event",
  plural: "events",
  schema: eventSchema,
  permission: "events",
  words: {
    title: "Events",
    record: "event",
    notice: "For talks, trainings, and tables. No names of people who attended, not even in the title.",
  },
  day: "heldOn",
  seenBy: "all",
  columns: ["heldOn", "eventKindId", "title", "audience", "attended"],
  filters: ["eventKindId", "audience", "seriesId"],
  searched: ["eventKindId", "title"],
  copied: ["eventKindId", "title", "audience", "identifiesVictimization", "staff"],
});
