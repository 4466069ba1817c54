import { fileOf } from "@/lib/api/files";
import { methods, oneOf, route } from "@/lib/api/route";
import * as api from "@/lib/lookups/api";
import { lookupFiles } from "@/lib/lookups/columns";
import { lookupStores } from "@/lib/lookups/data";
import { lookups } from "@/lib/lookups/registry";

export const { GET, POST, PUT, DELETE, PATCH } = methods({
  GET: oneOf(
    route(api.listLookup, async ({ actor, params: { collection }, query }) => {
      const { items, meta } = await lookupStores[collection].list(actor, query);
      return { [lookups[collection].plural]: items, meta };
    }),
    route(api.exportLookup, async ({ actor, params: { collection }, query }) => {
      const { list, format } = lookupFiles[collection];
      return fileOf(format, await lookupStores[list].export(actor, query));
    }),
  ),
  POST: route(api.createLookup, async ({ actor, params: { collection }, body }) => {
    const { singular } = lookups[collection];
    return { [singular]: await lookupStores[collection].create(actor, body[singular] ?? {}) };
  }),
});
