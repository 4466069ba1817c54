import { ClientsList } from "@/components/clients/clients-list";
import { PageTitle } from "@/components/shell/page-title";
import { pageQuery } from "@/lib/api/list-query";
import { requirePermission } from "@/lib/auth/session";
import { listClients } from "@/lib/clients/data";
import { clientListQuery } from "@/lib/clients/schema";
import { userOptions } from "@/lib/lookups/data";

/** Clients list (spec §2); the first page of rows comes with the HTML. */
export default async function ClientsPage({ searchParams }: PageProps<"/clients">) {
  await requirePermission("clients");
  const query = pageQuery(clientListQuery, await searchParams);
  const [{ clients, meta }, users] = await Promise.all([listClients(query), userOptions()]);
  return (
    <>
      <PageTitle title="Clients" />
      <ClientsList clients={clients} meta={meta} users={users} />
    </>
  );
}
