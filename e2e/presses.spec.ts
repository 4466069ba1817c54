import { DEMO, expect, signIn, test, waitUntilInteractive } from "@/e2e/fixtures";
import { lostPresses } from "@/e2e/presses";

test("no press of 100 ms is lost while a field turns red", async ({ page }) => {
  await signIn(page);
  const lost = await lostPresses({
    goto: async (path) => void (await page.goto(path)),
    keys: async (...names) => {
      for (const name of names) await page.keyboard.press(name);
    },
    press: (selector) => page.locator(selector).first().click({ delay: 100 }),
    evaluate: (work, selector) => page.evaluate(work as never, selector),
    until: (work, selector) => page.waitForFunction(work as never, selector),
  });
  expect(lost).toEqual([]);
});

test("on the login page, a press right after a wrong email signs in or opens the link", async ({ page }) => {
  await page.goto("/");
  await page.keyboard.type("no address");
  await page.getByRole("link", { name: "Forgot Password" }).click({ delay: 100 });
  await expect(page).toHaveURL(/\/forgot_password$/);
  await waitUntilInteractive(page);
  await page.getByRole("link", { name: "Login?" }).click({ delay: 100 });
  await expect(page.getByLabel("Password")).toBeVisible();
  await waitUntilInteractive(page);
  await page.getByLabel("Email").fill(DEMO.administrator);
  await page.getByLabel("Password").fill(DEMO.password);
  await page.getByRole("button", { name: "Sign In" }).click({ delay: 100 });
  await expect(page).toHaveURL(/\/forms/);
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
