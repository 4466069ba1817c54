import { resetFieldSetting, saveFieldSetting } from "@/lib/forms/fields/settings";
import * as api from "@/lib/forms/fields/settings-api";
import { route } from "@/lib/route";

export const PUT = route(api.setFieldSetting, async ({ actor, params, body }) => ({
  fieldSetting: await saveFieldSetting(actor, params.path, body.fieldSetting),
}));

export const DELETE = route(api.resetFieldSetting, ({ actor, params }) =>
  resetFieldSetting(actor, params.path),
);
