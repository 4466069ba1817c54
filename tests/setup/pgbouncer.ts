import { spawn, spawnSync } from "node:child_process";
import { chown, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { PlainError } from "@/lib/core/process/plain-error";
import { freePort } from "@/lib/ops/embedded";

/** Debian installs it outside of ordinary users' PATH. */
const env = { ...process.env, PATH: `${process.env.PATH}:/usr/sbin` };
/** PgBouncer refuses to run as root. */
const NOBODY = 65_534;
const account = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {};

export interface Pooler {
  /** Returns the URL of the same database through the pooler. */
  through(url: string): string;
  stop(): Promise<void>;
}

/**
 * Starts this machine's PgBouncer, which pools transactions, for all databases and roles of a server. `url` is its
 * superuser's. Throws if the machine has no PgBouncer.
 */
export async function startPgBouncer(url: string): Promise<Pooler> {
  if (spawnSync("pgbouncer", ["--version"], { env }).status !== 0)
    throw new PlainError("PgBouncer is not on PATH. On Debian: apt-get install pgbouncer");
  const { hostname, port, username, password } = new URL(url);
  const folder = await mkdtemp(path.join(tmpdir(), "lanternbook-pgbouncer-"));
  const users = path.join(folder, "users");
  const settings = path.join(folder, "ini");
  const own = await freePort();
  await writeFile(users, `"${username}" "${decodeURIComponent(password)}"\n`, { mode: 0o600 });
  await writeFile(
    settings,
    `[databases]
* = host=${hostname} port=${port}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${own}
unix_socket_dir =
pool_mode = transaction
default_pool_size = 40
max_client_conn = 1000
server_idle_timeout = 5
auth_type = scram-sha-256
auth_file = ${users}
auth_user = ${username}
auth_query = SELECT rolname, rolpassword FROM pg_authid WHERE rolname = $1
`,
  );
  for (const file of [folder, users, settings]) if (account.uid) await chown(file, account.uid, account.gid);
  const child = spawn("pgbouncer", ["--quiet", settings], { ...account, env, stdio: "ignore" });
  const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  const through = (direct: string) => {
    const there = new URL(direct);
    there.host = `127.0.0.1:${own}`;
    return there.href;
  };
  while (!(await answers(through(url)))) {
    if (child.exitCode !== null) throw new PlainError("PgBouncer did not start.");
    await sleep(50);
  }
  return {
    through,
    async stop() {
      child.kill("SIGINT");
      await ended;
      await rm(folder, { recursive: true });
    },
  };
}

async function answers(url: string): Promise<boolean> {
  const client = new pg.Client(url);
  client.on("error", () => {});
  try {
    await client.connect();
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => {});
  }
}
