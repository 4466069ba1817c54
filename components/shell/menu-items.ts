import type { Permission } from "@/lib/core/access/permissions";
import type { ChosenList } from "@/lib/declared-records/chosen-lists";
import type { EnteredKey } from "@/lib/records/quick-entry";

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
export type Menu = {
  main: MenuItem[];
  settings: SettingsItem[];
  /**
   * The kinds of records that the quick entry offers, with its title, the name of one (`a contact`), and the lists that
   * their fields are chosen from.
   */
  entered: { kind: EnteredKey; title: string; record: string; lists: ChosenList[] }[];
};

/** Returns the settings pages by group, in order, without empty groups. */
export const settingsGroups = (
  pages: readonly SettingsItem[],
): { group: string; pages: readonly SettingsItem[] }[] =>
  [...new Set(pages.map(({ group }) => group))].map((group) => ({
    group,
    pages: pages.filter((page) => page.group === group),
  }));
