import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { SMTPServer } from "smtp-server";
import { type ServerProcess, startServer } from "@/lib/dev/child";
import { queryAt } from "@/lib/dev/query";
import { type Cluster, freePort, removeDataDir, startCluster } from "@/lib/ops/embedded";
import { ensureBuild } from "@/lib/ops/stale";
import { freeze, kill } from "@/tests/drill/faults";
import type { DrilledKind, FirstIds } from "@/tests/drill/kinds";
import { startRelay } from "@/tests/drill/relay";
import {
  addKinds,
  type Kinds,
  type Log,
  newLog,
  print,
  printKinds,
  type Result,
  tally,
} from "@/tests/drill/result";
import { makeStandby } from "@/tests/drill/standby";
import { tempDataDir } from "@/tests/setup/data-dir";

// `npm run drill` breaks the program's dependencies while clients create and change records of every kind through it, and
// counts the effects. It starts its own PostgreSQL and server on free ports, and takes about fifteen minutes. `npm run drill --
// promoted` runs only the faults whose name contains that word, and `npm run drill -- killed 10` kills ten times in a row. Clients repeat a save without a response, or with 503,
// with the same Idempotency-Key.

const ADMIN = { email: "drill@example.org", password: `Drill-${randomBytes(8).toString("hex")}-1` };
const WORKERS = 8;
/** The number of kills in a row, unless the second argument gives another one. */
const KILLS = Number(process.argv[3] ?? 50);
/** The number of acknowledged saves after a kill until the next one. */
const SAVES_BETWEEN_KILLS = 20;
/** A save that fails for this long counts as not acknowledged. */
const GIVE_UP_MS = 60_000;

// The drill verifies the audit trail with the key of the server that it starts.
const AUTH_SECRET = "drill ".repeat(8);
process.env.AUTH_SECRET = AUTH_SECRET;

const primaryDir = await tempDataDir();
const standbyDir = await tempDataDir();
/** The data folder of the current primary. */
let dataDir = primaryDir;
const databasePort = await freePort();
const serverPort = await freePort();
const smtpPort = await freePort();
const namePort = await freePort();
const url = `http://127.0.0.1:${serverPort}`;

await ensureBuild();
// The import comes this late because these modules import Prisma's client.
const { auditOf } = await import("@/tests/drill/audit");
const { drilledKinds, groupValues, HALF_SESSIONS, listsOfRecords, nameOf, ofEachClient, SESSION_DAY } =
  await import("@/tests/drill/kinds");
const lists = drilledKinds.filter((kind) => !ofEachClient.includes(kind));
let cluster: Cluster = await startDatabase();
let standby: Cluster | undefined;
process.env.DATABASE_URL = cluster.url;
// The server finds the database by a name that outlives the primary.
const name = await startRelay(namePort, databasePort);
let server: ServerProcess = await start();
const mailbox: string[] = [];
let smtp: SMTPServer | undefined;
const results: Result[] = [];
const kinds: Kinds = new Map();
/** The number of names given to records. */
let named = 0;
try {
  const cookie = await signIn();
  const ids = await readIds(cookie);
  const client = { cookie, ids };
  const faults: Record<string, (fault: string) => Promise<Result>> = {
    "SMTP down": (fault) => mailServerDown(fault, client),
    "PostgreSQL stopped 20 s": (fault) =>
      underLoad(fault, client, async () => {
        await cluster.stop();
        await sleep(20_000);
        cluster = await startDatabase();
      }),
    "PostgreSQL restarted fast": (fault) =>
      underLoad(fault, client, async () => {
        await cluster.stop();
        cluster = await startDatabase();
      }),
    [`PostgreSQL killed ${KILLS} times (SIGKILL)`]: (fault) =>
      underLoad(
        fault,
        client,
        repeatedly(() => kill(dataDir)),
      ),
    [`server killed ${KILLS} times (SIGKILL)`]: (fault) =>
      underLoad(
        fault,
        client,
        repeatedly(async () => {
          server.child.kill("SIGKILL");
          // The recovery is a restart, as Docker does it.
          server = await start();
        }),
      ),
    "PostgreSQL frozen 10 s (SIGSTOP)": (fault) =>
      underLoad(fault, client, async () => {
        const thaw = await freeze(dataDir);
        await sleep(10_000);
        thaw();
      }),
    "connections terminated during saves, 3 s": (fault) =>
      underLoad(fault, client, async () => {
        for (const end = Date.now() + 3_000; Date.now() < end; await sleep(100)) await terminateConnections();
      }),
    "server killed during 200 concurrent saves": (fault) => killedAmongSaves(fault, client),
    "primary killed, its synchronous standby promoted": (fault) => failOver(fault, client),
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
printKinds(kinds);
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
    PORT: String(serverPort),
    DATA_DIR: primaryDir,
    TZ: "America/New_York",
    DATABASE_URL: cluster.url.replace(String(databasePort), String(namePort)),
    AUTH_SECRET,
    ADMIN_EMAIL: ADMIN.email,
    ADMIN_PASSWORD: ADMIN.password,
    PROOF_MINUTES: "0",
    SMTP_URL: `smtp://127.0.0.1:${smtpPort}`,
  });
}

