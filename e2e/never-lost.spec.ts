import type { Browser, Page } from "@playwright/test";
import {
  DEMO,
  expect,
  expectNotification,
  holdRequests,
  pressEscapeTwice,
  stopClock,
  tabTo,
  test,
  uniqueName,
} from "@/e2e/fixtures";
import { startSecondProcess } from "@/e2e/servers";

// A long form, and all failures while a user fills it in. No typed value may be lost.

const login = async (page: Page, email: string = DEMO.administrator) => {
  const data = { email, password: DEMO.password };
  expect((await page.request.post("/api/login", { data })).status()).toBe(200);
};

test.beforeEach(async ({ page, database }) => {
  // Other tests of the same server leave forms unsaved.
  await database.query("DELETE FROM drafts");
  await login(page);
});

const NOTE = "She asked for a room with a window; call her sister first.";

/** Types a Phone form without saving it. */
async function typeForm(page: Page, name: string) {
  await page.goto("/forms/new");
  await page.getByLabel("Client Name *").fill(name);
  await page.getByLabel("Form Type *").selectOption({ label: "Phone" });
  await page.getByLabel("Service Status *").selectOption("Partially Served");
  await page.getByLabel("Inadequate language capacity").check();
  await page.getByLabel("Previous PFAs", { exact: true }).check();
  await page.getByLabel("Previous PFAs Description").fill(NOTE);
  await page.getByLabel("Minutes for CRISIS", { exact: true }).fill("1:15");
  await page.getByLabel("Other Service", { exact: true }).fill("Found the spare key");
}

/** Expects every value that `typeForm` typed on the screen. */
async function expectForm(page: Page, name: string) {
  await expect(page.getByLabel("Client Name *")).toHaveValue(name);
  await expect(page.getByLabel("Service Status *")).toHaveValue("Partially Served");
  await expect(page.getByLabel("Inadequate language capacity")).toBeChecked();
  await expect(page.getByLabel("Previous PFAs Description")).toHaveValue(NOTE);
  await expect(page.getByLabel("Minutes for CRISIS", { exact: true })).toHaveValue("75");
  await expect(page.getByLabel("Other Service", { exact: true })).toHaveValue("Found the spare key");
}

const draftKept = (page: Page) => expect(page.getByText("Draft saved", { exact: true })).toBeVisible();
const offers = (page: Page) => page.getByRole("region", { name: "Drafts" });

async function continueDraft(page: Page) {
  await offers(page).getByRole("link", { name: "Continue" }).first().click();
  await expect(page).toHaveURL(/draft=/);
}

test("the draft of a killed tab is offered on another machine, continues with every value and ends with the save", async ({
  page,
  browser,
  baseURL,
}) => {
  const name = uniqueName("Tab Killed");
  await typeForm(page, name);
  await draftKept(page);
  // No unload handler runs.
  await page.close({ runBeforeUnload: false });

  const elsewhere = await (await browser.newContext({ baseURL })).newPage();
  await login(elsewhere);
  await elsewhere.goto("/forms");
  await expect(offers(elsewhere)).not.toContainText(name);
  await continueDraft(elsewhere);
  await expectForm(elsewhere, name);
  await elsewhere.getByRole("button", { name: "Save", exact: true }).click();
  await expect(elsewhere).toHaveURL(/\/forms$/);
  await elsewhere.goto("/forms");
  await expect(elsewhere.getByRole("row").filter({ hasText: name })).toHaveCount(1);
  await expect(offers(elsewhere)).toHaveCount(0);
});

test("a draft from another version of the program opens as far as possible, and lists what could not be restored", async ({
  page,
}) => {
  await login(page);
  const content = {
    client: { name: "Older Version", nickName: "Olly" },
    form: { serviceStatus: "Served", intakeForm: "a letter", serviceEntry: { rows: { c1: "x" } } },
  };
  const kept = await page.request.put("/api/drafts/older", { data: { draft: { content } } });
  expect(kept.status()).toBe(200);
  await page.goto("/forms/new?draft=older");
  await expect(page.getByLabel("Client Name *")).toHaveValue("Older Version");
  await expect(page.getByLabel("Service Status *")).toHaveValue("Served");
  const unopened = page.getByRole("region", { name: "Part of this draft could not be restored" });
  await expect(unopened.getByRole("term")).toHaveText(["Intake: ", "Services: ", "Client: Nick Name: "]);
  await expect(unopened.getByRole("definition")).toHaveText(["a letter", "x", "Olly"]);

  const broken = { form: { formTypeId: 99_999_999_999, canineId: {} }, client: [], base: 7 };
  await page.request.put("/api/drafts/broken", { data: { draft: { content: broken } } });
  await page.goto("/forms/new?draft=broken");
  await expect(page.getByLabel("Client Name *")).toHaveValue("");
  await page.getByLabel("Client Name *").fill("Works On");
});

