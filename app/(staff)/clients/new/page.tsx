import { ClientForm } from "@/components/clients/client-form";
import { PageTitle } from "@/components/shell/page-title";
import { backTo } from "@/lib/api/page";
import { requirePermission } from "@/lib/auth/session";
import { formLists } from "@/lib/lookups/data";

export default async function NewClientPage({ searchParams }: PageProps<"/clients/new">) {
  await requirePermission("clients");
  return (
    <>
      <PageTitle title="New Client" />
      <ClientForm client={null} lists={await formLists()} back={await backTo("/clients", searchParams)} />
    </>
  );
}
