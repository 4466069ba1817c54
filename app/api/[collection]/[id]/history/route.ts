import { openHistory } from "@/lib/audit/history";
import { getRecordHistory } from "@/lib/records/api";
import { recordKeys } from "@/lib/records/registry";
import { recordStores } from "@/lib/records/store";
import { route } from "@/lib/route";

for (const key of recordKeys)
  route(getRecordHistory[key], ({ actor, params, query }) =>
    openHistory(actor, recordStores[key].history, params.id, query),
  );

export { DELETE, GET, PATCH, POST, PUT } from "@/lib/route";
