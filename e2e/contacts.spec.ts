import type { Page } from "@playwright/test";
import {
  button,
  expect,
  expectNotification,
  holdRequests,
  makeAccount,
  signIn,
  test,
  uniqueName,
} from "@/e2e/fixtures";
import { createRecord } from "@/e2e/records";
import { addDays, date, today } from "@/lib/core/text/format";

// Contacts on screen: the quick entry, the list, and a form that is started from a contact.

const table = (page: Page) => page.getByRole("table", { name: "Contacts" });
const entry = (page: Page) => page.getByRole("form", { name: "Record a contact" });

test("the quick entry records one call after the other, and says that nothing about the caller is stored", async ({
  page,
}) => {
  await signIn(page);
  await page.goto("/contacts");
  await expect(entry(page)).toContainText(
    "No name, phone number, address, or text about a caller is stored.",
  );
  const kind = entry(page).getByLabel("Kind");
  await kind.selectOption("Walk-in");
  await entry(page).getByLabel("Minutes").fill("25");
  const arrive = await holdRequests(page, "**/api/contacts");
  await page.keyboard.press("Enter");
  // Text typed now would be replaced by the values of the next contact.
  await expect(entry(page).getByLabel("Minutes")).toBeDisabled();
  arrive();
  await expect(entry(page).getByRole("status")).toHaveText("Recorded: Walk-in, 25 min");
  // Ready for the next one: the kind and the day stay.
  await expect(kind).toBeFocused();
  await expect(kind.locator("option:checked")).toHaveText("Walk-in");
  await expect(entry(page).getByLabel("Minutes")).toHaveValue("");
  await expect(table(page).locator("tbody tr").first()).toContainText("25");

  // A typed value is checked when the focus leaves its field. A blank field is not.
  const day = entry(page).getByRole("textbox", { name: "Date" });
  await day.fill("12/31/26");
  await entry(page).getByLabel("Minutes").focus();
  await expect(day).toHaveAttribute("aria-invalid", "true");
  await day.fill(today());
  await entry(page).getByLabel("How Many").focus();
  await expect(day).not.toHaveAttribute("aria-invalid", "true");
  await expect(entry(page).getByLabel("Minutes")).not.toHaveAttribute("aria-invalid", "true");
  // A wrong value is calm again once it is blank, or once the calendar has replaced it.
  const howMany = entry(page).getByLabel("How Many");
  await howMany.fill("501");
  await entry(page).getByLabel("Minutes").focus();
  await expect(howMany).toHaveAttribute("aria-invalid", "true");
  await howMany.fill("");
  await expect(howMany).not.toHaveAttribute("aria-invalid", "true");
  await day.fill("12/31/26");
  await entry(page).getByRole("button", { name: "Choose Date" }).click();
  await expect(day).toHaveAttribute("aria-invalid", "true");
  await page.getByRole("dialog", { name: "Date" }).getByRole("button", { name: "Today" }).click();
  await expect(day).not.toHaveAttribute("aria-invalid", "true");

  await entry(page).getByLabel("How Many").fill("501");
  await page.keyboard.press("Enter");
  await expect(entry(page)).toContainText("How Many must be at most 500");
  await expect(entry(page).getByLabel("How Many")).toBeFocused();
  await page.keyboard.type("30");
  await button(page, "Details").click();
  await entry(page).getByLabel("Shelter Requested").check();
  await entry(page).getByLabel("Children").fill("2");
  await entry(page).getByLabel("Turned Away").selectOption("No room");
  await button(page, "Record").click();
  await expect(entry(page).getByRole("status")).toHaveText("Recorded: Walk-in, 30");
  await expect(table(page).locator("tbody tr").first()).toContainText("30");
});

test("a form that is started from a contact has its date, minutes and referral source, and links it", async ({
  page,
}) => {
  await signIn(page);
  const { contactKinds } = await (await page.request.get("/api/resource_lists/contact_kinds")).json();
  const { referralSources } = await (await page.request.get("/api/resource_lists/referral_sources")).json();
  const { contact } = await createRecord(page, "/api/contacts", {
    contact: {
      contactKindId: contactKinds[0].id,
      contactedOn: "2024-03-05",
      minutes: 35,
      referralSourceId: referralSources[1].id,
    },
  });
  await page.goto("/contacts?filters[from]=2024-03-05&filters[to]=2024-03-05");
  await table(page).getByRole("link", { name: "Start a form" }).click();
  await expect(page.getByText("35 min from the contact are under Other Service")).toBeVisible();
  await page.getByLabel("Form Type *").selectOption("On-Call Advocacy");
  await expect(page.getByLabel("Service On *")).toHaveValue("03/05/2024");
  await expect(page.getByLabel("Other Service Minutes")).toHaveValue("35");
  await expect(page.getByLabel("Referral Source", { exact: true }).locator("option:checked")).toContainText(
    referralSources[1].code,
  );
  await page.getByLabel("Form Type *").selectOption("Service");
  await page.getByLabel("Client Name *").fill(uniqueName("Former Caller"));
  await page.getByLabel("Service Status *").selectOption("Served");
  await button(page, "Save").click();
  await expectNotification(page, "Created form successfully");
  const saved = await (await page.request.get(`/api/contacts/${contact.id}`)).json();
  expect(saved.contact.formId).not.toBeNull();
  await page.goto("/contacts?filters[from]=2024-03-05&filters[to]=2024-03-05");
  await expect(table(page).getByRole("link", { name: `Form ${saved.contact.formId}` })).toBeVisible();
  await expect(table(page).getByRole("link", { name: "Start a form" })).toBeHidden();
});

