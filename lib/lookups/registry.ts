import type * as z from "zod/mini";
import type { Permission, PermissionName } from "@/lib/core/access/permissions";
import { type FieldKind, factsOf, fieldsOf } from "@/lib/core/fields/facts";
import * as field from "@/lib/core/fields/vocabulary";
import { keysOf } from "@/lib/core/objects";
import { USER_LABELS } from "@/lib/identity/words";
import { formTypeFlags, MEASURES } from "@/lib/lookups/types";

export type LookupColumn = {
  key: string;
  label: string;
  format?: "integer" | "currency" | "markdown" | "dateTime" | "yesNo";
  /** The text that the list shows for 0. */
  zero?: string;
};

export const USER_STATUSES = ["invited", "active", "deactivated"] as const;

/** The badge in the list for an account that cannot sign in. */
const USER_BADGES = {
  invited: {
    status_code: "warning",
    status_title: "Account",
    description: "The account has not been activated yet",
    display_status: "Invited",
  },
  deactivated: {
    status_code: "neutral",
    status_title: "Account",
    description: "The user can no longer sign in",
    display_status: "Deactivated",
  },
};

/**
 * The settings lists. Each entry makes a list's API, list screen and form screen. Messages are the product's
 * own wording, including its copy-and-paste errors. They are literal text, so that the organization can change them.
 */
export type Lookup = {
  /** The keys in the API: `{"ageBracket": …}`, `{"ageBrackets": […]}`. */
  singular: string;
  plural: string;
  title: string;
  permission: Permission;
  /** A record of the list; the form screen shows the fields in this order. */
  schema: z.ZodMiniObject;
  /** The columns of the list screen: names of fields, or columns that only exist in responses. */
  columns: readonly (string | LookupColumn)[];
  defaultSort?: string;
  /** A key of responses that the list can be filtered by, and its values. */
  filter?: { key: string; label: string; values: readonly [string, ...string[]] };
  /** The badge next to the name of a record with that `status`. */
  badges?: Readonly<Record<string, (typeof USER_BADGES)[keyof typeof USER_BADGES]>>;
  /** The field that names a record in the Delete dialog. */
  label: "name" | "code" | "fullName";
  messages: { created: string; updated: string; removed: string };
  /** Groups of a field's choices, by name; the group without names gets the rest. */
  groups?: readonly { legend: string; names?: readonly PermissionName[] }[];
  /** Fields that the form shows together, under a legend. */
  parts?: readonly { legend: string; names: readonly string[] }[];
  /** One more row action. */
  action?: {
    title: string;
    call: "POST /api/users/{id}/reset_password";
    done: string;
  };
};

const unique = { required: true, unique: true, sensitive: false } as const;
/** The usual number of letters of a question. */
const SENTENCE = 80;
const name = () => field.text("Name", unique);
const code = () => field.text("Code", unique);
const markdown = { hint: "Two asterisks around words make them bold.", sensitive: false };
const harmless = { inErrorReports: true };

const wording = (name: string) => ({
  created: `Created ${name} successfully`,
  updated: `Updated ${name} successfully`,
  removed: `Removed ${name} successfully`,
});

/** The kind of shelter whose nights do not count in reports. */
export const TRANSITIONAL = "Transitional";
const SHELTER_KINDS = ["In-house", "Hotel or motel", "Safe home", TRANSITIONAL] as const;
const BEDS_MAX = 999;
const FORM_TYPE_ORDER = { max: 999, initial: 100 };

