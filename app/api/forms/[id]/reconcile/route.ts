import * as api from "@/lib/forms/review/api";
import { reconcileForm } from "@/lib/forms/review/reviews";
import { route } from "@/lib/route";

export const POST = route(api.reconcileForm, async ({ actor, params, body }) => ({
  form: await reconcileForm(actor, params.id, body),
}));
