import { allowedActions, ClientActions, ClientRecordActions } from "@/components/clients/client-actions";
import { ClientOverview } from "@/components/clients/client-overview";
import { ClientForms } from "@/components/forms/client-forms";
import { MergedRecords } from "@/components/merges/merged-records";
import { HiddenFrom } from "@/components/restrictions/hidden-from";
import { LegalHold } from "@/components/retention/legal-hold";
import { PageTitle } from "@/components/shell/page-title";
import { idParams } from "@/lib/api/list-query";
import { carriedFrom, page } from "@/lib/api/page";
import { clientScreen } from "@/lib/forms/by-client/screen";

/** All that is known of a client, and what was done for them (contract §9). */
export default page({
  permission: "clients",
  params: idParams,
  load: async ({ actor, params: { id }, search }) => ({
    ...(await clientScreen(actor, id)),
    from: carriedFrom(search),
    may: allowedActions(actor),
  }),
  show: ({ id, client, forms, lists, hold, merges, hidden, may, from }) => (
    <>
      <PageTitle
        title="Client"
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
