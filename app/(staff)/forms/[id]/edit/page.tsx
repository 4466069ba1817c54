import { FormScreen } from "@/components/forms/form-screen";
import { PageTitle } from "@/components/shell/page-title";
import { requirePermission } from "@/lib/auth/session";
import { getClient } from "@/lib/clients/data";
import { env } from "@/lib/env";
import { getForm } from "@/lib/forms/data";
import { formLists, serviceCodesFor } from "@/lib/lookups/data";
import { found, pageId } from "@/lib/page";

export default async function EditFormPage({ params }: PageProps<"/forms/[id]/edit">) {
  const user = await requirePermission("forms");
  const id = await pageId(params);
  const form = await found(getForm(user, id));
  const [client, serviceCodes, lists] = await Promise.all([
    getClient(user, form.clientId),
    serviceCodesFor(form.formTypeId),
    formLists(),
  ]);
  return (
    <>
      <div className="print-hidden">
        <PageTitle title="Edit Form" id={id} />
      </div>
      <FormScreen
        lists={lists}
        organisation={env().ORGANISATION_NAME}
        userName={`${user.firstName} ${user.lastName}`}
        stored={{ form, client, serviceCodes }}
      />
    </>
  );
}
