import { methods, route } from "@/lib/api/route";
import { clientSearchBody } from "@/lib/clients/schema";
import { searchClients } from "@/lib/clients/search";

/** A POST that changes nothing: in a query, a survivor's name would end up in the logs of every proxy. */
export const { GET, POST, PUT, DELETE, PATCH } = methods({
  POST: route({
    permission: ["clients", "forms"],
    body: clientSearchBody,
    run: async ({ body }) => ({ clients: await searchClients(body.search) }),
  }),
});
