import type { Page } from "@playwright/test";
import { audit, auditFocus, auditPrint, DESK } from "@/e2e/audit";
import {
  button,
  DEMO,
  expect,
  expectNotification,
  hideByEscape,
  keepUndo,
  signIn,
  test,
  uniqueName,
} from "@/e2e/fixtures";
import { pdfText } from "@/e2e/pdf";
import { makeServiceForm } from "@/e2e/records";
import { today } from "@/lib/core/text/format";
import { quarterOf } from "@/lib/reports/periods";

// Custom fields from their definition to a purge, without a restart.

test.use({ viewport: DESK, colorScheme: "light" });

/** Removes the fields again, because other tests use the same server. */
test.afterEach(async ({ database }) => {
  await database.query("UPDATE clients SET custom = '{}' WHERE custom <> '{}'");
  await database.query("UPDATE forms SET custom = '{}' WHERE custom <> '{}'");
  await database.query("DELETE FROM custom_fields");
  await database.query("DELETE FROM report_mappings WHERE kind IN ('own_client', 'own_form')");
  await database.query("UPDATE field_definitions SET field_order = '{}', version = version + 1");
});

async function openNewField(admin: Page) {
  await button(admin, "Add a field").click();
  const dialog = admin.getByRole("dialog", { name: "Add a field" });
  await expect(dialog.getByLabel("Label *")).toBeVisible();
  return dialog;
}

const fieldIn = (page: Page, label: string) => page.locator("dl > div").filter({ hasText: label });

