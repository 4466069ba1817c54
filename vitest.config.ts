import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const setup = (...names: string[]) => names.map((name) => `./tests/setup/${name}.ts`);

/** The test files that need no database. */
const UNIT = [
  "accounts-schema",
  "api-client",
  "architecture",
  "autosave",
  "back-link",
  "badges",
  "columns",
  "comments",
  "deployment",
  "differences",
  "docs",
  "fair-queue",
  "form-rules",
  "format",
  "guide",
  "hang",
  "hiding-words",
  "import-rules",
  "in-order",
  "invitation",
  "kept-log",
  "limiter",
  "limits",
  "lint",
  "list-query",
  "loadable",
  "lock-file",
  "native-inputs",
  "notices",
  "outcome-tally",
  "permissions",
  "record-text",
  "reports/event-model",
  "reports/suppression",
  "screen-rules",
  "secret-files",
  "sections",
  "security",
  "session-form",
  "summary",
].map((name) => `tests/${name}.test.ts`);

export default defineConfig({
  resolve: {
    alias: {
      "@": here("./"),
      // Outside a React Server bundle the package throws.
      "server-only": here("./node_modules/server-only/empty.js"),
    },
  },
  test: {
    // Far from UTC, so that a day computed in the wrong zone shows.
    env: { NODE_ENV: "test", TZ: "America/Los_Angeles" },
    // Workers run several files each (tests/setup/fresh.ts).
    isolate: false,
    sequence: { setupFiles: "list" },
    // Many files wait for their own servers or for timeouts. Two cores can therefore run more than the one worker that
    // Vitest would start.
    maxWorkers: 4,
    // These only end tests that hang. A machine with busy cores is slow, which is not a failure.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    expect: { poll: { timeout: 120_000, interval: 20 } },
    projects: [
      { extends: true, test: { name: "unit", include: UNIT, setupFiles: setup("fresh", "console") } },
      {
        extends: true,
        test: {
          name: "integration",
          include: ["tests/**/*.test.{ts,tsx}"],
          exclude: UNIT,
          globalSetup: "./tests/setup/cluster.ts",
          setupFiles: setup("fresh", "database", "console", "hashing", "long-timeouts"),
        },
      },
    ],
  },
});
