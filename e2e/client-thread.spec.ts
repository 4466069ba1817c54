import type { Page } from "@playwright/test";
import { audit, DESK } from "@/e2e/audit";
import {
  button,
  DEMO,
  expect,
  makeAccount,
  signIn,
  test,
  uniqueName,
  waitUntilInteractive,
} from "@/e2e/fixtures";
import { createRecord, makeServiceForm } from "@/e2e/records";

// A client's page as a thread: warnings, lines that open in place, filters, older forms; and the suggestions on a new
// form. tests/client-page.test.ts covers what each reader may see, tests/summary.test.ts the words.

test.use({ viewport: DESK, colorScheme: "light" });

const get = async (page: Page, path: string) => (await page.request.get(path)).json();
const named = async (page: Page, list: string, name: string): Promise<number> => {
  const [items] = Object.values(await get(page, `/api/resource_lists/${list}`)) as [
    { id: number; name: string }[],
  ];
  return items.find((item) => item.name === name)?.id ?? 0;
};

/** Creates a Phone form with a warning and a Survivor form for the client. Returns the day of the Survivor form. */
async function addForms(page: Page, clientId: number) {
  const of = { clientId, serviceStatus: "Served", verbalConfirmation: true };
  await createRecord(page, "/api/forms", {
    form: {
      ...of,
      formTypeId: await named(page, "form_types", "Phone"),
      serviceOn: "2026-02-03",
      intakeFormAttributes: { phoneEntryAttributes: { currentPfaOrder: "Temporary", guns: true } },
    },
  });
  const { offenderRelationships } = await get(page, "/api/resource_lists/offender_relationships");
  await createRecord(page, "/api/forms", {
    form: {
      ...of,
      formTypeId: await named(page, "form_types", "Survivor"),
      serviceOn: "2025-12-30",
      intakeFormAttributes: {
        survivorEntryAttributes: {
          offenderRelationshipId: offenderRelationships[0].id,
          childAges: "4, 8",
        },
      },
    },
  });
  return { relationship: offenderRelationships[0] as { id: number; name: string } };
}

const entries = (page: Page) => page.getByRole("list", { name: /^Forms in / }).getByRole("listitem");

test("a client's page shows warnings and a line for each form, which opens in place; Back on the form's page returns there", async ({
  page,
  database,
}) => {
  await signIn(page, DEMO.advocate);
  const { clientId, formId } = await makeServiceForm(page, {
    client: uniqueName("Thea Thread"),
    serviceOn: "2026-03-04",
  });
  await addForms(page, clientId);
  await page.goto(`/clients/${clientId}`);

  const safety = page.getByRole("region", { name: "Safety" });
  await expect(safety).toContainText("Last contact03/04/2026 · Service");
  await expect(safety).toContainText("Reported 02/03/2026: guns");
  await expect(safety).toContainText("PFA order: temporary, 02/03/2026");
  await expect(safety).toContainText("Colleagues’ forms may contain more.");
  await expect(entries(page)).toHaveText([
    /^03\/04\/2026 · Service · 30\smin · Crisis intervention/,
    /^02\/03\/2026 · Phone · PFA order: temporary, guns/,
    /^12\/30\/2025 · Survivor/,
  ]);
  await audit(page, "a client's thread");

  const views = async () =>
    (
      await database.query(
        "SELECT 1 FROM audit_events WHERE action = 'viewed' AND entity = 'form' AND client_id = $1",
        [clientId],
      )
    ).rows.length;
  expect(await views()).toBe(0);
  const line = page.getByRole("button", { name: /^03\/04\/2026 · Service/ });
  await expect(line).toHaveAttribute("aria-expanded", "false");
  await line.click();
  const opened = entries(page).first();
  await expect(opened.getByText("30 minutes total")).toBeVisible();
  await expect(line).toHaveAttribute("aria-expanded", "true");
  await expect.poll(views).toBe(1);
  for (const name of ["Edit", "Print", "History"])
    await expect(opened.getByRole("link", { name })).toHaveAttribute(
      "href",
      new RegExp(`^/forms/${formId}${{ Edit: "/edit", History: "/history" }[name] ?? ""}\\?from=`),
    );
  await audit(page, "a form opened in a client's thread");
  await line.click();
  await expect(opened.getByText("30 minutes total")).toBeHidden();

  await page.getByLabel("Year").selectOption("2026");
  await expect(entries(page)).toHaveCount(2);
  await page.getByLabel("Form Type").selectOption({ label: "Phone" });
  await expect(entries(page)).toHaveCount(1);
  await expect(page).toHaveURL(/[?&]type=\d+/);
  const filtered = page.url();
  await page.getByRole("button", { name: /^02\/03\/2026 · Phone/ }).click();
  await entries(page).getByRole("link", { name: "Open", exact: true }).click();
  const heading = page.getByRole("heading", { level: 1 });
  await expect(heading).toHaveText(/^Form \d+/);
  const openedForm = (await heading.textContent()) ?? "";
  await page.getByRole("link", { name: "Next" }).click();
  await expect(heading).not.toHaveText(openedForm);
  await page.getByRole("link", { name: "Back" }).click();
  await expect(page).toHaveURL(filtered);
  await expect(entries(page)).toHaveCount(1);
});

