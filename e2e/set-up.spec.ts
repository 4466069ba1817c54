import type { Locator } from "@playwright/test";
import { audit } from "@/e2e/audit";
import { button, expect, expectNotification, signIn, test } from "@/e2e/fixtures";

// The first hour of an organization: its name, logo, and color; the list of what to set up.

/** An image of one pixel. */
const PNG = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);
test("Home lists what to set up until it is put away, and each step leads to its screen", async ({
  page,
}) => {
  await signIn(page);
  await page.goto("/home");
  const list = page
    .locator("section")
    .filter({ has: page.getByRole("heading", { name: "Set Up", exact: true }) });
  await expect(list).toContainText(/\d+ of 11 steps are done\./);
  await expect(list.getByRole("listitem").filter({ hasText: "Invite staff" })).toContainText("Done");
  await audit(page, "Home with the list of what to set up");
  await expect(list.getByRole("link", { name: /^Next: / })).toHaveCount(1);
  await list.getByRole("link", { name: "Add shelters", exact: true }).click();
  await expect(page).toHaveURL(/\/settings\/shelters$/);
  await audit(page, "A page that Set Up led to");
  await page.getByRole("link", { name: "Back to Set Up" }).click();
  await expect(page).toHaveURL(/\/home$/);
  // A step whose screen is one form leads back after its save, and by Cancel.
  await list.getByRole("link", { name: "Name and logo", exact: true }).click();
  await expect(page.getByRole("link", { name: "Cancel" })).toHaveAttribute("href", "/home");
  await page.getByLabel("Short Name").fill("SU");
  await button(page, "Update").click();
  await expectNotification(page, "Updated organization successfully");
  await expect(page).toHaveURL(/\/home$/);
  await page.request.put("/api/organization", { data: { organization: DEFAULTS } });
  await list.getByRole("link", { name: "Adapt the lists", exact: true }).click();
  await expect(page.getByRole("heading", { name: "Lists", level: 1 })).toBeVisible();
  await expect(page).toHaveTitle("Lists · Lanternbook");
  await expect(page.getByRole("heading", { name: "Adapt these first" })).toBeFocused();
  await expect(page.getByRole("region", { name: "Adapt these first" }).getByRole("link")).toHaveCount(6);
  await expect(page.getByRole("main").getByRole("link", { name: "Users", exact: true })).toHaveCount(0);
  await audit(page, "The lists to adapt");
  await page.getByRole("link", { name: "Back to Set Up" }).click();
  await expect(page).toHaveURL(/\/home$/);
  await button(page, "Put away").press("Enter");
  await expect(page.getByRole("main")).toBeFocused();
  await expectNotification(page, "The list is under Settings, Set Up.");
  await page.goto("/home");
  await expect(page.getByRole("heading", { name: "Home" })).toBeVisible();
  await expect(list).toHaveCount(0);
  await page.goto("/settings/setup");
  await audit(page, "Set Up");
  await page.getByLabel("Show this list on Home, on this browser").check();
  await page.goto("/home");
  await expect(list).toBeVisible();
});

test("two administrators who edit the organization at once compare their values and choose", async ({
  page,
}) => {
  await signIn(page);
  await page.goto("/settings/organization");
  // Without a color, the preview has the product's own, also in dark.
  await page.emulateMedia({ colorScheme: "dark" });
  const fill = (element: Locator) => element.evaluate((one) => getComputedStyle(one).backgroundColor);
  const dark = page.locator("[data-scheme=dark]");
  const own = await fill(dark.getByText("Sign In"));
  await expect.poll(() => fill(button(page, "Update"))).toBe(own);
  await page.emulateMedia({ colorScheme: "light" });
  await page.getByLabel("Short Name").fill("Harbor");
  await page.getByLabel("Help Text").fill("Help: extension 214");
  const theirs = { name: "Safe Harbor", shortName: "SHC", logo: PNG.toString("base64") };
  try {
    await page.request.put("/api/organization", { data: { organization: theirs } });
    await button(page, "Update").click();
    await button(page, "Compare and choose").click();
    const dialog = page.getByRole("dialog");
    await expect(dialog).toContainText("Their image");
    await expect(dialog).not.toContainText(/base64|branding/);
    await audit(page, "Compare and choose for the organization");
    await button(page, "Use these").click();
    await expect(page.getByLabel("Name *")).toHaveValue("Safe Harbor");
    await expect(page.getByLabel("Short Name")).toHaveValue("Harbor");
    await button(page, "Update").click();
    await expectNotification(page, "Updated organization successfully");
    const { organization } = await (await page.request.get("/api/organization")).json();
    expect(organization).toMatchObject({
      name: "Safe Harbor",
      shortName: "Harbor",
      helpText: "Help: extension 214",
      logo: expect.stringMatching(/^\/branding\//),
    });
  } finally {
    await page.request.put("/api/organization", { data: { organization: DEFAULTS } });
  }
});

const DEFAULTS = { name: "Victim Services", shortName: "", helpText: "", color: null, logo: null };

test("an organization's name, logo, color, and help text show in the header and on the login page", async ({
  page,
}) => {
  await signIn(page);
  await page.goto("/settings/organization");
  await page.getByLabel("Name *").fill("Safe Harbor of Allegheny County");
  await page.getByLabel("Short Name").fill("Safe Harbor");
  await page.getByLabel("Help Text").fill("Help: extension 214");
  await page.getByLabel("Color", { exact: true }).fill("#ffff00");
  await page.getByLabel("Help Text").focus();
  await expect(page.getByText("is too light to be seen")).toBeVisible();
  await page.getByLabel("Color", { exact: true }).fill("#7a1f5c");
  await page
    .getByLabel("Logo")
    .setInputFiles({ name: "logo.svg", mimeType: "image/svg+xml", buffer: Buffer.from("<svg/>") });
  await button(page, "Update").click();
  await expect(page.getByText("must be a PNG, JPEG, or WebP image").first()).toBeVisible();
  await page.getByLabel("Logo").setInputFiles({ name: "logo.png", mimeType: "image/png", buffer: PNG });
  const buttons = page.locator("figure .button");
  await expect(buttons).toHaveCount(2);
  await expect(buttons.first()).toHaveCSS("background-color", "rgb(122, 31, 92)");
  expect(await buttons.last().evaluate((shown) => getComputedStyle(shown).backgroundColor)).not.toBe(
    "rgb(122, 31, 92)",
  );
  await audit(page, "Organization");
  try {
    await button(page, "Update").click();
    await expectNotification(page, "Updated organization successfully");
    await expect(page).toHaveURL(/\/settings$/);
    await expect(page.getByRole("banner")).toContainText("Safe Harbor");
    const logo = page.getByRole("banner").locator('img[src^="/branding/"]');
    await expect(logo).toHaveJSProperty("naturalWidth", 1);
    const response = await page.request.get((await logo.getAttribute("src")) ?? "");
    expect(response.headers()).toMatchObject({
      "content-type": "image/png",
      "x-content-type-options": "nosniff",
      "cache-control": "public, max-age=31536000, immutable",
    });
    await page.request.delete("/api/logout");
    await page.goto("/");
    await expect(page.getByRole("main")).toContainText("Safe Harbor of Allegheny County");
    await expect(page.getByText("Help: extension 214")).toBeVisible();
    await expect(button(page, "Sign In")).toHaveCSS("background-color", "rgb(122, 31, 92)");
  } finally {
    await signIn(page);
    await page.request.put("/api/organization", { data: { organization: DEFAULTS } });
  }
});
