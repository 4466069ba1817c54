import type { AuditEntity } from "@/lib/auth/audit";
import type { PERMISSION_NAMES, Permission } from "@/lib/auth/permissions";

type PermissionName = (typeof PERMISSION_NAMES)[number];

/**
 * The fifteen settings lists (spec §2, §7, §8; contract §1). One entry makes a list's API, its list screen
 * and its form screen. Message wordings are the product's own, copy-leftovers included (spec §8): they stand
 * here, as literal text, so that the organisation can change them.
 */
export type LookupField = {
  name: string;
  label: string;
  kind: "text" | "email" | "longText" | "integer" | "currency" | "boolean" | "choice" | "choices";
  required?: true;
  /** No two records of the list share it, without regard to case (contract §4). */
  unique?: true;
  /** The least value of a number; without it, any. */
  min?: number;
  /** The resource list that a `choice` or `choices` field picks from. */
  from?: "roles" | "permissions" | "form_types";
  placeholder?: string;
  hint?: string;
  /** The choices in groups, by name; the group without names takes the rest. */
  groups?: readonly { legend: string; names?: readonly PermissionName[] }[];
};

export type LookupColumn = {
  key: string;
  label: string;
  format?: "integer" | "currency" | "markdown" | "dateTime";
};

export type Lookup = {
  /** Keys of the wire: `{"ageBracket": …}`, `{"ageBrackets": […]}`. */
  singular: string;
  plural: string;
  title: string;
  /** What one record is called on its form screen. */
  entity: string;
  permission: Permission;
  fields: readonly LookupField[];
  columns: readonly LookupColumn[];
  defaultSort?: string;
  /** The field that names a record in the Delete dialog. */
  label: "name" | "code" | "fullName";
  messages: { created: string; updated: string; removed: string };
  /** The audit trail's word for a record whose changes are recorded there. */
  audited?: AuditEntity;
  /** One more row action. */
  action?: { title: string; call: "POST /api/users/{id}/reset_password"; done: string };
};

const name: LookupField = {
  name: "name",
  label: "Name",
  kind: "text",
  required: true,
  unique: true,
};
const nameColumn: LookupColumn = { key: "name", label: "Name" };
const code: LookupField = {
  name: "code",
  label: "Code",
  kind: "text",
  required: true,
  unique: true,
};
const markdownHint = "Shown as Markdown: **bold**, *italic*, lists.";
const codeColumns: readonly LookupColumn[] = [
  { key: "code", label: "Code" },
  { key: "description", label: "Description", format: "markdown" },
];

const ageBracketWording = {
  created: "Created age bracket successfully",
  updated: "Updated age bracket successfully",
};
const magisterialWording = {
  created: "Created Magisterial Court Outcome successfully",
  updated: "Updated Magisterial Court Outcome successfully",
};
const shippingWording = {
  created: "Created shipping method successfully",
  updated: "Updated shipping method successfully",
};

