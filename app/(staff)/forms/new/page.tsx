import { DraftOffer } from "@/components/forms/draft-offer";
import { FormScreen } from "@/components/forms/form-screen";
import { openFormType } from "@/components/forms/values";
import { PageTitle } from "@/components/shell/page-title";
import { backTo, page } from "@/lib/api/page";
import { fullName } from "@/lib/auth/permissions";
import { clientOfAddress } from "@/lib/clients/data";
import { openDrafts } from "@/lib/drafts/data";
import { recentServiceCodes } from "@/lib/forms/data";
import { formLists, serviceCodesFor } from "@/lib/lookups/resources/data";
import { face } from "@/lib/server/face";

export default page({
  permission: "forms",
  load: async ({ actor, search }) => {
    const [{ draft, others }, client, recentCodes, lists] = await Promise.all([
      openDrafts(actor, null, search.draft),
      clientOfAddress(actor, search.clientId),
      recentServiceCodes(actor),
      formLists(actor),
    ]);
    const formTypeId = lists.formTypes.find(({ id }) => String(id) === search.formTypeId)?.id ?? null;
    const open = openFormType(draft, null, formTypeId);
    const serviceCodes = open ? await serviceCodesFor(actor, open) : [];
    const userName = fullName(actor);
    const back = backTo("/forms", search);
    const start = { draft, stored: null, client, formTypeId, serviceCodes, recentCodes };
    return { others, userName, back, lists, ...start };
  },
  show: ({ others, ...screen }) => (
    <>
      <div className="print-hidden">
        <PageTitle title="New Form" />
      </div>
      <DraftOffer drafts={others} />
      <FormScreen key={screen.draft?.key ?? "new"} brand={face()} {...screen} />
    </>
  ),
});
