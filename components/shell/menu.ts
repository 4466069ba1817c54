import {
  can,
  canAll,
  GROUP_PERMISSIONS,
  type Permission,
  permissionKey,
  type SessionUser,
} from "@/lib/core/access/permissions";
import { PAGES, to } from "@/lib/core/pages";
import { recordTitle } from "@/lib/core/records/declaration";
import { withArticle } from "@/lib/core/text/format";
import { chosenLists } from "@/lib/declared-records/chosen-lists";
import { type Lookup, lookupKeys, lookups } from "@/lib/lookups/registry";
import { enteredKinds } from "@/lib/records/quick-entry";
import { plainRecordKeys, type RecordKey, records } from "@/lib/records/registry";
import type { Menu, MenuItem, SettingsItem } from "./menu-items";

/** The groups of settings pages are those of their permissions on the role screen; the last one has the rest. */
const GROUPS: NonNullable<Lookup["groups"]> = lookups.roles.groups;
const ORDER = GROUPS.map(({ legend }) => legend);

/** A user's first page is the first of these if it is neither forms nor clients. */
const SETTINGS_PAGES: readonly Omit<SettingsItem, "group">[] = [
  ...lookupKeys.map((key) => ({
    href: `/settings/${key}`,
    label: lookups[key].title,
    permission: lookups[key].permission,
  })),
  {
    href: to("reportsSetup", { report: "pmt" }),
    label: PAGES.reportsSetup.title,
    permission: "reports-setup",
  },
  {
    href: to("setUp"),
    label: PAGES.setUp.title,
    permission: "organization",
    words: "The steps of setting up the program, and which of them are done.",
  },
  {
    href: to("organization"),
    label: PAGES.organization.title,
    permission: "organization",
  },
  { href: to("fields"), label: PAGES.fields.title, permission: "form-setup" },
  { href: to("closedPeriods"), label: PAGES.closedPeriods.title, permission: "close-periods" },
  { href: to("retention"), label: PAGES.retention.title, permission: "retention" },
  { href: to("imports"), label: PAGES.imports.title, permission: "import" },
  { href: to("auditLog"), label: PAGES.auditLog.title, permission: "audit-log" },
  {
    href: to("allData"),
    label: PAGES.allData.title,
    permission: "export",
    words: "Download all records in one file. Requires all permissions.",
  },
];

/** The pages of this permission come first in their group. */
const FIRST: Permission = "organization";

const groupOf = ({ permission }: Pick<SettingsItem, "permission">): string =>
  (GROUPS.find(({ names }) => names?.some((name) => permissionKey(name) === permission)) ?? GROUPS.at(-1))
    ?.legend ?? "";

/** In the order of the groups; a page without a group is in the last one. */
const SETTINGS: readonly SettingsItem[] = SETTINGS_PAGES.map((page) => ({
  ...page,
  group: groupOf(page),
})).sort(
  (a, b) =>
    ORDER.indexOf(a.group) - ORDER.indexOf(b.group) ||
    Number(b.permission === FIRST) - Number(a.permission === FIRST),
);

/** Each of these permissions opens a page under Settings, and therefore the settings overview. */
export const settingsPermissions: readonly Permission[] = [
  ...new Set(SETTINGS.map(({ permission }) => permission)),
];

const itemOf = (key: RecordKey) => ({
  href: to("recordsList", { records: key }),
  label: records[key].words.title,
  permission: records[key].permission,
});

export function menuOf(user: Pick<SessionUser, "permissions">): Menu {
  const main = [
    { href: to("formsList"), label: PAGES.formsList.title, permission: "forms" },
    { href: to("clientsList"), label: PAGES.clientsList.title, permission: "clients" },
    itemOf("contacts"),
    { href: to("shelter"), label: PAGES.shelter.title, permission: "shelter" },
    ...plainRecordKeys.map(itemOf),
    { href: to("groupsList"), label: PAGES.groupsList.title, permission: "groups" },
    { href: to("reportsList"), label: PAGES.reportsList.title, permission: "reports" },
  ] as const;
  return {
    main: [
      HOME,
      ...main
        .filter(({ permission }) =>
          permission === "groups" ? canAll(user, GROUP_PERMISSIONS) : can(user, permission),
        )
        .map(({ href, label }) => ({ href, label })),
    ],
    settings: SETTINGS.filter(({ permission }) => can(user, permission)),
    entered: enteredKinds(user).map((kind) => ({
      kind,
      title: recordTitle(records[kind]),
      record: withArticle(records[kind].words.record),
      lists: chosenLists(records[kind].schema),
    })),
  };
}

const HOME: MenuItem = { href: to("home"), label: PAGES.home.title };
const PROFILE: MenuItem = { href: to("profile"), label: PAGES.profile.title };

/**
 * Returns the user's first page: forms, clients, the first of SETTINGS_PAGES, or the profile. Never All Data: it needs
 * more permissions than Export.
 */
export function landingOf(user: Pick<SessionUser, "permissions">): MenuItem {
  const setting = SETTINGS_PAGES.find(({ permission }) => permission !== "export" && can(user, permission));
  const records = menuOf(user).main.find(
    ({ href }) => href === to("formsList") || href === to("clientsList"),
  );
  return records ?? setting ?? PROFILE;
}
