import {
  type BrowserContext,
  test as base,
  expect,
  type Locator,
  type Page,
  type Request,
  type Response,
} from "@playwright/test";
import type pg from "pg";
import { type AppServer, PASSWORD_HASH, startServer, withDatabase } from "@/e2e/servers";
import { copyTemplate } from "@/e2e/template";
import type { Permission } from "@/lib/core/access/permissions";
import { DEMO } from "@/lib/ops/demo";
import { removeDataDir } from "@/lib/ops/embedded";
import { assertDescribed, describedAt } from "@/tests/described";
import { makeGate } from "@/tests/gate";
import { type SmtpServer, startSmtpServer } from "@/tests/mailbox";

/** The demo accounts that each server starts with. */
export { DEMO, expect };

let names = 0;
/** Returns `name` with a number that is unique in this worker's database and always has the same length. */
export function uniqueName(name: string): string {
  names += 1;
  return `${name}-${String(names).padStart(3, "0")}`;
}

interface PerTest {
  /** True if the test enters a script that the Content-Security-Policy must block. */
  expectsBlockedScript: boolean;
  /** Fails the test if a page throws or violates its Content-Security-Policy. */
  pageErrors: undefined;
  /** Fails the test if a page receives an API response that does not match the description. */
  answers: undefined;
}

interface PerWorker {
  /** Receives the server's mail. */
  smtp: SmtpServer;
  /** Environment variables for the server, in addition to the required ones. */
  serverEnv: Record<string, string>;
  /** A production server for this worker only, with demo accounts and data in its own database. */
  server: AppServer;
  /** The server's own database. */
  database: pg.Client;
}

export const test = base.extend<PerTest, PerWorker>({
  serverEnv: [{}, { scope: "worker", option: true }],

  browser: [
    async ({ browser }, use) => {
      browser.on("context", (context) => {
        context.on("page", waitForScripts);
        void keepNotifications(context);
      });
      await use(browser);
    },
    { scope: "worker" },
  ],

  smtp: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads from this pattern which fixtures it needs.
    async ({}, use) => {
      const smtp = await startSmtpServer();
      await use(smtp);
      await smtp.close();
    },
    { scope: "worker" },
  ],

  server: [
    async ({ serverEnv, smtp }, use) => {
      const dataDir = await copyTemplate();
      try {
        const server = await startServer(dataDir, { SMTP_URL: smtp.url, ...serverEnv });
        await use(server).finally(server.stop);
      } finally {
        await removeDataDir(dataDir);
      }
    },
    { scope: "worker", timeout: 300_000 },
  ],

  database: [({ server }, use) => withDatabase(server.dataDir, use), { scope: "worker" }],

  baseURL: async ({ server }, use) => use(server.url),

  expectsBlockedScript: [false, { option: true }],

  pageErrors: [
    async ({ context, expectsBlockedScript }, use) => {
      const errors: Error[] = [];
      context.on("weberror", (thrown) => errors.push(thrown.error()));
      context.on("console", (message) => {
        const text = message.text();
        if (!expectsBlockedScript && text.includes("Content Security Policy")) errors.push(new Error(text));
      });
      await use(undefined);
      if (errors[0]) throw errors[0];
    },
    { auto: true },
  ],

  answers: [
    async ({ context }, use) => {
      const checks: Promise<unknown>[] = [];
      // This does not run at the start of a response: if the page leaves, the rest of the response never arrives.
      context.on("requestfinished", (request) => checks.push(checkAnswer(request).catch((error) => error)));
      await use(undefined);
      const outside = (await Promise.all(checks)).find((error) => error instanceof Error);
      if (outside) throw outside;
    },
    { auto: true },
  ],
});

async function checkAnswer(request: Request): Promise<void> {
  const endpoint = describedAt(request.method(), new URL(request.url()).pathname);
  if (!endpoint) return;
  // Null if the page was closed meanwhile.
  const response = await request.response().catch(() => null);
  const headers = new Headers(response?.headers());
  // Responses that a test fakes have no such header.
  if (!response || !headers.has("x-request-id")) return;
  const status = response.status();
  if (!headers.get("content-type")?.startsWith("application/json"))
    return assertDescribed(endpoint, { status, headers, body: "" });
  // The text of a download, or of a response that its page did not wait for, is not available here.
  const text = await response.text().catch(() => "");
  if (text !== "") assertDescribed(endpoint, { status, headers, body: JSON.parse(text) });
}

/**
 * Creates an active account with that email and the demo password, whose role holds exactly these
 * permissions.
 */
export async function makeAccount(database: pg.Client, email: string, permissions: readonly Permission[]) {
  const keys = permissions.map((key) => key.replaceAll("-", " "));
  await database.query(
    `WITH made AS (INSERT INTO roles (name) VALUES ($1) RETURNING id),
       held AS (INSERT INTO role_permissions (role_id, permission_id)
         SELECT made.id, p.id FROM made, permissions p WHERE lower(p.name::text) = ANY($2))
     INSERT INTO users (first_name, last_name, email, password_hash, role_id, activated_at)
       SELECT 'Some', 'Body', $1, $3, made.id, now() FROM made`,
    [email, keys, PASSWORD_HASH],
  );
}

/** Signs in without the login page, by default as the demo administrator. */
export async function signIn(page: Page, email: string = DEMO.administrator) {
  const data = { email, password: DEMO.password };
  expect((await page.request.post("/api/login", { data })).status()).toBe(200);
}

