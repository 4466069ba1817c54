import type { Locator, Page } from "@playwright/test";
import { audit } from "@/e2e/audit";
import {
  button,
  DEMO,
  expect,
  expectNotification,
  makeAccount,
  signIn,
  stopClock,
  test,
  uniqueName,
} from "@/e2e/fixtures";
import { makeServiceForm } from "@/e2e/records";

// The notification area: its content, position and duration.

const area = (page: Page) => page.getByRole("region", { name: "Notifications" });
/** One per notification. */
const dismissButtons = (page: Page) => area(page).getByRole("button", { name: "Dismiss" });
const rows = (page: Page) => page.getByRole("table", { name: "Forms" }).locator("tbody tr");

/**
 * Opens the list of new forms that the demo's advocate created for that day, and returns the ids of the
 * forms.
 */
async function openForms(page: Page, serviceOn: string, count: number): Promise<number[]> {
  await signIn(page, DEMO.advocate);
  const ids: number[] = [];
  for (let made = 0; made < count; made++) {
    const { formId } = await makeServiceForm(page, { client: uniqueName("Noticed Client"), serviceOn });
    ids.push(formId);
  }
  await signIn(page);
  await page.goto(`/forms?filters[from]=${serviceOn}&filters[to]=${serviceOn}`);
  await expect(rows(page)).toHaveCount(count);
  return ids;
}

/**
 * Audits the page on a running clock. `control`, part of a notification, has the focus, which keeps the
 * notification.
 */
async function auditHeld(page: Page, control: Locator, state: string) {
  await control.focus();
  await page.clock.resume();
  await audit(page, state);
}

/** Refuses every single reconcile with these messages. */
const refuseReconcile = (page: Page, error: string[]) =>
  page.route("**/api/forms/*/reconcile", (route) => route.fulfill({ status: 422, json: { error } }));

/** Fails if another element would receive a click on any of the four corners or the center of the control. */
async function expectUncovered(control: Locator) {
  await expect(control).toBeVisible();
  await expect
    .poll(() =>
      control.evaluate((element) => {
        const { left, right, top, bottom } = element.getBoundingClientRect();
        const points = [
          [(left + right) / 2, (top + bottom) / 2],
          ...[left + 5, right - 5].flatMap((x) => [top + 5, bottom - 5].map((y) => [x, y])),
        ];
        return points.every(([x = 0, y = 0]) => element.contains(document.elementFromPoint(x, y)));
      }),
    )
    .toBe(true);
}

test("forms reconciled one after another share a notification, and Undo reverts all of them", async ({
  page,
}) => {
  await stopClock(page);
  await openForms(page, "2003-05-01", 5);
  await button(page, "Reconcile Form").first().click();
  await expectNotification(page, "Reconciled successfully");
  for (const left of [4, 3, 2, 1]) {
    await expect(rows(page)).toHaveCount(left);
    await button(page, "Reconcile Form").first().click();
  }
  await expectNotification(page, "5 forms reconciled");
  await expect(dismissButtons(page)).toHaveCount(1);
  await expect(rows(page)).toHaveCount(0);
  await button(page, "Undo").click();
  await expectNotification(page, "Undone: 5 forms are unreconciled again");
  await expect(dismissButtons(page)).toHaveCount(1);
  await expect(button(page, "Undo")).toHaveCount(0);
  await expect(rows(page)).toHaveCount(5);
});

test("one reconciled form is undone by a key, and unreconciling it as well", async ({ page }) => {
  await stopClock(page);
  const [id] = await openForms(page, "2003-05-02", 1);
  await page.goto(`/forms/${id}/edit`);
  for (const [act, doneMessage, undoneMessage] of [
    ["Reconcile", "Reconciled successfully", "Undone: 1 form is unreconciled again"],
    ["Unreconcile", "Unreconciled successfully", "Undone: 1 form is reconciled again"],
  ] as const) {
    await button(page, act).click();
    await expectNotification(page, doneMessage);
    await page.keyboard.press("u");
    await expectNotification(page, undoneMessage);
    await expect(button(page, act)).toBeVisible();
    if (act === "Unreconcile") break;
    await button(page, act).click();
    await expect(button(page, "Unreconcile")).toBeVisible();
  }
});

