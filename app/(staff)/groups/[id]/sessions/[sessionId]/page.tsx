import { SessionForm } from "@/components/groups/session-form";
import { PageTitle } from "@/components/shell/page-title";
import { LinkButton } from "@/components/ui/controls";
import { can, GROUP_PERMISSIONS } from "@/lib/core/access/permissions";
import { PAGES, to } from "@/lib/core/pages";
import { closedThrough } from "@/lib/forms/periods/closed-periods";
import { sessionParams } from "@/lib/groups/api-schema";
import { type GroupLeader, getGroup, leaderNames, rosterOf } from "@/lib/groups/groups";
import { getSession } from "@/lib/groups/sessions";
import { page } from "@/lib/page";

export default page({
  permission: "groups",
  additionalPermissions: GROUP_PERMISSIONS,
  params: sessionParams,
  load: async ({ actor, params: { id, sessionId } }) => {
    const session = await getSession(actor, id, sessionId);
    const [group, roster, leaders, through] = await Promise.all([
      getGroup(actor, id),
      rosterOf(actor, id, sessionId),
      leaderNames(actor, id),
      closedThrough(),
    ]);
    const isLeader = ({ id, active }: GroupLeader) =>
      (active && group.leaderIds.includes(id)) || session.leaders.some(({ userId }) => userId === id);
    return {
      group,
      roster,
      session,
      closedThrough: through,
      userId: actor.userId,
      seesAllForms: can(actor, "all-forms"),
      leaders: leaders.filter(isLeader),
      back: to("groupsShow", { id }),
    };
  },
  show: (data) => (
    <>
      <PageTitle
        title={PAGES.sessionsEdit.title}
        id={data.session.id}
        name={data.group.name}
        actions={
          <LinkButton href={to("sessionsHistory", { id: data.group.id, sessionId: data.session.id })}>
            History
          </LinkButton>
        }
      />
      <SessionForm key={data.session.lockVersion} {...data} />
    </>
  ),
});
