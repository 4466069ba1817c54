import type { Page } from "@playwright/test";
import { audit, DESK, PHONE, smallTargets } from "@/e2e/audit";
import {
  DEMO,
  expect,
  expectNotification,
  holdRequests,
  keepUndo,
  test,
  uniqueName,
  waitUntilInteractive,
} from "@/e2e/fixtures";
import { pdfText } from "@/e2e/pdf";
import { makeServiceForm } from "@/e2e/records";

// The review screens, a client's page, and lists.

const signIn = async (page: Page, email: string = DEMO.administrator) => {
  const data = { email, password: DEMO.password };
  expect((await page.request.post("/api/login", { data })).status()).toBe(200);
};
const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });
const link = (page: Page, name: string) => page.getByRole("link", { name, exact: true });
const rows = (page: Page) => page.getByRole("table", { name: "Forms" }).locator("tbody tr");
const formId = (page: Page) => Number(/forms\/(\d+)/.exec(page.url())?.[1]);

/** Creates a form of the demo's advocate whose client has no other form. */
async function makeForm(page: Page, name: string) {
  await signIn(page, DEMO.advocate);
  const { client } = await (
    await page.request.post("/api/clients", {
      data: {
        client: {
          name,
          clientBiographicalEntryAttributes: {
            phoneNumber: "(814) 555-0177",
            safeToCall: false,
            city: "Erie",
          },
        },
      },
    })
  ).json();
  const { formTypes } = await (await page.request.get("/api/resource_lists/form_types")).json();
  const { id: formTypeId } = formTypes.find((type: { name: string }) => type.name === "Service");
  const form = { clientId: client.id, formTypeId, serviceOn: "2026-03-04", serviceStatus: "Served" };
  const made = await page.request.post("/api/forms", {
    data: { form: { ...form, verbalConfirmation: true } },
  });
  return { clientId: Number(client.id), formId: Number((await made.json()).form.id) };
}

test("a client's page opens from the list of clients, and contains the phone number only after it is revealed", async ({
  page,
  database,
}) => {
  const { clientId } = await makeForm(page, "Page Client");
  await signIn(page);
  const views = async () =>
    (
      await database.query("SELECT 1 FROM audit_events WHERE action = 'viewed' AND client_id = $1", [
        clientId,
      ])
    ).rows.length;
  for (const list of [`/forms?filters[clientId]=${clientId}`, "/clients?search=Page%20Client"]) {
    await page.goto(list);
    await page.getByRole("link", { name: /^Page Client/ }).hover();
    await page.waitForLoadState("networkidle");
  }
  expect(await views(), "views recorded by lists that were only shown").toBe(0);
  await link(page, "Page Client").click();
  await expect(page.getByRole("heading", { name: `Client ${clientId} Page Client`, level: 1 })).toBeVisible();
  await expect.poll(views).toBe(1);
  await expect(page).not.toHaveTitle(/Page Client/);
  await expect(page.getByRole("heading", { name: "March 2026" })).toBeVisible();
  await expect(page.getByText("Not marked safe to call")).toBeVisible();
  await audit(page, "a client's page");
  expect(await page.content()).not.toContain("555-0177");
  await button(page, "Show phone number").click();
  await expect(page.getByText("(814) 555-0177")).toBeVisible();
  await audit(page, "a client's page, phone number shown");
  const { rows: recorded } = await database.query(
    "SELECT 1 FROM audit_events WHERE action = 'revealed' AND entity_id = $1",
    [clientId],
  );
  expect(recorded.length).toBe(1);
  await link(page, "New Form").click();
  await expect(page.getByRole("heading", { name: "New Form" })).toBeVisible();
  await expect(page.getByLabel("Continuing Client")).toBeChecked();
  await expect(page.getByRole("combobox", { name: /Client/ })).toHaveValue("Page Client");
});

