import type { Page } from "@playwright/test";
import { audit, DESK } from "@/e2e/audit";
import { DEMO, expect, expectNotification, holdRequests, test, uniqueName } from "@/e2e/fixtures";

// The keyboard shortcuts of the pages and their initial focus. effort.spec.ts counts the keys of the main
// job.

test.beforeEach(async ({ page }) => {
  const data = { email: DEMO.administrator, password: DEMO.password };
  expect((await page.request.post("/api/login", { data })).status()).toBe(200);
});

const focusedElement = (page: Page) => page.locator(":focus");

test("? lists the keys of a page, / focuses the search, n creates a record, and Ctrl+S saves it", async ({
  page,
}) => {
  await page.goto("/settings/canines");
  await expect(page.getByRole("table", { name: "Canines" })).toBeVisible();
  await page.keyboard.press("?");
  const dialog = page.getByRole("dialog", { name: "Keyboard shortcuts" });
  await expect(dialog.getByText("Search this list")).toBeVisible();
  await audit(page, "keys");
  // Behind a dialog, no shortcut works.
  await page.keyboard.press("n");
  await page.keyboard.press("Escape");
  await expect(dialog).toBeHidden();
  await expect(page).toHaveURL(/\/canines$/);
  await page.keyboard.press("/");
  await expect(page.getByLabel("Search Canines")).toBeFocused();
  await page.keyboard.type("n?/");
  await expect(page.getByLabel("Search Canines")).toHaveValue("n?/");
  await page.getByLabel("Search Canines").fill("");
  await page.getByLabel("Search Canines").blur();
  await page.keyboard.press("n");
  await expect(page.getByLabel("Name")).toBeFocused();
  await page.keyboard.type(uniqueName("Keyed"));
  await page.keyboard.press("Control+s");
  await expectNotification(page, "Made Canine successfully");
});

test("Ctrl+K finds a client by name, a form by its number, a setting and an action, and confirms before leaving unsaved changes", async ({
  page,
}) => {
  const name = uniqueName("Findable Person");
  await page.request.post("/api/clients", { data: { client: { name } } });
  await page.goto("/forms");
  const input = page.getByRole("combobox", { name: "Client, form number, setting, or action" });
  // Text typed while the finder's code is loading goes to its field and triggers no shortcut.
  const load = await holdRequests(page, /\/_next\/static\/chunks\//);
  await page.keyboard.press("Control+k");
  await page.keyboard.type("new foam");
  for (const key of ["Backspace", "Backspace", "r", "Enter"]) await page.keyboard.press(key);
  await expect(input).toHaveCount(0);
  load();
  await expect(input).toBeFocused();
  await page.keyboard.type("m");
  await expect(input).toHaveValue("new form");
  await expect(page.getByRole("option")).toHaveText(["New FormAction"]);
  await input.press("Escape");
  await expect(input).toHaveCount(0);
  await expect(page).toHaveURL(/\/forms$/);

  const open = async (text: string, first: string) => {
    await page.keyboard.press("Control+k");
    await expect(input).toBeFocused();
    await input.fill(text);
    await expect(page.getByRole("option").first()).toContainText(first);
  };
  await open("findable", name);
  await audit(page, "finder");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/\/clients\/\d+/);
  // A new form of this client gives way to one of nobody.
  await page.getByRole("link", { name: "New Form" }).click();
  await expect(page.getByRole("combobox", { name: "Client" })).toHaveValue(name);
  await page.getByLabel("Relationship to Survivor").fill("half typed");
  await expect(page.getByText("Unsaved changes")).toBeVisible();
  await open("new form", "New Form");
  await page.keyboard.press("Enter");
  const leave = page.getByRole("dialog", { name: "Leave without saving?" });
  await leave.getByRole("button", { name: "Leave" }).click();
  await expect(page.getByLabel("Client Name *")).toHaveValue("");
  await expect(page.getByLabel("Relationship to Survivor")).toHaveValue("");
  await expect(page.getByText("No changes yet")).toBeVisible();
  await open("service co", "Service Codes");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { name: "Service Codes", level: 1 })).toBeVisible();
  await open("1", "Form 1");
  await page.keyboard.press("Escape");
  await open("new form", "New Form");
  await page.keyboard.press("Enter");
  await page.getByLabel("Client Name *").fill("half typed");
  await expect(page.getByText("Unsaved changes")).toBeVisible();
  await open("prof", "Profile");
  await page.keyboard.press("Enter");
  await leave.getByRole("button", { name: "Stay" }).click();
  await expect(page.getByLabel("Client Name *")).toHaveValue("half typed");
});

