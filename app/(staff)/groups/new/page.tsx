import { GroupForm } from "@/components/groups/group-form";
import { PageTitle } from "@/components/shell/page-title";
import { GROUP_PERMISSIONS } from "@/lib/core/access/permissions";
import { PAGES, to } from "@/lib/core/pages";
import { groupChoices } from "@/lib/groups/groups";
import { page } from "@/lib/page";

export default page({
  permission: "groups",
  additionalPermissions: GROUP_PERMISSIONS,
  load: async ({ actor }) => ({ choices: await groupChoices(actor), userId: actor.userId }),
  show: (data) => (
    <>
      <PageTitle title={PAGES.groupsNew.title} />
      <GroupForm group={null} back={to("groupsList")} {...data} />
    </>
  ),
});
