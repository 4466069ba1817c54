import type { Browser, Locator, Page } from "@playwright/test";
import {
  button,
  chooseByLetter,
  DEMO,
  expect,
  expectNotification,
  gotoWatched,
  pressEscapeTwice,
  signIn,
  test,
  uniqueName,
  waitUntilInteractive,
} from "@/e2e/fixtures";
import { startSecondProcess } from "@/e2e/servers";
import { type ReadMail, readMail } from "@/tests/mailbox";

const FIRST = "Correct-Horse-7";
const SECOND = "Battery-Staple-8";
const THIRD = "Paper-Lantern-9";

async function signInByHand(page: Page, email: string, password: string) {
  await page.goto("/");
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password").fill(password);
  await page.getByRole("button", { name: "Sign In" }).click();
  await expect(page.getByRole("heading", { name: "Forms", level: 1 })).toBeVisible();
  await waitUntilInteractive(page);
}

/** Opens a page on another computer. */
const openOtherBrowser = async (browser: Browser, baseURL: string | undefined) =>
  (await browser.newContext({ baseURL })).newPage();

async function setPassword(page: Page, password: string) {
  await page.getByLabel("New Password *", { exact: true }).fill(password);
  await page.getByLabel("New Password Confirmation").fill(password);
  await page.getByRole("button", { name: "Update Password" }).click();
  await expect(page.getByText("Your password has been updated")).toBeVisible();
  await page.getByRole("link", { name: "Go to Login" }).click();
  await expect(page).toHaveURL("/");
}

const returnToTab = (page: Page) => page.evaluate(() => window.dispatchEvent(new Event("focus")));

test("an account goes from its invitation to a password, a password change and a reset", async ({
  page,
  browser,
  baseURL,
  smtp,
}) => {
  const email = `${uniqueName("sam.rivera")}@example.org`;
  const newestMail = async (count: number) => {
    // The notices of a new password have no link.
    const mails = () =>
      smtp.accepted
        .filter(({ to }) => to === email)
        .map(({ source }) => readMail(source))
        .filter(({ kind }) => kind !== "notice");
    await expect.poll(() => mails().length).toBe(count);
    return mails()[count - 1] as ReadMail;
  };

  await signIn(page);
  await page.goto("/settings/users/new");
  await page.getByLabel("First Name").fill("Sam");
  await page.getByLabel("Last Name").fill("Rivera");
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Role").selectOption({ label: "Advocate" });
  await button(page, "Save").click();
  await expectNotification(page, "Created user successfully");

  const resetOf = (name: string) =>
    page.getByRole("row").filter({ hasText: name }).getByRole("button", { name: "Reset Password" });
  for (const [name, address] of [
    ["Sam Rivera", email],
    ["Alex Admin", DEMO.administrator],
  ] as const) {
    await page.goto(`/settings/users?search=${address}`);
    await expect(resetOf(name)).toHaveAttribute("title", "Reset Password");
  }

  const sam = await openOtherBrowser(browser, baseURL);
  const invitation = await newestMail(1);
  expect(invitation.kind).toBe("activation");
  await sam.goto(`/account/${invitation.token}/activate`);
  await expect(sam.getByText("Your account has been activated. Please set your password.")).toBeVisible();
  await expect(sam.getByText("You cannot sign in until you set a password.")).toBeVisible();
  await sam.getByRole("link", { name: "Set Password" }).click();
  await sam.getByLabel("New Password *", { exact: true }).fill("short");
  await expect(sam.getByRole("listitem").filter({ hasText: "At least 8 characters" })).toContainText(
    "Not met",
  );
  await setPassword(sam, FIRST);
  await expect(sam.getByLabel("Email")).toHaveValue(email);
  await expect(sam.getByLabel("Password")).toBeFocused();
  await sam.keyboard.type(FIRST);
  await sam.keyboard.press("Enter");
  await expect(sam).toHaveURL("/home");
  expect(await sam.evaluate(() => JSON.stringify(sessionStorage))).not.toContain("sam.rivera");
  await waitUntilInteractive(sam);

  const phone = await openOtherBrowser(browser, baseURL);
  await signInByHand(phone, email, FIRST);
  await sam.getByRole("link", { name: "Sam Rivera" }).click();
  await sam.getByLabel("First Name").fill("Samuel");
  await sam.getByLabel("New Password", { exact: true }).fill(SECOND);
  await sam.getByLabel("New Password Confirmation").fill("x");
  await sam.getByRole("button", { name: "Save" }).click();
  await expect(sam.getByText("Passwords do not match")).toBeVisible();
  await sam.getByLabel("New Password Confirmation").fill(SECOND);
  await sam.getByRole("button", { name: "Save" }).click();
  await expectNotification(sam, "You have successfully updated your profile!");
  await expect(sam.getByRole("link", { name: "Samuel Rivera" })).toBeVisible();
  await expect(sam.getByLabel("New Password", { exact: true })).toHaveValue("");

  await phone.goto("/profile");
  await expect(phone).toHaveURL("/?unauthorized=true&url=%2Fprofile");
  await expect(phone.getByText("Unauthorized Request")).toBeVisible();

  await phone.getByRole("link", { name: "Forgot Password" }).click();
  await expect(phone.getByRole("heading", { name: "Forgot Password" })).toBeVisible();
  await phone.getByLabel("Email").fill(email);
  await phone.getByRole("button", { name: "Reset Password" }).click();
  await expect(
    phone.getByText("We sent you an email to confirm that you want to reset your password."),
  ).toBeVisible();
  const reset = await newestMail(2);
  await phone.goto(`/update_password/${reset.token}`);
  await setPassword(phone, THIRD);
  await phone.goto("/?unauthorized=true&url=%2Fprofile");
  await phone.getByLabel("Email").fill(email);
  await phone.getByLabel("Password").fill(SECOND);
  await phone.getByRole("button", { name: "Sign In" }).click();
  await expect(phone.getByText("Invalid email or password")).toBeVisible();
  await phone.getByLabel("Password").fill(THIRD);
  await phone.getByRole("button", { name: "Sign In" }).click();
  await expect(phone).toHaveURL("/profile");
});

