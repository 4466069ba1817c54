import * as api from "@/lib/clients/api";
import { getClient, removeClient, updateClient } from "@/lib/clients/clients";
import { route } from "@/lib/route";

route(api.getClient, async ({ actor, params }) => ({ client: await getClient(actor, params.id) }));

route(api.updateClient, async ({ actor, params, body }) => ({
  client: await updateClient(actor, params.id, body.client),
}));

route(api.removeClient, ({ actor, params }) => removeClient(actor, params.id));

export { DELETE, GET, PATCH, POST, PUT } from "@/lib/route";
