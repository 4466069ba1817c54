import { z } from "zod";
import { moment } from "@/lib/api/answer";
import { id } from "@/lib/fields/validation";

/** The largest draft, as bytes of JSON in UTF-8. */
export const DRAFT_BYTES = 256 * 1024;

/** The screen's name for a draft, unique per user. Never personal data, because it appears in URLs. */
export const draftParams = z.object({
  key: z.string().regex(/^[\w-]{1,100}$/, { error: "must be 1 to 100 letters, digits, _ or -" }),
});

/** The body of `PUT /api/drafts/{key}`; `formId` is null for a form that does not exist yet. */
export const draftBody = z.object({
  draft: z.object({
    formId: id()
      .nullish()
      .transform((value) => value ?? null),
    content: z.record(z.string(), z.unknown()),
  }),
});

export type DraftInput = z.output<typeof draftBody>["draft"];

/** A draft as listed. */
export const draftSummary = z.object({ key: z.string(), formId: id().nullable(), updatedAt: moment });
export type DraftSummary = z.output<typeof draftSummary>;

/** A draft as opened; `content` is what the screen stored. */
export const draft = draftSummary.extend({ content: z.record(z.string(), z.unknown()) });
export type Draft = z.output<typeof draft>;
