import type { Locator, Page } from "@playwright/test";
import { audit } from "@/e2e/audit";
import {
  DEMO,
  expect,
  expectNotification,
  holdRequests,
  stopClock,
  test,
  uniqueName,
  untilReactListens,
} from "@/e2e/fixtures";
import { PERMISSION_NAMES } from "@/lib/core/access/permissions";
import { SEEDED_ROLES } from "@/lib/lookups/seeded-roles";
import { makeGate } from "@/tests/gate";

// The settings screens in detail. One declaration creates all of them. These tests cover one simple list and
// those with more than a name.

test.beforeEach(async ({ page }) => {
  const data = { email: DEMO.administrator, password: DEMO.password };
  expect((await page.request.post("/api/login", { data })).status()).toBe(200);
});

const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });
const row = (page: Page, text: string) => page.getByRole("row").filter({ hasText: text });
const headers = (page: Page) => page.getByRole("columnheader");
/** Searches without delay: Enter sends the search at once. */
async function search(page: Page, list: string, text: string) {
  await page.getByRole("searchbox", { name: `Search ${list}` }).fill(text);
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL((url) => url.searchParams.get("search") === text);
}

/**
 * Opens the new record from its list. `search` finds it, because other tests create records too, and a page
 * has 25 rows.
 */
async function openNew(page: Page, list: string, entity: string, search = "") {
  await page.goto(`/settings/${list}?search=${encodeURIComponent(search)}`);
  await page.getByRole("link", { name: "New", exact: true }).click();
  await expect(page.getByRole("heading", { name: `New ${entity}`, level: 1 })).toBeVisible();
}

async function openEdit(page: Page, text: string) {
  await row(page, text).getByRole("link", { name: "Edit", exact: true }).click();
  await expect(page.getByRole("button", { name: "Update", exact: true })).toBeVisible();
}

async function remove(page: Page, label: string, message: string) {
  await row(page, label).getByRole("button", { name: "Remove" }).click();
  const dialog = page.getByRole("dialog", { name: `Delete ${label}` });
  await expect(dialog.getByText(`Are you sure you want to delete ${label}`, { exact: true })).toBeVisible();
  await dialog.getByRole("button", { name: "Delete", exact: true }).click();
  await expectNotification(page, message);
  await expect(dialog).toBeHidden();
  await expect(row(page, label)).toHaveCount(0);
}

test("a canine is created by keyboard, changed and deleted", async ({ page }) => {
  await openNew(page, "canines", "Canine", "Pepper");
  const name = page.getByLabel("Name");
  await name.focus();
  await page.keyboard.press("Tab");
  await expect(name).toHaveAttribute("aria-invalid", "true");
  await button(page, "Save").click();
  await expect(name).toBeFocused();
  await expect(page).toHaveURL(/\/new(\?|$)/);

  await name.fill("Pepper");
  await page.keyboard.press("Enter");
  await expectNotification(page, "Made Canine successfully");
  await expect(page.getByRole("heading", { name: "Canines", level: 1 })).toBeVisible();
  await expect(headers(page)).toHaveText(["Name", "Actions"]);

  await openEdit(page, "Pepper");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(/^Edit Canine \d+ · Pepper$/);
  await name.fill("Peppermint");
  await button(page, "Update").click();
  await expectNotification(page, "Updated Canine successfully");
  await remove(page, "Peppermint", "Removed canine successfully");
});

test("a duplicate name is refused at its field, and no value is lost", async ({ page }) => {
  await openNew(page, "canines", "Canine");
  await page.getByLabel("Name").fill("NONE");
  await button(page, "Save").click();
  await expect(page.getByRole("alert").filter({ hasText: "Name is already taken" })).toBeVisible();
  await expect(page.getByLabel("Name")).toHaveAttribute("aria-invalid", "true");
  await expect(page.getByLabel("Name")).toHaveValue("NONE");
});

