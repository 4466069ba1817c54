import "server-only";
import { invalidFields } from "@/lib/api/errors";
import type { Tx } from "@/lib/database/client";
import { problemSentence } from "@/lib/fields/validation";
import { wirePath } from "@/lib/fields/wire";

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
