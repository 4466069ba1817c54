import { ClientsList } from "@/components/clients/clients-list";
import { PageTitle } from "@/components/shell/page-title";
import { clientListQuery } from "@/lib/clients/api-schema";
import { listClients } from "@/lib/clients/clients";
import { can } from "@/lib/core/access/permissions";
import { NO_ITEMS, pageMeta } from "@/lib/core/api/list-query";
import { unlessTooSlow } from "@/lib/core/api/unless-too-slow";
import { PAGES } from "@/lib/core/pages";
import { userOptions } from "@/lib/lookups/resources/lists";
import { page } from "@/lib/page";

/** The HTML contains the first page of rows. */
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
      <PageTitle title={PAGES.clientsList.title} />
      <ClientsList {...data} />
    </>
  ),
});
