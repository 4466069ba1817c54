import type { Page } from "@playwright/test";
import {
  button,
  DEMO,
  expect,
  expectNotification,
  holdRequests,
  signIn,
  test,
  uniqueName,
} from "@/e2e/fixtures";
import { SPECIFIED } from "@/e2e/specified-texts";

// Finds each text that the specification quotes on its screen.

const text = (page: Page, words: string) => page.getByText(words, { exact: true }).first();

test("the screens of guests show the specified texts", async ({ page }) => {
  const { login, forgotPassword, updatePassword, activation } = SPECIFIED;
  await page.goto("/?unauthorized=true");
  await expect(text(page, login.unauthorized)).toBeVisible();
  await page.goto("/forgot_password");
  await page.getByLabel("Email").fill("nobody@example.org");
  await button(page, "Reset Password").click();
  await expect(text(page, forgotPassword.sent)).toBeVisible();

  await page.goto("/update_password/unknown");
  await expect(text(page, updatePassword.heading)).toBeVisible();
  await page.route("**/api/forgot_password", (route) => route.fulfill({ status: 200, json: {} }));
  await page.getByLabel("New Password *", { exact: true }).fill(DEMO.password);
  await page.getByLabel("New Password Confirmation *").fill(DEMO.password);
  await button(page, "Update Password").click();
  await expect(text(page, updatePassword.done)).toBeVisible();

  const arrive = await holdRequests(page, "**/api/account/first/activate", {
    status: 200,
    json: { token: "t" },
  });
  await page.goto("/account/first/activate");
  await expect(text(page, activation.searching)).toBeVisible();
  arrive();
  await expect(page.getByText(activation.done)).toBeVisible();
  await page.goto("/account/unknown/activate");
  await expect(text(page, activation.failed)).toBeVisible();
});

test("the profile shows the specified texts", async ({ page }) => {
  const { hint, done, confirmation, ...problems } = SPECIFIED.profile;
  await signIn(page);
  await page.goto("/profile");
  await expect(text(page, hint)).toBeVisible();
  const password = page.getByLabel("New Password", { exact: true });
  const bad = { number: "Passwordless", lowercase: "PASSWORD1", uppercase: "password1", length: "Pass1" };
  for (const [rule, problem] of Object.entries(problems)) {
    await password.fill(bad[rule as keyof typeof bad]);
    await password.blur();
    await expect(text(page, problem)).toBeVisible();
  }
  await password.fill(DEMO.password);
  await page.getByLabel("New Password Confirmation").fill("another");
  await page.getByLabel("New Password Confirmation").blur();
  await expect(text(page, confirmation)).toBeVisible();
  await password.fill("");
  await page.getByLabel("New Password Confirmation").fill("");
  await button(page, "Save").click();
  await expectNotification(page, done);
});

test("the forms of clients, service forms, service codes, and users show the specified texts", async ({
  page,
}) => {
  const { form, serviceStatus, serviceCode, serviceCodeGroup, noChoice, allUsers } = SPECIFIED;
  await signIn(page);
  for (const path of ["/clients", "/forms", "/contacts"]) {
    await page.goto(path);
    await expect(page.getByLabel("User", { exact: true }).locator("option").first()).toHaveText(allUsers);
  }
  await page.goto("/forms/new");
  await expect(page.getByLabel(form.continuing)).toBeVisible();
  await expect(page.getByLabel(form.clientName)).toBeVisible();
  await page.getByLabel("Form Type *").selectOption({ label: "Survivor" });
  await expect(page.getByLabel(form.offender)).toBeVisible();
  await page.getByLabel("Form Type *").selectOption({ label: "Service" });
  await expect(page.locator("#form-screen").getByText(`0 ${form.minutes}`)).toBeVisible();
  const headings = page
    .getByRole("table")
    .filter({ has: page.getByText("Time Spent (minutes)") })
    .getByRole("columnheader");
  await expect(headings).toHaveText(["Code", "Referral", "Time Spent (minutes)"]);
  await page.getByLabel("Service Status *").selectOption("Not Served");
  for (const label of serviceStatus) await expect(page.getByLabel(label, { exact: true })).toBeVisible();
  await page.goto("/settings/service_codes/new");
  for (const label of serviceCode) await expect(page.getByLabel(label, { exact: true })).toBeVisible();
  await expect(page.getByRole("group", { name: serviceCodeGroup })).toBeVisible();
  await page.goto("/settings/users/new");
  await expect(page.getByLabel("Role").locator("option").first()).toHaveText(noChoice);
});

