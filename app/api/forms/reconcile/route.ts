import { methods, route } from "@/lib/api/route";
import * as api from "@/lib/review/api";
import { reconcileForms } from "@/lib/review/data";

export const { GET, POST, PUT, DELETE, PATCH } = methods({
  POST: route(api.reconcileForms, ({ actor, body }) => reconcileForms(actor, body)),
});