test("custom fields reach an open form, its print, a conflict, files, a report, and a purge", async ({
  page: admin,
  browser,
  baseURL,
  database,
}) => {
  const context = await browser.newContext({ baseURL, viewport: DESK });
  const page = await context.newPage();
  const before = uniqueName("Before Fields");
  const name = uniqueName("Own Fields");
  await signIn(page, DEMO.advocate);
  await page.goto("/forms/new");
  await page.getByLabel("Client Name *").fill(before);
  await page.getByLabel("Form Type *").selectOption({ label: "Survivor" });
  await page.getByLabel("Service Status *").selectOption("Served");
  await page.getByLabel("Offender Relationship *").selectOption({ index: 1 });

  // The administrator adds a choice to the survivor section and a sensitive text to the client.
  await signIn(admin);
  await admin.goto("/settings/fields");
  await audit(admin, "fields by section");
  let dialog = await openNewField(admin);
  await button(admin, "Save").click();
  await expect(dialog.getByText("Label is required").first()).toBeVisible();
  await dialog.getByLabel("Label *").fill("Housing need");
  await dialog.getByLabel("Kind *").selectOption({ label: "One choice" });
  await dialog.getByLabel("Place *").selectOption({ label: "Form: Survivor" });
  await dialog.getByLabel("Choice 1", { exact: true }).fill("Rent");
  await admin.keyboard.press("Enter");
  await admin.keyboard.type("Eviction");
  await expect(dialog.getByLabel("Choice 2", { exact: true })).toHaveValue("Eviction");
  await dialog.getByLabel("Position").selectOption({ label: "After Offender Relationship" });
  await audit(admin, "the dialog of a custom field");
  await auditFocus(admin, "the dialog of a custom field");
  await button(admin, "Save").click();
  await expectNotification(admin, "Added Housing need");
  dialog = await openNewField(admin);
  await dialog.getByLabel("Label *").fill("Safe word");
  await dialog.getByLabel("Place *").selectOption({ label: "Client: a custom section" });
  await dialog.getByLabel("Section Title *").fill("More about this client");
  await dialog.getByLabel("Kind *").selectOption({ label: "Text" });
  await dialog.getByLabel("Sensitive").check();
  await button(admin, "Save").click();
  await expectNotification(admin, "Added Safe word");
  await expect(admin.getByRole("listitem").filter({ hasText: "Safe word" })).toContainText(
    "Text · sensitive",
  );
  await audit(admin, "custom fields");
  await admin.getByLabel("Form Type", { exact: true }).selectOption({ label: "Survivor" });
  await expect(
    admin.getByRole("region", { name: "Preview of Survivor" }).getByLabel("Housing need"),
  ).toBeVisible();
  await audit(admin, "preview of a form type");

  // The open form does not have them, and is saved as it was opened. The next form has them.
  await expect(page.getByLabel("Housing need")).toHaveCount(0);
  await button(page, "Save").click();
  await expect(page).toHaveURL(/\/forms(\?|$)/);
  await page.getByRole("link", { name: "New", exact: true }).first().click();
  await page.getByLabel("Client Name *").fill(name);
  await page.getByLabel("Form Type *").selectOption({ label: "Survivor" });
  await page.getByLabel("Service Status *").selectOption("Served");
  await page.getByLabel("Offender Relationship *").selectOption({ index: 1 });
  await page.getByLabel("Housing need").selectOption({ label: "Rent" });
  await page.getByLabel("Safe word").fill("Marmalade");
  const order = page.getByRole("group", { name: "Survivor" }).getByRole("combobox");
  await expect(order.nth(1)).toHaveAccessibleName("Housing need");
  await audit(page, "a form with custom fields");
  await auditFocus(page, "a form with custom fields");
  await button(page, "Save").click();
  await expect(page).toHaveURL(/\/forms(\?|$)/);
  const found = await page.request.get(`/api/forms?search=${encodeURIComponent(name)}`);
  const [{ id, client }] = (await found.json()).forms;

  // Reading view, print, and client's page.
  await page.goto(`/forms/${id}`);
  await expect(fieldIn(page, "Housing need")).toContainText("Rent");
  await expect(fieldIn(page, "Safe word")).toContainText("Marmalade");
  await auditPrint(page, "a form with custom fields");
  const print = pdfText(await page.pdf());
  expect(print).toContain("Housing need");
  expect(print).toContain("More about this client");
  await page.goto(`/clients/${client.id}/print`);
  await expect(fieldIn(page, "Safe word")).toContainText("Marmalade");

  // A conflict names the field and its choices.
  await page.goto(`/forms/${id}/edit`);
  await expect(page.getByLabel("Housing need")).toHaveValue(/\d+/);
  const { form } = await (await admin.request.get(`/api/forms/${id}`)).json();
  const { definitions } = await (await admin.request.get("/api/fields")).json();
  const need = definitions.fields.find(({ label }: { label: string }) => label === "Housing need");
  const theirs = {
    clientId: form.clientId,
    formTypeId: form.formTypeId,
    serviceOn: form.serviceOn,
    serviceStatus: form.serviceStatus,
    verbalConfirmation: form.verbalConfirmation,
    custom: { [need.key]: need.choices[1].id },
    lockVersion: form.lockVersion,
  };
  expect((await admin.request.put(`/api/forms/${id}`, { data: { form: theirs } })).status()).toBe(200);
  await page.getByLabel("Ages of Children").fill("3, 7");
  await page.getByLabel("Housing need").selectOption("");
  await button(page, "Update").click();
  await button(page, "Compare and choose").click();
  const conflict = page.getByRole("dialog").getByRole("group", { name: "Housing need" });
  await expect(conflict).toContainText("Rent → Eviction");
  await expect(conflict).toContainText("Removed Rent");
  await audit(page, "a conflict about a custom field");
  await conflict.getByRole("radio").first().check();
  await button(page, "Use these").click();
  await button(page, "Update").click();
  await expect(page).toHaveURL(/\/forms(\?|$)/);
  await page.goto(`/forms/${id}/history`);
  await expect(page.getByText("Housing need: Rent → Eviction").first()).toBeVisible();

  // Files: the export has the column, and an import finds it by its label.
  const exported = await admin.request.get("/api/clients.csv?columns=all");
  expect(await exported.text()).toContain("More about this client: Safe word");
  const imported = uniqueName("Imported Fields");
  const upload = await admin.request.post("/api/imports?kind=clients", {
    headers: { "content-type": "application/octet-stream" },
    data: Buffer.from(`Name,More about this client: Safe word\n${imported},Quince\n`),
  });
  const { import: job } = await upload.json();
  expect(job.matches).toEqual(["name", "custom.safeWord"]);
  const start = { import: { dryRun: false, matches: job.matches, ownerId: null } };
  expect((await admin.request.post(`/api/imports/${job.id}/start`, { data: start })).status()).toBe(200);
  const importedValue = async () => {
    const { rows } = await database.query("SELECT custom FROM clients WHERE name = $1", [imported]);
    return rows[0]?.custom;
  };
  await expect.poll(importedValue).toEqual({ safeWord: "Quince" });

  // The director maps the choice to a line of a report, and finds the client behind the number.
  await makeServiceForm(admin, { client, serviceOn: today() });
  await admin.goto("/settings/reports/pmt");
  await admin
    .getByRole("combobox", { name: "List", exact: true })
    .selectOption({ label: "Custom fields of forms" });
  await button(admin, "Edit Housing need: Eviction").click();
  const { from, to } = quarterOf(today());
  const mapping = admin.getByRole("group", { name: "Mapping of Housing need: Eviction", exact: true });
  await mapping.getByRole("combobox", { name: "Line", exact: true }).selectOption({ label: "Homeless" });
  // Other tests on this server may have submitted or closed earlier periods, and a row that touches them is asked about.
  await button(admin, "Changed over time for Housing need: Eviction").click();
  await mapping.getByLabel("First Day", { exact: true }).fill(from);
  await button(admin, "Save").click();
  await expectNotification(admin, "Updated Reports Setup successfully");
  await admin.goto(`/reports/pmt?from=${from}&to=${to}`);
  await admin.getByRole("link", { name: /: Homeless, show the records$/ }).click();
  await expect(admin.getByRole("link", { name }).first()).toBeVisible();
  await admin.goto("/settings/fields");
  await admin.locator("summary").filter({ hasText: "custom: Housing need" }).click();

  // A choice is renamed everywhere; the history keeps the former word. A retired field is no longer asked.
  await admin.getByRole("button", { name: "Change Housing need" }).click();
  await admin.getByLabel("Choice 2", { exact: true }).fill("Eviction notice");
  await button(admin, "Save").click();
  await expectNotification(admin, "Changed Housing need");
  await page.goto(`/forms/${id}`);
  await expect(fieldIn(page, "Housing need")).toContainText("Eviction notice");
  await page.goto(`/forms/${id}/history`);
  await expect(page.getByText("Housing need: Rent → Eviction", { exact: true }).first()).toBeVisible();
  await button(admin, "Remove Housing need").click();
  await admin.getByRole("dialog").getByRole("button", { name: "Delete", exact: true }).click();
  await expect(
    admin.getByRole("region", { name: "Notifications" }).getByText(/used by other forms/),
  ).toBeVisible();
  await button(admin, "Retire Housing need").click();
  await expectNotification(admin, "Retired Housing need");
  await page.goto("/forms/new");
  await page.getByLabel("Form Type *").selectOption({ label: "Survivor" });
  await expect(page.getByLabel("Offender Relationship *")).toBeVisible();
  await expect(page.getByLabel("Housing need")).toHaveCount(0);
  await page.goto(`/forms/${id}`);
  await expect(fieldIn(page, "Housing need")).toContainText("Eviction notice");
  await page.goto(`/forms/${id}/edit`);
  await expect(page.getByLabel("Housing need")).toBeVisible();

  // A purge empties the text and keeps the choice.
  await database.query("UPDATE retention_settings SET years = 7");
  await database.query("UPDATE clients SET updated_at = '2010-03-04' WHERE id = $1", [client.id]);
  await database.query(
    "UPDATE forms SET updated_at = '2010-03-04', service_on = '2010-03-04' WHERE client_id = $1",
    [client.id],
  );
  const purged = await admin.request.post("/api/retention/purge", { data: { ids: [client.id] } });
  expect((await purged.json()).done).toEqual([client.id]);
  await database.query("UPDATE retention_settings SET years = NULL");
  const left = await database.query(
    "SELECT c.custom AS client, f.custom AS form FROM clients c JOIN forms f ON f.client_id = c.id WHERE f.id = $1",
    [id],
  );
  expect(left.rows).toEqual([{ client: {}, form: { [need.key]: need.choices[1].id } }]);
  await context.close();
});

