import type { Locator, Page } from "@playwright/test";
import { audit, DESK, PHONE, problems } from "@/e2e/audit";
import { expect, expectNotification, signIn, test, uniqueName } from "@/e2e/fixtures";

// The layout of the form screen: sections that close on a phone, the way to the minutes, details on a grid, marks of
// answers that funders ask for, and what the screen says about drafts.

test.beforeEach(async ({ page, database }) => {
  await database.query("DELETE FROM drafts");
  await signIn(page);
});

const button = (page: Page, name: string | RegExp) => page.getByRole("button", { name, exact: true });
const minutes = (page: Page, code: string) => page.getByLabel(`Minutes for ${code}`, { exact: true });

async function open(page: Page, type: string) {
  await page.goto("/forms/new");
  await choose(page, type);
}
async function choose(page: Page, type: string) {
  await page.getByLabel("Form Type *").selectOption({ label: type });
  await expect(minutes(page, "CRISIS")).toBeAttached();
}

/** Returns the box of an element, in pixels of the page. */
const boxOf = (element: Locator) =>
  element.evaluate((one) => {
    const { left, right, top, bottom } = one.getBoundingClientRect();
    return { left, right, top: top + window.scrollY, bottom: bottom + window.scrollY };
  });

test("on a phone one section of the form is open, and a closed one says what it contains and shows its required fields", async ({
  page,
}) => {
  await page.setViewportSize(PHONE);
  await open(page, "On-Call Advocacy");
  // By id, because the names of a section and of its button also count its errors.
  const section = (id: string) => page.locator(`#${id}`);
  const toggle = (id: string) => section(id).locator("button[aria-expanded]");
  const place = page.getByLabel("Place of Service *");

  await test.step("first field, services and place are within two screens", async () => {
    for (const one of [page.getByLabel("Form Type *"), toggle("services"), place])
      expect((await boxOf(one)).bottom).toBeLessThan(2 * PHONE.height);
    expect(await page.evaluate(() => document.documentElement.scrollHeight)).toBeLessThan(3 * PHONE.height);
    await expect(page.getByLabel("Evaluation Given")).toBeHidden();
    await expect(page.getByLabel("Custody Status")).toBeHidden();
    await expect(section("services")).toContainText("Nothing entered");
    await expect(page.locator("kbd").filter({ visible: true })).toHaveCount(0);
    expect.soft(await problems(page), "on-call form on a phone").toEqual([]);
  });

  await test.step("the header scrolls away, except the button that hides the screen", async () => {
    await page.getByRole("heading", { name: "Survivor" }).scrollIntoViewIfNeeded();
    await page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight));
    await expect(page.getByRole("banner").getByRole("link").first()).not.toBeInViewport();
    const hide = button(page, "Hide screen (press Esc twice)");
    await expect(hide).toBeInViewport({ ratio: 1 });
    const { width, height } = (await hide.boundingBox()) ?? { width: 0, height: 0 };
    expect(Math.min(width, height)).toBeGreaterThanOrEqual(44);
    // Nothing covers it.
    await hide.click({ trial: true });
    // It covers no content: a full-width bar hides what scrolls behind it.
    const { y } = (await hide.boundingBox()) ?? { y: 0 };
    const isContent = (at: number) =>
      page.evaluate((at) => document.elementFromPoint(100, at)?.closest("main") !== null, at);
    expect(await isContent(y + height - 1)).toBe(false);
    expect(await isContent(y + height + 20)).toBe(true);
  });

  await test.step("Next opens the section below and closes the one above", async () => {
    await page.getByLabel("Client Name *").fill("Half typed");
    await page.getByLabel("Service Status *").selectOption("Served");
    await button(page, "Next: On-Call Advocacy").click();
    await expect(page.getByRole("heading", { name: "On-Call Advocacy" })).toBeInViewport();
    await expect(page.getByLabel("Relationship to Survivor")).toBeHidden();
    await expect(section("details")).toContainText("Service Status: Served");
    await page.getByLabel("Evaluation Given").check();
    await button(page, "Next: Services").click();
    await expect(page.getByLabel("Evaluation Given")).toBeHidden();
    await expect(section("on-call")).toContainText("Evaluation Given");
    await minutes(page, "CRISIS").fill("30");
    expect.soft(await problems(page), "services on a phone").toEqual([]);
    await toggle("on-call").click();
    await expect(minutes(page, "CRISIS")).toBeHidden();
    await expect(section("services")).toContainText("CRISIS: 30 min");
  });

  await test.step("an error in a closed section opens it, and nothing typed is lost", async () => {
    await toggle("biographical").click();
    await expect(page.getByLabel("Evaluation Given")).toBeHidden();
    await page.getByLabel("City", { exact: true }).fill("Erie");
    await page.getByRole("textbox", { name: "Date of Birth" }).fill("13/45/2026");
    await toggle("survivor").click();
    await expect(section("biographical")).toContainText("City: Erie");
    await place.selectOption("Hospital");
    await page.getByLabel("Offender Relationship *").selectOption({ index: 1 });
    await button(page, "Save").click();
    const born = page.getByRole("textbox", { name: "Date of Birth" });
    await expect(born).toBeFocused();
    await expect(born).toBeInViewport();
    await expect(page.getByLabel("City", { exact: true })).toHaveValue("Erie");
    expect.soft(await problems(page), "an error in a section on a phone").toEqual([]);
    await toggle("survivor").click();
    await page.getByRole("link", { name: /Date of Birth/ }).click();
    await expect(born).toBeFocused();
    await born.fill("01/02/1990");
    await toggle("services").click();
    await expect(minutes(page, "CRISIS")).toHaveValue("30");
  });

  await test.step("every section is accessible when it is open", async () => {
    for (const id of ["details", "on-call", "demographic", "survivor"]) {
      await toggle(id).click();
      await expect(toggle(id)).toHaveAttribute("aria-expanded", "true");
      expect.soft(await problems(page), id).toEqual([]);
    }
    await expect(page.getByRole("button", { name: "Survivor", exact: true, expanded: true })).toBeVisible();
    await toggle("survivor").click();
    await expect(page.getByLabel("Custody Status")).toBeHidden();
  });

  await test.step("on a desktop every section is open", async () => {
    await page.setViewportSize(DESK);
    for (const label of ["Evaluation Given", "Custody Status", "Date of Birth", "Relationship to Survivor"])
      await expect(page.getByLabel(label).first()).toBeVisible();
    await expect(page.getByRole("button", { name: /^Next/ })).toHaveCount(0);
    await expect(toggle("survivor")).toBeHidden();
  });
});

