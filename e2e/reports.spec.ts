import type { Page } from "@playwright/test";
import { audit, auditFocus, DESK, PHONE } from "@/e2e/audit";
import {
  DEMO,
  expect,
  expectNotification,
  holdRequests,
  makeAccount,
  test,
  uniqueName,
} from "@/e2e/fixtures";
import { createRecord, makeServiceForm } from "@/e2e/records";
import { date, today } from "@/lib/core/text/format";
import { quarterOf } from "@/lib/reports/periods";

// Reports on the demo data: from the menu to the records behind a number, a print and a submission.

test.use({ viewport: DESK, colorScheme: "light" });

async function signIn(page: Page, email: string) {
  const data = { email, password: DEMO.password };
  expect((await page.request.post("/api/login", { data })).status()).toBe(200);
}
const button = (page: Page, name: string | RegExp) => page.getByRole("button", { name, exact: true });
const heading = (page: Page, name: string) =>
  expect(page.getByRole("heading", { level: 1, name, exact: true })).toBeVisible();

test("the last quarter is two clicks from the menu, and a number opens the records behind it", async ({
  page,
}) => {
  await signIn(page, DEMO.administrator);
  await page.goto("/forms");
  await page
    .getByRole("navigation", { name: "Main" })
    .getByRole("link", { name: "Reports", exact: true })
    .click();
  await heading(page, "Reports");
  await expect(page.getByText(/^\d+ (person|people) served this quarter$/)).toBeVisible();
  await expect(page.getByText(/^[A-Z]\w+–[A-Z]\w+ \d{4}, due \d\d\/\d\d\/\d{4}$/).first()).toBeVisible();
  // The chart is a picture. The same numbers are in a table.
  await page.getByText("As a table").click();
  await expect(page.getByRole("table", { name: "Individuals served" }).getByRole("row")).toHaveCount(13);
  await page.getByLabel("Field").selectOption({ label: "Offender Relationship" });
  await button(page, "Show").click();
  await expect(page).toHaveURL(/\?field=form\.intakeForm\.survivorEntry\.offenderRelationshipId$/);
  await expect(page.getByText("Offender Relationship on the forms of each month.")).toBeVisible();
  await page.getByText("As a table").last().click();
  await expect(page.getByRole("table", { name: "Offender Relationship" }).getByRole("row")).toHaveCount(25);
  await audit(page, "reports, overview");
  await button(page, "Service minutes").click();
  await expect(page.getByRole("table", { name: "Service minutes" })).toBeVisible();
  await expect(button(page, "Service minutes")).toHaveAttribute("aria-pressed", "true");
  await page.getByRole("link", { name: "PCCD (Pennsylvania)" }).click();
  await heading(page, "PCCD (Pennsylvania)");
  const served = page.getByRole("table", { name: "Individuals served" }).getByRole("link").first();
  const count = Number(await served.textContent());
  expect(count).toBeGreaterThan(0);
  await audit(page, "report");
  await auditFocus(page, "report");
  await served.click();
  await heading(page, "Individuals served");
  await expect(page.getByRole("table").getByRole("row")).toHaveCount(Math.min(count, 25) + 1);
  await expect(page.getByText(new RegExp(`^1–\\d+ of ${count}$`))).toBeVisible();
  await audit(page, "the records behind a number");
  expect(await page.title()).not.toMatch(/Moonwhistle|Papercastle/);
});

