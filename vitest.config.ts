import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

export default defineConfig({
  resolve: {
    alias: {
      "@": here("./"),
      // Outside a React Server bundle the package throws.
      "server-only": here("./node_modules/server-only/empty.js"),
    },
  },
  test: {
    include: [
      "tests/**/*.test.{ts,tsx}",
      "lib/**/*.test.ts",
      "components/**/*.test.tsx",
      "emails/**/*.test.ts",
    ],
    globalSetup: "./tests/setup/cluster.ts",
    setupFiles: ["database", "console", "hashing", "unhurried"].map((name) => `./tests/setup/${name}.ts`),
    // Far from UTC, so that a day computed in the wrong zone shows.
    env: { NODE_ENV: "test", TZ: "America/Los_Angeles" },
    // Many files wait, for servers of their own or for time-outs, so two cores carry more than the one worker that
    // Vitest would take.
    maxWorkers: 4,
    // Only for what hangs: a machine whose cores are taken by other work is slow, and that is no failure.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    expect: { poll: { timeout: 120_000, interval: 20 } },
  },
});
