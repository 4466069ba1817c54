import * as api from "@/lib/forms/review/api";
import { returnForm } from "@/lib/forms/review/reviews";
import { route } from "@/lib/route";

export const POST = route(api.returnForm, async ({ actor, params, body }) => ({
  form: await returnForm(actor, params.id, body),
}));
