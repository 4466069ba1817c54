import { spawn } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { environmentVariables } from "@/lib/core/process/env";
import { ensureChromium } from "@/lib/dev/browsers";
import { ensureBuild, ensurePrismaClient } from "@/lib/ops/stale";

// `npm test` runs every check and every test, whatever fails. It ends with a list of failures in words, and the line
// "N passed, N failed". A skipped test counts as failed.
// `npm test -- PART…` runs only these parts, `npm test -- FILE…` only these files of tests/ or e2e/.
// `npm test -- --pooler` runs only the unit and integration tests, through this machine's PgBouncer. That is a separate
// run, because it needs PgBouncer. tests/pooler.test.ts checks without one that the pooler sees no names or settings.
// The tests make their own databases and ignore the caller's environment.

/** The result of a test run: the number of tests that passed, and each failure in words. A skipped test is a failure. */
export type Tally = { passed: number; failures: string[] };

const PARTS = ["types", "lint", "unit", "integration", "e2e"] as const;
type Part = (typeof PARTS)[number];
const isPart = (name: string): name is Part => PARTS.some((part) => part === name);

for (const name of Object.keys(environmentVariables)) delete process.env[name];

const reports = await mkdtemp(path.join(tmpdir(), "lanternbook-reports-"));
const pooler = process.argv.includes("--pooler");
const total: Tally = { passed: 0, failures: [] };

const args = process.argv.slice(2).filter((arg) => arg !== "--pooler");
const parts = args.filter(isPart);
const files = args.filter((arg) => !isPart(arg));

await step("Prisma client", ensurePrismaClient);
if (pooler) {
  await suite("unit and integration tests through PgBouncer", () => vitest([], { TEST_POOLER: "1" }));
} else if (files.length > 0) {
  const specs = files.filter((file) => file.includes(".spec."));
  const tests = files.filter((file) => !specs.includes(file));
  if (tests.length > 0) await suite("unit and integration tests", () => vitest(tests));
  if (specs.length > 0) {
    await build();
    await suite("browser tests", () => browser(specs));
  }
} else {
  await run(new Set<Part>(parts.length > 0 ? parts : PARTS));
}

await rm(reports, { recursive: true, force: true });
for (const failure of total.failures) console.log(`\nFAILED ${failure}`);
console.log(`${total.passed} passed, ${total.failures.length} failed`);
process.exitCode = total.failures.length > 0 ? 1 : 0;

/**
 * Runs checks and build side by side, then Vitest, then the browser. With more at once, pages time out on two cores.
 */
async function run(wanted: ReadonlySet<Part>): Promise<void> {
  const projects = (["unit", "integration"] as const).filter((part) => wanted.has(part));
  const needsBuild = wanted.has("integration") || wanted.has("e2e");
  await Promise.all([checks(wanted), needsBuild && build()]);
  if (projects.length > 0) {
    await suite(`${projects.join(" and ")} tests`, () => vitest(projects.map((name) => `--project=${name}`)));
  }
  if (wanted.has("e2e")) await suite("browser tests", () => browser());
}

function build(): Promise<void> {
  return step("production build", ensureBuild);
}

async function checks(wanted: ReadonlySet<Part>): Promise<void> {
  if (wanted.has("types")) await step("types", () => bin("typescript/bin/tsc", ["--noEmit"]));
  if (wanted.has("lint"))
    await step("lint and format", () => bin("@biomejs/biome/bin/biome", ["check", "--error-on-warnings"]));
}

function vitest(args: string[], env: Record<string, string> = {}): Promise<Tally> {
  const reporters = ["--reporter=default", "--reporter=./tests/reporters/vitest.ts"];
  return tallyOf("vitest/vitest.mjs", ["run", ...reporters, ...args], env);
}

function browser(specs: string[] = []): Promise<Tally> {
  const reporters = "--reporter=list,./tests/reporters/playwright.ts";
  const env = { PLAYWRIGHT_CHROMIUM: ensureChromium() ?? "" };
  return tallyOf("@playwright/test/cli.js", ["test", reporters, ...specs], env);
}

/**
 * Runs a test runner and returns the tally that its reporter writes. A runner that failed although all its tests passed
 * is a failure.
 */
async function tallyOf(program: string, args: string[], env: Record<string, string>): Promise<Tally> {
  const file = path.join(reports, "tally.json");
  await rm(file, { force: true });
  const ended = await bin(program, args, { ...env, TALLY_FILE: file }).then(
    () => null,
    (error: Error) => error.message,
  );
  const written = await readFile(file, "utf8").catch(() => null);
  const tally: Tally = written === null ? { passed: 0, failures: [] } : JSON.parse(written);
  if (ended && tally.failures.length === 0) tally.failures.push(ended);
  return tally;
}

/** A check that passes or fails as a whole. */
async function step(name: string, work: () => Promise<unknown>): Promise<void> {
  await suite(name, async () => {
    await work();
    return { passed: 1, failures: [] };
  });
}

/** A run of many tests; a run without any tests has failed. */
async function suite(name: string, work: () => Promise<Tally>): Promise<void> {
  console.log(`\n— ${name}`);
  const start = performance.now();
  let tally: Tally;
  try {
    tally = await work();
  } catch (error) {
    tally = { passed: 0, failures: [error instanceof Error ? error.message : String(error)] };
  }
  if (tally.passed + tally.failures.length === 0) tally.failures.push("there are no tests");
  total.passed += tally.passed;
  total.failures.push(...tally.failures.map((failure) => `${name}: ${failure}`));
  const seconds = Math.round((performance.now() - start) / 1000);
  console.log(`— ${name}: ${tally.failures.length === 0 ? "passed" : "FAILED"} after ${seconds} s`);
}

/** Runs a program of node_modules and shows its output; rejects if it fails. */
function bin(program: string, args: string[], env: Record<string, string> = {}): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [path.join("node_modules", program), ...args], {
      env: { ...process.env, ...env },
      stdio: ["ignore", "inherit", "inherit"],
    });
    child.on("error", reject);
    child.on("close", (code) =>
      code === 0 ? resolve() : reject(new Error(`${program} ended with code ${code}`)),
    );
  });
}
