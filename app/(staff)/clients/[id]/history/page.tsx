import { HistoryScreen } from "@/components/history/history-screen";
import { idParams } from "@/lib/api/list-query";
import { carriedFrom, page } from "@/lib/api/page";
import { can } from "@/lib/auth/permissions";
import { loadHistory } from "@/lib/history/data";
import { mergesOf } from "@/lib/merges/data";

export default page({
  permission: ["clients", "forms"],
  params: idParams,
  load: async ({ actor, params: { id }, search }) => {
    const history = await loadHistory(actor, "client", id);
    const { mergedInto } = await mergesOf(actor, id);
    const client = `/clients/${mergedInto ?? id}${carriedFrom(search)}`;
    return { id, back: can(actor, "clients") ? client : null, ...history };
  },
  show: (data) => <HistoryScreen kind="client" {...data} />,
});
