import type { Page } from "@playwright/test";
import { button, expect, expectNotification, hideByEscape, signIn, test, uniqueName } from "@/e2e/fixtures";
import {
  DIALOG_PRESSES,
  formPresses,
  LOGIN_PRESSES,
  lostPresses,
  type Presser,
  withOwnNumber,
} from "@/e2e/presses";
import { createRecord, makeServiceForm } from "@/e2e/records";
import { today } from "@/lib/core/text/format";

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
  await hideByEscape(page);
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

/** Presses where the pointer is, as one half of a double click. */
async function pressHalf(page: Page, half: 1 | 2) {
  await page.mouse.down({ clickCount: half });
  await page.mouse.up({ clickCount: half });
}

test("the second half of a double click does not reconcile the form that has moved under the pointer", async ({
  page,
}) => {
  await signIn(page);
  const client = uniqueName("Twice Pressed");
  const first = await makeServiceForm(page, { client, serviceOn: today() });
  await makeServiceForm(page, { client: { id: first.clientId }, serviceOn: today() });
  await makeServiceForm(page, { client: { id: first.clientId }, serviceOn: today() });
  const list = `/forms?search=${client}`;
  const rows = page.getByRole("table", { name: "Forms" }).locator("tbody tr");
  await page.goto(list);
  await button(page, "Reconcile Form").first().hover();
  await pressHalf(page, 1);
  await expect(rows).toHaveCount(2);
  await pressHalf(page, 2);
  await rows.first().getByRole("link").first().click();
  await button(page, "Reconcile and next").hover();
  const { pathname } = new URL(page.url());
  await pressHalf(page, 1);
  await expect(page).not.toHaveURL(new RegExp(`${pathname}\\b`));
  await pressHalf(page, 2);
  await page.goto(list);
  await expect(rows).toHaveCount(1);
});

test("the second half of a double click does not remove the row that has moved under the pointer", async ({
  page,
}) => {
  await signIn(page);
  const { eventKinds } = await (await page.request.get("/api/resource_lists/event_kinds")).json();
  const { userId } = await (await page.request.get("/api/me")).json();
  const event = {
    heldOn: today(),
    eventKindId: eventKinds[0].id,
    title: uniqueName("Pressed Twice"),
    audience: "general",
    staffAttributes: [{ userId, minutes: 45 }],
  };
  const created = await (await page.request.post("/api/events", { data: { event } })).json();
  await page.goto(`/events/${created.event.id}/edit`);
  const removals = page.getByRole("button", { name: /^Remove Staff/ });
  await button(page, "Add staff").click();
  await button(page, "Add staff").click();
  await expect(removals).toHaveCount(3);
  await removals.nth(1).hover();
  await pressHalf(page, 1);
  await expect(removals).toHaveCount(2);
  await pressHalf(page, 2);
  await expect(removals).toHaveCount(2);
});

test("the second half of a double click neither confirms nor closes the dialog that the first half opened", async ({
  page,
}) => {
  await signIn(page);
  const client = uniqueName("Asked About");
  await makeServiceForm(page, { client, serviceOn: today() });
  await page.goto(`/forms?search=${client}`);
  const dialog = page.getByRole("dialog");
  const ask = async () => {
    await button(page, "Remove").first().click();
    await expect(dialog).toBeVisible();
  };
  await ask();
  await button(page, "Delete").hover();
  await pressHalf(page, 2);
  await page.mouse.move(5, 5);
  await pressHalf(page, 2);
  await expect(dialog).toBeVisible();
  await pressHalf(page, 1);
  await expect(dialog).toBeHidden();
  // Each opening is another one.
  await ask();
  await button(page, "Delete").hover();
  await pressHalf(page, 2);
  await expect(dialog).toBeVisible();
  await button(page, "Close").click();
  await expect(dialog).toBeHidden();
});

