import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { SMTPServer } from "smtp-server";
import { type ServerProcess, startServer } from "@/lib/dev/child";
import { queryAt } from "@/lib/dev/query";
import { type Cluster, freePort, removeDataDir, startCluster } from "@/lib/ops/embedded";
import { ensureBuild } from "@/lib/ops/stale";
import { freeze, kill } from "@/tests/drill/faults";
import { startRelay } from "@/tests/drill/relay";
import { type Log, newLog, print, type Result, tally } from "@/tests/drill/result";
import { makeStandby } from "@/tests/drill/standby";
import { tempDataDir } from "@/tests/setup/data-dir";

// `npm run drill` breaks the program's dependencies while clients save through it, and counts the effects. It starts
// its own PostgreSQL and server on free ports, and takes about two minutes. `npm run drill -- promoted` runs only the
// faults whose name contains that word. Clients repeat a save without a response, or with 503, with the same
// Idempotency-Key.

const ADMIN = { email: "drill@example.org", password: `Drill-${randomBytes(8).toString("hex")}-1` };
const WORKERS = 8;
/** A save that fails for this long counts as not acknowledged. */
const GIVE_UP_MS = 60_000;

// The drill verifies the audit trail with the key of the server that it starts.
const AUTH_SECRET = "drill ".repeat(8);
process.env.AUTH_SECRET = AUTH_SECRET;

const [primaryDir, standbyDir] = [await tempDataDir(), await tempDataDir()];
/** The data folder of the current primary. */
let dataDir = primaryDir;
const [databasePort, serverPort, smtpPort] = [await freePort(), await freePort(), await freePort()];
const namePort = await freePort();
const url = `http://127.0.0.1:${serverPort}`;

await ensureBuild();
// The import comes this late because these modules import Prisma's client.
const { auditOf } = await import("@/tests/drill/audit");
let cluster: Cluster = await startDatabase();
let standby: Cluster | undefined;
process.env.DATABASE_URL = cluster.url;
// The server finds the database by a name that outlives the primary.
const name = await startRelay(namePort, databasePort);
let server: ServerProcess = await start();
const mailbox: string[] = [];
let smtp: SMTPServer | undefined;
const results: Result[] = [];
try {
  const cookie = await signIn();
  const faults: Record<string, (fault: string) => Promise<Result>> = {
    "PostgreSQL stopped 20 s": (fault) =>
      underLoad(fault, cookie, async () => {
        await cluster.stop();
        await sleep(20_000);
        cluster = await startDatabase();
      }),
    "PostgreSQL restarted fast": (fault) =>
      underLoad(fault, cookie, async () => {
        await cluster.stop();
        cluster = await startDatabase();
      }),
    "PostgreSQL killed (SIGKILL)": (fault) => underLoad(fault, cookie, () => kill(dataDir)),
    "PostgreSQL frozen 10 s (SIGSTOP)": (fault) =>
      underLoad(fault, cookie, async () => {
        const thaw = await freeze(dataDir);
        await sleep(10_000);
        thaw();
      }),
    "connections terminated during saves, 3 s": (fault) =>
      underLoad(fault, cookie, async () => {
        for (const end = Date.now() + 3_000; Date.now() < end; await sleep(100)) await terminateConnections();
      }),
    "server killed during 200 concurrent saves": (fault) => killedAmongSaves(fault, cookie),
    "SMTP down": (fault) => mailServerDown(fault, cookie),
    "primary killed, its synchronous standby promoted": (fault) => failOver(fault, cookie),
  };
  for (const [fault, cause] of Object.entries(faults))
    if (fault.includes(process.argv[2] ?? "")) results.push(await cause(fault));
} finally {
  await new Promise<void>((resolve) => (smtp ? smtp.close(() => resolve()) : resolve()));
  await server.stop();
  await name.stop();
  for (const each of [standby, cluster]) await each?.stop();
  for (const folder of [primaryDir, standbyDir]) await removeDataDir(folder);
}
print(results);
const wrong = results.some(
  ({ saves, acknowledged, lost, doubled, unaudited, findings }) =>
    lost + doubled + unaudited + findings > 0 || acknowledged < saves,
);
process.exitCode = wrong ? 1 : 0;

