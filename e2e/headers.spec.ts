import { get, type IncomingMessage, request } from "node:http";
import type { Page, Response } from "@playwright/test";
import { DEMO, expect, test } from "@/e2e/fixtures";
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

async function signIn(page: Page) {
  await page.goto("/");
  await page.getByLabel("Email").fill(DEMO.administrator);
  await page.getByLabel("Password").fill(DEMO.password);
  await page.getByRole("button", { name: "Sign In" }).click();
  await expect(page.getByRole("heading", { name: "Forms", level: 1 })).toBeVisible();
}

/**
 * Sends a request without Playwright, which is slow for thousands of requests, and without fetch, which
 * refuses TRACE.
 */
function answerTo(url: string, method: string, cookie: string) {
  return new Promise<{ status: number; headers: Record<string, string> }>((resolve, reject) => {
    const pending = request(url, { method, headers: { cookie } }, (response) => {
      const { statusCode: status = 0, headers } = response;
      response.resume().on("end", () => resolve({ status, headers: headers as Record<string, string> }));
    });
    pending.on("error", reject).end();
  });
}

/** Returns existing URLs for each route, as far as the demo data allows. */
async function addresses(page: Page): Promise<string[]> {
  const idOf = async (list: "forms" | "clients") =>
    (await (await page.request.get(`/api/${list}`)).json())[list][0].id as number;
  const ids = { forms: await idOf("forms"), clients: await idOf("clients") };
  const submission = { from: "2020-01-01", to: "2020-03-31" };
  const submitted = await page.request.post("/api/reports/pmt/submissions", { data: { submission } });
  const submissionId = (await submitted.json()).submission.id as number;
  return ROUTES.map((route) => {
    const list = /^\/(?:api\/)?(forms|clients)\//.exec(route)?.[1] as keyof typeof ids | undefined;
    return route
      .replace("/submissions/{id}", `/submissions/${submissionId}`)
      .replace("{id}", String(list ? ids[list] : 1))
      .replace("{report}", "pmt")
      .replace("{line}", "individuals_served")
      .replace("{field}", "race")
      .replace("{formTypeId}", "1")
      .replace(/\{(token|key)\}/, "none");
  });
}

test("every screen works under its Content-Security-Policy, loads only what it shows, and has the security headers", async ({
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
  await signIn(page);
  for (const path of (await addresses(page)).filter(isPage)) {
    await page.goto(path, { waitUntil: "load" });
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    const bare = await page.locator("script:not([nonce]):not([src])").count();
    if (bare > 0) faults.push(`${path}: ${bare} scripts in the page without a nonce`);
  }
  page.off("response", watch);
  await Promise.all(answers);
  expect(answers.length).toBeGreaterThan(200);
  expect([...new Set(faults)]).toEqual([]);
});

test("a script that is injected into a page does not run", async ({ page }) => {
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

test("every response to every method has the security headers, signed in or not, and TRACE is refused", async ({
  page,
  baseURL,
}) => {
  await signIn(page);
  const session = (await page.context().cookies()).map(({ name, value }) => `${name}=${value}`).join("; ");
  const paths = [
    ...(await addresses(page)),
    "/nothing",
    "/api/nothing",
    "/_next/static/nothing.js",
    "/favicon.ico",
  ];
  const faults: string[] = [];
  const ask = async (method: string, path: string, guest: boolean) => {
    // None of these changes anything: there is no body, and no DELETE of a row or of this session.
    if (method === "DELETE" && !guest && /\/\d+$|logout|sessions/.test(path)) return;
    const { status, headers } = await answerTo(`${baseURL}${path}`, method, guest ? "none=1" : session);
    if (method === "TRACE" && status !== 405) faults.push(`TRACE ${path}: ${status}`);
    if (status >= 500) faults.push(`${method} ${path}: ${status}`);
    const isMissingAsset = path.startsWith("/_next/static/");
    faults.push(...faultsOf(isMissingAsset ? "/missing asset" : path, headers));
  };
  for (const path of paths) {
    await Promise.all(METHODS.flatMap((method) => [ask(method, path, true), ask(method, path, false)]));
  }
  expect([...new Set(faults)]).toEqual([]);
  // The session still works after the last of them.
  expect((await page.request.get("/api/me")).status()).toBe(200);
});
