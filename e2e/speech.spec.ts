import type { Page } from "@playwright/test";
import {
  button,
  DEMO,
  expect,
  expectNotification,
  holdRequests,
  signIn,
  test,
  uniqueName,
} from "@/e2e/fixtures";
import { makeServiceForm } from "@/e2e/records";
import { today } from "@/lib/core/text/format";

// The words that a screen reader is given: names of the accessibility tree, and live regions.

type Spoken = Window & { spoken: string[] };

/** Keeps what live regions of the page say: what is added to a region that was there before, and each alert. */
const keepSpoken = (page: Page) =>
  page.addInitScript(() => {
    const spoken: string[] = [];
    Object.assign(window, { spoken });
    const regions = "[aria-live], [role=status], [role=alert]";
    const isLive = (region: Element | null | undefined) =>
      region?.getAttribute("aria-live") !== "off" && !region?.closest("[aria-hidden=true]");
    const wordsOf = (node: Node) => {
      const copy = node.cloneNode(true);
      if (copy instanceof Element)
        for (const hidden of copy.querySelectorAll("[aria-hidden=true], [hidden]")) hidden.remove();
      return (copy.textContent ?? "").replaceAll(/\s+/g, " ").trim();
    };
    const say = (node: Node) => wordsOf(node) !== "" && spoken.push(wordsOf(node));
    new MutationObserver((changes) => {
      const added = new Set(
        changes.flatMap(({ type, target, addedNodes }) =>
          type === "characterData" ? [target] : [...addedNodes],
        ),
      );
      for (const node of added) {
        if ([...added].some((other) => other !== node && other.contains(node))) continue;
        if (node.parentElement?.closest("[aria-hidden=true]")) continue;
        const region = node.parentElement?.closest(regions);
        if (region) {
          if (isLive(region)) say(node);
        } else if (node instanceof Element) {
          if (node.matches("[role=alert]")) say(node);
          else for (const alert of node.querySelectorAll("[role=alert]")) say(alert);
        }
      }
    }).observe(document, { childList: true, characterData: true, subtree: true });
  });

/** Returns what was spoken since the page was loaded and contains the words. */
const spoken = (page: Page, words: string) =>
  page.evaluate((part) => (window as unknown as Spoken).spoken.filter((line) => line.includes(part)), words);
const expectSpokenOnce = (page: Page, words: string) =>
  expect.poll(() => spoken(page, words)).toHaveLength(1);

test("a sign-in is spoken: its fields, a wrong email once it is left, and a refusal once", async ({
  page,
}) => {
  await keepSpoken(page);
  await page.goto("/");
  await expect(page).toHaveTitle(/^Login · /);
  await expect(page.getByRole("main")).toMatchAriaSnapshot(`
    - main:
      - text: Lanternbook Victim Services
      - heading "Login" [level=1]
      - text: Email
      - textbox "Email" [active]
      - text: Password
      - textbox "Password"
      - button "Show the text in Password"
      - button "Sign In"
      - link "Forgot Password":
        - /url: /forgot_password
  `);
  await page.keyboard.type("no address");
  await page.keyboard.press("Tab");
  await expectSpokenOnce(page, "Email ");
  await page.getByLabel("Email").fill(`${uniqueName("nobody")}@example.org`);
  await page.getByLabel("Password").fill("wrong");
  await page.keyboard.press("Enter");
  const refusal = page.getByRole("alert").filter({ has: button(page, "Dismiss") });
  await expect(refusal).toBeVisible();
  await expectSpokenOnce(page, (await refusal.textContent()) ?? "");
  expect(await spoken(page, "")).toEqual([
    "Email must be a valid email address",
    "Password is required",
    "Invalid email or password",
  ]);
});

