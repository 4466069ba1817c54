import type { Page } from "@playwright/test";
import { audit, auditFocus, PHONE } from "@/e2e/audit";
import {
  button,
  chooseByLetter,
  DEMO,
  expect,
  expectNotification,
  holdRequests,
  makeAccount,
  signIn,
  tabTo,
  test,
  uniqueName,
} from "@/e2e/fixtures";
import { createRecord } from "@/e2e/records";
import { addDays, date, today } from "@/lib/core/text/format";

// The screens of declared records, with activities as the example.

const table = (page: Page) => page.getByRole("table", { name: "Activities" });
const entry = (page: Page) => page.getByRole("form", { name: "Record an activity" });
const rows = (page: Page) => table(page).locator("tbody tr");

const kindId = async (page: Page, wanted: string): Promise<number> => {
  const { activityKinds } = await (await page.request.get("/api/resource_lists/activity_kinds")).json();
  return activityKinds.find(({ name }: { name: string }) => name === wanted).id;
};

/** Records an activity of the signed-in user through the API. */
const make = async (page: Page, occurredOn: string, minutes: number, kind = "Travel") => {
  const activity = { occurredOn, activityKindId: await kindId(page, kind), minutes };
  return (await createRecord(page, "/api/activities", { activity })).activity;
};

test("two activities are recorded by keyboard alone, and the day and the kind stay for the next one", async ({
  page,
}) => {
  await signIn(page, DEMO.advocate);
  await page.goto("/activities");
  await expect(entry(page)).toContainText("No names are stored.");
  const kind = entry(page).getByLabel("Kind");
  const minutes = entry(page).getByLabel("Minutes");
  // The day is prefilled, so its label has no star.
  const day = entry(page).getByLabel("Date", { exact: true });
  await tabTo(page, kind);
  await chooseByLetter(kind, "Superv");
  await page.keyboard.press("Tab");
  await page.keyboard.type("1:15");
  await tabTo(page, day);
  await day.fill("02/05/2024");
  const arrive = await holdRequests(page, "**/api/activities");
  await page.keyboard.press("Enter");
  // Text typed now would be replaced by the values of the next record.
  await expect(minutes).toBeDisabled();
  arrive();
  await expect(entry(page).getByRole("status")).toHaveText("Recorded: Supervision, 1 h 15 min");
  await expect(kind).toBeFocused();
  await expect(kind.locator("option:checked")).toHaveText("Supervision");
  await expect(day).toHaveValue("02/05/2024");
  await expect(minutes).toHaveValue("");

  // Enter in the select records too, and a refused value stays.
  await page.keyboard.press("Enter");
  await expect(entry(page)).toContainText("Minutes is required");
  await expect(minutes).toBeFocused();
  await page.keyboard.type("1441");
  await page.keyboard.press("Enter");
  await expect(minutes).toHaveValue("1441");
  await expect(entry(page)).toContainText("Minutes must be at most 1,440");
  await minutes.fill("20");
  await page.keyboard.press("Enter");
  await expect(entry(page).getByRole("status")).toHaveText("Recorded: Supervision, 20 min");
  await page.goto("/activities?filters[from]=2024-02-05&filters[to]=2024-02-05");
  await expect(rows(page)).toHaveCount(2);
  await expect(rows(page).first()).toContainText("02/05/2024");
});

test("an activity whose response is lost is recorded once, and nothing typed is lost", async ({ page }) => {
  await signIn(page, DEMO.advocate);
  await page.goto("/activities");
  await entry(page).getByLabel("Kind").selectOption("Documentation");
  await entry(page).getByLabel("Minutes").fill("33");
  await entry(page).getByRole("textbox", { name: "Date" }).fill("02/06/2024");
  let lost = 0;
  await page.route("**/api/activities", async (route) => {
    await route.fetch();
    lost += 1;
    await route.abort();
  });
  await button(page, "Record").click();
  await expect(entry(page).getByRole("alert")).toContainText("Nothing you typed is lost");
  expect(lost).toBe(1);
  await page.unroute("**/api/activities");
  await expect(entry(page).getByLabel("Minutes")).toHaveValue("33");
  await button(page, "Record").click();
  await expect(entry(page).getByRole("status")).toHaveText("Recorded: Documentation, 33 min");
  const query = "filters[from]=2024-02-06&filters[to]=2024-02-06";
  const { meta } = await (await page.request.get(`/api/activities?${query}`)).json();
  expect(meta.totalCount).toBe(1);
});

test("after midnight, the prefilled day moves on, and a chosen day stays", async ({ page }) => {
  await signIn(page, DEMO.advocate);
  const first = today();
  // At noon, because a day is not always 24 hours long.
  const noonAfter = (days: number) => new Date(`${addDays(first, days)}T12:00`);
  await page.clock.setFixedTime(Date.now());
  await page.goto("/activities");
  const day = entry(page).getByRole("textbox", { name: "Date" });
  await expect(day).toHaveValue(date(first));
  await page.clock.setFixedTime(noonAfter(1));
  await entry(page).getByLabel("Minutes").fill("5");
  await expect(day).toHaveValue(date(addDays(first, 1)));
  await day.fill("02/07/2024");
  await page.clock.setFixedTime(noonAfter(2));
  await entry(page).getByLabel("Kind").focus();
  await expect(day).toHaveValue("02/07/2024");
  await expect(entry(page).getByLabel("Minutes")).toHaveValue("5");
});

