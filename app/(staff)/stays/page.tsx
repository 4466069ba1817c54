import { PageTitle } from "@/components/shell/page-title";
import { StaysList } from "@/components/shelter/stays-list";
import { LinkButton } from "@/components/ui/controls";
import { can } from "@/lib/core/access/permissions";
import { pageMeta } from "@/lib/core/api/list-query";
import { unlessTooSlow } from "@/lib/core/api/unless-too-slow";
import { PAGES, to } from "@/lib/core/pages";
import { page } from "@/lib/page";
import { stayListQuery } from "@/lib/shelter/api-schema";
import { listStaysByInitials, stayChoices } from "@/lib/shelter/stays";

/** All stays, ended ones included. */
export default page({
  permission: "shelter",
  query: () => stayListQuery,
  load: async ({ actor, query }) => {
    const [list, { shelters }] = await Promise.all([
      unlessTooSlow(listStaysByInitials(actor, query), { stays: [], meta: pageMeta(query, 0) }),
      stayChoices(actor),
    ]);
    const may = { opensClients: can(actor, "clients"), mayExport: can(actor, "export") };
    return { ...list, shelters, ...may };
  },
  show: (list) => (
    <>
      <PageTitle
        title={PAGES.staysList.title}
        actions={<LinkButton href={to("shelter")}>Shelter board</LinkButton>}
      />
      <StaysList {...list} />
    </>
  ),
});
