import type { Page } from "@playwright/test";
import { audit } from "@/e2e/audit";
import { test as base, expect, expectNotification, makeAccount, waitUntilInteractive } from "@/e2e/fixtures";
import { freePort } from "@/lib/ops/embedded";
import { CLIENT, type ProviderAccount, startProvider } from "@/tests/provider";

// Single sign-on in the browser, through the pages of a real provider.

const EMAIL = "iris@example.org";
const providerAccounts = new Map<string, ProviderAccount>([
  ["iris", { email: EMAIL, email_verified: true }],
  ["stranger", { email: "stranger@example.org", email_verified: true }],
]);

const test = base.extend<object, { providerPort: number; provider: undefined }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads from this pattern which fixtures it needs.
  providerPort: [async ({}, use) => use(await freePort()), { scope: "worker" }],
  serverEnv: [
    async ({ providerPort }, use) =>
      use({ ...CLIENT, OIDC_ISSUER: `http://127.0.0.1:${providerPort}`, OIDC_NAME: "Example Login" }),
    { scope: "worker" },
  ],
  provider: [
    async ({ server, providerPort }, use) => {
      const provider = await startProvider(server.url, providerAccounts, { port: providerPort });
      await use(undefined);
      await provider.stop();
    },
    { scope: "worker", auto: true },
  ],
});

/** Fills in the provider's page, which requests a font from another host. */
async function signInAtProvider(page: Page, login: string) {
  await page.getByPlaceholder("Enter any login").fill(login);
  await page.getByPlaceholder("and password").fill("anything");
  await page.getByRole("button", { name: "Sign-in" }).click();
}

test("a user signs in with the provider at the requested page, confirms their identity there, and unlocks a hidden screen", async ({
  page,
  context,
  database,
}) => {
  await context.route(/fonts\.googleapis/, (route) => route.abort());
  await makeAccount(database, EMAIL, ["forms", "clients"]);
  const signIn = { name: "Sign in with Example Login" };

  await page.goto("/clients?search=a");
  await expect(page.getByRole("button", { name: "Sign In", exact: true })).toBeVisible();
  await audit(page, "login with single sign-on");
  await page.getByRole("link", signIn).click();
  await signInAtProvider(page, "iris");
  await expect(page).toHaveURL("/clients?search=a");

  await page.goto("/profile");
  await expect(page.getByText("You signed in with Example Login")).toBeVisible();
  await waitUntilInteractive(page);
  await page.getByLabel("Email *").fill("iris-new@example.org");
  await page.getByRole("button", { name: "Save" }).click();
  const proof = page.getByRole("dialog", { name: "Confirm your identity" });
  await audit(page, "profile, confirmation by single sign-on");
  const proving = context.waitForEvent("page");
  await proof.getByRole("button", signIn).click();
  await signInAtProvider(await proving, "iris");
  await expectNotification(page, "You have successfully updated your profile!");
  await expect(proof).toBeHidden();

  await page.goto("/clients/new");
  await waitUntilInteractive(page);
  await page.getByLabel("Client Name").fill("Typed before the session ended");
  await database.query("DELETE FROM sessions");
  await page.evaluate(() => window.dispatchEvent(new Event("focus")));
  const lock = page.getByRole("dialog", { name: "Your session has ended" });
  await expect(lock.getByLabel("Password")).toHaveCount(0);
  const again = context.waitForEvent("page");
  await lock.getByRole("button", signIn).click();
  await signInAtProvider(await again, "iris");
  await expect(lock).toBeHidden();
  await expect(page.getByLabel("Client Name")).toHaveValue("Typed before the session ended");

  await context.clearCookies();
  await page.goto("/");
  await page.getByRole("link", signIn).click();
  await signInAtProvider(page, "stranger");
  await expect(page.getByText("You could not be signed in with Example Login.")).toBeVisible();
  await audit(page, "single sign-on refused");
});
