import type { Page } from "@playwright/test";
import { audit, auditFocus, DESK, PHONE, smallTargets } from "@/e2e/audit";
import {
  button,
  expect,
  expectNotification,
  holdRequests,
  keepUndo,
  makeAccount,
  signIn,
  test,
  uniqueName,
  waitUntilInteractive,
} from "@/e2e/fixtures";
import { createRecord } from "@/e2e/records";
import { addDays, date, initials, today } from "@/lib/core/text/format";

// The shelter board: who is in by initials, move in, move, move out, and the client's stays.

test.use({ viewport: DESK, colorScheme: "light" });

const stays = (page: Page, shelter: string) => page.getByRole("table", { name: `Stays in ${shelter}` });
const row = (page: Page, shelter: string, name: string) =>
  stays(page, shelter)
    .getByRole("row")
    .filter({ hasText: initials(name) });
const dialog = (page: Page, title: string) => page.getByRole("dialog", { name: title });

/** Creates two shelters with unique names. */
async function makeShelters(page: Page): Promise<[first: string, second: string]> {
  const names: [string, string] = [uniqueName("North House"), uniqueName("South House")];
  for (const name of names)
    await createRecord(page, "/api/shelters", { shelter: { name, kind: "In-house", beds: 6 } });
  return names;
}

test("New Client and Move in name recorded clients with a similar name before anything is saved", async ({
  page,
}) => {
  await signIn(page);
  const [north] = await makeShelters(page);
  const name = `${uniqueName("Katarzyna")} Wójcik`;
  const similar = name.replace("Katarzyna", "Catarzyna").replace("Wójcik", "Wojcik");
  const { client } = await createRecord(page, "/api/clients", { client: { name } });

  await page.goto("/clients/new");
  await page.getByLabel("Client Name *").fill(similar);
  await expect(page.getByText(/^Already recorded\? Open one of these clients/)).toBeVisible();
  await expect(page.getByRole("link", { name })).toHaveAttribute("href", `/clients/${client.id}`);
  await page.getByLabel("Client Name *").fill("");
  await expect(page.getByText(/^Already recorded/)).toBeHidden();

  await page.goto("/shelter");
  await button(page, "Move in").click();
  const moveIn = dialog(page, "Move in");
  await moveIn.getByLabel("Client *").fill(similar);
  await moveIn.getByRole("option", { name: `New client: ${similar}` }).click();
  await expect(moveIn.getByText(/^Already recorded\?/)).toBeVisible();
  await moveIn.getByRole("button", { name }).click();
  await expect(moveIn.getByLabel("Client *")).toHaveValue(name);
  await expect(moveIn.getByText(/^Already recorded/)).toBeHidden();
  await moveIn.getByLabel("Shelter *").selectOption({ label: north });
  await button(page, "Move in").last().click();
  await expectNotification(page, "Moved in successfully");
  const { stays } = await (await page.request.get(`/api/stays?filters[clientId]=${client.id}`)).json();
  expect(stays).toHaveLength(1);
});

test("a family moves in, to another shelter and out again, by initials, and its name is shown on request", async ({
  page,
  database,
}) => {
  await keepUndo(page);
  await signIn(page);
  const [north, south] = await makeShelters(page);
  const name = `${uniqueName("Xaviera")} Qualm`;
  await page.goto("/shelter");
  await page.keyboard.press("m");
  const moveIn = dialog(page, "Move in");
  await expect(moveIn.getByLabel("Client *")).toBeFocused();
  await page.keyboard.type(name);
  await expect(moveIn.getByRole("option", { name: `New client: ${name}`, selected: true })).toBeVisible();
  await page.keyboard.press("Enter");
  await moveIn.getByLabel("Shelter *").selectOption({ label: north });
  await moveIn.getByLabel("Other Adults").fill("100");
  await button(page, "Move in").last().click();
  await expect(moveIn).toContainText("Other Adults must be at most 99");
  await moveIn.getByLabel("Other Adults").fill("1");
  await moveIn.getByLabel("Children Under 13").fill("3");
  await page.keyboard.press("Enter");
  await expectNotification(page, "Moved in successfully");
  await expect(row(page, north, name)).toContainText("5");
  await expect(page.getByText("In-house · 5 beds taken, 1 free of 6")).toBeVisible();
  await expect(page.locator("body")).not.toContainText(name);

  await row(page, north, name).getByRole("button", { name: "Show name" }).click();
  await expect(stays(page, north).getByRole("link", { name })).toBeVisible();
  const { rows } = await database.query(
    `SELECT count(*)::int AS count FROM audit_events WHERE entity = 'stay' AND action = 'revealed'
       AND client_id = (SELECT id FROM clients WHERE name = $1)`,
    [name],
  );
  expect(rows[0].count).toBe(1);
  await stays(page, north).getByRole("button", { name: "Hide name" }).click();

  await row(page, north, name)
    .getByRole("button", { name: /^Move .* to another shelter$/ })
    .click();
  const move = page.getByRole("dialog");
  await move.getByLabel("Shelter *").selectOption({ label: south });
  await button(page, "Move").last().click();
  await expectNotification(page, "Moved successfully");
  await expect(row(page, south, name)).toContainText("5");
  await expect(stays(page, north)).toBeHidden();

  await row(page, south, name)
    .getByRole("button", { name: /^Move out/ })
    .click();
  const out = page.getByRole("dialog");
  await expect(out.getByLabel("Left On", { exact: true })).toHaveValue(date(today()));
  await out.getByLabel("Exit Destination").selectOption("Family or friends");
  await out.getByRole("button", { name: "Move out" }).click();
  await expectNotification(page, "Moved out successfully");
  await expect(stays(page, south)).toBeHidden();
  await page.keyboard.press("u");
  await expect(row(page, south, name)).toBeVisible();
});

