import type { Page } from "@playwright/test";
import { audit, auditFocus, DESK, PHONE, problems } from "@/e2e/audit";
import {
  DEMO,
  expect,
  expectNotification,
  holdRequests,
  makeAccount,
  test,
  uniqueName,
} from "@/e2e/fixtures";
import { makeServiceForm } from "@/e2e/records";

// Every screen in every state, checked by axe and beyond. Nothing overflows or is cut off at 360 px and at 200% zoom,
// and targets measure 24 px. There is one h1, the title has no personal data, and the focus is always visible.

/** A name with letters that no title may contain. */
const CLIENT = "Kanarienvogel Álvarez-Núñez";

test.use({ viewport: DESK, colorScheme: "light" });

async function signIn(page: Page, email: string) {
  const data = { email, password: DEMO.password };
  expect((await page.request.post("/api/login", { data })).status()).toBe(200);
  // Drafts left by other tests would appear at the top of the page, in random number.
  const { drafts } = await (await page.request.get("/api/drafts")).json();
  for (const { key } of drafts) await page.request.delete(`/api/drafts/${key}`);
}

// biome-ignore lint/suspicious/noExplicitAny: a test reads any response
async function post(page: Page, path: string, data: object): Promise<any> {
  const response = await page.request.post(path, { data });
  expect(response.status(), await response.text()).toBe(201);
  return response.json();
}

const heading = (page: Page, name: string | RegExp) =>
  expect(page.getByRole("heading", { level: 1, name })).toBeVisible();
const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });

/** Fills every control, including new ones that appear during the work, with a valid value. */
async function fillEverything(page: Page) {
  const fillOnce = () =>
    page.evaluate(async () => {
      let filled = 0;
      const root = document.querySelector("main form") ?? document.body;
      const set = (control: HTMLElement, value: string, event: string) => {
        const { set: write } = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(control), "value") ?? {};
        filled += 1;
        write?.call(control, value);
        control.dispatchEvent(new Event(event, { bubbles: true }));
      };
      for (const box of root.querySelectorAll<HTMLInputElement>("input[type=checkbox][name]:not(:checked)")) {
        if (box.name === "useExistingClient") continue;
        filled += 1;
        box.click();
      }
      for (const select of root.querySelectorAll<HTMLSelectElement>("select[name]")) {
        const last = select.options[select.options.length - 1]?.value;
        if (select.value === "" && last) set(select, last, "change");
      }
      for (const field of root.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>("input, textarea")) {
        if (field.value !== "" || field.readOnly || /checkbox|radio|search/.test(field.type)) continue;
        set(
          field,
          field.placeholder === "MM/DD/YYYY" ? "01/02/2026" : field.inputMode === "numeric" ? "3" : "75",
          "input",
        );
      }
      // Waits until the controls that appear as a result are painted.
      await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
      return filled;
    });
  await expect.poll(fillOnce).toBe(0);
}

test("the screens of guests are accessible", async ({ page }) => {
  await page.goto("/");
  await heading(page, "Login");
  await expect(button(page, "Sign In")).toBeEnabled();
  await audit(page, "login");
  await button(page, "Sign In").click();
  await expect(page.getByLabel("Email")).toBeFocused();
  await audit(page, "login, invalid");
  await page.getByLabel("Email").fill("nobody@example.org");
  await page.getByLabel("Password").fill("wrong");
  await button(page, "Sign In").click();
  await expect(page.getByRole("alert").getByRole("button", { name: "Dismiss" })).toBeVisible();
  await audit(page, "login, refused");
  await auditFocus(page, "login");

  await page.goto("/forgot_password");
  await expect(button(page, "Reset Password")).toBeEnabled();
  await audit(page, "forgot password");
  await page.getByLabel("Email").fill("nobody@example.org");
  await button(page, "Reset Password").click();
  await expect(page.getByText("We sent you an email")).toBeVisible();
  await audit(page, "forgot password, sent");

  await page.goto("/update_password/no-such-token");
  await page.getByLabel("New Password *", { exact: true }).fill("Half");
  await page.getByLabel("New Password Confirmation").fill("Other");
  await page.getByLabel("New Password *", { exact: true }).focus();
  await audit(page, "update password, checklist");

  await page.goto("/account/no-such-token/activate");
  await expect(page.getByText("Your account could not be activated.")).toBeVisible();
  await audit(page, "activation, failed");
});

