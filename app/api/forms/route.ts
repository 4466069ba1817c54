import * as api from "@/lib/forms/api";
import { createForm, listForms } from "@/lib/forms/forms";
import { route } from "@/lib/route";

route(api.listForms, ({ actor, query }) => listForms(actor, query));

route(api.createForm, async ({ actor, body, keys }) => ({
  form: await createForm(actor, body.form, keys),
}));

export { DELETE, GET, PATCH, POST, PUT } from "@/lib/route";
