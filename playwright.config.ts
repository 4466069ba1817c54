import { defineConfig } from "@playwright/test";

// Run by lib/develop/test.ts, which finds the browser and makes the build. Each worker starts its own server
// (e2e/fixtures.ts).

// Where the server and the browser are too, so that today is the same day for all of them.
process.env.TZ = "America/New_York";

export default defineConfig({
  testDir: "e2e",
  globalSetup: "./e2e/template.ts",
  tsconfig: "lib/operate/tsconfig.json",
  outputDir: "test-results",
  workers: 2,
  // Only for what hangs: a machine whose cores are taken by other work is slow, and that is no failure.
  timeout: 900_000,
  expect: { timeout: 180_000 },
  forbidOnly: true,
  use: {
    launchOptions: {
      executablePath: process.env.PLAYWRIGHT_CHROMIUM,
      // A page of a test ends before the time that optimising its scripts takes has been made up for.
      args: ["--js-flags=--no-turbofan,--no-maglev"],
    },
    locale: "en-US",
    timezoneId: "America/New_York",
    // Recording slows every test; a failure is looked into with `--trace on`.
    trace: "off",
    screenshot: "only-on-failure",
  },
});
