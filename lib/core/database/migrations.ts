import "server-only";
import { createHash, randomUUID } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import type { ClientBase } from "pg";
import { PlainError } from "@/lib/core/process/plain-error";
import { PROGRAM_FOLDER } from "@/lib/core/process/program-folder";

// Compares the program's migrations with those of the database. lib/ops/migrate.ts applies missing ones.

export const MIGRATIONS = path.join(PROGRAM_FOLDER, "prisma/migrations");

export interface Migration {
  name: string;
  sql: string;
  checksum: string;
}

export type Queryable = Pick<ClientBase, "query">;

/** Returns the migrations of a folder, oldest first. */
export async function readMigrations(folder: string): Promise<Migration[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  const names = entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name);
  return Promise.all(
    names.sort().map(async (name) => {
      const sql = await readFile(path.join(folder, name, "migration.sql"), "utf8");
      return { name, sql, checksum: createHash("sha256").update(sql).digest("hex") };
    }),
  );
}

/** Returns the applied migrations, name → checksum. */
export async function readApplied(database: Queryable): Promise<Map<string, string>> {
  const { rows } = await database.query(
    "SELECT migration_name, checksum FROM _prisma_migrations WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL",
  );
  return new Map(rows.map((row) => [row.migration_name, row.checksum]));
}

/** The migration that replaces all those of the program before version 1.0.0. */
const INIT = "20261126000000_init";
/** The hash of the replaced migrations, as lines of a name and a checksum. */
const REPLACED_HASH = "450ca8b4579d0c0ad2b803c9b9b3ad4eed45fd2a42447ea3ea211818e6d10eca";
/** The program that an older database needs first, in words. */
export const PREDECESSOR = "version 0.1.0 (commit df3eb6d6)";

const isReplaced = (name: string) => name < INIT;

/**
 * Returns the applied migrations (name → checksum) with one of `migrations`, INIT, in place of those that it replaces.
 * Returns the same map if there are none of these. Throws PlainError if they are not all applied: only the program before
 * version 1.0.0 can apply the others. `subject` is what has them, in words.
 */
export function withInit(
  applied: Map<string, string>,
  migrations: readonly Migration[],
  subject: string,
): Map<string, string> {
  const init = migrations.find(({ name }) => name === INIT);
  const replaced = [...applied].filter(([name]) => isReplaced(name)).sort();
  if (!init || replaced.length === 0) return applied;
  const lines = replaced.map(([name, checksum]) => `${name} ${checksum}\n`);
  if (createHash("sha256").update(lines.join("")).digest("hex") !== REPLACED_HASH) {
    throw new PlainError(
      `${subject} is older than this version can upgrade. First start ${PREDECESSOR} with it, then this version.`,
    );
  }
  const later = [...applied].filter(([name]) => !isReplaced(name));
  return new Map([[INIT, init.checksum], ...later]);
}

/** Records INIT in place of the migrations that it replaces. */
export async function recordInit(database: Queryable, applied: Map<string, string>): Promise<void> {
  await database.query("BEGIN");
  await database.query('DELETE FROM _prisma_migrations WHERE migration_name COLLATE "C" < $1', [INIT]);
  await recordMigration(database, INIT, applied.get(INIT) ?? "");
  await database.query("COMMIT");
}

/** Records a migration as applied. */
export const recordMigration = (database: Queryable, name: string, checksum: string) =>
  database.query(
    "INSERT INTO _prisma_migrations (id, checksum, migration_name, finished_at, applied_steps_count) VALUES ($1, $2, $3, now(), 1)",
    [randomUUID(), checksum, name],
  );

let programMigrations: Migration[] | undefined;

/** True if the database has exactly the program's migrations, as they were at the first call. */
export async function migrationsCurrent(database: Queryable): Promise<boolean> {
  programMigrations ??= await readMigrations(MIGRATIONS);
  const migrations = programMigrations;
  const applied = await readApplied(database);
  return (
    migrations.length === applied.size &&
    migrations.every(({ name, checksum }) => applied.get(name) === checksum)
  );
}