test("a link that no longer works offers a new one, in the same words for every link", async ({ page }) => {
  for (const path of ["/account/x/activate", "/update_password/x"]) {
    await page.goto(path);
    await page.getByRole("button", { name: "Send a new link" }).click();
    const sent = page
      .getByRole("status")
      .filter({ hasText: "If your link has expired, we sent you a new one by email." });
    await expect(sent).toBeVisible();
    await expect(page.getByRole("link", { name: "Go to Login" })).toBeVisible();
  }
});

const field = (page: Page, label: string) => page.getByLabel(label, { exact: true });

test("the profile shows every rule that a new password breaks, and a mismatch as soon as the field is left", async ({
  page,
}) => {
  await signIn(page, DEMO.advocate);
  await page.goto("/profile");
  await field(page, "New Password").fill("ada");
  await field(page, "New Password Confirmation").fill("adb");
  await expect(page.getByText("Passwords do not match")).toHaveCount(0);
  await field(page, "New Password Confirmation").press("Tab");
  await expect(page.getByText("Passwords do not match")).toBeVisible();
  for (const rule of ["one number", "one uppercase letter", "8 characters"]) {
    await expect(page.getByText(`Needs to contain at least ${rule}`)).toBeVisible();
  }
});

test("a password that is easy to guess causes a warning, and is refused only if the operator chose so", async ({
  page,
  server,
}) => {
  const warning = page.getByRole("status").getByText("easy to guess");
  await page.goto("/update_password/x");
  await expect(page.getByRole("listitem")).toHaveCount(6);
  await field(page, "New Password *").fill("Password1!");
  await field(page, "New Password Confirmation *").fill("Password1!");
  await expect(page.getByRole("listitem").filter({ hasText: "Not met" })).toHaveCount(0);
  await expect(warning).toHaveText("This password is common and easy to guess");
  await page.getByRole("button", { name: "Update Password" }).click();
  await expect(page.getByText("The link has expired or is invalid")).toBeVisible();

  await signIn(page, DEMO.advocate);
  await page.goto("/profile");
  await expect(page.getByLabel("First Name")).toHaveValue("Avery");
  await field(page, "New Password").fill("Very-Avery-7");
  await expect(warning).toHaveText("This password contains your name or email address and is easy to guess");

  const strict = await startSecondProcess(server, { REFUSE_COMMON_PASSWORDS: "true" });
  try {
    await page.goto(`${strict.url}/update_password/x`);
    const seventh = page.getByRole("listitem").filter({ hasText: "Not a common password" });
    await field(page, "New Password *").fill("Correct-Horse-7");
    await expect(seventh).toHaveText("Met: Not a common password");
    await field(page, "New Password *").fill("Password1!");
    await field(page, "New Password Confirmation *").fill("Password1!");
    await expect(seventh).toHaveText("Not met: Not a common password");
    await page.getByRole("button", { name: "Update Password" }).click();
    await expect(field(page, "New Password *")).toHaveAccessibleDescription(
      "This password is common and easy to guess",
    );
  } finally {
    await strict.stop();
  }
});

