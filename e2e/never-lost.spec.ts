import type { Page } from "@playwright/test";
import { DEMO, expect, startServer, test } from "@/e2e/fixtures";
import { removeDataDir } from "@/lib/ops/embedded";
import { tempDataDir } from "@/tests/setup/data-dir";

// A long form, and everything that can go wrong in the middle of it (issue: never a lost word).

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

/** A phone form typed by hand, not saved. */
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

/** Every value that `typeForm` typed is on the screen. */
async function expectForm(page: Page, name: string) {
  await expect(page.getByLabel("Client Name *")).toHaveValue(name);
  await expect(page.getByLabel("Service Status *")).toHaveValue("Partially Served");
  await expect(page.getByLabel("Inadequate language capacity")).toBeChecked();
  await expect(page.getByLabel("Previous PFAs Description")).toHaveValue(NOTE);
  await expect(page.getByLabel("Minutes for CRISIS", { exact: true })).toHaveValue("75");
  await expect(page.getByLabel("Other Service", { exact: true })).toHaveValue("Found the spare key");
}

const draftKept = (page: Page) => expect(page.getByText("Draft kept", { exact: true })).toBeVisible();
const offers = (page: Page) => page.getByRole("region", { name: "Unsaved forms" });

async function continueDraft(page: Page) {
  await offers(page).getByRole("link", { name: "Continue" }).first().click();
  await expect(page).toHaveURL(/draft=/);
}

test("a killed tab: the draft is offered, also on another machine, goes on with every value, and ends with the save", async ({
  page,
  browser,
  baseURL,
}) => {
  await typeForm(page, "Tab Killed");
  await draftKept(page);
  // No unload handler runs.
  await page.close({ runBeforeUnload: false });

  const elsewhere = await (await browser.newContext({ baseURL })).newPage();
  await login(elsewhere);
  await elsewhere.goto("/forms");
  await expect(offers(elsewhere)).not.toContainText("Tab Killed");
  await continueDraft(elsewhere);
  await expectForm(elsewhere, "Tab Killed");
  await elsewhere.getByRole("button", { name: "Save", exact: true }).click();
  await expect(elsewhere).toHaveURL(/\/forms$/);
  await elsewhere.goto("/forms");
  await expect(elsewhere.getByRole("row").filter({ hasText: "Tab Killed" })).toHaveCount(1);
  await expect(offers(elsewhere)).toHaveCount(0);
});

