import * as api from "@/lib/clients/api";
import { searchClients } from "@/lib/clients/search";
import { route } from "@/lib/route";

export const POST = route(api.searchClients, async ({ actor, body }) => ({
  clients: await searchClients(actor, body.search),
}));
