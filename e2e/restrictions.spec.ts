import type { Page } from "@playwright/test";
import { audit } from "@/e2e/audit";
import { button, expect, fresh, makeAccount, notified, signIn, test } from "@/e2e/fixtures";
import { makeServiceForm } from "@/e2e/records";

// A client's page → Hidden from colleagues, and what such a colleague finds. Every call is in tests/restrictions.test.ts.

const card = (page: Page) => page.getByRole("heading", { name: "Hidden from colleagues" });

test("a client who is hidden from a colleague is in none of their lists, nor in the finder or at the address, until it is lifted", async ({
  page,
  browser,
  server,
  database,
}) => {
  const email = `${fresh("hidden.from")}@example.org`;
  const lastName = fresh("Featherstonehaugh-Cholmondeley");
  await makeAccount(database, email, ["clients", "forms", "all-forms"]);
  await database.query("UPDATE users SET last_name = $1 WHERE email = $2", [lastName, email]);
  const colleague = await (await browser.newContext({ baseURL: server.url })).newPage();
  await signIn(colleague, email);
  await signIn(page);
  const name = fresh("Heidi Hidden");
  const { clientId } = await makeServiceForm(page, { client: name, serviceOn: "2026-03-04" });

  /** In how many of the clients list, the forms list, the finder and the page of the address the colleague finds the client. */
  async function found() {
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
  expect(await found()).toEqual(everywhere);
  await expect(card(colleague)).toHaveCount(0);

  await page.goto(`/clients/${clientId}`);
  await expect(page.getByText("The client is hidden from nobody.")).toBeVisible();
  await button(page, "Hide the client").click();
  await expect(page.getByRole("alert").filter({ hasText: "Choose a colleague" })).toBeVisible();
  await page.getByLabel("Colleague", { exact: true }).selectOption({ label: `Some ${lastName}` });
  await button(page, "Hide the client").click();
  await notified(page, `Hidden from Some ${lastName}`);
  await expect(button(page, `Lift for Some ${lastName}`)).toBeVisible();
  await expect(page.getByRole("option", { name: `Some ${lastName}` })).toHaveCount(0);
  await audit(page, "a client who is hidden from a colleague");
  expect(await found()).toEqual({ inClients: 0, inForms: 0, inFinder: 0, status: 404, title: "Not found" });

  await button(page, `Lift for Some ${lastName}`).click();
  await notified(page, `Some ${lastName} can see the client again`);
  await expect(page.locator(":focus")).toHaveText("The client is hidden from nobody.");
  expect(await found()).toEqual(everywhere);
  await colleague.context().close();
});
