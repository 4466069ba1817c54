import { execFileSync } from "node:child_process";
import { chmod, mkdir } from "node:fs/promises";
import path from "node:path";
import { type ServerProcess, startNode, startServer } from "@/lib/dev/child";
import { generatedUser } from "@/lib/dev/data/fill";
import { queryAt } from "@/lib/dev/query";
import { DEMO } from "@/lib/ops/demo";
import { freePort, runningDatabase, startCluster } from "@/lib/ops/embedded";

/** A database, with the product and the bare server on it, each in its own process. */
export interface Place {
  forms: number;
  dataDir: string;
  url: string;
  cookie: string;
  process: ServerProcess;
  bareUrl: string;
  query<Row>(sql: string, values?: unknown[]): Promise<Row[]>;
  stop(): Promise<void>;
}

/** The sign-in of a generated account with all permissions. */
export const ADMINISTRATOR = { email: generatedUser(1), password: DEMO.password };

const TSX = ["--import", "./lib/ops/tsx.mjs"];
/** The database is filled once. Each run measures a copy of it. */
const FILLED = "filled";

/** Opens a place in `folder`. Creates the filled database there unless an earlier run left one. */
export async function openPlace(folder: string, forms: number): Promise<Place> {
  const dataDir = path.join(folder, String(forms));
  await mkdir(dataDir, { recursive: true });
  await chmod(dataDir, 0o711);
  await prepareCopy(dataDir, forms);

  const port = await freePort();
  const url = `http://localhost:${port}`;
  const process = await startServer({ PORT: String(port), DATA_DIR: dataDir });
  try {
    const databaseUrl = String(await runningDatabase(dataDir));
    const cookie = await signIn(url);
    const barePort = String(await freePort());
    const bare = await startNode([...TSX, "lib/dev/bench/bare.ts"], {
      PORT: barePort,
      DATABASE_URL: databaseUrl,
    });
    return {
      forms,
      dataDir,
      url,
      cookie,
      process,
      bareUrl: `http://localhost:${barePort}`,
      query: (sql, values) => queryAt(databaseUrl, sql, values),
      async stop() {
        await bare.stop();
        await process.stop();
      },
    };
  } catch (error) {
    await process.stop();
    throw error;
  }
}

async function prepareCopy(dataDir: string, forms: number): Promise<void> {
  const cluster = await startCluster({ dataDir });
  const at = (database: string) => Object.assign(new URL(cluster.url), { pathname: `/${database}` }).href;
  const run = (sql: string) => queryAt(at("postgres"), sql);
  try {
    if ((await run(`SELECT FROM pg_database WHERE datname = '${FILLED}'`)).length === 0) {
      await run("DROP DATABASE IF EXISTS unfinished");
      await run("CREATE DATABASE unfinished");
      generate(at("unfinished"), forms);
      await run(`ALTER DATABASE unfinished RENAME TO ${FILLED}`);
    }
    const copy = new URL(cluster.url).pathname.slice(1);
    await run(`DROP DATABASE ${copy}`);
    await run(`CREATE DATABASE ${copy} TEMPLATE ${FILLED} STRATEGY file_copy`);
  } finally {
    await cluster.stop();
  }
}

function generate(url: string, forms: number): void {
  console.log(`Generating ${forms} forms…`);
  const args = [...TSX, "lib/dev/generate.ts", "--forms", String(forms)];
  execFileSync(process.execPath, args, { env: { ...process.env, DATABASE_URL: url }, stdio: "inherit" });
}

async function signIn(url: string): Promise<string> {
  const response = await fetch(`${url}/api/login`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(ADMINISTRATOR),
  });
  if (!response.ok) throw new Error(`The sign-in failed with ${response.status}`);
  const cookies = response.headers.getSetCookie();
  return cookies.map((cookie) => cookie.split(";")[0]).join("; ");
}