test("forms that could not be reconciled in bulk are named with the reason in the notification area", async ({
  page,
}) => {
  await stopClock(page);
  const [first, deleted, other] = await openForms(page, "2003-05-03", 3);
  await page.getByRole("checkbox", { name: "Select all" }).check();
  await page.request.delete(`/api/forms/${deleted}`);
  await button(page, "Reconcile 3 forms").click();
  await expectNotification(page, "2 forms reconciled");
  await expect(area(page)).toContainText("1 form could not be reconciled");
  await expect(area(page)).toContainText(new RegExp(`Form ${deleted} of Noticed Client-\\d+: `));
  await expect(page.getByRole("main").getByRole("alert")).toHaveCount(0);
  await expect(dismissButtons(page)).toHaveCount(2);

  await page.request.delete(`/api/forms/${other}`);
  await button(page, "Undo").click();
  await expectNotification(page, "Undone: 1 form is unreconciled again");
  await expect(area(page)).toContainText("1 form could not be unreconciled");
  await expect(area(page)).toContainText(new RegExp(`Form ${other} of Noticed Client-\\d+: `));
  await expect(area(page)).not.toContainText(`Form ${deleted} of`);
  await expect(rows(page)).toHaveCount(1);
  await expect(rows(page).getByRole("link", { name: "Edit", exact: true })).toHaveAttribute(
    "href",
    new RegExp(`/forms/${first}/edit`),
  );
  await auditHeld(page, dismissButtons(page).last(), "forms, one of two not unreconciled");
});

test("a notification replaces the previous one of its kind, and an error stays next to a success", async ({
  page,
}) => {
  await stopClock(page);
  await openForms(page, "2003-05-04", 2);
  await refuseReconcile(page, ["The first reason"]);
  for (let turn = 0; turn < 3; turn++) {
    // A call that is not answered yet would reach the server once the refusals end.
    const answered = page.waitForResponse("**/api/forms/*/reconcile");
    await button(page, "Reconcile Form").first().click();
    await answered;
  }
  await expect(area(page)).toContainText("The first reason");
  await page.unrouteAll();
  await refuseReconcile(page, ["The second reason"]);
  await button(page, "Reconcile Form").first().click();
  await expect(area(page)).toContainText("The second reason");
  await expect(area(page)).not.toContainText("The first reason");
  await expect(dismissButtons(page)).toHaveCount(1);
  await page.unrouteAll();
  await button(page, "Reconcile Form").first().click();
  await expectNotification(page, "Reconciled successfully");
  await expect(dismissButtons(page)).toHaveCount(2);
  await page.clock.runFor(8_000);
  await expect(area(page)).not.toContainText("Reconciled successfully");
  await page.clock.runFor(60_000);
  await expect(area(page)).toContainText("The second reason");
});

test("a notification covers no dialog, waits while one is open, and covers no save bar", async ({ page }) => {
  await stopClock(page);
  const [, id] = await openForms(page, "2003-05-05", 2);
  const reasons = Array.from({ length: 40 }, (_, at) => `Reason ${at + 1} of many`);
  for (const size of [
    { width: 360, height: 640 },
    { width: 1280, height: 720 },
  ]) {
    await page.setViewportSize(size);
    await page.goto("/forms?filters[from]=2003-05-05&filters[to]=2003-05-05");
    await refuseReconcile(page, reasons);
    if (size.width === 360)
      await page
        .getByRole("button", { name: /^Actions for / })
        .last()
        .click();
    await button(page, "Reconcile Form").last().click();
    await expect(area(page)).toContainText("Reason 1 of many");
    await page.keyboard.press("?");
    const keys = page.getByRole("dialog");
    await expectUncovered(keys.getByRole("button", { name: "Close" }));
    await page.keyboard.press("Escape");
    await expect(keys).toBeHidden();

    await page.goto(`/forms/${id}/edit`);
    // A phone shows only one of Reconcile and Reconcile and next.
    await page
      .getByRole("button", { name: /^Reconcile/ })
      .first()
      .click();
    await expect(area(page)).toContainText("Reason 1 of many");
    await expectUncovered(button(page, "Update"));
    await expectUncovered(page.getByRole("link", { name: "Cancel" }));
    await button(page, "Return to advocate…").click();
    const dialog = page.getByRole("dialog");
    await expect(dialog).toBeVisible();
    for (const control of await dialog.getByRole("button").all()) await expectUncovered(control);
    await page.keyboard.press("Escape");
    await expect(dialog).toBeHidden();
    await page.unrouteAll();
  }
  await button(page, "Reconcile").click();
  await expectNotification(page, "Reconciled successfully");
  await button(page, "Return to advocate…").click();
  await expect(page.getByRole("dialog")).toBeVisible();
  await page.clock.runFor(20_000);
  await page.keyboard.press("Escape");
  await expect(area(page)).toContainText("Reconciled successfully");
  await page.clock.runFor(8_000);
  await expect(area(page)).not.toContainText("Reconciled successfully");
});

