import type { Locator, Page } from "@playwright/test";
import {
  chooseByLetter,
  DEMO,
  expect,
  expectNotification,
  holdRequests,
  tabTo,
  test,
  uniqueName,
} from "@/e2e/fixtures";
import { pdfText } from "@/e2e/pdf";

// The form screen: the main job for each form type by mouse and by keyboard, its rules, and a refused save.
// never-lost.spec.ts covers drafts, ended sessions and conflicts.

const TYPES = ["Phone", "On-Call Advocacy", "Legal Advocacy", "Survivor", "Service"] as const;
type Type = (typeof TYPES)[number];

test.beforeEach(async ({ page }) => {
  const data = { email: DEMO.administrator, password: DEMO.password };
  expect((await page.request.post("/api/login", { data })).status()).toBe(200);
});

const freshName = () => uniqueName("Test Client");

const save = (page: Page) => page.getByRole("button", { name: /^(Save|Update)$/ });
const summary = (page: Page) => page.getByRole("alert").filter({ hasText: "Not saved" });
const total = (page: Page) => page.getByText(/^\d+ minutes total$/);
const minutes = (page: Page, code: string) => page.getByLabel(`Minutes for ${code}`, { exact: true });

async function open(page: Page, type: Type, name?: string) {
  await page.goto("/forms/new");
  if (name) await page.getByLabel("Client Name *").fill(name);
  await chooseType(page, type);
}

async function chooseType(page: Page, type: Type) {
  await page.getByLabel("Form Type *").selectOption({ label: type });
  if (type === "Survivor") await expect(total(page)).toHaveCount(0);
  else await expect(minutes(page, "CRISIS")).toBeVisible();
}

const chooseFirst = (page: Page, label: string) => page.getByLabel(label).selectOption({ index: 1 });

/** Fills the fields that a form of the type requires, in addition to client, date and type. */
async function fillRequired(page: Page, type: Type) {
  await page.getByLabel("Service Status *").selectOption("Served");
  if (type === "On-Call Advocacy") await page.getByLabel("Place of Service *").selectOption("Hospital");
  if (type === "Legal Advocacy") await page.getByLabel("Place of Service *").selectOption("Police Facility");
  if (["On-Call Advocacy", "Legal Advocacy", "Survivor"].includes(type)) {
    await chooseFirst(page, "Offender Relationship *");
  }
}

async function expectSaved(page: Page, message: string) {
  await expect(page).toHaveURL(/\/forms$/);
  await expectNotification(page, message);
}

const rowOf = (page: Page, name: string) => page.getByRole("row").filter({ hasText: name });

/** Opens the stored form of a client from the list. */
async function edit(page: Page, name: string) {
  await rowOf(page, name).getByRole("link", { name: /edit/i }).click();
  await expect(page).toHaveURL(/\/forms\/\d+\/edit$/);
  await expect(save(page)).toHaveText("Update");
}

for (const type of TYPES) {
  test(`a form of type ${type} with every field filled by mouse is stored unchanged`, async ({ page }) => {
    const name = freshName();
    await open(page, type, name);
    await fillEverything(page);
    const before = await contents(page);
    await save(page).click();
    await expectSaved(page, "Created form successfully");

    await edit(page, name);
    await expect.poll(() => contents(page)).toEqual(before);
    await expect(page.getByText("All changes saved")).toBeVisible();
    await page.getByLabel("Relationship to Survivor").fill("sister");
    await expect(page.getByText("Unsaved changes")).toBeVisible();
    await save(page).click();
    await expectSaved(page, "Updated form successfully");

    await edit(page, name);
    await expect.poll(() => contents(page)).toEqual({ ...before, "Relationship to Survivor": "sister" });
    await page.getByRole("link", { name: "Cancel" }).click();
    await rowOf(page, name).getByRole("button", { name: "Reconcile Form" }).click();
    await expect(rowOf(page, name)).toHaveCount(0);
  });

  test(`a form of type ${type} with every field filled by keyboard only is stored unchanged`, async ({
    page,
  }) => {
    const name = freshName();
    await page.goto("/forms/new");
    await fillByKeyboard(page, {
      "Client Name": name,
      "Form Type": type,
      "Service Status": "Not",
      // PFA is the place with its own section that the mouse test does not choose.
      ...(type === "Legal Advocacy" && { "Place of Service": "PFA" }),
    });
    const before = await contents(page);
    expect(Object.entries(before).filter(([, value]) => EMPTY.includes(value))).toEqual([]);
    await page.keyboard.press("Enter");
    await expectSaved(page, "Created form successfully");

    // The toolbar of a row is one stop.
    await tabTo(page, rowOf(page, name).getByRole("button", { name: "Reconcile Form" }));
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("Enter");
    await expect(save(page)).toHaveText("Update");
    await expect.poll(() => contents(page)).toEqual(before);
  });
}

