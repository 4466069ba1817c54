import { z } from "zod";
import { ERROR_STATUS } from "@/lib/api/codes";
import { keysOf } from "@/lib/fields/by-key";
import { id, requiredLongText } from "@/lib/fields/validation";
import { RECONCILE_MAX, RETURN_COMMENT_MAX } from "@/lib/review/limits";

export const reconcileBody = z.object({ reconciled: z.boolean() });

export const reconcileManyBody = reconcileBody.extend({
  ids: z
    .array(id())
    .min(1)
    .max(RECONCILE_MAX)
    .transform((ids) => [...new Set(ids)]),
});

/** The answer to `reconcileManyBody`: the forms that were changed, and the refused ones with their errors. */
export const reconcileManyAnswer = z.object({
  done: z.array(id()),
  failed: z.array(z.object({ id: id(), error: z.string(), code: z.enum(keysOf(ERROR_STATUS)) })),
});
export type ReconcileManyAnswer = z.output<typeof reconcileManyAnswer>;

export const returnBody = z.object({
  comment: requiredLongText().max(RETURN_COMMENT_MAX, { error: "must be at most 2,000 characters" }),
});
