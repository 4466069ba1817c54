import { methods, route } from "@/lib/api/route";
import * as api from "@/lib/clients/api";
import { getClient, removeClient, updateClient } from "@/lib/clients/data";

export const { GET, POST, PUT, DELETE, PATCH } = methods({
  GET: route(api.getClient, async ({ actor, params }) => ({ client: await getClient(actor, params.id) })),
  PUT: route(api.updateClient, async ({ actor, params, body }) => ({
    client: await updateClient(actor, params.id, body.client),
  })),
  DELETE: route(api.removeClient, ({ actor, params }) => removeClient(actor, params.id)),
});
