import { ClientForm } from "@/components/clients/client-form";
import { PageTitle } from "@/components/shell/page-title";
import { backTo, page } from "@/lib/api/page";
import { formLists } from "@/lib/lookups/resources/data";

export default page({
  permission: "clients",
  load: async ({ actor, search }) => ({ lists: await formLists(actor), back: backTo("/clients", search) }),
  show: (data) => (
    <>
      <PageTitle title="New Client" />
      <ClientForm client={null} {...data} />
    </>
  ),
});
