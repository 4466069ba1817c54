import type { Page } from "@playwright/test";
import { audit } from "@/e2e/audit";
import { button, expect, expectNotification, makeAccount, signIn, test, uniqueName } from "@/e2e/fixtures";
import { makeServiceForm } from "@/e2e/records";

// A client's page → Merge with…: side-by-side comparison, choice of the remaining values, and the undo on the
// client's page.

const link = (page: Page, name: string) => page.getByRole("link", { name, exact: true });

test("a client who was recorded twice is merged field by field, reported in an open screen, and restored", async ({
  page,
  browser,
  server,
  database,
}) => {
  const email = `${uniqueName("merging.supervisor")}@example.org`;
  await makeAccount(database, email, ["clients", "forms", "all-forms", "audit-log"]);
  await signIn(page, email);
  const serviceOn = "2026-03-04";
  const lastName = uniqueName("Twofold");
  const names = { first: `Theodora ${lastName}`, second: `Teodora ${lastName}` };
  const first = await makeServiceForm(page, { client: names.first, serviceOn });
  const second = await makeServiceForm(page, { client: names.second, serviceOn });
  const response = await page.request.put(`/api/clients/${second.clientId}`, {
    data: {
      client: { name: names.second, clientBiographicalEntryAttributes: { city: "Erie" } },
    },
  });
  expect(response.status()).toBe(200);

  // A colleague has the other record's form open.
  const colleague = await (await browser.newContext({ baseURL: server.url })).newPage();
  await signIn(colleague, email);
  await colleague.goto(`/forms/${second.formId}/edit`);

  await page.goto(`/clients/${first.clientId}`);
  await link(page, "Merge with…").click();
  await expect(page.getByRole("heading", { name: `Merge Client ${first.clientId}`, level: 1 })).toBeVisible();
  await audit(page, "the choice of the other record");
  await page.getByRole("link", { name: names.second }).click();
  const name = page.getByRole("group", { name: "Client Name" });
  await expect(name.getByRole("radio", { name: /^Record to keep/ })).toBeChecked();
  await expect(
    page.getByRole("group", { name: "City" }).getByRole("radio", { name: /^Other/ }),
  ).toBeChecked();
  await button(page, "Use all values of the other record").click();
  await expect(name.getByRole("radio", { name: /^Other/ })).toBeChecked();
  await name.getByRole("radio", { name: /^Record to keep/ }).check();
  await expect(page.getByRole("listitem").filter({ hasText: "City: added Erie" })).toBeVisible();
  await audit(page, "two records side by side");
  await link(page, "Cancel").click();
  const leave = page.getByRole("dialog", { name: "Leave without saving?" });
  await leave.getByRole("button", { name: "Stay" }).click();
  await button(page, "Merge").click();
  await expectNotification(page, `Merged client ${second.clientId} into client ${first.clientId}`);
  await expect(
    page.getByText(`Client ${second.clientId} was merged into client ${first.clientId}`),
  ).toBeVisible();
  await expect(page.getByRole("heading", { name: names.first })).toBeVisible();
  await page.getByText("Client details").click();
  await expect(page.getByText("Erie", { exact: true })).toBeVisible();
  await audit(page, "a client with a merged record");
  // Bookmarks of the deleted record.
  for (const under of ["/edit", "/merge", "/print", ""]) {
    await page.goto(`/clients/${second.clientId}${under}`);
    await expect(page).toHaveURL(`/clients/${first.clientId}${under}`);
  }

  // The colleague's save is refused with a message, and then saved for the remaining client.
  await colleague.getByRole("textbox", { name: "Service On" }).fill("03/05/2026");
  await button(colleague, "Update").click();
  await expect(
    colleague.getByText("This client was merged into another record since you opened it"),
  ).toBeVisible();
  await button(colleague, "Compare and choose").click();
  await button(colleague, "Use these").click();
  await button(colleague, "Update").click();
  await colleague.waitForURL(/\/forms(\?|$)/);
  const { form } = await (await page.request.get(`/api/forms/${second.formId}`)).json();
  expect(form).toMatchObject({ clientId: first.clientId, serviceOn: "2026-03-05" });
  await colleague.context().close();

  // Values changed since then are listed before the merge is undone.
  const { client } = await (await page.request.get(`/api/clients/${first.clientId}`)).json();
  const values = {
    name: client.name,
    lockVersion: client.lockVersion,
    clientBiographicalEntryAttributes: { ...client.clientBiographicalEntry, city: "Pittsburgh" },
  };
  const put = await page.request.put(`/api/clients/${first.clientId}`, { data: { client: values } });
  expect(put.status()).toBe(200);
  await button(page, "Undo").click();
  await button(page, "Undo the merge").click();
  await expect(page.getByRole("alert").filter({ hasText: "changed since the merge" })).toContainText(
    "Client Biographical: City",
  );
  await audit(page, "undoing a merge");
  await button(page, "Undo, but keep these changes").click();
  await expectNotification(page, `Client ${second.clientId} is a separate record again`);
  await page.getByText("Client details").click();
  await expect(page.getByText("Pittsburgh", { exact: true })).toBeVisible();
  await expect(page.getByRole("heading", { name: "Merged records" })).toHaveCount(0);
  await page.goto(`/clients/${second.clientId}`);
  await expect(page.getByRole("heading", { name: names.second })).toBeVisible();
});