test("nobody else sees a draft, and Discard removes it", async ({ page, browser, baseURL }) => {
  await typeForm(page, "Only Mine");
  await draftKept(page);
  const other = await (await browser.newContext({ baseURL })).newPage();
  await login(other, DEMO.advocate);
  await other.goto("/forms");
  await expect(offers(other)).toHaveCount(0);

  await page.getByRole("link", { name: "Cancel" }).click();
  await expect(page.getByRole("dialog")).toContainText("kept as a draft");
  await page.getByRole("button", { name: "Leave" }).click();
  await offers(page).getByRole("button", { name: "Discard" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
  await expect(offers(page)).toHaveCount(0);
});

test("an ended session in the middle of a form: signing in again in place brings the same form back, and it saves", async ({
  page,
}) => {
  await typeForm(page, "Session Ended");
  await page.request.delete("/api/logout");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await expect(page.getByRole("heading", { name: "Your session has ended" })).toBeVisible();
  await expect(page.getByLabel("Client Name *")).toBeHidden();
  await page.getByLabel("Password").fill(DEMO.password);
  await page.getByRole("button", { name: "Sign In" }).click();
  await expect(page).toHaveURL(/\/forms$/);
  await expect(page.getByRole("row").filter({ hasText: "Session Ended" })).toHaveCount(1);
});

test("Esc twice, or the button, hides the screen at once; only the password brings it back, as it was", async ({
  page,
}) => {
  await typeForm(page, "Hidden Screen");
  await page.keyboard.press("Escape");
  await page.keyboard.press("Escape");
  await expect(page.getByRole("heading", { name: "Screen hidden" })).toBeVisible();
  await expect(page.getByText("Hidden Screen", { exact: true })).toBeHidden();
  await expect(page.getByLabel("Client Name *")).toBeHidden();
  expect((await page.request.get("/api/me")).status()).toBe(401);
  await page.getByLabel("Password").fill(DEMO.password);
  await page.getByRole("button", { name: "Sign In" }).click();
  await expectForm(page, "Hidden Screen");
  await page.getByRole("button", { name: /Hide screen/ }).click();
  await expect(page.getByLabel("Client Name *")).toBeHidden();
});

test("a stopped server in the middle of a form: every value stays, says so, and saves once it is back", async ({
  browser,
}) => {
  test.setTimeout(120_000);
  const name = "Server Stopped";
  const dataDir = await tempDataDir();
  const first = await startServer(dataDir);
  const page = await (await browser.newContext({ baseURL: first.url })).newPage();
  await login(page);
  await typeForm(page, name);
  await first.stop();
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await expect(page.getByText("Nothing you entered is lost").first()).toBeVisible();
  await page.getByLabel("Other Service", { exact: true }).fill("Found the spare key");
  await expect(page.getByText("Draft not kept yet; trying again")).toBeVisible();
  await expectForm(page, name);

  const second = await startServer(dataDir, { PORT: new URL(first.url).port });
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await expect(page).toHaveURL(/\/forms$/);
  await expect(page.getByRole("row").filter({ hasText: name })).toHaveCount(1);
  expect(first.output() + second.output()).not.toContain(name);
  await second.stop();
  await removeDataDir(dataDir);
});

test("two people at one form: the later sees what changed, chooses per field, and both changes are stored", async ({
  page,
}) => {
  const answer = await page.request.get(
    "/api/forms?filters[formStatus]=unreconciled&sort=formType&perPage=50",
  );
  const { forms } = await answer.json();
  const { id } = forms.find((form: { formType: { name: string } }) => form.formType.name === "Phone");
  const url = `/forms/${id}/edit`;
  await page.goto(url);
  const theirs = await page.context().newPage();
  await theirs.goto(url);
  await theirs.getByLabel("Referral Source Name").fill("Their referral");
  await theirs.getByLabel("Other Service", { exact: true }).fill("Their service");
  await theirs.getByRole("button", { name: "Update" }).click();
  await expect(theirs).toHaveURL(/\/forms$/);
  // Behind another tab every click would wait seconds for its frame.
  await page.bringToFront();

  await page.getByLabel("Referral Source Name").fill("My referral");
  await page.getByLabel("Minutes for CRISIS", { exact: true }).fill("95");
  const save = page.getByRole("button", { name: "Update" });
  await save.click();
  // Their save has touched the client too, but nothing of it differs: no question is asked about that.
  await expect(page.getByText(/This record was changed by .+ since you opened it/)).toBeVisible();
  await page.getByRole("button", { name: "Compare and choose" }).click();
  const dialog = page.getByRole("dialog");
  const referral = dialog.getByRole("group", { name: "Referral Source Name" });
  await expect(referral).toContainText("Their referral");
  await expect(referral.getByRole("radio", { name: /My referral/ })).toBeChecked();
  await expect(dialog.getByRole("radio", { name: /Their service/ })).toBeChecked();
  await dialog.getByRole("button", { name: "Use these" }).click();
  await save.click();
  await expect(page).toHaveURL(/\/forms$/);
  const { form } = await (await page.request.get(`/api/forms/${id}`)).json();
  expect(form.intakeForm.referralSourceName).toBe("My referral");
  expect(form.serviceEntry.otherService).toBe("Their service");
  const rows: { serviceCode: { code: string }; minutes: number }[] = form.serviceEntry.serviceProvidedEntries;
  expect(rows.find(({ serviceCode }) => serviceCode.code === "CRISIS")?.minutes).toBe(95);
});

test("two people at one client: the later chooses per field, and both changes are stored", async ({
  page,
}) => {
  const made = await page.request.post("/api/clients", { data: { client: { name: "Two People" } } });
  const { id, lockVersion } = (await made.json()).client;
  await page.goto(`/clients/${id}/edit`);
  const theirs = { lockVersion, clientBiographicalEntryAttributes: { city: "Their city", state: "PA" } };
  await page.request.put(`/api/clients/${id}`, { data: { client: { name: "Two People", ...theirs } } });
  await page.getByLabel("City", { exact: true }).fill("My city");
  await page.getByLabel("Client Name").fill("Two People, renamed");
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
    name: "Two People, renamed",
    clientBiographicalEntry: { city: "My city", state: "PA" },
  });
});

test("a save whose answer never came is no conflict with oneself", async ({ page }) => {
  await page.goto("/forms");
  await page.getByRole("row").nth(1).getByRole("link", { name: /edit/i }).click();
  await expect(page.getByRole("button", { name: "Update" })).toBeVisible();
  await page.getByLabel("Relationship to Survivor").fill("her cousin");
  for (const lost of ["**/api/clients/*", "**/api/forms/*"]) {
    await page.route(lost, async (route) => {
      await route.fetch();
      await route.abort();
    });
    await page.getByRole("button", { name: "Update" }).click();
    await expect(page.getByText("Nothing you entered is lost").first()).toBeVisible();
    await page.unroute(lost);
  }
  await page.getByRole("button", { name: "Update" }).click();
  await expect(page.getByRole("region", { name: "Notifications" })).toContainText(
    "Updated form successfully",
  );
});

test("a client who is recorded already is offered while the name is typed", async ({ page }) => {
  const { clients } = await (await page.request.get("/api/clients?sort=name&perPage=1")).json();
  const [client] = clients;
  await page.goto("/forms/new");
  await page.getByLabel("Client Name *").fill(client.name.toUpperCase());
  await page.getByRole("button", { name: client.name }).first().click();
  await expect(page.getByLabel("Continuing Client")).toBeChecked();
  await expect(page.getByRole("combobox", { name: "Client" })).toHaveValue(client.name);
});

test("the picker finds by the keyboard, a few letters at a time", async ({ page }) => {
  const { clients } = await (await page.request.get("/api/clients?sort=name&perPage=1")).json();
  const [client] = clients;
  await page.goto("/forms/new");
  await expect(page.getByLabel("Continuing Client")).toBeEnabled();
  await page.getByLabel("Continuing Client").focus();
  await page.keyboard.press("Space");
  await page.keyboard.press("Tab");
  await page.keyboard.type(client.name.slice(0, 5));
  await expect(page.getByRole("option", { name: client.name })).toBeVisible();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("combobox", { name: "Client" })).toHaveValue(client.name);
});
