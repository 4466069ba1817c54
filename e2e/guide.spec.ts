import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import type { Page } from "@playwright/test";
import { audit, auditFocus, auditPrint, DESK } from "@/e2e/audit";
import { DEMO, expect, test } from "@/e2e/fixtures";
import { ZONE } from "@/e2e/zone";
import * as child from "@/lib/dev/child";
import { freePort, removeDataDir } from "@/lib/ops/embedded";

test.use({ viewport: DESK, colorScheme: "light" });

async function signIn(page: Page, email: string = DEMO.advocate) {
  const data = { email, password: DEMO.password };
  expect((await page.request.post("/api/login", { data })).status()).toBe(200);
}

const help = (page: Page) => page.getByRole("link", { name: "Help (in a new tab)" });

test("Help opens the page of the guide for the screen in a new tab, with its pictures and nothing from elsewhere", async ({
  page,
  context,
}) => {
  await signIn(page);
  await page.goto("/forms/new");
  const elsewhere: string[] = [];
  context.on("request", (request) => {
    if (new URL(request.url()).origin !== new URL(page.url()).origin) elsewhere.push(request.url());
  });
  const [guide] = await Promise.all([context.waitForEvent("page"), help(page).click()]);
  await expect(guide).toHaveURL(/\/help\/phone-form$/);
  await expect(guide.getByRole("heading", { level: 1, name: "Write a form" })).toBeVisible();
  const pictures = guide.locator(".guide img");
  await expect(pictures.first()).toBeVisible();
  await expect
    .poll(() =>
      pictures.evaluateAll((all) => all.every((one) => (one as HTMLImageElement).naturalWidth > 200)),
    )
    .toBe(true);
  await guide.getByRole("link", { name: "funders ask for" }).click();
  await expect(guide).toHaveURL(/\/help\/glossary#the-diamond-mark$/);
  await expect(guide.getByRole("heading", { level: 2, name: "The diamond mark" })).toBeInViewport();
  expect(elsewhere).toEqual([]);
  await guide.close();

  // A form is not left.
  const mark = page.locator("label .needed-mark").first();
  const [glossary] = await Promise.all([context.waitForEvent("page"), mark.click()]);
  await expect(glossary).toHaveURL(/\/help\/glossary#the-diamond-mark$/);
  await glossary.close();
  const [again] = await Promise.all([
    context.waitForEvent("page"),
    page.getByRole("link", { name: "Funders ask for this" }).press("Enter"),
  ]);
  await expect(again).toHaveURL(/\/help\/glossary#the-diamond-mark$/);
  await expect(page).toHaveURL(/\/forms\/new/);
});

test("the guide is searched by words, and its pages are accessible and printable", async ({ page }) => {
  await signIn(page);
  await page.goto("/help");
  await audit(page, "contents of the guide");
  await auditFocus(page, "contents of the guide");
  await page.getByLabel("Search the guide").fill("reconcile other");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("region", { name: /^\d+ pages?$/ })).toBeVisible();
  await audit(page, "results in the guide");
  await page.getByLabel("Search the guide").fill("rhinoceros");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("region", { name: "No results." })).toBeVisible();
  await page.getByRole("link", { name: "Accessibility" }).click();
  await expect(page.getByRole("heading", { name: "Where to report a problem" })).toBeVisible();
  await audit(page, "accessibility statement");
  for (const name of ["first-day", "glossary", "drafts"]) {
    await page.goto(`/help/${name}`);
    await expect(page.locator(".guide h2").first()).toBeVisible();
    await audit(page, name);
    await auditFocus(page, name);
  }
  await auditPrint(page, "a page of the guide");
});

test("the guide is for signed-in users, and has no other pages", async ({ page, request }) => {
  const guest = await request.get("/help/first-day", { maxRedirects: 0 });
  expect(guest.status()).toBe(307);
  expect((await request.get("/api/guide/pictures/home.webp")).status()).toBe(401);
  await signIn(page);
  expect((await page.request.get("/help/no-such-page")).status()).toBe(404);
  for (const name of ["nothing.webp", "..%2Ffirst-day.md"])
    expect((await page.request.get(`/api/guide/pictures/${name}`)).status()).toBe(404);
  const picture = await page.request.get("/api/guide/pictures/home.webp");
  expect(picture.headers()["content-type"]).toBe("image/webp");
  for (const [at, to] of [
    ["/settings/users/5/edit", "people-and-roles"],
    ["/reports/pmt/gaps/race", "funder-reports"],
    ["/clients/12", "find-a-client"],
  ]) {
    const response = await page.request.get(`/help?at=${at}`, { maxRedirects: 0 });
    expect(response.headers().location, at).toBe(`/help/${to}`);
  }
  expect((await page.request.get("/help?at=//elsewhere.example/x")).url()).toMatch(/\/help\?at=/);
});

test("practice mode shows it on every page, has its own folder, and lets no one else use that folder", async ({
  page,
}) => {
  const folder = await mkdtemp(path.join(tmpdir(), "lanternbook-practice-"));
  const dataDir = path.join(folder, "data");
  const start = async (settings: Record<string, string>, options: string[] = []) => {
    const port = String(await freePort());
    const server = await child.startServer({ PORT: port, TZ: ZONE, ...settings }, [], options);
    return { ...server, url: `http://localhost:${port}` };
  };
  const practice = await start({ DATA_DIR: dataDir }, ["--practice"]);
  try {
    // The line follows the one that says that the server is ready.
    await expect.poll(() => practice.output()).toContain("Sign in as director@example.org");
    const banner = page.getByText("Practice: invented records, reset each night.");
    await page.goto(practice.url);
    await expect(banner).toBeVisible();
    await audit(page, "login in practice mode");
    const login = { email: "director@example.org", password: DEMO.password };
    expect((await page.request.post(`${practice.url}/api/login`, { data: { login } })).status()).toBe(200);
    for (const path of ["/reports", "/no/such/page"]) {
      await page.goto(practice.url + path);
      await expect(banner).toBeVisible();
    }
    await audit(page, "a page in practice mode");
  } finally {
    await practice.stop();
  }
  await expect(start({ DATA_DIR: `${dataDir}-practice` })).rejects.toThrow("This database is for practice");
  await removeDataDir(`${dataDir}-practice`);
  await rm(folder, { recursive: true });
});
