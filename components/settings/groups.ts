import type { SettingsPage } from "@/components/settings/overview";
import type { Menu } from "@/components/shell/menu";
import { permissionWords } from "@/lib/auth/permission-words";
import { type LookupKey, lookupKeys } from "@/lib/lookups/registry";

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

/** The settings pages of a menu in their groups; a page of no group stands under More. */
export function settingsPages({ settings }: Menu): SettingsPage[] {
  const order = [...GROUPS.map(({ title }) => title), OTHER];
  const pages = settings.map(({ href, label, permission }) => {
    const list = lookupKeys.find((key) => href === `/settings/${key}`);
    const group = list && GROUPS.find(({ lists }) => lists.includes(list));
    return {
      href,
      label,
      about: permissionWords(permission),
      group: group?.title ?? OTHER,
    };
  });
  return pages.sort((a, b) => order.indexOf(a.group) - order.indexOf(b.group));
}
