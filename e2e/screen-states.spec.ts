import type { Locator, Page } from "@playwright/test";
import { DESK, PHONE } from "@/e2e/audit";
import {
  button,
  expect,
  pressEscapeTwice,
  signIn,
  stopClock,
  test,
  uniqueName,
  waitUntilInteractive,
} from "@/e2e/fixtures";
import { createRecord, makeServiceForm } from "@/e2e/records";
import { today } from "@/lib/core/text/format";

// States of screens that are easily overlooked: before the scripts run, without a list, closed, and in forced colors.

test.beforeEach(({ page }) => signIn(page));

test("a form that is loading says so, instead of that its blank fields are saved", async ({ page }) => {
  const { formId } = await makeServiceForm(page, { client: uniqueName("Loading"), serviceOn: "2026-03-04" });
  for (const path of [`/forms/${formId}/edit`, "/forms/new"]) {
    const html = await (await page.request.get(path)).text();
    expect(html).toContain("Loading…");
    expect(html).not.toContain("All changes saved");
    expect(html).not.toContain("No changes yet");
  }
  await page.goto(`/forms/${formId}/edit`);
  await expect(page.getByText("All changes saved")).toBeVisible();
});

test("the review without a list shows the forms that wait, and says if there are none", async ({
  page,
  database,
}) => {
  const { formId } = await makeServiceForm(page, { client: uniqueName("Waiting"), serviceOn: "1999-03-04" });
  await page.goto("/forms/review");
  await expect(page.getByText(/\d+ forms? (of \d+ )?to review$/)).toBeVisible();
  await expect(page.getByRole("article").first()).toContainText(`Form ${formId}`);
  const { rows } = await database.query("SELECT id FROM forms WHERE NOT reconciled");
  await database.query("UPDATE forms SET reconciled = true");
  await page.reload();
  await expect(page.getByText("No forms to review.")).toBeVisible();
  await database.query("UPDATE forms SET reconciled = false WHERE id = ANY($1)", [rows.map(({ id }) => id)]);
});

test("a new form with nothing but a type is not kept as a draft, and leaving it asks nothing", async ({
  page,
  database,
}) => {
  await database.query("DELETE FROM drafts");
  await page.goto("/forms/new");
  await page.getByLabel("Form Type *").selectOption({ label: "Phone" });
  await page.getByLabel("Form Type *").selectOption({ label: "Service" });
  await expect(page.getByLabel("Minutes for CRISIS", { exact: true })).toBeVisible();
  await expect(page.getByText("No changes yet")).toBeVisible();
  await page.getByRole("link", { name: "Cancel" }).click();
  await expect(page).toHaveURL(/\/forms$/);
  await expect(page.getByText("Unsaved draft")).toHaveCount(0);
  expect((await database.query("SELECT FROM drafts")).rowCount).toBe(0);
});

test("a number that a form begins with is replaced by what is typed, after a click and after Tab", async ({
  page,
}) => {
  await page.goto("/forms/new");
  await page.getByLabel("Form Type").selectOption("Survivor");
  const children = page.getByLabel("Number of Children");
  await expect(children).toHaveValue("0");
  await children.click();
  await page.keyboard.type("3");
  await expect(children).toHaveValue("3");
  await children.fill("0");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Shift+Tab");
  await page.keyboard.type("12");
  await expect(children).toHaveValue("12");
});

test("Edit Stay names the client", async ({ page }) => {
  const name = uniqueName("Stella Stayer");
  const { client } = await createRecord(page, "/api/clients", { client: { name } });
  const { shelter } = await createRecord(page, "/api/shelters", {
    shelter: { name: uniqueName("East House"), kind: "In-house", beds: 6 },
  });
  const { stay } = await createRecord(page, "/api/stays", {
    stay: { clientId: client.id, shelterId: shelter.id },
  });
  await page.goto(`/stays/${stay.id}/edit`);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(`Edit Stay ${stay.id} ${name}`);
  await expect(page).not.toHaveTitle(new RegExp(name));
});

