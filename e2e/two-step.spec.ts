import type { Page } from "@playwright/test";
import { audit } from "@/e2e/audit";
import {
  DEMO,
  expect,
  expectNotification,
  makeAccount,
  test,
  uniqueName,
  waitUntilInteractive,
} from "@/e2e/fixtures";
import { codeOf } from "@/tests/authenticator";

// Two-step sign-in in the browser: setup in the profile, the code at sign-in, for a confirmation and after a
// session has ended, and roles that require it.

test.use({ permissions: ["clipboard-write"] });

/** Enters email and password on the login page. */
async function enter(page: Page, email: string) {
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password *", { exact: true }).fill(DEMO.password);
  await page.getByRole("button", { name: "Sign In" }).click();
}

const code = (page: Page) => page.getByLabel("Code *", { exact: true });

/** Sets up two-step sign-in and returns the secret and the recovery codes. */
async function setUp(page: Page, state: string) {
  // Signing in reloads the page, and a click before its scripts run is lost.
  await waitUntilInteractive(page);
  await page.getByRole("button", { name: "Set up two-step sign-in" }).click();
  await expect(page.getByRole("img", { name: "QR code for the authenticator app" })).toBeVisible();
  const secret = ((await page.locator("main code").textContent()) ?? "").replaceAll(" ", "");
  await audit(page, `${state}, setup`);
  await code(page).fill("000000");
  await page.getByRole("button", { name: "Turn on" }).click();
  await expect(page.getByRole("alert").filter({ hasText: "That code did not work" })).toBeVisible();
  await expect(code(page)).toHaveValue("");
  await code(page).fill(codeOf(secret));
  await page.getByRole("button", { name: "Turn on" }).click();
  await expect(page.getByRole("heading", { name: "Your recovery codes" })).toBeFocused();
  const codes = await page.locator("[data-recovery-codes] li").allTextContents();
  expect(codes).toHaveLength(10);
  await audit(page, `${state}, recovery codes`);
  return { secret, codes };
}

test("a code is set up in the profile, and required at sign-in, for a confirmation and after a session has ended", async ({
  page,
  database,
}) => {
  const email = `${uniqueName("otto")}@example.org`;
  await makeAccount(database, email, ["forms", "clients"]);
  /** Makes the current code usable again. */
  const forgetUse = () => database.query("UPDATE two_steps SET last_step = 0");

  await page.goto("/?url=%2Fprofile");
  await enter(page, email);
  await expect(page).toHaveURL("/profile");
  const { secret, codes } = await setUp(page, "profile");
  await page.getByRole("button", { name: "Copy" }).click();
  await expect(page.getByText("Copied the recovery codes")).toBeVisible();
  await page.emulateMedia({ media: "print" });
  await expect(page.getByText(codes[0] ?? "")).toBeVisible();
  await expect(page.getByRole("heading", { name: "Profile", level: 1 })).toBeHidden();
  await page.emulateMedia({ media: "screen" });
  await page.getByRole("button", { name: "Done" }).click();
  await expect(page.getByText("10 recovery codes are left.")).toBeVisible();
  await audit(page, "profile, two-step sign-in on");

  await page.getByRole("button", { name: "Logout" }).click();
  await expect(page).toHaveURL("/");
  await page.goto("/?url=%2Fclients%3Fsearch%3Da");
  await enter(page, email);
  await expect(code(page)).toBeFocused();
  await expect(page.getByLabel("Email")).toHaveValue(email);
  await expect(page.getByLabel("Password *", { exact: true })).toHaveValue(DEMO.password);
  await audit(page, "login, code");
  await code(page).fill("000000");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("alert").filter({ hasText: "That code did not work" })).toBeVisible();
  await forgetUse();
  await code(page).fill(codeOf(secret));
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL("/clients?search=a");

  await page.goto("/clients/new");
  await page.getByLabel("Client Name").fill("Typed before the session ended");
  await database.query("DELETE FROM sessions");
  await page.evaluate(() => window.dispatchEvent(new Event("focus")));
  const lock = page.getByRole("dialog", { name: "Your session has ended" });
  await lock.getByLabel("Password *", { exact: true }).fill(DEMO.password);
  await lock.getByRole("button", { name: "Sign In" }).click();
  await expect(lock.getByLabel("Code *", { exact: true })).toBeFocused();
  await lock.getByRole("button", { name: "Use a recovery code" }).click();
  await lock.getByLabel("Recovery Code *", { exact: true }).fill(codes[0] ?? "");
  await lock.getByRole("button", { name: "Sign In" }).click();
  await expect(lock).toBeHidden();
  await expect(page.getByLabel("Client Name")).toHaveValue("Typed before the session ended");

  page.on("dialog", (dialog) => void dialog.accept());
  await page.goto("/profile");
  await expect(page.getByText("9 recovery codes are left.")).toBeVisible();
  await database.query("UPDATE sessions SET proved_at = now() - interval '1 hour'");
  await forgetUse();
  await page.getByRole("button", { name: "Turn off" }).click();
  const switchOffDialog = page.getByRole("dialog", { name: "Turn off two-step sign-in" });
  await switchOffDialog.getByRole("button", { name: "Turn off" }).click();
  const proof = page.getByRole("dialog", { name: "Please enter your password" });
  await proof.getByLabel("Password *", { exact: true }).fill(DEMO.password);
  await proof.getByRole("button", { name: "Confirm" }).click();
  await expect(proof.getByLabel("Code *", { exact: true })).toBeFocused();
  await audit(page, "the prompt for a code over a dialog");
  await proof.getByLabel("Code *", { exact: true }).fill(codeOf(secret));
  await proof.getByRole("button", { name: "Confirm" }).click();
  await expectNotification(page, "Turned off two-step sign-in");
  await expect(page.getByRole("button", { name: "Set up two-step sign-in" })).toBeVisible();
});