test("on a desktop the services follow the details and the place, with names first, and Ctrl+M goes there from any field", async ({
  page,
}) => {
  await page.setViewportSize(DESK);
  await open(page, "On-Call Advocacy");
  const headings = page.locator("#form-screen h2");
  await expect(headings.nth(0)).toHaveText("Form Details");
  await expect(headings.nth(1)).toHaveText("On-Call Advocacy");
  await expect(headings.nth(2)).toHaveText("Services");

  // The referral of a code comes before its minutes.
  await test.step("at most twelve tabs from Service On to the first minutes, and three more past the place", async () => {
    for (const [type, most] of [
      ["On-Call Advocacy", 15],
      ["Legal Advocacy", 15],
      ["Phone", 11],
      ["Service", 12],
    ] as const) {
      await choose(page, type);
      await page.getByLabel("Service On *").focus();
      const isThere = () =>
        page.locator(":focus").evaluate((focused) => focused.hasAttribute("data-minutes"));
      let tabs = 0;
      while (!(await isThere()) && tabs < 20) {
        await page.keyboard.press("Tab");
        tabs += 1;
      }
      expect(tabs, type).toBeLessThanOrEqual(most);
    }
  });

  await test.step("Ctrl+M", async () => {
    await page.getByLabel("Client Name *").focus();
    await page.keyboard.press("Control+m");
    await expect(page.getByLabel("Filter codes")).toBeFocused();
    await page.keyboard.press("Enter");
    await expect(page.locator("[data-minutes]").first()).toBeFocused();
  });

  await test.step("a code's name comes first and is not cut off", async () => {
    const cell = page
      .getByRole("row")
      .filter({ has: minutes(page, "CRISIS") })
      .locator("th");
    await cell.scrollIntoViewIfNeeded();
    await expect(cell).toHaveText(/^Crisis intervention.*in acute distress\.\s*CRISIS$/);
    const cut = await cell.evaluate((one) =>
      [one, ...one.querySelectorAll("*")].some(
        ({ scrollWidth, clientWidth }) => scrollWidth > clientWidth + 1,
      ),
    );
    expect(cut).toBe(false);
  });

  await test.step("a dependent field is under its checkbox, and the calendar's button in its field", async () => {
    const [box, relationship] = await Promise.all(
      ["Significant Other", "Relationship to Survivor"].map((label) =>
        boxOf(page.getByLabel(label, { exact: true })),
      ),
    );
    // It begins where the words of the box do.
    expect((relationship?.left ?? 0) - (box?.right ?? 0)).toBeGreaterThanOrEqual(0);
    expect((relationship?.left ?? 0) - (box?.right ?? 0)).toBeLessThan(20);
    expect((relationship?.top ?? 0) - (box?.bottom ?? 0)).toBeLessThan(50);
    const [choice, client] = await Promise.all([
      boxOf(page.getByLabel("Continuing Client")),
      boxOf(page.getByLabel("Client Name *")),
    ]);
    expect(client.top).toBeGreaterThan(choice.top);
    expect(choice.left).toBeGreaterThan(client.left);
    const [day, calendar] = await Promise.all([
      boxOf(page.getByLabel("Service On *")),
      boxOf(button(page, "Choose Service On")),
    ]);
    expect(calendar.right).toBeLessThanOrEqual(day.right);
    expect(calendar.top).toBeGreaterThanOrEqual(day.top);
    expect(calendar.bottom).toBeLessThanOrEqual(day.bottom);
  });

  await test.step("one legend explains the mark, and the bar counts the missing answers", async () => {
    const bar = page.locator("#form-screen").getByText(/that funders ask for/);
    await choose(page, "Service");
    await expect(bar).toHaveText("1 answer that funders ask for is missing");
    await minutes(page, "CRISIS").fill("5");
    await expect(bar).toHaveCount(0);
    await choose(page, "Phone");
    await expect(bar).toHaveText("3 answers that funders ask for are missing");
    await page.getByLabel("Ethnicity").selectOption({ index: 1 });
    await expect(bar).toHaveText("2 answers that funders ask for are missing");
    await expect(page.getByText("Funders ask for this")).toHaveCount(1);
    await expect(page.getByLabel("Ethnicity")).toHaveAccessibleDescription("Funders ask for this");
    await expect(page.getByLabel("Elderly")).toHaveAccessibleDescription("");
    await audit(page, "form with minutes and marks");
  });
});

