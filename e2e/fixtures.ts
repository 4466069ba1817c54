import { test as base, expect, type Locator, type Page } from "@playwright/test";
import pg from "pg";
import { hashPassword } from "@/lib/accounts/hashing";
import type { Permission } from "@/lib/auth/permissions";
import * as child from "@/lib/develop/child";
import { DEMO } from "@/lib/operate/demo";
import { freePort, removeDataDir, runningDatabase } from "@/lib/operate/embedded";
import { makeGate } from "@/tests/gate";
import { tempDataDir } from "@/tests/setup/data-dir";

/** Of the demo accounts that each server starts with. */
export { DEMO, expect };

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
  /** The server's own database. */
  database: pg.Client;
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
    { scope: "worker", timeout: 300_000 },
  ],

  database: [
    async ({ server }, use) => {
      const client = new pg.Client((await runningDatabase(server.dataDir)) ?? "");
      await client.connect();
      await use(client);
      await client.end();
    },
    { scope: "worker" },
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
  const url = `http://localhost:${await freePort()}`;
  const settings = { PORT: new URL(url).port, DATA_DIR: dataDir, TZ: "America/New_York", ...more };
  return { url, dataDir, ...(await child.startServer(settings)) };
}

/** An active account of that email with the demo password, whose role holds these permissions and no others. */
export async function makeAccount(database: pg.Client, email: string, permissions: readonly Permission[]) {
  const keys = permissions.map((key) => key.replaceAll("-", " "));
  await database.query(
    `WITH made AS (INSERT INTO roles (name) VALUES ($1) RETURNING id),
       held AS (INSERT INTO role_permissions (role_id, permission_id)
         SELECT made.id, p.id FROM made, permissions p WHERE lower(p.name::text) = ANY($2))
     INSERT INTO users (first_name, last_name, email, password_hash, role_id, activated_at)
       SELECT 'Some', 'Body', $1, $3, made.id, now() FROM made`,
    [email, keys, await hashPassword(DEMO.password)],
  );
}

/** Goes on with Tab until the control has the focus. */
export async function tabTo(page: Page, control: Locator) {
  await expect(control).toBeEnabled();
  for (let presses = 0; presses < 150; presses++) {
    if (await control.evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press("Tab");
  }
  throw new Error(`Tab never reached ${control}`);
}

/** Waits until the page's scripts listen for keys, because a key that is pressed before is lost. */
export async function listens(page: Page) {
  const find = page.getByRole("button", { name: "Find (Ctrl+K)" });
  await expect
    .poll(() => find.evaluate((button) => Object.keys(button).some((key) => key.startsWith("__reactProps"))))
    .toBe(true);
  // The listeners are added right after, by effects.
  await page.evaluate(() => new Promise((done) => setTimeout(done)));
}

/** Stops the clock of the page's scripts, from its next load on; `page.clock.runFor` moves it. */
export async function stopClock(page: Page) {
  await page.clock.install();
  await page.clock.pauseAt(Date.now() + 60_000);
}

/** Two presses as close together as they must be to hide the screen; on a stopped clock they always are. */
export async function pressEscapeTwice(page: Page) {
  await page.keyboard.press("Escape");
  await page.keyboard.press("Escape");
}

/** Keeps calls waiting until the answered function is called; then they go on, or are answered with `answer`. */
export async function hold(
  page: Page,
  url: string | RegExp,
  answer?: { status: number; json: object },
): Promise<() => void> {
  const gate = makeGate();
  await page.route(url, async (route) => {
    await gate.opened;
    await (answer ? route.fulfill(answer) : route.continue());
  });
  return gate.open;
}
