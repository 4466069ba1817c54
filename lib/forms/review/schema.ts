import { z } from "zod";
import { outcomes } from "@/lib/core/api/answer";
import { distinctIds, id, requiredLongText } from "@/lib/core/fields/validation";
import { RECONCILE_MAX, RETURN_COMMENT_MAX } from "@/lib/forms/review/limits";

export const reconcileBody = z.object({ reconciled: z.boolean() });

export const reconcileManyBody = reconcileBody.extend({
  ids: distinctIds(RECONCILE_MAX),
  undo: z.boolean({ error: "must be true or false" }).default(false),
});

/** `changed` lists those of `done` whose state changed. */
export const reconcileOutcomes = outcomes.extend({ changed: z.array(id()) });
export type ReconcileOutcomes = z.output<typeof reconcileOutcomes>;

export const returnBody = z.object({
  comment: requiredLongText().max(RETURN_COMMENT_MAX, { error: "must be at most 2,000 characters" }),
});
