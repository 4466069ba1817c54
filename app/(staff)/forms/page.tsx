import { DraftOffer } from "@/components/forms/draft-offer";
import { FormsList } from "@/components/forms/forms-list";
import { ReturnedForms } from "@/components/review/returned-forms";
import { PageTitle } from "@/components/shell/page-title";
import { NO_ITEMS, pageMeta } from "@/lib/api/list-query";
import { page, unlessTooSlow } from "@/lib/api/page";
import { can } from "@/lib/auth/permissions";
import { listDrafts } from "@/lib/drafts/data";
import { listForms } from "@/lib/forms/data";
import { openWithKeptFilters, usersToFilterBy } from "@/lib/forms/list-screen";
import { formListQuery } from "@/lib/forms/schema";
import { formTypeOptions } from "@/lib/lookups/resources/data";
import { returnedForms } from "@/lib/review/data";

/** Forms list (spec §2); the first page of rows comes with the HTML. */
export default page({
  permission: "forms",
  query: () => formListQuery,
  load: async ({ actor, query, search }) => {
    if (Object.keys(search).length === 0) await openWithKeptFilters(actor);
    const [list, users, formTypes, drafts, returned] = await Promise.all([
      unlessTooSlow(listForms(actor, query), { forms: NO_ITEMS, meta: pageMeta(query, 0) }),
      usersToFilterBy(actor),
      formTypeOptions(actor),
      listDrafts(actor),
      returnedForms(actor),
    ]);
    const may = { seesClients: can(actor, "clients"), mayExport: can(actor, "export") };
    const asked = { userId: actor.userId, formStatus: query.filters.formStatus, users, formTypes };
    return { list: { ...list, forms: list.forms.value(), ...asked, ...may }, drafts, returned };
  },
  show: ({ list, drafts, returned }) => (
    <>
      <PageTitle title="Forms" />
      <ReturnedForms {...returned} />
      <DraftOffer drafts={drafts} />
      <FormsList {...list} />
    </>
  ),
});
