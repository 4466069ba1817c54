import type { Page } from "@playwright/test";
import { audit, auditFocus, auditPrint, DESK } from "@/e2e/audit";
import { button, DEMO, expect, expectNotification, keepUndo, signIn, test, uniqueName } from "@/e2e/fixtures";
import { settingItems } from "@/lib/forms/fields/controls";

// The organization's settings for built-in fields, while an advocate has a form open.

test.use({ viewport: DESK, colorScheme: "light" });

/** Restores every field, because other tests use the same server. */
test.afterEach(async ({ page, database }) => {
  await database.query("UPDATE field_definitions SET field_order = '{}', version = version + 1");
  await signIn(page);
  const { fieldSettings } = await (await page.request.get("/api/field_settings")).json();
  const untouched = new Map(settingItems([]).map((item) => [item.path, JSON.stringify(item)]));
  for (const item of fieldSettings)
    if (JSON.stringify(item) !== untouched.get(item.path))
      await page.request.delete(`/api/field_settings/${item.path}`);
});

const summary = (page: Page, section: string) => page.locator("summary").filter({ hasText: section });

/** Opens the dialog of a field on the settings screen. */
async function openField(page: Page, label: string) {
  await button(page, `Change ${label}`).click();
  const dialog = page.getByRole("dialog");
  await expect(dialog.getByLabel("Label", { exact: true })).toBeVisible();
  return dialog;
}

test("changes of fields reach an open form, which loses nothing, and Reset restores them", async ({
  page: admin,
  browser,
  baseURL,
}) => {
  const context = await browser.newContext({ baseURL, viewport: DESK });
  const page = await context.newPage();
  const name = uniqueName("Field Settings");
  await signIn(page, DEMO.advocate);
  await page.goto("/forms/new");
  await page.getByLabel("Client Name *").fill(name);
  await page.getByLabel("Form Type *").selectOption({ label: "Survivor" });
  await page.getByLabel("Service Status *").selectOption("Served");
  await page.getByLabel("Offender Relationship *").selectOption({ index: 1 });
  await page.getByLabel("Ages of Children").fill("3, 7");
  await page.getByLabel("City", { exact: true }).fill("Erie");

  // The administrator renames, requires, hides, and moves.
  await keepUndo(admin);
  await signIn(admin);
  await admin.goto("/settings/fields");
  await summary(admin, "Survivor").click();
  await summary(admin, "Client Biographical").click();
  await audit(admin, "built-in fields");
  await auditFocus(admin, "built-in fields");
  let dialog = await openField(admin, "Ages of Children");
  await dialog.getByLabel("Label", { exact: true }).fill("Custody Status");
  await button(admin, "Save").click();
  await expect(dialog.getByText(/^Label is already used by /).first()).toBeVisible();
  await audit(admin, "built-in field, refused");
  await dialog.getByLabel("Label", { exact: true }).fill("Children's Ages");
  await dialog.getByLabel("Hint").fill("In years.");
  const preview = dialog.getByRole("region", { name: "Preview", exact: true });
  await expect(preview.getByLabel("Children's Ages")).toHaveAccessibleDescription(/In years\./);
  await audit(admin, "preview of a built-in field");
  await button(admin, "Save").click();
  await expectNotification(admin, "Changed Children's Ages");
  await expect(admin.getByText("originally Ages of Children")).toBeVisible();
  await expect(button(admin, "Change Children's Ages")).toBeFocused();
  dialog = await openField(admin, "Custody Status");
  await dialog.getByRole("textbox", { name: "Required From" }).fill("01/01/2020");
  await button(admin, "Save").click();
  await expectNotification(admin, "Changed Custody Status");
  dialog = await openField(admin, "City");
  await expect(preview.getByLabel("City", { exact: true })).toBeVisible();
  await dialog.getByLabel("Hidden").check();
  await expect(preview.getByText("Hidden: forms do not show this field.")).toBeVisible();
  await expect(preview.getByLabel("City", { exact: true })).toHaveCount(0);
  await button(admin, "Save").click();
  await expectNotification(admin, "Changed City");
  await expect(admin.getByText("Hidden", { exact: true })).toBeVisible();
  await button(admin, "Undo").click();
  await expect(admin.getByText("Hidden", { exact: true })).toHaveCount(0);
  dialog = await openField(admin, "City");
  await dialog.getByLabel("Hidden").check();
  await button(admin, "Save").click();
  await expectNotification(admin, "Changed City");
  dialog = await openField(admin, "Offender Relationship");
  await expect(dialog.getByLabel("Hidden")).toBeDisabled();
  await expect(dialog.getByText("can be hidden only with its section")).toBeVisible();
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await button(admin, "Move Phone Number up").click();
  await expectNotification(admin, "Moved Phone Number to 7 of 10");
  await expect(button(admin, "Move Phone Number up")).toBeFocused();
  await expect(summary(admin, "Client Biographical")).toContainText("order changed");
  await audit(admin, "built-in fields, changed");

  // The open form is refused because of the field that is required now.
  await button(page, "Save").click();
  await expect(page.getByText("Custody Status is required").first()).toBeVisible();
  await expect(page.getByText("The fields have changed since you opened this page.")).toBeVisible();
  await expect(page.getByText("Ages of Children is now called Children's Ages.")).toBeVisible();
  await expect(page.getByText("City is now hidden.")).toBeVisible();
  await expect(page.getByLabel("Client Name *")).toHaveValue(name);
  await expect(page.getByLabel("Children's Ages")).toHaveValue("3, 7");
  await expect(page.getByLabel("City", { exact: true })).toHaveCount(0);
  await audit(page, "form with changed fields");
  await page.getByLabel("Custody Status *").selectOption({ index: 1 });
  await button(page, "Save").click();
  await expect(page).toHaveURL(/\/forms(\?|$)/);

  // The reading view and the print have the new label, and not the hidden field.
  const found = await page.request.get(`/api/forms?search=${encodeURIComponent(name)}`);
  const [{ id, client }] = (await found.json()).forms;
  await page.goto(`/forms/${id}`);
  await expect(page.getByText("Children's Ages").first()).toBeVisible();
  await expect(page.getByText("Erie")).toHaveCount(0);
  await auditPrint(page, "form with changed fields");

  // Reset shows the field again, with the value that the form had.
  dialog = await openField(admin, "City");
  await dialog.getByRole("button", { name: "Reset" }).click();
  await expectNotification(admin, "Reset City");
  await page.goto(`/clients/${client.id}/edit`);
  await expect(page.getByLabel("City", { exact: true })).toHaveValue("Erie");
  await expect(page.getByLabel("Phone Number")).toBeVisible();
  await context.close();
});

test("a section is hidden with its fields", async ({ page }) => {
  await keepUndo(page);
  await signIn(page);
  await page.goto("/settings/fields");
  await summary(page, "Client Demographics").click();
  await button(page, "Hide the Client Demographics section").click();
  await expectNotification(page, "Now hidden: Client Demographics");
  await expect(button(page, "Show the Client Demographics section")).toBeFocused();
  await expect(summary(page, "Client Demographics")).toContainText("hidden");
  await button(page, "Undo").click();
  await expect(button(page, "Hide the Client Demographics section")).toBeVisible();
  await button(page, "Hide the Client Demographics section").click();
  await expect(button(page, "Show the Client Demographics section")).toBeVisible();
  await page.goto("/clients/new");
  await expect(page.getByRole("heading", { name: "Client Biographical" })).toBeVisible();
  await expect(page.getByRole("heading", { name: "Client Demographics" })).toHaveCount(0);
});
