import { SettingsOverview } from "@/components/settings/overview";
import { menuOf, settingsPermissions } from "@/components/shell/menu";
import { PageTitle } from "@/components/shell/page-title";
import { canAll } from "@/lib/core/access/permissions";
import { PAGES } from "@/lib/core/pages";
import { VERSION } from "@/lib/core/process/version";
import { page } from "@/lib/page";

/** Lists all settings pages. Each page checks its own permission. */
export default page({
  permission: settingsPermissions,
  load: async ({ actor }) => ({
    pages: menuOf(actor).settings,
    version: canAll(actor, ["users", "roles"]) ? VERSION : null,
  }),
  show: ({ pages, version }) => (
    <>
      <PageTitle title={PAGES.settings.title} />
      <SettingsOverview pages={pages} />
      {version && <p className="mt-4 text-muted text-sm">Version {version}</p>}
    </>
  ),
});