test("FVPSA counts nights in shelter, lists the stays and clients behind its numbers, and has a setup", async ({
  page,
}) => {
  await signIn(page, DEMO.administrator);
  await page.goto("/reports/fvpsa");
  await heading(page, "FVPSA (shelter and services)");
  await expect(
    page.getByText("Compare the lines with your state's current form before you submit."),
  ).toHaveCount(2);
  await audit(page, "FVPSA report");
  await page.getByRole("link", { name: /: Shelter nights, show the records$/ }).click();
  await heading(page, "Shelter nights");
  const stays = page.getByRole("table", { name: "Shelter nights" });
  await expect(stays.getByRole("columnheader", { name: "Nights" })).toBeVisible();
  await audit(page, "the stays behind a number");
  await stays.getByRole("link").first().click();
  await expect(page.getByRole("heading", { level: 1, name: /^Edit Stay/ })).toBeVisible();
  await expect(page.getByText("Only people without a client record of their own.")).toBeVisible();
  await page.goto("/reports/fvpsa");
  await page.getByRole("link", { name: /: New people, show the records$/ }).click();
  await expect(page.getByRole("columnheader", { name: "Forms and Stays" })).toBeVisible();
  await audit(page, "the forms and stays behind a number");
  // At the end of a quarter, the one before it has ended before the demo's long stay began.
  const { from, to } = quarterOf(today());
  await page.goto(`/reports/fvpsa/gaps/openStay?from=${from}&to=${to}`);
  await heading(page, "Gap: Open stay");
  await page.getByRole("table").getByRole("link").first().click();
  await expect(page.locator("#field-leftOn")).toBeInViewport();
  await page.goto("/settings/reports/fvpsa");
  await expect(page.getByLabel("List").getByRole("option")).toHaveText([
    ...["Service codes", "Ethnicities", "Genders", "Age brackets", "Shelters", "Contact kinds", "Form types"],
  ]);
  await audit(page, "FVPSA setup");
  // New shelters, kinds, and form types get a row, which their forms lead to.
  for (const [list, kind] of [
    ["shelters", "shelter"],
    ["contact_kinds", "contact_kind"],
    ["form_types", "form_type"],
  ]) {
    const html = await (await page.request.get(`/settings/${list}/new`)).text();
    expect(html).toContain("In the FVPSA report, ");
    expect(html).toContain(`/settings/reports/fvpsa?kind=${kind}`);
  }
});