test("the whole record of a client prints with every form in full, each recorded as printed", async ({
  page,
  database,
}) => {
  const { clientId, formId } = await makeForm(page, "Printed Client");
  await signIn(page);
  await page.goto(`/clients/${clientId}`);
  await link(page, "Print the whole record").click();
  await expect(page.getByRole("heading", { name: `Record of Client ${clientId}` })).toBeVisible();
  await audit(page, "a client's record");
  const lines = pdfText(await page.pdf()).split("\n");
  const held = ["Printed Client", "Erie", `Form ${formId}`, "03/04/2026", "Printed by"];
  for (const line of [...held, "Verbal Confirmation", "Unreconciled"]) expect(lines).toContain(line);
  // The phone number was not shown before.
  for (const line of ["Print", "History", "Logout", "(814) 555-0177"]) expect(lines).not.toContain(line);
  const recordedEntities = () =>
    database.query(
      "SELECT DISTINCT entity FROM audit_events WHERE action = 'printed' AND client_id = $1 ORDER BY 1",
      [clientId],
    );
  await expect
    .poll(async () => (await recordedEntities()).rows.map(({ entity }) => entity))
    .toEqual(["client", "form"]);
});

test("drafts are in the initial page, so that no row moves under a pointer", async ({ page }) => {
  await signIn(page);
  const data = { draft: { formId: null, content: {} } };
  expect((await page.request.put("/api/drafts/new-1", { data })).status()).toBe(200);
  const html = await (await page.request.get("/forms")).text();
  expect(html).toContain('aria-label="Drafts"');
  await page.request.delete("/api/drafts/new-1");
});

test("the forms list opens with its defaults by URL and from the menu, and unchanged from a record", async ({
  page,
}) => {
  const { formId: id } = await makeForm(page, "Listed Client");
  await signIn(page);
  const data = { reconciled: true };
  expect((await page.request.post(`/api/forms/${id}/reconcile`, { data })).status()).toBe(200);
  const status = page.getByLabel("Status", { exact: true });
  await page.goto("/forms");
  await status.selectOption("reconciled");
  await expect(page).toHaveURL(/\/forms\?filters\[formStatus\]=reconciled$/);
  await rows(page).nth(0).getByRole("link", { name: "Edit", exact: true }).click();
  await page.getByRole("link", { name: "Cancel" }).click();
  await expect(page).toHaveURL(/\/forms\?filters\[formStatus\]=reconciled$/);
  await expect(status).toHaveValue("reconciled");
  const menu = page.getByRole("navigation", { name: "Main" });
  for (const before of [null, "/home"]) {
    if (before) await page.goto(before);
    await menu.getByRole("link", { name: "Forms", exact: true }).click();
    await expect(page).toHaveURL(/\/forms$/);
    await expect(status).toHaveValue("unreconciled");
  }
  await page.goto("/forms");
  await expect(page).toHaveURL(/\/forms$/);
  await expect(status).toHaveValue("unreconciled");
});

test("forms are reviewed one after another by keyboard, and returned with a comment that their advocate answers", async ({
  page,
}) => {
  const { formId: returned } = await makeForm(page, "Returned Client");
  await signIn(page);
  await page.goto("/forms?perPage=50");
  await rows(page)
    .nth(0)
    .getByRole("link", { name: /, \d\d\/\d\d\/\d{4}$/ })
    .click();
  await expect(page.getByRole("heading", { name: /^Form \d+$/ })).toBeVisible();
  const first = formId(page);
  await audit(page, "a form under review");
  await page.keyboard.press("r");
  await expectNotification(page, "Reconciled successfully");
  await expect(
    page.getByText(/^Reconciled by .* If you save changes, the form must be reconciled again\.$/),
  ).toBeVisible();
  await audit(page, "a form that is reconciled");
  await page.keyboard.press("j");
  await expect.poll(() => formId(page)).not.toBe(first);
  const second = formId(page);
  for (const key of ["j", "k"]) {
    const here = formId(page);
    await waitUntilInteractive(page);
    await page.keyboard.press(key);
    await expect.poll(() => formId(page)).not.toBe(here);
  }
  expect(formId(page)).toBe(second);
  await button(page, "Reconcile and next").click();
  await expect.poll(() => formId(page)).not.toBe(second);

  await page.goto(`/forms/${returned}?sort=serviceOn&order=asc`);
  await button(page, "Return to advocate…").click();
  await button(page, "Return").click();
  await expect(page.getByRole("dialog").getByRole("alert")).toBeVisible();
  await page.getByLabel("Comment *").fill("Where are the minutes?");
  await audit(page, "returning a form");
  // The comment stays while the form is read, and leaving asks first.
  await page.keyboard.press("Escape");
  await link(page, "Edit").click();
  await expect(page.getByRole("dialog")).toContainText("Your comment is not sent. It will be lost.");
  await button(page, "Stay").click();
  await button(page, "Return to advocate…").click();
  await expect(page.getByLabel("Comment *")).toHaveValue("Where are the minutes?");
  await button(page, "Return").click();
  await expect(page.getByRole("region", { name: "Notifications" })).toContainText("Returned to");
  await expect.poll(() => formId(page)).not.toBe(returned);
});