test("a draft is visible only to its owner, and Discard deletes it", async ({ page, browser, baseURL }) => {
  const name = uniqueName("Only Mine");
  await typeForm(page, name);
  await draftKept(page);
  const other = await (await browser.newContext({ baseURL })).newPage();
  await login(other, DEMO.advocate);
  await other.goto("/forms");
  await expect(offers(other)).toHaveCount(0);

  await page.getByRole("link", { name: "Cancel" }).click();
  await expect(page.getByRole("dialog")).toContainText("A draft is kept");
  await page.getByRole("button", { name: "Leave" }).click();
  await expect(page).toHaveURL("/forms");
  await page.request.put("/api/drafts/newer", { data: { draft: { content: { client: { name } } } } });
  await page.reload();
  const discard = offers(page).getByRole("button", { name: "Discard" });
  const confirm = page.getByRole("dialog").getByRole("button", { name: "Delete" });
  await discard.first().click();
  await confirm.click();
  // Not by role only: elements behind a dialog have none, and the row stays until the page is reloaded.
  const drafts = page.locator("[data-draft]");
  await expect(drafts).toHaveCount(1);
  await expect(drafts).toContainText("Phone form");
  await expect(discard).toBeFocused();
  await discard.click();
  await confirm.click();
  await expect(drafts).toHaveCount(0);
});

test("a draft is offered by form type, client and age, and Discard uses the same name", async ({
  page,
  database,
}) => {
  const { formTypes } = await (await page.request.get("/api/resource_lists/form_types")).json();
  const { id: formTypeId } = formTypes.find((type: { name: string }) => type.name === "Phone");
  for (const [key, content] of [
    ["older", { client: { name: "Grace Hopper" } }],
    ["newer", { form: { formTypeId }, client: { name: "Wilma Evans" } }],
  ] as const)
    expect((await page.request.put(`/api/drafts/${key}`, { data: { draft: { content } } })).status()).toBe(
      200,
    );
  await database.query(
    "UPDATE drafts SET updated_at = now() - CASE key WHEN 'newer' THEN interval '2 hours 5 minutes' ELSE interval '2 days 5 minutes' END",
  );
  await page.goto("/forms");
  const lines = offers(page).locator("[data-draft] p");
  await expect(lines).toHaveText([
    "Unsaved draft: Phone form for Wilma E., 2 hours ago",
    "Unsaved draft: new form for Grace H., 2 days ago",
  ]);
  const dialog = page.getByRole("dialog");
  await offers(page).getByRole("button", { name: "Discard" }).first().click();
  await expect(dialog).toContainText("the unsaved Phone form for Wilma E.");
  await dialog.getByRole("button", { name: "Close" }).click();
  await offers(page).getByText("1 older").click();
  await offers(page).getByRole("button", { name: "Discard" }).last().click();
  await expect(dialog).toContainText("the unsaved new form for Grace H.");
  await dialog.getByRole("button", { name: "Delete" }).click();
  await expect(lines).toHaveText(["Unsaved draft: Phone form for Wilma E., 2 hours ago"]);
});

test("a session that ends during a form is restored by signing in on the form, which then saves", async ({
  page,
}) => {
  const name = uniqueName("Session Ended");
  // Otherwise the draft, saved shortly after typing, might be refused first.
  await stopClock(page);
  await typeForm(page, name);
  await page.request.delete("/api/logout");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await expect(page.getByRole("heading", { name: "Your session has ended" })).toBeVisible();
  await expect(page.getByLabel("Client Name *")).toBeHidden();
  await page.getByLabel("Password").fill(DEMO.password);
  await page.getByRole("button", { name: "Sign In" }).click();
  await expect(page).toHaveURL(/\/forms$/);
  await expect(page.getByRole("row").filter({ hasText: name })).toHaveCount(1);
});