export const lookups = {
  activity_kinds: {
    singular: "activityKind",
    plural: "activityKinds",
    title: "Activity Kinds",
    permission: "activity-kinds",
    schema: field.record("Activity Kind", "activity_kinds", { name: name() }),
    columns: ["name"],
    label: "name",
    messages: wording("activity kind"),
  },
  age_brackets: {
    singular: "ageBracket",
    plural: "ageBrackets",
    title: "Age Brackets",
    permission: "age-brackets",
    schema: field.record("Age Bracket", "age_brackets", {
      name: name(),
      rangeStart: field.whole("Range Start", { min: 0, inErrorReports: true }),
    }),
    columns: ["name", "rangeStart"],
    label: "name",
    messages: { ...wording("age bracket"), removed: "Removed ageBracket successfully" },
  },
  canines: {
    singular: "canine",
    plural: "canines",
    title: "Canines",
    permission: "canines",
    schema: field.record("Canine", "canines", { name: name() }),
    columns: ["name"],
    label: "name",
    messages: {
      created: "Made Canine successfully",
      updated: "Updated Canine successfully",
      removed: "Removed canine successfully",
    },
  },
  contact_kinds: {
    singular: "contactKind",
    plural: "contactKinds",
    title: "Contact Kinds",
    permission: "contact-kinds",
    schema: field.record("Contact Kind", "contact_kinds", { name: name() }),
    columns: ["name"],
    label: "name",
    messages: wording("contact kind"),
  },
  custody_statuses: {
    singular: "custodyStatus",
    plural: "custodyStatuses",
    title: "Custody Statuses",
    permission: "custody-statuses",
    schema: field.record("Custody Status", "custody_statuses", { name: name() }),
    columns: ["name"],
    label: "name",
    messages: wording("Magisterial Court Outcome"),
  },
  education_levels: {
    singular: "educationLevel",
    plural: "educationLevels",
    title: "Education Levels",
    permission: "education-levels",
    schema: field.record("Education Level", "education_levels", {
      name: name(),
      sortOrder: field.whole("Sort Order", harmless),
    }),
    columns: ["name", "sortOrder"],
    defaultSort: "sortOrder",
    label: "name",
    messages: { ...wording("shipping method"), removed: "Removed educationLevel successfully" },
  },
  ethnicities: {
    singular: "ethnicity",
    plural: "ethnicities",
    title: "Ethnicities",
    permission: "ethnicities",
    schema: field.record("Ethnicity", "ethnicities", { name: name() }),
    columns: ["name"],
    label: "name",
    messages: { ...wording("age bracket"), removed: "Removed ethnicity successfully" },
  },
  event_kinds: {
    singular: "eventKind",
    plural: "eventKinds",
    title: "Event Kinds",
    permission: "event-kinds",
    schema: field.record("Event Kind", "event_kinds", { name: name() }),
    columns: ["name"],
    label: "name",
    messages: wording("event kind"),
  },
  exit_destinations: {
    singular: "exitDestination",
    plural: "exitDestinations",
    title: "Exit Destinations",
    permission: "exit-destinations",
    schema: field.record("Exit Destination", "exit_destinations", { name: name() }),
    columns: ["name"],
    label: "name",
    messages: wording("exit destination"),
  },
  form_types: {
    singular: "formType",
    plural: "formTypes",
    title: "Form Types",
    permission: "form-types",
    schema: field.record("Form Type", "form_types", {
      name: name(),
      sortOrder: field.optionalInPut(
        field.count("Sort Order", {
          ...FORM_TYPE_ORDER,
          hint: "Screens list the types by this number.",
          ...harmless,
        }),
      ),
      ...formTypeFlags,
    }),
    columns: ["name", "sortOrder"],
    parts: [
      {
        legend: "Sections",
        names: [
          "onCallAdvocacyEntry",
          "legalAdvocacyEntry",
          "serviceEntry",
          "phoneEntry",
          "clientBiographicalEntry",
          "clientDemographicalEntry",
          "survivorEntry",
        ] satisfies (keyof typeof formTypeFlags)[],
      },
      {
        legend: "In Form Details",
        names: ["intakeOnly", "phone"] satisfies (keyof typeof formTypeFlags)[],
      },
    ],
    defaultSort: "sortOrder",
    label: "name",
    messages: wording("form type"),
  },
  hate_crime_categories: {
    singular: "hateCrimeCategory",
    plural: "hateCrimeCategories",
    title: "Hate Crime Categories",
    permission: "hate-crime-categories",
    schema: field.record("Hate Crime Category", "hate_crime_categories", { name: name() }),
    columns: ["name"],
    label: "name",
    messages: { ...wording("shipping method"), removed: "Removed hateCrimeCategory successfully" },
  },
  income_levels: {
    singular: "incomeLevel",
    plural: "incomeLevels",
    title: "Income Levels",
    permission: "income-levels",
    schema: field.record("Income Level", "income_levels", {
      name: name(),
      rangeStart: field.money("Range Start", harmless),
    }),
    columns: ["name", "rangeStart"],
    defaultSort: "rangeStart",
    label: "name",
    messages: { ...wording("shipping method"), removed: "Removed incomeLevel successfully" },
  },
  magisterial_court_outcomes: {
    singular: "magisterialCourtOutcome",
    plural: "magisterialCourtOutcomes",
    title: "Magisterial Court Outcomes",
    permission: "magisterial-court-outcomes",
    schema: field.record("Magisterial Court Outcome", "magisterial_court_outcomes", { name: name() }),
    columns: ["name"],
    label: "name",
    messages: wording("Magisterial Court Outcome"),
  },
  offender_relationships: {
    singular: "offenderRelationship",
    plural: "offenderRelationships",
    title: "Offender Relationships",
    permission: "offender-relationships",
    schema: field.record("Offender Relationship", "offender_relationships", { name: name() }),
    columns: ["name"],
    label: "name",
    messages: { ...wording("shipping method"), removed: "Removed offenderRelationship successfully" },
  },
  outcome_questions: {
    singular: "outcomeQuestion",
    plural: "outcomeQuestions",
    title: "Outcome Questions",
    permission: "outcome-questions",
    schema: field.record("Outcome Question", "outcome_questions", {
      name: field.text("Question", { ...unique, letters: SENTENCE }),
      spanish: field.optionalInPut(
        field.text("In Spanish", { hint: "For the printed cards.", letters: SENTENCE, sensitive: false }),
      ),
      measure: field.optionalInPut(
        field.choice(MEASURES, "Measure", {
          blank: "",
          hint: "FVPSA counts the yes answers of one question for each measure.",
          ...harmless,
        }),
      ),
      active: field.optionalInPut(
        field.flag("Active", {
          initial: true,
          hint: "A question that is no longer asked stays in past counts.",
          ...harmless,
        }),
      ),
    }),
    columns: ["name", "measure", "active"],
    label: "name",
    messages: wording("outcome question"),
  },
  pfa_court_contact_types: {
    singular: "pfaCourtContactType",
    plural: "pfaCourtContactTypes",
    title: "PFA Court Contact Types",
    permission: "pfa-court-contact-types",
    schema: field.record("PFA Court Contact Type", "pfa_court_contact_types", { name: name() }),
    columns: ["name"],
    label: "name",
    messages: { ...wording("PFA Court Contact Type"), removed: "Removed pfaCourtContactType successfully" },
  },
  referral_sources: {
    singular: "referralSource",
    plural: "referralSources",
    title: "Referral Sources",
    permission: "referral-sources",
    schema: field.record("Referral Source", "referral_sources", {
      code: code(),
      description: field.longText("Description", { required: true, ...markdown }),
    }),
    columns: ["code", "description"],
    label: "code",
    messages: { ...wording("shipping method"), removed: "Removed referralSource successfully" },
  },
  secondary_victimizations: {
    singular: "secondaryVictimization",
    plural: "secondaryVictimizations",
    title: "Secondary Victimizations",
    permission: "secondary-victimizations",
    schema: field.record("Secondary Victimization", "secondary_victimizations", { name: name() }),
    columns: ["name"],
    label: "name",
    messages: { ...wording("shipping method"), removed: "Removed secondaryVictimization successfully" },
  },
  service_codes: {
    singular: "serviceCode",
    plural: "serviceCodes",
    title: "Service Codes",
    permission: "service-codes",
    schema: field.record("Service Code", "service_codes", {
      code: code(),
      description: field.optionalInPut(field.longText("Description", markdown)),
      canBeMagistrate: field.optionalInPut(
        field.flag("Can be Magistrate", { hint: "Counts in Magisterial Court", ...harmless }),
      ),
      onCallMainType: field.optionalInPut(field.flag("On Call Main Type", harmless)),
      hasReferral: field.optionalInPut(field.flag("Has Referral", harmless)),
      hotelShelter: field.optionalInPut(
        field.flag("Hotel Shelter", { hint: "Forms ask for the people sheltered.", ...harmless }),
      ),
      videoconferencing: field.optionalInPut(
        field.flag("Videoconferencing", {
          hint: "Forms ask if an emergency PFA was granted.",
          ...harmless,
        }),
      ),
      formTypeIds: field.optionalInPut(
        field.lookups("form_types", "Form Type", { required: true, ...harmless }),
      ),
    }),
    columns: ["code", "description"],
    label: "code",
    messages: { ...wording("Magisterial Court Outcome"), removed: "Removed serviceCode successfully" },
  },
  shelters: {
    singular: "shelter",
    plural: "shelters",
    title: "Shelters",
    permission: "shelters",
    schema: field.record("Shelter", "shelters", {
      name: name(),
      kind: field.choice(SHELTER_KINDS, "Kind", harmless),
      beds: field.count("Beds", {
        max: BEDS_MAX,
        hint: "0 if the number of beds is not fixed, as in a hotel.",
        ...harmless,
      }),
    }),
    columns: ["name", "kind", { key: "beds", label: "Beds", format: "integer", zero: "Not fixed" }],
    label: "name",
    messages: wording("shelter"),
  },
  users: {
    singular: "user",
    plural: "users",
    title: "Users",
    permission: "users",
    schema: field.record("User", "users", {
      firstName: field.text(USER_LABELS.firstName, { required: true }),
      lastName: field.text(USER_LABELS.lastName, { required: true }),
      email: field.email(USER_LABELS.email, { unique: true }),
      roleId: field.lookup("roles", USER_LABELS.role, { required: true, ...harmless }),
    }),
    columns: [
      { key: "fullName", label: "Full Name" },
      "email",
      { key: "role", label: USER_LABELS.role },
      { key: "lastLoginAt", label: "Last Login At", format: "dateTime" },
    ],
    filter: { key: "status", label: "Status", values: USER_STATUSES },
    badges: USER_BADGES,
    label: "fullName",
    messages: wording("user"),
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
    permission: "roles",
    schema: field.record("Role", "roles", {
      name: name(),
      requiresTwoStep: field.optionalInPut(
        field.flag("Require two-step sign-in", {
          hint: "People with this role need a code from an authenticator app to sign in.",
          ...harmless,
        }),
      ),
      permissionIds: field.optionalInPut(
        field.lookups("permissions", "Permissions", { required: true, ...harmless }),
      ),
    }),
    // The settings pages have the same groups (components/shell/menu.ts).
    groups: [
      {
        legend: "Casework",
        names: [
          "Forms",
          "Clients",
          "All Forms",
          "Contacts",
          "Shelter",
          "Activities",
          "Groups",
          "Events",
          "Outcome Surveys",
          "Reports",
          "Restrict Clients",
        ],
      },
      { legend: "People and access", names: ["Organization", "Users", "Roles", "API Tokens"] },
      {
        legend: "Services",
        names: [
          "Form Types",
          "Service Codes",
          "Referral Sources",
          "Contact Kinds",
          "Activity Kinds",
          "Event Kinds",
          "Outcome Questions",
          "Canines",
        ],
      },
      { legend: "Shelter", names: ["Shelters", "Exit Destinations"] },
      {
        legend: "About clients",
        names: ["Age Brackets", "Ethnicities", "Education Levels", "Income Levels"],
      },
      {
        legend: "About the case",
        names: [
          "Offender Relationships",
          "Custody Statuses",
          "Secondary Victimizations",
          "Hate Crime Categories",
          "Magisterial Court Outcomes",
          "PFA Court Contact Types",
        ],
      },
      { legend: "Data and reports" },
    ],
    columns: ["name"],
    label: "name",
    messages: wording("role"),
  },
} as const satisfies Record<string, Lookup>;

