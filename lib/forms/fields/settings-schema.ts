import { z } from "zod/mini";
import { anyDate, emptyAs, text } from "@/lib/core/fields/validation";
import { optionalLabel } from "@/lib/forms/fields/schema";

const POSITION_MAX = 999;

/** The organization's settings for a field of the program. Null is the program's own; what is omitted stays as it is. */
export const fieldSettingInput = z.object({
  hidden: z.optional(z.boolean()),
  label: z.nullish(optionalLabel()),
  hint: z.nullish(text()),
  /** The first service day on which the field is required. */
  requiredFrom: z.nullish(z.union([emptyAs(null), anyDate()])),
  /** The place among the fields of its section, counted from 0. */
  position: z.nullish(z.int().check(z.minimum(0), z.maximum(POSITION_MAX))),
});
export type FieldSettingInput = z.output<typeof fieldSettingInput>;

/** The body of `PUT /api/field_settings/{path}`. */
export const fieldSettingBody = z.object({ fieldSetting: fieldSettingInput });
export const fieldSettingParams = z.object({ path: z.string().check(z.maxLength(200)) });

/** A field of the program, or a section that can be hidden with all its fields, with the organization's settings. */
export const fieldSetting = z.object({
  /** Such as `form.intakeForm.survivorEntry.childAges`. */
  path: z.string(),
  kind: z.string(),
  declaredLabel: z.string(),
  declaredHint: z.string(),
  /** The specification requires it, so it can be hidden only with its section. */
  required: z.boolean(),
  hidden: z.boolean(),
  label: z.nullable(z.string()),
  hint: z.nullable(z.string()),
  requiredFrom: z.nullable(z.iso.date()),
  position: z.nullable(z.int()),
  /** The reason why it cannot be hidden now; "" if it can. */
  cannotHide: z.string(),
  /** The reason why it cannot be shown now, while it is hidden; "" if it can. */
  cannotShow: z.string(),
  canBeRequired: z.boolean(),
  canMove: z.boolean(),
});
export type FieldSettingItem = z.output<typeof fieldSetting>;
