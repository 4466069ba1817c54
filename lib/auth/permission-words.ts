import {
  PERMISSION_NAMES,
  type Permission,
  type PermissionName,
  permissionKey,
} from "@/lib/auth/permissions";
import type { LookupKey, lookups } from "@/lib/lookups/registry";

type ListTitle = (typeof lookups)[LookupKey]["title"];

/** What each permission opens, in one line, for those who make roles. That of a settings list can do without. */
const WORDS: Record<Exclude<PermissionName, ListTitle>, string> & Partial<Record<ListTitle, string>> = {
  Forms: "Fill in forms; see and change your own.",
  Clients: "The list of all clients, and their records.",
  "All Forms": "With Forms: the forms of every advocate, to check and change.",
  "Age Brackets": "The ages by which clients are counted.",
  Canines: "The dogs that assist survivors.",
  "Custody Statuses": "Who has custody of a survivor's children.",
  "Education Levels": "The schooling that a phone form asks for.",
  Ethnicities: "The ethnicities that clients are asked for.",
  "Hate Crime Categories": "The kinds of hate crime on a survivor's form.",
  "Income Levels": "The incomes that a phone form asks for.",
  "Magisterial Court Outcomes": "How a hearing before a magistrate can end.",
  "Offender Relationships": "Who the offender is to the survivor.",
  "PFA Court Contact Types": "The kinds of hearing in a PFA court.",
  "Referral Sources": "Who sends clients here.",
  "Secondary Victimizations": "The other crimes on a survivor's form.",
  "Service Codes": "The services that minutes are recorded for, and on which forms.",
  Users: "Accounts: invite, change, deactivate and remove them.",
  Roles: "Which permissions each role grants.",
  "Audit Log": "Who has seen, searched and changed what.",
  Retention: "How long records are kept, and purging those that are due.",
  Export: "Download lists as files; with every permission, all data at once.",
  Import: "Bring in records from files.",
  Reports: "Funder reports and time reports, with their numbers.",
  "Reports Setup": "What each line of a funder report counts.",
  "Close Periods": "Close months, so that their forms no longer change.",
  "Restrict Clients": "Limit who may see a client's record.",
  "API Tokens": "Access for other programs.",
};

const BY_KEY = new Map<string, string>(
  PERMISSION_NAMES.map((name) => [permissionKey(name), WORDS[name] ?? `The settings list ${name}.`]),
);

/** What a permission opens, by its key or its name; "" for one that this program does not know. */
export const permissionWords = (permission: Permission | string): string =>
  BY_KEY.get(permissionKey(permission)) ?? "";
