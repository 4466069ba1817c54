import { methods, route } from "@/lib/api/route";
import * as api from "@/lib/clients/api";
import { searchClients } from "@/lib/clients/search";

export const { GET, POST, PUT, DELETE, PATCH } = methods({
  POST: route(api.searchClients, async ({ actor, body }) => ({
    clients: await searchClients(actor, body.search),
  })),
});
