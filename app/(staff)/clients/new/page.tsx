import { ClientForm } from "@/components/clients/client-form";
import { PageTitle } from "@/components/shell/page-title";
import { backTo } from "@/lib/core/api/back-link";
import { PAGES, to } from "@/lib/core/pages";
import { formLists } from "@/lib/lookups/resources/lists";
import { page } from "@/lib/page";

export default page({
  permission: "clients",
  load: async ({ actor, search }) => ({
    lists: await formLists(actor),
    back: backTo(to("clientsList"), search),
  }),
  show: (data) => (
    <>
      <PageTitle title={PAGES.clientsNew.title} />
      <ClientForm client={null} {...data} />
    </>
  ),
});