async function terminateConnections(): Promise<void> {
  await query(
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()",
  );
}

/** Runs workers that save records, from a second before the fault to a second after the recovery. */
async function underLoad(
  fault: string,
  client: Client,
  breakIt: (log: Log) => Promise<void>,
): Promise<Result> {
  console.log(`${fault}…`);
  const log = newLog(fault);
  let stopped = false;
  const worker = async () => {
    while (!stopped) {
      await saveAll(client, log);
      await sleep(20);
    }
  };
  const work = Promise.all(Array.from({ length: WORKERS }, worker));
  await sleep(1_000);
  await breakIt(log);
  const ended = Date.now();
  while (!log.acknowledgedAt.some((at) => at > ended) && Date.now() - ended < GIVE_UP_MS) await sleep(10);
  await sleep(1_000);
  stopped = true;
  await work;
  return count(log, ended);
}

/** Returns a function that breaks it again and again, each time while saves succeed again. */
function repeatedly(breakIt: () => Promise<void>) {
  return async (log: Log) => {
    for (let kills = 0; kills < KILLS; kills++) {
      const enough = log.acknowledged.length + SAVES_BETWEEN_KILLS;
      for (const since = Date.now(); log.acknowledged.length < enough; await sleep(Math.random() * 10))
        if (Date.now() - since > GIVE_UP_MS) throw new Error(`No saves succeeded after ${kills} kills`);
      await breakIt();
    }
  };
}

/**
 * Fails over as Patroni or a cloud does. A synchronous standby takes over, and the name leads to it. The primary does
 * not return.
 */
async function failOver(fault: string, client: Client): Promise<Result> {
  await makeStandby(dataDir, cluster.url, standbyDir);
  const port = await freePort();
  const promoted = await startCluster({ dataDir: standbyDir, port });
  standby = promoted;
  await query("ALTER SYSTEM SET synchronous_standby_names = '*'");
  await query("SELECT pg_reload_conf()");
  while ((await query("SELECT FROM pg_stat_replication WHERE sync_state = 'sync'")).length === 0)
    await sleep(100);
  return underLoad(fault, client, async () => {
    await kill(dataDir);
    await cluster.stop();
    [cluster, dataDir] = [promoted, standbyDir];
    await query("SELECT pg_promote()");
    name.lead(port);
  });
}

/** The recovery is a restart, as Docker does it. */
async function killedAmongSaves(fault: string, client: Client): Promise<Result> {
  const log = newLog(fault);
  console.log(`${log.fault}…`);
  const work = Promise.all(Array.from({ length: 200 }, () => saveAll(client, log)));
  while (log.acknowledgedAt.length < 20) await sleep(1);
  server.child.kill("SIGKILL");
  const ended = Date.now();
  server = await start();
  await work;
  return count(log, ended);
}

