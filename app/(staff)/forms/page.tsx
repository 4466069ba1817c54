import { DraftOffer } from "@/components/forms/draft-offer";
import { FormsList } from "@/components/forms/forms-list";
import { PageTitle } from "@/components/shell/page-title";
import { pageMeta } from "@/lib/api/list-query";
import { page, unlessTooSlow } from "@/lib/api/page";
import { can } from "@/lib/auth/permissions";
import { listDrafts } from "@/lib/drafts/data";
import { listForms } from "@/lib/forms/data";
import { formListQuery } from "@/lib/forms/schema";
import { userOptions } from "@/lib/lookups/resources/data";

/** Forms list (spec §2); the first page of rows comes with the HTML. */
export default page({
  permission: "forms",
  query: () => formListQuery,
  load: async ({ actor, query }) => {
    const [list, users, drafts] = await Promise.all([
      unlessTooSlow(listForms(actor, query), { forms: [], meta: pageMeta(query, 0) }),
      can(actor, "all-forms") ? userOptions(actor) : null,
      listDrafts(actor),
    ]);
    return { list, users, drafts };
  },
  show: ({ list, users, drafts }) => (
    <>
      <PageTitle title="Forms" />
      <DraftOffer drafts={drafts} />
      <FormsList {...list} users={users} />
    </>
  ),
});
