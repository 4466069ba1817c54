import type { Page } from "@playwright/test";
import { audit, auditFocus, auditPrint, DESK } from "@/e2e/audit";
import { button, DEMO, expect, keepUndo, makeAccount, signIn, uniqueName } from "@/e2e/fixtures";
import { test } from "@/e2e/organization";
import { makeServiceForm } from "@/e2e/records";

// Accessibility of states that appear only after another user's action, in a closed month, before data is lost, and on
// paper.

test.use({ viewport: DESK, colorScheme: "light" });

/** Creates a form of the demo's advocate. */
async function makeForm(page: Page, client: string, serviceOn = "2026-03-04") {
  await signIn(page, DEMO.advocate);
  return makeServiceForm(page, { client: uniqueName(client), serviceOn });
}

async function closeThrough(page: Page, closedThrough: string | null) {
  const response = await page.request.put("/api/closed_periods", { data: { closedThrough } });
  expect(response.status(), await response.text()).toBe(200);
}

/** A sheet of letter paper without its margins. */
const PAPER = { width: 672, height: 900 };

test("a form that changed since its last review is accessible", async ({ page }) => {
  const { formId } = await makeForm(page, "Changed Since");
  await signIn(page);
  const path = `/api/forms/${formId}`;
  await page.request.post(`${path}/reconcile`, { data: { reconciled: true } });
  await signIn(page, DEMO.advocate);
  const { form } = await (await page.request.get(path)).json();
  const data = { form: { ...form, serviceOn: "2026-03-05" } };
  expect((await page.request.put(path, { data })).status()).toBe(200);
  await signIn(page);
  await page.goto(`/forms/${formId}/edit`);
  await expect(page.getByText("Changed since it was last checked")).toBeVisible();
  await expect(page.getByText("Service On: 03/04/2026 → 03/05/2026")).toBeVisible();
  await audit(page, "a form that changed since its review");
  await auditFocus(page, "a form that changed since its review");
});

test("a client's page that shows colleagues' forms is accessible", async ({ page, database }) => {
  const { clientId } = await makeForm(page, "Shared Client");
  const email = `${uniqueName("a-colleague")}@example.org`;
  await makeAccount(database, email, ["forms", "clients"]);
  await signIn(page, email);
  await page.goto(`/clients/${clientId}`);
  await expect(page.getByRole("listitem").filter({ hasText: "a colleague’s form" })).toHaveText(
    /^03\/04\/2026 · Service/,
  );
  await audit(page, "a client with colleagues' forms");
});

test("forms that were reconciled in bulk are accessible if one was refused", async ({ page }) => {
  await keepUndo(page);
  await makeForm(page, "Kept Client", "2001-02-03");
  const { formId } = await makeForm(page, "Gone Client", "2001-02-03");
  await signIn(page);
  await page.goto("/forms?filters[to]=2001-12-31");
  await page.getByRole("checkbox", { name: "Select all" }).check();
  await page.request.delete(`/api/forms/${formId}`);
  await button(page, "Reconcile 2 forms").click();
  const notifications = page.getByRole("region", { name: "Notifications" });
  await expect(notifications).toContainText(`Form ${formId} of Gone Client`);
  await expect(notifications).toContainText("Reconciled successfully");
  // A notification with the focus stays.
  await button(page, "Undo").focus();
  await audit(page, "forms, one not reconciled");
});

