import * as api from "@/lib/clients/api";
import { searchClients } from "@/lib/clients/search";
import { route } from "@/lib/route";

route(api.searchClients, async ({ actor, body }) => ({
  clients: await searchClients(actor, body.search),
}));

export { DELETE, GET, PATCH, POST, PUT } from "@/lib/route";
