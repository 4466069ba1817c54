import { methods, route } from "@/lib/api/route";
import { createClient, listClients } from "@/lib/clients/data";
import { clientBody, clientListQuery } from "@/lib/clients/schema";

export const { GET, POST, PUT, DELETE, PATCH } = methods({
  GET: route({
    permission: "clients",
    query: clientListQuery,
    run: ({ query }) => listClients(query),
  }),
  POST: route({
    permission: ["clients", "forms"],
    body: clientBody,
    status: 201,
    run: async ({ actor, body, request }) => ({
      client: await createClient(actor, body.client, request.headers.get("idempotency-key")),
    }),
  }),
});
