import * as api from "@/lib/forms/api";
import { createForm, listForms } from "@/lib/forms/forms";
import { route } from "@/lib/route";

export const GET = route(api.listForms, ({ actor, query }) => listForms(actor, query));

export const POST = route(api.createForm, async ({ actor, body, keys }) => ({
  form: await createForm(actor, body.form, keys),
}));