test("records of a closed month have no actions that would be refused", async ({ page }) => {
  const name = uniqueName("Closed Month");
  const { clientId, formId } = await makeServiceForm(page, { client: name, serviceOn: "2001-02-03" });
  const comment = "Please add the minutes.";
  expect((await page.request.post(`/api/forms/${formId}/return`, { data: { comment } })).status()).toBe(200);
  const { contactKinds } = await (await page.request.get("/api/resource_lists/contact_kinds")).json();
  const { contact } = await createRecord(page, "/api/contacts", {
    contact: { contactKindId: contactKinds[0].id, contactedOn: "2001-02-03" },
  });
  const { shelter } = await createRecord(page, "/api/shelters", {
    shelter: { name: uniqueName("West House"), kind: "In-house", beds: 6 },
  });
  const { stay } = await createRecord(page, "/api/stays", {
    stay: { clientId, shelterId: shelter.id, enteredOn: "2001-02-03", leftOn: "2001-02-04" },
  });
  const close = (closedThrough: string | null) =>
    page.request.put("/api/closed_periods", { data: { closedThrough } });
  const row = page.locator("tbody tr");
  await close("2001-02-28");
  try {
    await page.goto(`/forms?filters[clientId]=${clientId}&filters[formStatus]=all`);
    await expect(row).toHaveCount(1);
    await expect(
      row.getByRole("button").or(row.getByRole("link", { name: "Edit", exact: true })),
    ).toHaveCount(0);
    await page.goto("/contacts?filters[from]=2001-02-03&filters[to]=2001-02-03");
    await expect(row.first()).toBeVisible();
    await expect(
      row.getByRole("button").or(row.getByRole("link", { name: "Edit", exact: true })),
    ).toHaveCount(0);
    await page.goto(`/contacts/${contact.id}/edit`);
    await expect(page.getByText("February 2001 and earlier are closed")).toBeVisible();
    await expect(page.getByLabel("Kind")).toBeDisabled();
    await expect(button(page, "Update")).toHaveCount(0);
    await page.goto(`/stays/${stay.id}/edit`);
    await expect(page.getByText("February 2001 and earlier are closed")).toBeVisible();
    await expect(button(page, "Update")).toBeVisible();
    await expect(button(page, "Remove")).toHaveCount(0);
    await page.goto(`/stays?filters[shelterId]=${shelter.id}`);
    await expect(row.getByText("Closed month")).toHaveCount(1);
    await page.goto(`/clients/${clientId}`);
    await expect(page.getByRole("table", { name: "Stays" }).getByText("Closed month")).toHaveCount(1);
    const returned = page.getByRole("region", { name: /^Returned by/ });
    await expect(returned).toContainText("February 2001 and earlier are closed. It was returned before.");
    await expect(button(page, "Reply")).toHaveCount(0);
    await returned.getByRole("link", { name: "Open form" }).click();
    await expect(page.getByText("ask someone with Close Periods to reopen the month")).toBeVisible();
  } finally {
    await close(null);
  }
});

/** The color that the user's system shows for what is chosen. */
const highlight = (page: Page) =>
  page.evaluate(() => {
    const probe = document.createElement("span");
    probe.style.cssText = "forced-color-adjust: none; background: Highlight";
    document.body.append(probe);
    const { backgroundColor } = getComputedStyle(probe);
    probe.remove();
    return backgroundColor;
  });

test("with forced colors, bars of charts, what is chosen, arrows of selects, and invalid fields can be seen", async ({
  page,
}) => {
  await page.emulateMedia({ forcedColors: "active" });
  await page.goto("/reports");
  const chosen = await highlight(page);
  await expect(page.locator(".chart-bar").first()).toHaveCSS("background-color", chosen);
  await expect(page.locator("[aria-pressed=true]").first()).toHaveCSS("background-color", chosen);
  await expect(page.getByRole("navigation").locator("[aria-current=page]").first()).toHaveCSS(
    "background-color",
    chosen,
  );
  await page.goto("/forms");
  await expect(page.locator("select.control").first()).toHaveCSS("appearance", "auto");
  await page.goto("/reports/pmt");
  await expect(page.locator(".link[aria-current]").first()).toHaveCSS("background-color", chosen);
  await page.goto("/settings/canines/new");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await expect(page.getByLabel("Name *")).toHaveCSS("border-top-style", "dashed");
});

