import type { z } from "zod";
import { clientSchema } from "@/lib/clients/schema";
import { byKey, keysOf } from "@/lib/core/fields/by-key";
import { fieldsOf, recordFacts } from "@/lib/core/fields/facts";
import { columnName, type Table } from "@/lib/core/fields/tables";
import { formSchema } from "@/lib/forms/schema";
import { lookupKeys, lookups } from "@/lib/lookups/registry";

/** All columns of the table are in the archive. */
const WHOLE = "whole";
/** No row of the table is: it holds secrets, what is not saved yet, or what only the running program needs. */
const OUT = null;

/**
 * What of each table is in the archive of all data: whole, some of its columns, or nothing. A new table must be decided
 * on here, or the program does not compile; where it holds passwords, tokens, codes, keys or drafts, it stays out. Only
 * a settings list is in without a word here, so it must hold none of these; a test looks at the columns' names.
 */
const CONTENT: Record<Table, typeof WHOLE | readonly string[] | typeof OUT> = {
  // Settings lists hold no secrets, except accounts, of which some columns are listed below.
  ...byKey(
    lookupKeys.filter((key) => key !== "users"),
    () => WHOLE,
  ),
  form_types: WHOLE,
  service_code_form_types: WHOLE,
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
  closed_periods: WHOLE,
  retention_settings: WHOLE,
  report_settings: WHOLE,
  report_mappings: WHOLE,
  report_submissions: WHOLE,
  report_submission_lines: WHOLE,
  report_submission_records: WHOLE,
  // It would tell users that clients are hidden from them.
  report_submission_withheld: OUT,
  // Former values are encrypted under keys that are not in the archive, and what a list showed is of no use elsewhere.
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
    "failed",
    "alike",
    "removed",
    "kept",
  ],
  // Files, the keys of their rows and the notes about them are encrypted or hashed under keys that are not in the archive.
  import_parts: OUT,
  import_rows: OUT,
  import_notes: OUT,
  sessions: OUT,
  tokens: OUT,
  api_tokens: OUT,
  mails: OUT,
  reset_requests: OUT,
  two_steps: OUT,
  recovery_codes: OUT,
  login_failures: OUT,
  idempotency_keys: OUT,
  client_keys: OUT,
  audit_seals: OUT,
  former_keys: OUT,
  audit_retention: OUT,
  drafts: OUT,
};

/** The tables of the archive, in its order. */
export const archiveTables: readonly Table[] = keysOf(CONTENT).filter((table) => CONTENT[table] !== OUT);

/** True if a column of one of them is in the archive. */
export function isArchived(table: Table, column: string): boolean {
  const columns = CONTENT[table];
  return columns === WHOLE || (columns !== OUT && columns.includes(column));
}

/** The labels of the columns that are fields of records, by `table.column`. */
export const columnLabels: ReadonlyMap<string, string> = new Map(
  [clientSchema, formSchema, ...lookupKeys.map((key) => lookups[key].schema)].flatMap(labelsOf),
);

function labelsOf(schema: z.core.$ZodType): [string, string][] {
  const { table } = recordFacts(schema);
  return fieldsOf(schema).flatMap(({ name, facts, schema: field }): [string, string][] =>
    "table" in facts ? labelsOf(field) : [[`${table}.${columnName(name)}`, facts.label]],
  );
}
