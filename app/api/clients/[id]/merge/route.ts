import { methods, route } from "@/lib/api/route";
import * as api from "@/lib/merges/api";
import { mergeClients } from "@/lib/merges/data";

export const { GET, POST, PUT, DELETE, PATCH } = methods({
  POST: route(api.mergeClients, ({ actor, params, body }) => mergeClients(actor, params.id, body)),
});
