import { route } from "@/lib/api/route";
import * as api from "@/lib/review/api";
import { returnForm } from "@/lib/review/data";

route(api.returnForm, async ({ actor, params, body }) => ({
  form: await returnForm(actor, params.id, body.comment),
}));

export { DELETE, GET, PATCH, POST, PUT } from "@/lib/api/route";