test("the quick entry opens over any page by its key, by the finder and by a button on Home, and is on its own page", async ({
  page,
}) => {
  await signIn(page);
  const day = today();
  // At noon, because a day is not always 24 hours long.
  const tomorrow = new Date(`${addDays(day, 1)}T12:00`).getTime();
  await page.clock.setFixedTime(Date.now());
  await page.goto("/clients");
  await page.keyboard.press("c");
  const dialog = page.getByRole("dialog", { name: "Record a contact" });
  await expect(dialog.getByLabel("Kind")).toBeFocused();
  await expect(dialog.getByLabel("Date", { exact: true })).toHaveValue(date(day));
  // After midnight, a day that was not chosen moves on, and a chosen one stays.
  await page.clock.setFixedTime(tomorrow);
  await dialog.getByLabel("Minutes").fill("5");
  await expect(dialog.getByLabel("Date", { exact: true })).toHaveValue(date(addDays(day, 1)));
  await page.clock.setFixedTime(tomorrow + 60_000);
  await dialog.getByLabel("Date", { exact: true }).fill(day);
  await page.keyboard.press("Enter");
  await expect(dialog.getByRole("status")).toContainText("Recorded: Hotline call, 5 min");
  await expect(dialog.getByLabel("Kind")).toBeFocused();
  await expect(dialog.getByLabel("Date", { exact: true })).toHaveValue(date(day));
  await page.keyboard.press("Escape");
  await expect(dialog).toBeHidden();

  await page.keyboard.press("Control+k");
  await page.getByRole("combobox", { name: "Client, form number, setting, or action" }).fill("contact");
  await page.getByRole("option", { name: /^Record a contact/ }).click();
  await expect(dialog.getByLabel("Kind")).toBeFocused();
  await page.keyboard.press("Escape");

  await page.goto("/home");
  await button(page, "Contact").click();
  await expect(dialog.getByLabel("Kind")).toBeFocused();
  await page.keyboard.press("Escape");

  await page.goto("/contacts");
  await page.keyboard.press("c");
  await expect(dialog).toBeHidden();
  await expect(entry(page).getByLabel("Kind")).toBeFocused();
  await expect(entry(page).getByLabel("Date", { exact: true })).toHaveValue(date(today()));
  await page.keyboard.press("Enter");
  await expect(entry(page).getByRole("status")).toHaveText("Recorded: Hotline call");
});

test("a quick entry whose choices could not be read offers the other kinds, and reads them again", async ({
  page,
}) => {
  await signIn(page);
  await page.goto("/clients");
  await page.route("**/api/resource_lists/contact_kinds", (route) => route.abort());
  await page.keyboard.press("c");
  const dialog = page.getByRole("dialog", { name: "Record a contact" });
  await expect(dialog.getByRole("alert")).toContainText("Undefined response from server");
  await dialog.getByRole("button", { name: "Activity" }).click();
  await expect(page.getByRole("dialog").getByRole("form", { name: "Record an activity" })).toBeVisible();
  await page.unrouteAll();
  await page.getByRole("dialog").getByRole("button", { name: "Contact" }).click();
  await expect(dialog.getByRole("form", { name: "Record a contact" })).toBeVisible();
});

test("a user without the permission sees neither the menu entry nor the quick entry, and no page", async ({
  page,
  database,
}) => {
  const email = `${uniqueName("no.contacts")}@example.org`;
  await makeAccount(database, email, ["forms", "clients"]);
  await signIn(page, email);
  const { permissions } = await (await page.request.get("/api/me")).json();
  expect(permissions.map(({ name }: { name: string }) => name)).not.toContain("Contacts");
  await page.goto("/home");
  await expect(button(page, "Contact")).toBeHidden();
  const menu = page.getByRole("navigation", { name: "Main" });
  await expect(menu.getByRole("link", { name: "Contacts", exact: true })).toBeHidden();
  await page.keyboard.press("c");
  await expect(page.getByRole("dialog")).toBeHidden();
  await page.goto("/contacts");
  await expect(page.getByText("You do not have permission to do that.")).toBeVisible();
});

test("My time shows the minutes of contacts apart from those of forms", async ({ page }) => {
  await signIn(page);
  const { contactKinds } = await (await page.request.get("/api/resource_lists/contact_kinds")).json();
  await createRecord(page, "/api/contacts", {
    contact: { contactKindId: contactKinds[0].id, contactedOn: "2023-02-06", minutes: 95 },
  });
  await page.goto("/reports/time?from=2023-02-06&to=2023-02-12");
  await expect(page.getByRole("columnheader")).toHaveText(["Code", "02/06", "Total"]);
  const cells = (name: string) => page.getByRole("row").filter({ hasText: name }).getByRole("cell");
  await expect(cells("Contacts").last()).toHaveText("01:35");
  await expect(page.locator("tfoot").getByRole("row").first().getByRole("cell").last()).toHaveText("00:00");
});
