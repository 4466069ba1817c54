import { idParams } from "@/lib/api/paging";
import { methods, route } from "@/lib/api/route";
import { reconcileForm } from "@/lib/forms/data";
import { reconcileBody } from "@/lib/forms/schema";

export const { GET, POST, PUT, DELETE, PATCH } = methods({
  POST: route({
    permission: "forms",
    params: idParams,
    body: reconcileBody,
    run: async ({ actor, params, body }) => ({
      form: await reconcileForm(actor, params.id, body.reconciled),
    }),
  }),
});
