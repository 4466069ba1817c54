import { idParams } from "@/lib/api/paging";
import { methods, route } from "@/lib/api/route";
import { getClient, removeClient, updateClient } from "@/lib/clients/data";
import { clientBody } from "@/lib/clients/schema";

export const { GET, POST, PUT, DELETE, PATCH } = methods({
  GET: route({
    permission: ["clients", "forms"],
    params: idParams,
    run: async ({ actor, params }) => ({ client: await getClient(actor, params.id) }),
  }),
  PUT: route({
    permission: ["clients", "forms"],
    params: idParams,
    body: clientBody,
    run: async ({ actor, params, body }) => ({ client: await updateClient(actor, params.id, body.client) }),
  }),
  DELETE: route({
    permission: "clients",
    params: idParams,
    status: 204,
    run: ({ actor, params }) => removeClient(actor, params.id),
  }),
});
