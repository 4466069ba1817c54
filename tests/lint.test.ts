import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { recordKeys, records } from "@/lib/records/registry";

// The rules in biome.json and lib/dev/lint/ that no type can express. The linter runs once, on a file per
// planted mistake.

const ROOT = path.resolve(import.meta.dirname, "..");
const BIOME = path.join(ROOT, "node_modules/@biomejs/biome/bin/biome");

const read = (statement: string) => `
import { visibleFormsWhere } from "@/lib/core/access/scope";
import { rows } from "@/lib/core/database/client";
import { sql } from "@/lib/core/sql";
export const found = (actor, id) => [visibleFormsWhere(actor), rows(sql\`${statement}\`), id];`;

const NO_CONDITION = "This reads records that the actor may not see";
const READS = [
  ["all forms", "SELECT id FROM forms WHERE id = 1"],
  ["stays", "SELECT st.id FROM stays st"],
  ...recordKeys.map((key) => [`the table ${key}`, `SELECT r.id FROM ${key} r`] as const),
  ["clients by a join", "SELECT c.name FROM client_holds h\n  JOIN clients c ON c.id = h.client_id"],
  ["forms in a part of a statement", "SELECT 1 WHERE EXISTS (SELECT FROM forms f WHERE f.id = 1)"],
  ["forms to change them", "UPDATE forms SET reconciled = true"],
  ["forms in lower case", "select id from forms where id = 1"],
  ["forms in quotation marks", `SELECT id FROM "forms" WHERE id = 1`],
  ["forms behind a comma", "SELECT f.id FROM form_types t, forms f WHERE f.form_type_id = t.id"],
  ["forms behind an identifier", `SELECT id FROM \${identifier("forms")} WHERE id = 1`],
  ["groups", "SELECT g.name FROM groups g"],
  ["the people of sessions", "SELECT a.client_id FROM group_sessions s JOIN attendances a ON TRUE"],
  ["rosters", "SELECT client_id FROM group_clients"],
  ["forms of a named schema", "SELECT id FROM public.forms WHERE id = 1"],
  ["clients of a schema in quotation marks", `SELECT c.id FROM roles, "public"."clients" c`],
  ["whole forms", "TABLE forms"],
  [
    "forms with the condition in a comment only",
    "SELECT id FROM forms WHERE id = 1 -- visible, see visibleFormsWhere",
  ],
] as const;
const FINE = [
  `SELECT f.id FROM forms f WHERE f.id = 1 AND \${visibleFormsWhere(actor)}`,
  `SELECT f.id FROM forms f WHERE \${withoutActor("all are counted")}`,
  "SELECT id FROM form_types WHERE id = 1",
] as const;
const UNFILTERED = [
  ...recordKeys.map((key) => `export const leak = (tx) => tx.${records[key].entity}.findFirst();`),
  "export const leak = (tx) => tx.form.findMany({ where: { id: 1 } });",
  'import { db } from "@/lib/core/database/client";\nexport const leak = () => db().client.update({ where: { id: 1 }, data: {} });',
  "export const leak = (tx) => tx.user.findMany({ where: { id: 1 }, include: { forms: true } });",
  "export const leak = (tx) => tx.clientHold.findFirst({ where: { clientId: 1 }, select: { client: { select: { name: true } } } });",
  "export const leak = (tx) => tx.user.findMany({ select: { _count: { select: { reconciledForms: true } } } });",
] as const;
const FILTERED = [
  'export const fine = (tx) => tx.contact.count({ where: allRows("all are counted") });',
  "export const fine = (tx) => tx.clientHold.findFirst({ where: { clientId: 1 } });",
  "export const fine = (tx) => tx.clientHold.findFirst({ where: { clientId: 1 }, select: { clientId: true } });",
] as const;
const RAW = [
  ["export const leak = (tx, text) => tx.$queryRawUnsafe(text);", "with the sql tag"],
  ["export const leak = (tx) => tx.$queryRaw`SELECT id FROM forms`;", NO_CONDITION],
  ["export const leak = (Prisma, name) => Prisma.raw(name);", "identifier() or constant()"],
  ['import pg from "pg";\nexport const leak = () => new pg.Client();', "Only lib/core/database talks"],
  ['import { pool } from "@/lib/core/database/client";\nexport const leak = () => pool();', "Use rows()"],
] as const;

