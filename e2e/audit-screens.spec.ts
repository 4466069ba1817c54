import type { Page } from "@playwright/test";
import { audit, DESK } from "@/e2e/audit";
import { DEMO, expect, makeAccount, test, uniqueName } from "@/e2e/fixtures";
import { makeServiceForm } from "@/e2e/records";

// The screens of the audit trail and of other users' accounts: accessible in both color schemes and both
// sizes, and the Audit Log's file.

const NAME = "Kanarienvogel Álvarez";

test.use({ viewport: DESK, colorScheme: "light" });

async function signIn(page: Page) {
  const data = { email: DEMO.administrator, password: DEMO.password };
  expect((await page.request.post("/api/login", { data })).status()).toBe(200);
}

test("the Audit Log and the histories are accessible, show changes in plain words, and export no client name", async ({
  page,
}) => {
  await signIn(page);
  const post = async (path: string, data: object) => {
    const response = await page.request.post(path, { data });
    expect(response.ok(), await response.text()).toBe(true);
    return response.json();
  };
  const { client } = await post("/api/clients", { client: { name: NAME } });
  for (const _ of ["changes the name", "changes nothing"])
    await page.request.put(`/api/clients/${client.id}`, { data: { client: { name: `${NAME} the Second` } } });
  for (const _ of ["once", "twice"]) await page.request.get(`/api/clients/${client.id}`);
  const { formTypes } = await (await page.request.get("/api/resource_lists/form_types")).json();
  const { form } = await post("/api/forms", {
    form: {
      clientId: client.id,
      formTypeId: formTypes.find(({ name }: { name: string }) => name === "Service").id,
      serviceOn: "2026-03-04",
      serviceStatus: "Served",
      verbalConfirmation: true,
    },
  });
  await post(`/api/forms/${form.id}/return`, { comment: "How long was the hearing?" });
  await post(`/api/forms/${form.id}/reconcile`, { reconciled: true });

  await page.goto(`/forms/${form.id}/history`);
  await expect(page.getByText("How long was the hearing?").first()).toBeVisible();
  await audit(page, "a form's history");
  await page.goto(`/clients/${client.id}/history`);
  await expect(page.getByText(`${NAME} the Second`)).toBeVisible();
  await expect(page.getByText(`Client Name: ${NAME} → ${NAME} the Second`)).toBeVisible();
  await expect(page.getByRole("heading", { level: 2 })).toHaveText(["Changed", "Created"]);
  const openedHeading = page.getByRole("heading", { name: /^Opened/ });
  await expect(openedHeading).toHaveCount(0);
  await page.getByLabel(/^Show views/).check();
  await expect(page).toHaveURL(/filters\[views\]=true/);
  await expect(openedHeading.first()).toBeVisible();
  await audit(page, "a client's history");

  await page.goto("/settings/audit_log");
  const record = page.getByLabel("Record", { exact: true });
  await expect(record).toBeHidden();
  await page.getByRole("button", { name: "More filters" }).click();
  await record.selectOption("client");
  await expect(page).toHaveURL(/filters\[entity\]=client$/);
  await page.goto(`/settings/audit_log?filters[entity]=client&filters[entityId]=${client.id}`);
  await expect(record).toHaveValue("client");
  const main = page.locator("main");
  await expect(
    page.getByRole("row", { name: `Changed client ${client.id} Client Name this server` }),
  ).toBeVisible();
  // A save without a change is a view.
  await expect(main.getByText("Saved without changes")).toHaveCount(0);
  await expect(main.getByText(`Opened client ${client.id}`)).toHaveCount(0);
  await page.getByLabel(/^Show views/).check();
  await expect(main.getByText(`Opened client ${client.id}`).first()).toBeVisible();
  await page.getByLabel(/^Show views/).uncheck();
  await expect(main.getByText(`Opened client ${client.id}`)).toHaveCount(0);
  await audit(page, "audit log");
  await page.goto("/settings/audit_log?filters[entity]=client&filters[entityId]=999999999");
  await expect(main.getByText("No matching events. Views are not shown.")).toBeVisible();
  await page.goto(`/settings/audit_log?filters[entity]=client&filters[entityId]=${client.id}`);
  await page.getByRole("button", { name: "Export" }).click();
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("link", { name: "CSV" }).click(),
  ]);
  const text = (await (await download.createReadStream()).toArray()).join("");
  expect(text).toContain("Id,When,Who,What,Fields,IP Address");
  expect(text).toContain(`Changed client ${client.id},Client Name,this server`);
  expect(text).not.toContain("Opened");
  expect(text).not.toContain("Kanarienvogel");
  await expect(page.locator("main")).not.toContainText("Kanarienvogel");
});

