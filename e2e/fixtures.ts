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
  /** A production server of this worker alone, with demo accounts and data in its own database. */
  server: AppServer;
}

export const test = base.extend<PerTest, PerWorker>({
  server: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads from this pattern which fixtures it needs.
    async ({}, use) => {
      const dataDir = await tempDataDir();
      const url = `http://localhost:${await freePort()}`;
      const child = start(url, dataDir);
      let output = "";
      for (const stream of [child.stdout, child.stderr]) stream?.on("data", (chunk) => (output += chunk));
      try {
        await untilReady(child, () => output);
        await use({ url, dataDir, output: () => output });
      } finally {
        await stop(child);
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

/** Knows nothing of the caller's settings, so that no database but its own can be reached. */
function start(url: string, dataDir: string): ChildProcess {
  const { PATH, HOME, NEXT_DIST_DIR } = process.env;
  return spawn(process.execPath, ["--import", "./lib/ops/tsx.mjs", "lib/ops/start.ts", "--no-env-file"], {
    env: {
      ...{ NODE_ENV: "production", PATH, HOME, ...(NEXT_DIST_DIR && { NEXT_DIST_DIR }) },
      ...{ PORT: new URL(url).port, DATA_DIR: dataDir, TZ: "America/New_York" },
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
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
