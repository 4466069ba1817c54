import { methods, route } from "@/lib/api/route";
import * as api from "@/lib/review/api";
import { returnForm } from "@/lib/review/data";

export const { GET, POST, PUT, DELETE, PATCH } = methods({
  POST: route(api.returnForm, async ({ actor, params, body }) => ({
    form: await returnForm(actor, params.id, body.comment),
  })),
});
