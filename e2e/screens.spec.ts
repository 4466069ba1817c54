import type { Page, Route } from "@playwright/test";
import {
  DEMO,
  expect,
  expectNotification,
  holdRequests,
  makeAccount,
  pressEscapeTwice,
  stopClock,
  test,
  uniqueName,
} from "@/e2e/fixtures";
import { createRecord, makeServiceForm } from "@/e2e/records";
import { clientMessages } from "@/lib/clients/words";
import { formMessages } from "@/lib/forms/words";

// Behavior of every screen: the first page, the return from a list and a form, the effects of Escape, and the layout.

async function signIn(page: Page, email: string = DEMO.administrator) {
  const data = { email, password: DEMO.password };
  expect((await page.request.post("/api/login", { data })).status()).toBe(200);
}

async function signInByHand(page: Page, email: string) {
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password").fill(DEMO.password);
  await page.getByRole("button", { name: "Sign In" }).click();
}

const firstRow = (page: Page) => page.getByRole("row").nth(1);
const rowsOf = (page: Page) => page.locator("tbody tr");

test.describe("a list's state", () => {
  /**
   * Creates seven records whose names begin with `name`, and returns the list filters that match only those.
   */
  async function sevenClients(page: Page, name: string) {
    for (let n = 1; n <= 7; n++)
      await createRecord(page, "/api/clients", { client: { name: `${name} ${n}` } });
    return `search=${name}`;
  }
  async function sevenForms(page: Page, name: string) {
    const { clientId, formId } = await makeServiceForm(page, { client: name, serviceOn: "2026-03-04" });
    const { form } = await (await page.request.get(`/api/forms/${formId}`)).json();
    const { formTypeId, serviceStatus, verbalConfirmation } = form;
    for (let n = 2; n <= 7; n++) {
      const serviceOn = `2026-03-1${n}`;
      await createRecord(page, "/api/forms", {
        form: { clientId, formTypeId, serviceOn, serviceStatus, verbalConfirmation },
      });
    }
    return `filters[clientId]=${clientId}&filters[formStatus]=all`;
  }
  async function sevenCanines(page: Page, name: string) {
    for (let n = 1; n <= 7; n++)
      await createRecord(page, "/api/canines", { canine: { name: `${name} ${n}` } });
    return `search=${name}`;
  }
  async function sevenUsers(page: Page, name: string) {
    const { roles } = await (await page.request.get("/api/resource_lists/roles")).json();
    for (let n = 1; n <= 7; n++) {
      const email = `${name}-${n}@example.org`.toLowerCase();
      const user = { firstName: `${name} ${n}`, lastName: "Listed", email, roleId: roles[0].id };
      await createRecord(page, "/api/users", { user });
    }
    return `search=${name}`;
  }

  const lists: {
    path: string;
    sort: string;
    make: (page: Page, name: string) => Promise<string>;
    /** A text that can be changed in each record. */
    field: string;
    /** Fills in a new record. */
    fill: (page: Page, name: string) => Promise<void>;
    messages: { created: string; updated: string; removed: string };
  }[] = [
    {
      path: "/forms",
      sort: "serviceOn",
      make: sevenForms,
      field: "Relationship to Survivor",
      fill: async (page, name) => {
        await page.getByLabel("Client Name *").fill(name);
        await page.getByLabel("Form Type *").selectOption({ label: "Service" });
        await page.getByLabel("Service Status *").selectOption("Served");
      },
      messages: formMessages,
    },
    {
      path: "/clients",
      sort: "name",
      make: sevenClients,
      field: "City",
      fill: (page, name) => page.getByLabel("Client Name *").fill(name),
      messages: clientMessages,
    },
    {
      path: "/settings/canines",
      sort: "name",
      make: sevenCanines,
      field: "Name *",
      fill: (page, name) => page.getByLabel("Name *").fill(name),
      messages: {
        created: "Made Canine successfully",
        updated: "Updated Canine successfully",
        removed: "Removed canine successfully",
      },
    },
    {
      path: "/settings/users",
      sort: "fullName",
      make: sevenUsers,
      field: "Last Name *",
      fill: async (page, name) => {
        await page.getByLabel("First Name *").fill(name);
        await page.getByLabel("Last Name *").fill("New");
        await page.getByLabel("Email *").fill(`${name}@example.org`);
        await page.getByLabel("Role *").selectOption({ index: 1 });
      },
      messages: {
        created: "Created user successfully",
        updated: "Updated user successfully",
        removed: "Removed user successfully",
      },
    },
  ];
  for (const { path, sort, make, field, fill, messages } of lists) {
    test(`of ${path} is kept by Cancel, Back, Save, Update and Delete`, async ({ page }) => {
      await signIn(page);
      const filters = await make(page, uniqueName("Kept"));
      const list = `${path}?perPage=5&page=2&sort=${sort}&order=desc&${filters}`;
      await page.goto(list);
      await expect(rowsOf(page)).toHaveCount(2);
      const shown = await rowsOf(page).first().getByRole("cell").first().textContent();
      const isBack = async () => {
        await expect(page).toHaveURL(list);
        await expect(rowsOf(page).first().getByRole("cell").first()).toHaveText(shown ?? "");
      };
      const edit = rowsOf(page).first().getByRole("link", { name: "Edit", exact: true });
      const create = page.getByRole("link", { name: "New", exact: true });
      const submit = (name: string) => page.getByRole("button", { name, exact: true });
      for (const [way, ready] of [
        [edit, "Update"],
        [create, "Save"],
      ] as const) {
        await way.click();
        await expect(submit(ready)).toBeVisible();
        await page.getByRole("link", { name: "Cancel" }).click();
        await isBack();
        await way.click();
        await expect(submit(ready)).toBeVisible();
        await page.goBack();
        await isBack();
      }
      await create.click();
      await fill(page, uniqueName("Another"));
      await submit("Save").click();
      await expectNotification(page, messages.created);
      await isBack();
      await edit.click();
      const value = page.getByLabel(field, { exact: true });
      await value.fill(`${await value.inputValue()} changed`);
      await submit("Update").click();
      await expectNotification(page, messages.updated);
      await expect(page).toHaveURL(list);
      await rowsOf(page).last().getByRole("button", { name: "Remove" }).click();
      await page.getByRole("dialog").getByRole("button", { name: "Delete", exact: true }).click();
      await expectNotification(page, messages.removed);
      await expect(rowsOf(page)).toHaveCount(1);
      await expect(page).toHaveURL(list);
    });
  }

  test("of /clients is kept by Cancel and by Update if the client's page was opened first", async ({
    page,
  }) => {
    const list = "/clients?perPage=5&page=2&sort=name&order=desc&search=a";
    await signIn(page);
    await page.goto(list);
    for (const way of ["Cancel", "Update"]) {
      await firstRow(page).getByRole("cell").first().getByRole("link").click();
      await expect(page).toHaveURL(/\/clients\/\d+\?from=/);
      await page.getByRole("link", { name: "Edit", exact: true }).click();
      await page.getByLabel("City", { exact: true }).fill(uniqueName("page"));
      if (way === "Update") await page.getByRole("button", { name: way }).click();
      else {
        await page.getByRole("link", { name: way }).click();
        await page.getByRole("dialog").getByRole("button", { name: "Leave" }).click();
      }
      await expect(page).toHaveURL(list);
    }
  });

  test("of the forms and of the clients is kept if the record's history was viewed meanwhile", async ({
    page,
  }) => {
    await signIn(page);
    for (const [list, field] of [
      ["/forms?perPage=5&page=2&sort=client", "Relationship to Survivor"],
      ["/clients?perPage=5&page=2&sort=name", "City"],
    ] as const)
      await test.step(list, async () => {
        await page.goto(list);
        await firstRow(page).getByRole("link", { name: "Edit", exact: true }).click();
        await page.getByRole("link", { name: "History", exact: true }).click();
        await page.getByRole("link", { name: /^Back to the / }).click();
        // A history leads to the page that shows the record.
        await page.getByRole("link", { name: "Edit", exact: true }).click();
        await expect(page.getByLabel(field, { exact: true })).toBeVisible();
        await page.getByRole("link", { name: "Cancel" }).click();
        await expect(page).toHaveURL(list);
      });
  });

  test("continues after the last row shown with Next, and by page number after Previous or a new sort order", async ({
    page,
  }) => {
    const list = "/clients?perPage=5&sort=name";
    const next = page.getByRole("button", { name: "Next page" });
    const rows = page.getByRole("row");
    await signIn(page);
    await page.goto(`${list}&page=2`);
    const second = await rows.allInnerTexts();
    await page.goto(list);
    await next.click();
    await expect(page).toHaveURL(/perPage=5&sort=name&page=2&after=\d+$/);
    await expect(rows).toHaveText(second, { useInnerText: true });
    await page.getByRole("button", { name: "Previous page" }).click();
    await expect(page).toHaveURL(list);
    await next.click();
    await expect(page).toHaveURL(/&after=\d+$/);
    await page.getByRole("columnheader").first().getByRole("button").click();
    await expect(page).toHaveURL(`${list}&order=desc`);
  });

  test("reaches the end of the list with Next, even if colleagues deleted some of the rows shown", async ({
    page,
    database,
  }) => {
    const advocate = "mover@example.org";
    await makeAccount(database, advocate, ["clients"]);
    const { rows } = await database.query(
      `INSERT INTO clients (name, created_on, user_id, updated_at)
         SELECT 'Mover ' || chr(64 + n), now(), u.id, now() FROM users u, generate_series(1, 12) n WHERE u.email = $1
       RETURNING id, user_id`,
      [advocate],
    );
    await signIn(page, advocate);
    await page.goto(`/clients?perPage=5&sort=name&filters[userId]=${rows[0].user_id}`);
    const names = page.getByRole("link", { name: /^Mover / });
    const next = page.getByRole("button", { name: "Next page" });
    const count = page.getByText(/^\d.* of \d+$/);
    await expect(names).toHaveText(["A", "B", "C", "D", "E"].map((letter) => `Mover ${letter}`));
    await expect(count).toHaveText("1–5 of 12");
    await database.query("DELETE FROM clients WHERE id = ANY($1)", [rows.slice(0, 3).map(({ id }) => id)]);
    await next.click();
    await expect(names).toHaveText(["F", "G", "H", "I", "J"].map((letter) => `Mover ${letter}`));
    await expect(count).toHaveText("5 of 9");
    await next.click();
    await expect(names).toHaveText(["Mover K", "Mover L"]);
    await expect(count).toHaveText("2 of 9");
    await expect(next).toBeDisabled();
  });

  test("of the forms is kept when a draft is continued from it", async ({ page }) => {
    await signIn(page);
    await page.goto("/forms/new");
    await page.getByLabel("Client Name *").fill("Draft From A List");
    await expect(page.getByText("Draft saved")).toBeVisible();
    await page.goto("/forms?perPage=5");
    await page.getByRole("link", { name: "Continue" }).first().click();
    await page.getByRole("link", { name: "Cancel" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Leave" }).click();
    await expect(page).toHaveURL("/forms?perPage=5");
  });

  test("cannot lead to another site", async ({ page }) => {
    await signIn(page);
    await page.goto("/clients/new?from=%2F%2Fexample.com%2F");
    await page.getByRole("link", { name: "Cancel" }).click();
    await expect(page.getByRole("heading", { name: "Clients", level: 1 })).toBeVisible();
  });
});

test.describe("a failed deletion", () => {
  const refusals: [string, (route: Route) => Promise<void>, string[]][] = [
    [
      "with the error of the server",
      (route) =>
        route.fulfill({ status: 409, json: { error: ["Not now", "Not ever"], code: "conflict_in_use" } }),
      ["Not now", "Not ever"],
    ],
    [
      "without any response",
      (route) => route.abort(),
      ["Undefined response from server", "Nothing you typed is lost. Please try again."],
    ],
  ];
  for (const path of ["/forms", "/clients", "/settings/users"]) {
    test(`on ${path} closes the dialog and is shown in the notification area`, async ({ page }) => {
      await signIn(page);
      await page.goto(path);
      const dialog = page.getByRole("dialog");
      for (const [kind, answer, lines] of refusals)
        await test.step(kind, async () => {
          await page.route(/\/api\/\w+\/\d+$/, answer);
          await rowsOf(page).first().getByRole("button", { name: "Remove" }).click();
          await dialog.getByRole("button", { name: "Delete", exact: true }).click();
          for (const line of lines) await expectNotification(page, line);
          await expect(dialog).toBeHidden();
          await expect(page.getByRole("main").getByRole("alert")).toHaveCount(0);
          await page.unroute(/\/api\/\w+\/\d+$/);
        });
    });
  }
});

test.describe("a navigation", () => {
  test.use({ viewport: { width: 1280, height: 400 } });
  const top = (page: Page) => page.evaluate(() => window.scrollY);

  test("scrolls to the top without a hash, and Back to where the user was", async ({ page }) => {
    await signIn(page);
    await page.goto("/clients");
    await rowsOf(page).last().getByRole("link", { name: "Edit", exact: true }).click();
    await expect(page.getByRole("heading", { name: "Client Biographical" })).toBeVisible();
    await expect.poll(() => top(page)).toBe(0);
    await page.goBack();
    await expect(rowsOf(page).last()).toBeInViewport();
  });

  test("to a URL with a hash scrolls to that element, after a load and within the page", async ({ page }) => {
    await signIn(page);
    const city = page.getByLabel("City", { exact: true });
    await page.goto("/clients/new");
    await expect(city).not.toBeInViewport();
    await page.goto("/home");
    await page.goto("/clients/new#field-clientBiographicalEntry-city");
    await expect(city).toBeInViewport();
    expect(await top(page)).toBeGreaterThan(0);

    const errors = page.getByRole("heading", { name: "Errors", level: 2 });
    await page.goto("/api/docs");
    expect(await top(page)).toBe(0);
    await page.getByRole("link", { name: "Errors", exact: true }).click();
    await expect(errors).toBeInViewport();
    await page.reload();
    await expect(errors).toBeInViewport();
  });
});

test("a failed load of the session is only written to the console", async ({ page }) => {
  await signIn(page);
  const error = "The session store is away";
  await page.route("**/api/sessions/current", (route) => route.fulfill({ status: 500, json: { error } }));
  const logged = page.waitForEvent(
    "console",
    (message) => message.type() === "error" && message.text() === error,
  );
  await page.goto("/forms");
  await logged;
  await expect(rowsOf(page).first()).toBeVisible();
  await expect(page.getByText(error)).toHaveCount(0);
  await expect(page.getByRole("alert").filter({ hasText: /\S/ })).toHaveCount(0);
});

test.describe("the first page", () => {
  const people = [
    { name: "all", permissions: ["forms", "clients", "roles"], place: "Forms", path: "/forms" },
    { name: "clients", permissions: ["clients", "roles"], place: "Clients", path: "/clients" },
    {
      name: "lists",
      permissions: ["roles", "canines"],
      place: "Canines",
      path: "/settings/canines",
    },
    { name: "reports", permissions: ["reports"], place: "Profile", path: "/profile" },
    { name: "export", permissions: ["reports", "export"], place: "Profile", path: "/profile" },
    { name: "nothing", permissions: [], place: "Profile", path: "/profile" },
  ] as const;
  for (const { name, permissions, place, path } of people) {
    test(`after sign-in, by the logo, by Continue and by No permission: ${place}, with ${permissions.length} permissions`, async ({
      page,
      database,
    }) => {
      const email = `${uniqueName(name)}@example.org`;
      await makeAccount(database, email, permissions);
      await page.goto("/");
      await signInByHand(page, email);
      await expect(page).toHaveURL(path);
      await expect(page.getByRole("heading", { name: place, level: 1 })).toBeVisible();
      const logo = page.getByRole("banner").getByRole("link", { name: "Lanternbook" });
      await expect(logo).toHaveAttribute("href", path);
      const html = await (await page.request.get("/")).text();
      expect(/<a [^>]*href="([^"]*)"[^>]*>Continue</.exec(html)?.[1]).toBe(path);
      await page.goto("/settings/users");
      await expect(page.getByRole("heading", { name: "No permission" })).toBeVisible();
      await expect(page.getByRole("link", { name: `Go to ${place}` })).toHaveAttribute("href", path);
    });
  }

  test("is where the links on No permission and on the login page lead a signed-in user", async ({
    page,
  }) => {
    await signIn(page, DEMO.advocate);
    await page.goto("/settings/users");
    await expect(page.getByRole("heading", { name: "No permission" })).toBeVisible();
    await page.getByRole("link", { name: "Go to Forms" }).click();
    await expect(page).toHaveURL("/forms");
    await page.getByRole("banner").getByRole("link", { name: "Lanternbook" }).click();
    await expect(page).toHaveURL("/forms");
    await page.goto("/");
    await page.getByRole("link", { name: "Continue" }).click();
    await expect(page).toHaveURL("/forms");
  });

  test("at an unknown path is the login page for a guest and an error page for a user", async ({ page }) => {
    await page.goto("/nowhere/at/all?x=1");
    await expect(page).toHaveURL("/?url=%2Fnowhere%2Fat%2Fall%3Fx%3D1");
    await expect(page.getByRole("heading", { name: "Login" })).toBeVisible();
    await signIn(page);
    for (const path of ["/nowhere/at/all", "/nowhere", "/forms/7/nowhere", "/settings/roles/7/nowhere"]) {
      expect((await page.goto(path))?.status(), path).toBe(404);
      await expect(page.getByRole("heading", { name: "Not found" })).toBeVisible();
      await expect(page.getByRole("banner").getByRole("button", { name: "Logout" })).toBeVisible();
      await expect(
        page.getByRole("navigation").getByRole("link", { name: "Forms", exact: true }),
      ).toBeVisible();
    }
  });

  test("shows no error without any session, and an error after a refused session", async ({
    page,
    database,
  }) => {
    await page.goto("/clients?page=2");
    await expect(page).toHaveURL("/?url=%2Fclients%3Fpage%3D2");
    await expect(page.getByLabel("Email")).toBeVisible();
    await expect(page.getByText("Unauthorized Request")).toHaveCount(0);
    await signIn(page);
    await database.query("DELETE FROM sessions");
    await page.goto("/clients?page=2");
    await expect(page).toHaveURL("/?unauthorized=true&url=%2Fclients%3Fpage%3D2");
    await expect(page.getByText("Unauthorized Request")).toBeVisible();
    await signInByHand(page, DEMO.administrator);
    await expect(page).toHaveURL("/clients?page=2");
  });
});

test.describe("Escape", () => {
  const hiddenScreen = (page: Page) => page.getByRole("heading", { name: "Locked" });
  test("that closed a calendar, a dialog, a menu or a list of clients does not count toward hiding the screen", async ({
    page,
  }) => {
    await signIn(page);
    await stopClock(page);
    await page.goto("/forms/new");
    const load = await holdRequests(page, /\/_next\/static\/chunks\//);
    await page.getByRole("button", { name: "Choose Service On" }).click();
    const calendar = page.getByRole("dialog", { name: "Service On" });
    await expect(calendar).toBeVisible();
    // The focus is still on the button.
    await pressEscapeTwice(page);
    await expect(calendar).toBeHidden();
    await expect(hiddenScreen(page)).toBeHidden();
    load();

    await page.getByRole("button", { name: "Choose Service On" }).click();
    await expect(page.getByRole("grid")).toBeVisible();
    await pressEscapeTwice(page);
    await expect(page.getByRole("grid")).toBeHidden();
    await expect(hiddenScreen(page)).toBeHidden();
    // A timer returns the focus after closing, which must not take it from the list of clients.
    await page.clock.runFor(1_000);

    await page.getByLabel("Continuing Client").check();
    await page.getByRole("combobox", { name: "Client" }).click();
    await page.clock.runFor(1_000);
    await expect(page.getByRole("listbox").getByRole("option").first()).toBeVisible();
    await pressEscapeTwice(page);
    await expect(page.getByRole("listbox")).toBeHidden();
    await expect(hiddenScreen(page)).toBeHidden();

    await page.setViewportSize({ width: 700, height: 800 });
    await page.getByRole("button", { name: "Open menu" }).click();
    await expect(page.getByRole("dialog", { name: "Menu" })).toBeVisible();
    await pressEscapeTwice(page);
    await expect(page.getByRole("dialog", { name: "Menu" })).toBeHidden();
    await expect(hiddenScreen(page)).toBeHidden();

    await page.goto("/clients");
    await page.getByRole("button", { name: "Export" }).click();
    const csv = page.getByRole("link", { name: "CSV" });
    await expect(csv).toBeVisible();
    await pressEscapeTwice(page);
    await expect(csv).toBeHidden();
    await expect(hiddenScreen(page)).toBeHidden();

    await page.getByRole("button", { name: "Remove" }).first().click();
    await expect(page.getByRole("dialog")).toBeVisible();
    await pressEscapeTwice(page);
    await expect(page.getByRole("dialog")).toBeHidden();
    await expect(hiddenScreen(page)).toBeHidden();
    // This presses Escape twice with nothing open.
    await pressEscapeTwice(page);
    await expect(hiddenScreen(page)).toBeVisible();
  });

  test("hides the other tabs too, and they show it", async ({ page, context }) => {
    await signIn(page);
    await page.goto("/forms");
    const tab = await context.newPage();
    await tab.goto("/clients");
    await expect(tab.getByRole("button", { name: /Hide screen/ })).toBeEnabled();
    await page.getByRole("button", { name: /Hide screen/ }).click();
    for (const one of [page, tab]) await expect(hiddenScreen(one)).toBeVisible();
    await expect.poll(async () => (await page.request.get("/api/me")).status()).toBe(401);
    await expect(hiddenScreen(tab)).toBeVisible();
    await tab.reload();
    await expect(tab.getByLabel("Email")).toBeVisible();
    await expect(tab.getByText("Unauthorized Request")).toHaveCount(0);
    await expect(page.getByLabel("Password")).toBeFocused();
    await page.keyboard.type(DEMO.password);
    await page.keyboard.press("Enter");
    await expect(page.getByRole("heading", { name: "Forms", level: 1 })).toBeVisible();
  });
});

test.describe("lists", () => {
  test("of forms have five columns, one line high at 1280 pixels, and the form shows whether it is reconciled", async ({
    page,
  }) => {
    await page.setViewportSize({ width: 1280, height: 800 });
    await signIn(page);
    // Sorted by oldest, so that the demo's own forms come first, whatever names other tests gave to newer
    // ones.
    await page.goto("/forms?perPage=50&sort=serviceOn&order=asc");
    await expect(page.getByRole("columnheader")).toHaveText([
      /^(Select all)?Client$/,
      "Advocate Name",
      "Form Type",
      "Service Status",
      "Service On",
      "Actions",
    ]);
    const heights = await page
      .locator("tbody tr")
      .evaluateAll((rows) => rows.map((row) => row.getBoundingClientRect().height));
    expect([...new Set(heights)]).toEqual([40]);
    await firstRow(page)
      .getByRole("link", { name: /, \d\d\/\d\d\/\d{4}$/ })
      .click();
    await expect(page.getByText("Unreconciled", { exact: true }).filter({ visible: true })).toBeVisible();
  });

  test("of more than 10,000 rows show so, continue past page 400 with Next, and count exactly there", async ({
    page,
    database,
  }) => {
    await database.query(
      `INSERT INTO clients (name, created_on, user_id, updated_at)
       SELECT 'Zz ' || n, current_date, (SELECT min(id) FROM users), now() FROM generate_series(1, 10000) AS n`,
    );
    try {
      await signIn(page);
      await page.goto("/clients?page=399");
      const pages = page.getByRole("navigation", { name: "Pages" });
      const count = page.getByText(/ of (more than )?[\d,]+$/);
      await expect(count).toHaveText("9951–9975 of more than 10,000");
      await pages.getByRole("button", { name: "Next page" }).click();
      await expect(count).toHaveText("9976–10000 of more than 10,000");
      await pages.getByRole("button", { name: "Next page" }).click();
      await expect(count).toHaveText(/^10001–10\d{3} of 10\d{3}$/);
    } finally {
      await database.query("DELETE FROM clients WHERE name LIKE 'Zz %'");
    }
  });

  test("of users show the last sign-in as MM/DD/YY hh:mm, or Never", async ({ page, database }) => {
    const unseen = `${uniqueName("unseen")}@example.org`;
    await makeAccount(database, unseen, []);
    await signIn(page);
    for (const [email, last] of [
      [unseen, "Never"],
      [DEMO.administrator, /^\d\d\/\d\d\/\d\d \d\d:\d\d [AP]M$/],
    ] as const) {
      await page.goto(`/settings/users?search=${email}`);
      await expect(page.getByRole("row").filter({ hasText: email }).getByRole("cell").nth(3)).toHaveText(
        last,
      );
    }
  });
});

test.describe("the form screen", () => {
  const minutes = (page: Page) => page.getByLabel("Minutes for CRISIS", { exact: true });
  async function open(page: Page, type: string, name: string) {
    await signIn(page);
    await page.goto("/forms/new");
    await page.getByLabel("Client Name *").fill(name);
    await page.getByLabel("Form Type *").selectOption({ label: type });
    await page.getByLabel("Service Status *").selectOption("Served");
    await expect(minutes(page)).toBeVisible();
  }

  test("offers the three PFA orders, None first, without a blank, and requires minutes of 0 or more", async ({
    page,
  }) => {
    await open(page, "Phone", "Three Orders");
    const order = page.getByLabel("Current PFA Order *");
    await expect(order.locator("option")).toHaveText(["None", "Temporary", "Final"]);
    await expect(order).toHaveValue("None");
    await page.getByLabel("Form Type *").selectOption({ label: "Service" });
    await expect(minutes(page)).toBeVisible();
    await minutes(page).fill("-5");
    await minutes(page).blur();
    await expect(page.getByText("Minutes must be 0 or more", { exact: true })).toBeVisible();
    await page.getByLabel("Other Service Minutes").fill("-5");
    await page.getByLabel("Other Service Minutes").blur();
    await expect(page.getByText("Other Service Minutes must be 0 or more", { exact: true })).toBeVisible();
  });

  test("warns that a served client's form records no time, in the section and after the save", async ({
    page,
  }) => {
    const hint = page.locator("#services").getByText("No time is recorded on this form.");
    await open(page, "Service", "No Time");
    await expect(hint).toBeVisible();
    await page.getByLabel("Service Status *").selectOption("Not Served");
    await expect(hint).toBeHidden();
    await page.getByLabel("Service Status *").selectOption("Served");
    await minutes(page).fill("5");
    await expect(hint).toBeHidden();
    await minutes(page).fill("");
    await expect(hint).toBeVisible();
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await expectNotification(page, "Created form successfully");
    await expectNotification(page, "No time is recorded on this form.");

    const row = page.getByRole("row").filter({ hasText: "No Time" });
    await row.getByRole("link", { name: "Edit", exact: true }).click();
    await minutes(page).fill("5");
    await page.getByRole("button", { name: "Update" }).click();
    await expectNotification(page, "Updated form successfully");
    await row.getByRole("link", { name: "Edit", exact: true }).click();
    await expect(minutes(page)).toHaveValue("5");
    await expect(hint).toBeHidden();
  });

  test("keeps the state in the save bar apart from its buttons at 360 pixels", async ({ page }) => {
    await page.route("**/api/drafts/*", (route) => route.fulfill({ status: 422, json: { error: "No" } }));
    await open(page, "Service", "Narrow Bar");
    await page.setViewportSize({ width: 360, height: 740 });
    const state = page.getByRole("status").filter({ hasText: "Unsaved" });
    await expect(state).toContainText("Draft not saved. Save your changes now.");
    const collisions = await state.evaluate((element) => {
      const words = document.createRange();
      words.selectNodeContents(element);
      const bar = element.closest(".sticky") as HTMLElement;
      const { top, bottom } = bar.getBoundingClientRect();
      const buttons = [...bar.querySelectorAll("a, button")].map((button) => button.getBoundingClientRect());
      return [...words.getClientRects()].filter(
        (line) =>
          line.top < top ||
          line.bottom > bottom ||
          line.right > bar.getBoundingClientRect().right ||
          buttons.some(
            (box) =>
              line.left < box.right &&
              line.right > box.left &&
              line.top < box.bottom &&
              line.bottom > box.top,
          ),
      ).length;
    });
    expect(collisions).toBe(0);
  });
});

test.describe("a slow navigation shows the progress bar for", () => {
  const bar = (page: Page) => page.locator(".page-progress");
  const expectShown = async (page: Page, arrive: () => void) => {
    await expect(bar(page)).toBeVisible();
    await expect(bar(page)).toBeInViewport();
    const { x, y, width } = (await bar(page).boundingBox()) ?? {};
    expect([x, y, width]).toEqual([0, 0, page.viewportSize()?.width]);
    arrive();
    await expect(bar(page)).toHaveCount(0);
  };

  test.beforeEach(async ({ page }) => signIn(page));

  test("links in the navigation and in a row, another page of a list, and leaving unsaved changes", async ({
    page,
  }) => {
    await page.goto("/forms");
    await test.step("a link in the navigation", async () => {
      const arrive = await holdRequests(page, /\/clients\?/);
      await page.getByRole("link", { name: "Clients", exact: true }).click();
      await expectShown(page, arrive);
      await page.unrouteAll();
    });
    await test.step("another page of a list", async () => {
      const arrive = await holdRequests(page, /page=2/);
      await page.getByRole("button", { name: "Page 2" }).click();
      await expectShown(page, arrive);
      await page.unrouteAll();
    });
    await test.step("a link in a row", async () => {
      const arrive = await holdRequests(page, /\/edit\?/);
      await firstRow(page).getByRole("link", { name: "Edit", exact: true }).click();
      await expectShown(page, arrive);
      await page.unrouteAll();
    });
    await test.step("leaving unsaved changes", async () => {
      await page.getByLabel("Client Name").fill("Half typed");
      const arrive = await holdRequests(page, /\/forms\?/);
      await page.getByRole("link", { name: "Forms", exact: true }).click();
      await page.getByRole("dialog").getByRole("button", { name: "Leave" }).click();
      await expectShown(page, arrive);
    });
  });

  test("the list after a save", async ({ page }) => {
    await page.goto("/clients/new");
    await page.getByLabel("Client Name").fill("Slow List");
    const arrive = await holdRequests(page, /\/clients\?/);
    await page.getByRole("button", { name: "Save" }).click();
    await expectNotification(page, "Created client successfully");
    await expectShown(page, arrive);
  });

  test("the columns of an uploaded file, and the record to merge with, found by a search", async ({
    page,
    database,
  }) => {
    await test.step("the columns", async () => {
      await page.goto("/settings/imports");
      await page.getByLabel("File", { exact: true }).setInputFiles({
        name: "canines.csv",
        mimeType: "text/csv",
        buffer: Buffer.from("Name\nRex\n"),
      });
      const arrive = await holdRequests(page, /imports\?id=/);
      await page.getByRole("button", { name: "Upload the file" }).click();
      await expectShown(page, arrive);
      await expect(page.getByRole("heading", { name: "Columns", exact: true })).toBeVisible();
    });
    await test.step("the record to merge with", async () => {
      const { rows } = await database.query("SELECT min(id) AS id FROM clients");
      await page.goto(`/clients/${rows[0].id}/merge`);
      const arrive = await holdRequests(page, /with=/);
      await page.getByRole("combobox").fill("a");
      await page.getByRole("option").first().click();
      await expectShown(page, arrive);
    });
  });

  test("Show on the reports", async ({ page }) => {
    for (const path of ["/reports/pmt", "/reports/time"])
      await test.step(path, async () => {
        await page.goto(path);
        await page.getByLabel("From", { exact: true }).fill("2020-01-01");
        await page.getByLabel("To", { exact: true }).fill("2020-03-31");
        const arrive = await holdRequests(page, /from=2020-01-01/);
        await page.getByRole("button", { name: "Show", exact: true }).click();
        await expectShown(page, arrive);
        await expect(page).toHaveURL(/\?from=2020-01-01&to=2020-03-31/);
        await expect(page.getByLabel("From", { exact: true })).toHaveValue("01/01/2020");
        await expect(page.getByText("January–March 2020").first()).toBeVisible();
        // The same period is counted again.
        const again = page.waitForRequest(/from=2020-01-01/);
        await page.getByRole("button", { name: "Show", exact: true }).click();
        await again;
        await page.unrouteAll();
      });
  });
});
