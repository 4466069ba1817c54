import { execFileSync } from "node:child_process";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { schemaDiff } from "@/lib/dev/schema-diff";

// `npm run migration -- add_something` writes prisma/migrations/<time>_add_something/migration.sql: the SQL from the
// schema of the last migration to prisma/schema.prisma. Read, complete and commit it by hand.

const SCHEMA = "prisma/schema.prisma";
const MIGRATIONS = "prisma/migrations";

const git = (...args: string[]) => execFileSync("git", args, { encoding: "utf8" }).trim();

const name = process.argv[2] ?? "";
if (!/^[a-z0-9_]+$/.test(name)) fail("Usage: npm run migration -- <name in lower_case>");
// Git knows the former schema only if each migration was committed together with its schema.
else if (git("status", "--porcelain", "--", MIGRATIONS))
  fail(`Commit the new migration first, together with ${SCHEMA}. Or remove it, and run this again.`);
else await write();

async function write(): Promise<void> {
  const commit = git("log", "-1", "--format=%H", "--", MIGRATIONS);
  const former = git("show", `${commit}:${SCHEMA}`);
  const sql = await schemaDiff(former, await readFile(SCHEMA, "utf8"));
  const stamp = new Date().toISOString().replace(/\D/g, "").slice(0, 14);
  const folder = `${MIGRATIONS}/${stamp}_${name}`;
  await mkdir(folder, { recursive: true });
  await writeFile(`${folder}/migration.sql`, sql);
  console.log(`Wrote ${folder}/migration.sql. Read it before you commit it.`);
}

function fail(message: string): void {
  console.error(message);
  process.exitCode = 1;
}