export const lookups = {
  age_brackets: {
    singular: "ageBracket",
    plural: "ageBrackets",
    title: "Age Brackets",
    entity: "Age Bracket",
    permission: "age-brackets",
    fields: [
      name,
      {
        name: "rangeStart",
        label: "Range Start",
        kind: "integer",
        required: true,
        min: 0,
      },
    ],
    columns: [nameColumn, { key: "rangeStart", label: "Range Start", format: "integer" }],
    label: "name",
    messages: {
      ...ageBracketWording,
      removed: "Removed ageBracket successfully",
    },
  },
  canines: {
    singular: "canine",
    plural: "canines",
    title: "Canines",
    entity: "Canine",
    permission: "canines",
    fields: [name],
    columns: [nameColumn],
    label: "name",
    messages: {
      created: "Made Canine successfully",
      updated: "Updated Canine successfully",
      removed: "Removed canine successfully",
    },
  },
  custody_statuses: {
    singular: "custodyStatus",
    plural: "custodyStatuses",
    title: "Custody Statuses",
    entity: "Custody Status",
    permission: "custody-statuses",
    fields: [name],
    columns: [nameColumn],
    label: "name",
    messages: {
      ...magisterialWording,
      removed: "Removed Magisterial Court Outcome successfully",
    },
  },
  education_levels: {
    singular: "educationLevel",
    plural: "educationLevels",
    title: "Education Levels",
    entity: "Education Level",
    permission: "education-levels",
    fields: [
      name,
      {
        name: "sortOrder",
        label: "Sort Order",
        kind: "integer",
        required: true,
      },
    ],
    columns: [nameColumn, { key: "sortOrder", label: "Sort Order", format: "integer" }],
    defaultSort: "sortOrder",
    label: "name",
    messages: {
      ...shippingWording,
      removed: "Removed educationLevel successfully",
    },
  },
  ethnicities: {
    singular: "ethnicity",
    plural: "ethnicities",
    title: "Ethnicities",
    entity: "Ethnicity",
    permission: "ethnicities",
    fields: [name],
    columns: [nameColumn],
    label: "name",
    messages: {
      ...ageBracketWording,
      removed: "Removed ethnicity successfully",
    },
  },
  hate_crime_categories: {
    singular: "hateCrimeCategory",
    plural: "hateCrimeCategories",
    title: "Hate Crime Categories",
    entity: "Hate Crime Category",
    permission: "hate-crime-categories",
    fields: [name],
    columns: [nameColumn],
    label: "name",
    messages: {
      ...shippingWording,
      removed: "Removed hateCrimeCategory successfully",
    },
  },
  income_levels: {
    singular: "incomeLevel",
    plural: "incomeLevels",
    title: "Income Levels",
    entity: "Income Level",
    permission: "income-levels",
    fields: [
      name,
      {
        name: "rangeStart",
        label: "Range Start",
        kind: "currency",
        required: true,
        min: 0,
      },
    ],
    columns: [nameColumn, { key: "rangeStart", label: "Range Start", format: "currency" }],
    defaultSort: "rangeStart",
    label: "name",
    messages: {
      ...shippingWording,
      removed: "Removed incomeLevel successfully",
    },
  },
  magisterial_court_outcomes: {
    singular: "magisterialCourtOutcome",
    plural: "magisterialCourtOutcomes",
    title: "Magisterial Court Outcomes",
    entity: "Magisterial Court Outcome",
    permission: "magisterial-court-outcomes",
    fields: [name],
    columns: [nameColumn],
    label: "name",
    messages: {
      ...magisterialWording,
      removed: "Removed Magisterial Court Outcome successfully",
    },
  },
  offender_relationships: {
    singular: "offenderRelationship",
    plural: "offenderRelationships",
    title: "Offender Relationships",
    entity: "Offender Relationship",
    permission: "offender-relationships",
    fields: [name],
    columns: [nameColumn],
    label: "name",
    messages: {
      ...shippingWording,
      removed: "Removed offenderRelationship successfully",
    },
  },
  pfa_court_contact_types: {
    singular: "pfaCourtContactType",
    plural: "pfaCourtContactTypes",
    title: "PFA Court Contact Types",
    entity: "PFA Court Contact Type",
    permission: "pfa-court-contact-types",
    fields: [name],
    columns: [nameColumn],
    label: "name",
    messages: {
      created: "Created PFA Court Contact Type successfully",
      updated: "Updated PFA Court Contact Type successfully",
      removed: "Removed pfaCourtContactType successfully",
    },
  },
  referral_sources: {
    singular: "referralSource",
    plural: "referralSources",
    title: "Referral Sources",
    entity: "Referral Source",
    permission: "referral-sources",
    fields: [
      code,
      {
        name: "description",
        label: "Description",
        kind: "longText",
        required: true,
        hint: markdownHint,
      },
    ],
    columns: codeColumns,
    label: "code",
    messages: {
      ...shippingWording,
      removed: "Removed referralSource successfully",
    },
  },
  secondary_victimizations: {
    singular: "secondaryVictimization",
    plural: "secondaryVictimizations",
    title: "Secondary Victimizations",
    entity: "Secondary Victimization",
    permission: "secondary-victimizations",
    fields: [name],
    columns: [nameColumn],
    label: "name",
    messages: {
      ...shippingWording,
      removed: "Removed secondaryVictimization successfully",
    },
  },
  service_codes: {
    singular: "serviceCode",
    plural: "serviceCodes",
    title: "Service Codes",
    entity: "Service Code",
    permission: "service-codes",
    fields: [
      code,
      { name: "description", label: "Description", kind: "longText", hint: markdownHint },
      { name: "canBeMagistrate", label: "Can be Magistrate", kind: "boolean" },
      { name: "onCallMainType", label: "On Call Main Type", kind: "boolean" },
      { name: "hasReferral", label: "Has Referral", kind: "boolean" },
      {
        name: "formTypeIds",
        label: "Form Type",
        kind: "choices",
        from: "form_types",
      },
    ],
    columns: codeColumns,
    label: "code",
    messages: {
      ...magisterialWording,
      removed: "Removed serviceCode successfully",
    },
  },
  users: {
    singular: "user",
    plural: "users",
    title: "Users",
    entity: "User",
    permission: "users",
    fields: [
      { name: "firstName", label: "First Name", kind: "text", required: true },
      { name: "lastName", label: "Last Name", kind: "text", required: true },
      { name: "email", label: "Email", kind: "email", required: true, unique: true },
      {
        name: "roleId",
        label: "Role",
        kind: "choice",
        from: "roles",
        required: true,
        placeholder: "-- Select --",
      },
    ],
    columns: [
      { key: "fullName", label: "Full Name" },
      { key: "email", label: "Email" },
      { key: "role", label: "Role" },
      { key: "lastLoginAt", label: "Last Login At", format: "dateTime" },
    ],
    label: "fullName",
    audited: "user",
    messages: {
      created: "Created user successfully",
      updated: "Updated user successfully",
      removed: "Removed user successfully",
    },
    action: {
      title: "Reset Password",
      call: "POST /api/users/{id}/reset_password",
      done: "Reset link sent successfully",
    },
  },
  roles: {
    singular: "role",
    plural: "roles",
    title: "Roles",
    entity: "Role",
    permission: "roles",
    fields: [
      name,
      {
        name: "permissionIds",
        label: "Permissions",
        kind: "choices",
        from: "permissions",
        groups: [
          { legend: "Casework", names: ["Forms", "Clients", "All Forms"] },
          { legend: "Lists" },
          { legend: "Administration", names: ["Users", "Roles"] },
        ],
      },
    ],
    columns: [nameColumn],
    label: "name",
    messages: {
      created: "Created role successfully",
      updated: "Updated role successfully",
      removed: "Removed role successfully",
    },
    audited: "role",
  },
} as const satisfies Record<string, Lookup>;

export type LookupKey = keyof typeof lookups;

/** In menu order. */
export const lookupKeys = Object.keys(lookups) as LookupKey[];

/** Whether a path segment names a list; own keys only, since the segment is the caller's text. */
export const isLookupKey = (segment: string): segment is LookupKey => Object.hasOwn(lookups, segment);

/** `Age Bracket` → `age bracket`, `PFA Court Contact Type` → `PFA court contact type`. */
export const inSentence = (words: string): string =>
  words.replace(/\b[A-Z](?=[a-z])/g, (letter) => letter.toLowerCase());
