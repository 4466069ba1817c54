import * as api from "@/lib/clients/api";
import { similarClients } from "@/lib/clients/search";
import { route } from "@/lib/route";

export const POST = route(api.similarClients, async ({ actor, body }) => ({
  clients: await similarClients(actor, body.name),
}));
