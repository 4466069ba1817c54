import { z } from "zod";
import { moment } from "@/lib/api/answer";
import { idParam } from "@/lib/api/list-query";
import { id } from "@/lib/fields/validation";
import { UNITS } from "@/lib/reports/definitions";
import { isShareable, period } from "@/lib/reports/schema";

// A quarter as it was sent to the funder, and what has changed since.

export const submissionBody = z.object({
  submission: z.object(period).refine((asked) => isShareable({ ...asked, userId: null, formTypeId: null }), {
    message: "must be the last day of a quarter that begins on from",
    path: ["to"],
  }),
});

export const submissionParams = z.object({ key: z.string(), id: idParam });

const submission = z.object({
  id: id(),
  from: z.string(),
  to: z.string(),
  submittedAt: moment,
  /** Null when the account was removed since. */
  submittedBy: z.string().nullable(),
});
export type Submission = z.output<typeof submission>;

/** What a form does on a line that it did not do, or did otherwise, when the report was sent. */
export const CHANGES = ["added", "left", "edited"] as const;
const changedForm = z.object({ formId: id(), clientId: id(), change: z.enum(CHANGES) });

const submittedLine = z.object({
  key: z.string(),
  label: z.string(),
  unit: z.enum(UNITS),
  count: z.int(),
  /** The count of today; null for a line that the report no longer has. */
  now: z.int().nullable(),
  forms: z.array(changedForm),
  /** How many changed forms more there are that the caller may not see. */
  hidden: z.int(),
});
export type SubmittedLine = z.output<typeof submittedLine>;

export const submissionsAnswer = z.object({ submissions: z.array(submission) });
export const submissionAnswer = z.object({ submission });
export const submittedAnswer = z.object({ submission: submission.extend({ lines: z.array(submittedLine) }) });
export type Submitted = z.output<typeof submittedAnswer>["submission"];
