import "server-only";
import * as fs from "node:fs/promises";
import { createServer } from "node:net";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type pg from "pg";
import { PREDECESSOR } from "@/lib/core/database/migrations";
import { FORMER_KEY } from "@/lib/core/process/former-name";
import { PlainError } from "@/lib/core/process/plain-error";
import { ensureBinaries, ensureHome, ignore } from "@/lib/ops/embedded-files";
import {
  DATABASE,
  ensureInitialized,
  findRunning,
  lastLogLines,
  launch,
  type Place,
  stopServer,
  urlOf,
} from "@/lib/ops/embedded-process";
import { ensureSecret } from "@/lib/ops/secret";

// A real PostgreSQL from the npm package, one cluster per data folder:
//   <dataDir>/postgres/           the home; as root in a private folder, a link to one elsewhere (embedded-files.ts)
//     data/                       the cluster
//     password                    of its superuser, mode 600
//     log
// The server runs detached, so that a terminal's Ctrl-C reaches only this program, which stops the server last.
// The holder of advisory lock OWNER_LOCK owns the server. PostgreSQL frees that lock when the owner dies, so another
// program can recognize and adopt a server that outlived its owner (kill -9). An owner whose server was killed
// starts it again.

const OWNER_LOCK = 7_233_001;
const LONGEST_PAUSE_MS = 5_000;

export interface Cluster {
  /** Connection string of the application's database. It stays the same when PostgreSQL restarts. */
  url: string;
  /** Stops PostgreSQL: in fast mode first, immediately after 10 seconds. Both preserve everything committed. */
  stop(): Promise<void>;
}

interface Options {
  dataDir: string;
  /** Receives one-line remarks for the user of the program. */
  say?: (line: string) => void;
  /** For tests: no durability, in exchange for speed. */
  throwaway?: boolean;
  /** For drills: the port to listen on. Default: a free one. */
  port?: number;
}

/** Starts the cluster of `dataDir`, and creates it if it is missing. Adopts a running one whose owner was killed. */
export async function startCluster({
  dataDir,
  say = () => {},
  throwaway = false,
  port,
}: Options): Promise<Cluster> {
  const { home, account } = await ensureHome(path.resolve(dataDir), say);
  const place: Place = {
    home,
    data: path.join(home, "data"),
    account,
    throwaway,
    binaries: await ensureBinaries(account, say),
    password: await ensureSecret(path.join(home, "password"), account),
    port: port ?? (await freePort()),
  };
  await ensureInitialized(place);

  const stopping = new AbortController();
  for (let attempt = 1; attempt <= 3; attempt++) {
    const client = (await findRunning(place)) ?? (await launch(place, stopping.signal));
    if (client) {
      await takeOwnership(client, dataDir);
      return owned(client, place, stopping, say);
    }
    await sleep(1000);
  }
  throw new PlainError(`PostgreSQL did not start. The end of its log:\n${await lastLogLines(place)}`);
}

/**
 * Returns the connection string of the cluster of `dataDir` while another process runs it; otherwise null. Does not own
 * it.
 */
export async function runningDatabase(dataDir: string): Promise<string | null> {
  const home = await fs.realpath(path.join(dataDir, "postgres")).catch(ignore("ENOENT"));
  const password = home && (await fs.readFile(path.join(home, "password"), "utf8").catch(ignore("ENOENT")));
  if (!password) return null;
  const client = await findRunning({ data: path.join(home, "data"), password });
  await client?.end();
  return client && urlOf(client.port, password, DATABASE);
}

/** Removes a stopped cluster's data folder and its home, if that is elsewhere. */
export async function removeDataDir(dataDir: string): Promise<void> {
  const home = await fs.realpath(path.join(dataDir, "postgres")).catch(() => null);
  if (home) await fs.rm(home, { recursive: true, force: true });
  await fs.rm(dataDir, { recursive: true, force: true });
}

/** Returns a TCP port of 127.0.0.1 that was free a moment ago. */
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

/** Takes the owner's lock. The lock of a killed owner becomes free a moment after its death. */
async function takeLock(client: pg.Client): Promise<boolean> {
  for (let attempt = 0; attempt < 20; attempt++) {
    const { rows } = await client.query("SELECT pg_try_advisory_lock($1) AS taken", [OWNER_LOCK]);
    if (rows[0].taken) return true;
    await sleep(100);
  }
  return false;
}

/** Takes the lock and creates the application's database, or throws an error that names the holder of the lock. */
async function takeOwnership(client: pg.Client, dataDir: string): Promise<void> {
  if (!(await takeLock(client))) {
    const { rows } = await client.query(
      "SELECT application_name AS name FROM pg_locks JOIN pg_stat_activity USING (pid) WHERE locktype = 'advisory' AND objid = $1",
      [OWNER_LOCK],
    );
    await client.end();
    const owner = /\d+$/.exec(rows[0]?.name ?? "")?.[0];
    throw new PlainError(
      `The program is already running on ${dataDir}${owner ? ` (process ${owner})` : ""}. Stop it first.`,
    );
  }
  if (await hasDatabase(client, FORMER_KEY))
    throw new PlainError(
      `The database in ${dataDir} is older than this version can upgrade. First start ${PREDECESSOR} with it, then this version.`,
    );
  if (!(await hasDatabase(client, DATABASE))) await client.query(`CREATE DATABASE ${DATABASE}`);
}

const hasDatabase = async (client: pg.Client, name: string): Promise<boolean> =>
  (await client.query("SELECT FROM pg_database WHERE datname = $1", [name])).rows.length > 0;

/** Restarts the server whenever it ends, until it is stopped. `client` holds the owner's lock while it is connected. */
function owned(
  client: pg.Client,
  started: Place,
  stopping: AbortController,
  say: (line: string) => void,
): Cluster {
  const place = { ...started, port: client.port };
  let regaining = Promise.resolve();
  const watch = (owner: pg.Client | null) => {
    owner?.once("end", () => {
      if (!stopping.signal.aborted) regaining = reconnect(place, stopping.signal, say).then(watch);
    });
  };
  watch(client);

  return {
    url: urlOf(place.port, place.password, DATABASE),
    async stop() {
      stopping.abort();
      await regaining;
      await stopServer(place.data);
    },
  };
}

/**
 * Connects to the server again, and restarts it if it has ended, as often as necessary. After a full disk, it runs
 * again when there is space. Returns null on `stop`.
 */
async function reconnect(
  place: Place,
  stop: AbortSignal,
  say: (line: string) => void,
): Promise<pg.Client | null> {
  say("PostgreSQL ended unexpectedly. Restarting it.");
  for (let attempt = 1; !stop.aborted; attempt++) {
    try {
      // If only one of its processes has crashed, the server drops all connections and soon accepts new ones.
      const client = (await findRunning(place, stop)) ?? (await launch(place, stop));
      if (client && (await takeLock(client))) {
        say("PostgreSQL is running again.");
        return client;
      }
      await client?.end();
    } catch {
      // The server ended again, or its files cannot be written at the moment.
    }
    if (attempt === 3)
      say(`PostgreSQL has not started yet. The end of its log:\n${await lastLogLines(place)}`);
    const pause = Math.min(attempt * 500, LONGEST_PAUSE_MS);
    await sleep(pause, undefined, { signal: stop, ref: false }).catch(() => {});
  }
  return null;
}
