import { z } from "zod/mini";
import { endpoint } from "@/lib/core/api/endpoint";
import { fieldSetting, fieldSettingBody, fieldSettingParams } from "@/lib/forms/fields/settings-schema";

const oneSetting = z.object({ fieldSetting });

export const getFieldSettings = endpoint("GET /api/field_settings", {
  about: "Every field of the program that the organization can change.",
  permission: "form-setup",
  response: z.object({ fieldSettings: z.array(fieldSetting) }),
});

export const setFieldSetting = endpoint("PUT /api/field_settings/{path}", {
  about:
    "Hides, shows, renames, requires, or moves a field of the program. Hiding keeps all values. `path` is such as `form.intakeForm.survivorEntry.childAges`.",
  permission: "form-setup",
  params: fieldSettingParams,
  body: fieldSettingBody,
  response: oneSetting,
  errors: ["not_found"],
  audit: { entity: "field", action: "updated" },
});

export const resetFieldSetting = endpoint("DELETE /api/field_settings/{path}", {
  about: "Restores the label, hint, order, and rules of the program.",
  permission: "form-setup",
  params: fieldSettingParams,
  response: null,
  errors: ["not_found"],
  audit: { entity: "field", action: "updated" },
});