test("a form is read as only what was entered, with its changes in place, and prints without buttons", async ({
  page,
  database,
}) => {
  const { formId: id } = await makeForm(page, "Read Client");
  await signIn(page);
  const path = `/api/forms/${id}`;
  await page.request.post(`${path}/reconcile`, { data: { reconciled: true } });
  await signIn(page, DEMO.advocate);
  const { form } = await (await page.request.get(path)).json();
  const data = {
    form: { ...form, serviceStatus: "Not Served", serviceStatusEntryAttributes: { other: true } },
  };
  expect((await page.request.put(path, { data })).status()).toBe(200);
  await signIn(page);
  await page.goto(`/forms/${id}`);
  const main = page.getByRole("main");
  await expect(main.getByText("Changed: Served → Not Served")).toBeVisible();
  await expect(main.getByText(/since it was last checked, marked below\.$/)).toBeVisible();
  await expect(main.getByRole("heading", { name: "Read Client · Service · 03/04/2026" })).toBeVisible();
  await expect(main.getByRole("heading", { level: 3 }).first()).toHaveText(
    "Missing information for funder reports",
  );
  await expect(main.getByRole("textbox")).toHaveCount(0);
  await audit(page, "a form that is read");
  const views = () =>
    database.query(
      "SELECT 1 FROM audit_events WHERE action = 'viewed' AND entity = 'form' AND entity_id = $1",
      [id],
    );
  await expect.poll(async () => (await views()).rows.length).toBeGreaterThan(0);
  const lines = pdfText(await page.pdf()).split("\n");
  for (const line of [`Form ${id}`, "Read Client", "Printed by", "Verbal Confirmation"])
    expect(lines).toContain(line);
  for (const line of ["Edit", "Print", "History", "Reconcile", "Logout"]) expect(lines).not.toContain(line);
  await link(page, "Edit").click();
  await expect(page.getByRole("heading", { name: `Edit Form ${id}` })).toBeVisible();
});

test("an advocate sees returned forms with the comment above the list until they change them", async ({
  page,
}) => {
  const { formId: id } = await makeForm(page, "Answering Client");
  await signIn(page);
  const sent = await page.request.post(`/api/forms/${id}/return`, {
    data: { comment: "Which court was it?" },
  });
  expect(sent.status()).toBe(200);
  await signIn(page, DEMO.advocate);
  await page.goto("/forms");
  const block = page.getByRole("region", { name: /returned to you$/ });
  await expect(block).toContainText("Which court was it?");
  // Forms that other tests returned may have waited longer.
  const others = block.getByRole("button", { name: / more$/ });
  if (await others.isVisible()) await others.click();
  await audit(page, "forms, one returned");
  await block.getByRole("link", { name: /^Answering Client/ }).click();
  await expect(page.getByRole("region", { name: /^Returned by/ })).toContainText("Which court was it?");
  await page.getByLabel("Service Status *").selectOption("Served");
  await page.getByLabel("Verbal Confirmation").click();
  await button(page, "Update").click();
  await expectNotification(page, "Updated form successfully");
  await expect(page.getByText("Which court was it?")).toHaveCount(0);
});

