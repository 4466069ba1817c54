import type * as z from "zod/mini";
import { clientSchema } from "@/lib/clients/schema";
import { fieldsOf, recordFacts } from "@/lib/core/fields/facts";
import { columnName, type Table } from "@/lib/core/fields/tables";
import { byKey, keysOf } from "@/lib/core/objects";
import { formSchema } from "@/lib/forms/schema";
import { groupSchema, sessionSchema } from "@/lib/groups/schema";
import { lookupKeys, lookups } from "@/lib/lookups/registry";
import { recordKeys, records } from "@/lib/records/registry";
import { staySchema } from "@/lib/shelter/schema";

/** All columns of the table are in the archive. */
const WHOLE = "whole";
/**
 * No row of the table is in the archive. It contains secrets, unsaved data, or data that only the running program
 * needs.
 */
const EXCLUDED = null;

/**
 * The content of each table in the archive of all data: the whole table, some columns, or nothing. The program does not
 * compile until a new table has an entry here. A table with passwords, tokens, codes, keys or drafts stays out. Only
 * settings lists and declared records are included by default, so they must contain none of these.
 */
const CONTENT: Record<Table, typeof WHOLE | readonly string[] | typeof EXCLUDED> = {
  // Settings lists hold no secrets, except accounts. The columns of accounts in the archive are listed below.
  ...byKey(
    lookupKeys.filter((key) => key !== "users"),
    () => WHOLE,
  ),
  event_staff: WHOLE,
  outcome_answers: WHOLE,
  form_types: WHOLE,
  service_code_form_types: WHOLE,
  custom_fields: WHOLE,
  custom_choices: WHOLE,
  custom_field_form_types: WHOLE,
  field_settings: WHOLE,
  hidden_periods: WHOLE,
  field_definitions: WHOLE,
  // The logo is an image, which the archive has no form for.
  organizations: ["id", "name", "short_name", "help_text", "color", "updated_at"],
  permissions: WHOLE,
  role_permissions: WHOLE,
  users: ["id", "first_name", "last_name", "email", "role_id", "active", "activated_at", "last_login_at"],
  clients: WHOLE,
  client_biographical_entries: WHOLE,
  client_demographic_entries: WHOLE,
  client_holds: WHOLE,
  client_ages: WHOLE,
  client_restrictions: WHOLE,
  client_merges: ["id", "client_id", "merged_id", "user_id", "at"],
  forms: WHOLE,
  // Former values of forms, only compared with the present ones.
  form_checks: EXCLUDED,
  form_comments: WHOLE,
  intake_forms: WHOLE,
  phone_entries: WHOLE,
  income_and_education_entries: WHOLE,
  on_call_advocacy_entries: WHOLE,
  legal_advocacy_entries: WHOLE,
  pfa_court_entries: WHOLE,
  magisterial_entries: WHOLE,
  survivor_entries: WHOLE,
  survivor_entry_secondary_victimizations: WHOLE,
  brain_injury_entries: WHOLE,
  offender_entries: WHOLE,
  service_entries: WHOLE,
  service_provided_entries: WHOLE,
  videoconferencing_entries: WHOLE,
  hotel_shelter_entries: WHOLE,
  service_status_entries: WHOLE,
  ...byKey(recordKeys, () => WHOLE),
  stays: WHOLE,
  groups: WHOLE,
  group_users: WHOLE,
  group_clients: WHOLE,
  group_sessions: WHOLE,
  group_session_leaders: WHOLE,
  attendances: WHOLE,
  closed_periods: WHOLE,
  retention_settings: WHOLE,
  report_settings: WHOLE,
  report_mappings: WHOLE,
  report_submissions: WHOLE,
  report_submission_lines: WHOLE,
  report_submission_records: WHOLE,
  report_submission_contacts: WHOLE,
  report_submission_plain: WHOLE,
  // This table would reveal to users that clients are hidden from them.
  report_submission_withheld: EXCLUDED,
  // Former values are encrypted with keys that are not in the archive. The ids that a list showed are useless
  // elsewhere.
  audit_events: [
    "id",
    "at",
    "user_id",
    "user_name",
    "action",
    "entity",
    "entity_id",
    "client_id",
    "request_id",
    "address",
    "fields",
    "rows",
  ],
  imports: [
    "id",
    "kind",
    "format",
    "user_id",
    "owner_id",
    "status",
    "created_at",
    "finished_at",
    "rows",
    "done",
    "created",
    "repeated",
    "duplicates",
    "failed",
    "alike",
    "removed",
    "kept",
  ],
  // Files, the keys of their rows, and their notes need keys that are not in the archive.
  import_parts: EXCLUDED,
  import_rows: EXCLUDED,
  import_notes: EXCLUDED,
  sessions: EXCLUDED,
  tokens: EXCLUDED,
  api_tokens: EXCLUDED,
  mails: EXCLUDED,
  reset_requests: EXCLUDED,
  two_steps: EXCLUDED,
  recovery_codes: EXCLUDED,
  login_failures: EXCLUDED,
  idempotency_keys: EXCLUDED,
  client_keys: EXCLUDED,
  audit_seals: EXCLUDED,
  former_keys: EXCLUDED,
  audit_retention: EXCLUDED,
  drafts: EXCLUDED,
};

/** The tables of the archive, in its order. */
export const archiveTables: readonly Table[] = keysOf(CONTENT).filter((table) => CONTENT[table] !== EXCLUDED);

/** True if a column of a table is in the archive. */
export function isArchived(table: Table, column: string): boolean {
  const columns = CONTENT[table];
  return columns === WHOLE || (columns !== EXCLUDED && columns.includes(column));
}

/** Returns the labels of columns that are fields of records, by `table.column`. */
export const columnLabels = (): ReadonlyMap<string, string> =>
  new Map(
    [
      clientSchema,
      formSchema,
      staySchema,
      groupSchema,
      sessionSchema,
      ...recordKeys.map((key) => records[key].schema),
      ...lookupKeys.map((key) => lookups[key].schema),
    ].flatMap(labelsOf),
  );

function labelsOf(schema: z.core.$ZodType): [string, string][] {
  const { table } = recordFacts(schema);
  return fieldsOf(schema).flatMap(({ name, facts, schema: field }): [string, string][] =>
    "table" in facts ? labelsOf(field) : [[`${table}.${columnName(name)}`, facts.label]],
  );
}
