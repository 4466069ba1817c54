import * as z from "zod/mini";
import { anyDate, emptyAs, text } from "@/lib/core/fields/validation";
import { optionalLabel } from "@/lib/forms/fields/schema";

/** The organization's settings for a built-in field. Null means the default; an omitted part does not change. */
const fieldSettingInput = z.object({
  hidden: z.optional(z.boolean()),
  label: z.nullish(optionalLabel()),
  hint: z.nullish(text()),
  /** The first service day on which the field is required. */
  requiredFrom: z.nullish(z.union([emptyAs(null), anyDate()])),
});
export type FieldSettingInput = z.output<typeof fieldSettingInput>;

/** The body of `PUT /api/field_settings/{path}`. */
export const fieldSettingBody = z.object({ fieldSetting: fieldSettingInput });
export const fieldSettingParams = z.object({ path: z.string().check(z.maxLength(200)) });

/** The most fields a section can have, including the custom fields of both records. */
const ORDER_MAX = 1000;

/** The body of `PUT /api/field_order`: the fields of a section in order, by their paths. */
export const fieldOrderBody = z.object({
  fieldOrder: z.object({
    fields: z.array(z.string().check(z.maxLength(200))).check(z.minLength(1), z.maxLength(ORDER_MAX)),
  }),
});
/** The order of all sections, and the version of the definitions that has it. */
export const fieldOrder = z.object({ fields: z.readonly(z.array(z.string())), version: z.int() });

/** A built-in field, or a section that can be hidden with all its fields, with the organization's settings. */
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
  /** The reason why it cannot be hidden now; "" if it can. */
  cannotHide: z.string(),
  /** The reason why it cannot be shown now, while it is hidden; "" if it can. */
  cannotShow: z.string(),
  canBeRequired: z.boolean(),
  /** True if it can move within its section, or among the fields that stay under the same checkbox. */
  canMove: z.boolean(),
});
export type FieldSettingItem = z.output<typeof fieldSetting>;