test("an error, a client search, a draft, a blocked save and a good save are spoken, each once", async ({
  page,
}) => {
  await keepSpoken(page);
  await signIn(page);
  const name = uniqueName("Spoken Client");
  await page.request.post("/api/clients", { data: { client: { name } } });
  await page.goto("/forms/new");
  await page.getByLabel("Form Type *").selectOption({ label: "Service" });
  await page.getByLabel("Service Status *").selectOption("Served");
  await page.getByLabel("Continuing Client").check();
  // Between slow letters, the page would search for a part of the name.
  const search = await holdRequests(page, "**/api/clients/search");
  await page.getByRole("combobox", { name: "Client" }).pressSequentially(name);
  search();
  await expectSpokenOnce(page, "1 matching client");
  await page.getByRole("option", { name }).click();
  const minutes = page.getByLabel(/^Minutes for /).first();
  await minutes.fill("25");
  await expectSpokenOnce(page, "The draft is saved.");

  await minutes.fill("-5");
  await minutes.press("Tab");
  await expect(minutes).toHaveAttribute("aria-invalid", "true");
  await expectSpokenOnce(page, "Minutes must");
  await minutes.fill("25");
  await minutes.press("Tab");
  await expect(minutes).not.toHaveAttribute("aria-invalid");

  // The press on Save leaves the field.
  await minutes.fill("-7");
  await button(page, "Save").click({ delay: 100 });
  await expectSpokenOnce(page, "Not saved: one field needs your attention");
  await expect(minutes).toBeFocused();
  expect(await spoken(page, "Minutes must")).toHaveLength(2);
  await minutes.fill("25");
  await button(page, "Save").click({ delay: 100 });
  await expectNotification(page, "Created form successfully");
  await expectSpokenOnce(page, "Created form successfully");
});

test("rows of a list name their record: the checkbox, the link to the form and the actions, one stop each", async ({
  page,
}) => {
  await signIn(page);
  const name = uniqueName("Listed Client");
  await makeServiceForm(page, { client: name, serviceOn: today() });
  await page.goto("/forms");
  const box = page.getByRole("checkbox", {
    name: new RegExp(`^Select ${name}, Service, \\d\\d/\\d\\d/\\d{4}$`),
  });
  await expect(box).toBeVisible();
  const row = page.getByRole("row").filter({ has: box });
  const open = row.getByRole("link", { name: new RegExp(`^${name}, Service, \\d\\d/\\d\\d/\\d{4}$`) });
  await expect(open).toBeVisible();
  const actions = row.getByRole("toolbar", { name: `Actions for ${name}` });
  await expect(actions.getByRole("link", { name: "Edit" })).toBeVisible();

  // Tab stops at the checkbox, the link, and the toolbar. Arrow keys move within the toolbar, and Tab returns to its
  // last control.
  const focused = row.locator(":focus");
  await box.focus();
  await page.keyboard.press("Tab");
  await expect(open).toBeFocused();
  await page.keyboard.press("Tab");
  await expect(focused).toHaveAccessibleName("Reconcile Form");
  for (const [key, action] of [
    ["ArrowRight", "Edit"],
    ["End", "Remove"],
    ["ArrowRight", "Reconcile Form"],
    ["ArrowLeft", "Remove"],
    ["Home", "Reconcile Form"],
    ["ArrowRight", "Edit"],
  ] as const) {
    await page.keyboard.press(key);
    await expect(focused).toHaveAccessibleName(action);
  }
  await page.keyboard.press("Tab");
  await expect(focused).toHaveCount(0);
  await page.keyboard.press("Shift+Tab");
  await expect(focused).toHaveAccessibleName("Edit");
});

test("the calendar opens as a dialog with its title, on the chosen day", async ({ page }) => {
  await signIn(page, DEMO.advocate);
  await page.goto("/clients/new");
  await page.getByLabel("Date of Birth", { exact: true }).fill("03/14/1985");
  await button(page, "Choose Date of Birth").click();
  const dialog = page.getByRole("dialog", { name: "Date of Birth" });
  await expect(dialog.getByRole("button", { name: "Thursday, March 14, 1985" })).toBeFocused();
});