test("the last typed value is saved before the session ends with the hidden screen", async ({ page }) => {
  const name = uniqueName("Typed Last");
  await stopClock(page);
  await typeForm(page, name);
  await page.getByLabel("Other Service", { exact: true }).fill("Typed at the very last");
  await pressEscapeTwice(page);
  await expect.poll(async () => (await page.request.get("/api/me")).status()).toBe(401);
  const back = await page.context().newPage();
  await page.close({ runBeforeUnload: false });
  await login(back);
  await back.goto("/forms");
  await continueDraft(back);
  await expect(back.getByLabel("Other Service", { exact: true })).toHaveValue("Typed at the very last");
});

test("a page that is closed right after it was hidden leaves no session behind", async ({ page }) => {
  const name = uniqueName("Closed At Once");
  await stopClock(page);
  await typeForm(page, name);
  // The draft's request never completes.
  await page.route("**/api/drafts/*", () => {});
  await page.getByLabel("Other Service", { exact: true }).fill("Not on its way yet");
  page.on("dialog", (dialog) => dialog.accept());
  await pressEscapeTwice(page);
  await page.goto("about:blank");
  await expect.poll(async () => (await page.request.get("/api/me")).status()).toBe(401);
});

test("pressing Esc twice or the button hides the screen at once, and only the password restores it unchanged", async ({
  page,
}) => {
  const name = uniqueName("Hidden Screen");
  await stopClock(page);
  await typeForm(page, name);
  // Without a connection, the session ends when the connection is back.
  await page.route("**/api/logout", (route) => route.abort());
  const failedLogout = page.waitForEvent("requestfailed", (request) => request.url().endsWith("/logout"));
  await pressEscapeTwice(page);
  await expect(page.getByRole("heading", { name: "Locked" })).toBeVisible();
  // Nothing names the product or its user.
  await expect(page).toHaveTitle("Locked");
  await expect(page.getByRole("dialog")).not.toContainText(/Lanternbook|@/);
  await failedLogout;
  expect((await page.request.get("/api/me")).status()).toBe(200);
  await page.unroute("**/api/logout");
  await page.evaluate(() => window.dispatchEvent(new Event("online")));
  await expect(page.getByLabel("Password")).toBeFocused();
  // The browser closes the dialog, which opens again.
  await pressEscapeTwice(page);
  await expect(page.getByLabel("Password")).toBeFocused();
  await page.clock.resume();
  await expect(page.getByText(name, { exact: true })).toBeHidden();
  await expect(page.getByLabel("Client Name *")).toBeHidden();
  await expect.poll(async () => (await page.request.get("/api/me")).status()).toBe(401);
  await page.keyboard.type(DEMO.password);
  await page.keyboard.press("Enter");
  await expectForm(page, name);
  await expect(page.getByLabel("Other Service", { exact: true })).toBeFocused();
  await expect(page.getByLabel("Other Service", { exact: true })).toBeInViewport();
  await page.getByRole("button", { name: /Hide screen/ }).click();
  await expect(page.getByLabel("Client Name *")).toBeHidden();
});

test("a server that stops during a form loses no value, and the form saves once it is back", async ({
  browser,
  server,
}) => {
  const name = uniqueName("Server Stopped");
  const first = await startSecondProcess(server);
  const page = await (await browser.newContext({ baseURL: first.url })).newPage();
  await login(page);
  await typeForm(page, name);
  await first.stop();
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await expect(page.getByText("Nothing you typed is lost").first()).toBeVisible();
  await page.getByLabel("Other Service", { exact: true }).fill("Found the spare key");
  await expect(page.getByText("Draft not saved yet. Retrying.")).toBeVisible();
  await expectForm(page, name);

  const second = await startSecondProcess(server, { PORT: new URL(first.url).port });
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await expect(page).toHaveURL(/\/forms$/);
  await expect(page.getByRole("row").filter({ hasText: name })).toHaveCount(1);
  expect(first.output() + second.output()).not.toContain(name);
  await second.stop();
});