test.describe("in a browser without the Navigation API", () => {
  test.beforeEach(async ({ page }) => {
    await page.addInitScript(() => Object.defineProperty(window, "navigation", { value: undefined }));
    await signIn(page);
  });
  const question = (page: Page) => page.getByRole("dialog", { name: "Leave without saving?" });
  const back = (page: Page) => page.evaluate(() => window.history.back());
  /** Waits until the page asks before Back leaves it. */
  const isGuarded = (page: Page) => page.waitForFunction(() => window.history.state?.unsaved);
  /** Opens the page after another one, to which Back leads. */
  async function openAfterHome(page: Page, path: string) {
    await page.goto("/home");
    await page.evaluate(() => window.history.pushState(window.history.state, "", "/home?before"));
    await page.goto(path);
  }

  test("Back asks before unsaved changes of any page are lost, as often as it is pressed", async ({
    page,
  }) => {
    const create = async (path: string, name: string, record: object) => {
      const response = await createRecord(page, path, { [name]: record });
      return response[name].id as number;
    };
    const client = await create("/api/clients", "client", { name: uniqueName("Back Guard") });
    const shelter = await create("/api/shelters", "shelter", {
      name: uniqueName("Guard House"),
      kind: "In-house",
      beds: 3,
    });
    const stay = await create("/api/stays", "stay", { clientId: client, shelterId: shelter });
    const { contactKinds } = await (await page.request.get("/api/contact_kinds")).json();
    const contact = await create("/api/contacts", "contact", {
      contactKindId: contactKinds[0].id,
      number: 1,
      contactedOn: today(),
    });
    const { activityKinds } = await (await page.request.get("/api/activity_kinds")).json();
    const activity = await create("/api/activities", "activity", {
      activityKindId: activityKinds[0].id,
      minutes: 1,
    });
    for (const [path, field] of [
      ["/clients/new", "#field-name"],
      [`/clients/${client}/edit`, "#field-name"],
      [`/contacts/${contact}/edit`, "input[name=minutes]"],
      [`/activities/${activity}/edit`, "#field-minutes"],
      [`/stays/${stay}/edit`, "#field-adults"],
      ["/settings/canines/new", "#field-name"],
      [`/settings/shelters/${shelter}/edit`, "#field-name"],
      ["/settings/users/new", "#field-firstName"],
      ["/settings/roles/new", "#field-name"],
      ["/profile", "#field-firstName"],
    ] as const) {
      await openAfterHome(page, path);
      const input = page.getByRole("main").locator(field);
      await input.fill("7");
      await isGuarded(page);
      await back(page);
      await expect(question(page), path).toBeVisible();
      await page.getByRole("button", { name: "Stay" }).click();
      await expect(question(page)).toBeHidden();
      await expect(input).toHaveValue("7");
      // The page has come back to its own entry. Until then, Back would lead to another document, where the browser asks.
      await isGuarded(page);
      await back(page);
      await question(page).getByRole("button", { name: "Leave" }).click();
      await expect(page).toHaveURL(/\/home\?before$/);
    }
  });

  test("after a save, Back leads where it would have led, without a question", async ({ page }) => {
    await openAfterHome(page, "/settings/canines/new");
    await page.getByLabel("Name").fill(uniqueName("Biscuit"));
    await isGuarded(page);
    await back(page);
    await question(page).getByRole("button", { name: "Stay" }).click();
    await isGuarded(page);
    await button(page, "Save").click();
    await expect(page).toHaveURL(/\/settings\/canines$/);
    await back(page);
    await expect(page).toHaveURL(/\/settings\/canines\/new$/);
    await expect(page.getByLabel("Name")).toHaveValue("");
    await back(page);
    await expect(page).toHaveURL(/\/home\?before$/);

    await openAfterHome(page, "/profile");
    await page.getByLabel("First Name").fill("Alexandra");
    await button(page, "Save").click();
    await expectNotification(page, "You have successfully updated your profile!");
    await page.getByLabel("First Name").fill("Alex");
    await button(page, "Save").click();
    await expectNotification(page, "You have successfully updated your profile!");
    await back(page);
    await expect(page).toHaveURL(/\/home\?before$/);
    await expect(question(page)).toBeHidden();
  });
});
