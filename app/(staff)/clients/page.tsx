import { ClientsList } from "@/components/clients/clients-list";
import { PageTitle } from "@/components/shell/page-title";
import { NO_ITEMS, pageMeta } from "@/lib/api/list-query";
import { page, unlessTooSlow } from "@/lib/api/page";
import { can } from "@/lib/auth/permissions";
import { listClients } from "@/lib/clients/data";
import { clientListQuery } from "@/lib/clients/schema";
import { userOptions } from "@/lib/lookups/resources/data";

/** Clients list (spec §2); the first page of rows comes with the HTML. */
export default page({
  permission: "clients",
  query: () => clientListQuery,
  load: async ({ actor, query }) => {
    const [list, users] = await Promise.all([
      unlessTooSlow(listClients(actor, query), { clients: NO_ITEMS, meta: pageMeta(query, 0) }),
      userOptions(actor),
    ]);
    return { ...list, clients: list.clients.value(), users, mayExport: can(actor, "export") };
  },
  show: (data) => (
    <>
      <PageTitle title="Clients" />
      <ClientsList {...data} />
    </>
  ),
});