test("Enter in the finder does not open a client who was found by an earlier text", async ({ page }) => {
  const former = uniqueName("Quillon Earlier");
  const later = uniqueName("Vesper Later");
  for (const name of [former, later]) await page.request.post("/api/clients", { data: { client: { name } } });
  await page.goto("/forms");
  const input = page.getByRole("combobox", { name: "Client, form number, setting, or action" });
  await page.keyboard.press("Control+k");
  await expect(input).toBeFocused();
  await input.fill("quillon");
  await expect(page.getByRole("option").first()).toContainText(former);
  const answer = await holdRequests(page, "**/api/clients/search");
  await input.fill("vesper");
  await page.keyboard.press("Enter");
  await expect(input).toBeVisible();
  answer();
  await expect(page.getByRole("option").first()).toContainText(later);
  await expect(page).toHaveURL(/\/forms$/);
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { level: 1 })).toContainText(later);
});

test("a letter typed while a dialog is loading does nothing on the page behind it", async ({ page }) => {
  const { forms } = await (await page.request.get("/api/forms?filters[userId]=2&perPage=1")).json();
  await page.goto(`/forms/${forms[0].id}`);
  const reviews: string[] = [];
  page.on("request", (request) => {
    if (request.url().endsWith("/reconcile")) reviews.push(request.url());
  });
  const load = await holdRequests(page, /\/_next\/static\/chunks\//);
  await page.getByRole("button", { name: "Return to advocate…", exact: true }).click();
  await page.keyboard.press("r");
  load();
  await expect(page.getByRole("dialog").getByLabel("Comment *")).toBeVisible();
  expect(reviews).toEqual([]);
  await page.keyboard.press("Escape");
  await expect(page.getByRole("dialog")).toBeHidden();
  await page.keyboard.press("r");
  await expectNotification(page, "Reconciled successfully");
});

test("Enter in a single-line field does not save the long form", async ({ page }) => {
  await page.goto("/forms/new");
  const urls: string[] = [];
  page.on("request", (request) => {
    if (request.method() === "POST" && /\/api\/(clients|forms)$/.test(request.url()))
      urls.push(request.url());
  });
  await page.getByLabel("Client Name *").fill("Somebody");
  for (const label of ["Client Name *", "Service On *", "Relationship to Survivor", "Significant Other"])
    await page.getByLabel(label).press("Enter");
  await page.keyboard.press("Tab");
  await expect(page.getByRole("alert").filter({ hasText: "Not saved" })).toHaveCount(0);
  expect(urls).toEqual([]);
});

test("shortcuts can be switched off in the profile, and then none works", async ({ page }) => {
  await page.goto("/profile");
  await page.getByLabel("Use keyboard shortcuts on this browser").uncheck();
  await page.goto("/forms");
  await expect(page.getByRole("table", { name: "Forms" })).toBeVisible();
  for (const key of ["?", "n", "/", "Control+k"]) await page.keyboard.press(key);
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await expect(page).toHaveURL(/\/forms$/);
  await page.goto("/profile");
  await page.getByLabel("Use keyboard shortcuts on this browser").check();
  await page.locator("h1").click();
  // Shortcuts of screen readers and of the browser.
  for (const key of ["Control+Alt+k", "Alt+n", "Control+Shift+k", "Shift+N"]) await page.keyboard.press(key);
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await expect(page).toHaveURL(/\/profile$/);
  await page.keyboard.press("?");
  await expect(page.getByRole("dialog", { name: "Keyboard shortcuts" })).toBeVisible();
});

test("the login page and every new screen start with the focus in their first field that is not given", async ({
  page,
}) => {
  const data = { client: { name: uniqueName("Given Client") } };
  const { client } = await (await page.request.post("/api/clients", { data })).json();
  for (const [path, label] of [
    ["/forms/new", "Client Name *"],
    ["/forms/new?formTypeId=1", "Client Name *"],
    [`/forms/new?clientId=${client.id}`, "Form Type *"],
    [`/forms/new?formTypeId=1&clientId=${client.id}`, "Service On *"],
    ["/clients/new", "Client Name *"],
    ["/settings/canines/new", "Name *"],
    ["/settings/users/new", "First Name *"],
    ["/", "Email *"],
    ["/forgot_password", "Email *"],
  ] as const) {
    await page.goto(path);
    await expect(page.getByLabel(label), path).toBeFocused();
  }
  // A click is not lost when the field it leaves shows an error.
  await page.goto("/");
  await expect(focusedElement(page)).toHaveAttribute("type", "email");
  await page.getByRole("link", { name: "Forgot Password" }).click();
  await expect(page).toHaveURL("/forgot_password");
});

test("the age brackets follow the date of birth until another one is chosen", async ({ page }) => {
  await page.goto("/forms/new");
  await page.getByLabel("Form Type *").selectOption({ label: "Survivor" });
  await page.getByLabel("Service On *").fill("06/01/2026");
  const brackets = page.getByLabel("Age Bracket");
  const chosenBrackets = () => brackets.locator("option:checked").allTextContents();
  await page.getByRole("textbox", { name: "Date of Birth" }).fill("06/02/2001");
  await expect.poll(chosenBrackets).toEqual(["18–24", "18–24"]);
  await page.getByRole("textbox", { name: "Date of Birth" }).fill("06/01/2001");
  await expect.poll(chosenBrackets).toEqual(["25–34", "25–34"]);
  await brackets.nth(1).selectOption({ label: "60 and older" });
  await page.getByRole("textbox", { name: "Date of Birth" }).fill("06/01/1980");
  await expect.poll(chosenBrackets).toEqual(["45–59", "60 and older"]);
});

test("a form's page shows its client's initials, but the tab's title does not", async ({ page }) => {
  const name = uniqueName("Wilma Evans");
  await page.goto("/forms/new");
  await page.getByLabel("Form Type *").selectOption({ label: "Phone" });
  await page.getByLabel("Client Name *").fill(name);
  await page.getByLabel("Service On *").fill("11/21/2020");
  await expect(page.getByText("W. E. · Phone · 11/21/2020", { exact: true })).toBeVisible();
  await page.getByLabel("Service Status *").selectOption("Served");
  await page.getByRole("button", { name: "Save" }).click();
  await expectNotification(page, "Created form successfully");
  await page.goto(`/forms?search=${encodeURIComponent(name)}`);
  await page.getByRole("row").filter({ hasText: name }).getByRole("link", { name: /edit/i }).click();
  await expect(page).toHaveTitle(/^Edit Form \d+ · Phone · 11\/21\/2020 · Lanternbook$/);
});

test("the hotel detail is one row of small fields that opens with the first minutes, under a visible header", async ({
  page,
}) => {
  await page.setViewportSize(DESK);
  await page.goto("/forms/new");
  await page.getByLabel("Form Type *").selectOption({ label: "Service" });
  const detail = page.getByRole("group", { name: "HOTEL", exact: true });
  const minutes = page.getByLabel("Minutes for HOTEL", { exact: true });
  await expect(detail).toBeVisible();
  await expect(detail.getByLabel("Adults")).toBeHidden();
  await minutes.fill("60");
  await detail.getByLabel("Adults").fill("2");
  await minutes.fill("");
  await expect(detail.getByLabel("Adults")).toBeHidden();
  await minutes.fill("45");
  await expect(detail.getByLabel("Adults")).toHaveValue("2");
  const tops = await detail
    .locator("input[inputmode=numeric], textarea")
    .evaluateAll((fields) => fields.map((field) => Math.round(field.getBoundingClientRect().top)));
  expect(new Set(tops).size).toBe(1);
  await page.locator("#services-table tbody tr:has(th)").last().scrollIntoViewIfNeeded();
  await expect(page.getByRole("columnheader", { name: "Time Spent (minutes)" })).toBeInViewport();
});
