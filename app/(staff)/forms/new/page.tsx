import { FormScreen } from "@/components/forms/form-screen";
import { PageTitle } from "@/components/shell/page-title";
import { requirePermission } from "@/lib/auth/session";
import { env } from "@/lib/env";
import { formLists } from "@/lib/lookups/data";

export default async function NewFormPage() {
  const user = await requirePermission("forms");
  return (
    <>
      <div className="print-hidden">
        <PageTitle title="New Form" />
      </div>
      <FormScreen
        lists={await formLists()}
        organisation={env().ORGANISATION_NAME}
        userName={`${user.firstName} ${user.lastName}`}
        stored={null}
      />
    </>
  );
}