test("a client with a record moves in once, and the client's page shows, changes and removes the stays", async ({
  page,
}) => {
  await signIn(page);
  const [north, south] = await makeShelters(page);
  const name = `${uniqueName("Yolanda")} Zephyr`;
  const { client } = await createRecord(page, "/api/clients", { client: { name } });
  const { shelters } = await (await page.request.get("/api/resource_lists/shelters")).json();
  const idOf = (shelter: string) => shelters.find((one: { name: string }) => one.name === shelter).id;
  const enteredOn = addDays(today(), -70);
  const { stay } = await createRecord(page, "/api/stays", {
    stay: { clientId: client.id, shelterId: idOf(north), enteredOn },
  });

  await page.goto("/shelter");
  await expect(row(page, north, name)).toContainText("70 nights");
  await expect(row(page, north, name)).toContainText("Long stay");
  await button(page, "Move in").click();
  const moveIn = dialog(page, "Move in");
  await moveIn.getByLabel("Client *").fill(name);
  await moveIn.getByRole("option", { name }).first().click();
  await moveIn.getByLabel("Shelter *").selectOption({ label: south });
  const arrive = await holdRequests(page, /\/api\/stays$/);
  await button(page, "Move in").last().click();
  await expect(moveIn.getByLabel("Shelter *")).toBeDisabled();
  // Nothing closes the dialog before it can show the response.
  await page.mouse.click(5, 5);
  await button(page, "Close").click();
  arrive();
  await expect(
    moveIn.getByText(`The client has been in ${north} since ${date(enteredOn)}`).first(),
  ).toBeVisible();
  // Neither Escape nor a click outside discards what was entered.
  await page.keyboard.press("Escape");
  await page.mouse.click(5, 5);
  await expect(moveIn.getByLabel("Client *")).toHaveValue(name);
  await button(page, "Close").click();
  await expect(moveIn).toBeHidden();

  await page.goto("/home");
  await expect(page.getByRole("link", { name: `${initials(name)} · ${north}` })).toBeVisible();

  await page.goto(`/clients/${client.id}`);
  const table = page.getByRole("table", { name: "Stays" });
  await expect(table).toContainText("still there");
  const safety = page.getByRole("region", { name: "Safety" });
  await expect(safety).toContainText(`${north}, since`);
  await table.getByRole("link", { name: date(enteredOn) }).click();
  await expect(page.getByRole("heading", { level: 1, name: `Edit Stay ${stay.id}` })).toBeVisible();
  await waitUntilInteractive(page);
  await page.getByLabel("Left On", { exact: true }).fill("01/01/2000");
  await button(page, "Update").click();
  await expect(page.getByText(`Left On must not be before ${date(enteredOn)}`).first()).toBeVisible();
  await page.getByLabel("Left On", { exact: true }).fill(date(addDays(enteredOn, 10)));
  await button(page, "Update").click();
  await expectNotification(page, "Updated stay successfully");
  await expect(table).toContainText("10 nights");
  await expect(safety).not.toContainText(north);
  await page.goto(`/clients/${client.id}/print`);
  await expect(page.getByText(`${north}, 10 nights, 1 person`)).toBeVisible();

  await page.goto(`/stays/${stay.id}/history?client=1`);
  await expect(page.getByText("Left On").first()).toBeVisible();
  await page.goto(`/stays/${stay.id}/edit?client=1`);
  await expect(page.getByRole("navigation", { name: "Main" }).locator("[aria-current]")).toHaveText(
    "Shelter",
  );
  await button(page, "Remove").click();
  await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
  await expectNotification(page, "Removed stay successfully");
  await expect(page.getByText("No stays in shelter.")).toBeVisible();
});

