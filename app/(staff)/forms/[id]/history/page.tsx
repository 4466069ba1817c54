import { HistoryScreen } from "@/components/audit/history-screen";
import { loadHistory } from "@/lib/audit/history";
import { hidingViews, historyQuery } from "@/lib/audit/schema";
import { idParams } from "@/lib/core/api/list-query";
import { fromQuery } from "@/lib/core/api/query";
import { to } from "@/lib/core/pages";
import { formHistory } from "@/lib/forms/history";
import { page } from "@/lib/page";

export default page({
  permission: "forms",
  params: idParams,
  query: () => hidingViews(historyQuery),
  load: async ({ actor, params: { id }, query, search }) => ({
    id,
    back: to("formsView", { id }) + fromQuery(search),
    ...(await loadHistory(actor, formHistory, id, query)),
  }),
  show: (data) => <HistoryScreen kind="form" {...data} />,
});
