import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import path from "node:path";
import { inspect } from "node:util";
import { EnvError, parseEnv, type StartEnv } from "@/lib/core/process/env";
import { flushReports } from "@/lib/core/process/error-reports";
import { keepLogIn } from "@/lib/core/process/kept-log";
import { alarmLog, log, logConsole, logError } from "@/lib/core/process/log";
import { SERVER_VARIABLE } from "@/lib/core/process/own-server";
import { PlainError } from "@/lib/core/process/plain-error";
import { PRACTICE_VARIABLE } from "@/lib/core/process/practice";
import { PROGRAM_FOLDER } from "@/lib/core/process/program-folder";
import { loadEnvironment } from "@/lib/core/process/secret-files";
import { type HttpServer, listen } from "@/lib/core/server/http";
import { DEMO } from "@/lib/ops/demo";
import { type Cluster, startCluster } from "@/lib/ops/embedded";
import { PROGRAM_ROLE } from "@/lib/ops/embedded-process";
import { applyPracticeSettings, endAtNight, supervise } from "@/lib/ops/practice";
import { ensureSecret } from "@/lib/ops/secret";
import * as paths from "@/lib/paths";

// The server of `npm start`, from the build, and of `npm run dev` (dev.ts), from the sources. Each step creates only
// missing parts, so the start can be repeated. With --no-env-file it ignores .env, as the browser tests need. With
// --practice it runs in practice mode (practice.ts).

const DRAIN_SECONDS = 10;

const NOT_PROTECTED =
  "The role of DATABASE_URL can change the audit trail: set DATABASE_OWNER_URL (docs/operate/configure.md).";

const dev = process.argv.includes("--dev");
const practice = process.argv.includes("--practice");
const say = (line: string) => console.log(line);

let http: HttpServer | undefined;
let cluster: Cluster | undefined;
let closing: Promise<void> | undefined;
const closers: (() => Promise<void>)[] = [];

async function start(): Promise<void> {
  loadEnvironment({ envFile: !process.argv.includes("--no-env-file") });
  if (practice) applyPracticeSettings(process.env);
  else delete process.env[PRACTICE_VARIABLE];
  Object.assign(process.env, {
    NODE_ENV: dev ? "development" : "production",
    NEXT_TELEMETRY_DISABLED: "1",
    [SERVER_VARIABLE]: "own",
  });
  const environment = parseEnv(process.env);
  process.env.TZ = environment.TZ;
  process.env.PORT = String(environment.PORT);

  log.level = environment.LOG_LEVEL;
  keepLogIn(environment.LOG_DIR);
  if (!dev) logConsole();
  const embedded = !environment.DATABASE_URL;
  const demo = embedded && !environment.ADMIN_EMAIL;
  /** Other machines can open practice only if the operator has named its URL or database. */
  const isServed = practice && (environment.hasAppUrl || !embedded);
  http = await listen(environment.PORT, {
    // Everyone knows the passwords of the demo accounts.
    localOnly: demo && !isServed,
    paths,
    trustedProxies: environment.TRUSTED_PROXIES,
    appUrl: environment.hasAppUrl ? environment.APP_URL : undefined,
    https: environment.APP_URL.startsWith("https:"),
    dev,
  });
  if (embedded) await startEmbedded(environment);
  const url = String(process.env.DATABASE_URL);
  const owner = process.env.DATABASE_OWNER_URL || undefined;
  // After this point nothing connects as the database's owner any more.
  delete process.env.DATABASE_OWNER_URL;

  // The import comes this late because these modules read the environment.
  const { prepareDatabase } = await import("@/lib/ops/prepare");
  const { closeDatabase } = await import("@/lib/core/database/client");
  closers.push(() => flushReports(2), closeDatabase);
  const settings = { ...environment, DATABASE_OWNER_URL: owner };
  const audit = await prepareDatabase(url, settings, practice ? { practice: true, isServed } : demo);
  if (!audit.isProtected) alarmLog.warn({ alarm: "audit_not_protected" }, NOT_PROTECTED);

  if (!dev) await configureNext();
  const { default: next } = await import("next");
  // In development, Next listens for upgrades, which its tools request. Without a listener, our server treats an
  // upgrade as an ordinary request.
  const httpServer = dev ? http.server : createServer();
  const app = next({ dev, dir: PROGRAM_FOLDER, port: environment.PORT, httpServer });
  closers.unshift(() => app.close());
  await app.prepare();
  // The import comes this late because these modules need parts of Next that exist only now.
  const { answerDirectly } = await import("@/lib/direct");
  const { whenDatabaseAnswers } = await import("@/lib/gate");
  const application = whenDatabaseAnswers(app.getRequestHandler());
  const { withMetrics } = await import("@/lib/metrics");
  http.handOver(withMetrics(dev ? application : await answerDirectly(application)));
  const { startWorker } = await import("@/lib/worker");
  closers.unshift(startWorker());
  const { warnWithoutBreakGlass } = await import("@/lib/identity/sign-on/attempts");
  await warnWithoutBreakGlass();
  say(summaryOf(environment, demo && !isServed, audit));
  if (practice) {
    const { practiceAccounts } = await import("@/prisma/demo-accounts");
    say(`\nReady: ${environment.APP_URL}\nPractice: everything is reset each night.`);
    for (const { email, password } of practiceAccounts(isServed))
      say(`Sign in as ${email}, password ${password}`);
    endAtNight(stop);
  } else greet(environment, demo);
}

