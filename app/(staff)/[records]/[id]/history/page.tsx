import * as z from "zod/mini";
import { HistoryScreen } from "@/components/audit/history-screen";
import { loadHistory } from "@/lib/audit/history";
import { hidingViews, historyQuery } from "@/lib/audit/schema";
import { idParam } from "@/lib/core/api/list-query";
import { fromQuery } from "@/lib/core/api/query";
import { to } from "@/lib/core/pages";
import { page } from "@/lib/page";
import { recordParams } from "@/lib/records/api-schema";
import { records } from "@/lib/records/registry";
import { recordStores } from "@/lib/records/stores";

export default page({
  permission: (params) => records[params.records].permission,
  params: z.extend(recordParams, { id: idParam }),
  query: () => hidingViews(historyQuery),
  load: async ({ actor, params: { records: list, id }, query, search }) => ({
    id,
    kind: records[list].words.record,
    back: to("recordsEdit", { records: list, id }) + fromQuery(search),
    ...(await loadHistory(actor, recordStores[list].history, id, query)),
  }),
  show: (data) => <HistoryScreen {...data} />,
});
