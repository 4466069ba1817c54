import type { Page } from "@playwright/test";
import { audit, DESK } from "@/e2e/audit";
import { DEMO, expect, test } from "@/e2e/fixtures";

// The API description for people, and tokens for programs, on the running program.

test.use({ viewport: DESK, colorScheme: "light" });

async function signIn(page: Page) {
  const data = { email: DEMO.administrator, password: DEMO.password };
  expect((await page.request.post("/api/login", { data })).status()).toBe(200);
}

const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });

test("a token is created under Profile, shown once, used by a program, and ended", async ({
  page,
  server,
  database,
}) => {
  await signIn(page);
  await page.goto("/profile");
  await button(page, "New token").click();
  await expect(page.getByLabel("Name *", { exact: true })).toBeFocused();
  await button(page, "Create token").click();
  // Typing starts only after the refusal, which would otherwise take the focus.
  await expect(page.getByLabel("Ends On *", { exact: true })).toHaveAttribute("aria-invalid", "true");
  await page.getByLabel("Name *", { exact: true }).fill("Nightly export");
  await page.getByLabel("Ends On *", { exact: true }).fill("01/02/2020");
  await page.getByLabel("Addresses").fill("127.0.0.0/8, ::1");
  await page.getByRole("checkbox", { name: "Canines" }).check();
  await button(page, "Create token").click();
  await expect(page.getByRole("form", { name: "New token" }).getByRole("alert")).toContainText(
    "within a year",
  );
  await audit(page, "a refused token");
  const nextMonth = new Date(Date.now() + 30 * 86_400_000).toISOString().slice(0, 10);
  const [year, month, day] = nextMonth.split("-");
  await page.getByLabel("Ends On *", { exact: true }).fill(`${month}/${day}/${year}`);
  await button(page, "Create token").click();
  const tokenBox = page.getByRole("region", { name: "The token Nightly export is shown only now" });
  const token = await tokenBox.getByRole("textbox").inputValue();
  expect(token).toMatch(/^lb_[\w-]{43}$/);
  await audit(page, "a new token");
  await page.evaluate(() => {
    navigator.clipboard.writeText = () => Promise.reject(new DOMException("Denied", "NotAllowedError"));
  });
  await tokenBox.getByRole("button", { name: "Copy" }).click();
  await expect(tokenBox.getByRole("status")).toHaveText(/did not allow copying/);

  const by = async (path: string) =>
    (await fetch(server.url + path, { headers: { authorization: `Bearer ${token}` } })).status;
  expect(await by("/api/canines")).toBe(200);
  expect(await by("/api/clients")).toBe(403);

  await page.reload();
  // Other tests of this server may have created tokens too.
  const listed = page.getByRole("listitem").filter({ hasText: "Nightly export" });
  await expect(listed).toContainText(/last used on/);
  expect(await page.content()).not.toContain(token);
  expect(server.output()).not.toContain(token);
  const { rows } = await database.query(
    "SELECT count(*)::int AS found FROM audit_events e WHERE strpos(e::text, $1) > 0",
    [token],
  );
  expect(rows).toEqual([{ found: 0 }]);

  await button(page, "Revoke the token Nightly export").click();
  await expect(listed).toBeHidden();
  expect(await by("/api/canines")).toBe(401);
});

test("the API description can be read, searched, printed and used on a phone", async ({ page }) => {
  await signIn(page);
  await page.goto("/api/docs");
  await expect(page.getByRole("heading", { level: 1, name: "API" })).toBeVisible();
  await expect(page.getByText("POST /api/forms/{id}/reconcile", { exact: false })).toBeVisible();
  await audit(page, "the description");
  await page.getByRole("link", { name: "Tokens for programs" }).click();
  await expect(page).toHaveURL(/#tokens$/);
  await expect(page.getByRole("heading", { level: 2, name: "Tokens for programs" })).toBeInViewport();
  await page.emulateMedia({ media: "print" });
  await expect(page.getByRole("navigation", { name: "Contents" })).toBeHidden();
  await expect(page.getByRole("heading", { level: 2, name: "Errors" })).toBeVisible();
  const described = await (await page.request.get("/api/openapi.json")).json();
  expect(described.openapi).toBe("3.1.0");
});

test("a guest is redirected to the login page and back to the description", async ({ page }) => {
  await page.goto("/api/docs");
  await expect(page).toHaveURL("/?url=%2Fapi%2Fdocs");
});
