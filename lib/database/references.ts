import "server-only";
import type { z } from "zod";
import { invalidFields } from "@/lib/api/errors";
import type { Tx } from "@/lib/database/client";
import { fieldsOf, isNested } from "@/lib/fields/facts";
import { problemSentence } from "@/lib/fields/validation";
import { isRecord, wirePath } from "@/lib/fields/wire";

/** Which table a field of this name points to, wherever it stands in a body. */
const TABLES: Record<string, string> = {
  ageBracketId: "age_brackets",
  ethnicityId: "ethnicities",
  formTypeId: "form_types",
  canineId: "canines",
  clientId: "clients",
  referralSourceId: "referral_sources",
  educationLevelId: "education_levels",
  incomeLevelId: "income_levels",
  custodyStatusId: "custody_statuses",
  hateCrimeCategoryId: "hate_crime_categories",
  offenderRelationshipId: "offender_relationships",
  pfaCourtContactTypeId: "pfa_court_contact_types",
  magisterialCourtOutcomeId: "magisterial_court_outcomes",
  secondaryVictimizationIds: "secondary_victimizations",
  serviceCodeId: "service_codes",
  formTypeIds: "form_types",
  roleId: "roles",
  permissionIds: "permissions",
};

type Reference = { path: string; table: string; id: number };

/** What `value` points to, by the facts of its schema. */
export function* referencesOf(schema: z.core.$ZodType, value: unknown, path: string): Generator<Reference> {
  if (Array.isArray(value)) {
    for (const [index, row] of value.entries()) yield* referencesOf(schema, row, `${path}.${index}`);
  } else if (isRecord(value)) {
    for (const { name, facts, schema: field } of fieldsOf(schema)) {
      const [inner, at] = [value[name], `${path}.${name}`];
      if (isNested(facts)) yield* referencesOf(field, inner, at);
      else if ("list" in facts)
        for (const id of [inner].flat())
          if (typeof id === "number") yield { path: at, table: facts.list, id };
    }
  }
}

/** The SQL of a JSON list of those references' "table id" that exist. `bind` takes a value and answers its placeholder. */
export function existingSql(references: readonly Reference[], bind: (value: unknown) => string): string {
  const tables = [...new Set(references.map(({ table }) => table))];
  const found = tables.map((table) => {
    const ids = references.filter((reference) => reference.table === table).map(({ id }) => id);
    return `SELECT '${table} ' || id AS known FROM ${table} WHERE id = ANY(${bind(ids)}::int[])`;
  });
  return tables.length === 0
    ? "'[]'::json"
    : `(SELECT json_agg(known) FROM (${found.join(" UNION ALL ")}) AS found)`;
}

/** Problems by plain path: those references that are not among the `known`. */
export function missingReferences(references: Iterable<Reference>, known: readonly string[] | null) {
  const existing = new Set(known);
  const missing = [...references].filter(({ table, id }) => !existing.has(`${table} ${id}`));
  return Object.fromEntries(missing.map(({ path }) => [path, "does not exist"]));
}

function* referencesIn(value: unknown, path: string): Generator<Reference> {
  if (typeof value !== "object" || value === null) return;
  for (const [key, inner] of Object.entries(value)) {
    const table = Object.hasOwn(TABLES, key) ? TABLES[key] : undefined;
    const at = `${path}.${key}`;
    if (!table) yield* referencesIn(inner, at);
    else for (const id of [inner].flat()) if (typeof id === "number") yield { path: at, table, id };
  }
}

/** Throws 422 that names every field of `body` (under `root`) that points to a record that does not exist. */
export async function checkReferences(tx: Tx, root: string, body: unknown): Promise<void> {
  const references = [...referencesIn(body, root)];
  const tables = [...new Set(references.map(({ table }) => table))];
  if (tables.length === 0) return;
  // Table names come from the constant above, ids travel as parameters.
  const sql = tables.map(
    (table, i) => `SELECT '${table}' AS "table", id FROM ${table} WHERE id = ANY($${i + 1}::int[])`,
  );
  const ids = tables.map((table) =>
    references.filter((reference) => reference.table === table).map(({ id }) => id),
  );
  const found = await tx.$queryRawUnsafe<{ table: string; id: number }[]>(sql.join(" UNION ALL "), ...ids);
  const known = new Set(found.map(({ table, id }) => `${table} ${id}`));
  const missing = references.filter(({ table, id }) => !known.has(`${table} ${id}`));
  if (missing.length === 0) return;
  throw invalidFields(
    Object.fromEntries(missing.map(({ path }) => [wirePath(path), problemSentence(path, "does not exist")])),
  );
}