// ---- Faults ----

function startDatabase(): Promise<Cluster> {
  return startCluster({ dataDir, port: databasePort });
}

function start(): Promise<ServerProcess> {
  return startServer({
    ...{ PORT: String(serverPort), DATA_DIR: primaryDir, TZ: "America/New_York" },
    ...{ DATABASE_URL: cluster.url.replace(String(databasePort), String(namePort)), AUTH_SECRET },
    ...{ ADMIN_EMAIL: ADMIN.email, ADMIN_PASSWORD: ADMIN.password },
    SMTP_URL: `smtp://127.0.0.1:${smtpPort}`,
  });
}

async function terminateConnections(): Promise<void> {
  await query(
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()",
  );
}

/** Runs workers that save records, from a second before the fault to a second after the recovery. */
async function underLoad(fault: string, cookie: string, breakIt: () => Promise<void>): Promise<Result> {
  console.log(`${fault}…`);
  const log = newLog(fault);
  let stopped = false;
  const worker = async () => {
    while (!stopped) {
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
  stopped = true;
  await work;
  return count(log, ended);
}

/**
 * Fails over as Patroni or a cloud does. A synchronous standby takes over, and the name leads to it. The primary does
 * not return.
 */
async function failOver(fault: string, cookie: string): Promise<Result> {
  await makeStandby(dataDir, cluster.url, standbyDir);
  const port = await freePort();
  const promoted = await startCluster({ dataDir: standbyDir, port });
  standby = promoted;
  await query("ALTER SYSTEM SET synchronous_standby_names = '*'");
  await query("SELECT pg_reload_conf()");
  while ((await query("SELECT FROM pg_stat_replication WHERE sync_state = 'sync'")).length === 0)
    await sleep(100);
  return underLoad(fault, cookie, async () => {
    await kill(dataDir);
    await cluster.stop();
    [cluster, dataDir] = [promoted, standbyDir];
    await query("SELECT pg_promote()");
    name.lead(port);
  });
}

/** The recovery is a restart, as Docker does it. */
async function killedAmongSaves(fault: string, cookie: string): Promise<Result> {
  const log = newLog(fault);
  console.log(`${log.fault}…`);
  const work = Promise.all(Array.from({ length: 200 }, () => save(cookie, log)));
  while (log.acknowledgedAt.length < 20) await sleep(1);
  server.child.kill("SIGKILL");
  const ended = Date.now();
  server = await start();
  await work;
  return count(log, ended);
}

/** Each new user must get exactly one activation mail, whatever happens to the mail server. */
async function mailServerDown(fault: string, cookie: string): Promise<Result> {
  const log = newLog(fault);
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
  // This leaves time for a second copy to arrive.
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

// ---- Clients ----

async function signIn(): Promise<string> {
  const { headers } = await fetch(`${url}/api/login`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(ADMIN),
  });
  return String(headers.getSetCookie()[0]?.split(";")[0]);
}

/** Saves one client with both its entries, and repeats the save under one key until it is acknowledged. */
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

// ---- Results ----

async function count(log: Log, ended: number): Promise<Result> {
  // Only complete clients count. A client without one of its entries was half written, and counts as lost.
  const clients = await query<{ name: string }>(
    `SELECT name FROM clients c JOIN client_biographical_entries ON client_biographical_entries.client_id = c.id
     JOIN client_demographic_entries ON client_demographic_entries.client_id = c.id WHERE name = ANY($1)`,
    [log.sent],
  );
  const first = Math.min(...log.acknowledgedAt.filter((at) => at > ended));
  return {
    ...tally(
      log,
      clients.map(({ name }) => name),
    ),
    ...(await auditOf(cluster.url, "client", "SELECT id FROM clients WHERE name = ANY($1)", log.sent)),
    recovery: (first - ended) / 1000,
  };
}

// This is a function declaration, because the drill above runs before this line.
function query<Row>(sql: string, values?: unknown[]) {
  return queryAt<Row>(cluster.url, sql, values);
}