test("a form's history describes added, changed and removed services in words", async ({ page }) => {
  await signIn(page);
  const { formId } = await makeServiceForm(page, { client: uniqueName("In Words"), serviceOn: "2026-03-04" });
  const storedForm = async () => (await (await page.request.get(`/api/forms/${formId}`)).json()).form;
  const save = async (rows: (stored: { id: number }[]) => object[]) => {
    const form = await storedForm();
    const { clientId, formTypeId, serviceOn, serviceStatus, verbalConfirmation, lockVersion, serviceEntry } =
      form;
    const serviceProvidedEntriesAttributes = rows(serviceEntry.serviceProvidedEntries);
    const body = { clientId, formTypeId, serviceOn, serviceStatus, verbalConfirmation, lockVersion };
    const data = { form: { ...body, serviceEntryAttributes: { serviceProvidedEntriesAttributes } } };
    const response = await page.request.put(`/api/forms/${formId}`, { data });
    expect(response.status(), await response.text()).toBe(200);
  };
  await save(([row]) => [{ id: row?.id, minutes: 45 }]);
  await save(() => []);
  await page.goto(`/forms/${formId}/history`);
  for (const text of ["Removed CRISIS, 45 min", "CRISIS: 30 min → 45 min", "CRISIS, 30 min"])
    await expect(page.getByRole("listitem").getByText(text, { exact: true })).toBeVisible();
});

test("with the embedded PostgreSQL too, the server's role can change neither the audit trail nor the schema", async ({
  page,
  database,
}) => {
  await signIn(page);
  const { rows } = await database.query(`
    SELECT DISTINCT a.usename::text AS name, r.rolsuper AS super, has_schema_privilege(r.oid, 'public', 'CREATE') AS alters,
      has_table_privilege(r.oid, 'audit_events', 'DELETE, TRUNCATE')
        OR has_any_column_privilege(r.oid, 'audit_events', 'UPDATE') AS bends
    FROM pg_stat_activity a JOIN pg_roles r ON r.rolname = a.usename
    WHERE a.datname = current_database() AND a.backend_type = 'client backend' AND a.pid <> pg_backend_pid()`);
  expect(rows).toEqual([{ name: "lanternbook_program", super: false, alters: false, bends: false }]);
});

test("the screen of another user's account and the password prompt are accessible", async ({
  page,
  database,
}) => {
  const email = `${uniqueName("somebody-who-leaves")}@example.org`;
  await makeAccount(database, email, ["forms", "clients"]);
  const { rows } = await database.query("SELECT id FROM users WHERE email = $1", [email]);
  await signIn(page);
  await page.goto(`/settings/users/${rows[0].id}/edit`);
  await expect(page.getByRole("button", { name: "End sessions" })).toBeEnabled();
  await audit(page, "an account");
  await database.query("UPDATE sessions SET proved_at = now() - interval '1 hour'");
  await page.getByRole("button", { name: "End sessions" }).click();
  await expect(page.getByRole("dialog", { name: "Please enter your password" })).toBeVisible();
  await audit(page, "the password prompt");
});
