import { DraftOffer } from "@/components/forms/draft-offer";
import { FormScreen } from "@/components/forms/form-screen";
import { openFormType } from "@/components/forms/values";
import { FormHeading } from "@/components/review/form-heading";
import { idParams } from "@/lib/api/list-query";
import { backTo, page } from "@/lib/api/page";
import { fullName } from "@/lib/auth/permissions";
import { getClient } from "@/lib/clients/data";
import { openDrafts } from "@/lib/drafts/data";
import { getForm, recentServiceCodes } from "@/lib/forms/data";
import { formLists, serviceCodesFor } from "@/lib/lookups/resources/data";
import { reviewOf } from "@/lib/review/data";
import { face } from "@/lib/server/face";

export default page({
  permission: "forms",
  params: idParams,
  load: async ({ actor, params: { id }, search }) => {
    const form = await getForm(actor, id);
    const { draft, others } = await openDrafts(actor, id, search.draft);
    const [client, review, serviceCodes, recentCodes, lists] = await Promise.all([
      getClient(actor, form.clientId),
      reviewOf(actor, form, search.from),
      serviceCodesFor(actor, openFormType(draft, form) ?? form.formTypeId),
      recentServiceCodes(actor),
      formLists(actor),
    ]);
    const userName = fullName(actor);
    const back = backTo("/forms", search);
    const stored = { form, client };
    return { review, others, userName, back, draft, stored, serviceCodes, recentCodes, lists };
  },
  show: ({ review, others, ...screen }) => (
    <>
      <FormHeading review={review} form={screen.stored.form} />
      <DraftOffer drafts={others} />
      <FormScreen key={screen.draft?.key ?? "stored"} brand={face()} {...screen} />
    </>
  ),
});
