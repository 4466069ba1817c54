import type { Page } from "@playwright/test";
import { DESK } from "@/e2e/audit";
import { DEMO, expect, test } from "@/e2e/fixtures";

// Reports on the demo data: from the menu to what is behind a number, a print and a submission.

test.use({ viewport: DESK, colorScheme: "light" });

async function signIn(page: Page, email: string) {
  const data = { email, password: DEMO.password };
  expect((await page.request.post("/api/login", { data })).status()).toBe(200);
}
const heading = (page: Page, name: string) =>
  expect(page.getByRole("heading", { level: 1, name, exact: true })).toBeVisible();

test("the last quarter is two clicks from the menu, and a number opens the records behind it", async ({
  page,
}) => {
  await signIn(page, DEMO.administrator);
  await page.goto("/forms");
  await page
    .getByRole("navigation", { name: "Main" })
    .getByRole("link", { name: "Reports", exact: true })
    .click();
  await heading(page, "Reports");
  // Charts are pictures; the same numbers are in a table.
  await expect(page.getByRole("table", { name: "Individuals served" }).getByRole("row")).toHaveCount(12);
  await page.getByRole("link", { name: "PCCD (Pennsylvania)" }).click();
  await heading(page, "PCCD (Pennsylvania)");
  const served = page.getByRole("table", { name: "Individuals served" }).getByRole("link").first();
  const count = Number(await served.textContent());
  expect(count).toBeGreaterThan(0);
  await served.click();
  await heading(page, "Individuals served");
  await expect(page.getByRole("table").getByRole("row")).toHaveCount(count + 1);
  expect(await page.title()).not.toMatch(/Moonwhistle|Papercastle/);
});

test("a gap leads to the very field", async ({ page }) => {
  await signIn(page, DEMO.administrator);
  await page.goto("/reports/pmt");
  await page.getByRole("link", { name: "Show who lacks gender" }).click();
  await heading(page, "Gap: Gender");
  await page.getByRole("table").getByRole("link").first().click();
  await expect(page.locator("#field-clientDemographicEntry-gender")).toBeInViewport();
});

test("a quarter is submitted, and nothing has changed since", async ({ page }) => {
  await signIn(page, DEMO.administrator);
  await page.goto("/reports/pmt");
  await page.getByRole("button", { name: "Mark as submitted" }).click();
  await page.getByRole("link", { name: "what has changed since" }).first().click();
  await heading(page, "OVC PMT (VOCA), as submitted");
  await expect(page.getByText("Nothing has changed.")).toBeVisible();
});