test("service minutes can be filtered, navigated and changed by keyboard and mouse, and invalid input stays", async ({
  page,
}) => {
  await open(page, "Service", freshName());
  await page.getByLabel("Filter codes").focus();
  await page.keyboard.type("crisis");
  await page.keyboard.press("Enter");
  await expect(minutes(page, "CRISIS")).toBeFocused();
  await page.keyboard.type("1:15");
  await page.keyboard.press("Alt+ArrowUp");
  await expect(minutes(page, "CRISIS")).toHaveValue("90");
  await page.keyboard.press("Alt+ArrowDown");
  await expect(minutes(page, "CRISIS")).toHaveValue("75");
  await expect(total(page)).toHaveText("75 minutes total");
  await minutes(page, "CRISIS").fill("");
  await page.getByLabel("Filter codes").fill("");
  const inputs = page.locator("input[data-minutes]");
  // Waits until the rows match the filter.
  await expect(inputs.nth(1)).toBeVisible();
  await inputs.first().focus();
  await page.keyboard.type("75");
  await page.keyboard.press("ArrowDown");
  await expect(inputs.nth(1)).toBeFocused();
  await page.keyboard.type("1:15");
  await page.keyboard.press("Enter");
  await expect(inputs.nth(2)).toBeFocused();
  await page.keyboard.press("ArrowUp");
  await expect(inputs.nth(1)).toHaveValue("75");
  await expect(total(page)).toHaveText("150 minutes total");
  const only = page.getByLabel("Show only services with minutes");
  // Rows get their height when they come into view, so the box moves once more after the scroll.
  await only.scrollIntoViewIfNeeded();
  await only.check();
  await expect(inputs.filter({ visible: true })).toHaveCount(2);
  await only.uncheck();
  await minutes(page, "SAFETY").fill("soon");
  await page.keyboard.press("Tab");
  await expect(minutes(page, "SAFETY")).toHaveAttribute("aria-invalid", "true");
  await chooseType(page, "Phone");
  await expect(minutes(page, "SAFETY")).toHaveValue("soon");

  await chooseType(page, "Service");
  await minutes(page, "SAFETY").fill("");
  await minutes(page, "PFA-VIDEO").fill("10");
  const granted = page.getByRole("group", { name: "PFA-VIDEO", exact: true }).getByRole("checkbox");
  await granted.click();
  await expect(granted).toBeChecked();

  await minutes(page, "CRISIS").focus();
  await page.getByRole("button", { name: "Add 15 minutes to SAFETY" }).click();
  await expect(minutes(page, "SAFETY")).toHaveValue("15");
});

test("a blocked save shows a summary with links and error counts at the sections, and focuses the first error", async ({
  page,
}) => {
  await open(page, "Legal Advocacy");
  await save(page).click();
  await expect(summary(page).getByRole("link")).toHaveText([
    "Client Name is required",
    "Service Status is required",
    "Place of Service is required",
    "Offender Relationship is required",
  ]);
  await expect(page.getByLabel("Client Name *")).toBeFocused();
  await expect(page.getByRole("heading", { name: "Form Details 2 errors" })).toBeVisible();
  await expect(page.getByRole("heading", { name: "Survivor 1 error" })).toBeVisible();
  const sections = page.getByRole("navigation", { name: "Sections of this form" });
  await expect(sections.getByRole("link", { name: "Legal Advocacy 1 error" })).toBeVisible();

  await summary(page).getByRole("link", { name: "Offender Relationship is required" }).click();
  await expect(page.getByLabel("Offender Relationship *")).toBeFocused();
  await chooseFirst(page, "Offender Relationship *");
  await expect(summary(page).getByRole("link")).toHaveCount(3);
  await page.getByLabel("Service Status *").selectOption("Not Served");
  await save(page).click();
  await page.getByLabel("Other", { exact: true }).check();
  await expect(summary(page)).not.toContainText("Choose at least one reason");
});