/**
 * Gives Next the configuration from its build, as the server of its `standalone` output does. Otherwise Next would
 * search for next.config.mjs and load a bundler for it.
 */
async function configureNext(): Promise<void> {
  const file = path.join(PROGRAM_FOLDER, ".next/required-server-files.json");
  const { config } = JSON.parse(await readFile(file, "utf8"));
  process.env.__NEXT_PRIVATE_STANDALONE_CONFIG = JSON.stringify(config);
}

async function startEmbedded({ DATA_DIR, AUTH_SECRET }: StartEnv): Promise<void> {
  cluster = await startCluster({ dataDir: DATA_DIR, say });
  process.env.DATABASE_OWNER_URL = cluster.url;
  const program = new URL(cluster.url);
  program.username = PROGRAM_ROLE;
  program.password = await ensureSecret(path.join(DATA_DIR, "program-password"));
  process.env.DATABASE_URL = program.href;
  process.env.AUTH_SECRET = AUTH_SECRET ?? (await ensureSecret(path.join(DATA_DIR, "auth-secret")));
}

/** Returns a readable summary of the environment, without passwords, keys or user names. */
function summaryOf(environment: StartEnv, demo: boolean, audit: { isProtected: boolean }): string {
  const { DATABASE_URL, DATA_DIR, SMTP_URL, SENTRY_DSN, SENTRY_ENVIRONMENT, TRUSTED_PROXIES, TZ } =
    environment;
  const { SESSION_IDLE_MINUTES, SESSION_MAX_HOURS, PORT, DATABASE_REPLICA_URL } = environment;
  const lines = {
    Database: DATABASE_URL ? placeOf(DATABASE_URL) : `its own PostgreSQL in ${DATA_DIR}`,
    ...(DATABASE_REPLICA_URL && { Replica: placeOf(DATABASE_REPLICA_URL) }),
    Mail: SMTP_URL ? `through ${placeOf(SMTP_URL)}` : `written to ${DATA_DIR}`,
    "Audit trail": audit.isProtected
      ? "protected from the program, which can only insert and read it"
      : "NOT protected from the program: set DATABASE_OWNER_URL (docs/operate/configure.md)",
    "Time zone": TZ,
    Sessions: `end after ${SESSION_IDLE_MINUTES} idle minutes, and after ${SESSION_MAX_HOURS} hours`,
    "Trusted proxies": TRUSTED_PROXIES.join(", ") || "none",
    "Error reports": SENTRY_DSN ? `to ${placeOf(SENTRY_DSN)} as ${SENTRY_ENVIRONMENT}` : "off",
    "Listening on port": demo ? `${PORT} on this machine only; set ADMIN_EMAIL to serve others` : PORT,
  };
  return Object.entries(lines)
    .map(([name, value]) => `${`${name}:`.padEnd(19)}${value}`)
    .join("\n");
}

function placeOf(address: string): string {
  const { host, pathname } = new URL(address);
  return host + pathname.replace(/\/$/, "");
}

function greet({ APP_URL, ADMIN_EMAIL }: StartEnv, demo: boolean): void {
  say(`\nReady: ${APP_URL}`);
  if (demo) {
    say(
      `Sign in as ${DEMO.administrator} or ${DEMO.advocate}, password ${DEMO.password} (unless changed since).`,
    );
  } else if (ADMIN_EMAIL) {
    say(`The first administrator is ${ADMIN_EMAIL}, unless there was one already.`);
  }
}

/** Finishes running requests, then closes everything, PostgreSQL last. Runs once. */
function stop(code: number, reason?: string): Promise<void> {
  closing ??= (async () => {
    if (reason) process.stderr.write(`${reason}\n`);
    process.exitCode = code;
    await http?.stop(DRAIN_SECONDS);
    for (const close of closers) await close().catch((error: unknown) => logError(error, "Could not close"));
    await cluster?.stop();
    process.exit();
  })();
  return closing;
}

// Without a listener, a line for a closed log is an uncaught error. Next logs that error, which fails again, and so on.
for (const stream of [process.stdout, process.stderr]) stream.on("error", () => {});

if (practice && !process.connected) supervise();
else {
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => void stop(0));
  // The supervisor of practice mode was killed.
  process.on("disconnect", () => void stop(0));
  start().catch((error: unknown) => stop(1, isPlain(error) ? error.message : inspect(error)));
}

/** True if the message is enough for the operator: our own errors, and the system's, such as a full disk. */
function isPlain(error: unknown): error is Error {
  return (
    error instanceof PlainError || error instanceof EnvError || (error instanceof Error && "syscall" in error)
  );
}
