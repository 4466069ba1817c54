import { fileOf } from "@/lib/core/api/files";
import { keysOf } from "@/lib/core/objects";
import { listKey } from "@/lib/core/records/declaration";
import * as api from "@/lib/lookups/api";
import { lookupFiles } from "@/lib/lookups/columns";
import { lookupKeys, lookups } from "@/lib/lookups/registry";
import { lookupStores } from "@/lib/lookups/store";
import * as recordApi from "@/lib/records/api";
import { recordFiles } from "@/lib/records/api-schema";
import { plainRecordKeys, records } from "@/lib/records/registry";
import { recordStores } from "@/lib/records/stores";
import { route } from "@/lib/route";

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

for (const key of plainRecordKeys) {
  const { entity } = records[key];
  route(recordApi.listRecords[key], async ({ actor, query }) => {
    const { items, meta } = await recordStores[key].list(actor, query);
    return { [listKey(key)]: items, meta };
  });
  route(recordApi.createRecord[key], async ({ actor, body, keys }) => ({
    [entity]: await recordStores[key].create(actor, body[entity] ?? {}, keys.idempotencyKey),
  }));
}

for (const file of keysOf(recordFiles)) {
  const { list, format } = recordFiles[file];
  route(recordApi.exportRecords[file], async ({ actor, query }) =>
    fileOf(format, await recordStores[list].export(actor, query)),
  );
}

export { answerNext as GET, answerNext as POST } from "@/lib/route";
