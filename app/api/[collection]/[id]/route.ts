import { methods, route } from "@/lib/api/route";
import * as api from "@/lib/lookups/api";
import { lookupStores } from "@/lib/lookups/data";
import { lookups } from "@/lib/lookups/registry";

export const { GET, POST, PUT, DELETE, PATCH } = methods({
  GET: route(api.getLookup, async ({ actor, params: { collection, id } }) => ({
    [lookups[collection].singular]: await lookupStores[collection].get(actor, id),
  })),
  PUT: route(api.updateLookup, async ({ actor, params: { collection, id }, body }) => {
    const { singular } = lookups[collection];
    return { [singular]: await lookupStores[collection].update(actor, id, body[singular] ?? {}) };
  }),
  DELETE: route(api.removeLookup, ({ actor, params: { collection, id } }) =>
    lookupStores[collection].remove(actor, id),
  ),
});