for (const [place, size] of [
  ["on a phone", { width: 360, height: 740 }],
  ["on a tablet", { width: 800, height: 700 }],
] as const) {
  test(`${place} a success moves no row, an error covers none, and neither covers a button of the header or of the save bar`, async ({
    page,
  }) => {
    await stopClock(page);
    await page.setViewportSize(size);
    const [id] = await openForms(page, `2003-06-${size.width === 360 ? "01" : "02"}`, 14);
    const notice = area(page).locator("[data-notice]");
    const top = (element: Locator) => element.evaluate((one) => one.getBoundingClientRect().top);
    const bottom = (element: Locator) => element.evaluate((one) => one.getBoundingClientRect().bottom);
    const reconcile = async (at: number) => {
      if (size.width === 360)
        await rows(page)
          .nth(at)
          .getByRole("button", { name: /^Actions for / })
          .click();
      await button(page, "Reconcile Form")
        .filter({ visible: true })
        .nth(size.width === 360 ? 0 : at)
        .click();
    };

    await reconcile(0);
    await expectNotification(page, "Reconciled successfully");
    await expect(rows(page)).toHaveCount(13);
    // Drafts and returned forms of other tests above the list may have scrolled the page.
    await page.evaluate(() => scrollTo(0, 0));
    const listTop = await top(rows(page).first());
    expect(await bottom(notice)).toBeLessThanOrEqual(listTop);
    for (const name of ["Open menu", "Account menu", "Hide screen (press Esc twice)"])
      await expectUncovered(button(page, name));
    await button(page, "Dismiss").click();
    await expect(notice).toBeHidden();
    expect(await top(rows(page).first())).toBe(listTop);

    // While the page scrolls, the first row below the header stays below the error.
    await refuseReconcile(page, ["The first reason", "The second reason", "The third reason"]);
    await rows(page).nth(6).scrollIntoViewIfNeeded();
    await page.evaluate(() =>
      scrollBy(0, document.querySelectorAll("tbody tr")[4]?.getBoundingClientRect().top ?? 0),
    );
    const first = rows(page).nth(6);
    await reconcile(8);
    await expect(notice).toContainText("The third reason");
    expect(await top(notice)).toBe(size.width === 360 ? 0 : 56);
    await expect.poll(async () => (await top(first)) - (await bottom(notice))).toBeGreaterThanOrEqual(0);
    await expectUncovered(button(page, "Hide screen (press Esc twice)"));

    await page.goto(`/forms/${id}/edit`);
    await page
      .getByRole("button", { name: /^Reconcile/ })
      .first()
      .click();
    await expect(notice).toContainText("The third reason");
    for (const control of [button(page, "Update"), page.getByRole("link", { name: "Cancel" })])
      await expectUncovered(control);
    await auditHeld(page, button(page, "Dismiss"), `a notification ${place}`);
  });
}

test("an alert and a notification that are dismissed by keyboard leave the focus to the next control", async ({
  page,
}) => {
  await signIn(page);
  await page.goto("/clients/new");
  await page.getByLabel("Client Name").fill(uniqueName("Never Stored"));
  await page.route("**/api/clients", (route) => route.abort());
  await button(page, "Save").click();
  const alert = page.getByRole("alert").filter({ hasText: "Undefined response from server" });
  await alert.getByRole("button", { name: "Dismiss" }).press("Enter");
  await expect(alert).toBeHidden();
  await expect(page.getByRole("main").locator("a:focus, button:focus")).toHaveText("Cancel");

  await page.goto("/forms");
  await page.route("**/api/forms/*/reconcile", (route) => route.abort());
  await button(page, "Reconcile Form").first().click();
  await dismissButtons(page).press("Enter");
  await expect(dismissButtons(page)).toHaveCount(0);
  await expect(page.locator(":focus")).toBeVisible();
});

test("a misleading message is followed by what was done, and a new service code by where it counts", async ({
  page,
  database,
}) => {
  const email = `${uniqueName("list-keeper")}@example.org`;
  await makeAccount(database, email, ["service-codes"]);
  await stopClock(page);
  for (const person of [email, DEMO.administrator]) {
    const code = uniqueName("ZZ-NEW");
    await signIn(page, person);
    await page.goto("/settings/service_codes/new");
    await page.getByLabel("Code").fill(code);
    await page.getByRole("group", { name: "Form Type" }).getByLabel("Phone", { exact: true }).check();
    await button(page, "Save").click();
    await expectNotification(page, "Created Magisterial Court Outcome successfully");
    await expectNotification(page, `${code} was added to Service Codes`);
    await expectNotification(page, "It is not counted in any report yet.");
    await expect(page.getByRole("table", { name: "Service Codes" })).toBeVisible();
    const link = area(page).getByRole("link", { name: "Reports Setup" });
    if (person === email) {
      await expectNotification(page, "An administrator can add it under Settings → Reports Setup.");
      await expect(link).toHaveCount(0);
    } else {
      await auditHeld(page, link, "a new service code");
      await link.click();
      await expect(page.getByRole("heading", { name: "Reports Setup", level: 1 })).toBeVisible();
      await expect(dismissButtons(page)).toHaveCount(0);
    }
  }
});
