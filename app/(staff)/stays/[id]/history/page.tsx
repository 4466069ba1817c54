import { HistoryScreen } from "@/components/audit/history-screen";
import { loadHistory } from "@/lib/audit/history";
import { hidingViews, historyQuery } from "@/lib/audit/schema";
import { idParams } from "@/lib/core/api/list-query";
import { fromQuery } from "@/lib/core/api/query";
import { to } from "@/lib/core/pages";
import { page } from "@/lib/page";
import { stayReads } from "@/lib/shelter/list";

export default page({
  permission: "shelter",
  params: idParams,
  query: () => hidingViews(historyQuery),
  load: async ({ actor, params: { id }, query, search }) => ({
    id,
    back: to("staysEdit", { id }) + (search.client === "1" ? "?client=1" : fromQuery(search)),
    ...(await loadHistory(actor, stayReads.history, id, query)),
  }),
  show: (data) => <HistoryScreen kind="stay" {...data} />,
});