test("a returned form is answered in a conversation, which its reviewer finds on Home and reads until it is reconciled", async ({
  page,
}) => {
  const { formId: id } = await makeForm(page, "Conversation Client");
  await signIn(page);
  await page.request.post(`/api/forms/${id}/return`, { data: { comment: "Was it the hearing?" } });
  await signIn(page, DEMO.advocate);
  await page.goto(`/forms/${id}/edit`);
  const conversation = page.getByRole("region", { name: /^(Returned by|Conversation)/ });
  const box = conversation.getByLabel("Reply");
  await audit(page, "a returned form with its conversation");

  await waitUntilInteractive(page);
  await button(page, "Reply").click();
  await expect(conversation.getByRole("alert")).toContainText("Text is required");
  await box.focus();
  await page.keyboard.insertText("x".repeat(2_001));
  await expect(box).toHaveValue("x".repeat(2_001));
  await button(page, "Reply").click();
  await expect(conversation.getByRole("alert")).toContainText("Text must be at most 2,000 characters");
  await box.fill("Yes, the second one");
  await page.getByLabel("Verbal Confirmation").click();
  const leave = page.getByRole("dialog", { name: "Leave without saving?" });
  await link(page, "Cancel").click();
  await expect(leave).toContainText("You have unsaved changes.");
  await expect(leave).toContainText("Your reply has not been sent");
  await button(page, "Stay").click();
  await page.context().setOffline(true);
  await button(page, "Reply").click();
  await expect(conversation.getByRole("alert")).toBeVisible();
  await expect(box).toHaveValue("Yes, the second one");
  await page.context().setOffline(false);
  await button(page, "Reply").click();
  await expectNotification(page, "Reply sent");
  await expect(conversation.getByRole("listitem")).toHaveText([
    /Was it the hearing\?$/,
    /Yes, the second one$/,
  ]);
  await expect(box).toHaveValue("");

  await box.fill("And I added the consent");
  await button(page, "Update").click();
  await expectNotification(page, "Updated form successfully");
  await expect(page).toHaveURL(/\/forms(\?|$)/);

  await signIn(page);
  await page.goto("/home");
  await audit(page, "Home of a reviewer with an answered form");
  await page
    .locator("section")
    .filter({ has: page.getByRole("heading", { name: "Answered", exact: true }) })
    .getByRole("link")
    .click();
  await expect(page.getByRole("button", { name: /Answered/ })).toBeVisible();
  await rows(page)
    .filter({ hasText: "Conversation Client" })
    .getByRole("link", { name: "Edit", exact: true })
    .click();
  await expect(conversation.getByRole("listitem")).toHaveText([
    /Was it the hearing\?$/,
    /Yes, the second one$/,
    /And I added the consent$/,
  ]);
  await waitUntilInteractive(page);
  await button(page, "Reconcile").click();
  await expectNotification(page, "Reconciled successfully");
  await expect(conversation).toHaveCount(0);
  await page.goto(`/forms/${id}/history`);
  await expect(page.getByText("Comment: Yes, the second one")).toBeVisible();
  await audit(page, "the history of a form with comments");
  const { forms } = await (await page.request.get("/api/forms?filters[answered]=true")).json();
  expect(forms.map((form: { id: number }) => form.id)).not.toContain(id);
});