test("the delete dialog returns the focus, and a used record stays with the reason in the notification area", async ({
  page,
}) => {
  await page.goto("/settings/canines");
  const trash = row(page, "None").getByRole("button", { name: "Remove" });
  await trash.click();
  const dialog = page.getByRole("dialog", { name: "Delete None" });
  for (let tab = 0; tab < 5; tab++) {
    await page.keyboard.press("Tab");
    await expect(dialog.locator(":focus")).toHaveCount(1);
  }
  await dialog.getByRole("button", { name: "Close" }).click();
  await expect(dialog).toBeHidden();
  await expect(trash).toBeFocused();
  await trash.click();
  await dialog.getByRole("button", { name: "Delete", exact: true }).click();
  await expect(dialog).toBeHidden();
  const notifications = page.getByRole("region", { name: "Notifications" });
  await expect(notifications).toContainText(/This canine is used by \d+ records and cannot be removed/);
  await expect(trash).toBeFocused();
});

test("a list's state is in the URL, and a form leads back to it", async ({ page }) => {
  await page.goto("/settings/offender_relationships");
  await page.getByLabel("Rows per page").selectOption("5");
  await expect(page.getByRole("row")).toHaveCount(6);
  await expect(page.getByLabel("Rows per page").locator("option")).toHaveText(["5", "10", "25", "50"]);
  await button(page, "Name").click();
  await expect(headers(page).first()).toHaveAttribute("aria-sort", "ascending");
  await button(page, "Name").click();
  await expect(headers(page).first()).toHaveAttribute("aria-sort", "descending");
  await button(page, "Page 2").click();
  await expect(page).toHaveURL(/page=2/);
  const there = page.url();
  const first = await page.getByRole("row").nth(1).textContent();

  await page.getByRole("row").nth(1).getByRole("link", { name: "Edit", exact: true }).click();
  await page.getByRole("link", { name: "Cancel" }).click();
  await expect
    .poll(() => new URL(page.url()).searchParams.toString())
    .toBe(new URL(there).searchParams.toString());
  await expect(page.getByRole("row").nth(1)).toHaveText(first ?? "");
  await page.reload();
  await expect(page.getByRole("row").nth(1)).toHaveText(first ?? "");
  await page.getByRole("row").nth(1).getByRole("link", { name: "Edit", exact: true }).click();
  await button(page, "Update").click();
  await expectNotification(page, "Updated shipping method successfully");
  await expect(page).toHaveURL(/page=2/);

  await page.getByRole("searchbox").fill("SPOUSE");
  await expect(page).toHaveURL(/search=SPOUSE/);
  await expect(page.getByRole("row")).toHaveCount(3);
  await search(page, "Offender Relationships", "nobody like this");
  await expect(page.getByText("No results.")).toBeVisible();
});

test("a search is sent after half a second without typing", async ({ page }) => {
  await stopClock(page);
  await page.goto("/settings/canines");
  const box = page.getByRole("searchbox", { name: "Search Canines" });
  await expect(box).toBeEnabled();
  for (const text of ["n", "no"]) {
    await box.fill(text);
    await page.clock.runFor(490);
    expect(new URL(page.url()).search).toBe("");
  }
  await page.clock.runFor(20);
  await expect(page).toHaveURL(/search=no/);
});

test("a list keeps changes made while a search waits or a page is loading", async ({ page }) => {
  await page.goto("/settings/canines");
  await page.getByRole("searchbox", { name: "Search Canines" }).fill("n");
  await headers(page).first().getByRole("button").click();
  await expect(page).toHaveURL(/search=n/);
  await expect(page).toHaveURL(/sort=name/);
  const arrive = await holdRequests(page, /order=desc/);
  await headers(page).first().getByRole("button").click();
  await expect(headers(page).first()).toHaveAttribute("aria-sort", "descending");
  await page.getByLabel("Rows per page").selectOption("5");
  await expect(page.getByLabel("Rows per page")).toHaveValue("5");
  arrive();
  await expect(page).toHaveURL(/order=desc/);
  await expect(page).toHaveURL(/perPage=5/);
  await expect(page).toHaveURL(/search=n/);
});

test("a list in its default order keeps it while the next rows are loading", async ({ page }) => {
  await page.goto("/clients");
  const createdOn = page.getByRole("columnheader", { name: "Created On" });
  await expect(createdOn).toHaveAttribute("aria-sort", "descending");
  const arrive = await holdRequests(page, /perPage=5/);
  await page.getByLabel("Rows per page").selectOption("5");
  await expect(page.getByLabel("Rows per page")).toHaveValue("5");
  await expect(createdOn).toHaveAttribute("aria-sort", "descending");
  arrive();
  await expect(page).toHaveURL(/perPage=5/);
});

