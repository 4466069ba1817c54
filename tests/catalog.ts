import type { Queryable } from "@/lib/core/database/migrations";

/**
 * One statement for each part of a catalog. Columns count in their order, without the gaps that removed ones leave. The
 * names of NOT NULL constraints do not count, because a renamed column keeps the former one.
 */
const PARTS = {
  extension: "SELECT extname AS text FROM pg_extension",
  relation: `SELECT concat_ws(' ', relname, relkind, relpersistence, reloptions, pg_get_expr(relpartbound, oid), relacl) AS text
    FROM pg_class WHERE relnamespace = 'public'::regnamespace`,
  column: `SELECT concat_ws(' ', c.relname, row_number() OVER (PARTITION BY c.oid ORDER BY attnum), attname,
      format_type(atttypid, atttypmod), l.collname, CASE WHEN attnotnull THEN 'NOT NULL' END,
      attgenerated, pg_get_expr(adbin, adrelid), attstattarget, attstorage, attacl) AS text
    FROM pg_attribute a JOIN pg_class c ON c.oid = attrelid LEFT JOIN pg_attrdef ON adrelid = attrelid AND adnum = attnum
      LEFT JOIN pg_collation l ON l.oid = attcollation
    WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND attnum > 0 AND NOT attisdropped`,
  constraint: `SELECT concat_ws(' ', conrelid::regclass, conname, convalidated, pg_get_constraintdef(oid)) AS text
    FROM pg_constraint WHERE connamespace = 'public'::regnamespace AND contype <> 'n'`,
  index: `SELECT concat_ws(' ', pg_get_indexdef(indexrelid), indisvalid) AS text
    FROM pg_index JOIN pg_class c ON c.oid = indrelid WHERE relnamespace = 'public'::regnamespace`,
  sequence: `SELECT concat_ws(' ', s.sequencename, data_type, start_value, increment_by, d.refobjid::regclass, d.refobjsubid) AS text
    FROM pg_sequences s LEFT JOIN pg_depend d ON d.objid = s.sequencename::regclass AND d.deptype = 'a'
    WHERE schemaname = 'public'`,
  function: `SELECT concat_ws(' ', pg_get_functiondef(p.oid), proacl) AS text FROM pg_proc p
    WHERE pronamespace = 'public'::regnamespace AND NOT EXISTS (SELECT FROM pg_depend WHERE objid = p.oid AND deptype = 'e')`,
  trigger:
    "SELECT concat_ws(' ', pg_get_triggerdef(oid), tgenabled) AS text FROM pg_trigger WHERE NOT tgisinternal",
};

/** Returns a database's extensions, tables, columns, constraints, indexes, sequences, functions, triggers, and grants. */
export async function catalogOf(client: Queryable): Promise<string[]> {
  const lines: string[] = [];
  for (const [part, statement] of Object.entries(PARTS)) {
    const { rows } = await client.query<{ text: string }>(statement);
    lines.push(...rows.map(({ text }) => `${part} ${text}`));
  }
  return lines.sort();
}
