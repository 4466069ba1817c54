import "server-only";
import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import type { ClientBase } from "pg";
import { PROGRAM_FOLDER } from "@/lib/core/server/program-folder";

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

let programMigrations: Migration[] | undefined;

/** True if the database has exactly the program's migrations, as they were at the first call. */
export async function migrationsCurrent(database: Queryable): Promise<boolean> {
  programMigrations ??= await readMigrations(MIGRATIONS);
  const [migrations, applied] = [programMigrations, await readApplied(database)];
  return (
    migrations.length === applied.size &&
    migrations.every(({ name, checksum }) => applied.get(name) === checksum)
  );
}
