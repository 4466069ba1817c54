import { DraftOffer } from "@/components/forms/draft-offer";
import { FormScreen } from "@/components/forms/form-screen";
import { openFormType } from "@/components/forms/values";
import { PageTitle } from "@/components/shell/page-title";
import { backTo, draftsOf } from "@/lib/api/page";
import { requirePermission } from "@/lib/auth/session";
import { formLists, serviceCodesFor } from "@/lib/lookups/data";
import { env } from "@/lib/server/env";

export default async function NewFormPage({ searchParams }: PageProps<"/forms/new">) {
  const user = await requirePermission("forms");
  const { draft, others } = await draftsOf(user, searchParams, null);
  const formTypeId = openFormType(draft, null);
  return (
    <>
      <div className="print-hidden">
        <PageTitle title="New Form" />
      </div>
      <DraftOffer drafts={others} />
      <FormScreen
        key={draft?.key ?? "new"}
        lists={await formLists()}
        organisation={env().ORGANISATION_NAME}
        userName={`${user.firstName} ${user.lastName}`}
        stored={null}
        serviceCodes={formTypeId ? await serviceCodesFor(formTypeId) : []}
        draft={draft}
        back={await backTo("/forms", searchParams)}
      />
    </>
  );
}
