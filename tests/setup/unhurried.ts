import { vi } from "vitest";

// Where other work takes this machine's cores, a statement or a connection may take seconds that say nothing about the
// program. Files whose tests are about these limits call `vi.unmock("@/lib/database/limits")`.

vi.mock("@/lib/database/limits", () => ({
  CONNECT_MS: 60_000,
  STATEMENT_MS: 60_000,
  TRANSACTION: { maxWait: 60_000, timeout: 120_000 },
  PING_MS: 60_000,
}));
