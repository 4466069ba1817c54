import { HistoryScreen } from "@/components/audit/history-screen";
import { loadHistory } from "@/lib/audit/history";
import { hidingViews, historyQuery } from "@/lib/audit/schema";
import { GROUP_PERMISSIONS } from "@/lib/core/access/permissions";
import { to } from "@/lib/core/pages";
import { sessionParams } from "@/lib/groups/api-schema";
import { sessionHistory } from "@/lib/groups/sessions";
import { page } from "@/lib/page";

export default page({
  permission: "groups",
  additionalPermissions: GROUP_PERMISSIONS,
  params: sessionParams,
  query: () => hidingViews(historyQuery),
  load: async ({ actor, params: { id, sessionId }, query }) => ({
    id: sessionId,
    back: to("sessionsEdit", { id, sessionId }),
    ...(await loadHistory(actor, sessionHistory(id), sessionId, query)),
  }),
  show: (data) => <HistoryScreen kind="groupSession" {...data} />,
});