test("the screens of contacts are accessible", async ({ page }) => {
  await signIn(page, DEMO.administrator);
  const { contactKinds } = await (await page.request.get("/api/resource_lists/contact_kinds")).json();
  const kind = { contactKindId: contactKinds[0].id };
  await post(page, "/api/contacts", { contact: { ...kind, number: 30, minutes: 240 } });
  const { contact } = await post(page, "/api/contacts", { contact: { ...kind, minutes: 10 } });
  await page.goto("/contacts");
  await expect(page.getByRole("table", { name: "Contacts" })).toBeVisible();
  await audit(page, "contacts");
  await auditFocus(page, "contacts");
  await button(page, "Details").click();
  await page.getByLabel("Shelter Requested").check();
  await page.getByLabel("How Many").fill("many");
  await button(page, "Record").click();
  await expect(page.getByText("How Many must be a whole number")).toBeVisible();
  await audit(page, "contacts, details and an invalid number");
  await page.goto("/contacts?filters[userId]=999999999");
  await audit(page, "contacts, empty");
  await page.goto("/clients");
  await page.keyboard.press("c");
  await expect(page.getByRole("dialog").getByLabel("Kind")).toBeFocused();
  await audit(page, "quick entry over another page");
  await page.goto(`/contacts/${contact.id}/edit`);
  await heading(page, /^Edit Contact/);
  await audit(page, "edit contact");
  await page.getByRole("link", { name: "History" }).click();
  await heading(page, /^History of Contact/);
  await audit(page, "history of contact");
  await page.goto(`/forms/new?contactId=${contact.id}`);
  await expect(page.getByText("Started from the contact on")).toBeVisible();
  await audit(page, "new form from a contact");
  await page.goto("/settings/contact_kinds");
  await audit(page, "contact kinds");
  await page.goto("/reports/pmt/lines/anonymous_contacts?from=2026-01-01&to=2099-12-31");
  await expect(page.getByRole("table", { name: "Anonymous contacts" })).toBeVisible();
  await audit(page, "contacts behind a number");
});

test("the lists of forms and clients are accessible", async ({ page }) => {
  await signIn(page, DEMO.administrator);
  await page.goto("/forms");
  const table = page.getByRole("table", { name: "Forms" });
  await expect(table.getByRole("row").nth(1)).toBeVisible();
  await audit(page, "forms");
  await auditFocus(page, "forms");

  await page.route("**/api/forms/*/reconcile", (route) =>
    route.fulfill({
      status: 422,
      json: { error: ["Verbal Confirmation is required", "Service On is required"] },
    }),
  );
  await button(page, "Reconcile Form").first().click();
  await expect(page.getByText("Service On is required")).toBeVisible();
  await page.unroute("**/api/forms/*/reconcile");
  await button(page, "Reconcile Form").nth(2).click();
  await expectNotification(page, "Reconciled successfully");
  await audit(page, "forms, notifications");
  await page.getByLabel("Status").selectOption("reconciled");
  await expect(button(page, "Unreconcile Form").first()).toBeVisible();
  await audit(page, "forms, reconciled");
  await page.goto("/forms?page=999");
  await audit(page, "forms, no such page");
  await page.goto("/forms?filters[userId]=999999999");
  await expect(page.getByText("No matching unreconciled forms.")).toBeVisible();
  await audit(page, "forms, empty");

  await page.goto("/clients");
  await audit(page, "clients");
  await button(page, "Remove").first().click();
  const dialog = page.getByRole("dialog");
  await expect(dialog).toBeVisible();
  await audit(page, "clients, delete dialog");
  await dialog.getByRole("button", { name: "Delete" }).click();
  await expect(dialog).toBeHidden();
  await expect(page.getByRole("region", { name: "Notifications" })).toContainText("cannot be removed");
  await audit(page, "clients, delete refused");
  await auditFocus(page, "clients, delete refused");
});

test("Home is accessible for an advocate, for an administrator and for a user with an empty Home", async ({
  page,
  database,
}) => {
  await signIn(page, DEMO.advocate);
  await page.goto("/home");
  await heading(page, "Home");
  await audit(page, "home of an advocate");
  await auditFocus(page, "home");
  await signIn(page, DEMO.administrator);
  await page.goto("/home");
  await expect(page.getByRole("heading", { name: "To review" })).toBeVisible();
  await audit(page, "home of an administrator");
  const email = `${uniqueName("nobody-but-their-profile")}@example.org`;
  await makeAccount(database, email, []);
  const data = { email, password: DEMO.password };
  expect((await page.request.post("/api/login", { data })).status()).toBe(200);
  await page.goto("/home");
  await heading(page, "Home");
  await audit(page, "empty Home");
});

test("closing the delete dialog returns the focus to the row's button", async ({ page }) => {
  await signIn(page, DEMO.administrator);
  for (const path of ["/forms", "/clients"]) {
    await page.goto(path);
    const trash = page.getByRole("row").nth(2).getByRole("button", { name: "Remove" });
    await trash.focus();
    for (const close of ["Enter", "Escape"]) {
      await page.keyboard.press("Enter");
      await expect(page.getByRole("dialog").getByRole("button", { name: "Close" })).toBeFocused();
      await page.keyboard.press(close);
      await expect(page.getByRole("dialog")).toBeHidden();
      await expect(trash, path).toBeFocused();
    }
  }
});

