import { DraftOffer } from "@/components/forms/draft-offer";
import { FormScreen } from "@/components/forms/form-screen";
import { openFormType } from "@/components/forms/values";
import { FormHeading } from "@/components/review/form-heading";
import { idParams } from "@/lib/api/list-query";
import { backTo, page } from "@/lib/api/page";
import { fullName } from "@/lib/auth/permissions";
import { openDrafts } from "@/lib/drafts/data";
import { recentServiceCodes } from "@/lib/forms/data";
import { openForm } from "@/lib/forms/open";
import { formLists, serviceCodesFor } from "@/lib/lookups/resources/data";
import { reviewOf } from "@/lib/review/data";
import { face } from "@/lib/server/face";

export default page({
  permission: "forms",
  params: idParams,
  load: async ({ actor, params: { id }, search }) => {
    const [opening, drafting] = [openForm(actor, id), openDrafts(actor, id, search.draft)];
    const drafted = drafting.then(({ draft }) => openFormType(draft, null));
    const [{ offered, ...stored }, review, { draft, others }, codes, recentCodes, lists] = await Promise.all([
      opening,
      reviewOf(actor, id, opening, search.from),
      drafting,
      drafted.then((type) => (type === null ? null : serviceCodesFor(actor, type))),
      recentServiceCodes(actor),
      formLists(actor),
    ]);
    const [userName, back, serviceCodes] = [fullName(actor), backTo("/forms", search), codes ?? offered];
    return { review, others, userName, back, draft, stored, serviceCodes, recentCodes, lists };
  },
  show: ({ review, others, ...screen }) => (
    <>
      <FormHeading review={review} form={screen.stored.form} />
      <DraftOffer drafts={others} />
      <FormScreen key={screen.draft?.key ?? "stored"} frozen={review.frozen} brand={face()} {...screen} />
    </>
  ),
});
