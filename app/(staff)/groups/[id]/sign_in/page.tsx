import { SignInSheet } from "@/components/groups/sign-in-sheet";
import { PageTitle } from "@/components/shell/page-title";
import { LinkButton } from "@/components/ui/controls";
import { GROUP_PERMISSIONS } from "@/lib/core/access/permissions";
import { idParams } from "@/lib/core/api/list-query";
import { branding } from "@/lib/core/branding/branding";
import { PAGES, to } from "@/lib/core/pages";
import { firstName } from "@/lib/core/text/person-name";
import { getGroup, rosterOf } from "@/lib/groups/groups";
import { page } from "@/lib/page";

/** A sheet that people sign at the door. */
export default page({
  permission: "groups",
  additionalPermissions: GROUP_PERMISSIONS,
  params: idParams,
  load: async ({ actor, params: { id } }) => {
    const { name } = await getGroup(actor, id);
    const roster = await rosterOf(actor, id);
    const people = roster.map(({ id, name }) => ({ id, name: firstName(name) }));
    return { id, sheet: { groupId: id, name, people, organization: (await branding()).organization } };
  },
  show: ({ id, sheet }) => (
    <>
      <div className="print-hidden">
        <PageTitle
          title={PAGES.groupsSignIn.title}
          actions={<LinkButton href={to("groupsShow", { id })}>Back</LinkButton>}
        />
      </div>
      <SignInSheet {...sheet} />
    </>
  ),
});
