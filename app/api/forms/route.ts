import { methods, route } from "@/lib/api/route";
import * as api from "@/lib/forms/api";
import { createForm, listForms } from "@/lib/forms/data";

export const { GET, POST, PUT, DELETE, PATCH } = methods({
  GET: route(api.listForms, ({ actor, query }) => listForms(actor, query)),
  POST: route(api.createForm, async ({ actor, body, keys }) => ({
    form: await createForm(actor, body.form, keys),
  })),
});
