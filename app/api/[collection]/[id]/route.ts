import * as api from "@/lib/lookups/api";
import { lookupKeys, lookups } from "@/lib/lookups/registry";
import { lookupStores } from "@/lib/lookups/store";
import * as recordApi from "@/lib/records/api";
import { plainRecordKeys, records } from "@/lib/records/registry";
import { recordStores } from "@/lib/records/stores";
import { route } from "@/lib/route";

for (const key of lookupKeys) {
  const { singular } = lookups[key];
  route(api.getLookup[key], async ({ actor, params: { id } }) => ({
    [singular]: await lookupStores[key].get(actor, id),
  }));
  route(api.updateLookup[key], async ({ actor, params: { id }, body }) => ({
    [singular]: await lookupStores[key].update(actor, id, body[singular] ?? {}),
  }));
  route(api.removeLookup[key], ({ actor, params: { id } }) => lookupStores[key].remove(actor, id));
}

for (const key of plainRecordKeys) {
  const { entity } = records[key];
  route(recordApi.getRecord[key], async ({ actor, params: { id } }) => ({
    [entity]: await recordStores[key].get(actor, id),
  }));
  route(recordApi.updateRecord[key], async ({ actor, params: { id }, body }) => ({
    [entity]: await recordStores[key].update(actor, id, body[entity] ?? {}),
  }));
  route(recordApi.removeRecord[key], ({ actor, params: { id } }) => recordStores[key].remove(actor, id));
}

export { answerNext as DELETE, answerNext as GET, answerNext as PUT } from "@/lib/route";
