import * as z from "zod/mini";
import { endpoint } from "@/lib/core/api/endpoint";
import {
  fieldOrder,
  fieldOrderBody,
  fieldSetting,
  fieldSettingBody,
  fieldSettingParams,
} from "@/lib/forms/fields/settings-schema";

const oneSetting = z.object({ fieldSetting });

export const getFieldSettings = endpoint("GET /api/field_settings", {
  about: "Every built-in field that the organization can change.",
  permission: "form-setup",
  response: z.object({ fieldSettings: z.array(fieldSetting) }),
});

export const setFieldSetting = endpoint("PUT /api/field_settings/{path}", {
  about:
    "Hides, shows, renames, or requires a built-in field. Hiding keeps all values. An example of `path` is `form.intakeForm.survivorEntry.childAges`.",
  permission: "form-setup",
  params: fieldSettingParams,
  body: fieldSettingBody,
  response: oneSetting,
  errors: ["not_found"],
  audit: { entity: "field", action: ["updated", "viewed"] },
});

export const resetFieldSetting = endpoint("DELETE /api/field_settings/{path}", {
  about: "Restores the default label, hint, place, and rules.",
  permission: "form-setup",
  params: fieldSettingParams,
  response: null,
  errors: ["not_found"],
  audit: { entity: "field", action: ["updated", "viewed"] },
});

export const setFieldOrder = endpoint("PUT /api/field_order", {
  about:
    "Puts the fields of a section in this order, built-in and custom fields together, for example `form.intakeForm.survivorEntry.childAges` and `form.custom.housingNeed`. A part of a section, such as `form.intakeForm.survivorEntry.offenderEntry`, counts as one field. A field that depends on a checkbox stays under it. Omitted fields keep the places of an earlier call, before these. Without one, a built-in field follows the one before it in the default order, and custom fields come last. `GET /api/fields` returns the order of all sections.",
  permission: "form-setup",
  body: fieldOrderBody,
  response: z.object({ fieldOrder }),
  audit: { entity: "field", action: ["updated", "viewed"] },
});
