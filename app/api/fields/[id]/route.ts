import * as api from "@/lib/forms/fields/api";
import { removeField, updateField } from "@/lib/forms/fields/fields";
import { route } from "@/lib/route";

route(api.updateField, async ({ actor, params, body }) => ({
  field: await updateField(actor, params.id, body.field),
}));

route(api.removeField, ({ actor, params }) => removeField(actor, params.id));

export { DELETE, GET, PATCH, POST, PUT } from "@/lib/route";
