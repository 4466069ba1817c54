import type { Page } from "@playwright/test";
import { audit, DESK, PHONE, smallTargets } from "@/e2e/audit";
import { DEMO, expect, test, uniqueName } from "@/e2e/fixtures";
import { pdfPages } from "@/e2e/pdf";
import { createRecord, makeServiceForm } from "@/e2e/records";
import { makeGate } from "@/tests/gate";

// The layout of lists: on a desktop one line per row with all controls visible, on a phone one menu per row.

test.use({ viewport: DESK, colorScheme: "light" });

async function signIn(page: Page, email: string) {
  const data = { email, password: DEMO.password };
  expect((await page.request.post("/api/login", { data })).status()).toBe(200);
}
const rows = (page: Page) => page.locator("tbody tr");
const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });

test("the users list has four columns, and a badge next to the name of an account that cannot sign in", async ({
  page,
  database,
}) => {
  await signIn(page, DEMO.administrator);
  const lastName = uniqueName("Listed");
  await database.query(
    `INSERT INTO users (first_name, last_name, email, role_id, active)
     SELECT given, $1, lower(given || $1) || '@example.org', (SELECT min(id) FROM roles), given = 'Ivy'
     FROM unnest(ARRAY['Ivy', 'Dora']) given`,
    [lastName],
  );
  await page.goto(`/settings/users?search=${lastName}`);
  await expect(page.getByRole("columnheader").filter({ has: page.locator(".sort-button") })).toHaveText([
    "Full Name",
    "Email",
    "Role",
    "Last Login At",
  ]);
  const name = (given: string) => rows(page).filter({ hasText: given }).locator("td:first-child");
  await expect(name("Ivy")).toHaveText(`Ivy ${lastName}Invited`);
  await expect(name("Dora")).toHaveText(`Dora ${lastName}Deactivated`);
  await page.getByLabel("Status", { exact: true }).selectOption("deactivated");
  await expect(rows(page)).toHaveCount(1);
  await audit(page, "users with badges");
});

test("before a list has its scripts, no filter and no tick can be chosen without effect, and typed text is searched", async ({
  page,
}) => {
  await signIn(page, DEMO.administrator);
  await page.goto("/home");
  const scripts = makeGate();
  await page.route(/\/_next\/static\/.*\.js/, async (route) => {
    await scripts.opened;
    await route.continue();
  });
  // Does not wait for the scripts, as `page.goto` of the tests does.
  await page.evaluate(() => window.location.assign("/clients"));
  const search = page.getByLabel("Search Clients");
  await search.fill("Kofi");
  await expect(page).toHaveURL(/\/clients$/);
  scripts.open();
  await expect(page).toHaveURL(/search=Kofi/);
  await expect(search).toHaveValue("Kofi");

  const again = makeGate();
  await page.unrouteAll();
  await page.route(/\/_next\/static\/.*\.js/, async (route) => {
    await again.opened;
    await route.continue();
  });
  await page.evaluate(() => window.location.assign("/forms"));
  const status = page.getByLabel("Status", { exact: true });
  const box = page.getByRole("table", { name: "Forms" }).getByRole("checkbox").nth(1);
  await expect(status).toBeDisabled();
  await expect(box).toBeDisabled();
  again.open();
  await expect(status).toBeEnabled();
  await box.check();
  await expect(page.getByText("1 selected")).toBeAttached();
});

test("on a desktop the headers are one line high, and the header's checkbox selects all rows", async ({
  page,
}) => {
  await signIn(page, DEMO.administrator);
  for (const path of ["/forms", "/clients", "/settings/users"]) {
    await page.goto(path);
    const heights = await page
      .locator("thead .sort-button")
      .evaluateAll((all) => all.map((one) => one.getBoundingClientRect().height));
    expect(Math.max(...heights), path).toBeLessThan(32);
  }
  await page.goto("/forms");
  const all = page.getByRole("columnheader").getByRole("checkbox", { name: "Select all" });
  await all.check();
  await expect(page.getByText("25 selected")).toBeInViewport();
  await audit(page, "forms, all selected");
  // The controls for the selected rows take the place of the filters, and stay on the screen.
  const top = async () => (await page.getByRole("table").boundingBox())?.y;
  await all.uncheck();
  const unselected = await top();
  await all.check();
  expect(await top()).toBe(unselected);
  await expect(page.getByLabel("Status", { exact: true })).toBeHidden();
  await rows(page).last().scrollIntoViewIfNeeded();
  await expect(button(page, "Reconcile 25 forms")).toBeInViewport({ ratio: 1 });
  await rows(page).first().getByRole("checkbox").uncheck();
  await expect(all).toBeChecked({ indeterminate: true });
  await all.check();
  await all.uncheck();
  await expect(page.getByText(/ selected$/)).toHaveCount(0);
});

