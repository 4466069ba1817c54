import * as api from "@/lib/forms/review/api";
import { reconcileForm } from "@/lib/forms/review/reviews";
import { route } from "@/lib/route";

route(api.reconcileForm, async ({ actor, params, body }) => ({
  form: await reconcileForm(actor, params.id, body),
}));

export { DELETE, GET, PATCH, POST, PUT } from "@/lib/route";
