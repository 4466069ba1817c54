import { ListsOverview } from "@/components/settings/lists-overview";
import { menuOf } from "@/components/shell/menu";
import { PageTitle } from "@/components/shell/page-title";
import { PAGES } from "@/lib/core/pages";
import { LISTS_TO_ADAPT } from "@/lib/home/set-up";
import { page } from "@/lib/page";

const { permissions, ...lists } = LISTS_TO_ADAPT;

/** The lists that people choose from, for holders of at least one. Each list checks its own permission. */
export default page({
  permission: permissions,
  load: async ({ actor }) => ({ pages: menuOf(actor).settings }),
  show: ({ pages }) => (
    <>
      <PageTitle title={PAGES.lists.title} />
      <ListsOverview pages={pages} {...lists} />
    </>
  ),
});