/** Opens a page as the advocate, and returns it with the id of an unreconciled Phone form of theirs. */
async function advocateWithForm(browser: Browser, baseURL: string | undefined) {
  const page = await (await browser.newContext({ baseURL })).newPage();
  await login(page, DEMO.advocate);
  const query = "filters[formStatus]=unreconciled&sort=formType&perPage=50";
  const { forms } = await (await page.request.get(`/api/forms?${query}`)).json();
  const { id } = forms.find((form: { formType: { name: string } }) => form.formType.name === "Phone");
  return { page, id };
}

const update = (page: Page) => page.getByRole("button", { name: "Update" });
const storedForm = async (page: Page, id: number) =>
  (await (await page.request.get(`/api/forms/${id}`)).json()).form;

test("when two users edit one form, the later one sees who changed what, chooses per field by keyboard, and both changes are stored", async ({
  page,
  browser,
  baseURL,
}) => {
  const myReferral = uniqueName("My referral");
  const theirReferral = uniqueName("Their referral");
  const theirService = uniqueName("Their service");
  const { page: theirs, id } = await advocateWithForm(browser, baseURL);
  await page.goto(`/forms/${id}/edit`);
  await theirs.goto(`/forms/${id}/edit`);
  await theirs.getByLabel("Referral Source Name").fill(theirReferral);
  await theirs.getByLabel("Other Service", { exact: true }).fill(theirService);
  await update(theirs).click();
  await expect(theirs).toHaveURL(/\/forms$/);
  await theirs.context().close();

  await page.getByLabel("Minutes for CRISIS", { exact: true }).fill("95");
  await page.getByLabel("Referral Source Name").fill(myReferral);
  await page.keyboard.press("Control+s");
  // The other save also wrote the client, but without differences, so there is no question about the client.
  const changed = page.getByRole("alert").filter({ hasText: "This record was changed by Avery Advocate" });
  await expect(changed).toBeVisible();
  await tabTo(page, page.getByRole("button", { name: "Compare and choose" }));
  await page.keyboard.press("Enter");
  const dialog = page.getByRole("dialog");
  const referral = dialog.getByRole("group", { name: "Referral Source Name" });
  await expect(referral).toContainText(theirReferral);
  await expect(referral.getByRole("radio", { name: myReferral })).toBeChecked();
  await expect(dialog.getByRole("radio", { name: theirService })).toBeChecked();
  await tabTo(page, referral.getByRole("radio", { name: myReferral }));
  await page.keyboard.press("ArrowUp");
  await expect(referral.getByRole("radio", { name: theirReferral })).toBeChecked();
  await page.keyboard.press("ArrowDown");
  await tabTo(page, dialog.getByRole("button", { name: "Use these" }));
  await page.keyboard.press("Enter");
  await expect(dialog).toBeHidden();
  await tabTo(page, update(page));
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/\/forms$/);
  const form = await storedForm(page, id);
  expect(form.intakeForm.referralSourceName).toBe(myReferral);
  expect(form.serviceEntry.otherService).toBe(theirService);
  const rows: { serviceCode: { code: string }; minutes: number }[] = form.serviceEntry.serviceProvidedEntries;
  expect(rows.find(({ serviceCode }) => serviceCode.code === "CRISIS")?.minutes).toBe(95);
});