test("with forced colors, all words of the option with the focus can be read", async ({ page }) => {
  const name = uniqueName("Forced Colors");
  await makeServiceForm(page, { client: name, serviceOn: "2026-03-04" });
  await page.emulateMedia({ forcedColors: "active" });
  await page.goto("/forms/new");
  await page.getByLabel("Continuing Client").check();
  await page.getByRole("combobox", { name: "Client" }).fill(name);
  const option = page.getByRole("listbox").getByRole("option", { selected: true });
  await expect(option).toContainText(name);
  const colors = await option.evaluate((element) => [
    ...new Set([element, ...element.querySelectorAll("*")].map((part) => getComputedStyle(part).color)),
  ]);
  expect(colors).toHaveLength(1);
});

test("with forced colors, only the days of the calendar's own month have a frame", async ({ page }) => {
  await page.emulateMedia({ forcedColors: "active" });
  await page.goto("/clients/new");
  await page.getByRole("textbox", { name: "Date of Birth" }).fill("11/10/2020");
  await button(page, "Choose Date of Birth").click();
  const day = (name: string) => page.getByRole("dialog").getByRole("button", { name });
  await expect(day("November 30, 2020")).toHaveCSS("border-top-style", "solid");
  await expect(day("December 1, 2020")).toHaveCSS("border-top-style", "none");
});

test("at 1280 px, search, filters, and buttons of a list have one line", async ({ page, database }) => {
  await page.setViewportSize(DESK);
  const email = `${uniqueName("long").replaceAll(" ", "-")}@example.org`;
  await database.query(
    `INSERT INTO users (first_name, last_name, email, role_id, activated_at)
       SELECT 'Maria-Fernanda', 'Castellanos-Whitfield', $1, role_id, now() FROM users ORDER BY id LIMIT 1`,
    [email],
  );
  for (const list of ["forms", "clients", "contacts", "activities", "events", "outcome_surveys", "groups"]) {
    // With a search, a list without records has all its buttons.
    await page.goto(`/${list}?search=none`);
    const controls = page.locator("[data-toolbar] :is(input, select, button, a):visible");
    const bottoms = await controls.evaluateAll((elements) =>
      elements
        .filter((element) => !element.closest(".filter-chips"))
        .map((element) => Math.round(element.getBoundingClientRect().bottom)),
    );
    expect(bottoms.length, list).toBeGreaterThan(2);
    expect(Math.max(...bottoms) - Math.min(...bottoms), list).toBeLessThan(8);
  }
  await database.query("DELETE FROM users WHERE email = $1", [email]);
});

test("where a list's filters need two lines, its first and last day stay in one", async ({ page }) => {
  await page.setViewportSize({ width: 1024, height: 900 });
  for (const list of ["contacts", "stays"]) {
    await page.goto(`/${list}`);
    const first = await page.getByRole("textbox", { name: "From" }).boundingBox();
    const last = await page.getByRole("textbox", { name: "To", exact: true }).boundingBox();
    expect(first?.y, list).toBeDefined();
    expect(last?.y, list).toBe(first?.y);
  }
});

test("a list without results has no pages to turn", async ({ page }) => {
  await page.goto("/clients?search=zzqqzzqq");
  await expect(page.getByText("0 of 0")).toBeVisible();
  await expect(page.getByRole("navigation", { name: "Pages" })).toHaveCount(0);
  await expect(page.getByLabel("Rows per page")).toHaveCount(0);
});

test("the forms of all records, also of clients, have one width", async ({ page }) => {
  await page.setViewportSize(DESK);
  const widths: (number | undefined)[] = [];
  for (const path of ["/clients/new", "/groups/new", "/settings/users/new"]) {
    await page.goto(path);
    widths.push((await page.locator("form:has(.form-actions)").boundingBox())?.width);
  }
  expect(widths).toEqual([768, 768, 768]);
});

