import type { Page } from "@playwright/test";
import { audit } from "@/e2e/audit";
import { button, DEMO, expect, makeAccount, signIn, uniqueName } from "@/e2e/fixtures";
import { HELP, test } from "@/e2e/organization";
import { pdfText } from "@/e2e/pdf";
import { makeServiceForm } from "@/e2e/records";
import { today } from "@/lib/core/text/format";

// The Home page, and the organization's branding.

const card = (page: Page, title: string) =>
  page.locator("section").filter({ has: page.getByRole("heading", { name: title, exact: true }) });
/** Returns the first number in a text. */
const numberIn = (text: string | null) => Number(/\d+/.exec(text?.replace(",", "") ?? "")?.[0]);

/** Follows a number on Home, which must equal the number of rows in its list. */
async function followNumber(page: Page, title: string, name?: RegExp) {
  await page.goto("/home");
  const number = card(page, title).getByRole("link", { name }).first();
  const count = numberIn(await number.textContent());
  expect(count).toBeGreaterThan(0);
  await number.click();
  await expect(page).not.toHaveURL(/\/home$/);
  await expect(page.getByRole("status").filter({ hasText: / of / })).toHaveText(new RegExp(` of ${count}$`));
}

test("each number on an advocate's Home leads to the list that it counts", async ({ page }) => {
  await signIn(page, DEMO.advocate);
  const client = uniqueName("Begins At Home");
  const { formId } = await makeServiceForm(page, { client, serviceOn: today() });
  for (const key of ["new-1", "new-2"])
    await page.request.put(`/api/drafts/${key}`, { data: { draft: { formId: null, content: {} } } });
  await signIn(page);
  await page.request.post(`/api/forms/${formId}/return`, { data: { comment: "Really half an hour?" } });

  await signIn(page, DEMO.advocate);
  await followNumber(page, "Returned to me", /form/);
  await expect(page.getByRole("table", { name: "Forms" })).toContainText(client);

  await page.goto("/home");
  await expect(
    page.getByRole("region", { name: "Drafts" }).getByRole("link", { name: "Continue" }),
  ).toHaveCount(2);
  const times = card(page, "My time this week").getByRole("link");
  // The time of the whole week, then today's.
  await times.first().click();
  await expect(page.getByRole("table", { name: "Forms" })).toContainText(client);
  await page.goBack();
  await times.nth(1).click();
  await expect(page.getByRole("table", { name: "Forms" })).toContainText(client);

  await page.goto("/home");
  await card(page, "Start something new").getByRole("link", { name: "Phone" }).click();
  await expect(page.getByLabel("Form Type *").locator("option:checked")).toHaveText("Phone");
  await page.goto("/home");
  await card(page, "My newest clients").getByRole("link", { name: "All my clients" }).click();
  await expect(page.getByRole("table", { name: "Clients" })).toContainText(client);
  for (const key of ["new-1", "new-2"]) await page.request.delete(`/api/drafts/${key}`);
});

test("the minutes of forms lead to My Time if the user may no longer open the list of forms", async ({
  page,
  database,
}) => {
  const email = `${uniqueName("moved-on")}@example.org`;
  await makeAccount(database, email, ["forms", "clients", "contacts"]);
  await signIn(page, email);
  await makeServiceForm(page, { client: uniqueName("Earlier Work"), serviceOn: today() });
  await database.query(
    `DELETE FROM role_permissions rp USING users u, permissions p
     WHERE u.email = $1 AND rp.role_id = u.role_id AND p.id = rp.permission_id AND p.name = 'Forms'`,
    [email],
  );
  await page.goto("/home");
  await card(page, "My time this week").getByRole("link").first().click();
  await expect(page.getByRole("heading", { level: 1, name: "My Time" })).toBeVisible();
});

test("Home shows three steps to a user without forms, and no empty part", async ({ page, database }) => {
  const email = `${uniqueName("first-day")}@example.org`;
  await makeAccount(database, email, ["forms", "clients"]);
  await signIn(page, email);
  await page.goto("/home");
  await expect(card(page, "Your first form").getByRole("listitem")).toHaveCount(3);
  await expect(page.getByRole("heading", { level: 2 })).toHaveText([
    "Your first form",
    "Start something new",
  ]);
  await audit(page, "Home of a new user");
});

