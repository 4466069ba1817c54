import { z } from "zod";
import { distinctIds, requiredLongText } from "@/lib/fields/validation";
import { RECONCILE_MAX, RETURN_COMMENT_MAX } from "@/lib/review/limits";

export const reconcileBody = z.object({ reconciled: z.boolean() });

export const reconcileManyBody = reconcileBody.extend({ ids: distinctIds(RECONCILE_MAX) });

export const returnBody = z.object({
  comment: requiredLongText().max(RETURN_COMMENT_MAX, { error: "must be at most 2,000 characters" }),
});