test("offline, the save bar and the question before leaving say the same, and the work stays on screen", async ({
  page,
  context,
}) => {
  await open(page, "Phone");
  const code: Promise<unknown>[] = [];
  page.on("request", (request) => {
    if (request.url().includes("/_next/static/chunks/"))
      code.push(request.response().then((response) => response?.finished()));
  });
  await page.getByLabel("Client Name *").focus();
  // The first key loads the dialog's code.
  await page.keyboard.type("Typed Offline");
  await page.getByLabel("Service Status *").selectOption("Served");
  await expect.poll(() => code.length).toBeGreaterThan(0);
  await Promise.all(code);
  await expect(page.getByText("Draft saved", { exact: true })).toBeVisible();
  await context.setOffline(true);
  await page.getByLabel("Client Name *").fill("Typed Offline, more");
  const words = "Draft not saved yet. Retrying.";
  await expect(page.getByRole("status").filter({ hasText: words })).toBeVisible();
  await page.getByRole("link", { name: "Cancel" }).click();
  const dialog = page.getByRole("dialog", { name: "Leave without saving?" });
  await expect(dialog).toContainText(words);
  await expect(dialog).toContainText("this page stays open");
  await expect(dialog.getByRole("button", { name: "Leave" })).toHaveCount(0);
  await audit(page, "leaving offline");
  await dialog.getByRole("button", { name: "Stay" }).click();
  await button(page, "Save").click();
  const alert = page.locator("#form-screen").getByRole("alert");
  await expect(alert.getByText("Undefined response from server", { exact: true })).toBeVisible();
  await expect(alert.getByText("You are offline. Keep this page open.", { exact: true })).toBeVisible();
  // Text typed after the attempt is not sent unasked; the draft keeps it.
  await page.getByLabel("Client Name *").fill("Typed Offline, most");
  await context.setOffline(false);
  await expect(page.getByText("Draft saved", { exact: true })).toBeVisible();
  await expect(page.getByLabel("Client Name *")).toHaveValue("Typed Offline, most");

  await context.setOffline(true);
  await button(page, "Save").click();
  await expect(alert.getByText("You are offline. Keep this page open.", { exact: true })).toBeVisible();
  await context.setOffline(false);
  await expect(page).toHaveURL(/\/forms$/);
  await expectNotification(page, "Created form successfully");
});

test("after a form of the same client, type and date was saved, its draft is offered for deletion", async ({
  page,
}) => {
  const name = uniqueName("Written Twice");
  await open(page, "Service");
  await page.getByLabel("Client Name *").fill(name);
  await expect(page.getByText("Draft saved", { exact: true })).toBeVisible();
  const second = await page.context().newPage();
  await open(second, "Service");
  await expect(second.locator("[data-draft]")).toContainText("Unsaved draft: Service form for Written");
  await second.getByLabel("Client Name *").fill(name);
  await second.getByLabel("Service Status *").selectOption("Served");
  await minutes(second, "CRISIS").fill("15");
  await button(second, "Save").click();
  await expect(second).toHaveURL(/\/forms$/);
  const draft = second.locator("[data-draft]");
  await expect(draft).toContainText(
    /Form \d+ for this client, type, and date was saved since\. Delete the draft\?/,
  );
  await audit(second, "a draft whose form is saved");
  await draft.getByRole("button", { name: "Discard" }).click();
  await second.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
  await expect(draft).toHaveCount(0);

  // The first page is still open.
  await page.getByLabel("Service Status *").selectOption("Served");
  const bar = page.getByRole("status").filter({ hasText: "first draft used elsewhere" });
  await expect(bar).toContainText("Draft saved");
  await minutes(page, "CRISIS").fill("15");
  await button(page, "Save").click();
  await expect(page.getByRole("alert").filter({ hasText: "This draft was already saved" })).toBeVisible();
  await audit(page, "a draft that was used elsewhere");
  const forms = async () =>
    (await (await page.request.get(`/api/forms?search=${encodeURIComponent(name)}`)).json()).forms;
  expect(await forms()).toHaveLength(1);
  await button(page, "Save as another form").click();
  await expect(page).toHaveURL(/\/forms$/);
  expect(await forms()).toHaveLength(2);
});
