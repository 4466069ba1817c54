import { z } from "zod/mini";
import { idParam } from "@/lib/core/api/list-query";
import { moment } from "@/lib/core/api/response";
import { id } from "@/lib/core/fields/validation";
import { UNITS } from "@/lib/reports/definitions";
import { period } from "@/lib/reports/schema";

// A quarter or fiscal year as submitted to the funder, and the changes since.

export const submissionBody = z.object({ submission: z.object(period) });

export const submissionParams = z.object({ key: z.string(), id: idParam });

const submission = z.object({
  id: id(),
  from: z.string(),
  to: z.string(),
  submittedAt: moment,
  /** Null if the account no longer exists. */
  submittedBy: z.nullable(z.string()),
  /** True if it was counted by older rules, so that no changes since can be shown. */
  olderRules: z.boolean(),
});
export type Submission = z.output<typeof submission>;

/**
 * The difference between a record's part in a line and the submission: it now counts there, no longer does, or was
 * edited.
 */
const CHANGES = ["added", "left", "edited"] as const;
export const CHANGE_WORDS: Readonly<Record<(typeof CHANGES)[number], string>> = {
  added: "counts here now",
  left: "no longer counts here",
  edited: "was edited",
};
/** Replaces the changes of a submission with older rules. */
export const OLDER_RULES = "counted by the rules before 1.0";
const changedForm = z.object({ formId: id(), clientId: id(), change: z.enum(CHANGES) });
const changedStay = z.object({ stayId: id(), clientId: id(), change: z.enum(CHANGES) });
const changedContact = z.object({ contactId: id(), change: z.enum(CHANGES) });

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
  /** The number of other changed records: those that the caller may not see, and those past the limit. */
  hidden: z.int(),
});
export type SubmittedLine = z.output<typeof submittedLine>;

export const submissionsResponse = z.object({ submissions: z.array(submission) });
export const submissionResponse = z.object({ submission });
export const submittedResponse = z.object({
  submission: z.extend(submission, { lines: z.array(submittedLine) }),
});
export type Submitted = z.output<typeof submittedResponse>["submission"];