test("a field that was removed while a form was open is named with its value, and nothing else is lost", async ({
  page,
}) => {
  await signIn(page);
  const add = async (field: object) =>
    (await (await page.request.post("/api/fields", { data: { field } })).json()).field;
  const gone = await add({ record: "form", section: "", label: "Passing need", kind: "text" });
  const name = uniqueName("Open Form");
  await page.goto("/forms/new");
  await page.getByLabel("Client Name *").fill(name);
  await page.getByLabel("Form Type *").selectOption({ label: "Service" });
  await page.getByLabel("Service Status *").selectOption("Served");
  await page.getByLabel("Passing need").fill("A ride");
  expect((await page.request.delete(`/api/fields/${gone.id}`)).status()).toBe(204);
  await add({ record: "form", section: "", label: "New need", kind: "text", requiredFrom: "2020-01-01" });

  await button(page, "Save").click();
  await expect(page.getByText("Passing need was removed from forms. Its value was: A ride")).toBeVisible();
  await expect(page.getByText("Removed: Passing need.")).toBeVisible();
  await expect(page.getByText("Added: New need.")).toBeVisible();
  await expect(page.getByLabel("Passing need")).toHaveCount(0);
  await expect(page.getByLabel("Client Name *")).toHaveValue(name);
  await button(page, "Save").click();
  await expect(page.getByLabel("New need *")).toBeFocused();
  await page.getByLabel("New need *").fill("A bus ticket");
  await button(page, "Save").click();
  await expect(page).toHaveURL(/\/forms(\?|$)/);
});

