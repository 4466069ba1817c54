import type * as z from "zod/mini";
import type { Prisma } from "@/lib/generated/prisma/client";

/**
 * The tables of prisma/schema.prisma with their models. Database names follow one convention: rows that belong to
 * `survivor_entries` refer to it by `survivor_entry_id`; its `secondary_victimizations` are in the join table
 * `survivor_entry_secondary_victimizations`.
 */
type Models = {
  activities: "Activity";
  activity_kinds: "ActivityKind";
  age_brackets: "AgeBracket";
  api_tokens: "ApiToken";
  attendances: "Attendance";
  audit_events: "AuditEvent";
  audit_retention: "AuditRetention";
  audit_seals: "AuditSeal";
  brain_injury_entries: "BrainInjuryEntry";
  canines: "Canine";
  client_ages: "ClientAge";
  client_biographical_entries: "ClientBiographicalEntry";
  client_demographic_entries: "ClientDemographicEntry";
  client_holds: "ClientHold";
  client_keys: "ClientKey";
  client_merges: "ClientMerge";
  client_restrictions: "ClientRestriction";
  clients: "Client";
  closed_periods: "ClosedPeriod";
  contact_kinds: "ContactKind";
  contacts: "Contact";
  custody_statuses: "CustodyStatus";
  custom_choices: "CustomChoice";
  custom_field_form_types: "CustomFieldFormType";
  custom_fields: "CustomField";
  drafts: "Draft";
  education_levels: "EducationLevel";
  ethnicities: "Ethnicity";
  event_kinds: "EventKind";
  event_staff: "EventStaff";
  events: "Event";
  exit_destinations: "ExitDestination";
  field_definitions: "FieldDefinitions";
  field_settings: "FieldSetting";
  form_checks: "FormCheck";
  form_comments: "FormComment";
  form_types: "FormType";
  former_keys: "FormerKey";
  forms: "Form";
  group_clients: "GroupClient";
  group_session_leaders: "GroupSessionLeader";
  group_sessions: "GroupSession";
  group_users: "GroupUser";
  groups: "Group";
  hate_crime_categories: "HateCrimeCategory";
  hidden_periods: "HiddenPeriod";
  hotel_shelter_entries: "HotelShelterEntry";
  idempotency_keys: "IdempotencyKey";
  import_notes: "ImportNote";
  import_parts: "ImportPart";
  import_rows: "ImportRow";
  imports: "Import";
  income_and_education_entries: "IncomeAndEducationEntry";
  income_levels: "IncomeLevel";
  intake_forms: "IntakeForm";
  legal_advocacy_entries: "LegalAdvocacyEntry";
  login_failures: "LoginFailure";
  magisterial_court_outcomes: "MagisterialCourtOutcome";
  magisterial_entries: "MagisterialEntry";
  mails: "Mail";
  offender_entries: "OffenderEntry";
  offender_relationships: "OffenderRelationship";
  on_call_advocacy_entries: "OnCallAdvocacyEntry";
  organizations: "Organization";
  outcome_answers: "OutcomeAnswer";
  outcome_questions: "OutcomeQuestion";
  outcome_surveys: "OutcomeSurvey";
  permissions: "Permission";
  pfa_court_contact_types: "PfaCourtContactType";
  pfa_court_entries: "PfaCourtEntry";
  phone_entries: "PhoneEntry";
  recovery_codes: "RecoveryCode";
  referral_sources: "ReferralSource";
  report_mappings: "ReportMapping";
  report_settings: "ReportSetting";
  report_submission_contacts: "ReportSubmissionContact";
  report_submission_lines: "ReportSubmissionLine";
  report_submission_plain: "ReportSubmissionPlain";
  report_submission_records: "ReportSubmissionRecord";
  report_submission_withheld: "ReportSubmissionWithheld";
  report_submissions: "ReportSubmission";
  reset_requests: "ResetRequest";
  retention_settings: "RetentionSetting";
  role_permissions: "RolePermission";
  roles: "Role";
  secondary_victimizations: "SecondaryVictimization";
  service_code_form_types: "ServiceCodeFormType";
  service_codes: "ServiceCode";
  service_entries: "ServiceEntry";
  service_provided_entries: "ServiceProvidedEntry";
  service_status_entries: "ServiceStatusEntry";
  sessions: "Session";
  shelters: "Shelter";
  stays: "Stay";
  survivor_entries: "SurvivorEntry";
  survivor_entry_secondary_victimizations: "SurvivorEntrySecondaryVictimization";
  tokens: "Token";
  two_steps: "TwoStep";
  users: "User";
  videoconferencing_entries: "VideoconferencingEntry";
};
export type Table = keyof Models;

type Payload<T extends Table> = Prisma.TypeMap["model"][Models[T]]["payload"];
type Scalars<T extends Table> = Payload<T>["scalars"];
type Relations<T extends Table> = Payload<T>["objects"];

/** The type of a column's value in the schemas: days as `YYYY-MM-DD`, exact decimals as numbers. */
type Stored<Value> = Value extends Date ? string : Value extends Prisma.Decimal ? number : Value;

/** The allowed type for a field of this name; never if the table has no such column or relation. */
type Field<T extends Table, Name> = Name extends keyof Scalars<T>
  ? z.core.$ZodType<Stored<Scalars<T>[Name]> | undefined>
  : Name extends keyof Relations<T>
    ? z.core.$ZodType<object | null | undefined>
    : Name extends `${infer Relation}Ids`
      ? `${Relation}s` extends keyof Relations<T>
        ? z.core.$ZodType<number[] | undefined>
        : never
      : never;

/** Fields that can each be stored in their column of the table. */
export type Columns<T extends Table, Shape> = { [Name in keyof Shape]: Field<T, Name> };

/** `survivor_entries` → `survivor_entry`. */
export const singular = (table: string): string =>
  table
    .replace(/ies$/, "y")
    .replace(/uses$/, "us")
    .replace(/([^u])s$/, "$1");

/** The inverse, also for a singular in camel case or in words: `ageBracket` → `ageBrackets`, `Kind of Service` → `Kinds of Service`. */
export function plural(name: string): string {
  const [, head, rest] = /^(.+?)( of .+)$/.exec(name) ?? [];
  if (head && rest) return plural(head) + rest;
  return /[^aeiou]y$/.test(name) ? name.replace(/y$/, "ies") : `${name}${/us$/.test(name) ? "es" : "s"}`;
}

/** Returns the column in other tables that refers to an owner in this one. */
export const ownerColumn = (table: string): string => `${singular(table)}_id`;

/** Returns the join table between `table` and `list`, with its columns. */
export const pairsTable = (table: string, list: string) => ({
  table: `${singular(table)}_${list}`,
  owner: ownerColumn(table),
  other: ownerColumn(list),
});

/**
 * `childAges` → `child_ages`: the column of a field, or the table of a list that responses call `ageBrackets`.
 */
export const columnName = (name: string): string =>
  name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
