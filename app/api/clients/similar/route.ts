import { methods, route } from "@/lib/api/route";
import * as api from "@/lib/clients/api";
import { similarClients } from "@/lib/clients/search";

export const { GET, POST, PUT, DELETE, PATCH } = methods({
  POST: route(api.similarClients, async ({ actor, body }) => ({
    clients: await similarClients(actor, body.name),
  })),
});
