import * as api from "@/lib/clients/api";
import { createClient, listClients } from "@/lib/clients/clients";
import { route } from "@/lib/route";

export const GET = route(api.listClients, ({ actor, query }) => listClients(actor, query));

export const POST = route(api.createClient, async ({ actor, body, keys }) => ({
  client: await createClient(actor, body.client, keys.idempotencyKey),
}));
