import * as api from "@/lib/forms/review/api";
import { returnForm } from "@/lib/forms/review/reviews";
import { route } from "@/lib/route";

route(api.returnForm, async ({ actor, params, body }) => ({
  form: await returnForm(actor, params.id, body),
}));

export { DELETE, GET, PATCH, POST, PUT } from "@/lib/route";