/** Loads the page and waits for its one request about the remaining session time. */
export async function gotoWatched(page: Page, path: string) {
  const sessionResponse = page.waitForResponse(
    (response) => new URL(response.url()).pathname === "/api/sessions/current",
  );
  await page.goto(path);
  await sessionResponse;
}

/** Returns the button with exactly this name. */
export const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });

/** The lines of all notifications that the page has shown since it was loaded. */
type ShowsNotifications = Window & { shownNotifications: string[] };

/** Keeps what notifications say. Each disappears after seven seconds, and on a busy machine a test may look later. */
const keepNotifications = (context: BrowserContext) =>
  context.addInitScript(() => {
    const shown: string[] = [];
    Object.assign(window, { shownNotifications: shown });
    new MutationObserver((changes) => {
      for (const node of changes.flatMap(({ addedNodes }) => [...addedNodes]))
        if (node instanceof Element && node.matches("[data-notice]"))
          shown.push(...[...node.querySelectorAll("p")].map((line) => line.textContent ?? ""));
    }).observe(document, { childList: true, subtree: true });
  });

/** Expects a notification with exactly this line, besides those expected before. It may be gone again. */
export async function expectNotification(page: Page, message: string) {
  const takeShown = () =>
    page.evaluate((line) => {
      const { shownNotifications: shown } = window as unknown as ShowsNotifications;
      const at = shown.indexOf(line);
      return at === -1 ? shown : shown.splice(at, 1);
    }, message);
  // While another page loads, there is nothing to read.
  await expect.poll(() => takeShown().catch(() => [])).toContain(message);
}

/**
 * Keeps notifications with Undo, from the page's next load on, as if the mouse were over them. They disappear after seven
 * seconds, and on a busy machine a test may press Undo later.
 */
export const keepUndo = (page: Page) =>
  page.addInitScript(() => {
    new MutationObserver((changes) => {
      for (const node of changes.flatMap(({ addedNodes }) => [...addedNodes]))
        if (node instanceof Element && node.matches("[data-notice]:has([title='Undo (u)'])"))
          node.dispatchEvent(new MouseEvent("mouseover", { bubbles: true }));
    }).observe(document, { childList: true, subtree: true });
  });

/** Presses Tab until the control has the focus. */
export async function tabTo(page: Page, control: Locator) {
  await expect(control).toBeEnabled();
  for (let presses = 0; presses < 150; presses++) {
    if (await control.evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press("Tab");
  }
  throw new Error(`Tab never reached ${control}`);
}

/**
 * Chooses the option that begins with the text in the select that has the focus. Presses its first letter as often as that
 * takes, because the browser takes later letters for the same word only within a second. `type` presses it.
 */
export async function chooseByLetter(
  select: Locator,
  option: string,
  type: (letter: string) => Promise<void> = (letter) => select.page().keyboard.type(letter),
) {
  await expect(select).toBeFocused();
  for (let presses = 0; presses < 30; presses++) {
    if ((await select.locator("option:checked").textContent())?.startsWith(option)) return;
    await type(option.charAt(0));
  }
  throw new Error(`The letter ${option.charAt(0)} never chose ${option} in ${select}`);
}

/** Makes every page load wait until the page is interactive. */
function waitForScripts(page: Page) {
  const thenListens =
    <Arguments extends unknown[]>(load: (...args: Arguments) => Promise<Response | null>) =>
    async (...args: Arguments) => {
      const response = await load(...args);
      await waitUntilInteractive(page);
      return response;
    };
  page.goto = thenListens(page.goto.bind(page));
  page.reload = thenListens(page.reload.bind(page));
  page.goBack = thenListens(page.goBack.bind(page));
}

/**
 * Waits until the page's scripts listen, because earlier key presses and clicks are lost. Every page load
 * waits for it. Call it after a link within the program before pressing keys of the new page.
 */
export async function waitUntilInteractive(page: Page) {
  // Repeated, because the page may redirect during the wait.
  await expect(() => page.evaluate(untilReactListens)).toPass({ timeout: 100_000 });
}

/** Runs in the page, even on a stopped clock, which stops timers but not the scheduler. */
export async function untilReactListens() {
  const idle = (delay: number) => scheduler.postTask(() => {}, { priority: "background", delay });
  const isBare = (control: Element) => !Object.keys(control).some((key) => key.startsWith("__reactProps"));
  // A sign-in loads a page, whose controls may not be there yet.
  while (document.readyState !== "complete") await idle(10);
  // A page of another site, such as a provider's sign-in page, does not use React.
  const controls = () =>
    "__next_f" in window ? [...document.querySelectorAll("button, input, select, textarea")] : [];
  while (controls().some(isBare)) await idle(10);
  // Effects add the listeners on the window right after.
  await idle(0);
}

/** Stops the clock of the page's scripts from its next load on. `page.clock.runFor` moves it. */
export async function stopClock(page: Page) {
  await page.clock.install();
  await page.clock.pauseAt(Date.now() + 60_000);
}

/**
 * Presses Escape twice. That hides the screen on a stopped clock, and otherwise only if the machine is fast enough
 * (`hideByEscape`).
 */
export async function pressEscapeTwice(page: Page) {
  await page.keyboard.press("Escape");
  await page.keyboard.press("Escape");
}

/** Hides the screen by pressing Escape twice, again if the presses were too far apart. */
export async function hideByEscape(page: Page) {
  await expect(async () => {
    await pressEscapeTwice(page);
    await expect(page.getByRole("heading", { name: "Locked" })).toBeVisible({ timeout: 1_000 });
  }).toPass();
}

/** Holds requests until the returned function is called. Then they continue, or get `answer` as response. */
export async function holdRequests(
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