test("a delete dialog stays open until its deletion is refused, and then shows the reason", async ({
  page,
}) => {
  await page.goto("/settings/canines");
  const one = /\/api\/canines\/\d+$/;
  const arrive = await holdRequests(page, one);
  await row(page, "None").getByRole("button", { name: "Remove" }).click();
  const dialog = page.getByRole("dialog", { name: "Delete None" });
  await dialog.getByRole("button", { name: "Delete", exact: true }).click();
  await dialog.getByRole("button", { name: "Close" }).click();
  await page.keyboard.press("Escape");
  await page.mouse.click(5, 5);
  await expect(dialog).toBeVisible();
  arrive();
  await expect(dialog).toBeHidden();
  await expect(page.getByRole("region", { name: "Notifications" })).toContainText(/This canine is used by/);
});

test("a text that is too long is refused and not truncated", async ({ page }) => {
  await openNew(page, "canines", "Canine");
  await page.getByLabel("Name").fill("x".repeat(300));
  await expect(page.getByText("300 of 255 characters")).toBeVisible();
  await button(page, "Save").click();
  await expect(page.getByLabel("Name")).toHaveAttribute("aria-invalid", "true");
  await expect(page.getByLabel("Name")).toHaveValue("x".repeat(300));
});

test("a link that is clicked while a search waits is followed", async ({ page }) => {
  await stopClock(page);
  await page.goto("/settings/canines");
  const box = page.getByRole("searchbox", { name: "Search Canines" });
  await expect(box).toBeEnabled();
  await box.fill("none");
  // Loading the page takes longer than the search waits.
  const arrive = await holdRequests(page, /\/new\?/);
  const pageRequest = page.waitForRequest(/\/new\?/);
  await page.getByRole("link", { name: "New", exact: true }).click();
  await pageRequest;
  await page.clock.runFor(1_000);
  arrive();
  await expect(page.getByRole("heading", { name: "New Canine", level: 1 })).toBeVisible();
});

test("the URL of a form cannot lead its Cancel to another site", async ({ page }) => {
  await page.goto("/settings/canines/new?from=%2F%2Fexample.com%2F");
  await page.getByRole("link", { name: "Cancel" }).click();
  await expect(page.getByRole("heading", { name: "Canines", level: 1 })).toBeVisible();
});

test("an empty list explains how to add to it, and leaving an unsaved new record asks for confirmation", async ({
  page,
  database,
}) => {
  const { rows } = await database.query("SELECT name FROM hate_crime_categories");
  await database.query("UPDATE survivor_entries SET hate_crime_category_id = NULL");
  await database.query("DELETE FROM hate_crime_categories");
  await page.goto("/settings/hate_crime_categories");
  await expect(page.getByText("No hate crime categories yet.")).toBeVisible();
  await expect(page.getByRole("link", { name: "New", exact: true })).toHaveCount(1);
  await expect(page.getByLabel("Rows per page")).toHaveCount(0);
  const entry = page.getByRole("navigation", { name: "Main" }).locator("[aria-current]");
  await expect(entry).toHaveText("Hate Crime Categories");
  await expect(entry).toBeInViewport({ ratio: 1 });
  await audit(page, "empty list");
  for (const { name } of rows) {
    await page.request.post("/api/hate_crime_categories", { data: { hateCrimeCategory: { name } } });
  }
  await page.getByRole("link", { name: "New", exact: true }).click();
  await page.getByLabel("Name").fill("Half");
  await page.getByRole("link", { name: "Cancel" }).click();
  const question = page.getByRole("dialog", { name: "Leave without saving?" });
  await question.getByRole("button", { name: "Stay" }).click();
  await expect(page.getByLabel("Name")).toHaveValue("Half");
  await page.getByRole("link", { name: "Cancel" }).click();
  await question.getByRole("button", { name: "Leave" }).click();
  await expect(page.getByRole("heading", { name: "Hate Crime Categories", level: 1 })).toBeVisible();
});

