import { can, type Permission, type SessionUser } from "@/lib/core/access/permissions";
import { PAGES, to } from "@/lib/core/pages";
import { type LookupKey, lookupKeys, lookups } from "@/lib/lookups/registry";
import { recordKeys, records } from "@/lib/records/registry";
import type { Menu, MenuItem, SettingsItem } from "./menu-items";

const GROUPS: readonly { title: string; lists: readonly LookupKey[] }[] = [
  { title: "People and access", lists: ["users", "roles"] },
  {
    title: "Services",
    lists: ["form_types", "service_codes", "referral_sources", "contact_kinds", "activity_kinds", "canines"],
  },
  { title: "Shelter", lists: ["shelters", "exit_destinations"] },
  { title: "About clients", lists: ["age_brackets", "ethnicities", "education_levels", "income_levels"] },
  {
    title: "About the case",
    lists: [
      "offender_relationships",
      "custody_statuses",
      "secondary_victimizations",
      "hate_crime_categories",
      "magisterial_court_outcomes",
      "pfa_court_contact_types",
    ],
  },
];
const OTHER = "Data and reports";
const ORDER = [...GROUPS.map(({ title }) => title), OTHER];

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

const groupOf = ({ href }: MenuItem) =>
  GROUPS.find(({ lists }) => lists.some((key) => href === `/settings/${key}`))?.title ?? OTHER;

/** In the order of the groups; a page without a group is in the last one. */
const SETTINGS: readonly SettingsItem[] = SETTINGS_PAGES.map((page) => ({
  ...page,
  group: groupOf(page),
})).sort((a, b) => ORDER.indexOf(a.group) - ORDER.indexOf(b.group));

/** Each of these permissions opens a page under Settings, and therefore the settings overview. */
export const settingsPermissions: readonly Permission[] = SETTINGS.map(({ permission }) => permission);

export function menuOf(user: Pick<SessionUser, "permissions">): Menu {
  const main = [
    { href: to("formsList"), label: PAGES.formsList.title, permission: "forms" },
    { href: to("clientsList"), label: PAGES.clientsList.title, permission: "clients" },
    { href: to("contactsList"), label: PAGES.contactsList.title, permission: "contacts" },
    { href: to("shelter"), label: PAGES.shelter.title, permission: "shelter" },
    ...recordKeys.map((key) => ({
      href: to("recordsList", { records: key }),
      label: records[key].words.title,
      permission: records[key].permission,
    })),
    { href: to("reportsList"), label: PAGES.reportsList.title, permission: "reports" },
  ] as const;
  return {
    main: [
      HOME,
      ...main.filter(({ permission }) => can(user, permission)).map(({ href, label }) => ({ href, label })),
    ],
    settings: SETTINGS.filter(({ permission }) => can(user, permission)),
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