test("a conversation shows its latest comments, and the earlier ones when the user asks for them", async ({
  page,
}) => {
  const { formId: id } = await makeForm(page, "Talked About");
  await signIn(page);
  for (let number = 1; number <= 23; number++)
    await page.request.post(`/api/forms/${id}/comments`, { data: { text: `Comment ${number}.` } });
  const conversation = page.getByRole("region", { name: "Conversation" });
  const comments = conversation.getByRole("listitem");
  for (const path of [`/forms/${id}`, `/forms/${id}/edit`]) {
    await page.goto(path);
    await expect(comments).toHaveCount(20);
    await expect(comments.first()).toContainText("Comment 4.");
    await waitUntilInteractive(page);
    await button(page, "Show 3 earlier comments").click();
    await expect(comments).toHaveText(
      Array.from({ length: 23 }, (_, at) => new RegExp(`Comment ${at + 1}\\.$`)),
    );
    await expect(page.getByRole("button", { name: /earlier comment/ })).toHaveCount(0);
  }
});

test("a reply typed on a form's page appears on its form screen, and the client's page takes a reply after a change of the client alone", async ({
  page,
}) => {
  const { formId: id, clientId } = await makeForm(page, "Carried Client");
  // The screen adds defaults to a form that was made through the API.
  await page.goto(`/forms/${id}/edit`);
  await button(page, "Update").click();
  await expectNotification(page, "Updated form successfully");
  await signIn(page);
  await page.request.post(`/api/forms/${id}/return`, { data: { comment: "Is the gender known?" } });
  await signIn(page, DEMO.advocate);
  await page.goto(`/forms/${id}`);
  await expect(page.getByRole("button", { name: /^Reconcile/ })).toHaveCount(0);
  await audit(page, "an advocate's returned form");
  // On a phone, Edit is next to Reply.
  await page.setViewportSize(PHONE);
  const reply = page.getByRole("region", { name: /^Returned by/ }).getByLabel("Reply");
  await reply.fill("She told me today");
  await link(page, "Edit").click();
  await page.setViewportSize(DESK);
  await expect(page.getByRole("heading", { level: 1, name: `Edit Form ${id}` })).toBeVisible();
  await expect(reply).toHaveValue("She told me today");
  await reply.fill("");
  await page.getByLabel("Client Name *").fill("Carried Client Jr.");
  await button(page, "Update").click();
  await expectNotification(page, "Updated form successfully");
  await expectNotification(
    page,
    "The form is still returned to you, because the form itself did not change. If you are done, send a reply.",
  );

  await page.goto(`/clients/${clientId}`);
  await link(page, "Edit").first().click();
  await page.getByLabel("Gender").selectOption("Female");
  await button(page, "Update").click();
  await expect(page).toHaveURL(new RegExp(`/clients/${clientId}$`));
  await expect(page.getByRole("region", { name: /^Returned by .*: Service, / })).toContainText(
    "Is the gender known?",
  );
  await audit(page, "a client's page with a returned form");
  await reply.fill("Done");
  await button(page, "Reply").click();
  await expectNotification(page, "Reply sent");
  await page.goto("/home");
  await expect(page.getByText("You replied. Waiting for the reviewer.")).toBeVisible();
  await page.goto("/forms");
  const returned = page.getByRole("region", { name: /returned to you$/ });
  await expect(returned.filter({ hasText: "Carried Client" })).toHaveCount(0);
});

