import { GroupScreen } from "@/components/groups/group-screen";
import { PageTitle } from "@/components/shell/page-title";
import { LinkButton } from "@/components/ui/controls";
import { PencilIcon } from "@/components/ui/icons";
import { PageActions } from "@/components/ui/page-actions";
import { can, GROUP_PERMISSIONS } from "@/lib/core/access/permissions";
import { idParams, pageMeta } from "@/lib/core/api/list-query";
import { unlessTooSlow } from "@/lib/core/api/unless-too-slow";
import { PAGES, to } from "@/lib/core/pages";
import { sessionListQuery } from "@/lib/groups/api-schema";
import { getGroup, leaderNames, rosterOf } from "@/lib/groups/groups";
import { listSessions } from "@/lib/groups/sessions";
import { page } from "@/lib/page";

export default page({
  permission: "groups",
  additionalPermissions: GROUP_PERMISSIONS,
  params: idParams,
  query: () => sessionListQuery,
  load: async ({ actor, params: { id }, query }) => {
    const group = await getGroup(actor, id);
    const reading = listSessions(actor, id, query).then(({ items, meta }) => ({
      sessions: items.value(),
      meta,
    }));
    const [list, roster, leaders] = await Promise.all([
      unlessTooSlow(reading, { sessions: [], meta: pageMeta(query, 0) }),
      rosterOf(actor, id),
      leaderNames(actor, id),
    ]);
    const names = leaders.map(({ id, name }): [number, string] => [id, name]);
    return { group, roster, leaders: names, ...list, mayExport: can(actor, "export") };
  },
  show: (data) => {
    const { id, name } = data.group;
    return (
      <>
        <PageTitle
          title={PAGES.groupsShow.title}
          id={id}
          name={name}
          actions={
            <PageActions>
              <LinkButton href={to("groupsEdit", { id })} icon={<PencilIcon />}>
                Edit
              </LinkButton>
              <LinkButton href={to("groupsSignIn", { id })}>{PAGES.groupsSignIn.title}</LinkButton>
              <LinkButton href={to("groupsHistory", { id })}>History</LinkButton>
              <LinkButton href={to("groupsList")}>Back</LinkButton>
            </PageActions>
          }
        />
        <GroupScreen {...data} />
      </>
    );
  },
});
