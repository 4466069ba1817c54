import { DraftOffer } from "@/components/forms/draft-offer";
import { FormsList } from "@/components/forms/forms-list";
import { ReturnedForms } from "@/components/forms/review/returned-forms";
import { PageTitle } from "@/components/shell/page-title";
import { LinkButton } from "@/components/ui/controls";
import { can } from "@/lib/core/access/permissions";
import { NO_ITEMS, pageMeta } from "@/lib/core/api/list-query";
import { unlessTooSlow } from "@/lib/core/api/unless-too-slow";
import { PAGES, to } from "@/lib/core/pages";
import { formListQuery } from "@/lib/forms/api-schema";
import { listDrafts } from "@/lib/forms/drafts/drafts";
import { listForms } from "@/lib/forms/forms";
import { usersToFilterBy } from "@/lib/forms/list-screen";
import { closedThrough } from "@/lib/forms/periods/closed-periods";
import { mayCheck, returnedForms } from "@/lib/forms/review/reviews";
import { isToBeSetUp } from "@/lib/home/set-up";
import { formTypeOptions } from "@/lib/lookups/resources/lists";
import { page } from "@/lib/page";

/** The HTML contains the first page of rows. */
export default page({
  permission: "forms",
  query: () => formListQuery,
  load: async ({ actor, query }) => {
    const [list, users, formTypes, drafts, returned, through] = await Promise.all([
      unlessTooSlow(listForms(actor, query), { forms: NO_ITEMS, meta: pageMeta(query, 0) }),
      usersToFilterBy(actor),
      formTypeOptions(actor),
      listDrafts(actor),
      returnedForms(actor),
      closedThrough(),
    ]);
    const toSetUp = list.meta.totalCount === 0 && (await isToBeSetUp(actor));
    const refusals = {
      refusedUserId: mayCheck(actor, actor.userId) ? null : actor.userId,
      closedThrough: through,
    };
    const mayExport = can(actor, "export");
    const asked = { formStatus: query.filters.formStatus, users, formTypes, refusals, mayExport };
    return { list: { ...list, forms: list.forms.value(), ...asked }, drafts, returned, toSetUp };
  },
  show: ({ list, drafts, returned, toSetUp }) => (
    <>
      <PageTitle
        title={PAGES.formsList.title}
        actions={toSetUp && <LinkButton href={to("home")}>Set up your organization</LinkButton>}
      />
      <ReturnedForms {...returned} />
      <DraftOffer drafts={drafts} />
      <FormsList {...list} />
    </>
  ),
});