test("the list is filtered, searched, sorted, and exported, and its records are changed and removed", async ({
  page,
}) => {
  await signIn(page);
  await make(page, "2024-03-04", 60, "Training received");
  await make(page, "2024-03-05", 30);
  await page.goto("/activities?filters[from]=2024-03-01&filters[to]=2024-03-31");
  await expect(rows(page)).toHaveCount(2);
  await page.getByRole("button", { name: "Minutes" }).click();
  await expect(rows(page).first()).toContainText("30");
  await page.getByLabel("Kind", { exact: true }).selectOption("Training received");
  await expect(rows(page)).toHaveCount(1);
  await page.getByRole("searchbox", { name: "Search Activities" }).fill("trav");
  await expect(page.getByText("No results.")).toBeVisible();
  await page.getByLabel("Kind", { exact: true }).selectOption("Travel");
  await expect(rows(page)).toHaveCount(1);
  await expect(page.getByLabel("User")).toBeVisible();
  const [file] = await Promise.all([
    page.waitForEvent("download"),
    (async () => {
      await button(page, "Export").click();
      await page.getByRole("link", { name: "CSV" }).click();
    })(),
  ]);
  expect(file.suggestedFilename()).toMatch(/^activities.*\.csv$/);

  await table(page).getByRole("link", { name: "Edit", exact: true }).click();
  await expect(page.getByRole("heading", { level: 1, name: /^Edit Activity \d+$/ })).toBeVisible();
  await page.getByLabel("Minutes").fill("0:45");
  await button(page, "Update").click();
  await expectNotification(page, "Updated activity successfully");
  // The list is as it was left.
  await expect(rows(page)).toHaveCount(1);
  await expect(table(page)).toContainText("45");
  await button(page, "Remove").click();
  await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
  await expectNotification(page, "Removed activity successfully");
  await expect(page.getByText("No results.")).toBeVisible();
});

test("an activity that someone else has changed is compared field by field, and its history names both", async ({
  page,
  browser,
  baseURL,
}) => {
  await signIn(page, DEMO.advocate);
  const { id } = await make(page, "2024-04-02", 10);
  await page.goto(`/activities/${id}/edit`);
  await page.getByLabel("Minutes").fill("12");
  const other = await browser.newPage({ baseURL });
  await signIn(other);
  const activity = { activityKindId: await kindId(other, "Supervision"), minutes: 8 };
  const saved = await other.request.put(`/api/activities/${id}`, { data: { activity } });
  expect(saved.status()).toBe(200);
  await other.close();
  await button(page, "Update").click();
  await button(page, "Compare and choose").click();
  const dialog = page.getByRole("dialog", { name: "Changed by someone else" });
  const side = (field: string, name: RegExp) =>
    dialog.getByRole("group", { name: field }).getByRole("radio", { name });
  await expect(side("Minutes", /^Mine/)).toBeChecked();
  await expect(side("Kind", /^Theirs/)).toBeChecked();
  await audit(page, "activity, conflict");
  await dialog.getByRole("button", { name: "Use these" }).click();
  await expect(page.getByLabel("Kind").locator("option:checked")).toHaveText("Supervision");
  await expect(page.getByLabel("Minutes")).toHaveValue("12");
  await button(page, "Update").click();
  await expectNotification(page, "Updated activity successfully");
  await page.goto(`/activities/${id}/history`);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(`History of Activity ${id}`);
  await expect(page.getByRole("main")).toContainText("Supervision");
  await audit(page, "history of activity");
  await page.getByRole("link", { name: "Back to the activity" }).click();
  await expect(page.getByLabel("Minutes")).toHaveValue("12");
});

test("an unsaved activity is not left without a question", async ({ page }) => {
  await signIn(page, DEMO.advocate);
  const { id } = await make(page, "2024-05-02", 10);
  for (const path of ["/activities", `/activities/${id}/edit`]) {
    await page.goto(path);
    await page.getByLabel("Minutes").first().fill("17");
    const menu = page.getByRole("navigation", { name: "Main" });
    await menu.getByRole("link", { name: "Forms", exact: true }).click();
    await page
      .getByRole("dialog", { name: "Leave without saving?" })
      .getByRole("button", { name: "Stay" })
      .click();
    await expect(page.getByLabel("Minutes").first()).toHaveValue("17");
  }
});

