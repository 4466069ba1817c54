import { ClientForm } from "@/components/clients/client-form";
import { RecordTrail } from "@/components/history/record-trail";
import { PageTitle } from "@/components/shell/page-title";
import { idParams } from "@/lib/api/list-query";
import { backTo, carriedFrom, page } from "@/lib/api/page";
import { clientOfPage } from "@/lib/forms/by-client/screen";
import { formLists } from "@/lib/lookups/resources/data";

export default page({
  permission: "clients",
  params: idParams,
  load: async ({ actor, params: { id }, search }) => {
    const [client, lists] = await Promise.all([clientOfPage(actor, id, "/edit"), formLists(actor)]);
    return { from: carriedFrom(search), form: { client, lists, back: backTo("/clients", search) } };
  },
  show: ({ form, form: { client }, from }) => (
    <>
      <PageTitle
        title="Edit Client"
        id={client.id}
        name={client.name}
        actions={<RecordTrail kind="client" id={client.id} from={from} />}
      />
      <ClientForm {...form} />
    </>
  ),
});
