import { RecordTrail } from "@/components/audit/record-trail";
import { ClientForm } from "@/components/clients/client-form";
import { PageTitle } from "@/components/shell/page-title";
import { recordNumberInField } from "@/lib/clients/clients";
import { backToOrigin } from "@/lib/core/api/back-link";
import { idParams } from "@/lib/core/api/list-query";
import { fromQuery } from "@/lib/core/api/query";
import { PAGES, to } from "@/lib/core/pages";
import { clientOfPage } from "@/lib/forms/by-client/screen";
import { formLists } from "@/lib/lookups/resources/lists";
import { page } from "@/lib/page";

export default page({
  permission: "clients",
  params: idParams,
  load: async ({ actor, params: { id }, search }) => {
    const [client, lists] = await Promise.all([clientOfPage(actor, id, "/edit"), formLists(actor)]);
    await recordNumberInField(actor, client);
    return {
      from: fromQuery(search),
      form: { client, lists, back: backToOrigin(to("clientsList"), search) },
    };
  },
  show: ({ form, form: { client }, from }) => (
    <>
      <PageTitle
        title={PAGES.clientsEdit.title}
        id={client.id}
        name={client.name}
        actions={<RecordTrail kind="client" id={client.id} from={from} />}
      />
      <ClientForm {...form} />
    </>
  ),
});
