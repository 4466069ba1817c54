import * as api from "@/lib/forms/api";
import { getForm, removeForm, updateForm } from "@/lib/forms/forms";
import { route } from "@/lib/route";

export const GET = route(api.getForm, async ({ actor, params }) => ({
  form: await getForm(actor, params.id),
}));

export const PUT = route(api.updateForm, async ({ actor, params, body, keys }) => ({
  form: await updateForm(actor, params.id, body.form, keys),
}));

export const DELETE = route(api.removeForm, ({ actor, params }) => removeForm(actor, params.id));