test("a role that requires it redirects every page to the setup, and then to the requested page", async ({
  page,
  database,
}) => {
  const email = `${uniqueName("rita")}@example.org`;
  await makeAccount(database, email, ["forms", "clients"]);
  const { rows } = await database.query(
    "UPDATE roles SET requires_two_step = true WHERE id = (SELECT role_id FROM users WHERE email = $1) RETURNING id",
    [email],
  );
  await page.goto("/?url=%2Fclients%3Fsearch%3Da");
  await enter(page, email);
  await expect(page).toHaveURL("/two_step?url=%2Fclients%3Fsearch%3Da");
  await expect(page.getByText("Your role requires two-step sign-in.")).toBeVisible();
  await audit(page, "two-step sign-in, required");
  for (const path of ["/forms", "/home", "/profile"]) {
    await page.goto(path);
    await expect(page).toHaveURL(`/two_step?url=${encodeURIComponent(path)}`);
  }
  await page.goto("/two_step?url=%2Fclients%3Fsearch%3Da");
  await setUp(page, "two-step sign-in, required");
  await page.getByRole("button", { name: "Continue" }).click();
  await expect(page).toHaveURL("/clients?search=a");
  await expect(page.getByRole("heading", { name: "Clients", level: 1 })).toBeVisible();
  await page.goto("/profile");
  await expect(page.getByText("Your role requires two-step sign-in.")).toBeVisible();
  await expect(page.getByRole("button", { name: "Turn off" })).toBeHidden();

  await page.getByRole("button", { name: "Logout" }).click();
  await expect(page).toHaveURL("/");
  await enter(page, DEMO.administrator);
  await expect(page.getByRole("heading", { name: "Forms", level: 1 })).toBeVisible();
  await page.goto(`/settings/roles/${rows[0].id}/edit`);
  await expect(page.getByLabel("Require two-step sign-in")).toBeChecked();
  const { rows: users } = await database.query("SELECT id FROM users WHERE email = $1", [email]);
  await page.goto(`/settings/users/${users[0].id}/edit`);
  await expect(page.getByText("Two-step sign-in is on.")).toBeVisible();
  await page.getByRole("button", { name: "Reset two-step sign-in" }).click();
  await expect(page.getByText("Two-step sign-in is off.")).toBeVisible();
});
