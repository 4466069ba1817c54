import { choice, count, day, entries, lookup, record, version } from "@/lib/core/fields/vocabulary";
import { declareRecord } from "@/lib/core/records/declaration";
import { today } from "@/lib/core/text/format";
import type { RecordOf } from "@/lib/declared-records/api-schema";
import { SERVICE_KINDS } from "@/lib/outcomes/words";

const harmless = { inErrorReports: true } as const;
const CARDS_MAX = 999;

/**
 * A count of paper cards of one kind of service on one day. It has no field that could name a client, and must never get
 * one.
 */
export const outcomeSurveySchema = record("Outcome Survey", "outcome_surveys", {
  countedOn: day("Date", { required: true, initial: today, sensitive: false, ...harmless }),
  serviceKind: choice(SERVICE_KINDS, "Kind of Service", harmless),
  completed: count("Cards", { required: true, min: 1, max: CARDS_MAX, ...harmless }),
  answers: entries(
    "Answers",
    "outcome_answers",
    {
      outcomeQuestionId: lookup("outcome_questions", "Question", { required: true, ...harmless }),
      yes: count("Yes", { max: CARDS_MAX, ...harmless }),
      no: count("No", { max: CARDS_MAX, ...harmless }),
    },
    { once: "outcomeQuestionId" },
  ),
  lockVersion: version(),
});

export type OutcomeSurvey = RecordOf<typeof outcomeSurveySchema>;

export const outcomeSurveys = declareRecord({
  entity: "outcomeSurvey",
  plural: "outcome_surveys",
  schema: outcomeSurveySchema,
  permission: "outcome-surveys",
  words: {
    title: "Outcome Surveys",
    record: "outcome survey",
    notice: "For counts of paper cards. No names are stored.",
  },
  day: "countedOn",
  seenBy: "all",
  columns: ["countedOn", "serviceKind", "completed"],
  filters: ["serviceKind"],
  searched: ["serviceKind"],
});
