import { get, type IncomingMessage, request } from "node:http";
import type { APIRequestContext, Response } from "@playwright/test";
import { DEMO, expect, signIn, test } from "@/e2e/fixtures";
import { lookupKeys } from "@/lib/lookups/registry";
import { isPage, ROUTES } from "@/lib/paths";

// The headers of every response on every route of the running program, and a browser that reports no
// violation.

const METHODS = ["GET", "HEAD", "POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE"];

/** Returns the headers that are missing or wrong. */
function faultsOf(path: string, headers: Record<string, string>): string[] {
  const policy = headers["content-security-policy"] ?? "";
  const scripts = /script-src ([^;]*)/.exec(policy)?.[1] ?? "";
  const isAsset = path.startsWith("/_next/static/");
  const faults = {
    "no nonce": !/'nonce-[\w+/]{22}=='/.test(scripts),
    "unsafe scripts": /unsafe|\*|data:|https?:/.test(scripts),
    "weak policy": !["object-src 'none'", "base-uri 'none'", "frame-ancestors 'none'"].every((part) =>
      policy.includes(part),
    ),
    sniffed: headers["x-content-type-options"] !== "nosniff",
    referrer: headers["referrer-policy"] !== "no-referrer",
    "no request id": !/^[0-9a-f-]{36}$/.test(headers["x-request-id"] ?? ""),
    cached: !isAsset && headers["cache-control"] !== "no-store",
    "not cached": isAsset && !headers["cache-control"]?.includes("immutable"),
    "names its software": "x-powered-by" in headers || "server" in headers,
  };
  return Object.entries(faults).flatMap(([name, is]) => (is ? [`${path}: ${name}`] : []));
}

/**
 * Sends a request without Playwright, which is slow for thousands of requests, and without fetch, which
 * refuses TRACE.
 */
function answerTo(url: string, method: string, cookie: string) {
  return new Promise<{ status: number; headers: Record<string, string>; body: string }>((resolve, reject) => {
    const pending = request(url, { method, headers: { cookie } }, (response) => {
      const { statusCode: status = 0, headers } = response;
      let body = "";
      response
        .setEncoding("utf8")
        .on("data", (chunk) => {
          body += chunk;
        })
        .on("end", () => resolve({ status, headers: headers as Record<string, string>, body }));
    });
    pending.on("error", reject).end();
  });
}

/** Returns the scripts in a page that its Content-Security-Policy would not run. */
function bareScripts(path: string, headers: Record<string, string>, body: string): string[] {
  if (!headers["content-type"]?.startsWith("text/html")) return [];
  const nonce = /'nonce-([^']+)'/.exec(headers["content-security-policy"] ?? "")?.[1];
  const bare = (body.match(/<script[^>]*>/g) ?? []).filter(
    (tag) => !tag.includes(' src="') && !tag.includes(` nonce="${nonce}"`),
  );
  return bare.map((tag) => `${path}: ${tag} without the nonce`);
}

/** Returns existing URLs for each route, as far as the demo data allows. */
async function addresses(api: APIRequestContext): Promise<string[]> {
  const idOf = async (list: "forms" | "clients") =>
    (await (await api.get(`/api/${list}`)).json())[list][0].id as number;
  const contact = await api.post("/api/contacts", { data: { contact: { contactKindId: 1 } } });
  const contactId = (await contact.json()).contact.id as number;
  const activity = { activityKindId: 1, minutes: 5 };
  const recorded = await (await api.post("/api/activities", { data: { activity } })).json();
  // The demo has one group, without a session.
  const [group] = (await (await api.get("/api/groups")).json()).groups;
  const userId = group.leaderIds[0] as number;
  const groupSession = { minutes: 60, leadersAttributes: [{ userId, minutes: 60 }] };
  const held = await (await api.post(`/api/groups/${group.id}/sessions`, { data: { groupSession } })).json();
  const ids = {
    forms: await idOf("forms"),
    clients: await idOf("clients"),
    contacts: contactId,
    activities: recorded.activity.id as number,
    groups: group.id as number,
  };
  const submission = { from: "2020-01-01", to: "2020-03-31" };
  const submitted = await api.post("/api/reports/pmt/submissions", { data: { submission } });
  const submissionId = (await submitted.json()).submission.id as number;
  return ROUTES.map((route) => {
    const list = /^\/(?:api\/)?(forms|clients|contacts|activities|groups)\//.exec(route)?.[1] as
      | keyof typeof ids
      | undefined;
    return route
      .replace("/submissions/{id}", `/submissions/${submissionId}`)
      .replace("{id}", String(list ? ids[list] : 1))
      .replace("{sessionId}", String(held.groupSession.id))
      .replace("{report}", "pmt")
      .replace("{line}", "individuals_served")
      .replace("{field}", "race")
      .replace("{page}", "first-day")
      .replace("{formTypeId}", "1")
      .replace(/\{(token|key)\}/, "none");
  });
}

