import { methods, route } from "@/lib/api/route";
import { lookupStores } from "@/lib/lookups/data";
import { type LookupKey, lookups, permissionOf } from "@/lib/lookups/registry";
import { collectionParams, lookupBody, lookupQuery } from "@/lib/lookups/schema";

export const { GET, POST, PUT, DELETE, PATCH } = methods({
  GET: route({
    permission: permissionOf,
    params: collectionParams,
    query: ({ collection }) => lookupQuery(collection as LookupKey),
    run: async ({ params: { collection }, query }) => {
      const { items, meta } = await lookupStores[collection].list(query);
      return { [lookups[collection].plural]: items, meta };
    },
  }),
  POST: route({
    permission: permissionOf,
    params: collectionParams,
    body: ({ collection }) => lookupBody(collection as LookupKey),
    status: 201,
    run: async ({ actor, params: { collection }, body }) => {
      const { singular } = lookups[collection];
      return { [singular]: await lookupStores[collection].create(actor, body[singular] ?? {}) };
    },
  }),
});