test("education levels are sorted by sort order and need both fields", async ({ page }) => {
  await page.goto("/settings/education_levels");
  await expect(headers(page)).toHaveText(["Name", "Sort Order", "Actions"]);
  await expect(headers(page).nth(1)).toHaveAttribute("aria-sort", "ascending");
  await openNew(page, "education_levels", "Education Level");
  await button(page, "Save").click();
  await expect(page.getByLabel("Name")).toHaveAttribute("aria-invalid", "true");
  await expect(page.getByLabel("Sort Order")).toHaveAttribute("aria-invalid", "true");
  await page.getByLabel("Name").fill("Kindergarten");
  // The record comes before those of other tests.
  await page.getByLabel("Sort Order").fill("0");
  await button(page, "Save").click();
  await expectNotification(page, "Created shipping method successfully");
  await expect(page.getByRole("row").nth(1)).toContainText("Kindergarten");
  await openEdit(page, "Kindergarten");
  await page.getByLabel("Sort Order").fill("999");
  await button(page, "Update").click();
  await expectNotification(page, "Updated shipping method successfully");
  await expect(page.getByRole("row").last()).toContainText("Kindergarten");
  await remove(page, "Kindergarten", "Removed educationLevel successfully");
});

test("income levels show their range start as currency", async ({ page }) => {
  await page.goto("/settings/income_levels");
  await expect(row(page, "$10,000–$14,999")).toContainText("$10,000.00");
});

test.describe("a description with a script", () => {
  test.use({ expectsBlockedScript: true });

  test("referral sources have a code and a description, which is shown as Markdown", async ({ page }) => {
    await openNew(page, "referral_sources", "Referral Source");
    await button(page, "Save").click();
    await expect(page.getByLabel("Code")).toHaveAttribute("aria-invalid", "true");
    await expect(page.getByLabel("Description")).toHaveAttribute("aria-invalid", "true");
    await page.getByLabel("Code").fill("AAA-TEST");
    await page.getByLabel("Description").fill("A **bold** word\nnext line <img src=x onerror=alert(1)>");
    await button(page, "Save").click();
    await expectNotification(page, "Created shipping method successfully");
    await expectNotification(page, "AAA-TEST was added to Referral Sources");
    await expect(headers(page)).toHaveText(["Code", "Description", "Actions"]);
    await search(page, "Referral Sources", "aaa-test");
    await expect(row(page, "AAA-TEST").locator("strong")).toHaveText("bold");
    await expect(row(page, "AAA-TEST").locator("img")).toHaveCount(0);
    await openEdit(page, "AAA-TEST");
    await page.getByLabel("Code").fill("AAA-TEST-2");
    await button(page, "Update").click();
    await expectNotification(page, "Updated shipping method successfully");
    await expectNotification(page, "AAA-TEST-2 was changed in Referral Sources");
    await search(page, "Referral Sources", "aaa-test-2");
    await remove(page, "AAA-TEST-2", "Removed referralSource successfully");
  });
});

test("service codes keep their checkboxes and their form types", async ({ page }) => {
  await openNew(page, "service_codes", "Service Code");
  for (const name of ["Can be Magistrate", "On Call Main Type", "Has Referral"]) {
    await expect(page.getByRole("checkbox", { name, exact: true })).not.toBeChecked();
  }
  const types = page.getByRole("group", { name: "Form Type" });
  await expect(types.getByRole("checkbox")).toHaveCount(5);
  await page.getByLabel("Code").fill("ZZ-TEST");
  await page.getByLabel("Has Referral").check();
  await types.getByLabel("Phone", { exact: true }).check();
  await types.getByLabel("Service", { exact: true }).check();
  await button(page, "Save").click();
  await expectNotification(page, "Created Magisterial Court Outcome successfully");
  await expect(headers(page)).toHaveText(["Code", "Description", "Actions"]);
  await search(page, "Service Codes", "zz-test");
  await openEdit(page, "ZZ-TEST");
  await expect(page.getByLabel("Has Referral")).toBeChecked();
  await expect(types.getByRole("checkbox", { checked: true })).toHaveCount(2);
  await types.getByLabel("Phone", { exact: true }).uncheck();
  await button(page, "Update").click();
  await expectNotification(page, "Updated Magisterial Court Outcome successfully");
  await expect(page).toHaveURL(/search=zz-test/);
  await remove(page, "ZZ-TEST", "Removed serviceCode successfully");
});

