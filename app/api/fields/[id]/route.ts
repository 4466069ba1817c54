import * as api from "@/lib/forms/fields/api";
import { removeField, updateField } from "@/lib/forms/fields/fields";
import { route } from "@/lib/route";

export const PUT = route(api.updateField, async ({ actor, params, body }) => ({
  field: await updateField(actor, params.id, body.field),
}));

export const DELETE = route(api.removeField, ({ actor, params }) => removeField(actor, params.id));
