import { SettingsOverview } from "@/components/settings/overview";
import { menuOf, settingsPermissions } from "@/components/shell/menu";
import { PageTitle } from "@/components/shell/page-title";
import { PAGES } from "@/lib/core/pages";
import { page } from "@/lib/page";

/** Lists all settings pages. Each page checks its own permission. */
export default page({
  permission: settingsPermissions,
  load: async ({ actor }) => ({ pages: menuOf(actor).settings }),
  show: ({ pages }) => (
    <>
      <PageTitle title={PAGES.settings.title} />
      <SettingsOverview pages={pages} />
    </>
  ),
});
