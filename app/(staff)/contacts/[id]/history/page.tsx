import { HistoryScreen } from "@/components/audit/history-screen";
import { loadHistory } from "@/lib/audit/history";
import { hidingViews, historyQuery } from "@/lib/audit/schema";
import { contactHistory } from "@/lib/contacts/history";
import { idParams } from "@/lib/core/api/list-query";
import { fromQuery } from "@/lib/core/fields/query";
import { to } from "@/lib/core/pages";
import { page } from "@/lib/page";

export default page({
  permission: "contacts",
  params: idParams,
  query: () => hidingViews(historyQuery),
  load: async ({ actor, params: { id }, query, search }) => ({
    id,
    back: to("contactsEdit", { id }) + fromQuery(search),
    ...(await loadHistory(actor, contactHistory, id, query)),
  }),
  show: (data) => <HistoryScreen kind="contact" {...data} />,
});