test("a reply that is sent while its page changes arrives once, and an unsent one outlasts the end of the session and a reload that is canceled", async ({
  page,
}) => {
  const { formId: id } = await makeForm(page, "Sent Once");
  await signIn(page);
  await page.request.post(`/api/forms/${id}/return`, { data: { comment: "Is the date right?" } });
  await signIn(page, DEMO.advocate);
  await page.goto(`/forms/${id}`);
  await page.setViewportSize(PHONE);
  const reply = page.getByRole("region", { name: /^Returned by/ }).getByLabel("Reply");
  await reply.fill("The date is right");
  const release = await holdRequests(page, /\/comments$/);
  await button(page, "Reply").click();
  await link(page, "Edit").click();
  await expect(page.getByRole("heading", { level: 1, name: `Edit Form ${id}` })).toBeVisible();
  await expect(reply).toHaveValue("The date is right");
  release();
  await expect(reply).toHaveValue("");
  const { form } = await (await page.request.get(`/api/forms/${id}`)).json();
  expect(form.comments.map(({ text }: { text: string }) => text)).toEqual([
    "Is the date right?",
    "The date is right",
  ]);

  await reply.fill("One more thing");
  await link(page, "Cancel").click();
  const leave = page.getByRole("dialog", { name: "Leave without saving?" });
  await expect(leave).toContainText("It stays in the reply box until you log out");
  await button(page, "Leave").click();
  await expect(page.getByRole("heading", { level: 1, name: "Forms" })).toBeVisible();
  await page.request.delete("/api/logout");
  await page.keyboard.press("Control+k");
  await page.keyboard.type("Sent Once");
  await expect(page.getByRole("heading", { name: "Your session has ended" })).toBeVisible();
  await page.getByLabel("Password").fill(DEMO.password);
  await button(page, "Sign In").click();
  await expect(page.getByRole("heading", { name: "Your session has ended" })).toHaveCount(0);
  // By number, because the first page of the list may not have the form.
  await button(page, "Find or start").click();
  await page.getByLabel("Client, form number, setting, or action").fill(String(id));
  await page.getByRole("option", { name: `Form ${id}` }).click();
  await expect(page.getByRole("heading", { level: 1, name: `Form ${id}`, exact: true })).toBeVisible();
  await expect(reply).toHaveValue("One more thing");

  const question = page.waitForEvent("dialog");
  const reload = page.evaluate(() => window.location.reload());
  await (await question).dismiss();
  await reload;
  await expect(reply).toHaveValue("One more thing");
});

test("rows are selected with Shift, reconciled in bulk and undone", async ({ page }) => {
  await keepUndo(page);
  await signIn(page);
  await page.goto("/forms?sort=serviceOn&order=asc&perPage=10");
  const names = await rows(page).locator("td:first-child").allTextContents();
  const box = (row: number) => rows(page).nth(row).getByRole("checkbox");
  await box(0).click();
  await box(2).click({ modifiers: ["Shift"] });
  await audit(page, "forms, three selected");
  await button(page, "Reconcile 3 forms").click();
  await expectNotification(page, "3 forms reconciled");
  // The pressed button disappears with the selection, so the focus stays in the table.
  await expect(page.locator(".card:focus").getByRole("table", { name: "Forms" })).toBeVisible();
  // A notification with the focus stays.
  await button(page, "Undo").focus();
  await audit(page, "forms, three reconciled");
  await expect(rows(page).nth(0)).toContainText(names[3] ?? "");
  await button(page, "Undo").click();
  await expect(rows(page).nth(0)).toContainText(names[0] ?? "");
  await page.getByRole("checkbox", { name: "Select all" }).check();
  await expect(page.getByText("10 selected")).toBeVisible();
});

test("on a phone a form is reviewed with two rows of buttons, the main action first, and the rest in a menu", async ({
  page,
}) => {
  await page.setViewportSize({ width: 360, height: 740 });
  await signIn(page);
  await page.goto("/forms?filters[userId]=2");
  // The whole row opens the form, whose link says its type and day.
  const form = rows(page).nth(1);
  await expect(form.getByRole("link", { name: /, [A-Z][\w -]+, \d\d\/\d\d\/\d{4}$/ })).toBeVisible();
  await form.getByText("Avery Advocate").click({ force: true });
  const bar = page.getByRole("region", { name: "Review" });
  await expect(bar.getByRole("button", { name: "Return to advocate…" })).toBeVisible();
  const { rowsOfBar, height } = await bar.evaluate((element) => {
    const rows: { center: number; names: string[] }[] = [];
    for (const control of element.querySelectorAll("a, button")) {
      if (!control.checkVisibility()) continue;
      const { top, height } = control.getBoundingClientRect();
      const center = top + height / 2;
      const last = rows.at(-1);
      const name = control.textContent ?? "";
      if (last && Math.abs(last.center - center) < 8) last.names.push(name);
      else rows.push({ center, names: [name] });
    }
    return { rowsOfBar: rows.map(({ names }) => names), height: element.getBoundingClientRect().height };
  });
  expect(rowsOfBar).toEqual([
    ["Reconcile and next", "Return to advocate…"],
    [expect.any(String), "Previous", "Next"],
  ]);
  expect(height).toBeLessThanOrEqual(120);
  expect(await smallTargets(bar)).toEqual([]);
  await expect(link(page, "Edit")).toBeHidden();
  await button(page, "More actions").click();
  for (const name of ["Edit", "History", "Back"]) await expect(link(page, name)).toBeVisible();
  await page.keyboard.press("Escape");
  await audit(page, "the review bar");
});

