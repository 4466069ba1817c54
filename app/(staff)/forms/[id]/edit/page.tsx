import { DraftOffer } from "@/components/forms/draft-offer";
import { FormScreen } from "@/components/forms/form-screen";
import { FormHeading } from "@/components/forms/review/form-heading";
import { listsOf, openFormType } from "@/components/forms/values";
import { InBrowser } from "@/components/ui/in-browser";
import { recordNumberInField } from "@/lib/clients/clients";
import { fullName } from "@/lib/core/access/permissions";
import { backTo } from "@/lib/core/api/back-link";
import { idParams } from "@/lib/core/api/list-query";
import { branding } from "@/lib/core/branding/branding";
import { to } from "@/lib/core/pages";
import { openDrafts } from "@/lib/forms/drafts/drafts";
import { recentServiceCodes } from "@/lib/forms/forms";
import { isLarge } from "@/lib/forms/large";
import { openForm } from "@/lib/forms/open";
import { COMMENTS_SHOWN } from "@/lib/forms/review/limits";
import { reviewOf } from "@/lib/forms/review/reviews";
import { formLists, serviceCodesFor } from "@/lib/lookups/resources/lists";
import { page } from "@/lib/page";

export default page({
  permission: "forms",
  params: idParams,
  load: async ({ actor, params: { id }, search }) => {
    const opening = openForm(actor, id);
    const drafting = openDrafts(actor, id, search.draft);
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
    const userName = fullName(actor);
    const back = backTo(to("formsList"), search);
    const serviceCodes = codes ?? offered;
    const own = listsOf(stored.form, lists);
    // The browser reads the others when the user asks for them.
    const comments = stored.form.comments.slice(-COMMENTS_SHOWN);
    const earlierComments = stored.form.comments.length - comments.length;
    const isOwn = stored.form.userId === actor.userId;
    return {
      brand: await branding(),
      review,
      others,
      userId: actor.userId,
      userName,
      back,
      isOwn,
      draft,
      stored: { ...stored, form: { ...stored.form, comments } },
      earlierComments,
      serviceCodes,
      recentCodes,
      lists: own,
    };
  },
  show: ({ review, others, ...screen }) => (
    <>
      <FormHeading review={review} form={screen.stored.form} />
      <DraftOffer drafts={others} />
      <InBrowser
        key={screen.draft?.key ?? "stored"}
        isLarge={isLarge({ stored: screen.stored, draft: screen.draft })}
      >
        <FormScreen frozen={review.frozen} {...screen} />
      </InBrowser>
    </>
  ),
});