test("the preview shows a field as it is entered, at its position and for each form type", async ({
  page,
}) => {
  await signIn(page);
  await page.goto("/settings/fields");
  await page.locator("summary").filter({ hasText: "Phone" }).click();
  await button(page, "Add a field to Phone").click();
  const dialog = page.getByRole("dialog", { name: "Add a field" });
  await expect(dialog.getByLabel("Place *")).toHaveValue("form intakeForm.phoneEntry");
  await expect(dialog.getByText("Choose a kind and a place to see a preview.")).toBeVisible();
  await dialog.getByLabel("Label *").fill("Pets");
  await dialog.getByLabel("Kind *").selectOption({ label: "Several choices" });
  const preview = dialog.getByRole("region", { name: "Preview", exact: true });
  await expect(preview.getByRole("heading", { name: "Preview" })).toBeVisible();
  await dialog.getByLabel("Choice 1", { exact: true }).fill("Dog");
  await dialog.getByLabel("Choice 2", { exact: true }).fill("Cat");
  await dialog.getByLabel("Hint").fill("Tick all.");
  const pets = preview.getByRole("group", { name: "Pets" });
  await expect(pets.getByLabel("Cat")).toBeVisible();
  await expect(pets).toHaveAccessibleDescription("Tick all.");

  // The preview follows each part of the definition as it is entered.
  await dialog.getByRole("textbox", { name: "Required From" }).fill("01/01/2020");
  await expect(pets).toContainText("Pets *");
  await dialog.getByRole("textbox", { name: "Required From" }).fill("12/31/2999");
  await expect(preview.getByText("As it appears on a form for a service on 12/31/2999.")).toBeVisible();
  await dialog.getByLabel("Position").selectOption({ label: "At the beginning" });
  const controls = preview.locator("input, select, textarea");
  const petsBefore = async (label: string) => {
    const names = await controls.evaluateAll((all) =>
      all.map((one) => one.closest("fieldset, label, div")?.textContent ?? ""),
    );
    const [own, other] = [/Dog/, new RegExp(label)].map((words) =>
      names.findIndex((name) => words.test(name)),
    );
    return (own ?? -1) < (other ?? -1);
  };
  await expect.poll(() => petsBefore("Current PFA Order")).toBe(true);
  await dialog.getByLabel("Position").selectOption({ label: "After Previous PFAs" });
  await expect.poll(() => petsBefore("Current PFA Order")).toBe(false);
  // A description stays under its checkbox.
  await preview.getByLabel("Previous PFAs", { exact: true }).check();
  await expect(preview.getByLabel("Previous PFAs Description")).toBeVisible();
  await expect.poll(() => petsBefore("Related Arrests")).toBe(true);
  await audit(page, "the preview of a field");
  await auditFocus(page, "the preview of a field");

  // The preview offers only form types that include the field, works with the keyboard, and saves nothing.
  await expect(preview.getByLabel("Form Type").locator("option")).toHaveText(["Phone"]);
  await dialog.getByLabel("Survivor", { exact: true }).check();
  await expect(preview.getByText("No form type includes this field.")).toBeVisible();
  await dialog.getByLabel("Survivor", { exact: true }).uncheck();
  await preview.getByLabel("Form Type").focus();
  await page.keyboard.press("Tab");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Tab");
  await expect(preview.locator(":focus")).toBeVisible();
  // Neither Escape nor a click outside discards what was entered, and Escape twice still hides the screen.
  await page.keyboard.press("Escape");
  await page.mouse.click(5, 5);
  await expect(dialog.getByLabel("Choice 2", { exact: true })).toHaveValue("Cat");
  await hideByEscape(page);
  await page.getByLabel("Password").fill(DEMO.password);
  await page.keyboard.press("Enter");
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await expect(dialog).toHaveCount(0);
  await expect(button(page, "Add a field to Phone")).toBeFocused();
  await expect(page.getByText("custom: Pets")).toHaveCount(0);
  await page.getByLabel("Form Type", { exact: true }).selectOption({ label: "Phone" });
  await expect(page.getByRole("region", { name: "Preview of Phone" }).getByLabel("Guns")).toBeVisible();
  await expect(page.getByRole("group", { name: "Pets" })).toHaveCount(0);
  await audit(page, "the preview of a form");
});

