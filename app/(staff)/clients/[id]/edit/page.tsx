import { ClientForm } from "@/components/clients/client-form";
import { PageTitle } from "@/components/shell/page-title";
import { backTo, found, pageId } from "@/lib/api/page";
import { requirePermission } from "@/lib/auth/session";
import { getClient } from "@/lib/clients/data";
import { formLists } from "@/lib/lookups/data";

export default async function EditClientPage({ params, searchParams }: PageProps<"/clients/[id]/edit">) {
  const user = await requirePermission("clients");
  const id = await pageId(params);
  const [client, lists] = await Promise.all([found(getClient(user, id)), formLists()]);
  return (
    <>
      <PageTitle title="Edit Client" id={id} />
      <ClientForm client={client} lists={lists} back={await backTo("/clients", searchParams)} />
    </>
  );
}