test("a form in a closed month, and the confirmation before months are reopened, are accessible", async ({
  page,
}) => {
  const { formId } = await makeForm(page, "Closed Client", "2002-02-03");
  await signIn(page);
  await closeThrough(page, "2002-02-28");
  try {
    for (const email of [DEMO.advocate, DEMO.administrator]) {
      await signIn(page, email);
      await page.goto(`/forms/${formId}/edit`);
      await expect(page.getByText(/Forms through 02\/28\/2002 are closed/)).toBeVisible();
      // Fields are disabled, because changes could not be saved.
      await expect(page.getByLabel("Client Name")).toBeDisabled();
      await expect(button(page, "Update")).toHaveCount(0);
      await expect(button(page, "Print")).toBeEnabled();
      await audit(page, `a form in a closed month, ${email}`);
    }
    await page.goto("/forms?filters[from]=2002-02-03&filters[to]=2002-02-03");
    await expect(page.getByTitle("Closed month")).toBeVisible();
    await audit(page, "the list with a form in a closed month");
    // The calendar of a service day marks closed days; that of a date of birth does not.
    await page.goto("/forms/new?formTypeId=5");
    await page.getByLabel("Service On *").fill("03/05/2002");
    await button(page, "Choose Service On").click();
    const calendar = page.getByRole("dialog", { name: "Service On" });
    await expect(calendar.getByRole("button", { name: "Thursday, February 28, 2002, closed" })).toBeVisible();
    await expect(calendar.getByRole("button", { name: "Friday, March 1, 2002", exact: true })).toBeVisible();
    await expect(calendar).toContainText("Gray days through 02/28/2002 are closed.");
    await audit(page, "a calendar with closed days");
    await page.keyboard.press("Escape");
    await expect(calendar).toBeHidden();
    await page.goto("/clients/new");
    await page.getByLabel("Date of Birth", { exact: true }).fill("02/05/2002");
    await button(page, "Choose Date of Birth").click();
    await expect(page.getByRole("button", { name: "Tuesday, February 5, 2002", exact: true })).toBeVisible();
    await page.goto("/settings/closed_periods");
    await page.getByLabel("Close through").selectOption({ index: 0 });
    await button(page, "Save").click();
    await expect(page.getByRole("dialog", { name: "Reopen closed months?" })).toBeVisible();
    await audit(page, "the confirmation before months are reopened");
  } finally {
    await signIn(page);
    await closeThrough(page, null);
  }
});

test("the confirmations before leaving a form and before discarding a draft are accessible", async ({
  page,
}) => {
  const { formId } = await makeForm(page, "Unsaved Client");
  await page.goto(`/forms/${formId}/edit`);
  await page.getByLabel("Client Name").fill("Another Name");
  await page.getByRole("link", { name: "Cancel" }).click();
  await expect(page.getByRole("dialog", { name: "Leave without saving?" })).toBeVisible();
  await audit(page, "a form, leaving");

  const data = { draft: { formId: null, content: {} } };
  expect((await page.request.put("/api/drafts/new-1", { data })).status()).toBe(200);
  await page.goto("/forms");
  await page.getByRole("region", { name: "Drafts" }).getByRole("button", { name: "Discard" }).first().click();
  await expect(page.getByRole("dialog", { name: /^Delete the unsaved/ })).toBeVisible();
  await audit(page, "the confirmation before a draft is discarded");
  for (const { key } of (await (await page.request.get("/api/drafts")).json()).drafts)
    await page.request.delete(`/api/drafts/${key}`);
});

test("a form and a client's whole record are accessible as printed", async ({ page }) => {
  const { clientId, formId } = await makeForm(page, "Printed Client");
  await signIn(page);
  for (const path of [`/forms/${formId}/edit`, `/clients/${clientId}/print`]) {
    await page.goto(path);
    await page.emulateMedia({ media: "print" });
    await expect(page.getByText("Printed by").first()).toBeVisible();
    await auditPrint(page, `${path}, printed`);
  }
});

test("the hotel shelter section is printed with whole words", async ({ page, database }) => {
  const { rows } = await database.query(
    `SELECT f.client_id FROM hotel_shelter_entries h
     JOIN service_provided_entries p ON p.id = h.service_provided_entry_id
     JOIN service_entries e ON e.id = p.service_entry_id JOIN forms f ON f.id = e.form_id ORDER BY f.id LIMIT 1`,
  );
  await signIn(page);
  await page.setViewportSize(PAPER);
  await page.emulateMedia({ media: "print" });
  await page.goto(`/clients/${rows[0].client_id}/print`);
  const values = page.locator("table dd");
  await expect(values.first()).toBeVisible();
  const widths = await values.evaluateAll((all) => all.map((value) => value.getBoundingClientRect().width));
  expect(Math.min(...widths)).toBeGreaterThan(100);
});
