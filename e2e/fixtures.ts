import { type ChildProcess, spawn } from "node:child_process";
import { test as base } from "@playwright/test";
import { freePort, removeDataDir } from "@/lib/ops/embedded";
import { tempDataDir } from "@/tests/setup/data-dir";

export { expect } from "@playwright/test";

/** Of the demo accounts that each server starts with. */
export { DEMO } from "@/lib/ops/demo";

export interface AppServer {
  url: string;
  /** Its DATA_DIR, where mail lies as .eml files. */
  dataDir: string;
  /** What it has printed so far. */
  output(): string;
}

interface PerTest {
  /** Fails the test when a page throws. */
  pageErrors: undefined;
}

interface PerWorker {
  /** What the server's environment has beyond what it needs. */
  serverEnv: Record<string, string>;
  /** A production server of this worker alone, with demo accounts and data in its own database. */
  server: AppServer;
}

export const test = base.extend<PerTest, PerWorker>({
  serverEnv: [{}, { scope: "worker", option: true }],

  server: [
    async ({ serverEnv }, use) => {
      const dataDir = await tempDataDir();
      try {
        const server = await startServer(dataDir, serverEnv);
        await use(server).finally(server.stop);
      } finally {
        await removeDataDir(dataDir);
      }
    },
    { scope: "worker", timeout: 120_000 },
  ],

  baseURL: async ({ server }, use) => use(server.url),

  pageErrors: [
    async ({ page }, use) => {
      const errors: Error[] = [];
      page.on("pageerror", (error) => errors.push(error));
      await use(undefined);
      if (errors[0]) throw errors[0];
    },
    { auto: true },
  ],
});

/** A production server on a free port that knows nothing of the caller's settings, only its own database. */
export async function startServer(
  dataDir: string,
  more: Record<string, string> = {},
): Promise<AppServer & { stop: () => Promise<void> }> {
  const { PATH, HOME, NEXT_DIST_DIR } = process.env;
  const url = `http://localhost:${await freePort()}`;
  const args = ["--import", "./lib/ops/tsx.mjs", "lib/ops/start.ts", "--no-env-file"];
  const child = spawn(process.execPath, args, {
    env: {
      ...{ NODE_ENV: "production", PATH, HOME, ...(NEXT_DIST_DIR && { NEXT_DIST_DIR }) },
      ...{ PORT: new URL(url).port, DATA_DIR: dataDir, TZ: "America/New_York" },
      ...more,
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream?.on("data", (chunk) => (output += chunk));
  const stopServer = () => stop(child);
  await untilReady(child, () => output).catch(async (error) => {
    await stopServer();
    throw error;
  });
  return { url, dataDir, output: () => output, stop: stopServer };
}

async function untilReady(child: ChildProcess, output: () => string): Promise<void> {
  while (!output().includes("Ready: ")) {
    if (child.exitCode !== null) throw new Error(`The server did not start:\n${output()}`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  const exited = new Promise((resolve) => child.once("exit", resolve));
  child.kill("SIGTERM");
  await exited;
}