test("a draft that is continued after another user saved the form overwrites nothing without asking", async ({
  page,
  browser,
  baseURL,
}) => {
  const drafted = uniqueName("From my draft");
  const savedName = uniqueName("Saved meanwhile");
  const { page: mine, id } = await advocateWithForm(browser, baseURL);
  await mine.goto(`/forms/${id}/edit`);
  await mine.getByLabel("Referral Source Name").fill(drafted);
  await draftKept(mine);
  await mine.close({ runBeforeUnload: false });

  await page.goto(`/forms/${id}/edit`);
  await page.getByLabel("Referral Source Name").fill(savedName);
  await page.getByLabel("Other Service", { exact: true }).fill(`${savedName} too`);
  await update(page).click();
  await expect(page).toHaveURL(/\/forms$/);

  const back = await mine.context().newPage();
  await back.goto("/forms");
  await tabTo(back, offers(back).getByRole("link", { name: "Continue" }).first());
  await back.keyboard.press("Enter");
  await expect(back).toHaveURL(/draft=/);
  await expect(back.getByLabel("Referral Source Name")).toHaveValue(drafted);
  await update(back).click();
  await back.getByRole("button", { name: "Compare and choose" }).click();
  const dialog = back.getByRole("dialog");
  await expect(dialog.getByRole("radio", { name: drafted })).toBeChecked();
  await expect(dialog.getByRole("radio", { name: `${savedName} too` })).toBeChecked();
  await dialog.getByRole("button", { name: "Use these" }).click();
  await update(back).click();
  await expect(back).toHaveURL(/\/forms$/);
  const form = await storedForm(back, id);
  expect(form.intakeForm.referralSourceName).toBe(drafted);
  expect(form.serviceEntry.otherService).toBe(`${savedName} too`);
  await expect(offers(back)).toHaveCount(0);
});

test("a form that was deleted during editing can be kept as a new one", async ({ page }) => {
  const name = uniqueName("Kept As New");
  await typeForm(page, name);
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await expect(page).toHaveURL(/\/forms$/);
  const row = page.getByRole("row").filter({ hasText: name });
  await row.getByRole("link", { name: /edit/i }).click();
  await expect(update(page)).toBeVisible();
  const id = /\/forms\/(\d+)\//.exec(page.url())?.[1];
  expect((await page.request.delete(`/api/forms/${id}`)).status()).toBe(204);
  await page.getByLabel("Other Service", { exact: true }).fill("Found the other key");
  await update(page).click();
  await expect(page.getByText("This form is no longer available")).toBeVisible();
  await page.getByRole("button", { name: "Save as a new form" }).click();
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await expect(page).toHaveURL(/\/forms$/);
  await row.getByRole("link", { name: /edit/i }).click();
  await expect(page.getByLabel("Other Service", { exact: true })).toHaveValue("Found the other key");
  await expect(page.getByLabel("Minutes for CRISIS", { exact: true })).toHaveValue("75");
});

test("when two users edit one client, the later one chooses per field, and both changes are stored", async ({
  page,
}) => {
  const name = uniqueName("Two People");
  const made = await page.request.post("/api/clients", { data: { client: { name } } });
  const { id, lockVersion } = (await made.json()).client;
  await page.goto(`/clients/${id}/edit`);
  const theirs = { lockVersion, clientBiographicalEntryAttributes: { city: "Their city", state: "PA" } };
  await page.request.put(`/api/clients/${id}`, { data: { client: { name, ...theirs } } });
  await page.getByLabel("City", { exact: true }).fill("My city");
  await page.getByLabel("Client Name").fill(`${name}, renamed`);
  await page.getByRole("button", { name: "Update" }).click();
  await page.getByRole("button", { name: "Compare and choose" }).click();
  const dialog = page.getByRole("dialog");
  await expect(dialog.getByRole("radio", { name: /My city/ })).toBeChecked();
  await expect(dialog.getByRole("radio", { name: /PA/ })).toBeChecked();
  await dialog.getByRole("button", { name: "Use these" }).click();
  await expect(page.getByLabel("State")).toHaveValue("PA");
  await page.getByRole("button", { name: "Update" }).click();
  await expect(page).toHaveURL(/\/clients$/);
  const { client } = await (await page.request.get(`/api/clients/${id}`)).json();
  expect(client).toMatchObject({
    name: `${name}, renamed`,
    clientBiographicalEntry: { city: "My city", state: "PA" },
  });
});