/** Returns those controls whose focus scrolls the page, which is scrolled to the middle before. */
const scrolledBy = (controls: Locator) =>
  controls.evaluateAll((elements) =>
    elements.flatMap((element) => {
      if (!element.checkVisibility()) return [];
      const middle = (document.documentElement.scrollHeight - window.innerHeight) / 2;
      window.scrollTo({ top: middle, behavior: "instant" });
      const before = window.scrollY;
      if (element instanceof HTMLElement) element.focus();
      return window.scrollY === before ? [] : [element.outerHTML.slice(0, 150)];
    }),
  );

test("the focus in what stays in place while the page scrolls does not scroll it", async ({ page }) => {
  await page.setViewportSize({ width: 1280, height: 500 });
  await page.goto("/forms/new");
  await page.getByLabel("Form Type *").selectOption("Survivor");
  await expect(page.getByLabel("Offender Relationship *")).toBeVisible();
  const staying = page.locator("header, #sidebar").locator("a, button");
  expect(await scrolledBy(staying)).toEqual([]);
  expect(await scrolledBy(button(page, "Print").locator("xpath=..").locator("a, button"))).toEqual([]);
  await page.goto("/forms?perPage=25");
  await waitUntilInteractive(page);
  await page.locator("tbody").getByRole("checkbox").first().check();
  expect(await scrolledBy(staying)).toEqual([]);
  expect(await scrolledBy(page.locator(".selection-bar").locator("a, button"))).toEqual([]);
});

const isOnScreen = (element: Element) => {
  const { left, top, right, bottom } = element.getBoundingClientRect();
  return left >= 0 && top >= 0 && right <= window.innerWidth && bottom <= window.innerHeight;
};

test("a calendar stays on a low screen while the focus moves in it, and a menu on a narrow one", async ({
  page,
}) => {
  // A laptop's screen at 200% zoom has no space for a calendar above or below most fields.
  await page.setViewportSize({ width: 640, height: 450 });
  for (const [path, field] of [
    ["/contacts", "From"],
    ["/forms/new", "Service On"],
  ] as const) {
    await page.goto(path);
    await button(page, `Choose ${field}`).focus();
    await page.keyboard.press("Enter");
    const calendar = page.getByRole("dialog", { name: field });
    await expect(calendar.getByRole("grid")).toBeVisible();
    expect.soft(await calendar.evaluate(isOnScreen), field).toBe(true);
    for (const key of ["PageUp", "PageUp", "Home", "ArrowUp", "ArrowUp", "PageDown"]) {
      await page.keyboard.press(key);
      expect.soft(await calendar.evaluate(isOnScreen), `${field}, after ${key}`).toBe(true);
    }
  }
  await page.setViewportSize(PHONE);
  await page.goto("/clients");
  await button(page, "Account menu").click();
  expect(await page.getByRole("group", { name: "Account" }).evaluate(isOnScreen)).toBe(true);
});

test("on a phone with text twice as large, the header has more lines, and no action is off the screen", async ({
  page,
}) => {
  // All sizes depend on the size of text, so this is a phone of 360 px.
  await page.setViewportSize({ width: 180, height: 370 });
  await page.goto("/clients");
  for (const name of ["Account menu", "Logout"])
    expect.soft(await button(page, name).evaluate(isOnScreen), name).toBe(true);
  for (const path of ["/clients", "/reports", "/settings/imports"]) {
    await page.goto(path);
    expect.soft(await page.evaluate(() => document.documentElement.scrollWidth), path).toBe(180);
  }
});

test("on a phone with text twice as large, a form's values have their own line, and its actions wrap", async ({
  page,
}) => {
  const client = uniqueName("Largetext");
  const { formId } = await makeServiceForm(page, { client, serviceOn: "2026-03-04" });
  const data = { draft: { formId: null, content: {} } };
  expect((await page.request.put("/api/drafts/new-large-text", { data })).status()).toBe(200);
  await page.setViewportSize({ width: 180, height: 370 });
  await page.goto(`/forms/${formId}`);
  // Next to its label, a value would have one letter in each line.
  const value = page.getByRole("definition").filter({ hasText: "Served" });
  expect((await value.boundingBox())?.width).toBeGreaterThan(90);
  for (const path of [`/forms/${formId}/edit`, "/forms/new"]) {
    await page.goto(path);
    await waitUntilInteractive(page);
    expect.soft(await page.evaluate(() => document.documentElement.scrollWidth), path).toBe(180);
  }
  await page.request.delete("/api/drafts/new-large-text");
});

