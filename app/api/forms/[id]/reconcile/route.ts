import { route } from "@/lib/api/route";
import * as api from "@/lib/review/api";
import { reconcileForm } from "@/lib/review/data";

route(api.reconcileForm, async ({ actor, params, body }) => ({
  form: await reconcileForm(actor, params.id, body.reconciled),
}));

export { DELETE, GET, PATCH, POST, PUT } from "@/lib/api/route";
