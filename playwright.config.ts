import { defineConfig } from "@playwright/test";
import { ZONE } from "./e2e/zone";

// tests/run.ts runs it after it has found the browser and made the build. Each worker starts its own server
// (e2e/fixtures.ts).

// The server and the browser are in one time zone, so that today is the same day for both.
process.env.TZ = ZONE;

export default defineConfig({
  testDir: "e2e",
  globalSetup: "./e2e/template.ts",
  tsconfig: "lib/ops/tsconfig.json",
  outputDir: "test-results",
  workers: 2,
  // Only for what hangs: a machine whose cores are taken by other work is slow, and that is no failure.
  timeout: 900_000,
  // This and `actionTimeout` are shorter than the two idle minutes after which a run counts as hanging
  // (tests/reporters/playwright.ts). A hanging run ends as a whole instead of failing one test.
  expect: { timeout: 100_000 },
  forbidOnly: true,
  use: {
    actionTimeout: 100_000,
    launchOptions: {
      // Empty where Playwright's own is used.
      executablePath: process.env.PLAYWRIGHT_CHROMIUM || undefined,
      args: [
        // A page of a test ends before the time that optimizing its scripts takes has been made up for.
        "--js-flags=--no-turbofan,--no-maglev",
        // Otherwise each context also starts a spare process, a fifth of the cost of its first page, and rarely
        // uses it.
        "--renderer-process-limit=1",
      ],
    },
    locale: "en-US",
    timezoneId: ZONE,
    // Recording slows every test; a failure is looked into with `--trace on`.
    trace: "off",
    screenshot: "only-on-failure",
  },
});
