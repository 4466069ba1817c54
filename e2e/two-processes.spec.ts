import {
  createServer,
  request as httpRequest,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from "node:http";
import { test as base, expect, waitUntilInteractive } from "@/e2e/fixtures";
import { type AppServer, startServer } from "@/e2e/servers";
import { freePort, removeDataDir, startCluster } from "@/lib/ops/embedded";
import { tempDataDir } from "@/tests/setup/data-dir";

// The main job through a proxy that alternates between two processes. State in only one of them, such as a session, a
// limit, or a draft, would be missing at the next request.

const ADMIN = { ADMIN_EMAIL: "first@example.org", ADMIN_PASSWORD: "Lanternbook-Demo-1" };

interface Site {
  url: string;
  /** The number of requests to each process. */
  shares: number[];
  servers: AppServer[];
}

const test = base.extend<object, { site: Site }>({
  site: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads from this pattern which fixtures it needs.
    async ({}, use) => {
      const [databaseDir, ...dataDirs] = [await tempDataDir(), await tempDataDir(), await tempDataDir()];
      const cluster = await startCluster({ dataDir: databaseDir, throwaway: true });
      const port = await freePort();
      const settings = {
        DATABASE_URL: cluster.url,
        AUTH_SECRET: "two processes, one secret, ".repeat(2),
        APP_URL: `http://localhost:${port}`,
        TRUSTED_PROXIES: "127.0.0.0/8, ::1",
        ...ADMIN,
      };
      // At the same time: they take turns preparing the database.
      const starting = dataDirs.map((dataDir) => startServer(dataDir, settings));
      let proxy: Server | undefined;
      try {
        const servers = await Promise.all(starting);
        const shares = servers.map(() => 0);
        proxy = await listen(port, servers, shares);
        await use({ url: settings.APP_URL, shares, servers });
      } finally {
        proxy?.close();
        proxy?.closeAllConnections();
        const started = await Promise.allSettled(starting);
        await Promise.all(started.map((server) => server.status === "fulfilled" && server.value.stop()));
        await cluster.stop();
        await Promise.all([databaseDir, ...dataDirs].map(removeDataDir));
      }
    },
    { scope: "worker", timeout: 300_000 },
  ],
  baseURL: async ({ site }, use) => use(site.url),
});

function listen(port: number, servers: AppServer[], shares: number[]): Promise<Server> {
  let turn = 0;
  const forward = (request: IncomingMessage, response: ServerResponse) => {
    turn = (turn + 1) % servers.length;
    shares[turn] = (shares[turn] ?? 0) + 1;
    const { method, headers } = request;
    const passed = { ...headers, "x-forwarded-for": request.socket.remoteAddress };
    const upstream = httpRequest(
      new URL(request.url ?? "/", servers[turn]?.url),
      { method, headers: passed },
      (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(response);
      },
    );
    upstream.once("error", () => response.destroy());
    request.pipe(upstream);
  };
  const server = createServer(forward);
  return new Promise((resolve) => server.listen(port, () => resolve(server)));
}

test("two processes behind one proxy do the main job like one", async ({ page, site }) => {
  await page.goto("/forms/new");
  await page.getByLabel("Email").fill(ADMIN.ADMIN_EMAIL);
  await page.getByLabel("Password").fill(ADMIN.ADMIN_PASSWORD);
  await page.getByRole("button", { name: "Sign In" }).click();

  await expect(page.getByRole("heading", { name: "New Form", level: 1 })).toBeVisible();
  await waitUntilInteractive(page);
  await page.getByRole("textbox", { name: "Client Name" }).fill("Two Processes");
  await page.getByLabel("Form Type").selectOption("Service");
  await page.getByLabel("Service Status").selectOption("Served");
  await page.getByRole("button", { name: "Save" }).click();

  await expect(page).toHaveURL(/\/forms$/);
  const row = page.getByRole("row", { name: /Two Processes/ });
  await expect(row).toBeVisible();
  await page.reload();
  await row.getByRole("button", { name: "Reconcile Form" }).click();
  await expect(row).toBeHidden();
  await page.getByRole("combobox", { name: "Status", exact: true }).selectOption("Reconciled");
  await expect(row).toBeVisible();

  const [most = 0, least = 0] = site.shares.toSorted((a, b) => b - a);
  expect(most - least).toBeLessThanOrEqual(1);
});

test("a server whose log is no longer read still responds, and stops on request", async ({ page, site }) => {
  for (const { child } of site.servers) {
    child.stdout?.destroy();
    child.stderr?.destroy();
  }
  // Each request is a line in the log of one of the processes.
  for (let calls = 0; calls < 6; calls++) {
    expect((await page.request.get("/api/me")).status()).toBe(401);
  }
  await Promise.all(site.servers.map((server) => server.stop()));
  expect(site.servers.map(({ child }) => child.exitCode)).toEqual([0, 0]);
});
