import { route } from "@/lib/api/route";
import * as api from "@/lib/clients/api";
import { similarClients } from "@/lib/clients/search";

route(api.similarClients, async ({ actor, body }) => ({
  clients: await similarClients(actor, body.name),
}));

export { DELETE, GET, PATCH, POST, PUT } from "@/lib/api/route";
