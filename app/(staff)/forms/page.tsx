import { DraftOffer } from "@/components/forms/draft-offer";
import { FormsList } from "@/components/forms/forms-list";
import { PageTitle } from "@/components/shell/page-title";
import { pageQuery } from "@/lib/api/list-query";
import { can } from "@/lib/auth/permissions";
import { requirePermission } from "@/lib/auth/session";
import { listDrafts } from "@/lib/drafts/data";
import { listForms } from "@/lib/forms/data";
import { formListQuery } from "@/lib/forms/schema";
import { userOptions } from "@/lib/lookups/data";

/** Forms list (spec §2); the first page of rows comes with the HTML. */
export default async function FormsPage({ searchParams }: PageProps<"/forms">) {
  const user = await requirePermission("forms");
  const query = pageQuery(formListQuery, await searchParams);
  const [{ forms, meta }, users, drafts] = await Promise.all([
    listForms(user, query),
    can(user, "all-forms") ? userOptions() : null,
    listDrafts(user),
  ]);
  return (
    <>
      <PageTitle title="Forms" />
      <DraftOffer drafts={drafts} />
      <FormsList forms={forms} meta={meta} users={users} />
    </>
  );
}
