import { HistoryScreen } from "@/components/audit/history-screen";
import { loadHistory } from "@/lib/audit/history";
import { hidingViews, historyQuery } from "@/lib/audit/schema";
import { isSafeToCall } from "@/lib/clients/clients";
import { clientHistory } from "@/lib/clients/history";
import { mergesOf } from "@/lib/clients/merges/merges";
import { can } from "@/lib/core/access/permissions";
import { idParams } from "@/lib/core/api/list-query";
import { fromQuery } from "@/lib/core/api/query";
import { to } from "@/lib/core/pages";
import { page } from "@/lib/page";

export default page({
  permission: ["clients", "forms"],
  params: idParams,
  query: () => hidingViews(historyQuery),
  load: async ({ actor, params: { id }, query, search }) => {
    const history = await loadHistory(actor, clientHistory, id, query);
    const { mergedInto } = await mergesOf(actor, id);
    const of = mergedInto ?? id;
    const client = to("clientsShow", { id: of }) + fromQuery(search);
    return {
      id,
      back: can(actor, "clients") ? client : null,
      numbers: {
        clientId: id,
        safeToCall: await isSafeToCall(actor, of),
        before: query.before,
        views: query.filters.views,
      },
      ...history,
    };
  },
  show: (data) => <HistoryScreen kind="client" {...data} />,
});