/** True for the pages of the settings lists except one, because all of them are the same files in app/. */
const isSameFile = (path: string) =>
  lookupKeys.some((list) => list !== "users" && `${path}/`.startsWith(`/settings/${list}/`));

test("every page file works under its Content-Security-Policy, loads only what it shows, and has the security headers", async ({
  page,
  baseURL,
}) => {
  const faults: string[] = [];
  const answers: Promise<void>[] = [];
  const watch = (response: Response) => {
    const { origin, pathname } = new URL(response.url());
    if (origin !== baseURL) faults.push(`${pathname}: of another site`);
    if (response.request().headers()["next-router-prefetch"]) faults.push(`${pathname}: nobody asked for it`);
    answers.push(response.allHeaders().then((headers) => void faults.push(...faultsOf(pathname, headers))));
  };
  page.on("response", watch);
  page.on("console", (message) => {
    // An expired link, as here, gets a 422.
    const isExpected =
      message.text().startsWith("Failed to load resource") && page.url().includes("/activate");
    if (["error", "warning"].includes(message.type()) && !isExpected)
      faults.push(`${new URL(page.url()).pathname}: ${message.text()}`);
  });
  // As a guest too.
  await page.goto("/");
  await signIn(page);
  const paths = (await addresses(page.request)).filter((path) => isPage(path) && !isSameFile(path));
  expect(paths.length).toBeGreaterThan(30);
  for (const path of paths) {
    await page.goto(path, { waitUntil: "load" });
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    // The page's own scripts may add more than its HTML contains, which is checked below.
    const bare = await page.locator("script:not([nonce]):not([src])").count();
    if (bare > 0) faults.push(`${path}: ${bare} scripts in the page without a nonce`);
  }
  page.off("response", watch);
  await Promise.all(answers);
  expect(answers.length).toBeGreaterThan(200);
  expect([...new Set(faults)]).toEqual([]);
});

test("a script that is injected into a page does not run", async ({ browser, baseURL }) => {
  // A page of its own, because a violation fails the test's page (e2e/fixtures.ts).
  const page = await browser.newPage({ baseURL });
  await page.goto("/");
  await page.evaluate(async () => {
    const script = document.createElement("script");
    script.textContent = "window.smuggled = true";
    document.body.append(script);
    document.body.insertAdjacentHTML("beforeend", '<img src="data:," onerror="window.smuggled = true">');
    // The script's own listener would have been called first.
    await new Promise((resolve) => document.body.lastElementChild?.addEventListener("error", resolve));
  });
  expect(await page.evaluate(() => "smuggled" in window)).toBe(false);
  await page.close();
});

test("a request to upgrade the protocol is answered like an ordinary one", async ({ baseURL }) => {
  const { statusCode, headers } = await new Promise<IncomingMessage>((resolve, reject) => {
    get(`${baseURL}/nothing`, { headers: { connection: "Upgrade", upgrade: "websocket" } }, resolve).on(
      "error",
      reject,
    );
  });
  expect(statusCode).toBe(307);
  expect(faultsOf("/nothing", headers as Record<string, string>)).toEqual([]);
});

test("every response to every method has the security headers, signed in or not, every page's scripts have the nonce, and TRACE is refused", async ({
  request: api,
  baseURL,
}) => {
  const data = { email: DEMO.administrator, password: DEMO.password };
  expect((await api.post("/api/login", { data })).status()).toBe(200);
  const { cookies } = await api.storageState();
  const session = cookies.map(({ name, value }) => `${name}=${value}`).join("; ");
  const paths = [
    ...(await addresses(api)),
    "/nothing",
    "/api/nothing",
    "/_next/static/nothing.js",
    "/favicon.ico",
  ];
  const faults: string[] = [];
  const ask = async (method: string, path: string, guest: boolean) => {
    // None of these changes anything: there is no body, and no DELETE of a row or of this session.
    if (method === "DELETE" && !guest && /\/\d+$|logout|sessions/.test(path)) return;
    const { status, headers, body } = await answerTo(`${baseURL}${path}`, method, guest ? "none=1" : session);
    if (method === "TRACE" && status !== 405) faults.push(`TRACE ${path}: ${status}`);
    if (status >= 500) faults.push(`${method} ${path}: ${status}`);
    const isMissingAsset = path.startsWith("/_next/static/");
    faults.push(...faultsOf(isMissingAsset ? "/missing asset" : path, headers));
    faults.push(...bareScripts(path, headers, body));
  };
  for (const path of paths) {
    const methods = isSameFile(path) ? ["GET"] : METHODS;
    await Promise.all(methods.flatMap((method) => [ask(method, path, true), ask(method, path, false)]));
  }
  expect([...new Set(faults)]).toEqual([]);
  // The session still works after the last of them.
  expect((await api.get("/api/me")).status()).toBe(200);
});