test("a value on the form screen clears the values that depend on it", async ({ page }) => {
  await open(page, "Legal Advocacy", freshName());
  const place = page.getByLabel("Place of Service *");
  await place.selectOption("Magisterial Court");
  await chooseFirst(page, "Outcome *");
  await minutes(page, "CRISIS").fill("10");
  await minutes(page, "ACCOMPANY").fill("20");
  await expect(total(page)).toHaveText("20 minutes total");
  await expect(page.getByRole("row").filter({ has: minutes(page, "CRISIS") })).toContainText(
    "Not counted in Magisterial Court",
  );
  await place.selectOption("PFA Court");
  await expect(total(page)).toHaveText("30 minutes total");
  await place.selectOption("Magisterial Court");
  await expect(page.getByLabel("Outcome *")).toHaveValue("");

  await page.getByLabel("Disability", { exact: true }).check();
  await page.getByLabel("Physical Disability").check();
  await page.getByLabel("Deaf").check();
  await page.getByLabel("Disability", { exact: true }).uncheck();
  await page.getByLabel("Disability", { exact: true }).check();
  await expect(page.getByLabel("Physical Disability")).not.toBeChecked();
  await expect(page.getByLabel("Deaf")).toHaveCount(0);

  await page.getByLabel("Canine Assistance").selectOption({ index: 2 });
  await chooseType(page, "Phone");
  await expect(page.getByLabel("Canine Assistance")).toHaveCount(0);
  await chooseType(page, "Service");
  await expect(page.getByLabel("Canine Assistance")).toHaveValue(/\d/);
  await expect(page.getByLabel("Canine Assistance").locator("option:checked")).toHaveText("None");
});

test("a continuing client is chosen by typing, loaded, and removed when the checkbox is cleared", async ({
  page,
}) => {
  const name = freshName();
  const client = { name, clientDemographicEntryAttributes: { military: true } };
  await page.request.post("/api/clients", { data: { client } });
  await open(page, "Phone");
  await page.getByLabel("Continuing Client").focus();
  await page.keyboard.press("Space");
  await page.keyboard.press("Tab");
  await page.keyboard.type(name.toLowerCase());
  // Clients with similar names are listed after the exact match.
  const first = page.getByRole("listbox").getByRole("option").first();
  await expect(first).toHaveText(`${name} Alex Admin`);
  await expect(first).toHaveAttribute("aria-selected", "true");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("combobox", { name: "Client" })).toHaveValue(name);
  await expect(page.getByLabel("Military")).toBeChecked();

  await page.getByLabel("Continuing Client").uncheck();
  await expect(page.getByLabel("Client Name *")).toHaveValue("");
  await expect(page.getByLabel("Military")).not.toBeChecked();
});

test("a new form has a client field, an existing one shows its advocate, and a missing name turns red on blur", async ({
  page,
}) => {
  await open(page, "Phone");
  await expect(page.getByLabel("Continuing Client")).toBeVisible();
  await expect(page.getByLabel("Advocate Name")).toHaveCount(0);
  await expect(save(page)).toHaveText("Save");
  const name = page.getByLabel("Client Name *");
  await name.focus();
  await expect(name).not.toHaveAttribute("aria-invalid", "true");
  await page.keyboard.press("Tab");
  await expect(name).toHaveAttribute("aria-invalid", "true");

  await page.goto("/forms");
  await page.getByRole("row").nth(1).getByRole("link", { name: /edit/i }).click();
  await expect(save(page)).toHaveText("Update");
  await expect(page.getByLabel("Advocate Name")).toHaveValue(/\w+ \w+/);
  await expect(page.getByLabel("Continuing Client")).toHaveCount(0);
});

