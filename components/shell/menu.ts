import { can, type Permission, type SessionUser } from "@/lib/auth/permissions";
import { type LookupKey, lookupKeys, lookups } from "@/lib/lookups/registry";

export type MenuItem = { href: string; label: string };
/** A page under Settings, with what it needs and the group it stands in. */
export type SettingsItem = MenuItem & {
  permission: Permission;
  group: string;
  /** What it is for, where its permission's words say something else. */
  words?: string;
};

/** The sidebar's entries: each only with its permission, the Settings group only when it has any (spec §2, §6). */
export type Menu = { main: MenuItem[]; settings: SettingsItem[] };

const GROUPS: readonly { title: string; lists: readonly LookupKey[] }[] = [
  { title: "People and access", lists: ["users", "roles"] },
  { title: "Services", lists: ["service_codes", "referral_sources", "canines"] },
  { title: "About clients", lists: ["age_brackets", "ethnicities", "education_levels", "income_levels"] },
  {
    title: "About what happened",
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
const OTHER = "More";
const ORDER = [...GROUPS.map(({ title }) => title), OTHER];

const PAGES: readonly Omit<SettingsItem, "group">[] = [
  ...lookupKeys.map((key) => ({
    href: `/settings/${key}`,
    label: lookups[key].title,
    permission: lookups[key].permission,
  })),
  { href: "/settings/reports/pmt", label: "Reports Setup", permission: "reports-setup" },
  { href: "/settings/closed_periods", label: "Closed Periods", permission: "close-periods" },
  { href: "/settings/retention", label: "Retention", permission: "retention" },
  { href: "/settings/imports", label: "Import", permission: "import" },
  { href: "/settings/audit_log", label: "Audit Log", permission: "audit-log" },
  {
    href: "/settings/all_data",
    label: "All Data",
    permission: "export",
    words: "Everything but drafts and secrets, in one file; for holders of every permission.",
  },
];

const groupOf = ({ href }: MenuItem) =>
  GROUPS.find(({ lists }) => lists.some((key) => href === `/settings/${key}`))?.title ?? OTHER;

/** In the order of the groups; a page of no group stands under More. */
const SETTINGS: readonly SettingsItem[] = PAGES.map((page) => ({ ...page, group: groupOf(page) })).sort(
  (a, b) => ORDER.indexOf(a.group) - ORDER.indexOf(b.group),
);

/** Each opens a page under Settings, and so the overview of them. */
export const settingsPermissions: readonly Permission[] = SETTINGS.map(({ permission }) => permission);

export function menuOf(user: Pick<SessionUser, "permissions">): Menu {
  const main = [
    { href: "/forms", label: "Forms", permission: "forms" },
    { href: "/clients", label: "Clients", permission: "clients" },
    { href: "/reports", label: "Reports", permission: "reports" },
  ] as const;
  return {
    main: [
      HOME,
      ...main.filter(({ permission }) => can(user, permission)).map(({ href, label }) => ({ href, label })),
    ],
    settings: SETTINGS.filter(({ permission }) => can(user, permission)),
  };
}

const HOME: MenuItem = { href: "/home", label: "Home" };
const PROFILE: MenuItem = { href: "/profile", label: "Profile" };

/**
 * Where the user begins (contract §7): forms, else clients, else the first settings page in the order of PAGES,
 * whatever the menu's order, else the profile. All Data is no place to begin: whoever can do nothing else may not load it.
 */
export function landingOf(user: Pick<SessionUser, "permissions">): MenuItem {
  const setting = PAGES.find(({ permission }) => permission !== "export" && can(user, permission));
  const records = menuOf(user).main.find(({ href }) => href === "/forms" || href === "/clients");
  return records ?? setting ?? PROFILE;
}
