import { DraftOffer } from "@/components/forms/draft-offer";
import { FormScreen } from "@/components/forms/form-screen";
import { FormHeading } from "@/components/forms/review/form-heading";
import { listsOf, openFormType } from "@/components/forms/values";
import { recordNumberInField } from "@/lib/clients/clients";
import { fullName } from "@/lib/core/access/permissions";
import { backTo } from "@/lib/core/api/back-link";
import { idParams } from "@/lib/core/api/list-query";
import { to } from "@/lib/core/pages";
import { branding } from "@/lib/core/server/branding";
import { openDrafts } from "@/lib/forms/drafts/drafts";
import { recentServiceCodes } from "@/lib/forms/forms";
import { openForm } from "@/lib/forms/open";
import { reviewOf } from "@/lib/forms/review/reviews";
import { formLists, serviceCodesFor } from "@/lib/lookups/resources/lists";
import { page } from "@/lib/page";

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
    await recordNumberInField(actor, stored.client);
    const [userName, back, serviceCodes] = [
      fullName(actor),
      backTo(to("formsList"), search),
      codes ?? offered,
    ];
    const own = listsOf(stored.form, lists);
    const isOwn = stored.form.userId === actor.userId;
    return {
      review,
      others,
      userId: actor.userId,
      userName,
      back,
      isOwn,
      draft,
      stored,
      serviceCodes,
      recentCodes,
      lists: own,
    };
  },
  show: ({ review, others, ...screen }) => (
    <>
      <FormHeading review={review} form={screen.stored.form} />
      <DraftOffer drafts={others} />
      <FormScreen key={screen.draft?.key ?? "stored"} frozen={review.frozen} brand={branding()} {...screen} />
    </>
  ),
});
