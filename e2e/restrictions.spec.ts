import type { Page } from "@playwright/test";
import { audit } from "@/e2e/audit";
import { button, expect, expectNotification, makeAccount, signIn, test, uniqueName } from "@/e2e/fixtures";
import { makeServiceForm } from "@/e2e/records";

// A client's page → Hidden from colleagues, and the excluded colleague's view. tests/restrictions.test.ts covers the
// API.

const card = (page: Page) => page.getByRole("heading", { name: "Hidden from colleagues" });

test("a client who is hidden from a colleague is in none of their lists, the finder or at the URL, until the restriction is lifted", async ({
  page,
  browser,
  server,
  database,
}) => {
  const email = `${uniqueName("hidden.from")}@example.org`;
  const lastName = uniqueName("Featherstonehaugh-Cholmondeley");
  await makeAccount(database, email, ["clients", "forms", "all-forms"]);
  await database.query("UPDATE users SET last_name = $1 WHERE email = $2", [lastName, email]);
  const colleague = await (await browser.newContext({ baseURL: server.url })).newPage();
  await signIn(colleague, email);
  await signIn(page);
  const name = uniqueName("Heidi Hidden");
  const { clientId } = await makeServiceForm(page, { client: name, serviceOn: "2026-03-04" });

  /**
   * Returns the number of places where the colleague finds the client: the clients list, the forms list, the finder,
   * and the client's page.
   */
  async function countPlacesFound() {
    await colleague.goto(`/clients?search=${encodeURIComponent(name)}`);
    const inClients = await colleague.getByRole("row").filter({ hasText: name }).count();
    await colleague.goto(`/forms?filters[clientId]=${clientId}&filters[formStatus]=all`);
    const inForms = await colleague.getByRole("row").filter({ hasText: name }).count();
    await colleague.keyboard.press("Control+k");
    const searched = colleague.waitForResponse((response) => response.url().endsWith("/api/clients/search"));
    await colleague.getByRole("combobox", { name: "Client, form number" }).fill(name);
    const inFinder = (await (await searched).json()).clients.length;
    const status = (await colleague.goto(`/clients/${clientId}`))?.status();
    const title = await colleague.getByRole("heading", { level: 1 }).textContent();
    return { inClients, inForms, inFinder, status, title };
  }
  const everywhere = {
    inClients: 1,
    inForms: 1,
    inFinder: 1,
    status: 200,
    title: `Client ${clientId} ${name}`,
  };
  expect(await countPlacesFound()).toEqual(everywhere);
  await expect(card(colleague)).toHaveCount(0);

  await page.goto(`/clients/${clientId}`);
  await expect(page.getByText("Not hidden from anyone.")).toBeVisible();
  await button(page, "Hide the client").click();
  await expect(page.getByRole("alert").filter({ hasText: "Choose a colleague" })).toBeVisible();
  await page.getByLabel("Colleague", { exact: true }).selectOption({ label: `Some ${lastName}` });
  await button(page, "Hide the client").click();
  await expectNotification(page, `Hidden from Some ${lastName}`);
  await expect(button(page, `Stop hiding from Some ${lastName}`)).toBeVisible();
  await expect(page.getByRole("option", { name: `Some ${lastName}` })).toHaveCount(0);
  await audit(page, "a client who is hidden from a colleague");
  expect(await countPlacesFound()).toEqual({
    inClients: 0,
    inForms: 0,
    inFinder: 0,
    status: 404,
    title: "Not found",
  });

  await button(page, `Stop hiding from Some ${lastName}`).click();
  await expectNotification(page, `Some ${lastName} can see the client again`);
  await expect(page.locator(":focus")).toHaveText("Not hidden from anyone.");
  expect(await countPlacesFound()).toEqual(everywhere);
  await colleague.context().close();
});

test("hiding a client from their advocate shows the advocate's work for the client, and hands it over first", async ({
  page,
  browser,
  server,
  database,
}) => {
  const advocate = uniqueName("Advocate");
  const heir = uniqueName("Successor");
  const emailOf = (name: string) => `${name.toLowerCase()}@example.org`;
  for (const name of [advocate, heir]) {
    await makeAccount(database, emailOf(name), ["forms", "clients"]);
    await database.query("UPDATE users SET last_name = $1 WHERE email = $2", [name, emailOf(name)]);
  }
  const desk = await (await browser.newContext({ baseURL: server.url })).newPage();
  await signIn(desk, emailOf(advocate));
  const { clientId, formId } = await makeServiceForm(desk, {
    client: uniqueName("Hilda Handed"),
    serviceOn: "2026-03-04",
  });
  await signIn(page);
  const comment = { comment: "Please check the minutes" };
  expect((await page.request.post(`/api/forms/${formId}/return`, { data: comment })).status()).toBe(200);
  const status = async () => (await desk.request.get(`/api/clients/${clientId}`)).status();

  await page.goto(`/clients/${clientId}`);
  await page.getByLabel("Colleague", { exact: true }).selectOption({ label: `Some ${advocate}` });
  await button(page, "Hide the client").click();
  const dialog = page.getByRole("dialog", { name: `Hide the client from Some ${advocate}` });
  await expect(dialog).toContainText(`Some ${advocate} is this client's advocate and has 1 form.`);
  await expect(dialog).toContainText(`Some ${advocate} can no longer finish returned forms for this client.`);
  await audit(page, "the warning before a client is hidden");
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await expect(dialog).toBeHidden();
  await expect(button(page, "Hide the client")).toBeFocused();
  expect(await status()).toBe(200);

  await button(page, "Hide the client").click();
  await dialog.getByLabel("Hand over first to").selectOption({ label: `Some ${heir}` });
  const gets = `Some ${heir} becomes this client's advocate and gets 1 returned form.`;
  await expect(dialog.getByRole("status")).toContainText(gets);
  await dialog.getByRole("button", { name: "Hand over and hide" }).click();
  await expectNotification(page, `Handed over to Some ${heir}: 1 client and 1 returned form`);
  await expectNotification(page, `Hidden from Some ${advocate}`);
  await expect(dialog).toBeHidden();
  expect(await status()).toBe(404);

  await signIn(desk, emailOf(heir));
  expect((await desk.request.get(`/api/forms/${formId}`)).status()).toBe(200);
  await page.getByLabel("Colleague", { exact: true }).selectOption({ label: `Some ${heir}` });
  await button(page, "Hide the client").click();
  await page.getByRole("button", { name: "Hide anyway" }).click();
  await expectNotification(page, `Hidden from Some ${heir}`);
  expect(await status()).toBe(404);
  await desk.context().close();
});
