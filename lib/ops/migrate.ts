import "server-only";
import {
  MIGRATIONS,
  type Migration,
  type Queryable,
  readApplied,
  readMigrations,
  recordInit,
  recordMigration,
  withInit,
} from "@/lib/core/database/migrations";
import { PlainError } from "@/lib/core/process/plain-error";

// Applies prisma/migrations and maintains Prisma's own record of them, the table _prisma_migrations, so that `prisma
// migrate deploy` remains usable. Unlike Prisma, it runs a migration and its record in one transaction. So a killed run
// leaves nothing to repair by hand. So a migration contains no BEGIN, COMMIT or CONCURRENTLY.

const RECORD = `CREATE TABLE IF NOT EXISTS _prisma_migrations (
  id varchar(36) PRIMARY KEY,
  checksum varchar(64) NOT NULL,
  finished_at timestamptz,
  migration_name varchar(255) NOT NULL,
  logs text,
  rolled_back_at timestamptz,
  started_at timestamptz NOT NULL DEFAULT now(),
  applied_steps_count integer NOT NULL DEFAULT 0
)`;

/**
 * Applies missing migrations, or only those in `wanted` if given, and reports them. The caller holds the start lock
 * (lib/ops/prepare.ts).
 */
export async function migrate(
  database: Queryable,
  folder = MIGRATIONS,
  wanted: (name: string) => boolean = () => true,
): Promise<string[]> {
  await database.query(RECORD);
  const migrations = await readMigrations(folder);
  const recorded = await readApplied(database);
  const applied = withInit(recorded, migrations, "The database");
  if (applied !== recorded) await recordInit(database, applied);

  const unknown = [...applied.keys()].filter(
    (name) => !migrations.some((migration) => migration.name === name),
  );
  if (unknown.length > 0) {
    throw new PlainError(`The database is newer than this program: it has ${unknown.join(", ")}.`);
  }
  const missing: Migration[] = [];
  for (const migration of migrations.filter(({ name }) => wanted(name))) {
    const checksum = applied.get(migration.name);
    if (checksum === undefined) missing.push(migration);
    else if (checksum !== migration.checksum) {
      throw new PlainError(
        `Migration ${migration.name} was changed after it had been applied. Add a new one instead.`,
      );
    }
  }
  for (const { name, sql, checksum } of missing) {
    // Behind a pooler, the program's role has a time limit (`applySettings`), and may also be the role that migrates.
    await database.query("BEGIN; SET LOCAL statement_timeout = 0");
    try {
      await database.query(sql);
      await recordMigration(database, name, checksum);
      await database.query("COMMIT");
    } catch (error) {
      await database.query("ROLLBACK");
      throw new PlainError(
        `Migration ${name} failed and changed nothing: ${error instanceof Error ? error.message : error}`,
      );
    }
  }
  return missing.map((migration) => migration.name);
}
