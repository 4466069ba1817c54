import { GroupForm } from "@/components/groups/group-form";
import { PageTitle } from "@/components/shell/page-title";
import { LinkButton } from "@/components/ui/controls";
import { GROUP_PERMISSIONS } from "@/lib/core/access/permissions";
import { idParams } from "@/lib/core/api/list-query";
import { PAGES, to } from "@/lib/core/pages";
import { getGroup, groupChoices } from "@/lib/groups/groups";
import { page } from "@/lib/page";

export default page({
  permission: "groups",
  additionalPermissions: GROUP_PERMISSIONS,
  params: idParams,
  load: async ({ actor, params: { id } }) => {
    const group = await getGroup(actor, id);
    return {
      group,
      choices: await groupChoices(actor),
      userId: actor.userId,
      back: to("groupsShow", { id }),
    };
  },
  show: (data) => (
    <>
      <PageTitle
        title={PAGES.groupsEdit.title}
        id={data.group.id}
        actions={<LinkButton href={to("groupsHistory", { id: data.group.id })}>History</LinkButton>}
      />
      <GroupForm key={data.group.lockVersion} {...data} />
    </>
  ),
});
