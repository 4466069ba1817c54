import * as z from "zod/mini";
import { moment } from "@/lib/core/api/response";
import { requiredLongText } from "@/lib/core/fields/validation";

export const hold = z.object({ reason: z.string(), by: z.nullable(z.string()), at: moment });
export type Hold = z.output<typeof hold>;
export const holdResponse = z.object({ hold });
const REASON_MAX = 2_000;
/** The body of `PUT /api/clients/{id}/hold`. */
export const holdBody = z.object({
  hold: z.object({
    reason: requiredLongText().check(z.maxLength(REASON_MAX, { error: "must be at most 2,000 characters" })),
  }),
});