test("when a row leaves the list, the focus moves to the row in its place", async ({ page }) => {
  await signIn(page, DEMO.administrator);
  await page.goto("/forms");
  const first = page.getByRole("row").nth(1);
  const second = (await page.getByRole("row").nth(2).textContent()) ?? "";
  await first.getByRole("button", { name: "Reconcile Form" }).focus();
  await page.keyboard.press("Enter");
  await expect(first).toHaveText(second);
  await expect(first.getByRole("button", { name: "Reconcile Form" })).toBeFocused();

  await first.getByRole("button", { name: "Remove" }).focus();
  await page.keyboard.press("Enter");
  await page.getByRole("dialog").getByRole("button", { name: "Delete", exact: true }).press("Enter");
  await expect(first).not.toHaveText(second);
  await expect(first.getByRole("button", { name: "Remove" })).toBeFocused();
});

test("a page that loads slowly is announced by a progress bar", async ({ page }) => {
  await signIn(page, DEMO.administrator);
  await page.goto("/forms");
  const arrive = await holdRequests(page, /\/clients\?/);
  await page.setViewportSize(PHONE);
  await button(page, "Open menu").click();
  await page.getByRole("link", { name: "Clients" }).click();
  await expect(page.locator(".page-progress")).toBeVisible();
  arrive();
  await heading(page, "Clients");
  await expect(page.locator(".page-progress")).toHaveCount(0);
  await expect(page.getByRole("dialog")).toBeHidden();
});

test("the client screen is accessible", async ({ page }) => {
  await signIn(page, DEMO.advocate);
  await page.goto("/clients/new");
  await heading(page, "New Client");
  await audit(page, "client, blank");
  await button(page, "Save").click();
  await expect(page.getByLabel("Client Name")).toBeFocused();
  await audit(page, "client, invalid");
  await button(page, "Choose Date of Birth").click();
  await audit(page, "client, calendar");
  await page.keyboard.press("Escape");

  const { client } = await post(page, "/api/clients", { client: { name: CLIENT } });
  await page.goto(`/clients/${client.id}/edit`);
  await expect(page.getByLabel("Client Name")).toHaveValue(CLIENT);
  await fillEverything(page);
  await audit(page, "client, filled");
  await page.route("**/api/clients/*", (route) =>
    route.fulfill({ status: 422, json: { error: ["City is too long", "Address is too long"] } }),
  );
  await page.getByRole("textbox", { name: "Date of Birth" }).fill("01/02/1980");
  await button(page, "Update").click();
  await expect(page.getByText("Address is too long")).toBeVisible();
  await audit(page, "client, refused with several lines");
  await auditFocus(page, "client");
  await page.getByRole("link", { name: "Cancel" }).click();
  await expect(page.getByRole("dialog", { name: "Leave without saving?" })).toBeVisible();
  await audit(page, "client, leaving");
});

test("the settings screens are accessible", async ({ page }) => {
  await signIn(page, DEMO.administrator);
  await page.goto("/settings/service_codes");
  await audit(page, "service codes");
  await auditFocus(page, "service codes");
  await page.setViewportSize(PHONE);
  await button(page, "Open menu").click();
  await expect(page.getByRole("dialog", { name: "Menu" })).toBeVisible();
  expect.soft(await problems(page), "menu").toEqual([]);
  await page.setViewportSize(DESK);
  await page.goto("/settings/users");
  await audit(page, "users");
  for (const [list, entity] of [
    ["income_levels", "Income Level"],
    ["roles", "Role"],
    ["service_codes", "Service Code"],
    ["users", "User"],
  ]) {
    await page.goto(`/settings/${list}/new`);
    await heading(page, `New ${entity}`);
    await audit(page, `${list}, blank`);
    await button(page, "Save").click();
    await expect(page.locator("[aria-invalid=true]").first()).toBeVisible();
    await audit(page, `${list}, invalid`);
    await auditFocus(page, list ?? "");
  }
});