/** The modules in their order, as the rule has them. */
const [, inRule = ""] =
  /\$order = \[([^\]]*)\]/.exec(readFileSync(path.join(ROOT, "lib/dev/lint/direction.grit"), "utf8")) ?? [];
const ORDER = [...inRule.matchAll(/"([\w-]+)"/g)].map(([, module = ""]) => module);
/** The folders of lib that are no modules: the tools, and code that is generated. */
const OUTSIDE = ["dev", "generated", "ops"];
/** Each module with the next one, with the files right in lib/ that know all modules, and with the tools. */
const UPWARD = [
  ...ORDER.slice(1).map((module, index) => [ORDER[index], `@/lib/${module}/schema`] as const),
  // The last one is made from these files.
  ...ORDER.slice(0, -1).map((module) => [module, "@/lib/paths"] as const),
  ...ORDER.map((module) => [module, "@/lib/ops/start"] as const),
  [".", "@/lib/description/document"] as const,
];
const upwardFile = (module = "", from = "") =>
  path.join("lib", module, `from${from.replaceAll(/\W+/g, "-")}.ts`);

const texts = [
  ...READS.map(([, statement]) => read(statement)),
  ...FINE.map(read),
  ...UNFILTERED,
  ...FILTERED,
  ...RAW.map(([text]) => text),
];
const fileOf = (text: string) => `lib/forms/planted${texts.indexOf(text)}.ts`;

const folder = mkdtempSync(path.join(tmpdir(), "lint-"));
let lines: string[] = [];
/** Returns the linter's output about the file with this text. */
const outputFor = (text: string) => lines.filter((line) => line.includes(`${fileOf(text)},`)).join("\n");

beforeAll(() => {
  cpSync(path.join(ROOT, "biome.json"), path.join(folder, "biome.json"));
  cpSync(path.join(ROOT, "lib/dev/lint"), path.join(folder, "lib/dev/lint"), { recursive: true });
  mkdirSync(path.join(folder, "lib/forms"), { recursive: true });
  for (const text of texts) writeFileSync(path.join(folder, fileOf(text)), text);
  for (const module of ORDER) mkdirSync(path.join(folder, "lib", module), { recursive: true });
  for (const [module, from] of UPWARD)
    writeFileSync(path.join(folder, upwardFile(module, from)), `export { what } from "${from}";\n`);
  const { stdout } = spawnSync(process.execPath, [BIOME, "lint", "--reporter=github", "lib"], {
    cwd: folder,
  });
  lines = String(stdout).split("\n");
});
afterAll(() => rmSync(folder, { recursive: true }));

describe("the linter", () => {
  test.each(READS)(
    "refuses SQL that reads %s without a condition of lib/core/access/scope.ts",
    (_, statement) => {
      expect(outputFor(read(statement))).toContain(NO_CONDITION);
    },
  );

  test.each(FINE)("accepts %s", (statement) => {
    expect(outputFor(read(statement))).not.toContain(NO_CONDITION);
  });

  test.each(UNFILTERED)("refuses %s without a filter of lib/core/access/scope.ts", (text) => {
    expect(outputFor(text)).toContain(NO_CONDITION);
  });

  test.each(FILTERED)("accepts %s", (text) => {
    expect(outputFor(text)).toBe("");
  });

  test.each(RAW)("refuses %s", (text, reason) => {
    expect(outputFor(text)).toContain(reason);
  });

  test("knows the place of every module", () => {
    const folders = readdirSync(path.join(ROOT, "lib"), { withFileTypes: true }).filter((entry) =>
      entry.isDirectory(),
    );
    expect([...ORDER, ...OUTSIDE].sort()).toEqual(folders.map(({ name }) => name).sort());
  });

  test.each(UPWARD)("refuses in lib/%s the import of %s, which is higher", (module, from) => {
    const reported = lines.filter((line) => line.includes(`${upwardFile(module, from)},`)).join("\n");
    expect(reported).toContain("A lower module of lib imports from a higher one");
  });
});
