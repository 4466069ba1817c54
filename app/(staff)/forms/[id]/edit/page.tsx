import { DraftOffer } from "@/components/forms/draft-offer";
import { FormScreen } from "@/components/forms/form-screen";
import { ReconciledBadge } from "@/components/forms/reconciled-badge";
import { openFormType } from "@/components/forms/values";
import { PageTitle } from "@/components/shell/page-title";
import { idParams } from "@/lib/api/list-query";
import { backTo, page } from "@/lib/api/page";
import { fullName } from "@/lib/auth/permissions";
import { getClient } from "@/lib/clients/data";
import { openDrafts } from "@/lib/drafts/data";
import { getForm } from "@/lib/forms/data";
import { formLists, serviceCodesFor } from "@/lib/lookups/resources/data";
import { env } from "@/lib/server/env";

export default page({
  permission: "forms",
  params: idParams,
  load: async ({ actor, params: { id }, search }) => {
    const form = await getForm(actor, id);
    const { draft, others } = await openDrafts(actor, id, search.draft);
    const [client, serviceCodes, lists] = await Promise.all([
      getClient(actor, form.clientId),
      serviceCodesFor(actor, openFormType(draft, form) ?? form.formTypeId),
      formLists(actor),
    ]);
    const { reconciled } = form;
    const userName = fullName(actor);
    const back = backTo("/forms", search);
    return { id, reconciled, others, userName, back, draft, stored: { form, client }, serviceCodes, lists };
  },
  show: ({ id, reconciled, others, ...screen }) => (
    <>
      <div className="print-hidden">
        <PageTitle title="Edit Form" id={id} actions={<ReconciledBadge reconciled={reconciled} />} />
      </div>
      <DraftOffer drafts={others} />
      <FormScreen key={screen.draft?.key ?? "stored"} organisation={env().ORGANISATION_NAME} {...screen} />
    </>
  ),
});