test("the profile, the error pages and the hidden screen are accessible", async ({ page }) => {
  await signIn(page, DEMO.advocate);
  await page.goto("/profile");
  await heading(page, "Profile");
  await audit(page, "profile");
  await page.getByLabel("First Name").fill("");
  await page.getByLabel("New Password", { exact: true }).fill("short");
  await button(page, "Save").click();
  await audit(page, "profile, invalid");
  await auditFocus(page, "profile");
  for (const [path, status] of [
    ["/settings/users", 403],
    ["/forms/2147483647/edit", 404],
    ["/no/such/page", 404],
  ] as const) {
    expect((await page.goto(path))?.status()).toBe(status);
    await audit(page, `${status} ${path}`);
  }
  // A component that throws while it renders.
  await page.addInitScript(() => {
    const { filter } = Array.prototype;
    Array.prototype.filter = function (this: { createdOn?: string }[], ...args: [never]) {
      if (this[0]?.createdOn) throw new Error("for the error page");
      return filter.apply(this, args);
    } as typeof filter;
  });
  await page.goto("/clients");
  await heading(page, "Something went wrong");
  await audit(page, "error page");
  await page.goto("/profile");
  await button(page, "Hide screen (press Esc twice)").click();
  await expect(page.getByRole("dialog").getByLabel("Password")).toBeFocused();
  await audit(page, "screen hidden");
});

test("the form screen is accessible for every form type", async ({ page }) => {
  const types = ["Phone", "On-Call Advocacy", "Legal Advocacy", "Survivor", "Service"];
  await signIn(page, DEMO.advocate);
  await page.goto("/forms/new");
  await heading(page, "New Form");
  const choose = async (type: string) => {
    await page.getByLabel("Form Type").selectOption(type);
    await expect(page.getByText("Loading service codes…")).toBeHidden();
  };
  for (const type of types) {
    await choose(type);
    await audit(page, `${type}, blank`);
  }
  await page.getByRole("textbox", { name: "Service On" }).fill("13/45/2026");
  for (const type of types) {
    await choose(type);
    await button(page, "Save").click();
    await expect(page.getByText(/^Not saved/)).toBeVisible();
    await expect(page.locator(":focus")).toHaveAttribute("aria-invalid", "true");
    await audit(page, `${type}, invalid`);
  }
  await page.getByRole("textbox", { name: "Service On" }).fill("01/02/2026");
  for (const type of types) {
    await choose(type);
    await fillEverything(page);
    await audit(page, `${type}, filled`);
    await auditFocus(page, type);
  }
});

test("the form screen is accessible with clients found by name, and with an existing form", async ({
  page,
}) => {
  await signIn(page, DEMO.advocate);
  await post(page, "/api/clients", { client: { name: CLIENT } });
  await page.goto("/forms/new");
  await page.getByLabel("Continuing Client").check();
  await page.getByRole("combobox", { name: "Client" }).fill("Kanarien");
  await expect(page.getByRole("listbox").getByRole("option").first()).toBeVisible();
  await audit(page, "continuing client, choices");
  await page.goto("/forms/new");
  await page.getByLabel("Client Name").fill(CLIENT);
  await expect(page.getByText(/^Already recorded\?/)).toBeVisible();
  await audit(page, "new client, similar clients");
  const { forms } = await (await page.request.get("/api/forms")).json();
  await page.goto(`/forms/${forms[0].id}/edit`);
  await heading(page, /\d+$/);
  await audit(page, "existing form");
});

test("the form screen is accessible after another user changed the form", async ({ page }) => {
  await signIn(page, DEMO.advocate);
  const name = uniqueName("Changed Client");
  const { clientId, formId } = await makeServiceForm(page, { client: name, serviceOn: "2020-03-04" });
  await page.goto(`/forms/${formId}/edit`);
  const theirs = {
    name: `${name} Álvarez`,
    relationshipToSurvivor: "A sister of hers, on her father's side",
  };
  expect((await page.request.put(`/api/clients/${clientId}`, { data: { client: theirs } })).status()).toBe(
    200,
  );
  await page.getByLabel("Client Name").fill(CLIENT);
  await button(page, "Update").click();
  await button(page, "Compare and choose").click();
  await expect(page.getByRole("dialog").getByRole("radio")).toHaveCount(4);
  await audit(page, "changed by someone else");
  await auditFocus(page, "changed by someone else");
});

test("offered drafts and the warning before a session ends are accessible", async ({ page }) => {
  await signIn(page, DEMO.advocate);
  for (const key of ["new-1", "new-2", "new-3"]) {
    const data = { draft: { formId: null, content: {} } };
    expect((await page.request.put(`/api/drafts/${key}`, { data })).status()).toBe(200);
  }
  await page.goto("/forms");
  const drafts = page.getByRole("region", { name: "Drafts" });
  await drafts.getByText("2 older").click();
  await expect(drafts.getByRole("link", { name: "Continue" })).toHaveCount(3);
  await audit(page, "forms, drafts offered");

  const session = await (await page.request.get("/api/sessions/current")).json();
  await page.route("**/api/sessions/current", (route) =>
    route.fulfill({ json: { ...session, secondsLeft: 100 } }),
  );
  await page.evaluate(() => window.dispatchEvent(new Event("focus")));
  await expect(button(page, "Stay signed in")).toBeVisible();
  await audit(page, "session about to end");
});
