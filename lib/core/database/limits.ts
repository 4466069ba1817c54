import "server-only";

// The limits on waiting for PostgreSQL, in milliseconds. When PostgreSQL is frozen or overloaded, the response must
// come within the 5 s that docs/operate/troubleshoot.md promises.

/** For a connection: a new one, or one of the pool that is in use. */
export const CONNECT_MS = 3_000;
/** The most milliseconds a statement may run. */
export const STATEMENT_MS = 3_000;
/** The longest pause between two statements of a transaction. */
export const IDLE_TRANSACTION_MS = 10_000;
/** For a Prisma transaction: to begin, and as a whole. */
export const TRANSACTION = { maxWait: 4_000, timeout: 8_000 };
/** For the response that shows that PostgreSQL is up. */
export const PING_MS = 1_500;
