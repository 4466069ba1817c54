import { audit } from "@/e2e/audit";
import { button, expect, expectNotification, makeAccount, signIn, test, uniqueName } from "@/e2e/fixtures";
import { makeServiceForm } from "@/e2e/records";

// Settings → Users → an account: invite, hand over, deactivate. tests/offboarding.test.ts covers the API.

test("an account is deactivated and its work handed over with one confirmation", async ({
  page,
  browser,
  server,
  database,
}) => {
  const leaver = uniqueName("Leaver");
  const heir = uniqueName("Heir");
  const emailOf = (name: string) => `${name.toLowerCase()}@example.org`;
  for (const name of [leaver, heir]) {
    await makeAccount(database, emailOf(name), ["forms", "clients"]);
    await database.query("UPDATE users SET last_name = $1 WHERE email = $2", [name, emailOf(name)]);
  }
  const desk = await (await browser.newContext({ baseURL: server.url })).newPage();
  await signIn(desk, emailOf(leaver));
  const { clientId } = await makeServiceForm(desk, {
    client: uniqueName("Olive Owned"),
    serviceOn: "2026-03-04",
  });
  const content = { draft: { formId: null, content: { clientId } } };
  expect((await desk.request.put("/api/drafts/begun", { data: content })).status()).toBe(200);
  const idOf = async (name: string) =>
    (await database.query("SELECT id FROM users WHERE email = $1", [emailOf(name)])).rows[0].id;
  const ownerOf = async () =>
    (await database.query("SELECT user_id FROM clients WHERE id = $1", [clientId])).rows[0].user_id;

  await signIn(page);
  await page.goto(`/settings/users/${await idOf(leaver)}/edit`);
  await button(page, "Deactivate").click();
  const dialog = page.getByRole("dialog", { name: `Deactivate Some ${leaver}` });
  await expect(dialog).toContainText("1 client and 1 draft");
  await expect(dialog).toContainText("1 device, will be signed out");
  await expect(dialog).toContainText("deleted 7 days after their last change");
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await expect(dialog).toBeHidden();
  await expect(button(page, "Deactivate")).toBeFocused();
  expect(await ownerOf()).toBe(await idOf(leaver));

  await button(page, "Deactivate").click();
  await dialog.getByLabel("Hand over to").selectOption({ label: `Some ${heir}` });
  await audit(page, "the dialog that deactivates an account");
  await dialog.getByRole("button", { name: "Hand over and deactivate", exact: true }).click();
  await expectNotification(page, `Handed over to Some ${heir}: 1 client and 1 draft`);
  await expectNotification(page, `Deactivated Some ${leaver}`);
  await expect(page.getByRole("heading", { name: "Account: Deactivated" })).toBeVisible();
  expect(await ownerOf()).toBe(await idOf(heir));
  expect((await desk.request.get("/api/me")).status()).toBe(401);

  await button(page, "Reactivate").click();
  await expectNotification(page, `Reactivated Some ${leaver}`);
  await expect(button(page, "Hand over")).toHaveCount(0);
  await desk.context().close();
});

test("work can be handed over without deactivating the account, and an account without work can be deactivated", async ({
  page,
  browser,
  server,
  database,
}) => {
  const person = uniqueName("Away");
  const heir = uniqueName("Stand-in");
  const emailOf = (name: string) => `${name.toLowerCase()}@example.org`;
  for (const name of [person, heir]) {
    await makeAccount(database, emailOf(name), ["forms", "clients"]);
    await database.query("UPDATE users SET last_name = $1 WHERE email = $2", [name, emailOf(name)]);
  }
  const desk = await (await browser.newContext({ baseURL: server.url })).newPage();
  await signIn(desk, emailOf(person));
  await makeServiceForm(desk, { client: uniqueName("Olive Owned"), serviceOn: "2026-03-04" });
  await desk.context().close();
  const { id } = (await database.query("SELECT id FROM users WHERE email = $1", [emailOf(person)])).rows[0];

  await signIn(page);
  await page.goto(`/settings/users/${id}/edit`);
  await button(page, "Hand over").click();
  const dialog = page.getByRole("dialog", { name: `Hand over the work of Some ${person}` });
  const confirm = dialog.getByRole("button", { name: "Hand over", exact: true });
  await expect(confirm).toBeDisabled();
  await dialog.getByLabel("Hand over to").selectOption({ label: `Some ${heir}` });
  await confirm.click();
  await expectNotification(page, `Handed over to Some ${heir}: 1 client`);
  await expect(page.getByRole("heading", { name: "Account: Active" })).toBeVisible();

  await button(page, "Deactivate").click();
  const question = page.getByRole("dialog", { name: `Deactivate Some ${person}` });
  await expect(question).toContainText("No clients, drafts, or returned forms");
  await expect(question.getByLabel("Hand over to")).toHaveCount(0);
  // A change that a colleague saves during that time stays.
  await database.query("UPDATE users SET first_name = 'Renamed' WHERE id = $1", [id]);
  await question.getByRole("button", { name: "Deactivate", exact: true }).click();
  await expectNotification(page, `Deactivated Some ${person}`);
  const { rows } = await database.query("SELECT first_name, active FROM users WHERE id = $1", [id]);
  expect(rows).toEqual([{ first_name: "Renamed", active: false }]);
});

test("a new user's invitation is announced, confirmed and can be sent again", async ({ page, database }) => {
  const email = `${uniqueName("ina")}@example.org`;
  await signIn(page);
  await page.goto("/settings/users/new");
  await expect(page.getByText("an invitation is sent to the email address above")).toBeVisible();
  await page.getByLabel("First Name").fill("Ina");
  await page.getByLabel("Last Name").fill("Invited");
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Role").selectOption("Advocate");
  await button(page, "Save").click();
  await expectNotification(page, "Created user successfully");
  await expectNotification(page, `Invitation sent to ${email}, valid for 7 days`);

  const { id } = (await database.query("SELECT id FROM users WHERE email = $1", [email])).rows[0];
  await page.goto(`/settings/users/${id}/edit`);
  await expect(page.getByRole("heading", { name: "Account: Invited" })).toBeVisible();
  await button(page, "Send again").click();
  await expectNotification(page, `Invitation sent to ${email}, valid for 7 days`);
  const open = "SELECT count(*)::int AS links FROM tokens WHERE user_id = $1 AND used_at IS NULL";
  expect((await database.query(open, [id])).rows[0].links).toBe(1);
});