test("a click on a header computes the styles of few elements before its page arrives", async ({ page }) => {
  await signIn(page, DEMO.administrator);
  await page.goto("/forms");
  const waiting: (() => Promise<void>)[] = [];
  await page.route(
    (url) => url.searchParams.has("sort"),
    (route) => void waiting.push(() => route.continue()),
  );
  const session = await page.context().newCDPSession(page);
  const events: Record<string, unknown>[] = [];
  session.on("Tracing.dataCollected", ({ value }) => void events.push(...value));
  await session.send("Tracing.start", { traceConfig: { includedCategories: ["devtools.timeline"] } });
  const header = page.getByRole("columnheader", { name: "Service On" });
  await header.getByRole("button").click();
  await expect(page.locator("[aria-busy=true] .opacity-60")).toBeVisible();
  await expect(header).toHaveAttribute("aria-sort", "ascending");
  const complete = new Promise((done) => session.once("Tracing.tracingComplete", done));
  await session.send("Tracing.end");
  await complete;
  for (const go of waiting) await go();
  const counts = events.flatMap(({ name, args }) =>
    name === "UpdateLayoutTree" ? Number(Object(args).elementCount) : [],
  );
  expect(counts.length).toBeGreaterThan(0);
  expect(Math.max(...counts)).toBeLessThan(60);
  await expect(page.locator("[aria-busy=true]")).toHaveCount(0);
});

