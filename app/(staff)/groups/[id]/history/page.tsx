import { HistoryScreen } from "@/components/audit/history-screen";
import { loadHistory } from "@/lib/audit/history";
import { hidingViews, historyQuery } from "@/lib/audit/schema";
import { GROUP_PERMISSIONS } from "@/lib/core/access/permissions";
import { idParams } from "@/lib/core/api/list-query";
import { to } from "@/lib/core/pages";
import { groupHistory } from "@/lib/groups/groups";
import { page } from "@/lib/page";

export default page({
  permission: "groups",
  additionalPermissions: GROUP_PERMISSIONS,
  params: idParams,
  query: () => hidingViews(historyQuery),
  load: async ({ actor, params: { id }, query }) => ({
    id,
    back: to("groupsShow", { id }),
    ...(await loadHistory(actor, groupHistory, id, query)),
  }),
  show: (data) => <HistoryScreen kind="group" {...data} />,
});