test("a client and a form are created, changed, reviewed, and removed with the specified texts", async ({
  page,
}) => {
  const { clients, forms, review, deletion, errors } = SPECIFIED;
  const name = uniqueName("Quoted Client");
  await signIn(page);
  await page.goto("/clients/new");
  await page.getByLabel("Client Name *").fill(name);
  await page.route("**/api/clients", (route) =>
    route.fulfill({ status: 500, json: { error: { text: "no" } } }),
  );
  await button(page, "Save").click();
  await expect(text(page, errors.unrecognized)).toBeVisible();
  await page.unroute("**/api/clients");
  await page.route("**/api/clients", (route) => route.abort());
  await button(page, "Save").click();
  await expect(text(page, errors.noText)).toBeVisible();
  await page.unroute("**/api/clients");
  await button(page, "Save").click();
  await expectNotification(page, clients[0]);
  const rowOf = (words: string) => page.getByRole("row").filter({ hasText: words });
  await rowOf(name).getByRole("link", { name: "Edit", exact: true }).click();
  await button(page, "Update").click();
  await expectNotification(page, clients[1]);

  await page.goto("/forms/new");
  await page.getByLabel("Client Name *").fill(`${name} B`);
  await page.getByLabel("Form Type *").selectOption({ label: "Service" });
  await page.getByLabel("Service Status *").selectOption("Served");
  await button(page, "Save").click();
  await expectNotification(page, forms[0]);
  const { forms: made } = await (await page.request.get(`/api/forms?search=${name}`)).json();
  await page.goto(`/forms?filters[clientId]=${made[0].client.id}&filters[formStatus]=all`);
  await rowOf(name).getByRole("link", { name: "Edit", exact: true }).click();
  await page.getByLabel("Relationship to Survivor").fill("Cousin");
  await button(page, "Update").click();
  await expectNotification(page, forms[1]);
  await rowOf(name).getByRole("button", { name: "Reconcile Form", exact: true }).click();
  await expectNotification(page, review[0]);
  await rowOf(name).getByRole("button", { name: "Unreconcile Form", exact: true }).click();
  await expectNotification(page, review[1]);
  await rowOf(name).getByRole("button", { name: "Remove" }).click();
  const dialog = page.getByRole("dialog", { name: `${deletion.title} form ${made[0].id}` });
  await expect(dialog).toContainText(`${deletion.question} form ${made[0].id}`);
  await expect(dialog.getByRole("button", { name: "Close" })).toBeVisible();
  await dialog.getByRole("button", { name: "Delete", exact: true }).click();
  await expectNotification(page, forms[2]);

  await page.goto(`/clients?search=${name}&sort=name&order=asc`);
  await rowOf(name).first().getByRole("button", { name: "Remove" }).click();
  await button(page, "Delete").click();
  await expectNotification(page, clients[2]);
});

test("records of settings lists are created, changed, and removed with the specified texts", async ({
  page,
}) => {
  await signIn(page);
  for (const [list, [created, updated, removed]] of Object.entries(SPECIFIED.lists))
    await test.step(list, async () => {
      const name = uniqueName("Quoted");
      await page.goto(`/settings/${list}/new`);
      const label = page.getByLabel(/^(Name|Code|Last Name)( \*)?$/);
      await label.fill(name);
      if (list === "users") {
        await page.getByLabel("First Name").fill("Uma");
        await page.getByLabel("Email").fill(`${name}@example.org`);
        await page.getByLabel("Role").selectOption({ label: "Advocate" });
      }
      if (list === "age_brackets") await page.getByLabel("Range Start").fill("20");
      if (list === "referral_sources") await page.getByLabel("Description").fill("Words");
      await button(page, "Save").click();
      await expectNotification(page, created);
      await page.goto(`/settings/${list}?search=${name}`);
      const row = page.getByRole("row").filter({ hasText: name });
      await row.getByRole("link", { name: "Edit", exact: true }).click();
      await label.fill(`${name} B`);
      await button(page, "Update").click();
      await expectNotification(page, updated);
      if (list === "users") {
        const reset = row.getByRole("button", { name: "Reset Password" });
        await expect(reset).toHaveAttribute("title", "Reset Password");
        await reset.click();
        await expectNotification(page, SPECIFIED.resetLink);
      }
      await row.getByRole("button", { name: "Remove" }).click();
      await button(page, "Delete").click();
      await expectNotification(page, removed);
    });
});

test("the session is loaded after a sign-in and at the start of a page, and a failure is only logged", async ({
  page,
}) => {
  await page.goto("/");
  const loads: string[] = [];
  page.on("request", (request) => {
    if (request.url().endsWith("/api/me")) loads.push(new URL(page.url()).pathname);
  });
  const logged: string[] = [];
  page.on("console", (message) => logged.push(message.text()));
  await page.getByLabel("Email").fill(DEMO.administrator);
  await page.getByLabel("Password").fill(DEMO.password);
  await button(page, "Sign In").click();
  await expect(page).toHaveURL(/\/forms$/);
  await expect.poll(() => loads).toEqual(["/", "/forms"]);
  await page.route("**/api/me", (route) => route.fulfill({ status: 503, json: { error: "Not just now" } }));
  await page.reload();
  await expect.poll(() => logged.join()).toContain("Not just now");
  await expect(page.getByText("Not just now")).toHaveCount(0);
  await expect(page.getByRole("heading", { name: "Forms" })).toBeVisible();
});

test("a failed client search and failed service codes show the server's error text", async ({ page }) => {
  await signIn(page);
  await page.goto("/forms/new");
  await page.getByLabel("Continuing Client").check();
  const refuse = (error: string) => ({ status: 503, json: { error } });
  await page.route("**/api/clients/search", (route) => route.fulfill(refuse("The search is resting.")));
  await page.getByPlaceholder("Type a name").fill("Ann");
  const failure = page.getByRole("alert").filter({ hasText: "The search is resting." });
  await expect(failure).toBeVisible();
  await failure.getByRole("button", { name: "Dismiss" }).click();
  await expect(failure).toHaveCount(0);
  await page.route("**/api/resource_lists/service_codes/*", (route) =>
    route.fulfill(refuse("The codes are away.")),
  );
  await page.getByLabel("Form Type *").selectOption({ label: "Service" });
  await expect(page.getByRole("alert").filter({ hasText: "The codes are away." })).toBeVisible();
  await expect(page.getByText("No service codes are offered.")).toHaveCount(0);
});
