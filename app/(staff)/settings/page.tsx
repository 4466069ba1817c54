import { ListsOverview } from "@/components/settings/lists-overview";
import { SettingsOverview } from "@/components/settings/overview";
import { menuOf, settingsPermissions } from "@/components/shell/menu";
import { PageTitle } from "@/components/shell/page-title";
import { canAll } from "@/lib/core/access/permissions";
import { PAGES } from "@/lib/core/pages";
import { VERSION } from "@/lib/core/process/version";
import { LISTS_TO_ADAPT } from "@/lib/home/set-up";
import { page } from "@/lib/page";

/** Lists all settings pages, or with `?show=lists` the lists that people choose from. Each page checks its own permission. */
export default page({
  permission: settingsPermissions,
  load: async ({ actor, search }) => ({
    pages: menuOf(actor).settings,
    version: canAll(actor, ["users", "roles"]) ? VERSION : null,
    showsLists: search.show === "lists",
  }),
  show: ({ pages, version, showsLists }) => (
    <>
      <PageTitle title={PAGES.settings.title} />
      {showsLists ? <ListsOverview pages={pages} {...LISTS_TO_ADAPT} /> : <SettingsOverview pages={pages} />}
      {version && <p className="mt-4 text-muted text-sm">Version {version}</p>}
    </>
  ),
});
