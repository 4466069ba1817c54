import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { chmod, mkdir } from "node:fs/promises";
import path from "node:path";
import pg from "pg";
import { type ServerProcess, startServer } from "@/lib/dev/child";
import { generatedUser } from "@/lib/dev/data/fill";
import { DEMO } from "@/lib/ops/demo";
import { freePort, runningDatabase, startCluster } from "@/lib/ops/embedded";

/** The setting of a measurement: a database, and the product and the bare server on it, each in its own process. */
export interface Place {
  forms: number;
  dataDir: string;
  url: string;
  /** Of an administrator's session. */
  cookie: string;
  process: ServerProcess;
  bareUrl: string;
  database: pg.Client;
  stop(): Promise<void>;
}

const TSX = ["--import", "./lib/ops/tsx.mjs"];
/** The database is filled once; each run measures a copy of it. */
const FILLED = "filled";

/** Opens a place in `folder`. The filled database is made there unless an earlier run left one. */
export async function openPlace(folder: string, forms: number): Promise<Place> {
  const dataDir = path.join(folder, String(forms));
  await mkdir(dataDir, { recursive: true });
  await chmod(dataDir, 0o711);
  await prepareCopy(dataDir, forms);

  const port = await freePort();
  const process = await startServer({ PORT: String(port), DATA_DIR: dataDir });
  const closers: (() => Promise<unknown>)[] = [() => process.stop()];
  const stop = async () => {
    for (const close of closers.splice(0).toReversed()) await close();
  };
  try {
    const databaseUrl = String(await runningDatabase(dataDir));
    const database = new pg.Client(databaseUrl);
    // When everything is stopped at once, PostgreSQL may end first.
    database.on("error", () => {});
    await database.connect();
    closers.push(() => database.end());
    const bare = await startBare(databaseUrl);
    closers.push(() => end(bare.child));
    const url = `http://localhost:${port}`;
    const bareUrl = `http://localhost:${bare.port}`;
    return { forms, dataDir, url, cookie: await signIn(url), process, bareUrl, database, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function prepareCopy(dataDir: string, forms: number): Promise<void> {
  const cluster = await startCluster({ dataDir });
  const at = (database: string) => Object.assign(new URL(cluster.url), { pathname: `/${database}` }).href;
  const client = new pg.Client(at("postgres"));
  await client.connect();
  try {
    const { rowCount } = await client.query("SELECT FROM pg_database WHERE datname = $1", [FILLED]);
    if (!rowCount) await client.query(`CREATE DATABASE ${FILLED}`);
    if (!(await isFilled(at(FILLED)))) generate(at(FILLED), forms);
    const copy = new URL(cluster.url).pathname.slice(1);
    await client.query(`DROP DATABASE ${copy}`);
    await client.query(`CREATE DATABASE ${copy} TEMPLATE ${FILLED} STRATEGY file_copy`);
  } finally {
    await client.end();
    await cluster.stop();
  }
}

async function isFilled(url: string): Promise<boolean> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    const { rows } = await client.query("SELECT to_regclass('forms') IS NOT NULL AS there");
    return rows[0].there && ((await client.query("SELECT FROM forms LIMIT 1")).rowCount ?? 0) > 0;
  } finally {
    await client.end();
  }
}

function generate(url: string, forms: number): void {
  console.log(`Generating ${forms} forms…`);
  const args = [...TSX, "lib/dev/generate.ts", "--forms", String(forms)];
  const env = { ...process.env, DATABASE_URL: url };
  if (spawnSync(process.execPath, args, { env, stdio: "inherit" }).status !== 0)
    throw new Error("The records could not be generated");
}

/** Signs in as the generated administrator. Returns the session's cookie header. */
async function signIn(url: string): Promise<string> {
  const answer = await fetch(`${url}/api/login`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ email: generatedUser(1), password: DEMO.password }),
  });
  if (!answer.ok) throw new Error(`The sign-in was answered ${answer.status}`);
  return answer.headers
    .getSetCookie()
    .map((cookie) => cookie.split(";")[0])
    .join("; ");
}

async function startBare(databaseUrl: string): Promise<{ child: ChildProcess; port: number }> {
  const port = await freePort();
  const { PATH, HOME } = process.env;
  const child = spawn(process.execPath, [...TSX, "lib/dev/bench/bare.ts"], {
    env: { NODE_ENV: "production", PATH, HOME, PORT: String(port), DATABASE_URL: databaseUrl },
    stdio: ["ignore", "pipe", "inherit"],
  });
  await new Promise<void>((resolve, reject) => {
    child.stdout?.once("data", () => resolve());
    child.once("exit", () => reject(new Error("The bare server did not start")));
  });
  return { child, port };
}

/** Ends a child process of ours and waits for it. */
export async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = new Promise((resolve) => child.once("exit", resolve));
  child.kill("SIGTERM");
  await ended;
}
