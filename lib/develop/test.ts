import { spawn } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { ensureChromium } from "@/lib/develop/chromium";
import { playwrightTally, type Tally } from "@/lib/develop/tally";
import { ensureBuild, ensurePrismaClient } from "@/lib/operate/stale";

// `npm test`: every check and every test, in the order that fails soonest; all run, whatever failed before.
// It ends with what failed, in words, and the line "N passed, N failed". A test that was skipped counts as failed.
// `npm test -- --pooler`: the unit and integration tests alone, through the PgBouncer of this machine. It is a run of
// its own, because it needs that program; what the pooler must not see is held without one by tests/pooler.test.ts.
// The tests make their own databases; what the caller's environment names is kept from them.

for (const name of [
  ...["DATABASE_URL", "DATABASE_OWNER_URL", "DATABASE_REPLICA_URL", "DATABASE_POOLER", "DATA_DIR"],
  ...["APP_URL", "PORT", "AUTH_SECRET", "OIDC_ISSUER", "OIDC_ONLY", "SMTP_URL", "SENTRY_DSN"],
  ...["REFUSE_COMMON_PASSWORDS", "ALLOW_OWN_RECONCILE", "SHOW_COLLEAGUES_FORMS"],
]) {
  delete process.env[name];
}

const reports = await mkdtemp(path.join(tmpdir(), "casebook-reports-"));
const pooler = process.argv.includes("--pooler");
const total: Tally = { passed: 0, failures: [] };

await step("Prisma client", ensurePrismaClient);
await step("production build", ensureBuild);
if (pooler) {
  await suite("unit and integration tests through PgBouncer", () => integration({ TEST_POOLER: "1" }));
} else {
  await step("types", () => bin("typescript/bin/tsc", ["--noEmit"]));
  await step("lint and format", () => bin("@biomejs/biome/bin/biome", ["check", "--error-on-warnings"]));
  await suite("unit and integration tests", () => integration());
  await suite("browser tests", browser);
}

await rm(reports, { recursive: true, force: true });
for (const failure of total.failures) console.log(`\nFAILED ${failure}`);
console.log(`${total.passed} passed, ${total.failures.length} failed`);
process.exitCode = total.failures.length > 0 ? 1 : 0;

async function integration(env: Record<string, string> = {}): Promise<Tally> {
  const file = path.join(reports, "vitest.json");
  const reporters = ["--reporter=default", "--reporter=./lib/develop/vitest-tally.ts"];
  return tallyOf("vitest/vitest.mjs", ["run", ...reporters], { ...env, TALLY_FILE: file }, async () =>
    JSON.parse(await readFile(file, "utf8")),
  );
}

async function browser(): Promise<Tally> {
  const file = path.join(reports, "playwright.json");
  const env = { PLAYWRIGHT_CHROMIUM: await ensureChromium(), PLAYWRIGHT_JSON_OUTPUT_NAME: file };
  return tallyOf("@playwright/test/cli.js", ["test", "--reporter=list,json"], env, async () =>
    playwrightTally(JSON.parse(await readFile(file, "utf8"))),
  );
}

/** Runs a runner of tests and reads its tally. A runner that failed although all its tests passed is a failure. */
async function tallyOf(
  program: string,
  args: string[],
  env: Record<string, string>,
  read: () => Promise<Tally>,
): Promise<Tally> {
  const ended = await bin(program, args, env).then(
    () => null,
    (error: Error) => error.message,
  );
  const tally = await read();
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
  let tally: Tally;
  try {
    tally = await work();
  } catch (error) {
    tally = { passed: 0, failures: [error instanceof Error ? error.message : String(error)] };
  }
  if (tally.passed + tally.failures.length === 0) tally.failures.push("there are no tests");
  total.passed += tally.passed;
  total.failures.push(...tally.failures.map((failure) => `${name}: ${failure}`));
  console.log(`— ${name}: ${tally.failures.length === 0 ? "passed" : "FAILED"}`);
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