/** Each new user must get exactly one activation mail, whatever happens to the mail server. */
async function mailServerDown(fault: string, { cookie, ids }: Client): Promise<Result> {
  const log = newLog(fault);
  console.log(`${log.fault}…`);
  for (let n = 0; n < 20; n++) {
    const email = `mail${n}@example.org`;
    const user = { firstName: "Drill", lastName: `${n}`, email, roleId: ids("roles") };
    log.sent.push(email);
    const { status } = await send(cookie, "POST", "/api/users", { user }, log);
    if (status === 201) log.acknowledged.push(email);
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
    ...(await auditOf(cluster.url, [
      {
        entity: "user",
        select: "SELECT id, false AS changed FROM users WHERE email = ANY($1)",
        sent: log.sent,
      },
    ])),
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

/** A client program, and the ids that its records refer to. */
type Client = { cookie: string; ids: FirstIds };

/**
 * Returns the ids of the first record of each list, of a new shelter, of a form type that offers the service code and has no
 * other section, and of a group.
 */
async function readIds(cookie: string): Promise<FirstIds> {
  const ids = new Map<string, number | undefined>();
  const shelter = { name: "Drill House", kind: "In-house", beds: 0 };
  const { body } = await send(cookie, "POST", "/api/shelters", { shelter }, newLog(""));
  ids.set("shelters", body?.shelter?.id);
  for (const list of ["roles", "permissions", "users", "contact_kinds", ...listsOfRecords])
    ids.set(list, (await query<{ id: number }>(`SELECT id FROM ${list} ORDER BY id LIMIT 1`))[0]?.id);
  const [offered] = await query<{ type: number; code: number }>(
    `SELECT t.id AS type, o.service_code_id AS code FROM form_types t
     JOIN service_code_form_types o ON o.form_type_id = t.id WHERE t.service_entry AND NOT t.phone
       AND NOT t.on_call_advocacy_entry AND NOT t.legal_advocacy_entry AND NOT t.survivor_entry AND NOT t.phone_entry
     ORDER BY 1, 2 LIMIT 1`,
  );
  ids.set("form_types", offered?.type).set("service_codes", offered?.code);
  const idOf: FirstIds = (list) => {
    const id = ids.get(list);
    if (id === undefined) throw new Error(`The drill knows no record of ${list}`);
    return id;
  };
  const group = groupValues("Drill group", idOf);
  ids.set("groups", (await send(cookie, "POST", "/api/groups", { group }, newLog(""))).body?.group?.id);
  return idOf;
}

/** Creates and changes a client with a form, a stay, and a contact, and a record of one settings list. */
async function saveAll(client: Client, log: Log): Promise<void> {
  const number = named++;
  const list = lists[number % lists.length];
  let clientId = 0;
  for (const kind of [...ofEachClient, ...(list ? [list] : [])]) {
    const id = await saveOne(client, kind, { name: nameOf(number), clientId, ids: client.ids }, log);
    if (kind.entity === "client") {
      if (id === null) return;
      clientId = id;
    }
  }
}

/** Creates a record and changes it. Repeats each save until it is acknowledged. Returns the id; null without one. */
async function saveOne(
  { cookie }: Client,
  kind: DrilledKind,
  about: Parameters<DrilledKind["values"]>[0],
  log: Log,
): Promise<number | null> {
  const { entity, isNamed } = kind;
  const path = kind.path.replace("{groups}", () => String(about.ids("groups")));
  const save = `${entity} ${about.name}`;
  const created = await acknowledged(log, save, async (isRepeated) => {
    const answer = await send(
      cookie,
      "POST",
      path,
      { [entity]: kind.values(about) },
      log,
      isNamed ? "" : save,
    );
    // The name is taken by the creation whose response was lost.
    return { ...answer, isDone: answer.status === 201 || (isNamed && isRepeated && answer.status === 422) };
  });
  const id = created?.body?.[entity]?.id;
  if (id === undefined) return null;
  await acknowledged(log, `${save} changed`, async () => {
    const answer = await send(cookie, "PUT", `${path}/${id}`, { [entity]: kind.changed(about) }, log);
    return { ...answer, isDone: answer.status === 200 };
  });
  return id;
}

/** Repeats a save until it is done, and returns its response. Returns undefined if it fails for too long. */
async function acknowledged(
  log: Log,
  save: string,
  attempt: (isRepeated: boolean) => Promise<Answer & { isDone: boolean }>,
): Promise<Answer | undefined> {
  log.sent.push(save);
  const since = Date.now();
  for (let isRepeated = false; Date.now() - since < GIVE_UP_MS; isRepeated = true) {
    const answer = await attempt(isRepeated);
    if (answer.isDone) {
      log.acknowledged.push(save);
      log.acknowledgedAt.push(Date.now());
      return answer;
    }
    await sleep(100);
  }
  return undefined;
}

type Answer = { status: number; body?: Record<string, { id?: number } | undefined> };

async function send(
  cookie: string,
  method: "POST" | "PUT",
  to: string,
  body: object,
  log: Log,
  key = "",
): Promise<Answer> {
  const since = Date.now();
  try {
    const answer = await fetch(url + to, {
      method,
      headers: { cookie, "content-type": "application/json", ...(key && { "idempotency-key": key }) },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(10_000),
    });
    const text = await answer.text();
    if (![200, 201, 409, 503].includes(answer.status))
      console.log(`  ${method} ${to} answered ${answer.status}: ${text}`);
    return { status: answer.status, body: JSON.parse(text) };
  } catch {
    return { status: 0 };
  } finally {
    log.answers.push(Date.now() - since);
  }
}

// ---- Results ----

async function count(log: Log, ended: number): Promise<Result> {
  // Only complete records count. A record without one of its parts was half written, and counts as lost.
  const saved = drilledKinds.map(({ entity, select }) => ({
    entity,
    select,
    sent: log.sent.flatMap((save) => (save.startsWith(`${entity} `) ? (save.split(" ")[1] ?? []) : [])),
  }));
  const found: string[] = [];
  for (const { entity, select, sent } of saved)
    for (const { name, changed } of await query<{ name: string; changed: boolean }>(select, [sent]))
      found.push(`${entity} ${name}`, ...(changed ? [`${entity} ${name} changed`] : []));
  addKinds(kinds, log);
  const [half] = await query<{ count: number }>(HALF_SESSIONS, [SESSION_DAY]);
  if (half?.count) console.log(`  ${half.count} sessions or forms of sessions are half written`);
  const audited = await auditOf(cluster.url, saved);
  const first = Math.min(...log.acknowledgedAt.filter((at) => at > ended));
  return {
    ...tally(log, found),
    ...audited,
    findings: audited.findings + (half?.count ?? 0),
    recovery: (first - ended) / 1000,
  };
}

// This is a function declaration, because the drill above runs before this line.
function query<Row>(sql: string, values?: unknown[]) {
  return queryAt<Row>(cluster.url, sql, values);
}
