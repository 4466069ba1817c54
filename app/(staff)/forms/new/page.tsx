import { DraftOffer } from "@/components/forms/draft-offer";
import { FormScreen } from "@/components/forms/form-screen";
import { openFormType } from "@/components/forms/values";
import { PageTitle } from "@/components/shell/page-title";
import { requirePermission } from "@/lib/auth/session";
import { listDrafts } from "@/lib/drafts/data";
import { env } from "@/lib/env";
import { formLists, serviceCodesFor } from "@/lib/lookups/data";
import { draftOf } from "@/lib/page";

export default async function NewFormPage({ searchParams }: PageProps<"/forms/new">) {
  const user = await requirePermission("forms");
  const [lists, draft, drafts] = await Promise.all([
    formLists(),
    draftOf(user, searchParams, null),
    listDrafts(user),
  ]);
  const formTypeId = openFormType(draft, null);
  return (
    <>
      <div className="print-hidden">
        <PageTitle title="New Form" />
      </div>
      <DraftOffer drafts={drafts.filter(({ key, formId }) => formId === null && key !== draft?.key)} />
      <FormScreen
        key={draft?.key ?? "new"}
        lists={lists}
        organisation={env().ORGANISATION_NAME}
        userName={`${user.firstName} ${user.lastName}`}
        stored={null}
        serviceCodes={formTypeId ? await serviceCodesFor(formTypeId) : []}
        draft={draft}
      />
    </>
  );
}
