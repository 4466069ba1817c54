import { mkdir, readFile, writeFile } from "node:fs/promises";
import { schemaDiff } from "@/lib/dev/schema-diff";

// `npm run migration -- add_something` writes prisma/migrations/<time>_add_something/migration.sql: the SQL from the
// schema of the last migration (stored as SNAPSHOT) to prisma/schema.prisma. Read, complete and commit it by hand. `npm
// run migration -- --print` prints the whole schema as SQL and writes nothing.

const SCHEMA = "prisma/schema.prisma";
const SNAPSHOT = "prisma/migrations/schema.snapshot.prisma";

const argument = process.argv[2] ?? "";
const schema = await readFile(SCHEMA, "utf8");

if (argument === "--print") {
  console.log(await schemaDiff(null, schema));
} else if (/^[a-z0-9_]+$/.test(argument)) {
  const sql = await schemaDiff(await readFile(SNAPSHOT, "utf8").catch(() => null), schema);
  const stamp = new Date().toISOString().replace(/\D/g, "").slice(0, 14);
  const folder = `prisma/migrations/${stamp}_${argument}`;
  await mkdir(folder, { recursive: true });
  await writeFile(`${folder}/migration.sql`, sql);
  await writeFile(SNAPSHOT, schema);
  console.log(`Wrote ${folder}/migration.sql. Read it before you commit it.`);
} else {
  console.error("Usage: npm run migration -- <name in lower_case>   (or --print)");
  process.exitCode = 1;
}
