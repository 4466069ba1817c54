import { idParams } from "@/lib/api/paging";
import { methods, route } from "@/lib/api/route";
import { getForm, removeForm, updateForm } from "@/lib/forms/data";
import { formBody } from "@/lib/forms/schema";

export const { GET, POST, PUT, DELETE, PATCH } = methods({
  GET: route({
    permission: "forms",
    params: idParams,
    run: async ({ actor, params }) => ({ form: await getForm(actor, params.id) }),
  }),
  PUT: route({
    permission: "forms",
    params: idParams,
    body: formBody,
    run: async ({ actor, params, body, request }) => ({
      form: await updateForm(actor, params.id, body.form, { draftKey: request.headers.get("draft-key") }),
    }),
  }),
  DELETE: route({
    permission: "forms",
    params: idParams,
    status: 204,
    run: ({ actor, params }) => removeForm(actor, params.id),
  }),
});