test("a refused form keeps all values, and a retry creates no second client", async ({ page }) => {
  const name = freshName();
  await open(page, "Service", name);
  await fillRequired(page, "Service");
  await minutes(page, "CRISIS").fill("30");
  const calls: string[] = [];
  page.on("request", (request) => {
    if (/\/api\/(clients|forms)(\/\d+)?$/.test(request.url()) && request.method() !== "GET")
      calls.push(request.method());
  });
  await page.route("**/api/forms", (route) => route.abort());
  await save(page).click();
  await expect(page.getByRole("alert").filter({ hasText: "Nothing you typed is lost" })).toBeInViewport();
  await expect(minutes(page, "CRISIS")).toHaveValue("30");

  await page.unroute("**/api/forms");
  const error = "Service On must not be in the future";
  const fields = { "form.serviceOn": error };
  await page.route("**/api/forms", (route) =>
    route.fulfill({ status: 422, json: { error: [error], fields } }),
  );
  await save(page).click();
  await expect(summary(page).getByRole("link")).toHaveText([error]);
  await expect(page.getByLabel("Service On *")).toBeFocused();

  await page.unroute("**/api/forms");
  await save(page).dblclick();
  await expectSaved(page, "Created form successfully");
  expect(calls).toEqual(["POST", "POST", "PUT", "POST", "PUT", "POST"]);
  await expect(rowOf(page, name)).toHaveCount(1);
});

test("a form whose service codes are still loading is saved with its minutes or not at all", async ({
  page,
}) => {
  const name = freshName();
  await open(page, "Phone", name);
  await page.getByLabel("Service Status *").selectOption("Served");
  await minutes(page, "CRISIS").fill("30");
  const codes = "**/api/resource_lists/service_codes/*";
  await page.route(codes, (route) => route.abort());
  await page.getByLabel("Form Type *").selectOption({ label: "Service" });
  await save(page).click();
  const failed = page.getByRole("alert").filter({ hasText: "The service codes could not be loaded." });
  await expect(failed.first()).toContainText("Nothing you typed is lost");
  await expect(failed).toHaveCount(2);
  await expect(page.getByText("No service codes are offered.")).toHaveCount(0);
  await expect(page).toHaveURL(/\/forms\/new$/);

  await page.unroute(codes);
  const arrive = await holdRequests(page, codes);
  await save(page).click();
  await expect(page.getByLabel("Client Name *")).toBeDisabled();
  arrive();
  await expectSaved(page, "Created form successfully");
  await edit(page, name);
  await expect(minutes(page, "CRISIS")).toHaveValue("30");
});

test("a form cannot be edited during its save", async ({ page }) => {
  const name = freshName();
  await open(page, "Service", name);
  await fillRequired(page, "Service");
  const arrive = await holdRequests(page, "**/api/forms", { status: 503, json: { error: ["Not now"] } });
  await page.getByLabel("Client Name *").press("Enter");
  await expect(page.getByLabel("Client Name *")).toBeEnabled();
  await page.getByLabel("Client Name *").press("Control+s");
  await expect(page.getByLabel("Client Name *")).toBeDisabled();
  arrive();
  await expect(page.getByRole("alert").filter({ hasText: "Not now" })).toBeVisible();
  await expect(page.getByLabel("Client Name *")).toBeFocused();
  await page.keyboard.type(" the Second");
  await page.unroute("**/api/forms");
  await save(page).click();
  await expectSaved(page, "Created form successfully");
  await expect(rowOf(page, `${name} the Second`)).toHaveCount(1);
});

test("the form screen lists the minutes and referrals that a save would leave out", async ({ page }) => {
  await open(page, "Service");
  await minutes(page, "HOSPITAL").fill("40");
  await chooseType(page, "Phone");
  const left = page.getByText("Not offered for this form type, so not saved: HOSPITAL (40 min).");
  await expect(left).toBeVisible();
  await chooseType(page, "Service");
  await expect(left).toBeHidden();
  await expect(minutes(page, "HOSPITAL")).toHaveValue("40");

  await page.goto("/forms");
  await page.goto("/forms/new");
  await chooseType(page, "Service");
  const referral = page
    .getByRole("row")
    .filter({ has: page.getByPlaceholder("Referral") })
    .first();
  await referral.getByPlaceholder("Referral").fill("Legal Aid");
  await expect(referral).toContainText("Saved only if you enter minutes.");
  await referral.locator("[data-minutes]").fill("5");
  await expect(referral).not.toContainText("Saved only if you enter minutes.");
});