test("typed values survive the end of the session, hidden and outside the browser's storage", async ({
  page,
  database,
}) => {
  await signIn(page, DEMO.advocate);
  await gotoWatched(page, "/clients/new");
  await page.getByLabel("Client Name").fill("Jordan Typed");
  await database.query("DELETE FROM sessions");
  await page.getByRole("button", { name: "Save" }).click();

  await expect(page.getByRole("heading", { name: "Your session has ended" })).toBeVisible();
  await expect(page.getByRole("dialog").getByText("Unauthorized Request")).toBeVisible();
  await expect(page.getByLabel("Password")).toBeFocused();
  await expect(page.getByLabel("Client Name")).toBeHidden();
  await expect(page.getByText("Lanternbook", { exact: true })).toHaveCount(2);
  await expect(page.getByText("Lanternbook", { exact: true }).filter({ visible: true })).toHaveCount(1);
  await pressEscapeTwice(page);
  await expect(page.getByRole("heading", { name: "Your session has ended" })).toBeVisible();
  const kept = await page.evaluate(() => JSON.stringify([localStorage, sessionStorage]));
  expect(kept).not.toContain("Jordan");

  await page.getByLabel("Password").fill("Wrong-Password-1");
  await page.getByRole("button", { name: "Sign In" }).click();
  await expect(page.getByText("Invalid email or password")).toBeVisible();
  await page.getByLabel("Password").fill(DEMO.password);
  await page.getByRole("button", { name: "Sign In" }).click();
  // The request made after the session had ended is now repeated.
  await expectNotification(page, "Created client successfully");
});

const remove = async (page: Page) => {
  await page
    .getByRole("button", { name: /^Remove/ })
    .first()
    .click();
  return page.getByRole("dialog").getByRole("button", { name: "Delete", exact: true });
};
const acts: { name: string; path: string; ready: (page: Page) => Promise<Locator> }[] = [
  {
    name: "Reconcile Form in the list",
    path: "/forms?sort=client#main",
    ready: async (page) => page.getByRole("button", { name: "Reconcile Form" }).first(),
  },
  {
    name: "Reconcile of the selected forms",
    path: "/forms?sort=client",
    ready: async (page) => {
      await page.getByRole("checkbox", { name: "Select all" }).check();
      return page.getByRole("button", { name: /^Reconcile \d+ forms$/ });
    },
  },
  { name: "Delete of a form", path: "/forms?sort=client", ready: remove },
  { name: "Delete of a client", path: "/clients?search=a", ready: remove },
  { name: "Delete of a canine", path: "/settings/canines?sort=name", ready: remove },
];
test("an ended session leads to the login page and back, whichever action detects it", async ({
  page,
  database,
}) => {
  await signIn(page);
  for (const { name, path, ready } of acts)
    await test.step(name, async () => {
      await gotoWatched(page, path);
      const button = await ready(page);
      await database.query("DELETE FROM sessions");
      await button.click();
      await expect(page).toHaveURL(`/?unauthorized=true&url=${encodeURIComponent(path)}`);
      await expect(page.getByRole("alert").filter({ hasText: "Unauthorized Request" })).toBeVisible();
      await page.getByLabel("Email").fill(DEMO.administrator);
      await page.getByLabel("Password").fill(DEMO.password);
      await page.getByRole("button", { name: "Sign In" }).click();
      await expect(page).toHaveURL(path);
    });
});