test("a gap links to the exact field", async ({ page }) => {
  await signIn(page, DEMO.administrator);
  await page.goto("/reports/pmt");
  // The due date and the gaps come before the numbers.
  const due = page.getByText(/^Due \d\d\/\d\d\/\d{4}/);
  await expect(due).toBeInViewport();
  await due.getByRole("link", { name: /^\d+ gaps?$/ }).click();
  await expect(page.getByRole("heading", { name: /^\d+ gaps?$/ })).toBeInViewport();
  // A section folds, and its header has the unit of its numbers.
  const race = page.getByRole("table", { name: "Race and ethnicity" });
  await expect(race.getByRole("columnheader", { name: "new individuals" })).toBeVisible();
  await page
    .locator("summary")
    .filter({ has: page.getByRole("heading", { name: "Race and ethnicity" }) })
    .click();
  await expect(race).toBeHidden();
  await expect(page.getByText(/^\d+ of 10 lines above zero$/)).toBeVisible();
  await page.getByRole("link", { name: "Show the records with no gender" }).click();
  await heading(page, "Gap: Gender");
  await audit(page, "gap");
  await page.setViewportSize(DESK);
  // Update returns to the list, at the row that replaced the closed gap.
  const clients = page.getByRole("table").locator("tbody tr > td:first-child");
  const [first = "", second = ""] = await clients.allTextContents();
  await clients.first().getByRole("link").click();
  const gender = page.locator("#field-clientDemographicEntry-gender");
  await expect(gender).toBeInViewport();
  await expect(gender).toBeFocused();
  await gender.selectOption("Female");
  await button(page, "Update").click();
  await heading(page, "Gap: Gender");
  await expect(clients.first()).toHaveText(second);
  expect(await clients.allTextContents()).not.toContain(first);
  await expect(clients.first().getByRole("link")).toBeFocused();
  await expect(page).toHaveURL(/\/reports\/pmt\/gaps\/gender\?from=.*#row-0$/);
});

test("the gap of victimization leads to a new form for the client, open at the survivor section", async ({
  page,
}) => {
  await signIn(page, DEMO.administrator);
  const client = uniqueName("Unasked Client");
  // The quarter is before the demo data begins.
  await makeServiceForm(page, { client, serviceOn: "2011-01-05" });
  await page.goto("/reports/pmt/gaps/victimization?from=2011-01-01&to=2011-03-31");
  await heading(page, "Gap: Victimization");
  const row = page.getByRole("row").filter({ hasText: client });
  await row.getByRole("link", { name: "New Survivor form" }).click();
  await heading(page, "New Form");
  await expect(page.getByLabel("Form Type *").locator("option:checked")).toHaveText("Survivor");
  await expect(page.getByRole("combobox", { name: /^Client/ })).toHaveValue(client);
  const relationship = page.getByLabel("Offender Relationship *");
  await expect(relationship).toBeInViewport();
  await expect(page.getByRole("textbox", { name: /^Service On/ })).toHaveValue("01/05/2011");
  // On top, and next to Save, because the link to the field has skipped the top.
  const day = page.getByText("Service On is 01/05/2011, not today");
  await expect(day).toHaveCount(2);
  await expect(day.last()).toBeInViewport();
  await audit(page, "new form, from a gap");
  await page.getByLabel("Service Status *").selectOption("Served");
  await relationship.selectOption({ index: 1 });
  await button(page, "Save").click();
  await heading(page, "Gap: Victimization");
  await expect(page.getByRole("row").filter({ hasText: client })).toHaveCount(0);
});

test("the period of a report is one line on a phone, which opens to change the period", async ({ page }) => {
  await signIn(page, DEMO.administrator);
  await page.setViewportSize(PHONE);
  await page.goto("/reports/pmt?from=2026-04-01&to=2026-06-30");
  const line = button(page, "April–June 2026 · Change");
  await expect(line).toHaveAttribute("aria-expanded", "false");
  await expect(page.getByLabel("From", { exact: true })).toBeHidden();
  await line.click();
  const from = page.getByLabel("From", { exact: true });
  await from.fill("5/1/26");
  await from.blur();
  await expect(from).toHaveAttribute("aria-invalid", "true");
  await expect(from).toHaveAccessibleDescription("Month first, like 04/03/2026");
  await from.fill("2026-05-01");
  await audit(page, "report with its period open on a phone");
  await page.setViewportSize(PHONE);
  await button(page, "Show").click();
  const chosen = button(page, /^May 1(, 2026)? to Jun 30(, 2026)? · Change$/);
  await expect(chosen).toHaveAttribute("aria-expanded", "false");
  await page.setViewportSize(DESK);
  await expect(page.getByLabel("From", { exact: true })).toHaveValue("05/01/2026");
});

test("a quarter is submitted, and nothing has changed since", async ({ page }) => {
  await signIn(page, DEMO.administrator);
  // The quarter is before the demo data begins.
  await makeServiceForm(page, { client: uniqueName("Gap Client"), serviceOn: "2010-01-05" });
  await page.goto("/reports/pmt?from=2010-01-01&to=2010-03-31");
  await page.getByRole("button", { name: "Mark as submitted" }).click();
  const asking = page.getByRole("dialog", { name: /^Submit with \d+ gaps?\?$/ });
  await expect(asking.getByRole("listitem").first()).toContainText(/\d+ clients?/);
  await expect(asking.getByRole("link", { name: /^Show the records/ }).first()).toBeVisible();
  await audit(page, "report, submitting with gaps");
  await asking.getByRole("button", { name: "Submit with gaps" }).click();
  await expect(page.getByRole("link", { name: "changes since then" }).first()).toBeVisible();
  await audit(page, "report, submitted");
  await page.getByRole("link", { name: "changes since then" }).first().click();
  await heading(page, "OVC PMT (VOCA), as submitted");
  await expect(page.getByText("Nothing has changed.")).toBeVisible();
  // Several sections have lines with the same label.
  const lines = page.getByRole("table", { name: "Lines as submitted" });
  await expect(lines.getByText("Gender: Other", { exact: true })).toBeVisible();
  await audit(page, "submission");
});

test("lines with the same number are not listed as changed, but their changed records can be opened", async ({
  page,
}) => {
  await signIn(page, DEMO.administrator);
  const client = uniqueName("Edited Client");
  // The quarter is before the demo data begins.
  const { formId } = await makeServiceForm(page, { client, serviceOn: "2012-01-05" });
  const { submission } = await createRecord(page, "/api/reports/pmt/submissions", {
    submission: { from: "2012-01-01", to: "2012-03-31" },
  });
  const { form } = await (await page.request.get(`/api/forms/${formId}`)).json();
  const { clientId, formTypeId, serviceOn, serviceStatus } = form;
  const edited = await page.request.put(`/api/forms/${formId}`, {
    data: { form: { clientId, formTypeId, serviceOn, serviceStatus, verbalConfirmation: false } },
  });
  expect(edited.status(), await edited.text()).toBe(200);
  await page.goto(`/reports/pmt/submissions/${submission.id}`);
  await expect(page.getByText("No numbers have changed.")).toBeVisible();
  await expect(page.getByRole("table", { name: "Lines that changed" })).toHaveCount(0);
  await page.getByText(/^\d+ numbers? (is|are) the same, but counts? other records$/).click();
  await expect(
    page.getByRole("table", { name: "Lines with the same number" }).getByText(`Form ${formId}`).first(),
  ).toBeVisible();
  await audit(page, "submission, with records that changed");
});

test("the months of a quarter are closed next to its submission", async ({ page }) => {
  await signIn(page, DEMO.administrator);
  const { to } = quarterOf(today(), -1);
  try {
    await page.goto("/reports/pmt");
    await button(page, `Close forms through ${date(to)}`).click();
    await button(page, "Close months").click();
    await expect(page.getByText(`Forms through ${date(to)} are closed`)).toBeVisible();
    await expect(button(page, /^Close forms through/)).toHaveCount(0);
    const { closedThrough } = await (await page.request.get("/api/closed_periods")).json();
    expect(closedThrough).toBe(to);
  } finally {
    // Restores the state for the other tests on this server.
    await page.request.put("/api/closed_periods", { data: { closedThrough: null } });
  }
});

test("a copy for sharing and the time report are accessible, and a copy leads back to the exact numbers", async ({
  page,
}) => {
  await signIn(page, DEMO.administrator);
  await page.goto("/reports/pmt");
  await page.getByRole("link", { name: "Copy for sharing, without small numbers" }).click();
  await expect(page.getByText(/^Copy for sharing\./)).toBeVisible();
  await audit(page, "report, copy for sharing");
  await page.getByRole("link", { name: "Show exact numbers" }).click();
  await expect(page.getByText(/^Copy for sharing\./)).toHaveCount(0);

  const { users } = await (await page.request.get("/api/resource_lists/users")).json();
  const { forms } = await (await page.request.get("/api/forms?filters[formStatus]=all")).json();
  const { id: owner } = users.find(({ id }: { id: number }) => id === forms[0].user.id);
  await page.goto(`/reports/time?from=2020-01-01&to=2030-12-31&userId=${owner}`);
  const minutes = page.getByRole("region", { name: "Minutes by code" });
  await expect(minutes).toBeVisible();
  expect(await minutes.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0);
  const weeks = page.getByRole("link", { name: /^(Last|This|Next) week$/ });
  await expect(weeks).toHaveText(["Last week", "This week", "Next week"]);
  await audit(page, "time");
});

test("a service code is mapped to another line from a day on, tried on the last quarter, and saved", async ({
  page,
}) => {
  await signIn(page, DEMO.administrator);
  const { setup: before } = await (await page.request.get("/api/reports/pmt/setup")).json();
  const serviceOn = quarterOf(today(), -1).from;
  await makeServiceForm(page, { client: uniqueName("Referred Client"), serviceOn, code: "REFERRAL" });
  await page.goto("/settings/reports/pmt");
  const rows = page.getByRole("group", { name: "Mapping of REFERRAL", exact: true });
  // A value is a sentence until it is edited.
  const referral = page
    .getByRole("listitem")
    .filter({ has: page.getByRole("heading", { name: "REFERRAL", exact: true }) });
  await expect(referral).toContainText("Referral: other services");
  await audit(page, "report setup");
  await page.setViewportSize(PHONE);
  await audit(page, "report setup on a phone");
  await page.setViewportSize(DESK);
  await auditFocus(page, "report setup");
  // The focus is never lost with the control that was pressed.
  const line = rows.getByRole("combobox", { name: "Line", exact: true });
  await button(page, "Edit REFERRAL").press("Enter");
  await expect(line).toBeFocused();
  await button(page, "Done with REFERRAL").press("Enter");
  await expect(button(page, "Edit REFERRAL")).toBeFocused();
  await button(page, "Edit REFERRAL").click();
  await expect(rows).toHaveCount(1);
  await button(page, "Changed over time for REFERRAL").press("Enter");
  await expect(rows.getByLabel("First Day", { exact: true })).toBeFocused();
  await button(page, "Add a row for REFERRAL").press("Enter");
  await expect(line.nth(1)).toBeFocused();
  await button(page, "Remove this row of REFERRAL").nth(1).press("Enter");
  await expect(line).toBeFocused();
  await button(page, "Add a row for REFERRAL").click();
  await rows.nth(0).getByLabel("Last Day", { exact: true }).fill("1999-12-31");
  await button(page, /^Try on/).click();
  // By default the new row is for all days, which overlap those of the first row.
  await expect(rows.nth(1)).toContainText("is mapped elsewhere on the same days");
  await audit(page, "report setup, refused");
  await rows
    .nth(1)
    .getByRole("combobox", { name: "Line", exact: true })
    .selectOption({ label: "Referral: victim programs" });
  await rows.nth(1).getByLabel("First Day", { exact: true }).fill("2000-01-01");
  await button(page, /^Try on/).click();
  const moved = page.getByRole("table", { name: "Numbers that would change" }).getByRole("row");
  const referrals = moved.filter({ hasText: "Referral: other services" });
  await expect(referrals).toHaveText(/Referral: other services[1-9]\d*0$/);
  await expect(moved.filter({ hasText: "Referral: victim programs" })).toHaveText(/programs0[1-9]\d*$/);
  await audit(page, "report setup, tried");
  await page.getByRole("link", { name: "FVPSA" }).first().click();
  const leave = page.getByRole("dialog", { name: "Leave without saving?" });
  await leave.getByRole("button", { name: "Stay" }).click();
  await button(page, "Save").click();
  const updated = page.getByText("Updated Reports Setup successfully");
  // Other tests on this server may have submitted the quarter.
  const question = page.getByRole("dialog", { name: "Change reported or closed periods?" });
  await expect(updated.or(question)).toBeVisible();
  if (await question.isVisible()) await question.locator("[data-variant=danger]").click();
  await expectNotification(page, "Updated Reports Setup successfully");
  await page.reload();
  await expect(referral).toContainText("Referral: victim programs, from 01/01/2000");
  await button(page, "Edit REFERRAL").click();
  await expect(rows).toHaveCount(2);
  await expect(rows.nth(1).getByLabel("First Day", { exact: true })).toHaveValue("01/01/2000");

  // Restores the state for the other tests on this server.
  const { setup } = await (await page.request.get("/api/reports/pmt/setup")).json();
  const data = { setup: { ...before, lockVersion: setup.lockVersion, confirmed: true } };
  expect((await page.request.put("/api/reports/pmt/setup", { data })).status()).toBe(200);
});

test("a response about an earlier state of the setup is not shown for a later one", async ({ page }) => {
  await signIn(page, DEMO.administrator);
  await page.goto("/settings/reports/pmt");
  const changes = [
    { key: "late", section: "Services", label: "Counted before the edit", before: 1, after: 2 },
  ];
  const arrive = await holdRequests(page, "**/setup/try*", { status: 200, json: { changes } });
  const tryIt = button(page, /^Try on/);
  const table = page.getByRole("table", { name: "Numbers that would change" });
  await tryIt.click();
  await button(page, /^Edit /)
    .first()
    .click();
  await page.getByRole("combobox", { name: "Line", exact: true }).first().selectOption({ index: 3 });
  arrive();
  await expect(tryIt).not.toHaveAttribute("aria-busy");
  await expect(table).toHaveCount(0);
  await tryIt.click();
  await expect(table).toBeVisible();
});

test("two tabs that save the same setup keep each other's changes, and the second is told", async ({
  page,
  context,
}) => {
  await signIn(page, DEMO.administrator);
  const { setup: before } = await (await page.request.get("/api/reports/pccd/setup")).json();
  const second = await context.newPage();
  await page.goto("/settings/reports/pccd");
  await second.goto("/settings/reports/pccd");
  await page.getByLabel("Due, in days after the period").fill("41");
  await button(page, "Save").click();
  await expectNotification(page, "Updated Reports Setup successfully");

  const starts = second.getByLabel("Due dates begin with");
  await starts.selectOption({ index: 1 });
  const dueFrom = await starts.inputValue();
  await button(second, "Save").click();
  await expect(second.getByRole("alert").filter({ hasText: "Someone else" })).toHaveText(
    /since you opened them.*Their changes are shown here now, and yours are kept\./,
  );
  await expect(second.getByLabel("Due, in days after the period")).toHaveValue("41");
  await expect(starts).toHaveValue(dueFrom);
  await audit(second, "report setup, changed in another tab");
  await button(second, "Save").click();
  await expectNotification(second, "Updated Reports Setup successfully");
  const { setup } = await (await page.request.get("/api/reports/pccd/setup")).json();
  expect([setup.dueDays, setup.dueFrom]).toEqual([41, dueFrom]);
  const data = { setup: { ...before, lockVersion: setup.lockVersion, confirmed: true } };
  expect((await page.request.put("/api/reports/pccd/setup", { data })).status()).toBe(200);
});

test("the reason for refusing a row of the setup stays with it while an earlier row is removed", async ({
  page,
}) => {
  await signIn(page, DEMO.administrator);
  const { setup } = await (await page.request.get("/api/reports/pmt/setup")).json();
  const places: number[] = setup.mappings.flatMap(({ kind }: { kind: string }, at: number) =>
    kind === "service_code" ? [at] : [],
  );
  const [earlier, refused] = [places[0], places.at(-1)];
  await page.route("**/setup/try*", (route) =>
    route.fulfill({
      status: 422,
      json: {
        error: ["Refused line"],
        code: "invalid",
        fields: {
          [`setup.mappings.${earlier}.line`]: "Refused earlier",
          [`setup.mappings.${refused}.line`]: "Refused line",
        },
      },
    }),
  );
  await page.goto("/settings/reports/pmt");
  await button(page, /^Try on/).click();
  const row = page.getByRole("group").filter({ hasText: "Refused line" });
  const legend = row.locator("legend");
  await expect(row).toHaveCount(1);
  const words = (await legend.textContent()) ?? "";
  await page
    .getByRole("group")
    .filter({ hasText: "Refused earlier" })
    .getByRole("button", { name: /^Remove this row/ })
    .click();
  await expect(page.getByText("Refused earlier")).toHaveCount(0);
  await expect(legend).toHaveText(words);
});

test("a new service code asks for its line on top of the setup", async ({ page }) => {
  await signIn(page, DEMO.administrator);
  const { setup: before } = await (await page.request.get("/api/reports/pmt/setup")).json();
  const code = uniqueName("NEW");
  const created = await page.request.post("/api/service_codes", {
    data: { serviceCode: { code, description: "New", position: 900 } },
  });
  expect(created.status()).toBe(201);
  await page.goto("/settings/reports/pmt");
  const line = page.getByRole("combobox", { name: `Line of ${code}`, exact: true });
  await line.selectOption({ label: "Victim rights" });
  await audit(page, "report setup, new code");
  // It counts on its line from the first day, so a save asks if a quarter was submitted.
  await button(page, "Save").click();
  const question = page.getByRole("dialog", { name: "Change reported or closed periods?" });
  await expect(page.getByText("Updated Reports Setup successfully").or(question)).toBeVisible();
  if (await question.isVisible()) await question.locator("[data-variant=danger]").click();
  await expect(line).toHaveCount(0);
  const value = page
    .getByRole("listitem")
    .filter({ has: page.getByRole("heading", { name: code, exact: true }) });
  await expect(value).toContainText("Victim rights");

  const { setup } = await (await page.request.get("/api/reports/pmt/setup")).json();
  const data = { setup: { ...before, lockVersion: setup.lockVersion, confirmed: true } };
  expect((await page.request.put("/api/reports/pmt/setup", { data })).status()).toBe(200);
});

test("the files of a report, of its lists, of minutes and of due clients are offered only to holders of Export", async ({
  page,
  database,
}) => {
  await signIn(page, DEMO.administrator);
  const client = { name: uniqueName("Held Client") };
  const created = await (await page.request.post("/api/clients", { data: { client } })).json();
  const data = { hold: { reason: "A subpoena" } };
  expect((await page.request.put(`/api/clients/${created.client.id}/hold`, { data })).ok()).toBe(true);
  for (const [email, permissions] of [
    ["reader@example.org", ["reports", "all-forms", "retention"]],
    ["exporter@example.org", ["reports", "all-forms", "retention", "export"]],
  ] as const) {
    await makeAccount(database, email, permissions);
    await signIn(page, email);
    const offered = permissions.length - 3;
    const data = { submission: { from: "2020-01-01", to: "2020-03-31" } };
    const submitted = await page.request.post("/api/reports/pmt/submissions", { data });
    const { id } = (await submitted.json()).submission;
    for (const [path, name, role = "button"] of [
      ["/reports/pmt", "Download CSV", "link"],
      ["/reports/pmt/lines/individuals_served", "Export"],
      ["/reports/pmt/gaps/race", "Export"],
      [`/reports/pmt/submissions/${id}`, "Export"],
      ["/reports/time", "Download CSV", "link"],
      ["/settings/retention?filters[held]=true", "Export"],
    ] as const) {
      await page.goto(path);
      await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
      await expect(page.getByRole(role, { name, exact: true })).toHaveCount(offered);
    }
  }
});

test("without All Forms a reader gets copies for sharing and the own records, and words in place of other numbers", async ({
  page,
  database,
}) => {
  const email = "own.records@example.org";
  await makeAccount(database, email, ["forms", "clients", "reports"]);
  await signIn(page, email);
  const words = page.getByText("Without All Forms, you can see the numbers of your own records");
  const cells = page.getByRole("cell", { name: /^\d+$/ });
  const { from, to } = quarterOf(today(), -1);
  await page.goto("/reports");
  await expect(page.getByText("These numbers are those of copies for sharing.")).toBeVisible();
  await expect(page.getByRole("heading", { name: "Answers by month" })).toHaveCount(0);
  await audit(page, "overview without All Forms");
  await page.getByRole("link", { name: "PCCD (Pennsylvania)" }).click();
  await expect(page).toHaveURL(/\/reports\/pccd\?from=.*share=true$/);
  await expect(words).toHaveCount(0);
  const counts = (await cells.allTextContents()).map(Number);
  expect(counts.length).toBeGreaterThan(20);
  expect(counts.filter((count) => count > 0 && count < 5)).toEqual([]);
  await expect(page.getByLabel("Advocate")).toHaveCount(0);
  await page.getByRole("link", { name: /^Your own records/ }).click();
  await expect(page).toHaveURL(/userId=\d+$/);
  await expect(page.getByText(/: .+, your own records$/)).toBeVisible();
  expect(new Set(await cells.allTextContents())).toEqual(new Set(["0"]));
  await audit(page, "own records");
  for (const path of ["", "/lines/individuals_served", "/gaps/race"]) {
    await page.goto(`/reports/pccd${path}?from=${from}&to=${to}`);
    await expect(words).toBeVisible();
    await expect(cells).toHaveCount(0);
    await expect(page.getByRole("link", { name: /^Copy for sharing/ })).toBeVisible();
  }
  await audit(page, "numbers that are refused");
});
