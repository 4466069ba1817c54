import { openHistory } from "@/lib/audit/history";
import { getRecordHistory } from "@/lib/records/api";
import { plainRecordKeys } from "@/lib/records/registry";
import { recordStores } from "@/lib/records/stores";
import { route } from "@/lib/route";

for (const key of plainRecordKeys)
  route(getRecordHistory[key], ({ actor, params, query }) =>
    openHistory(actor, recordStores[key].history, params.id, query),
  );

export { answerNext as GET } from "@/lib/route";