test("an ended session is recognized by its error text, redirects an untouched form to the login page, and asks in place over typed values", async ({
  page,
  database,
}) => {
  await signIn(page);
  const { rows } = await database.query("SELECT max(id) AS id FROM forms WHERE NOT reconciled");
  const path = `/forms/${rows[0].id}/edit`;
  // A proxy in between may respond without a code.
  await page.route(/\/reconcile$/, (route) =>
    route.fulfill({ status: 401, json: { error: "Unauthorized Request" } }),
  );
  const reconcile = page.getByRole("button", { name: "Reconcile", exact: true });
  await page.goto(path);
  await reconcile.click();
  await expect(page).toHaveURL(`/?unauthorized=true&url=${encodeURIComponent(path)}`);

  await page.goto(path);
  // A stored draft would show that the session has not ended.
  await page.route(/\/api\/drafts\//, () => {});
  await page.getByLabel("Relationship to Survivor").fill("sister");
  await reconcile.click();
  const dialog = page.getByRole("dialog");
  await expect(dialog.getByRole("heading", { name: "Your session has ended" })).toBeVisible();
  await expect(dialog.getByText("Unauthorized Request")).toBeVisible();
  await expect(page).toHaveURL(path);
});

test("an ended session leads to the login page from a saved profile and from a chosen period", async ({
  page,
}) => {
  await signIn(page);
  await gotoWatched(page, "/profile");
  const name = page.getByLabel("First Name *");
  await name.fill(await name.inputValue());
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await expectNotification(page, "You have successfully updated your profile!");
  await page.context().clearCookies();
  await page.getByRole("button", { name: "Cancel", exact: true }).click();
  await expect(page).toHaveURL("/?unauthorized=true&url=%2Fprofile");

  await signIn(page);
  const report = "/reports/pmt?from=2026-01-01&to=2026-03-31";
  await gotoWatched(page, report);
  await page.getByLabel("From", { exact: true }).fill("2026-02-01");
  await page.context().clearCookies();
  await returnToTab(page);
  await expect(page).toHaveURL(`/?unauthorized=true&url=${encodeURIComponent(report)}`);
});

test("the login page without a return URL shows only the reason", async ({ page }) => {
  await page.goto("/?unauthorized=true");
  await expect(page.getByText("Unauthorized Request")).toBeVisible();
  await expect(page.getByText("go back to the page")).toBeHidden();
  await page.goto("/?unauthorized=true&url=%2Fforms");
  await expect(page.getByText("Sign in to go back to the page you were on.")).toBeVisible();
});

test("a session warns before its idle end, and Stay signed in extends it", async ({ page, database }) => {
  await signIn(page, DEMO.advocate);
  await page.goto("/clients/new");
  await page.getByLabel("Client Name").fill("Jordan Typed");
  const dialog = page.getByRole("dialog", { name: "Your session is about to end" });
  // Saving the draft counts as use of the session, and may happen in between.
  await expect(async () => {
    await database.query("UPDATE sessions SET last_seen_at = now() - interval '28 minutes 5 seconds'");
    await returnToTab(page);
    await expect(dialog.getByRole("timer")).toHaveText(/^[01]:\d\d$/, { timeout: 5_000 });
  }).toPass();
  await dialog.getByRole("button", { name: "Stay signed in" }).click();
  await expect(dialog).toBeHidden();
  await expect(page.getByLabel("Client Name")).toHaveValue("Jordan Typed");

  await expect(async () => {
    await database.query("UPDATE sessions SET last_seen_at = now() - interval '29 minutes 57 seconds'");
    await returnToTab(page);
    const ended = page.getByRole("heading", { name: "Your session has ended" });
    await expect(ended).toBeVisible({ timeout: 10_000 });
  }).toPass();
  await page.getByLabel("Password").fill(DEMO.password);
  await page.getByRole("button", { name: "Sign In" }).click();
  await expect(page.getByLabel("Client Name")).toHaveValue("Jordan Typed");
});

test("signing out, or signing in as another user, hides the page in every tab", async ({ page, context }) => {
  await signIn(page, DEMO.advocate);
  await page.goto("/clients/new");
  await page.getByLabel("Client Name").fill("Jordan Typed");
  const logout = page.getByRole("button", { name: "Logout" });
  await test.step("a user who signs out but stays on the page can sign in and sign out again", async () => {
    page.once("dialog", (dialog) => dialog.dismiss());
    await logout.click();
    await expect(page.getByRole("heading", { name: "Your session has ended" })).toBeVisible();
    await page.getByLabel("Password").fill(DEMO.password);
    await page.getByRole("button", { name: "Sign In" }).click();
    await expect(page.getByLabel("Client Name")).toHaveValue("Jordan Typed");
    await expect(logout).not.toHaveAttribute("aria-busy");
  });
  const tab = await context.newPage();
  await tab.goto("/profile");
  await tab.getByRole("button", { name: "Logout" }).click();
  await expect(page.getByRole("heading", { name: "Your session has ended" })).toBeVisible();
  // The tab's own redirect to the login page would interfere with the next one.
  await expect(tab.getByLabel("Email")).toBeEnabled();

  page.on("dialog", (dialog) => dialog.accept());
  await signInByHand(tab, DEMO.administrator, DEMO.password);
  await expect(page.getByRole("link", { name: "Alex Admin" })).toBeVisible();
  await expect(page.getByLabel("Client Name")).toBeHidden();
});

for (const [restored, ignoreDefaultArgs] of [
  ["the browser's cache", []],
  ["its back/forward cache", ["--disable-back-forward-cache"]],
] as const)
  test(`after signing out on a shared computer, Back shows no record from ${restored}`, async ({
    playwright,
    server,
  }) => {
    const { launchOptions } = test.info().project.use;
    const browser = await playwright.chromium.launch({
      ...launchOptions,
      ignoreDefaultArgs: [...ignoreDefaultArgs],
    });
    try {
      const page = await (await browser.newContext({ baseURL: server.url })).newPage();
      await signIn(page, DEMO.advocate);
      const name = uniqueName("Jordan Shared");
      const made = await page.request.post("/api/clients", { data: { client: { name } } });
      const { client } = await made.json();
      // The last page is left by signing out, the one before by ordinary navigation.
      for (const path of [`/clients/${client.id}`, `/clients/${client.id}/edit`]) {
        await page.goto(path);
        await waitUntilInteractive(page);
      }
      await expect(page.getByLabel("Client Name")).toHaveValue(name);
      await page.getByRole("button", { name: "Logout" }).click();
      await expect(page.getByLabel("Email")).toBeEnabled();
      for (const path of [`/clients/${client.id}/edit`, `/clients/${client.id}`]) {
        const pageRequest = page.waitForRequest((request) => new URL(request.url()).pathname === path);
        // The navigation may destroy the context before it answers.
        const back = page.evaluate(() => window.history.back()).catch(() => {});
        await pageRequest;
        await back;
        // The login page before this one has the same field.
        await expect(page).toHaveURL((url) => url.searchParams.get("url") === path);
        await expect(page.getByLabel("Email")).toBeEnabled();
        expect(await page.content()).not.toContain(name);
      }
    } finally {
      await browser.close();
    }
  });

test("logging out at one server process ends the session at the other", async ({ server }) => {
  const other = await startSecondProcess(server);
  try {
    const login = await fetch(`${server.url}/api/login`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ email: DEMO.advocate, password: DEMO.password }),
    });
    const headers = { cookie: login.headers.get("set-cookie")?.split(";")[0] ?? "" };
    const me = async ({ url }: { url: string }) => (await fetch(`${url}/api/me`, { headers })).status;
    expect([await me(server), await me(other)]).toEqual([200, 200]);
    await fetch(`${other.url}/api/logout`, { method: "DELETE", headers });
    expect([await me(server), await me(other)]).toEqual([401, 401]);
  } finally {
    await other.stop();
  }
});