test("a refused client focuses the first invalid field, or shows the reason and what to do next", async ({
  page,
}) => {
  await page.setViewportSize({ width: 360, height: 740 });
  const name = uniqueName("Refused Client");
  const made = await page.request.post("/api/clients", { data: { client: { name } } });
  const { id } = (await made.json()).client;
  const refuseWith = (status: number, json: object) =>
    page.route(
      `**/api/clients/${id}`,
      (route) => (route.request().method() === "PUT" ? route.fulfill({ status, json }) : route.continue()),
      { times: 1 },
    );
  await page.goto(`/clients/${id}/edit`);
  const field = page.getByLabel("Client Name *");
  await field.fill(`${name}, renamed`);

  const error = `This record was changed by Avery Advocate since you opened it`;
  await refuseWith(409, { error, code: "conflict_version" });
  await field.press("Enter");
  await expect(page.getByText(error)).toBeInViewport();
  await expect(page.getByRole("button", { name: "Compare and choose" })).toBeInViewport();
  await expect(page.locator(":focus")).toContainText(error);

  const prefix = "client.clientBiographicalEntryAttributes";
  const messages = { postalCode: "Postal Code is wrong", city: "City is wrong" };
  const fields = { [`${prefix}.postalCode`]: messages.postalCode, [`${prefix}.city`]: messages.city };
  await refuseWith(422, { error: Object.values(messages), code: "invalid", fields });
  await field.press("Enter");
  await expect(page.getByLabel("City", { exact: true })).toBeFocused();
  await expect(page.getByLabel("City", { exact: true })).toBeInViewport();
});

test("a save whose response was lost does not conflict with the user's own earlier save", async ({
  page,
}) => {
  await page.goto("/forms");
  await page.getByRole("row").nth(1).getByRole("link", { name: /edit/i }).click();
  await expect(update(page)).toBeVisible();
  await page.getByLabel("Relationship to Survivor").fill(uniqueName("her cousin"));
  for (const lost of ["**/api/clients/*", "**/api/forms/*"]) {
    await page.route(lost, async (route) => {
      await route.fetch();
      await route.abort();
    });
    await page.getByRole("button", { name: "Update" }).click();
    await expect(page.getByText("Nothing you typed is lost").first()).toBeVisible();
    await page.unroute(lost);
  }
  await page.getByRole("button", { name: "Update" }).click();
  await expectNotification(page, "Updated form successfully");
});

test("a new form that is edited after lost responses is stored as one client and one form", async ({
  page,
}) => {
  const first = uniqueName("Answer Lost");
  const last = `${first}, edited twice`;
  await typeForm(page, first);
  for (const [lost, name] of [
    ["**/api/clients", `${first}, then edited`],
    ["**/api/forms", last],
  ] as const) {
    await page.route(lost, async (route) => {
      await route.fetch();
      await route.abort();
    });
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await expect(page.getByText("Nothing you typed is lost").first()).toBeVisible();
    await page.unroute(lost);
    await page.getByLabel("Client Name *").fill(name);
    await page.getByLabel("Other Service", { exact: true }).fill(`Found the key of ${name}`);
  }
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await expect(page).toHaveURL(/\/forms$/);
  const count = async (list: string) =>
    (await (await page.request.get(`/api/${list}?search=${first}`)).json())[list];
  expect(await count("clients")).toMatchObject([{ name: last }]);
  const [form, ...others] = await count("forms");
  expect(others).toEqual([]);
  expect((await storedForm(page, form.id)).serviceEntry.otherService).toBe(`Found the key of ${last}`);
});