test("a stay that someone else has changed is compared field by field, and keeps what was typed", async ({
  page,
}) => {
  await signIn(page);
  const [north, south] = await makeShelters(page);
  const { client } = await createRecord(page, "/api/clients", { client: { name: uniqueName("Zora") } });
  const { shelters } = await (await page.request.get("/api/resource_lists/shelters")).json();
  const [northId, southId] = [north, south].map(
    (shelter) => shelters.find(({ name }: { name: string }) => name === shelter).id,
  );
  const { stay } = await createRecord(page, "/api/stays", {
    stay: { clientId: client.id, shelterId: northId, enteredOn: addDays(today(), -5) },
  });
  await page.goto(`/stays/${stay.id}/edit`);
  await page.getByLabel("Other Adults").fill("2");
  await page.getByLabel("Children Under 13").fill("1");
  const change = { shelterId: southId, adults: 3 };
  expect((await page.request.put(`/api/stays/${stay.id}`, { data: { stay: change } })).status()).toBe(200);
  await button(page, "Update").click();
  await expect(page.getByLabel("Other Adults")).toHaveValue("2");
  await button(page, "Compare and choose").click();
  const choice = dialog(page, "Changed by someone else");
  const side = (field: string, name: RegExp) =>
    choice.getByRole("group", { name: field }).getByRole("radio", { name });
  await expect(side("Other Adults", /^Mine/)).toBeChecked();
  await expect(side("Shelter", /^Theirs/)).toBeChecked();
  await audit(page, "stay, conflict");
  await choice.getByRole("button", { name: "Use these" }).click();
  await expect(page.getByLabel("Shelter *").locator("option:checked")).toHaveText(south);
  await button(page, "Update").click();
  await expectNotification(page, "Updated stay successfully");
  const stored = await (await page.request.get(`/api/stays/${stay.id}`)).json();
  expect(stored.stay).toMatchObject({ shelterId: southId, adults: 2, childrenUnderThirteen: 1 });
});

test("the screens of stays are accessible, also at 360 px and in both color schemes", async ({ page }) => {
  await signIn(page);
  await page.goto("/shelter");
  await expect(page.getByRole("heading", { level: 1, name: "Shelter" })).toBeVisible();
  await expect(stays(page, "Lantern House")).toBeVisible();
  await audit(page, "shelter board");
  await page.setViewportSize(PHONE);
  expect(await smallTargets(page.getByRole("main"))).toEqual([]);
  // The motel of the demo.
  await expect(page.getByText("Hotel or motel · 2 beds taken, number not fixed")).toBeVisible();
  await auditFocus(page, "shelter board");
  await button(page, "Move in").click();
  await expect(dialog(page, "Move in").getByLabel("Client *")).toBeFocused();
  await audit(page, "move in");
  await page.keyboard.press("Escape");
  await stays(page, "Lantern House")
    .getByRole("button", { name: /^Move out/ })
    .first()
    .click();
  await expect(page.getByRole("dialog").getByLabel("Left On", { exact: true })).toBeVisible();
  await audit(page, "move out");
  await page.keyboard.press("Escape");
  await stays(page, "Lantern House")
    .getByRole("link", { name: /^Edit the stay/ })
    .first()
    .click();
  await expect(page.getByRole("heading", { level: 1, name: /^Edit Stay/ })).toBeVisible();
  await waitUntilInteractive(page);
  await audit(page, "edit stay");
  await page.getByRole("link", { name: "History" }).click();
  await expect(page.getByRole("heading", { level: 1, name: /^History of Stay/ })).toBeVisible();
  await audit(page, "history of stay");
});

test("a user with Shelter alone sees the board without names and cannot search for clients", async ({
  page,
  database,
}) => {
  const email = `${uniqueName("night.shift")}@example.org`;
  await makeAccount(database, email, ["shelter"]);
  await signIn(page, email);
  await page.goto("/shelter");
  await expect(stays(page, "Lantern House")).toBeVisible();
  await expect(button(page, "Move in")).toBeHidden();
  await stays(page, "Lantern House").getByRole("button", { name: "Show name" }).first().click();
  await expect(stays(page, "Lantern House").getByRole("button", { name: "Hide name" })).toBeVisible();
  await expect(stays(page, "Lantern House").getByRole("link", { name: /^Edit/ }).first()).toBeVisible();

  const other = `${uniqueName("no.shelter")}@example.org`;
  await makeAccount(database, other, ["forms", "clients"]);
  await signIn(page, other);
  expect((await page.request.get("/shelter")).status()).toBe(403);
  await page.goto("/forms");
  const menu = page.getByRole("navigation", { name: "Main" });
  await expect(menu.getByRole("link", { name: "Shelter", exact: true })).toBeHidden();
});
