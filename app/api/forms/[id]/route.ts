import { methods, route } from "@/lib/api/route";
import * as api from "@/lib/forms/api";
import { getForm, removeForm, updateForm } from "@/lib/forms/data";

export const { GET, POST, PUT, DELETE, PATCH } = methods({
  GET: route(api.getForm, async ({ actor, params }) => ({ form: await getForm(actor, params.id) })),
  PUT: route(api.updateForm, async ({ actor, params, body, keys }) => ({
    form: await updateForm(actor, params.id, body.form, keys),
  })),
  DELETE: route(api.removeForm, ({ actor, params }) => removeForm(actor, params.id)),
});