test("activities of a closed month can be read, and have no action that would be refused", async ({
  page,
}) => {
  await signIn(page);
  const { id } = await make(page, "2001-03-04", 25);
  const close = (closedThrough: string | null) =>
    page.request.put("/api/closed_periods", { data: { closedThrough } });
  await close("2001-03-31");
  try {
    await page.goto("/activities?filters[from]=2001-03-01&filters[to]=2001-03-31");
    await expect(rows(page)).toHaveCount(1);
    await expect(
      rows(page)
        .getByRole("button")
        .or(rows(page).getByRole("link", { name: "Edit", exact: true })),
    ).toHaveCount(0);
    await rows(page).getByRole("link").click();
    await expect(page.getByText("March 2001 and earlier are closed")).toBeVisible();
    await expect(page.getByLabel("Minutes")).toBeDisabled();
    await expect(page.getByLabel("Minutes")).toHaveValue("25");
    await expect(button(page, "Update")).toHaveCount(0);
    await audit(page, "activity, closed month");
    expect(page.url()).toContain(`/activities/${id}/edit`);
  } finally {
    await close(null);
  }
});

test("the screens of activities are accessible, and fit a phone", async ({ page }) => {
  await signIn(page);
  const { id } = await make(page, today(), 50, "Staff meeting");
  await page.goto("/activities");
  await expect(table(page)).toBeVisible();
  await audit(page, "activities");
  await auditFocus(page, "activities");
  await button(page, "Record").click();
  await expect(entry(page)).toContainText("Minutes is required");
  await audit(page, "activities, incomplete");
  await page.setViewportSize(PHONE);
  const overflow = () =>
    page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  expect(await overflow()).toBe(0);
  await page.goto("/activities?filters[userId]=999999999");
  await expect(page.getByText("No results.")).toBeVisible();
  await audit(page, "activities, empty");
  await page.goto(`/activities/${id}/edit`);
  await expect(page.getByRole("heading", { level: 1, name: `Edit Activity ${id}` })).toBeVisible();
  await audit(page, "edit activity");
  await page.setViewportSize(PHONE);
  expect(await overflow()).toBe(0);
});

test("a user without the permission sees no menu entry and no page, and an unknown kind of record is not found", async ({
  page,
  database,
}) => {
  const email = `${uniqueName("no.activities")}@example.org`;
  await makeAccount(database, email, ["forms", "clients"]);
  await signIn(page, email);
  await page.goto("/home");
  const menu = page.getByRole("navigation", { name: "Main" });
  await expect(menu.getByRole("link", { name: "Forms", exact: true })).toBeVisible();
  await expect(menu.getByRole("link", { name: "Activities", exact: true })).toBeHidden();
  await page.goto("/activities");
  await expect(page.getByText("You do not have permission to do that.")).toBeVisible();
  for (const path of ["/hobbies", "/hobbies/1/edit", "/hobbies/1/history"])
    expect((await page.request.get(path)).status(), path).toBe(404);
});

test("activities of others are not found, and only holders of All Forms see who recorded one", async ({
  page,
  database,
}) => {
  await signIn(page);
  const { id } = await make(page, "2024-06-03", 5);
  const email = `${uniqueName("own.activities")}@example.org`;
  await makeAccount(database, email, ["activities"]);
  await signIn(page, email);
  await page.goto("/activities");
  await expect(page.getByText("No activities yet. Record the first one above.")).toBeVisible();
  await expect(page.getByLabel("User")).toBeHidden();
  for (const screen of ["edit", "history"])
    expect((await page.request.get(`/activities/${id}/${screen}`)).status(), screen).toBe(404);
});

test("My Time and Home show the minutes of activities apart from the total", async ({ page, database }) => {
  const email = `${uniqueName("my.time")}@example.org`;
  await makeAccount(database, email, ["forms", "reports", "activities"]);
  await signIn(page, email);
  await make(page, "2023-02-06", 95);
  await page.goto("/reports/time?from=2023-02-06&to=2023-02-12");
  await expect(page.getByRole("columnheader")).toHaveText(["Code", "02/06", "Total"]);
  const cells = (name: string) => page.getByRole("row").filter({ hasText: name }).getByRole("cell");
  await expect(cells("Activities").last()).toHaveText("01:35");
  await expect(page.locator("tfoot").getByRole("row").first().getByRole("cell").last()).toHaveText("00:00");

  const { id } = await make(page, today(), 20);
  await page.goto("/home");
  const week = page.locator("section").filter({ hasText: "My time this week" });
  await expect(week).toContainText("20 min of activities");
  await week.getByRole("link", { name: "20 min" }).click();
  await expect(rows(page).getByRole("link").first()).toHaveAttribute(
    "href",
    new RegExp(`/activities/${id}/edit`),
  );
  await expect(rows(page)).toHaveCount(1);

  // On a phone, the codes stay next to the newest days.
  for (const day of ["2023-03-02", "2023-03-09", "2023-03-16", "2023-03-23", "2023-03-30"])
    await make(page, day, 10);
  await page.setViewportSize(PHONE);
  await page.goto("/reports/time?from=2023-03-01&to=2023-03-31");
  await expect(page.getByRole("rowheader", { name: "Activities" })).toBeInViewport();
  await expect(cells("Activities").last()).toBeInViewport();
});
