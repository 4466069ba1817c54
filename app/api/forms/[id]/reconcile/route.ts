import { methods, route } from "@/lib/api/route";
import * as api from "@/lib/review/api";
import { reconcileForm } from "@/lib/review/data";

export const { GET, POST, PUT, DELETE, PATCH } = methods({
  POST: route(api.reconcileForm, async ({ actor, params, body }) => ({
    form: await reconcileForm(actor, params.id, body.reconciled),
  })),
});
