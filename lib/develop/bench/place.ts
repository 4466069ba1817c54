import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { chmod, mkdir } from "node:fs/promises";
import path from "node:path";
import pg from "pg";
import { Connection, type Target } from "@/lib/develop/bench/connection";
import { type ServerProcess, startServer } from "@/lib/develop/child";
import { generatedUser } from "@/lib/develop/data/fill";
import { DEMO } from "@/lib/operate/demo";
import { freePort, runningDatabase, startCluster } from "@/lib/operate/embedded";

// Where measurements run: a database with the given number of forms, and the product and the bare server on it, each in
// a process of its own.

export interface Place {
  forms: number;
  dataDir: string;
  url: string;
  /** The product, as an administrator. */
  product: Target & { cookie: string };
  process: ServerProcess;
  bare: Target;
  database: pg.Client;
  stop(): Promise<void>;
}

const TSX = ["--import", "./lib/operate/tsx.mjs"];
/** The database is filled once; each run measures a copy of it. */
const FILLED = "filled";

/** Opens a place in `folder`, where the filled database is made unless an earlier run left it. */
export async function openPlace(folder: string, forms: number): Promise<Place> {
  const dataDir = path.join(folder, String(forms));
  await mkdir(dataDir, { recursive: true });
  await chmod(dataDir, 0o711);
  await prepareCopy(dataDir, forms);

  const port = await freePort();
  // Lets the measurement of sign-ins send many client addresses.
  const settings = { PORT: String(port), DATA_DIR: dataDir, TRUSTED_PROXIES: "127.0.0.1" };
  const process = await startServer(settings);
  const opened: (() => Promise<unknown>)[] = [() => process.stop()];
  const stop = async () => {
    for (const close of opened.toReversed()) await close();
  };
  try {
    const databaseUrl = String(await runningDatabase(dataDir));
    const database = new pg.Client(databaseUrl);
    // When everything is stopped at once, PostgreSQL may end first.
    database.on("error", () => {});
    await database.connect();
    opened.push(() => database.end());
    const bare = await startBare(databaseUrl);
    opened.push(() => end(bare.child));
    const product = { port, cookie: await cookieOf({ port }, generatedUser(1)) };
    const url = `http://localhost:${port}`;
    return { forms, dataDir, url, product, process, bare: { port: bare.port }, database, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function prepareCopy(dataDir: string, forms: number): Promise<void> {
  const cluster = await startCluster({ dataDir });
  const filled = new URL(cluster.url);
  const copy = filled.pathname.slice(1);
  filled.pathname = `/${FILLED}`;
  const other = new URL(cluster.url);
  other.pathname = "/postgres";
  const client = new pg.Client(other.href);
  await client.connect();
  try {
    const { rowCount } = await client.query("SELECT FROM pg_database WHERE datname = $1", [FILLED]);
    if (!rowCount) await client.query(`CREATE DATABASE ${FILLED}`);
    if (!(await isFilled(filled.href))) generate(filled.href, forms);
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
  const args = [...TSX, "lib/develop/generate.ts", "--forms", String(forms)];
  const { status } = spawnSync(process.execPath, args, {
    env: { ...process.env, DATABASE_URL: url },
    stdio: "inherit",
  });
  if (status !== 0) throw new Error("The records could not be generated");
}

/** Signs in and answers the cookies of the session. */
export async function cookieOf(target: Target, email: string): Promise<string> {
  const connection = new Connection(target);
  try {
    const body = { email, password: DEMO.password };
    const answer = await connection.send({ method: "POST", path: "/api/login", body });
    if (answer.status !== 200)
      throw new Error(`${email} could not sign in: ${answer.status} ${answer.text()}`);
    return answer.cookies();
  } finally {
    connection.close();
  }
}

async function startBare(databaseUrl: string): Promise<{ child: ChildProcess; port: number }> {
  const port = await freePort();
  const { PATH, HOME } = process.env;
  const child = spawn(process.execPath, [...TSX, "lib/develop/bench/bare.ts"], {
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
