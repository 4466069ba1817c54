import { z } from "zod/mini";
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
  about: "Every field of the program that the organization can change.",
  permission: "form-setup",
  response: z.object({ fieldSettings: z.array(fieldSetting) }),
});

export const setFieldSetting = endpoint("PUT /api/field_settings/{path}", {
  about:
    "Hides, shows, renames, or requires a field of the program. Hiding keeps all values. `path` is such as `form.intakeForm.survivorEntry.childAges`.",
  permission: "form-setup",
  params: fieldSettingParams,
  body: fieldSettingBody,
  response: oneSetting,
  errors: ["not_found"],
  audit: { entity: "field", action: "updated" },
});

export const resetFieldSetting = endpoint("DELETE /api/field_settings/{path}", {
  about: "Restores the label, hint, place, and rules of the program.",
  permission: "form-setup",
  params: fieldSettingParams,
  response: null,
  errors: ["not_found"],
  audit: { entity: "field", action: "updated" },
});

export const setFieldOrder = endpoint("PUT /api/field_order", {
  about:
    "Puts the fields of a section in this order, own fields and fields of the program together, such as `form.intakeForm.survivorEntry.childAges` and `form.custom.housingNeed`. A part of a section, such as `form.intakeForm.survivorEntry.offenderEntry`, is one of them. A field that depends on a box stays beneath it. Fields of the section that are left out follow the one that is declared before them, own fields come last. `GET /api/fields` returns the order of all sections.",
  permission: "form-setup",
  body: fieldOrderBody,
  response: z.object({ fieldOrder }),
  audit: { entity: "field", action: "updated" },
});