test("a custom field moves between built-in fields, and each click is one step and keeps the focus", async ({
  page,
  database,
}) => {
  await keepUndo(page);
  await signIn(page);
  await page.request.post("/api/fields", {
    data: {
      field: { record: "form", section: "intakeForm.survivorEntry", label: "Housing need", kind: "text" },
    },
  });
  await page.goto("/settings/fields");
  const survivor = page.locator("details").filter({ hasText: "custom: Housing need" });
  await survivor.locator("summary").click();
  const labels = () => survivor.locator("li > div > span:first-child > span:first-child").allTextContents();
  const storedOrder = async () =>
    (await database.query("SELECT field_order FROM field_definitions")).rows[0]?.field_order;
  expect((await labels()).at(-1)).toBe("Housing need");
  let savedMoves = 0;
  page.on("response", (response) => {
    if (response.url().endsWith("/api/field_order") && response.ok()) savedMoves += 1;
  });
  // Each of several fast clicks is one step.
  const up = button(page, "Move Housing need up");
  await up.click();
  await up.click();
  await up.click();
  await expectNotification(page, "Moved Housing need to 7 of 10");
  await expect(up).toBeFocused();
  await expect.poll(() => savedMoves).toBe(3);
  expect(await storedOrder()).toHaveLength(10);
  await button(page, "Move Ages of Children down").click();
  await button(page, "Move Ages of Children down").click();
  await expectNotification(page, "Moved Ages of Children to 7 of 10");
  await button(page, "Move Housing need down").click();
  const now = await labels();
  expect(now.indexOf("Housing need")).toBe(now.indexOf("Ages of Children") + 1);
  await expect(survivor.locator("summary")).toContainText("order changed");
  const own = "form.custom.housingNeed";
  const isAfter = (order: string[]) =>
    order.indexOf(own) === order.findIndex((path) => /childAges/.test(path)) + 1;
  // All of them, because an order in between may be the same as the last one.
  await expect.poll(() => savedMoves).toBe(6);
  expect(isAfter(await storedOrder())).toBe(true);
  await page.reload();
  await survivor.locator("summary").click();
  expect(await labels()).toEqual(now);
  for (let left = 9; left > 0; left--) {
    if (await button(page, "Move Housing need up").isDisabled()) break;
    await button(page, "Move Housing need up").click();
  }
  await expect(button(page, "Move Housing need up")).toBeDisabled();
  await expect(button(page, "Move Housing need down")).toBeFocused();
  await button(page, "Restore default order of Survivor").click();
  await expect.poll(async () => (await labels()).at(-1)).toBe("Housing need");
  await expect(survivor.locator("summary")).toBeFocused();
  await expect(survivor.locator("summary")).not.toContainText("order changed");
  // Undo reverses what was saved.
  await button(page, "Retire Housing need").click();
  await expectNotification(page, "Retired Housing need");
  await expect(button(page, "Use Housing need again")).toBeVisible();
  await button(page, "Undo").click();
  await expect(button(page, "Retire Housing need")).toBeVisible();
  // A colleague's change is not overwritten.
  const {
    rows: [{ id }],
  } = await database.query(
    "UPDATE custom_fields SET lock_version = lock_version + 1 WHERE label = 'Housing need' RETURNING id",
  );
  await database.query("UPDATE field_definitions SET version = version + 1");
  await button(page, "Retire Housing need").click();
  await expect(page.getByText("Someone else changed this field since you opened it")).toBeVisible();
  const stored = await database.query("SELECT retired_from FROM custom_fields WHERE id = $1", [id]);
  expect(stored.rows).toEqual([{ retired_from: null }]);
  await page.reload();
  await survivor.locator("summary").click();
  await button(page, "Remove Housing need").click();
  await page.getByRole("dialog").getByRole("button", { name: "Delete", exact: true }).click();
  await expect(page.getByText("Housing need", { exact: true })).toHaveCount(0);
  await expect(page.locator("summary").filter({ hasText: "Survivor" })).toBeFocused();
});

test("the settings of fields fit on a phone", async ({ page }) => {
  await signIn(page);
  for (const label of ["A field with a rather long label that needs several lines on a phone", "Short"])
    await page.request.post("/api/fields", {
      data: { field: { record: "form", section: "More", label, kind: "choices", choices: [{ label: "A" }] } },
    });
  await page.setViewportSize({ width: 360, height: 740 });
  await page.goto("/settings/fields");
  await page.locator("summary").filter({ hasText: "More" }).click();
  await audit(page, "custom fields on a phone");
  await button(page, "Change Short").click();
  await expect(page.getByRole("dialog").getByLabel("Choice 1", { exact: true })).toHaveValue("A");
  await audit(page, "the dialog of a custom field on a phone");
});
