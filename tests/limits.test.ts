import { expect, test } from "vitest";
import {
  CONNECT_MS,
  IDLE_TRANSACTION_MS,
  PING_MS,
  STATEMENT_MS,
  TRANSACTION,
} from "@/lib/core/database/limits";

// The integration tests work with longer limits (tests/setup/unhurried.ts); these are the real ones.

test("the program waits for PostgreSQL less than the 5 seconds that docs/operate/troubleshoot.md promises, and checks its health sooner", () => {
  expect({ CONNECT_MS, STATEMENT_MS, PING_MS, TRANSACTION }).toEqual({
    CONNECT_MS: 3_000,
    STATEMENT_MS: 3_000,
    PING_MS: 1_500,
    TRANSACTION: { maxWait: 4_000, timeout: 8_000 },
  });
  expect(IDLE_TRANSACTION_MS).toBe(10_000);
  expect(Math.max(CONNECT_MS, STATEMENT_MS, PING_MS, TRANSACTION.maxWait)).toBeLessThan(5_000);
});