test("a new form type can be filled in, and forms keep the section that is taken from it after a confirmation", async ({
  page,
}) => {
  const name = uniqueName("Safety Check");
  await page.goto("/settings/form_types");
  await expect(headers(page)).toHaveText(["Name", "Sort Order", "Actions"]);
  await expect(page.getByRole("row").nth(1)).toContainText("Phone");
  await page.getByRole("link", { name: "New", exact: true }).click();
  await expect(page.getByRole("heading", { name: "New Form Type", level: 1 })).toBeVisible();
  await expect(page.getByLabel("Sort Order")).toHaveValue("100");
  await page.getByLabel("Name").fill(name);
  await page.getByRole("checkbox", { name: "Services" }).check();
  await page.getByLabel("Survivor").check();
  await expect(page.getByRole("region", { name: "Preview" }).getByRole("listitem")).toHaveText([
    "Form Details, with a referral source, with canine assistance",
    "Services",
    "Survivor",
  ]);
  await audit(page, "new form type");
  await button(page, "Save").click();
  await expectNotification(page, "Created form type successfully");
  await expectNotification(page, "No service code is offered for it yet. Choose its codes in Service Codes.");

  await page.goto("/home");
  await page.getByRole("link", { name, exact: true }).click();
  await expect(page.getByText("No service codes are offered.")).toBeVisible();
  await page.getByLabel("Client Name *").fill(uniqueName("Sara"));
  await page.getByLabel("Service Status *").selectOption("Served");
  await page.getByLabel("Offender Relationship *").selectOption("Neighbor");
  await page.getByLabel("Ages of Children").fill("4 and 7");
  await button(page, "Save").click();
  await expect(page).toHaveURL(/\/forms(\?|$)/);
  const { formTypes } = await (await page.request.get("/api/resource_lists/form_types")).json();
  const { id: typeId } = formTypes.find((type: { name: string }) => type.name === name);
  const listed = await (await page.request.get(`/api/forms?filters[formTypeId]=${typeId}`)).json();
  const formId = listed.forms[0].id;

  await page.goto(`/settings/form_types/${typeId}/edit`);
  await page.getByLabel("Survivor").uncheck();
  await button(page, "Update").click();
  const dialog = page.getByRole("dialog", { name: "Change this form type?" });
  await expect(dialog).toContainText("1 form has values in Survivor.");
  await audit(page, "section of a form type that forms have");
  await dialog.getByRole("button", { name: "Close" }).click();
  await expect(dialog).toBeHidden();
  await expect(page.getByLabel("Survivor")).not.toBeChecked();
  await button(page, "Update").click();
  await dialog.getByRole("button", { name: "Change anyway" }).click();
  await expectNotification(page, "Updated form type successfully");

  await page.goto(`/forms/${formId}`);
  await expect(page.getByRole("heading", { name: "Survivor" })).toBeVisible();
  await expect(page.getByText("4 and 7")).toBeVisible();
  await page.goto(`/forms/${formId}/edit`);
  await page.getByLabel("Ages of Children").fill("4, 7, and 9");
  await button(page, "Update").click();
  await expect(page).toHaveURL(/\/forms(\?|$)/);
  await page.goto(`/forms/new?formTypeId=${typeId}`);
  await expect(page.getByRole("heading", { name: "Services" })).toBeVisible();
  await expect(page.getByLabel("Ages of Children")).toHaveCount(0);

  await page.goto("/settings/form_types");
  await row(page, name).getByRole("button", { name: "Remove" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Delete", exact: true }).click();
  const notifications = page.getByRole("region", { name: "Notifications" });
  await expect(notifications).toContainText("This form type is used by 1 record and cannot be removed");
  expect((await page.request.delete(`/api/forms/${formId}`)).status()).toBe(204);
  await remove(page, name, "Removed form type successfully");
});

test("the preview of a form type has what is ticked between its loading and its showing", async ({
  page,
}) => {
  // React shows what follows a placeholder after a timer. Once a form is changed, ticks do not render it.
  const preview = makeGate();
  await page.route(/\/_next\/static\/.*\.js/, async (route) => {
    const response = await route.fetch();
    const body = await response.text();
    if (body.includes("A form of this type")) await preview.opened;
    await route.fulfill({ response, body });
  });
  await stopClock(page);
  await page.goto("/settings/form_types");
  await page.getByRole("link", { name: "New", exact: true }).click();
  await page.getByLabel("Name").fill("Safety Check");
  preview.open();
  await page.waitForLoadState("networkidle");
  await page.unrouteAll({ behavior: "wait" });
  await page.evaluate(untilReactListens);
  await page.getByRole("checkbox", { name: "Services" }).check();
  await page.clock.runFor(1_000);
  await expect(page.getByRole("region", { name: "Preview" }).getByRole("listitem")).toHaveText([
    "Form Details, with a referral source, with canine assistance",
    "Services",
  ]);
});

test("roles have a checkbox for each permission, in groups that can be selected as a whole", async ({
  page,
}) => {
  await openNew(page, "roles", "Role", "List keeper");
  const permissions = page.getByRole("group", { name: "Permissions" });
  const lists = permissions.getByRole("group", { name: "Services" });
  const casework = SEEDED_ROLES.Supervisor ?? [];
  const checked = permissions.getByRole("checkbox", { checked: true });
  await page.getByLabel("Select all permissions").check();
  await expect(permissions.getByRole("checkbox", { checked: false })).toHaveCount(0);
  // The groups are those of Settings, after Casework. Each has a checkbox, and one more is for all.
  await expect(permissions.getByRole("group")).toHaveCount(7);
  await expect(checked).toHaveCount(PERMISSION_NAMES.length + 7 + 1);
  await page.getByLabel("Select all permissions").uncheck();
  await expect(checked).toHaveCount(0);
  await page.getByLabel("Start from").selectOption("Supervisor");
  // All of casework, with its group checkbox.
  await expect(checked).toHaveCount(casework.length + 1);
  const preview = page.getByRole("status").filter({ hasText: "People with this role will see" });
  await expect(preview).toContainText("They start at Forms.");
  await expect(preview).toContainText("Everyone's forms");
  await page.getByLabel("Start from").selectOption("No permissions");
  await expect(checked).toHaveCount(0);
  await lists.getByLabel("Select all").check();
  await expect(checked).toHaveCount(9);
  await lists.getByLabel("Canines").uncheck();
  await expect(lists.getByLabel("Select all")).not.toBeChecked();
  await page.getByLabel("Name").fill("List keeper");
  await button(page, "Save").click();
  await expectNotification(page, "Created role successfully");
  await expect(headers(page)).toHaveText(["Name", "Actions"]);
  await openEdit(page, "List keeper");
  await expect(checked).toHaveCount(7);
  await expect(lists.getByLabel("Canines")).not.toBeChecked();
  await button(page, "Update").click();
  await expectNotification(page, "Updated role successfully");
  await remove(page, "List keeper", "Removed role successfully");
});

test("a user is created, sent a reset link, changed and deleted, but not while records belong to them", async ({
  page,
}) => {
  await openNew(page, "users", "User", "Nora");
  const role = page.getByLabel("Role");
  await expect(role.locator("option").first()).toHaveText("-- Select --");
  await button(page, "Save").click();
  for (const label of ["First Name", "Last Name", "Email", "Role"]) {
    await expect(page.getByLabel(label)).toHaveAttribute("aria-invalid", "true");
  }
  await page.getByLabel("First Name").fill("Nora");
  await page.getByLabel("Last Name").fill("Newcomer");
  await page.getByLabel("Email").fill("not an address");
  await page.getByLabel("Email").blur();
  await expect(page.getByLabel("Email")).toHaveAttribute("aria-invalid", "true");
  await page.getByLabel("Email").fill("Nora@Example.org");
  await role.selectOption("Advocate");
  await button(page, "Save").click();
  await expectNotification(page, "Created user successfully");
  await expectNotification(page, "Invitation sent to nora@example.org, valid for 7 days");
  await expect(headers(page)).toHaveText(["Full Name", "Email", "Role", "Last Login At", "Actions"]);
  await expect(row(page, "Nora Newcomer")).toContainText("nora@example.org");
  await row(page, "Nora Newcomer").getByRole("button", { name: "Reset Password" }).click();
  await expectNotification(page, "Reset link sent successfully");
  await openEdit(page, "Nora Newcomer");
  await page.getByLabel("Last Name").fill("Known");
  await button(page, "Update").click();
  await expectNotification(page, "Updated user successfully");
  await remove(page, "Nora Known", "Removed user successfully");

  await search(page, "Users", DEMO.administrator);
  await row(page, DEMO.administrator).getByRole("button", { name: "Remove" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("button", { name: "Delete", exact: true }).click();
  await expect(dialog).toBeHidden();
  await expect(page.getByRole("region", { name: "Notifications" })).toContainText(
    /This user is used by \d+ records and cannot be removed/,
  );
});

test("notifications disappear after 7 seconds, stay while hovered or focused, and can be dismissed", async ({
  page,
}) => {
  const name = uniqueName("Clockwork");
  await stopClock(page);
  await openNew(page, "canines", "Canine", name);
  await page.getByLabel("Name").fill(name);
  await button(page, "Save").click();
  const notice = page.getByText("Made Canine successfully");
  await expect(notice).toBeVisible();
  await expect(page.locator("[aria-live=polite]", { has: notice })).toBeVisible();
  await notice.hover();
  await page.clock.runFor(1_000);
  await expect(notice).toBeVisible();
  await page.clock.runFor(10_000);
  await expect(notice).toBeVisible();
  await page.mouse.move(0, 0);
  await page.clock.runFor(6_500);
  await expect(notice).toBeVisible();
  await page.clock.runFor(1_000);
  await expect(notice).toBeHidden();

  await openEdit(page, name);
  await button(page, "Update").click();
  const updated = page.getByText("Updated Canine successfully");
  await expect(updated).toBeVisible();
  await page.getByRole("button", { name: "Dismiss" }).focus();
  await page.clock.runFor(10_000);
  await expect(updated).toBeVisible();
  await page.getByRole("button", { name: "Dismiss" }).click();
  await expect(updated).toBeHidden();
});

test("errors are shown on one line each and stay until they are dismissed", async ({ page }) => {
  await stopClock(page);
  await page.goto("/forms");
  const error = ["The first reason", "The second reason"];
  await page.route("**/reconcile", (route) => route.fulfill({ status: 422, json: { error } }));
  await page.getByRole("button", { name: "Reconcile Form" }).first().click();
  const area = page.getByRole("region", { name: "Notifications" });
  for (const line of error) await expect(area.getByText(line, { exact: true })).toBeVisible();
  await page.clock.runFor(60_000);
  await expect(area.getByText("The second reason", { exact: true })).toBeVisible();
  await area.getByRole("button", { name: "Dismiss" }).click();
  await expect(area.getByText("The second reason", { exact: true })).toBeHidden();
});

test("the sidebar lists the settings in the groups of the overview", async ({ page }) => {
  await page.goto("/settings");
  const groupsIn = (place: Locator, role: "list" | "region") =>
    place.getByRole(role).evaluateAll((groups) =>
      groups.flatMap((group) => {
        const label =
          group.getAttribute("aria-label") ??
          document.getElementById(group.getAttribute("aria-labelledby") ?? "")?.textContent;
        return label ? [[label, ...[...group.querySelectorAll("a")].map((link) => link.textContent)]] : [];
      }),
    );
  const sidebar = await groupsIn(page.getByRole("navigation", { name: "Main" }), "list");
  expect(sidebar.map(([group]) => group)).toEqual([
    "People and access",
    "Services",
    "Shelter",
    "About clients",
    "About the case",
    "Data and reports",
  ]);
  expect(sidebar).toEqual(await groupsIn(page.getByRole("main"), "region"));
});

test("the title of a settings record includes its id in the page, but not in the tab", async ({
  page,
  database,
}) => {
  const { rows } = await database.query("SELECT id, code FROM service_codes ORDER BY id LIMIT 1");
  const title = `Edit Service Code ${rows[0].id} · ${rows[0].code}`;
  await page.goto(`/settings/service_codes/${rows[0].id}/edit`);
  await expect(page.getByRole("heading", { level: 1, name: title, exact: true })).toBeVisible();
  await expect(page).toHaveTitle(`Edit Service Code ${rows[0].id} · Lanternbook`);
});