export type LookupKey = keyof typeof lookups;

const HAPPENED = { created: "was added to", updated: "was changed in", removed: "was removed from" };

/**
 * Returns the lines to show after the record `name` of a list was created, updated, or removed. A second line names the
 * record if the list's message does not.
 */
export function lookupDone(key: LookupKey, act: keyof Lookup["messages"], name: string): string[] {
  const { messages, singular, title }: Lookup = lookups[key];
  const message = messages[act];
  const namesList = message.replaceAll(" ", "").toLowerCase().includes(singular.toLowerCase());
  return namesList ? [message] : [message, `${name} ${HAPPENED[act]} ${title}`];
}

/** The keys in order of declaration. */
export const lookupKeys = keysOf(lookups);

/** Returns the name of one record of the list, as its form screen shows it. */
export const entityOf = (key: LookupKey): string => factsOf(lookups[key].schema)?.label ?? "";

const FORMATS: Partial<Record<FieldKind, LookupColumn["format"]>> = {
  whole: "integer",
  money: "currency",
  longText: "markdown",
  flag: "yesNo",
};

/** Returns the columns of the list screen. The facts of a field describe its column. */
export function columnsOf(key: LookupKey): LookupColumn[] {
  const { schema, columns }: Lookup = lookups[key];
  return columns.map((column) => {
    if (typeof column !== "string") return column;
    const facts = fieldsOf(schema).find((candidate) => candidate.name === column)?.facts;
    return { key: column, label: facts?.label ?? "", format: facts && FORMATS[facts.kind] };
  });
}

/**
 * Converts a label for use in a sentence: `Age Bracket` → `age bracket`, `PFA Court Contact Type` → `PFA court contact
 * type`.
 */
export const inSentence = (words: string): string =>
  words.replace(/\b[A-Z](?=[a-z])/g, (letter) => letter.toLowerCase());