test("several forms are read below each other: some are returned in place, the others reconciled in the versions read", async ({
  page,
}) => {
  const { formId: returned } = await makeForm(page, "Batch Returned");
  const { formId: changed } = await makeForm(page, "Batch Changed");
  const { formId: read } = await makeForm(page, "Batch Read");
  const { formId: written } = await makeForm(page, "Batch Written");
  await signIn(page);
  await page.goto("/forms?search=Batch&sort=client");
  await page.getByRole("checkbox", { name: "Select all" }).check();
  await link(page, "Review these 4").click();
  await expect(page.getByRole("heading", { name: "Review Forms" })).toBeVisible();
  const forms = page.getByRole("article");
  await expect(forms).toHaveCount(4);
  await expect(forms.getByRole("heading", { level: 2 })).toHaveText([
    new RegExp(`^Batch Changed · Service · 03/04/2026 Form ${changed} · .*1 of 4 · 1 missing answer$`),
    new RegExp(`^Batch Read · .* Form ${read} · .*2 of 4`),
    new RegExp(`^Batch Returned · .* Form ${returned} · .*3 of 4`),
    new RegExp(`^Batch Written · .* Form ${written} · .*4 of 4`),
  ]);
  await audit(page, "forms to read");
  await page.setViewportSize(PHONE);
  for (const form of await forms.all()) expect(await smallTargets(form.locator("div").first())).toEqual([]);

  await waitUntilInteractive(page);
  await button(page, `Return form ${returned}…`).click();
  await expect(page.getByRole("textbox")).toBeFocused();
  await button(page, "Return").click();
  await expect(forms.nth(2).getByRole("alert")).toContainText("Comment is required");
  await audit(page, "forms to read, a return refused");
  await page.getByRole("textbox").fill("Where are the minutes?");
  await button(page, "Return").click();
  await expect(forms.nth(2).getByText(/^Returned to .*: Where are the minutes\?$/)).toBeVisible();
  await expect(forms.nth(2).getByRole("link")).toBeFocused();
  await button(page, `Return form ${written}…`).click();
  await page.getByRole("textbox").fill("Half a comment");

  const { form } = await (await page.request.get(`/api/forms/${changed}`)).json();
  const data = {
    form: { ...form, serviceStatus: "Partially Served", serviceStatusEntryAttributes: { other: true } },
  };
  expect((await page.request.put(`/api/forms/${changed}`, { data })).status()).toBe(200);
  await button(page, "Reconcile the other 2").click();
  const notifications = page.getByRole("region", { name: "Notifications" });
  await expect(notifications).toContainText(`Form ${changed} of Batch Changed: This record was changed by`);
  // The refused form is shown as it is now, and a comment that is being written stays.
  await expect(forms).toHaveCount(2);
  await expect(forms.nth(0)).toContainText("Partially Served");
  await expect(page.getByRole("textbox")).toHaveValue("Half a comment");
  const stateOf = async (id: number) => (await (await page.request.get(`/api/forms/${id}`)).json()).form;
  expect((await stateOf(read)).reconciled).toBe(true);
  expect(await stateOf(returned)).toMatchObject({
    reconciled: false,
    returned: { comment: "Where are the minutes?" },
  });
  await button(page, "Cancel").click();
  await button(page, "Reconcile 2 forms").click();
  await expect(page).toHaveURL(/\/forms\?search=Batch&sort=client$/);
  await expect(rows(page)).toHaveCount(1);
  await expect(rows(page)).toContainText("Batch Returned");
});

