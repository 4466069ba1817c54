import { vi } from "vitest";

// On a busy machine, a statement or a connection may take seconds, which is not a failure of the program.
// Files that test these limits call `vi.unmock("@/lib/core/database/limits")`. tests/limits.test.ts checks
// the real values.

vi.mock("@/lib/core/database/limits", () => ({
  CONNECT_MS: 60_000,
  STATEMENT_MS: 60_000,
  IDLE_TRANSACTION_MS: 60_000,
  TRANSACTION: { maxWait: 60_000, timeout: 120_000 },
  PING_MS: 60_000,
}));
