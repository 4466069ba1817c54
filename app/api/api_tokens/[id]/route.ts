import { methods, route } from "@/lib/api/route";
import * as api from "@/lib/tokens/api";
import { endApiToken } from "@/lib/tokens/data";

export const { GET, POST, PUT, DELETE, PATCH } = methods({
  DELETE: route(api.endApiToken, ({ actor, params }) => endApiToken(actor, params.id)),
});
