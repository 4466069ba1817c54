import { readFile } from "node:fs/promises";
import path from "node:path";
import { hashSync } from "bcryptjs";
import pg from "pg";
import { ZONE } from "@/e2e/zone";
import * as child from "@/lib/dev/child";
import { DEMO } from "@/lib/ops/demo";
import { freePort, runningDatabase } from "@/lib/ops/embedded";

// Production servers of the browser tests, and their databases.

/** The demo password's hash, at bcrypt's lowest cost, because every test signs in. */
export const PASSWORD_HASH = hashSync(DEMO.password, 4);

export interface AppServer extends child.ServerProcess {
  url: string;
  /** The server's DATA_DIR. */
  dataDir: string;
}

/** `npm start` saves memory at the expense of time, which tests have less of. */
const AMPLE_MEMORY = ["--max-semi-space-size=32", "--heap-growing-percent=0"];

/** Starts a production server on a free port with none of the caller's settings, only its own database. */
export async function startServer(dataDir: string, more: Record<string, string> = {}): Promise<AppServer> {
  const url = `http://localhost:${await freePort()}`;
  const settings = { PORT: new URL(url).port, DATA_DIR: dataDir, TZ: ZONE, ...more };
  return { url, dataDir, ...(await child.startServer(settings, AMPLE_MEMORY)) };
}

/** Starts another process of the program on the same database, with the same sessions. */
export async function startSecondProcess({ dataDir }: AppServer, more: Record<string, string> = {}) {
  return startServer(dataDir, { ...(await sharedSettings(dataDir)), ...more });
}

const sharedSettings = async (dataDir: string) => ({
  DATABASE_URL: (await runningDatabase(dataDir)) ?? "",
  AUTH_SECRET: await readFile(path.join(dataDir, "auth-secret"), "utf8"),
});

/** The arguments that `npm run dev` gives to Node, without the caller's .env. */
const DEVELOPMENT = ["--import", "./lib/ops/tsx.mjs", "lib/ops/dev.ts", "--dev", "--no-env-file"];

/** Starts the program from its sources, as `npm run dev` does, on the same database, with the same sessions. */
export async function startInDevelopment({ url: appUrl, dataDir }: AppServer): Promise<AppServer> {
  const url = `http://localhost:${await freePort()}`;
  const settings = {
    PORT: new URL(url).port,
    DATA_DIR: dataDir,
    TZ: ZONE,
    APP_URL: appUrl,
    ...(await sharedSettings(dataDir)),
  };
  return { url, dataDir, ...(await child.startNode(DEVELOPMENT, settings)) };
}

/** Calls `work` with a connection to the database of a running server. */
export async function withDatabase(dataDir: string, work: (client: pg.Client) => Promise<unknown>) {
  const client = new pg.Client((await runningDatabase(dataDir)) ?? "");
  await client.connect();
  await work(client).finally(() => client.end());
}
