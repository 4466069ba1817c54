import type { Permission } from "@/lib/core/access/permissions";

// The sidebar's entries. The server selects them (menu.ts). That needs the schemas of the settings lists, which would
// add 30 KB to the scripts of every page.

export type MenuItem = { href: string; label: string };
/** A page under Settings, with its permission and its group. */
export type SettingsItem = MenuItem & {
  permission: Permission;
  group: string;
  /** Replaces the description of its permission. */
  words?: string;
};

/** The sidebar's entries. Each requires its permission; the Settings group shows only if it has entries. */
export type Menu = { main: MenuItem[]; settings: SettingsItem[] };

/** Returns the settings pages by group, in order, without empty groups. */
export const settingsGroups = (
  pages: readonly SettingsItem[],
): { group: string; pages: readonly SettingsItem[] }[] =>
  [...new Set(pages.map(({ group }) => group))].map((group) => ({
    group,
    pages: pages.filter((page) => page.group === group),
  }));
