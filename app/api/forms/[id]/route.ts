import * as api from "@/lib/forms/api";
import { getForm, removeForm, updateForm } from "@/lib/forms/forms";
import { route } from "@/lib/route";

route(api.getForm, async ({ actor, params }) => ({ form: await getForm(actor, params.id) }));

route(api.updateForm, async ({ actor, params, body, keys }) => ({
  form: await updateForm(actor, params.id, body.form, keys),
}));

route(api.removeForm, ({ actor, params }) => removeForm(actor, params.id));

export { DELETE, GET, PATCH, POST, PUT } from "@/lib/route";
