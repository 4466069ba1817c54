import { allowedActions, ClientActions, ClientRecordActions } from "@/components/clients/client-actions";
import { ClientOverview } from "@/components/clients/client-overview";
import { MergedRecords } from "@/components/clients/merges/merged-records";
import { HiddenFrom } from "@/components/clients/restrictions/hidden-from";
import { ClientForms } from "@/components/forms/client-forms";
import { LegalHold } from "@/components/retention/legal-hold";
import { PageTitle } from "@/components/shell/page-title";
import { fromQuery } from "@/lib/core/api/back-link";
import { idParams } from "@/lib/core/api/list-query";
import { PAGES } from "@/lib/core/pages";
import { clientScreen } from "@/lib/forms/by-client/screen";
import { page } from "@/lib/page";

/** A client's details and the forms recorded for the client. */
export default page({
  permission: "clients",
  params: idParams,
  load: async ({ actor, params: { id }, search }) => ({
    ...(await clientScreen(actor, id)),
    from: fromQuery(search),
    may: allowedActions(actor),
  }),
  show: ({ id, client, forms, lists, hold, merges, hidden, may, from }) => (
    <>
      <PageTitle
        title={PAGES.clientsShow.title}
        id={id}
        name={client.name}
        actions={<ClientActions id={id} {...may} from={from} />}
      />
      <div className="stack">
        <ClientOverview client={client} lists={lists} />
        <MergedRecords merges={merges} mayUndo={may.mayMerge} />
        {forms && <ClientForms clientId={id} {...forms} />}
        <ClientRecordActions id={id} {...may} />
        {hold !== undefined && <LegalHold clientId={id} hold={hold} />}
        {hidden && <HiddenFrom clientId={id} {...hidden} />}
      </div>
    </>
  ),
});
