import { audit, DESK, PHONE, problems } from "@/e2e/audit";
import { DEMO, expect, test, uniqueName } from "@/e2e/fixtures";
import { makeServiceForm } from "@/e2e/records";

// The settings overview, the description of roles, lists and forms on a phone, and the visible password.

test.beforeEach(async ({ page }) => {
  const data = { email: DEMO.administrator, password: DEMO.password };
  expect((await page.request.post("/api/login", { data })).status()).toBe(200);
});

test("the settings overview has every list in a group with a description, and can be searched", async ({
  page,
}) => {
  await page.goto("/settings");
  await expect(page.getByRole("heading", { name: "People and access" })).toBeVisible();
  const links = page.locator("#main section").getByRole("link");
  expect(await links.count()).toBeGreaterThanOrEqual(15);
  await expect(page.locator("#main section li").filter({ hasText: /^Closed Periods/ })).toHaveText(
    "Closed PeriodsClose months so that their forms can no longer be changed.",
  );
  await audit(page, "settings overview");
  await page.keyboard.press("/");
  await page.keyboard.type("magistrate");
  await expect(links).toHaveText(["Magisterial Court Outcomes"]);
  await page.getByLabel("Search settings").fill("no such thing");
  await expect(page.getByText("No matching settings.")).toBeVisible();
  await page.getByLabel("Search settings").fill("minutes");
  await links.first().click();
  await expect(page.getByRole("heading", { name: "Service Codes", level: 1 })).toBeVisible();
});

test("each permission describes what it allows, and a role what its holder will see", async ({ page }) => {
  await page.goto("/settings/roles/new");
  const roleSummary = page.getByRole("status").filter({ hasText: "People with this role will see" });
  await expect(roleSummary).toContainText("Only their own profile");
  const permissions = page.getByRole("group", { name: "Permissions" });
  await expect(permissions.getByLabel("Service Codes", { exact: true })).toHaveAccessibleDescription(
    /Services that minutes are recorded for/,
  );
  await permissions.getByLabel("All Forms", { exact: true }).check();
  await expect(roleSummary).toContainText("All Forms has no effect without Forms");
  await permissions.getByLabel("Forms", { exact: true }).check();
  await expect(roleSummary).not.toContainText("has no effect");
  await permissions.getByLabel("Canines", { exact: true }).check();
  await expect(roleSummary.getByRole("listitem")).toHaveText(["Everyone's forms", "Settings: Canines"]);
  await audit(page, "role with its summary");
});

test("on a phone no row is cut off, sorting is one select, and a form starts on the first screen", async ({
  page,
}) => {
  await page.setViewportSize(PHONE);
  await page.goto("/forms");
  await page.getByRole("button", { name: "Find or start" }).click();
  const finder = page.getByRole("combobox", { name: "Client, form number, setting, or action" });
  await expect(finder).toBeFocused();
  await page.getByRole("button", { name: "Close" }).click();
  await expect(finder).toHaveCount(0);
  const account = page.getByRole("button", { name: "Account menu" });
  for (const scheme of ["dark", "light"]) {
    await account.click();
    await page.getByRole("button", { name: "Switch between light and dark" }).click();
    await expect(page.locator("html")).toHaveAttribute("data-theme", scheme);
    await expect(account).toBeFocused();
  }
  const rows = page.getByRole("table", { name: "Forms" }).locator("tbody tr");
  await expect(rows.first()).toBeVisible();
  const heights = await rows.evaluateAll((all) => all.map((row) => row.getBoundingClientRect().height));
  expect(Math.max(...heights)).toBeLessThan(110);
  const cut = await rows
    .locator("td:not([data-actions])")
    .evaluateAll((cells) =>
      cells.filter((cell) => cell.scrollWidth > cell.clientWidth).map((cell) => cell.textContent),
    );
  expect(cut).toEqual([]);
  await page.getByLabel("Sort by").selectOption({ label: "Client, Z to A" });
  await expect(page).toHaveURL(/sort=client&order=desc/);
  await expect(page.getByLabel("Sort by").locator("option:checked")).toHaveText("Client, Z to A");
  expect.soft(await problems(page), "forms on a phone").toEqual([]);

  const { clientId } = await makeServiceForm(page, {
    client: uniqueName("Phoebe Phone"),
    serviceOn: "2026-03-04",
  });
  await page.goto(`/clients/${clientId}`);
  const form = page.getByRole("list", { name: "Forms in March 2026" }).getByRole("listitem");
  expect((await form.boundingBox())?.height).toBeLessThan(110);
  expect.soft(await problems(page), "a client on a phone").toEqual([]);

  await page.goto("/forms/new");
  await expect(page.getByText(/^Service On [\d/]{10}$/)).toBeVisible();
  await expect(page.getByLabel("Form Type *")).toBeInViewport();
  await page.getByLabel("Form Type *").selectOption({ label: "Legal Advocacy" });
  // Between a phone and a desktop, the list of sections is one line.
  await page.setViewportSize({ width: 700, height: 740 });
  const nav = page.getByRole("navigation", { name: "Sections of this form" });
  expect((await nav.boundingBox())?.height).toBeLessThan(64);
  await nav.getByRole("button", { name: /^Sections \d+ sections? to fill out$/ }).click();
  await nav.getByRole("link", { name: "Survivor" }).click();
  await expect(page.getByRole("heading", { name: "Survivor" })).toBeInViewport();
  await expect(nav.getByRole("link", { name: "Survivor" })).toBeHidden();
});

