import type { Permission } from "@/lib/core/access/permissions";

// The entries of the sidebar. The server chooses them (menu.ts), because that needs the schemas of the settings lists,
// which would add 30 KB to the scripts of every page.

export type MenuItem = { href: string; label: string };
/** A page under Settings, with its permission and its group. */
export type SettingsItem = MenuItem & {
  permission: Permission;
  group: string;
  /** Its description, if that of its permission does not fit. */
  words?: string;
};

/** The sidebar's entries: each only with its permission, the Settings group only when it has any. */
export type Menu = { main: MenuItem[]; settings: SettingsItem[] };

/** Settings pages by group, in their order; groups without pages are left out. */
export const settingsGroups = (
  pages: readonly SettingsItem[],
): { group: string; pages: readonly SettingsItem[] }[] =>
  [...new Set(pages.map(({ group }) => group))].map((group) => ({
    group,
    pages: pages.filter((page) => page.group === group),
  }));
