import { HistoryScreen } from "@/components/history/history-screen";
import { idParams } from "@/lib/api/list-query";
import { page } from "@/lib/api/page";
import { loadHistory } from "@/lib/history/data";

export default page({
  permission: "forms",
  params: idParams,
  load: async ({ actor, params: { id } }) => ({ id, ...(await loadHistory(actor, "form", id)) }),
  show: ({ id, ...history }) => <HistoryScreen kind="form" id={id} back={`/forms/${id}/edit`} {...history} />,
});
