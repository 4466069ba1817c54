import { mkdir, readFile, writeFile } from "node:fs/promises";
import { schemaDiff } from "@/lib/dev/schema-diff";

// `npm run migration -- add_something` writes prisma/migrations/<time>_add_something/migration.sql: the SQL from the
// schema of the last migration (stored as SNAPSHOT) to prisma/schema.prisma. Read, complete and commit it by hand.

const SNAPSHOT = "prisma/migrations/schema.snapshot.prisma";

const name = process.argv[2] ?? "";
if (/^[a-z0-9_]+$/.test(name)) {
  const schema = await readFile("prisma/schema.prisma", "utf8");
  const sql = await schemaDiff(await readFile(SNAPSHOT, "utf8"), schema);
  const stamp = new Date().toISOString().replace(/\D/g, "").slice(0, 14);
  const folder = `prisma/migrations/${stamp}_${name}`;
  await mkdir(folder, { recursive: true });
  await writeFile(`${folder}/migration.sql`, sql);
  await writeFile(SNAPSHOT, schema);
  console.log(`Wrote ${folder}/migration.sql. Read it before you commit it.`);
} else {
  console.error("Usage: npm run migration -- <name in lower_case>");
  process.exitCode = 1;
}