test("300 forms of a client show the newest 50 first, and the first older one gets the focus", async ({
  page,
  database,
}) => {
  await signIn(page);
  const { clientId, formId } = await makeServiceForm(page, {
    client: uniqueName("Mona Many"),
    serviceOn: "2026-03-04",
  });
  await database.query(
    `INSERT INTO forms (client_id, user_id, form_type_id, service_on, service_status, verbal_confirmation, client_name)
     SELECT client_id, user_id, form_type_id, service_on - n, service_status, verbal_confirmation, client_name
     FROM forms, generate_series(1, 299) AS n WHERE id = $1`,
    [formId],
  );
  await page.goto(`/clients/${clientId}`);
  await expect(entries(page)).toHaveCount(50);
  await expect(page.getByText("300 forms, 30 min")).toBeVisible();
  await button(page, "Show 50 of 250 older forms").click();
  await expect(entries(page)).toHaveCount(100);
  await expect(page.locator(":focus")).toHaveText(/^01\/13\/2026 · Service/);
  await page.goto(`/clients/${clientId}?shown=300`);
  await expect(entries(page)).toHaveCount(300);
  await expect(page.getByRole("button", { name: /older form/ })).toHaveCount(0);
});

test("a new form from a client's page suggests the client's last values, and sends only those that were used", async ({
  page,
}) => {
  await signIn(page, DEMO.advocate);
  const { clientId } = await makeServiceForm(page, {
    client: uniqueName("Sue Suggested"),
    serviceOn: "2026-03-04",
  });
  const { relationship } = await addForms(page, clientId);
  await page.goto(`/clients/${clientId}`);
  await page.getByRole("link", { name: "New Form" }).click();
  await waitUntilInteractive(page);
  await page.getByLabel("Form Type *").selectOption({ label: "Survivor" });
  const field = page.getByLabel("Offender Relationship *");
  await expect(field).toHaveValue("");
  await expect(page.getByText(`Last time: ${relationship.name} · Use`)).toBeVisible();
  await expect(page.getByText("Last time: 4, 8 · Use")).toBeVisible();
  await audit(page, "a new form with suggestions");
  await button(page, `Use ${relationship.name} for Offender Relationship`).click();
  await expect(field).toHaveValue(String(relationship.id));
  await expect(field).toBeFocused();
  await expect(page.getByText(`Last time: ${relationship.name}`)).toHaveCount(0);

  // The suggestions are about the client that was chosen.
  await page.getByLabel("Continuing Client").uncheck();
  await expect(page.getByText(/^Last time/)).toHaveCount(0);
  await page.goto(`/forms/new?clientId=${clientId}`);
  await page.getByLabel("Form Type *").selectOption({ label: "Survivor" });
  await button(page, `Use ${relationship.name} for Offender Relationship`).click();
  await page.getByLabel("Service Status *").selectOption("Served");
  const sent = page.waitForRequest((request) => request.url().endsWith("/api/forms"));
  await button(page, "Save").click();
  const { survivorEntryAttributes } = (await sent).postDataJSON().form.intakeFormAttributes;
  expect(survivorEntryAttributes.offenderRelationshipId).toBe(relationship.id);
  expect(survivorEntryAttributes.childAges).toBe("");
});

test("a client chosen on a new form brings suggestions, and another client removes them", async ({
  page,
}) => {
  await signIn(page, DEMO.advocate);
  const known = uniqueName("Chosen Later");
  const other = uniqueName("Without Forms");
  const { clientId } = await makeServiceForm(page, { client: known, serviceOn: "2026-03-04" });
  const { relationship } = await addForms(page, clientId);
  await createRecord(page, "/api/clients", { client: { name: other } });
  await page.goto("/forms/new");
  await page.getByLabel("Form Type *").selectOption({ label: "Survivor" });
  await page.getByLabel("Continuing Client").check();
  const choose = async (name: string) => {
    await page.getByRole("combobox", { name: "Client" }).fill(name);
    await page.getByRole("option", { name }).click();
  };
  await choose(known);
  const suggestion = page.getByText(`Last time: ${relationship.name} · Use`);
  await expect(suggestion).toBeVisible();
  await choose(other);
  await expect(page.getByRole("combobox", { name: "Client" })).toHaveValue(other);
  await expect(page.getByText(/^Last time/)).toHaveCount(0);
  await choose(known);
  await button(page, `Use ${relationship.name} for Offender Relationship`).click();
  await expect(page.getByLabel("Offender Relationship *")).toHaveValue(String(relationship.id));
});

test("a colleague without All Forms gets neither warnings nor suggestions from another advocate's forms", async ({
  page,
  database,
}) => {
  await signIn(page, DEMO.advocate);
  const { clientId } = await makeServiceForm(page, {
    client: uniqueName("Cleo Colleague"),
    serviceOn: "2026-03-04",
  });
  await addForms(page, clientId);
  const email = `${uniqueName("thread-colleague")}@example.org`;
  await makeAccount(database, email, ["forms", "clients"]);
  await signIn(page, email);
  for (const path of [`/clients/${clientId}`, `/forms/new?clientId=${clientId}`]) {
    await page.goto(path);
    for (const word of ["guns", "temporary", "Last time", "4, 8"])
      expect(await page.content(), `${word} at ${path}`).not.toContain(word);
  }
});
