import { allowedActions, ClientActions } from "@/components/clients/client-actions";
import { ClientOverview } from "@/components/clients/client-overview";
import { ClientForms } from "@/components/forms/client-forms";
import { MergedRecords } from "@/components/merges/merged-records";
import { LegalHold } from "@/components/retention/legal-hold";
import { PageTitle } from "@/components/shell/page-title";
import { idParams } from "@/lib/api/list-query";
import { page, unlessTooSlow } from "@/lib/api/page";
import { can } from "@/lib/auth/permissions";
import { getClient } from "@/lib/clients/data";
import { formsOfClient, NO_FORMS } from "@/lib/forms/by-client/data";
import { formLists } from "@/lib/lookups/resources/data";
import { mergesOf } from "@/lib/merges/data";
import { holdOf } from "@/lib/retention/data";
/** All that is known of a client, and what was done for them (contract §9). */
export default page({
  permission: "clients",
  params: idParams,
  load: async ({ actor, params: { id } }) => {
    const client = await getClient(actor, id);
    const [forms, lists, hold, { merges }] = await Promise.all([
      can(actor, "forms") ? unlessTooSlow(formsOfClient(actor, id), NO_FORMS) : null,
      formLists(actor),
      can(actor, "retention") ? holdOf(actor, id) : undefined,
      mergesOf(actor, id),
    ]);
    return { id, client, forms, lists, hold, merges, may: allowedActions(actor) };
  },
  show: ({ id, client, forms, lists, hold, merges, may }) => (
    <>
      <PageTitle title="Client" id={id} actions={<ClientActions {...{ id, forms, ...may }} />} />
      <div className="stack">
        <ClientOverview client={client} lists={lists} />
        <MergedRecords merges={merges} mayUndo={may.mayMerge} />
        {forms && <ClientForms clientId={id} {...forms} />}
        {hold !== undefined && <LegalHold clientId={id} hold={hold} />}
      </div>
    </>
  ),
});
