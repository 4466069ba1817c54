import { methods, route } from "@/lib/api/route";
import { createForm, listForms } from "@/lib/forms/data";
import { formBody, formListQuery } from "@/lib/forms/schema";

export const { GET, POST, PUT, DELETE, PATCH } = methods({
  GET: route({
    permission: "forms",
    query: formListQuery,
    run: ({ actor, query }) => listForms(actor, query),
  }),
  POST: route({
    permission: "forms",
    body: formBody,
    status: 201,
    run: async ({ actor, body, request }) => ({
      form: await createForm(actor, body.form, {
        idempotencyKey: request.headers.get("idempotency-key"),
        draftKey: request.headers.get("draft-key"),
      }),
    }),
  }),
});
