import { z } from "zod";
import { EARLIEST_DAY, anyDate, text } from "@/lib/core/fields/validation";

const POSITION_MAX = 99;

/** The organization's settings for a field of the program. Null keeps the program's own. */
export const fieldSettingSchema = z.object({
  hidden: z.boolean().optional(),
  label: text().nullable().optional(),
  hint: text().nullable().optional(),
  requiredFrom: z
    .union([z.literal("").transform(() => null), anyDate()])
    .nullable()
    .optional(),
  position: z.int().min(0).max(POSITION_MAX).nullable().optional(),
});
