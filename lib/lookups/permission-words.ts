import {
  PERMISSION_NAMES,
  type Permission,
  type PermissionName,
  permissionKey,
} from "@/lib/core/access/permissions";
import type { LookupKey, lookups } from "@/lib/lookups/registry";

type ListTitle = (typeof lookups)[LookupKey]["title"];

/** One line on each permission, for users who edit roles. Permissions of settings lists may have none. */
const WORDS: Record<Exclude<PermissionName, ListTitle>, string> & Partial<Record<ListTitle, string>> = {
  Forms: "Fill out forms; see and change your own.",
  Clients: "See and change all clients.",
  "All Forms": "With Forms: review and change all advocates' forms.",
  "Age Brackets": "Age groups in which clients are counted.",
  Canines: "Dogs that assist survivors.",
  "Custody Statuses": "Who has custody of a survivor's children.",
  "Education Levels": "Education recorded on phone forms.",
  Ethnicities: "Ethnicities recorded for clients.",
  "Hate Crime Categories": "Types of hate crimes recorded on survivor forms.",
  "Income Levels": "Income recorded on phone forms.",
  "Magisterial Court Outcomes": "How a hearing before a magistrate can end.",
  "Offender Relationships": "How the offender is related to the survivor.",
  "PFA Court Contact Types": "Types of contact with a PFA court.",
  "Referral Sources": "Sources of client referrals.",
  "Secondary Victimizations": "Other crimes recorded on survivor forms.",
  "Service Codes": "Services that minutes are recorded for, and the form types that offer them.",
  Users: "Invite, change, deactivate, and remove accounts.",
  Roles: "The permissions of each role.",
  "Audit Log": "Who viewed, searched, and changed records.",
  Retention: "How long clients are kept, and purging of those that are due.",
  Export: "Download lists as files. With all permissions: download all data at once.",
  Import: "Import records from CSV or Excel files.",
  Reports: "Funder reports and time reports, with their numbers.",
  "Reports Setup": "What each line of a funder report counts.",
  "Close Periods": "Close months so that their forms can no longer be changed.",
  "Restrict Clients": "Hide clients from particular colleagues.",
  "API Tokens": "Create tokens for programs that use the API.",
  Organization: "The organization's name, logo, color, and help text.",
  Events: "Record talks, trainings, and other events; see and change all.",
  "Outcome Surveys": "Count outcome cards; see and change all counts.",
  "Outcome Questions": "The questions on outcome cards, and what each of them measures.",
  Activities: "Record working time that is no service, such as meetings; see and change your own.",
  Groups: "With Forms and Clients: record the sessions of the groups that you lead.",
  Contacts: "Record calls and visits from people who give no name; see and change your own.",
  "Activity Kinds": "Kinds of working time that is no service, such as meetings.",
  Shelter: "See open stays by initials; move clients in, to another shelter, and out.",
  "Contact Kinds": "Kinds of calls and visits, and which of them count as hotline in reports.",
  Shelters: "Shelters, with their kind and number of beds.",
  "Event Kinds": "Kinds of events, such as trainings and talks in schools.",
  "Exit Destinations": "Destinations of people who leave a shelter.",
  "Form Types": "Types of forms, their order, and the sections that each has.",
  "Form Setup": "Custom fields, and which built-in fields forms show and require.",
};

const BY_KEY = new Map<string, string>(
  PERMISSION_NAMES.map((name) => [permissionKey(name), WORDS[name] ?? `The settings list ${name}.`]),
);

/** Returns the description of a permission by its key or name; "" for an unknown one. */
export const permissionWords = (permission: Permission | string): string =>
  BY_KEY.get(permissionKey(permission)) ?? "";