test("each number on an administrator's Home leads to the list that it counts, and the backup shows its age", async ({
  page,
  database,
}) => {
  const email = `${uniqueName("invited")}@example.org`;
  const { rows } = await database.query("SELECT role_id FROM users WHERE email = $1", [DEMO.advocate]);
  await signIn(page);
  const user = { firstName: "Not", lastName: "Yet", email, roleId: rows[0].role_id };
  expect((await page.request.post("/api/users", { data: { user } })).status()).toBe(201);
  const address = `${uniqueName("former")}@example.org`;
  await database.query(
    `INSERT INTO mails (notice, address, attempts, last_error, next_attempt_at)
     VALUES ('email', $1, 1, '550 No such mailbox', now() + interval '1 day')`,
    [address],
  );

  await followNumber(page, "To review", /form/);
  await page.goto("/home");
  await followNumber(page, "Administration");
  await expect(page.getByLabel("Status", { exact: true })).toHaveValue("invited");
  await expect(page.getByRole("row").filter({ hasText: email })).toContainText("Invited");
  await audit(page, "invited users");
  await page.getByLabel("Status", { exact: true }).selectOption("active");
  await expect(page).toHaveURL(/filters\[status\]=active/);
  await expect(page.getByRole("row").filter({ hasText: email })).toHaveCount(0);
  const active = page.getByRole("row").filter({ hasText: DEMO.advocate });
  await expect(active).toBeVisible();
  await expect(active.locator(".badge")).toHaveCount(0);

  await page.goto("/home");
  const administration = card(page, "Administration");
  await expect(administration).toContainText(/Last backup2 days ago, \d\d\/\d\d\/\d\d \d\d:\d\d [AP]M$/);
  const failed = administration.getByRole("link").nth(1);
  await expect(failed).toHaveText("1");
  await failed.click();
  await expect(page.getByRole("region", { name: "Undelivered email" })).toContainText(address);
  await database.query("DELETE FROM mails WHERE address = $1", [address]);
});

test("a user who chose Home as start page gets it after signing in with this browser, until they change it", async ({
  page,
}) => {
  const signInByHand = async () => {
    await page.goto("/");
    await page.getByLabel("Email").fill(DEMO.advocate);
    await page.getByLabel("Password").fill(DEMO.password);
    await button(page, "Sign In").click();
  };
  await signInByHand();
  await expect(page).toHaveURL(/\/forms$/);
  for (const [chosen, place] of [
    [true, /\/home$/],
    [false, /\/forms$/],
  ] as const) {
    await page.goto("/home");
    await page.getByLabel("Open Home after I sign in on this browser").setChecked(chosen);
    await page.request.delete("/api/logout");
    await signInByHand();
    await expect(page).toHaveURL(place);
  }
});

test("the organization's name, logo and help line are on the login page and on prints", async ({ page }) => {
  const logo = () => page.locator('img[src^="/branding/"]');
  await page.goto("/");
  await expect(page.getByText("Safe Harbor")).toBeVisible();
  await expect(page.getByText(HELP)).toBeVisible();
  const widths = () =>
    logo().evaluateAll((images) => images.map((image) => (image as HTMLImageElement).naturalWidth));
  await expect.poll(widths).toEqual([1]);

  await signIn(page);
  const { formId, clientId } = await makeServiceForm(page, {
    client: uniqueName("Printed Face"),
    serviceOn: today(),
  });
  // In a whole record, the client and each form start a new page.
  for (const [place, heads] of [
    [`/forms/${formId}/edit`, 1],
    [`/clients/${clientId}/print`, 2],
  ] as const) {
    await page.emulateMedia({ media: "screen" });
    await page.goto(place);
    await page.emulateMedia({ media: "print" });
    await expect(logo().filter({ visible: true })).toHaveCount(heads);
    const lines = pdfText(await page.pdf()).split("\n");
    for (const line of ["Safe Harbor", HELP]) expect(lines, place).toContain(line);
  }
});
