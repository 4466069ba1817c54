import * as api from "@/lib/clients/api";
import { getClient, removeClient, updateClient } from "@/lib/clients/clients";
import { route } from "@/lib/route";

export const GET = route(api.getClient, async ({ actor, params }) => ({
  client: await getClient(actor, params.id),
}));

export const PUT = route(api.updateClient, async ({ actor, params, body }) => ({
  client: await updateClient(actor, params.id, body.client),
}));

export const DELETE = route(api.removeClient, ({ actor, params }) => removeClient(actor, params.id));
