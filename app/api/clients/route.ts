import * as api from "@/lib/clients/api";
import { createClient, listClients } from "@/lib/clients/clients";
import { route } from "@/lib/route";

route(api.listClients, ({ actor, query }) => listClients(actor, query));

route(api.createClient, async ({ actor, body, keys }) => ({
  client: await createClient(actor, body.client, keys.idempotencyKey),
}));

export { DELETE, GET, PATCH, POST, PUT } from "@/lib/route";
