import type { Page } from "@playwright/test";
import { expect, pressEscapeTwice, signIn, test } from "@/e2e/fixtures";
import {
  DIALOG_PRESSES,
  formPresses,
  LOGIN_PRESSES,
  lostPresses,
  type Presser,
  withOwnNumber,
} from "@/e2e/presses";

const presserOf = (page: Page): Presser => {
  const evaluate: Presser["evaluate"] = (work, ...args) =>
    page.evaluate(`(${work})(...${JSON.stringify(args)})`);
  return {
    goto: async (path) => void (await page.goto(path)),
    press: (selector) => page.locator(selector).first().click({ delay: 100 }),
    evaluate,
    until: (work, ...args) => expect.poll(() => evaluate(work, ...args)).toBe(true),
  };
};

test("no press of 100 ms is lost while a field turns red, for each kind of control after each kind of field", async ({
  page,
}) => {
  await signIn(page);
  const lost = await withOwnNumber(page.request, (key) =>
    lostPresses(presserOf(page), [...formPresses(key), ...DIALOG_PRESSES]),
  );
  expect(lost).toEqual([]);
});

test("on the login page and the hidden screen, no press is lost while a field turns red", async ({
  page,
}) => {
  const lost = await lostPresses(presserOf(page), LOGIN_PRESSES);
  expect(lost).toEqual([]);
  await signIn(page);
  await page.goto("/clients/new");
  await pressEscapeTwice(page);
  await expect(page.getByLabel("Password")).toBeFocused();
  await expect(page.getByRole("button", { name: "Not you? Leave this page" })).toBeVisible();
  await page.getByRole("button", { name: "Not you? Leave this page" }).click({ delay: 100 });
  await expect(page).toHaveURL(/\/$/);
});

test("a tap that turns a field red ticks the checkbox under the finger", async ({ browser, baseURL }) => {
  const context = await browser.newContext({
    baseURL,
    hasTouch: true,
    viewport: { width: 360, height: 740 },
  });
  const page = await context.newPage();
  await signIn(page);
  await page.goto("/clients/new");
  await expect(page.getByLabel("Client Name")).toBeFocused();
  const box = page.locator("#field-clientDemographicEntry-lgbt");
  await box.tap();
  await expect(box).toBeChecked();
  await expect(page.getByLabel("Client Name")).toHaveAttribute("aria-invalid", "true");
  await context.close();
});

test("Back asks before unsaved changes are lost where the browser has no Navigation API", async ({
  page,
}) => {
  await page.addInitScript(() => Object.defineProperty(window, "navigation", { value: undefined }));
  await signIn(page);
  const question = page.getByRole("dialog", { name: "Leave without saving?" });
  for (const path of ["/clients/new", "/settings/canines/new", "/profile"]) {
    await page.goto("/home");
    await page.evaluate((to) => window.history.pushState(window.history.state, "", to), "/home?before");
    await page.goto(path);
    const field = page.locator("main input[type=text]").first();
    await field.fill("Not saved yet");
    await page.evaluate(() => window.history.back());
    await expect(question).toBeVisible();
    await page.getByRole("button", { name: "Stay" }).click();
    await expect(page).toHaveURL(new RegExp(`${path}$`));
    await expect(field).toHaveValue("Not saved yet");
    await page.evaluate(() => window.history.back());
    await question.getByRole("button", { name: "Leave" }).click();
    await expect(page).toHaveURL(/\/home\?before$/);
  }
});