test("a long name keeps its row of the forms list one line high, with the full name in its title", async ({
  page,
}) => {
  await page.setViewportSize(DESK);
  const name = uniqueName("Maximiliana Featherstonehaugh-Cholmondeley von und zu Liechtenstein");
  await page.goto("/forms/new");
  await page.getByLabel("Form Type *").selectOption({ label: "Service" });
  await page.getByLabel("Client Name *").fill(name);
  await page.getByLabel("Service Status *").selectOption("Partially Served");
  await page.getByLabel("Other", { exact: true }).check();
  await page.getByRole("button", { name: "Save" }).click();
  const row = page.getByRole("row").filter({ hasText: name });
  await expect(row).toBeVisible();
  await expect(row.getByTitle(name)).toHaveText(name);
  expect((await row.boundingBox())?.height).toBe(40);
  expect.soft(await problems(page), "forms with a long name").toEqual([]);
  // A description column gets the remaining width.
  await page.goto("/settings/service_codes");
  const cells = page.getByRole("row").filter({ hasText: "CRISIS" }).locator("td");
  const [code, description] = await cells.evaluateAll((all) => all.map((cell) => cell.clientWidth));
  expect(description).toBeGreaterThan(3 * (code ?? 0));
});

test("a row's actions are words at 1280 pixels and icons below, with Remove separate and less prominent", async ({
  page,
}) => {
  await page.setViewportSize(DESK);
  for (const [path, words] of [
    ["/forms", ["Reconcile", "Edit", "Remove"]],
    ["/clients", ["Edit", "Remove"]],
    ["/settings/users", ["Reset Password", "Edit", "Remove"]],
  ] as const) {
    await page.goto(path);
    const table = page.getByRole("table");
    await expect(table).toBeVisible();
    const actionLabels = () =>
      table
        .locator("tbody tr:first-child .row-actions .button")
        .evaluateAll((all) => all.map((one) => getComputedStyle(one, "::after").content));
    expect(await actionLabels()).toEqual(words.map((word) => `"${word}"`));
    // At rest all actions are quiet; where the pointer is, Remove stays so.
    await table.locator("tbody tr:first-child").hover();
    const row = await table.locator("tbody tr:first-child").evaluate((row) => {
      const boxes = [...row.querySelectorAll(".row-actions .button")].map((one) => ({
        left: one.getBoundingClientRect().left,
        right: one.getBoundingClientRect().right,
        color: getComputedStyle(one).color,
      }));
      const [edit, remove] = boxes.slice(-2);
      return {
        height: row.getBoundingClientRect().height,
        apart: (remove?.left ?? 0) - (edit?.right ?? 0),
        isQuieter: remove?.color !== edit?.color,
        beyond: Math.max(
          0,
          (remove?.right ?? 0) - (row.closest(".card")?.getBoundingClientRect().right ?? 0),
        ),
        overlaps: boxes.some(({ left }, at) => at > 0 && left < (boxes[at - 1]?.right ?? 0)),
      };
    });
    expect(row).toEqual({ height: 40, apart: 12, isQuieter: true, beyond: 0, overlaps: false });
    await page.setViewportSize({ width: 1024, height: 768 });
    expect(await actionLabels()).toEqual(words.map(() => "none"));
    await page.setViewportSize(DESK);
  }
});

test("a password can be shown while it is typed", async ({ page }) => {
  await page.goto("/");
  const password = page.getByLabel("Password");
  await password.fill("Something-1");
  await expect(password).toHaveAttribute("type", "password");
  await page.getByRole("button", { name: "Show the text in Password" }).click();
  await expect(password).toHaveAttribute("type", "text");
  await expect(password).toHaveValue("Something-1");
  await audit(page, "login, password shown");
  await page.getByRole("button", { name: "Hide the text in Password" }).click();
  await expect(password).toHaveAttribute("type", "password");
});
