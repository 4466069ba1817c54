import { vi } from "vitest";

// Where other work takes this machine's cores, a statement or a connection may take seconds, which says nothing about the
// program. Files whose tests are about these limits call `vi.unmock("@/lib/core/database/limits")`; the real values are
// checked by tests/limits.test.ts.

vi.mock("@/lib/core/database/limits", () => ({
  CONNECT_MS: 60_000,
  STATEMENT_MS: 60_000,
  IDLE_TRANSACTION_MS: 60_000,
  TRANSACTION: { maxWait: 60_000, timeout: 120_000 },
  PING_MS: 60_000,
}));
