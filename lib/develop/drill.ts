import { randomBytes } from "node:crypto";
import { chmod, mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { SMTPServer } from "smtp-server";
import { type ServerProcess, startServer } from "@/lib/develop/child";
import { freeze, kill } from "@/lib/develop/faults";
import { type Cluster, freePort, removeDataDir, startCluster } from "@/lib/operate/embedded";
import { ensureBuild, ensurePrismaClient } from "@/lib/operate/stale";

// `npm run drill`: breaks what the program stands on while clients save through it, and counts. A PostgreSQL and a
// server of its own on free ports; about two minutes. Clients do what a careful one does: they repeat a save that
// got no answer, or 503, with the same Idempotency-Key.

const ADMIN = { email: "drill@example.org", password: `Drill-${randomBytes(8).toString("hex")}-1` };
const WORKERS = 8;
/** A save that no repetition gets through in this time counts as not acknowledged. */
const GIVE_UP_MS = 60_000;

interface Result {
  fault: string;
  saves: number;
  /** How often each save was sent. */
  requests: number;
  acknowledged: number;
  found: number;
  lost: number;
  doubled: number;
  /** Clients that were saved without a row of the audit trail, and what `npm run audit:verify` finds. */
  unaudited: number;
  findings: number;
  /** From the end of the fault to the first acknowledged save. */
  recovery: number;
  /** The slowest response during the fault, counting missing ones as the 10 s that clients wait. */
  slowest: number;
}

// The audit trail is verified with the key of the server that is started.
const AUTH_SECRET = "drill ".repeat(8);
process.env.AUTH_SECRET = AUTH_SECRET;

const dataDir = await mkdtemp(path.join(tmpdir(), "casebook-drill-"));
await chmod(dataDir, 0o711);
const [databasePort, serverPort, smtpPort] = [await freePort(), await freePort(), await freePort()];
const url = `http://127.0.0.1:${serverPort}`;

await ensurePrismaClient();
// Only now: they import Prisma's client.
const { auditOf } = await import("@/lib/develop/drill-audit");
await ensureBuild(() => console.log("Building…"));
let cluster: Cluster = await startDatabase();
process.env.DATABASE_URL = cluster.url;
let server: ServerProcess = await start();
const mailbox: string[] = [];
let smtp: SMTPServer | undefined;
const results: Result[] = [];
try {
  const cookie = await signIn();
  results.push(
    await underLoad("PostgreSQL stopped 20 s", cookie, async () => {
      await cluster.stop();
      await sleep(20_000);
      cluster = await startDatabase();
    }),
    await underLoad("PostgreSQL restarted fast", cookie, async () => {
      await cluster.stop();
      cluster = await startDatabase();
    }),
    await underLoad("PostgreSQL killed (SIGKILL)", cookie, () => kill(dataDir)),
    await underLoad("PostgreSQL frozen 10 s (SIGSTOP)", cookie, async () => {
      const thaw = await freeze(dataDir);
      await sleep(10_000);
      thaw();
    }),
    await underLoad("connections terminated during saves, 3 s", cookie, async () => {
      for (const end = Date.now() + 3_000; Date.now() < end; await sleep(100)) await terminateConnections();
    }),
    await killedAmongSaves(cookie),
    await mailServerDown(cookie),
  );
} finally {
  await new Promise<void>((resolve) => (smtp ? smtp.close(() => resolve()) : resolve()));
  await server.stop();
  await cluster.stop();
  await removeDataDir(dataDir);
}
print(results);
const wrong = results.some(
  ({ saves, acknowledged, lost, doubled, unaudited, findings }) =>
    lost + doubled + unaudited + findings > 0 || acknowledged < saves,
);
process.exitCode = wrong ? 1 : 0;

// ---- What is broken ----

function startDatabase(): Promise<Cluster> {
  return startCluster({ dataDir, port: databasePort });
}

function start(): Promise<ServerProcess> {
  return startServer({
    ...{ PORT: String(serverPort), DATA_DIR: dataDir, TZ: "America/New_York" },
    ...{ DATABASE_URL: cluster.url, AUTH_SECRET },
    ...{ ADMIN_EMAIL: ADMIN.email, ADMIN_PASSWORD: ADMIN.password },
    SMTP_URL: `smtp://127.0.0.1:${smtpPort}`,
  });
}

async function terminateConnections(): Promise<void> {
  await query(
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()",
  );
}

/** Workers save records one after the other, from a second before the fault to a second after the recovery. */
async function underLoad(fault: string, cookie: string, breakIt: () => Promise<void>): Promise<Result> {
  console.log(`${fault}…`);
  const log = newLog(fault);
  let over = false;
  const worker = async () => {
    while (!over) {
      await save(cookie, log);
      await sleep(20);
    }
  };
  const work = Promise.all(Array.from({ length: WORKERS }, worker));
  await sleep(1_000);
  await breakIt();
  const ended = Date.now();
  while (!log.acknowledgedAt.some((at) => at > ended) && Date.now() - ended < GIVE_UP_MS) await sleep(10);
  await sleep(1_000);
  over = true;
  await work;
  return count(log, ended);
}

/** The recovery is a restart, as Docker does it. */
async function killedAmongSaves(cookie: string): Promise<Result> {
  const log = newLog("server killed during 200 concurrent saves");
  console.log(`${log.fault}…`);
  const work = Promise.all(Array.from({ length: 200 }, () => save(cookie, log)));
  while (log.acknowledgedAt.length < 20) await sleep(1);
  server.child.kill("SIGKILL");
  const ended = Date.now();
  server = await start();
  await work;
  return count(log, ended);
}

/** Each new user must get exactly one activation mail, whatever the mail server does meanwhile. */
async function mailServerDown(cookie: string): Promise<Result> {
  const log = newLog("SMTP down");
  console.log(`${log.fault}…`);
  const [role] = await query<{ id: number }>("SELECT id FROM roles ORDER BY id LIMIT 1");
  const user = (n: number) => ({
    firstName: "Drill",
    lastName: `${n}`,
    email: `drill${n}@example.org`,
    roleId: role?.id,
  });
  for (let n = 0; n < 20; n++) {
    log.sent.push(user(n).email);
    const { status } = await post(cookie, "/api/users", { user: user(n) }, log);
    if (status === 201) log.acknowledged.push(user(n).email);
  }
  await sleep(5_000);
  smtp = await startMailServer();
  const ended = Date.now();
  const arrived = () => log.acknowledged.filter((email) => mailbox.includes(email)).length;
  while (arrived() < log.acknowledged.length && Date.now() - ended < GIVE_UP_MS) await sleep(50);
  const recovery = (Date.now() - ended) / 1000;
  // Leaves time for a second copy to arrive.
  await sleep(3_000);
  return {
    ...tally(
      log,
      mailbox.filter((email) => log.sent.includes(email)),
    ),
    ...(await auditOf(cluster.url, "user", "SELECT id FROM users WHERE email = ANY($1)", log.sent)),
    recovery,
  };
}

async function startMailServer(): Promise<SMTPServer> {
  const mailServer = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS"],
    onData(stream, { envelope }, done) {
      stream.resume();
      stream.once("end", () => {
        mailbox.push(...envelope.rcptTo.map(({ address }) => address));
        done();
      });
    },
  });
  await new Promise<void>((resolve) => mailServer.listen(smtpPort, "127.0.0.1", () => resolve()));
  return mailServer;
}