test("filters show as chips that clear them, and the file contains the filtered rows", async ({ page }) => {
  await signIn(page);
  await page.goto("/forms");
  await button(page, "More filters").click();
  await page.getByLabel("Form Type", { exact: true }).selectOption({ label: "Phone" });
  await page.getByLabel("Service Status", { exact: true }).selectOption("Served");
  await expect(button(page, "Clear Form Type: Phone")).toBeVisible();
  await page.getByLabel("Service On from", { exact: true }).fill("2020-01-01");
  await expect(button(page, "Clear Service On from 01/01/2020")).toBeVisible();
  await expect(page).toHaveURL(/filters\[from\]=2020-01-01/);
  await audit(page, "forms, filtered");
  await button(page, "Export").click();
  const download = page.waitForEvent("download");
  await link(page, "CSV").click();
  expect((await download).suggestedFilename()).toBe("forms.csv");
  await button(page, "Clear Form Type: Phone").press("Enter");
  await expect(button(page, "Clear Form Type: Phone")).toHaveCount(0);
  // The focus is not lost with the pressed button.
  await expect(page.getByRole("list", { name: "Filters" }).locator(":focus")).toHaveCount(1);
  await button(page, "Clear all").press("Enter");
  await expect(page).toHaveURL(/\/forms$/);
  await expect(page.locator("[data-toolbar] :focus")).toHaveCount(1);
});

test("the forms of a client are found by the client's name among the filters", async ({ page }) => {
  const { clientId } = await makeForm(page, "Filtered Client");
  await page.goto("/forms");
  await button(page, "More filters").click();
  const picker = page.getByRole("combobox", { name: "Client", exact: true });
  await picker.fill("filtered cl");
  await page.getByRole("listbox", { name: "Clients" }).getByRole("option").click();
  await expect(page).toHaveURL(new RegExp(`filters\\[clientId\\]=${clientId}$`));
  await expect(rows(page)).toHaveCount(1);
  await expect(rows(page)).toContainText("Filtered Client");
  await expect(picker).toHaveValue("Filtered Client");
  await audit(page, "forms of a client");
  await button(page, "Clear Client: Filtered Client").click();
  await expect(page).toHaveURL(/\/forms$/);
  await expect(picker).toHaveValue("");
});

test("months are closed and reopened, after a confirmation", async ({ page }) => {
  await signIn(page);
  await page.goto("/settings/closed_periods");
  const months = page.getByLabel("Close through");
  const options = months.locator("option");
  const day = (await options.nth(24).getAttribute("value")) ?? "";
  await makeServiceForm(page, { client: uniqueName("Unfinished Client"), serviceOn: day });
  await months.selectOption(day);
  await button(page, "Save").click();
  const closing = page.getByRole("dialog", { name: /^Close through / });
  await expect(closing.getByRole("link", { name: /^[1-9]\d* unreconciled forms?$/ })).toBeVisible();
  await expect(closing.getByText(/^0 /)).toHaveCount(0);
  await audit(page, "the confirmation before months are closed");
  await closing.getByRole("button", { name: "Cancel" }).click();
  await expect(page.getByRole("heading", { name: "No months are closed" })).toBeVisible();
  await button(page, "Save").click();
  await closing.getByRole("button", { name: "Close months" }).click();
  await expect(page.getByRole("heading", { name: /^Closed through/ })).toBeVisible();
  await audit(page, "closed periods");
  expect(await options.count()).toBe(25);
  await months.selectOption({ index: 0 });
  await button(page, "Save").click();
  await button(page, "Reopen").click();
  await expect(page.getByRole("heading", { name: "No months are closed" })).toBeVisible();
  await audit(page, "closed periods, nothing closed");
});
