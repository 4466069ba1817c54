import * as z from "zod/mini";
import { idFilter, idParam } from "@/lib/core/api/list-query";
import { moment } from "@/lib/core/api/response";
import { id } from "@/lib/core/fields/validation";
import { REQUIRED } from "@/lib/core/fields/words";
import { UNITS } from "@/lib/reports/definitions";
import { period } from "@/lib/reports/schema";

// A quarter or fiscal year as submitted to the funder, and the changes since.

export const submissionBody = z.object({ submission: z.object(period) });

export const submissionParams = z.object({ key: z.string(), id: idParam });

/** The longest reason for withdrawing, in characters, as for returning a form. */
export const REASON_MAX = 2_000;
export const withdrawBody = z.object({
  reason: z
    .string({ error: REQUIRED })
    .check(z.trim(), z.minLength(1, { error: REQUIRED }), z.maxLength(REASON_MAX)),
});

const submission = z.object({
  id: id(),
  from: z.string(),
  to: z.string(),
  submittedAt: moment,
  /** Null if the account no longer exists. */
  submittedBy: z.nullable(z.string()),
  /** True if it was counted by older rules, so that no changes since can be shown. */
  olderRules: z.boolean(),
  /** Null if it is not withdrawn. `by` is null if the account no longer exists. */
  withdrawn: z.nullable(z.object({ at: moment, by: z.nullable(z.string()), reason: z.string() })),
  /** True if the caller may withdraw it while it is the latest of its period. */
  mayWithdraw: z.boolean(),
});
export type Submission = z.output<typeof submission>;

/**
 * The difference between a record's part in a line and the submission: it now counts there, no longer does, was edited, or
 * does not exist any more.
 */
const CHANGES = ["added", "left", "edited", "removed"] as const;
export const CHANGE_WORDS: Readonly<Record<(typeof CHANGES)[number], string>> = {
  added: "counts here now",
  left: "no longer counts here",
  edited: "was edited",
  removed: "was removed",
};
/** Replaces the changes of a submission with older rules. */
export const OLDER_RULES = "counted by the rules before 1.0";
/** A removed record has no id. */
const recordId = () => z.optional(id());
const changedForm = z.object({ formId: recordId(), clientId: id(), change: z.enum(CHANGES) });
const changedStay = z.object({ stayId: recordId(), clientId: id(), change: z.enum(CHANGES) });
const changedEvent = z.object({ eventId: recordId(), change: z.enum(CHANGES) });
const changedSurvey = z.object({ surveyId: recordId(), change: z.enum(CHANGES) });
const changedContact = z.object({ contactId: recordId(), change: z.enum(CHANGES) });

const submittedLine = z.object({
  key: z.string(),
  label: z.string(),
  unit: z.enum(UNITS),
  count: z.int(),
  /** The current count; null if the report no longer has the line, or counts by newer rules. */
  now: z.nullable(z.int()),
  forms: z.array(changedForm),
  /** Only in a report that counts stays. */
  stays: z.optional(z.array(changedStay)),
  /** Only on lines that count contacts, whose `forms` is empty. */
  contacts: z.optional(z.array(changedContact)),
  /** Only on lines that count events or outcome surveys, whose `forms` is empty. */
  events: z.optional(z.array(changedEvent)),
  surveys: z.optional(z.array(changedSurvey)),
  /** The number of changed records that are not listed: those past the limit, and those the caller may not open. */
  more: z.int(),
});
export type SubmittedLine = z.output<typeof submittedLine>;

/** The most submissions of one response. */
export const SUBMISSIONS_MAX = 100;
/** `before` asks for the submissions older than the one with this id. */
export const submissionsQuery = z.object({ before: idFilter() });
export const submissionsResponse = z.object({
  submissions: z.array(submission),
  /** True if there are older ones than these. */
  more: z.boolean(),
});
export type Submissions = z.output<typeof submissionsResponse>;
export const submissionResponse = z.object({ submission });
export const submittedResponse = z.object({
  submission: z.extend(submission, { lines: z.array(submittedLine) }),
});
export type Submitted = z.output<typeof submittedResponse>["submission"];