// ---- Who saves ----

interface Log {
  fault: string;
  sent: string[];
  acknowledged: string[];
  acknowledgedAt: number[];
  /** How many milliseconds each answer took. */
  answers: number[];
}

function newLog(fault: string): Log {
  return { fault, sent: [], acknowledged: [], acknowledgedAt: [], answers: [] };
}

async function signIn(): Promise<string> {
  const { headers } = await fetch(`${url}/api/login`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(ADMIN),
  });
  return String(headers.getSetCookie()[0]?.split(";")[0]);
}

/** One client with both its entries, repeated under one key until it is acknowledged. */
async function save(cookie: string, log: Log): Promise<void> {
  const name = randomBytes(8).toString("hex");
  const client = {
    name,
    clientBiographicalEntryAttributes: { city: "Drill" },
    clientDemographicEntryAttributes: { gender: "Unknown" },
  };
  log.sent.push(name);
  for (const since = Date.now(); Date.now() - since < GIVE_UP_MS; await sleep(100)) {
    const { status } = await post(cookie, "/api/clients", { client }, log, name);
    if (status !== 201) continue;
    log.acknowledged.push(name);
    log.acknowledgedAt.push(Date.now());
    return;
  }
}

async function post(
  cookie: string,
  to: string,
  body: object,
  log: Log,
  key = "",
): Promise<{ status: number }> {
  const since = Date.now();
  try {
    const answer = await fetch(url + to, {
      method: "POST",
      headers: { cookie, "content-type": "application/json", ...(key && { "idempotency-key": key }) },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(10_000),
    });
    await answer.arrayBuffer();
    if (![201, 409, 503].includes(answer.status)) console.log(`  ${to} answered ${answer.status}`);
    return answer;
  } catch {
    return { status: 0 };
  } finally {
    log.answers.push(Date.now() - since);
  }
}

// ---- What has come of it ----

async function count(log: Log, ended: number): Promise<Result> {
  // Only whole clients count: one without one of its entries was half written, and counts as lost.
  const found = await query<{ name: string }>(
    `SELECT name FROM clients c JOIN client_biographical_entries ON client_biographical_entries.client_id = c.id
     JOIN client_demographic_entries ON client_demographic_entries.client_id = c.id WHERE name = ANY($1)`,
    [log.sent],
  );
  const first = Math.min(...log.acknowledgedAt.filter((at) => at > ended));
  return {
    ...tally(
      log,
      found.map(({ name }) => name),
    ),
    ...(await auditOf(cluster.url, "client", "SELECT id FROM clients WHERE name = ANY($1)", log.sent)),
    recovery: (first - ended) / 1000,
  };
}

function tally({ fault, sent, acknowledged, answers }: Log, found: string[]) {
  const distinct = new Set(found);
  return {
    fault,
    saves: sent.length,
    requests: answers.length,
    acknowledged: acknowledged.length,
    found: distinct.size,
    lost: acknowledged.filter((name) => !distinct.has(name)).length,
    doubled: found.length - distinct.size,
    slowest: Math.max(...answers) / 1000,
  };
}

async function query<Row>(sql: string, values: unknown[] = []): Promise<Row[]> {
  const client = new pg.Client(cluster.url);
  await client.connect();
  try {
    return (await client.query(sql, values)).rows;
  } finally {
    await client.end();
  }
}

function print(rows: Result[]): void {
  const lines = rows.map(({ recovery, slowest, ...counted }) => ({
    ...counted,
    "seconds to recover": recovery.toFixed(2),
    "slowest answer, s": slowest.toFixed(2),
  }));
  const head = Object.keys(lines[0] ?? {});
  for (const line of [head, head.map(() => "---"), ...lines.map(Object.values)]) {
    console.log(`| ${line.join(" | ")} |`);
  }
}
