import "server-only";
import { type Query, rows } from "@/lib/core/database/client";
import { hasCustomValue } from "@/lib/core/fields/custom";
import {
  adoptDefinitions,
  currentDefinitions,
  type Definitions,
  REMOVED_MAX,
} from "@/lib/core/fields/definitions";
import { constant, type Sql, sql } from "@/lib/core/sql";

/** A database without definitions may have no row. */
const VERSION = sql`COALESCE((SELECT version FROM field_definitions), 0)`;

/** SQL for the version of the definitions, which the statement of every session or token also reads. */
export const DEFINITIONS_VERSION: Sql = sql`${VERSION} AS "definitionsVersion"`;

/** Returns the definitions that the database holds, in one statement. */
export async function readDefinitions(query: Query = rows): Promise<Definitions> {
  const [definitions] = await query<Definitions>(sql`
    SELECT ${VERSION} AS version,
      (SELECT COALESCE(json_agg(json_build_object('id', f.id, 'key', f.name, 'record', f.record, 'section', f.section,
          'label', f.label, 'hint', f.hint, 'kind', f.kind, 'requiredFrom', f.required_from, 'sensitive', f.sensitive,
          'retiredFrom', f.retired_from, 'lockVersion', f.lock_version,
          'formTypeIds', ARRAY(SELECT t.form_type_id FROM custom_field_form_types t WHERE t.custom_field_id = f.id ORDER BY 1),
          'choices', (SELECT COALESCE(json_agg(json_build_object('id', c.id, 'label', c.label, 'retiredFrom', c.retired_from)
            ORDER BY c.position, c.id), '[]') FROM custom_choices c WHERE c.custom_field_id = f.id)
        ) ORDER BY f.id), '[]') FROM custom_fields f WHERE NOT f.removed) AS fields,
      (SELECT COALESCE(json_agg(json_build_object('key', f.name, 'record', f.record, 'label', f.label) ORDER BY f.id), '[]')
        FROM (SELECT * FROM custom_fields WHERE removed ORDER BY updated_at DESC, id DESC LIMIT ${constant(REMOVED_MAX)}) AS f
      ) AS removed,
      (SELECT COALESCE(json_agg(json_build_object('path', s.path, 'hidden', s.hidden, 'label', s.label, 'hint', s.hint,
          'requiredFrom', s.required_from) ORDER BY s.path), '[]') FROM field_settings s) AS settings,
      COALESCE((SELECT field_order FROM field_definitions), '{}') AS "order"`);
  if (!definitions) throw new Error("A SELECT without FROM returns a row");
  return definitions;
}

/**
 * Loads the definitions unless this process holds those of `version`. In a transaction, `query` must be its own: another
 * connection may not be free while others wait for this one.
 */
export async function ensureDefinitions(version: number, query?: Query): Promise<void> {
  while (currentDefinitions().version !== version) {
    const before = currentDefinitions();
    const definitions = await readDefinitions(query);
    // If others were adopted meanwhile, these may be older.
    if (currentDefinitions() === before) return adoptDefinitions(definitions);
  }
}

/**
 * Loads the definitions and locks them against changes until the transaction of `query` ends. The removal of a field waits
 * for it, and then sees the values that the transaction wrote.
 */
export async function holdDefinitions(query: Query): Promise<void> {
  const [row] = await query<{ version: number }>(sql`SELECT version FROM field_definitions FOR SHARE`);
  await ensureDefinitions(row?.version ?? 0, query);
}

/** Does the same if `custom` has a value to store. */
export async function holdDefinitionsFor(query: Query, custom: object | null | undefined): Promise<void> {
  if (Object.values(custom ?? {}).some(hasCustomValue)) await holdDefinitions(query);
}

/** Loads the definitions for work without a session. */
export async function loadDefinitions(): Promise<void> {
  const [row] = await rows<{ definitionsVersion: number }>(sql`SELECT ${DEFINITIONS_VERSION}`);
  if (row) await ensureDefinitions(row.definitionsVersion);
}
