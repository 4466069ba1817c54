import { HistoryScreen } from "@/components/history/history-screen";
import { idParams } from "@/lib/api/list-query";
import { carriedFrom, page } from "@/lib/api/page";
import { loadHistory } from "@/lib/history/data";

export default page({
  permission: "forms",
  params: idParams,
  load: async ({ actor, params: { id }, search }) => ({
    id,
    back: `/forms/${id}/edit${carriedFrom(search)}`,
    ...(await loadHistory(actor, "form", id)),
  }),
  show: (data) => <HistoryScreen kind="form" {...data} />,
});