test("colleagues are invited one after another, by keyboard, and the role stays chosen", async ({ page }) => {
  await signIn(page);
  await page.goto("/settings/users/new");
  await waitUntilInteractive(page);
  const [first, second] = [uniqueName("ada"), uniqueName("bea")];
  const invite = async (email: string, name: string) => {
    await expect(page.getByLabel("First Name *")).toBeFocused();
    for (const text of [name, "Invited", email]) {
      await page.keyboard.type(text);
      await page.keyboard.press("Tab");
    }
  };
  await invite(`${first}@example.org`, "Ada");
  await chooseByLetter(page.getByLabel("Role *"), "Advocate");
  await page.keyboard.press("Tab");
  await expect(button(page, "Save and invite another")).toBeFocused();
  await page.keyboard.press("Enter");
  await expectNotification(page, `Invitation sent to ${first}@example.org, valid for 7 days`);
  await expect(page).toHaveURL(/\/settings\/users\/new$/);
  await expect(page.getByLabel("Role *").locator("option:checked")).toHaveText("Advocate");
  await expect(page.getByLabel("Email *")).toHaveValue("");
  await invite(`${second}@example.org`, "Bea");
  await button(page, "Save").click();
  await expect(page).toHaveURL(/\/settings\/users(\?|$)/);
  const { users } = await (await page.request.get("/api/users?search=Invited&perPage=50")).json();
  const emails = users.map(({ email, role }: { email: string; role: { name: string } }) => [
    email,
    role.name,
  ]);
  expect(emails).toEqual(
    expect.arrayContaining([first, second].map((name) => [`${name}@example.org`, "Advocate"])),
  );
});
