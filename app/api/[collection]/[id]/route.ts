import { methods, route } from "@/lib/api/route";
import { lookupStores } from "@/lib/lookups/data";
import { type LookupKey, lookups, permissionOf } from "@/lib/lookups/registry";
import { collectionItemParams, lookupBody } from "@/lib/lookups/schema";

export const { GET, POST, PUT, DELETE, PATCH } = methods({
  GET: route({
    permission: permissionOf,
    params: collectionItemParams,
    run: async ({ params: { collection, id } }) => ({
      [lookups[collection].singular]: await lookupStores[collection].get(id),
    }),
  }),
  PUT: route({
    permission: permissionOf,
    params: collectionItemParams,
    body: ({ collection }) => lookupBody(collection as LookupKey),
    run: async ({ actor, params: { collection, id }, body }) => {
      const { singular } = lookups[collection];
      return { [singular]: await lookupStores[collection].update(actor, id, body[singular] ?? {}) };
    },
  }),
  DELETE: route({
    permission: permissionOf,
    params: collectionItemParams,
    status: 204,
    run: ({ actor, params: { collection, id } }) => lookupStores[collection].remove(actor, id),
  }),
});
