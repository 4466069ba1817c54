import { PRODUCT_KEY } from "@/lib/core/product";
import "server-only";
import { spawn, spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import * as fs from "node:fs/promises";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { PlainError } from "@/lib/core/process/plain-error";
import { type Account, createWhole, ignore } from "@/lib/ops/embedded-files";

// The programs of the embedded PostgreSQL: they create a cluster, start its server and find the running one.

export const DATABASE = PRODUCT_KEY;
/** The role of the program's connections. */
export const PROGRAM_ROLE = `${PRODUCT_KEY}_program`;
const SUPERUSER = "postgres";

export interface Place {
  home: string;
  data: string;
  account: Account;
  binaries: string;
  password: string;
  port: number;
  /** True: no durability, in exchange for speed. */
  throwaway: boolean;
}

/** The values that find the running server. */
type Running = Pick<Place, "data" | "password">;

/** Creates the cluster if there is none, complete or not at all. */
export async function ensureInitialized({ home, data, account, binaries, throwaway }: Place): Promise<void> {
  if (existsSync(data)) {
    const clusterVersion = (await fs.readFile(path.join(data, "PG_VERSION"), "utf8")).trim();
    const programVersion = /\d+/.exec(
      spawnSync(path.join(binaries, "bin/postgres"), ["--version"], {
        ...account,
        cwd: home,
      }).stdout.toString(),
    )?.[0];
    if (clusterVersion !== programVersion)
      throw new PlainError(
        `${data} was created by PostgreSQL ${clusterVersion}, but this program includes ${programVersion}.`,
      );
    return;
  }
  await createWhole(data, (unfinished) =>
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
    // The process is detached: see embedded.ts.
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

/** Starts the postgres program and waits until it responds. Returns null if it ended first, or on `stop`. */
export async function launch(place: Place, stop: AbortSignal): Promise<pg.Client | null> {
  const { home, data, account, binaries, throwaway, port } = place;
  const settings = {
    listen_addresses: "127.0.0.1",
    port,
    unix_socket_directories: "",
    max_connections: 200,
    // The details of an error quote text that users entered.
    log_error_verbosity: "terse",
    ...(throwaway && { fsync: "off", synchronous_commit: "off", full_page_writes: "off" }),
  };
  const log = await fs.open(logOf(place), "w", 0o600);
  const child = spawn(
    path.join(binaries, "bin/postgres"),
    ["-D", data, ...Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`])],
    { ...account, cwd: home, detached: true, stdio: ["ignore", log.fd, log.fd] },
  );
  let ended = false;
  const end = new Promise<void>((resolve) => {
    for (const event of ["error", "exit"]) child.once(event, () => resolve());
  }).then(() => {
    ended = true;
  });
  child.unref();
  await log.close();
  const client = await untilAnswering(place, () => !ended && !stop.aborted);
  if (!client && !ended) {
    child.kill("SIGQUIT");
    await end;
  }
  return client;
}

const logOf = ({ home }: Place) => path.join(home, "log");

/** Returns the end of the server's log, to help find out why it does not start. */
export async function lastLogLines(place: Place): Promise<string> {
  const log = await fs.readFile(logOf(place), "utf8").catch(() => "");
  return log.trim().split("\n").slice(-8).join("\n");
}

/** Stops the server of `data`, if one runs: in fast mode first, immediately after 10 seconds. */
export async function stopServer(data: string): Promise<void> {
  const pid = (await readPostmaster(data))?.pid;
  if (!pid || !(await isPostgresOf(data, pid))) return;
  for (const [signal, seconds] of [
    ["SIGINT", 10],
    ["SIGQUIT", 5],
  ] as const) {
    signalIfThere(pid, signal);
    for (const end = Date.now() + seconds * 1000; Date.now() < end; await sleep(25)) {
      if (!(await isPostgresOf(data, pid))) return;
    }
  }
}

/** Returns the contents of PostgreSQL's lock file; null if there is none. Lines: pid, folder, start, port, … */
async function readPostmaster(data: string): Promise<{ pid: number; port: number } | null> {
  const text = await fs.readFile(path.join(data, "postmaster.pid"), "utf8").catch(() => "");
  const [pid, , , port] = text.split("\n").map((line) => Number.parseInt(line, 10));
  return pid ? { pid, port: port ?? Number.NaN } : null;
}

/** True if process `pid` is the PostgreSQL of `data`, rather than another program with the same number. */
async function isPostgresOf(data: string, pid: number): Promise<boolean> {
  if (existsSync("/proc/self/cwd")) return (await fs.readlink(`/proc/${pid}/cwd`).catch(() => "")) === data;
  return spawnSync("ps", ["-o", "command=", "-p", String(pid)])
    .stdout.toString()
    .includes(data);
}

/** Returns a connection to the running server of `data`, if any. Removes a stale lock file. */
export async function findRunning(place: Running, stop?: AbortSignal): Promise<pg.Client | null> {
  const { data } = place;
  const postmaster = await readPostmaster(data);
  if (!postmaster) return null;
  if (!(await isPostgresOf(data, postmaster.pid))) {
    // PostgreSQL ignores a dead process in its lock file, but not an unrelated living one.
    await fs.rm(path.join(data, "postmaster.pid"), { force: true });
    return null;
  }
  return untilAnswering(place, async () => !stop?.aborted && (await isPostgresOf(data, postmaster.pid)));
}

/**
 * Polls until the server of `data` responds; after a crash, that takes as long as its recovery. Returns null if it
 * ended.
 */
async function untilAnswering(
  place: Running,
  alive: () => boolean | Promise<boolean>,
): Promise<pg.Client | null> {
  while (await alive()) {
    const client = await connect(place);
    if (client) return client;
    await sleep(50);
  }
  return null;
}

async function connect({ data, password }: Running): Promise<pg.Client | null> {
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

/** Returns the URL of a database of the server on `port`. */
export const urlOf = (port: number, password: string, database: string) =>
  `postgresql://${SUPERUSER}:${password}@127.0.0.1:${port}/${database}`;

/** Sends a signal to a process that may have ended already. */
export function signalIfThere(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    ignore("ESRCH")(error);
  }
}
