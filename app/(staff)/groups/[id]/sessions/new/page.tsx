import { SessionForm } from "@/components/groups/session-form";
import { PageTitle } from "@/components/shell/page-title";
import { can, GROUP_PERMISSIONS } from "@/lib/core/access/permissions";
import { idParams } from "@/lib/core/api/list-query";
import { PAGES, to } from "@/lib/core/pages";
import { closedThrough } from "@/lib/forms/periods/closed-periods";
import { getGroup, leaderNames, rosterOf } from "@/lib/groups/groups";
import { page } from "@/lib/page";

export default page({
  permission: "groups",
  additionalPermissions: GROUP_PERMISSIONS,
  params: idParams,
  load: async ({ actor, params: { id } }) => {
    const group = await getGroup(actor, id);
    const [roster, leaders, through] = await Promise.all([
      rosterOf(actor, id),
      leaderNames(actor, id),
      closedThrough(),
    ]);
    return {
      group,
      roster,
      userId: actor.userId,
      seesAllForms: can(actor, "all-forms"),
      session: null,
      closedThrough: through,
      leaders: leaders.filter(({ id, active }) => active && group.leaderIds.includes(id)),
      back: to("groupsShow", { id }),
    };
  },
  show: (data) => (
    <>
      <PageTitle title={PAGES.sessionsNew.title} name={data.group.name} />
      <SessionForm {...data} />
    </>
  ),
});
