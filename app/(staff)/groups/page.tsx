import { GroupsList } from "@/components/groups/groups-list";
import { PageTitle } from "@/components/shell/page-title";
import { can, GROUP_PERMISSIONS } from "@/lib/core/access/permissions";
import { pageMeta } from "@/lib/core/api/list-query";
import { unlessTooSlow } from "@/lib/core/api/unless-too-slow";
import { PAGES } from "@/lib/core/pages";
import { groupListQuery } from "@/lib/groups/api-schema";
import { listGroups } from "@/lib/groups/groups";
import { page } from "@/lib/page";

export default page({
  permission: "groups",
  additionalPermissions: GROUP_PERMISSIONS,
  query: () => groupListQuery,
  load: async ({ actor, query }) => {
    const reading = listGroups(actor, query).then(({ items, meta }) => ({ groups: items.value(), meta }));
    const list = await unlessTooSlow(reading, { groups: [], meta: pageMeta(query, 0) });
    return { ...list, mayExport: can(actor, "export") };
  },
  show: (list) => (
    <>
      <PageTitle title={PAGES.groupsList.title} />
      <GroupsList {...list} />
    </>
  ),
});