test("a title that is cut off in a list is shown whole with the focus, and with a finger", async ({
  page,
  browser,
  baseURL,
}) => {
  const title = `${uniqueName("Healthy relationships")} and the first signs of control, for the ninth grade and its teachers`;
  const { eventKinds } = await (await page.request.get("/api/resource_lists/event_kinds")).json();
  const { userId } = await (await page.request.get("/api/me")).json();
  const staffAttributes = [{ userId, minutes: 60 }];
  await createRecord(page, "/api/events", {
    event: { heldOn: today(), eventKindId: eventKinds[0].id, title, audience: "youth", staffAttributes },
  });
  const path = `/events?search=${encodeURIComponent(title.slice(0, 25))}`;
  await page.setViewportSize(DESK);
  await page.goto(path);
  await waitUntilInteractive(page);
  const row = page.locator("tbody tr").filter({ hasText: title });
  const height = async () => (await row.boundingBox())?.height;
  const shown = () => row.evaluate((element) => getComputedStyle(element, "::after").content);
  const before = await height();
  expect(await shown()).toBe("none");
  await page.keyboard.press("Tab");
  await row.getByRole("link").first().focus();
  expect(await shown()).toContain(title);
  expect(await height()).toBe(before);
  // The only row is the last one: its whole text is outside the card.
  expect(
    await row.evaluate((element) =>
      parseFloat(getComputedStyle(element.closest("[data-compact]") ?? element).overflowClipMargin),
    ),
  ).toBeGreaterThan(100);
  await page.keyboard.press("Escape");
  expect(await shown()).toBe("none");
  await expect(row.getByRole("link").first()).toBeFocused();

  const tablet = { viewport: { width: 1024, height: 768 }, hasTouch: true, isMobile: true };
  const context = await browser.newContext({
    baseURL,
    ...tablet,
    storageState: await page.context().storageState(),
  });
  const touched = await context.newPage();
  await touched.goto(path);
  const text = touched.locator(".cell-text", { hasText: title });
  expect(await text.evaluate(({ scrollHeight, clientHeight }) => scrollHeight - clientHeight)).toBe(0);
  await context.close();

  await row.getByRole("link").first().blur();
  await row.getByRole("link").first().focus();
  expect(await shown()).toContain(title);
  await stopClock(page);
  await pressEscapeTwice(page);
  await expect(page.getByRole("heading", { name: "Locked" })).toBeVisible();
});

/** Returns the links that are alone on their line, and too small for a finger. */
const smallLinks = (page: Page) =>
  page.locator("a.link").evaluateAll((links) =>
    links.flatMap((link) => {
      const { width, height } = link.getBoundingClientRect();
      const isAlone = link.parentElement?.textContent?.trim() === link.textContent?.trim();
      return link.checkVisibility() && isAlone && (height < 44 || width < 24)
        ? [link.outerHTML.slice(0, 150)]
        : [];
    }),
  );

test("on a phone, a link that is alone on its line is 44 px high, and a number 44 px wide", async ({
  page,
}) => {
  await page.setViewportSize(PHONE);
  for (const path of [
    "/home",
    "/forms/new",
    "/reports/pmt",
    "/settings",
    "/settings/reports/pmt",
    "/help",
    "/help/groups",
  ]) {
    await page.goto(path);
    expect.soft(await smallLinks(page), path).toEqual([]);
  }
  await page.goto("/reports/pccd");
  const numbers = page.locator(".report-table .number a");
  await expect(numbers.first()).toBeVisible();
  for (const width of await numbers.evaluateAll((links) => links.map((link) => link.clientWidth)))
    expect(width).toBeGreaterThanOrEqual(44);
  await page.context().clearCookies();
  for (const path of ["/", "/forgot_password"]) {
    await page.goto(path);
    expect.soft(await smallLinks(page), path).toEqual([]);
  }
});