test("a click anywhere in a row opens its record, but not a click on one of its controls", async ({
  page,
}) => {
  await signIn(page, DEMO.administrator);
  for (const [path, cell, opened] of [
    ["/forms", "Service Status", /\/forms\/\d+(\?|$)/],
    ["/clients", "Advocate Name", /\/clients\/\d+(\?|$)/],
    ["/settings/users", "Email", /\/settings\/users\/\d+\/edit/],
    ["/settings/service_codes", "Description", /\/settings\/service_codes\/\d+\/edit/],
  ] as const) {
    await page.goto(path);
    const row = rows(page).first();
    await row.getByRole("button", { name: "Remove" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Close" }).click();
    await expect(page).toHaveURL(path);
    await row.locator(`td[data-label="${cell}"]`).click();
    await expect(page).toHaveURL(opened);
  }
});

test("a returned form is marked in the list", async ({ page }) => {
  await signIn(page, DEMO.administrator);
  const { formId: id } = await makeServiceForm(page, {
    client: uniqueName("Marked Client"),
    serviceOn: "2019-01-04",
  });
  await page.request.post(`/api/forms/${id}/return`, { data: { comment: "Is the date right?" } });
  await page.goto("/forms?filters[to]=2019-01-04&filters[from]=2019-01-04");
  const row = rows(page).filter({ hasText: "Marked Client" });
  await expect(row.getByTitle("Returned", { exact: true })).toBeVisible();
});

test("the Export menu can be opened, used and closed by keyboard", async ({ page }) => {
  await signIn(page, DEMO.administrator);
  await page.goto("/clients");
  const csv = page.getByRole("link", { name: "CSV" });
  await expect(csv).toBeHidden();
  await button(page, "Export").press("Enter");
  await expect(csv).toBeVisible();
  await audit(page, "export menu");
  await page.keyboard.press("Escape");
  await expect(csv).toBeHidden();
  await expect(button(page, "Export")).toBeFocused();
  await page.keyboard.press("Enter");
  await page.keyboard.press("Tab");
  await expect(csv).toBeFocused();
  const download = page.waitForEvent("download");
  await page.keyboard.press("Enter");
  expect((await download).suggestedFilename()).toBe("clients.csv");
  await expect(csv).toBeHidden();
});

test("on a phone a row has the name on its own line, one menu, and no column for the user's own name", async ({
  page,
}) => {
  await page.setViewportSize(PHONE);
  await signIn(page, DEMO.advocate);
  await page.goto("/forms");
  const row = rows(page).first();
  await expect(row).toBeVisible();
  await expect(row.locator("td[data-label='Advocate Name']")).toBeHidden();
  const [name, next] = await row
    .locator("td:is([data-label='Client'], [data-label='Service On'])")
    .evaluateAll((cells) => cells.map((cell) => cell.getBoundingClientRect()));
  expect(next?.top).toBeGreaterThanOrEqual(name?.bottom ?? Number.POSITIVE_INFINITY);
  const lefts = await page
    .locator(".list-bar, tbody tr:first-child")
    .getByRole("checkbox")
    .evaluateAll((boxes) => boxes.map((box) => box.getBoundingClientRect().left));
  expect(new Set(lefts).size).toBe(1);
  await expect(row.getByRole("button")).toHaveCount(1);
  await expect(row.getByRole("link", { name: "Edit", exact: true })).toBeHidden();

  const menu = row.getByRole("button", { name: /^Actions for / });
  await menu.press("Enter");
  const remove = row.getByRole("button", { name: "Remove" });
  await expect(remove).toBeInViewport({ ratio: 1 });
  await page.keyboard.press("Escape");
  await expect(remove).toBeHidden();
  await expect(menu).toBeFocused();
  await page.keyboard.press("Enter");
  for (const name of ["Reconcile Form", "Edit", "Remove"]) {
    await page.keyboard.press("Tab");
    await expect(row.locator(":focus")).toHaveAccessibleName(name);
  }
  await page.keyboard.press("Enter");
  const dialog = page.getByRole("dialog");
  await expect(dialog).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(dialog).toBeHidden();
  await expect(menu).toBeFocused();
  await page.keyboard.press("Enter");
  await audit(page, "forms with a row's menu");
  await page.setViewportSize(PHONE);
  await page.keyboard.press("Escape");

  await page.getByRole("checkbox", { name: "Select all" }).check();
  await expect(page.getByRole("button", { name: /^Reconcile \d+ forms$/ })).toBeInViewport({ ratio: 1 });

  await signIn(page, DEMO.administrator);
  await page.goto("/forms");
  await expect(rows(page).first().locator("td[data-label='Advocate Name']")).toBeVisible();
});

/** Counts the rows of visible controls above the table. */
const toolbarRows = (page: Page) =>
  page.locator("[data-toolbar]").evaluate((toolbar) => {
    const controls = [...toolbar.querySelectorAll("button, a[href], select, input")];
    const shown = controls.filter((control) => control.checkVisibility());
    const boxes = shown.map((control) => control.getBoundingClientRect());
    return new Set(boxes.map(({ top, height }) => Math.round(top + height / 2))).size;
  });

test("on a phone the filters of a list are behind one button, and search and buttons take at most two rows", async ({
  page,
}) => {
  await page.setViewportSize(PHONE);
  for (const [email, path, filters, label, count] of [
    [DEMO.advocate, "/forms", "More filters", "Status", 1],
    [DEMO.administrator, "/forms", "More filters", "User", 1],
    [DEMO.administrator, "/settings/audit_log", "More filters", "Who", 1],
    [DEMO.administrator, "/contacts", "Filters", "From", 2],
    [DEMO.administrator, "/stays", "Filters", "Stays", 1],
  ] as const) {
    await signIn(page, email);
    await page.goto(path);
    expect(await toolbarRows(page), `${path} of ${email}`).toBe(count);
    const filter = page.locator("[data-toolbar]").getByLabel(label, { exact: true });
    await expect(filter).toBeHidden();
    await button(page, filters).click();
    await expect(filter).toBeVisible();
    expect(await smallTargets(page.getByRole("main")), path).toEqual([]);
    await audit(page, `all filters of ${path}`);
    await page.setViewportSize(PHONE);
  }
});

test("a record that could not be deleted is named with the reason in the notification area", async ({
  page,
}) => {
  await signIn(page, DEMO.administrator);
  await page.goto("/settings/roles");
  await rows(page).filter({ hasText: "Advocate" }).getByRole("button", { name: "Remove" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Delete", exact: true }).click();
  await expect(page.getByRole("region", { name: "Notifications" })).toContainText(
    "Could not delete Advocate.",
  );
});

test("a printed list has every row with all of its Markdown rendered, even below the visible part", async ({
  page,
}) => {
  await signIn(page, DEMO.administrator);
  const code = uniqueName("PRINTED");
  const name = (n: number) => `${code}-${String(n).padStart(2, "0")}`;
  const numbers = Array.from({ length: 40 }, (_, n) => n + 1);
  for (const n of numbers) {
    const description = `**Strong ${n}** and more\nthe second line of ${n}`;
    await createRecord(page, "/api/referral_sources", { referralSource: { code: name(n), description } });
  }
  await page.goto(`/settings/referral_sources?search=${code}&perPage=50&sort=code`);
  const rendered = page.locator("tbody .markdown");
  await expect(rendered).toHaveCount(numbers.length);
  await expect(rendered.locator("strong")).toHaveText(numbers.map((n) => `Strong ${n}`));
  const pages = pdfPages(await page.pdf());
  const text = pages.join("\n");
  expect(pages[0]).toContain(name(1));
  expect(text).not.toContain("**");
  expect(text).not.toContain("Remove");
  for (const n of numbers) {
    expect(text).toContain(name(n));
    expect(text).toContain(`the second line of ${n}`);
  }
  // Nothing is cut off on paper, which has no tooltips.
  await page.setViewportSize({ width: 740, height: 900 });
  await page.emulateMedia({ media: "print" });
  const cut = await page
    .locator("tbody td, tbody .markdown, tbody .markdown > *")
    .evaluateAll((all) =>
      all
        .filter(
          (one) =>
            one.checkVisibility() &&
            getComputedStyle(one).overflow !== "visible" &&
            (one.scrollHeight > one.clientHeight + 1 || one.scrollWidth > one.clientWidth + 1),
        )
        .map((one) => one.textContent),
    );
  expect(cut).toEqual([]);
});

test("texts longer than their columns have two lines in rows of equal height, and filters stay in one line", async ({
  page,
}) => {
  await signIn(page, DEMO.administrator);
  const { eventKinds } = await (await page.request.get("/api/event_kinds?search=Law enforcement")).json();
  await createRecord(page, "/api/events", {
    event: {
      heldOn: "2026-11-20",
      eventKindId: eventKinds[0].id,
      title: "Healthy relationships, Mock Middle School, grade 7",
      audience: "general",
      attended: 1240,
      staffAttributes: [{ userId: 1, minutes: 90 }],
    },
  });
  await page.goto("/events?perPage=50");
  const heights = await rows(page).evaluateAll((all) => all.map((row) => row.getBoundingClientRect().height));
  expect([...new Set(heights)]).toEqual([40]);
  const texts = rows(page).locator("td:not(:first-child) .cell-text");
  const cut = await texts.evaluateAll((all) =>
    all
      .filter((one) => one.scrollHeight > one.clientHeight + 1 || one.scrollWidth > one.clientWidth + 1)
      .map((one) => one.textContent),
  );
  expect(cut).toEqual([]);
  const tops = await page
    .locator("[data-toolbar] .control")
    .evaluateAll((all) => all.map((one) => one.getBoundingClientRect().top));
  expect(new Set(tops).size).toBe(1);
  await audit(page, "events with long texts");
});

test("on a phone a description has up to three lines, and on a desktop one", async ({ page }) => {
  await signIn(page, DEMO.administrator);
  const code = uniqueName("LONG");
  const description = `**Strong** ${"and many more words ".repeat(40)}`;
  await createRecord(page, "/api/referral_sources", { referralSource: { code, description } });
  await page.goto(`/settings/referral_sources?search=${code}`);
  const lines = () =>
    page
      .locator("tbody [title] > .markdown")
      .locator("..")
      .evaluate((box) => box.clientHeight / Number.parseFloat(getComputedStyle(box).lineHeight));
  await expect(page.locator("tbody strong")).toBeVisible();
  expect(await lines()).toBeCloseTo(1, 1);
  await page.setViewportSize(PHONE);
  expect(await lines()).toBeCloseTo(3, 1);
});