test("a form is not saved while its chosen client is loading, what was typed about a client can be restored for another, and a failed client search shows an error", async ({
  page,
}) => {
  const clientName = uniqueName("Picked");
  const first = `${clientName} First`;
  const second = `${clientName} Second`;
  for (const name of [first, second])
    await page.request.post("/api/clients", { data: { client: { name, significantOther: true } } });
  await page.goto("/forms/new");
  await page.getByLabel("Form Type *").selectOption({ label: "Service" });
  await page.getByLabel("Service Status *").selectOption("Served");
  await page.getByLabel("Continuing Client").check();
  const picker = page.getByRole("combobox", { name: "Client" });
  const restore = page.getByRole("button", { name: "Restore what you typed about the client" });
  await picker.fill(first);
  await page.getByRole("option", { name: first }).click();
  await expect(page.getByText(`Loading ${first}`)).toBeHidden();
  const relationship = page.getByLabel("Relationship to Survivor");
  await relationship.fill("her aunt");
  const oneClient = /\/api\/clients\/\d+$/;
  const arrive = await holdRequests(page, oneClient);
  await picker.fill(second);
  await page.getByRole("option", { name: second }).click();
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await expect(page.getByRole("link", { name: "Choose a client" })).toBeVisible();
  await relationship.fill("her sister");
  await expect(restore).toHaveCount(0);
  arrive();
  await expect(page.getByText(`Loading ${second}`)).toBeHidden();
  await page.unroute(oneClient);
  await expect(page.getByLabel("Significant Other")).toBeChecked();
  await expect(relationship).toHaveValue("her sister");
  await restore.click();
  await expect(relationship).toHaveValue("her aunt");
  await restore.click();
  await expect(relationship).toHaveValue("her sister");
  await expect(picker).toHaveValue(second);

  await page.route("**/api/clients/search", (route) => route.abort());
  await picker.fill("Nobody");
  await expect(page.getByText("Search failed. Keep typing to retry.")).toBeVisible();
  await picker.press("Enter");
  await picker.press("Escape");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await expect(page).toHaveURL(/\/forms$/);
  const { clients } = await (await page.request.get(`/api/clients?search=${clientName}&sort=name`)).json();
  expect(clients).toMatchObject([{ name: first }, { name: second }]);
  const stored = await Promise.all(
    clients.map(async ({ id }: { id: number }) => (await page.request.get(`/api/clients/${id}`)).json()),
  );
  expect(stored).toMatchObject([
    { client: { relationshipToSurvivor: "" } },
    { client: { relationshipToSurvivor: "her sister", significantOther: true } },
  ]);
  await expect(page.getByRole("row").filter({ hasText: second })).toHaveCount(1);
  await expect(page.getByRole("row").filter({ hasText: first })).toHaveCount(0);
});

test("a recorded client is offered while the name is typed, is found by keyboard from a few letters, and the client typed before can be restored", async ({
  page,
}) => {
  const name = `${uniqueName("Q")} Recorded`;
  await page.request.post("/api/clients", { data: { client: { name } } });
  await page.goto("/forms/new");
  const continuing = page.getByLabel("Continuing Client");
  const picker = page.getByRole("combobox", { name: "Client" });
  const similar = name.replace("Recorded", "Recorder");
  await page.getByLabel("Client Name *").fill(similar);
  await page.getByLabel("Relationship to Survivor").fill("her neighbour");
  await page.getByRole("button", { name }).click();
  const restore = page.getByRole("button", { name: "Restore what you typed about the client" });
  await restore.click();
  await expect(page.getByLabel("Relationship to Survivor")).toHaveValue("her neighbour");
  await expect(picker).toHaveValue(name);
  await continuing.uncheck();
  await expect(page.getByLabel("Client Name *")).toHaveValue("");
  await expect(page.getByLabel("Relationship to Survivor")).toHaveValue("");
  await restore.click();
  await expect(page.getByLabel("Client Name *")).toHaveValue(similar);
  await expect(page.getByLabel("Relationship to Survivor")).toHaveValue("her neighbour");

  await page.getByLabel("Client Name *").fill(name.toUpperCase());
  await page.getByRole("button", { name }).click();
  await expect(continuing).toBeChecked();
  await expect(picker).toHaveValue(name);

  await continuing.uncheck();
  await expect(page.getByLabel("Client Name *")).toHaveValue("");
  await continuing.focus();
  await page.keyboard.press("Space");
  await page.keyboard.press("Tab");
  const arrive = await holdRequests(page, "**/api/clients/search");
  await page.keyboard.type(name.slice(0, 4));
  arrive();
  await expect(page.getByRole("option", { name, selected: true })).toBeVisible();
  await page.unroute("**/api/clients/search");
  // While the next letter is searched, no option is the active one, and Enter chooses none.
  const found = await holdRequests(page, "**/api/clients/search");
  await page.keyboard.type(name.charAt(4));
  await expect(page.getByRole("option", { name, selected: false })).toBeVisible();
  await page.keyboard.press("Enter");
  await expect(picker).toHaveValue(name.slice(0, 5));
  found();
  await expect(page.getByRole("option", { name, selected: true })).toBeVisible();
  // This Enter ends the composition of a character by an input method.
  await picker.dispatchEvent("keydown", { key: "Enter", isComposing: true });
  await expect(picker).toHaveValue(name.slice(0, 5));
  await page.keyboard.press("Enter");
  await expect(picker).toHaveValue(name);
});
