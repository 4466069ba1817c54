import type { Page } from "@playwright/test";
import { audit } from "@/e2e/audit";
import { button, DEMO, expect, expectNotification, signIn, test, uniqueName } from "@/e2e/fixtures";

// Settings → Retention: due clients, clients under a legal hold, and the remains of a purge on the screens.

const row = (page: Page, text: string) => page.getByRole("row").filter({ hasText: text });

test("due clients are put under a hold or purged, after a confirmation with the password", async ({
  page,
  database,
}) => {
  await signIn(page);
  const goneName = uniqueName("Greta Gone");
  const heldName = uniqueName("Hanna Held");
  const pairs: { clientId: number; formId: number }[] = [];
  const { formTypes } = await (await page.request.get("/api/resource_lists/form_types")).json();
  const { id: formTypeId } = formTypes.find(({ name }: { name: string }) => name === "Service");
  for (const name of [goneName, heldName]) {
    const { client } = await (await page.request.post("/api/clients", { data: { client: { name } } })).json();
    const form = { clientId: client.id, formTypeId, serviceOn: "2010-03-04", serviceStatus: "Served" };
    const saved = await page.request.post("/api/forms", {
      data: { form: { ...form, verbalConfirmation: true } },
    });
    pairs.push({ clientId: client.id, formId: (await saved.json()).form.id });
  }
  const [due, onHold] = pairs;
  const ids = pairs.map(({ clientId }) => clientId);
  await database.query("UPDATE clients SET updated_at = '2010-03-04' WHERE id = ANY($1)", [ids]);
  await database.query("UPDATE forms SET updated_at = '2010-03-04' WHERE client_id = ANY($1)", [ids]);

  await page.goto("/settings");
  await page.getByRole("link", { name: "Retention", exact: true }).first().click();
  await expect(page.getByRole("heading", { name: "Retention", level: 1 })).toBeVisible();
  await expect(page.getByText("Set a number of years above to see which clients are due.")).toBeVisible();
  await page.getByLabel("Years without activity").fill("7 years");
  await button(page, "Save").click();
  await expect(page.getByRole("alert").filter({ hasText: "must be a number" })).toBeVisible();
  await page.getByLabel("Years without activity").fill("0");
  await button(page, "Save").click();
  await expect(page.getByRole("alert").filter({ hasText: "1 or more" })).toBeVisible();
  await page.getByLabel("Years without activity").fill("7");
  await button(page, "Save").click();
  await expectNotification(page, "Updated retention successfully");
  await expect(row(page, goneName)).toContainText("03/04/2010");
  await audit(page, "retention");

  await row(page, heldName).getByRole("button", { name: "Place hold" }).click();
  await page.getByLabel("Reason *").fill("Subpoena of May");
  await audit(page, "the dialog for a hold's reason");
  // The reason stays while the list is read, and leaving asks first.
  await page.keyboard.press("Escape");
  await page.getByRole("link", { name: heldName }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Stay" }).click();
  await row(page, heldName).getByRole("button", { name: "Place hold" }).click();
  await expect(page.getByLabel("Reason *")).toHaveValue("Subpoena of May");
  await page.getByRole("dialog").getByRole("button", { name: "Place hold", exact: true }).click();
  await expectNotification(page, "Placed the client under legal hold");
  await expect(row(page, heldName)).toHaveCount(0);

  // The session's password confirmation has expired.
  await database.query("UPDATE sessions SET proved_at = now() - interval '1 day'");
  await page.getByRole("checkbox", { name: `Select ${goneName}` }).check();
  await button(page, "Purge 1 client").click();
  const dialog = page.getByRole("dialog", { name: "Purge 1 client?" });
  await expect(dialog).toContainText(/cannot be undone.*in backups until \d\d\/\d\d\/\d{4}/);
  await dialog.getByRole("button", { name: "Purge", exact: true }).click();
  await page.getByRole("dialog").getByLabel("Password").fill(DEMO.password);
  await page.keyboard.press("Enter");
  await expectNotification(page, "Purged 1 client");
  await expect(row(page, goneName)).toHaveCount(0);
  await expect(page.getByText("No clients are due.")).toBeVisible();

  await page.getByLabel("Show", { exact: true }).selectOption({ label: "Clients under legal hold" });
  await expect(row(page, heldName)).toContainText("Subpoena of May");
  await audit(page, "clients under legal hold");
  await page.goto(`/clients/${onHold?.clientId}`);
  await expect(page.getByText(/Subpoena of May \(/)).toBeVisible();
  await button(page, "Lift hold").click();
  await page.getByRole("dialog").getByRole("button", { name: "Lift hold", exact: true }).click();
  await expectNotification(page, "Lifted the legal hold");
  await expect(page.getByText("No legal hold. The client can be purged when due.")).toBeVisible();

  // The form remains readable.
  expect((await page.goto(`/clients/${due?.clientId}`))?.status()).toBe(404);
  await page.goto(`/forms?filters[clientId]=${due?.clientId}`);
  await expect(row(page, "Removed client")).toHaveCount(1);
  await page.getByRole("link", { name: "Removed client" }).click();
  await expect(page).toHaveURL(/\/forms\/\d+/);
  await expect(page.getByRole("heading", { level: 1, name: /^Form \d+/ })).toBeVisible();
  await page.goto(`/forms/${due?.formId}/edit`);
  await expect(page.getByText(/this form counts in reports/)).toBeVisible();
  await expect(page.getByRole("textbox", { name: "Service On" })).toBeDisabled();
  await expect(button(page, "Update")).toHaveCount(0);
  await audit(page, "the form of a purged client");

  // No client is due any more for the other tests on this server.
  const nobody = { data: { retention: { years: null, nightly: false } } };
  expect((await page.request.put("/api/retention", nobody)).status()).toBe(200);
  const again = { data: { hold: { reason: "Subpoena of June" } } };
  expect((await page.request.put(`/api/clients/${onHold?.clientId}/hold`, again)).status()).toBeLessThan(300);
});

test("the password prompt is above the dialog that needs it, which waits behind it unchanged", async ({
  page,
  database,
}) => {
  await signIn(page);
  const { client } = await (
    await page.request.post("/api/clients", { data: { client: { name: uniqueName("Hilda Held") } } })
  ).json();
  const data = { hold: { reason: "Subpoena of July" } };
  expect((await page.request.put(`/api/clients/${client.id}/hold`, { data })).ok()).toBe(true);
  await database.query("UPDATE sessions SET proved_at = now() - interval '1 day'");
  await page.goto(`/clients/${client.id}`);
  await button(page, "Lift hold").click();
  const lift = page.getByRole("dialog", { name: `Lift the legal hold on client ${client.id}` });
  const proof = page.getByRole("dialog", { name: "Please enter your password" });
  await lift.getByRole("button", { name: "Lift hold", exact: true }).click();
  await expect(proof.getByLabel("Password *")).toBeFocused();

  await proof.getByRole("button", { name: "Cancel" }).click();
  await expect(proof).toBeHidden();
  await expect(lift.getByRole("alert")).toContainText("Please enter your password");

  await lift.getByRole("button", { name: "Lift hold", exact: true }).click();
  await expect(proof.getByLabel("Password *")).toBeFocused();
  await page.keyboard.type("not the password");
  await proof.getByRole("button", { name: "Confirm" }).click();
  await expect(proof.getByRole("alert").or(proof.locator("[aria-invalid=true]")).first()).toBeVisible();
  await audit(page, "a wrong password in the prompt over a dialog");

  await proof.getByLabel("Password *").fill("");
  await page.keyboard.type(DEMO.password);
  await proof.getByRole("button", { name: "Confirm" }).click();
  await expectNotification(page, "Lifted the legal hold");
  await expect(page.getByText("No legal hold. The client can be purged when due.")).toBeVisible();
});