test("a date can be corrected digit by digit in its middle", async ({ page }) => {
  await page.goto("/forms/new");
  const day = page.getByLabel("Service On *");
  await day.fill("01/23/2026");
  await day.press("Home");
  for (const key of ["ArrowRight", "ArrowRight", "ArrowRight", "Delete"]) await day.press(key);
  await expect(day).toHaveValue("01/3/2026");
  await day.press("1");
  await expect(day).toHaveValue("01/13/2026");
  await day.press("Tab");
  await expect(day).toHaveValue("01/13/2026");
  await day.press("Home");
  for (const key of ["ArrowRight", "ArrowRight", "Delete"]) await day.press(key);
  await expect(day).toHaveValue("0113/2026");
  await day.press("Tab");
  await expect(day).toHaveValue("01/13/2026");

  await page.getByRole("button", { name: "Choose Service On" }).click();
  // The calendar begins where its field does, instead of over the sidebar.
  const left = async (part: Locator) => Math.round((await part.boundingBox())?.x ?? 0);
  expect(await left(page.getByRole("dialog", { name: "Service On" }))).toBe(await left(day));
  await page.getByRole("gridcell", { name: /23/ }).first().click();
  await expect(day).toHaveValue("01/23/2026");
});

test("leaving a form with unsaved changes asks for confirmation", async ({ page }) => {
  await page.goto("/forms/new");
  await page.getByLabel("Client Name *").fill("half typed");
  await page.getByRole("link", { name: "Clients", exact: true }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Stay" }).click();
  await expect(page.getByLabel("Client Name *")).toHaveValue("half typed");
  // Back from a section stays on this page.
  await chooseType(page, "Phone");
  await page.getByRole("navigation", { name: "Sections of this form" }).getByRole("link").last().click();
  await expect(page).toHaveURL(/#/);
  await page.goBack();
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await page.getByRole("link", { name: "Clients", exact: true }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Leave" }).click();
  await expect(page).toHaveURL(/\/clients$/);
});

test("a printed form contains the entered values and nothing else", async ({ page }) => {
  const name = freshName();
  await open(page, "Legal Advocacy", name);
  await fillRequired(page, "Legal Advocacy");
  await minutes(page, "CRISIS").fill("75");
  await save(page).click();
  await expectSaved(page, "Created form successfully");
  await edit(page, name);
  const id = /\/forms\/(\d+)\//.exec(page.url())?.[1];
  const lines = pdfText(await page.pdf()).split("\n");
  const today = await page.getByLabel("Service On *").inputValue();
  const head = [`Form ${id}`, "Alex Admin", today, "Unreconciled", "Printed by"];
  for (const line of [...head, "Police Facility", "CRISIS", "75", "75 minutes total"]) {
    expect(lines).toContain(line);
  }
  // A long name may be broken into two lines.
  expect(lines.join("")).toContain(name);
  expect(lines.join(" ")).toMatch(/No: [^:]*Evaluation Given/);
  // The page number comes first.
  expect(lines.slice(0, 5)).toContain("Victim Services");
  const absent = [
    "SAFETY",
    "Client Biographical",
    "Client Demographics",
    "Unknown",
    "Update",
    "Cancel",
    "Print",
    "Clients",
    "Logout",
    "Disability",
  ];
  for (const line of absent) expect(lines).not.toContain(line);
});

test("forms with an unknown or malformed id get a 404", async ({ page }) => {
  for (const id of ["999999", "abc"]) expect((await page.goto(`/forms/${id}/edit`))?.status()).toBe(404);
});

/**
 * Moves from the first field to Save with Tab and fills every empty field on the way, with `answers` first.
 */
async function fillByKeyboard(page: Page, answers: Record<string, string>) {
  await tabTo(page, page.getByLabel("Client Name *"));
  for (let presses = 0; presses < 400; presses++) {
    const [control] = await read(page.locator("#form-screen :focus"));
    if (control?.kind === "submit") return;
    const { label = "", kind = "button", value = "" } = control ?? {};
    if (kind !== "button" && !KEPT_APART.includes(label) && EMPTY.includes(value)) {
      const answer = answers[label] ?? textFor(label, kind);
      if (kind === "checkbox") await page.keyboard.press("Space");
      else if (kind === "select" && !(label in answers)) await page.keyboard.press("ArrowDown");
      else if (kind === "select") await chooseByLetter(page.locator("#form-screen :focus"), answer);
      else await page.keyboard.type(answer);
    }
    // Waits for the type's fields, which Tab must pass too.
    if (label === "Form Type") await expect(page.getByText("Loading service codes…")).toBeHidden();
    await page.keyboard.press("Tab");
  }
  throw new Error("Tab never reached Save");
}

let words = 0;
/** Returns text for an empty field: a distinct short word for each, because every letter is a key press. */
function textFor(label: string, kind: string): string {
  if (label.startsWith("Minutes for")) return "1:15";
  const byKind: Record<string, string> = { number: "3", date: "01/02/2020", tel: "4125550100" };
  words += 1;
  return byKind[kind] ?? `t${words}`;
}

const KEPT_APART = ["Continuing Client", "Filter codes", "Show only services with minutes", "Advocate Name"];

const controlsOf = (page: Page) => page.locator("#form-screen :is(input, select, textarea):visible");
const EMPTY = ["", "0", "false"];

/** Gives every empty control of the form a value, until no new one appears. */
async function fillEverything(page: Page) {
  await page.getByLabel("Service Status *").selectOption("Not Served");
  for (let empty = true; empty; ) {
    empty = false;
    // Element handles, because finding one control among so many takes longer than filling it.
    const controls = await controlsOf(page).elementHandles();
    const found = await page.evaluate(readControls, controls);
    // In reverse order, because a value adds fields after its own.
    for (const control of controls.reverse()) {
      const { label = "", kind = "", value = "" } = found.pop() ?? {};
      if (KEPT_APART.includes(label) || !EMPTY.includes(value)) continue;
      empty = true;
      if (kind === "checkbox") await control.check();
      else if (kind === "select") await control.selectOption({ index: 1 });
      else await control.fill(textFor(label, kind));
    }
  }
  await page.keyboard.press("Tab");
}

/** Returns the value of every control of the form, by its label. */
async function contents(page: Page): Promise<Record<string, string>> {
  await expect(save(page)).toBeVisible();
  const found = await read(controlsOf(page));
  const entries = found.filter(({ label }) => !KEPT_APART.includes(label));
  // Repeated labels (both parts of a client have an age bracket) are numbered by position. The details of a service have
  // its code instead, because the codes that one used last come first in a new form.
  const turns = new Map<string, number>();
  return Object.fromEntries(
    entries.map(({ label: ownLabel, code, value }) => {
      const label = code ? `${code}: ${ownLabel}` : ownLabel;
      const turn = (turns.get(label) ?? 0) + 1;
      turns.set(label, turn);
      return [turn === 1 ? label : `${label} ${turn}`, value];
    }),
  );
}

/** Returns label, kind and value of the controls. */
const read = (controls: Locator) => controls.evaluateAll(readControls);

/** Runs in the page. */
function readControls(elements: Node[]) {
  return elements.map((element) => {
    const control = element as HTMLInputElement;
    const label = control.getAttribute("aria-label") ?? control.labels?.[0]?.textContent ?? "";
    const date = control.placeholder === "MM/DD/YYYY";
    const type = control.inputMode === "numeric" ? "number" : control.type;
    return {
      label: label.replace(/ \*$/, ""),
      code: control.closest('[role="group"][aria-label]')?.getAttribute("aria-label") ?? "",
      kind: date ? "date" : control.tagName === "SELECT" ? "select" : type,
      value: control.type === "checkbox" ? String(control.checked) : control.value,
    };
  });
}
