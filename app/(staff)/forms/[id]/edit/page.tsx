import { DraftOffer } from "@/components/forms/draft-offer";
import { FormScreen } from "@/components/forms/form-screen";
import { ReconciledBadge } from "@/components/forms/reconciled-badge";
import { openFormType } from "@/components/forms/values";
import { PageTitle } from "@/components/shell/page-title";
import { backTo, draftsOf, found, pageId } from "@/lib/api/page";
import { requirePermission } from "@/lib/auth/session";
import { getClient } from "@/lib/clients/data";
import { getForm } from "@/lib/forms/data";
import { formLists, serviceCodesFor } from "@/lib/lookups/data";
import { env } from "@/lib/server/env";

export default async function EditFormPage({ params, searchParams }: PageProps<"/forms/[id]/edit">) {
  const user = await requirePermission("forms");
  const id = await pageId(params);
  const back = await backTo("/forms", searchParams);
  const form = await found(getForm(user, id));
  const { draft, others } = await draftsOf(user, searchParams, id);
  const [client, serviceCodes, lists] = await Promise.all([
    getClient(user, form.clientId),
    serviceCodesFor(openFormType(draft, form) ?? form.formTypeId),
    formLists(),
  ]);
  return (
    <>
      <div className="print-hidden">
        <PageTitle title="Edit Form" id={id} actions={<ReconciledBadge reconciled={form.reconciled} />} />
      </div>
      <DraftOffer drafts={others} />
      <FormScreen
        key={draft?.key ?? "stored"}
        organisation={env().ORGANISATION_NAME}
        userName={`${user.firstName} ${user.lastName}`}
        stored={{ form, client }}
        {...{ lists, serviceCodes, draft, back }}
      />
    </>
  );
}
