import { fileOf } from "@/lib/api/files";
import { route } from "@/lib/api/route";
import { keysOf } from "@/lib/fields/by-key";
import * as api from "@/lib/lookups/api";
import { lookupFiles } from "@/lib/lookups/columns";
import { lookupStores } from "@/lib/lookups/data";
import { lookupKeys, lookups } from "@/lib/lookups/registry";

for (const key of lookupKeys) {
  const { singular, plural } = lookups[key];
  route(api.listLookup[key], async ({ actor, query }) => {
    const { items, meta } = await lookupStores[key].list(actor, query);
    return { [plural]: items, meta };
  });
  route(api.createLookup[key], async ({ actor, body }) => ({
    [singular]: await lookupStores[key].create(actor, body[singular] ?? {}),
  }));
}

for (const file of keysOf(lookupFiles)) {
  const { list, format } = lookupFiles[file];
  route(api.exportLookup[file], async ({ actor, query }) =>
    fileOf(format, await lookupStores[list].export(actor, query)),
  );
}

export { DELETE, GET, PATCH, POST, PUT } from "@/lib/api/route";
