import { methods, route } from "@/lib/api/route";
import * as api from "@/lib/clients/api";
import { createClient, listClients } from "@/lib/clients/data";

export const { GET, POST, PUT, DELETE, PATCH } = methods({
  GET: route(api.listClients, ({ actor, query }) => listClients(actor, query)),
  POST: route(api.createClient, async ({ actor, body, keys }) => ({
    client: await createClient(actor, body.client, keys.idempotencyKey),
  })),
});
