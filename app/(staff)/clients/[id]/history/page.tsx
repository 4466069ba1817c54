import { HistoryScreen } from "@/components/history/history-screen";
import { idParams } from "@/lib/api/list-query";
import { page } from "@/lib/api/page";
import { can } from "@/lib/auth/permissions";
import { loadHistory } from "@/lib/history/data";
import { mergesOf } from "@/lib/merges/data";

export default page({
  permission: ["clients", "forms"],
  params: idParams,
  load: async ({ actor, params: { id } }) => {
    const history = await loadHistory(actor, "client", id);
    const { mergedInto } = await mergesOf(actor, id);
    return { id, back: can(actor, "clients") ? `/clients/${mergedInto ?? id}` : null, ...history };
  },
  show: (data) => <HistoryScreen kind="client" {...data} />,
});
