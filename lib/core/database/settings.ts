import "server-only";
import { IDLE_TRANSACTION_MS, STATEMENT_MS } from "@/lib/core/database/limits";
import { env } from "@/lib/core/process/env";

// PostgreSQL settings of the program's connections, each value in its setting's own unit, as pg_settings shows it.

export const SETTINGS = {
  // Prisma's adapter sends and reads timestamps as UTC without a time zone.
  TimeZone: "UTC",
  statement_timeout: String(STATEMENT_MS),
  idle_in_transaction_session_timeout: String(IDLE_TRANSACTION_MS),
  // Compiling these statements takes longer than running them.
  jit: "off",
  // Cancels the running statement when its connection is closed (lib/core/database/statements.ts).
  client_connection_check_interval: "250",
};

const SMALL_READS = {
  max_parallel_workers_per_gather: "0",
  // A page looks up a few rows, mostly in memory; PostgreSQL's default assumes a spinning disk.
  random_page_cost: "1.1",
};

/**
 * Settings for lists and searches, whose statements are prepared and written so that one plan suits all values.
 */
export const LIST_SETTINGS = {
  ...SETTINGS,
  ...SMALL_READS,
  // Otherwise PostgreSQL would plan each execution, because the plan for a first page seems cheaper.
  plan_cache_mode: "force_generic_plan",
};

/**
 * Behind a pooler, a connection is lent for one transaction and cannot keep settings. There, the program's role has
 * these settings instead (lib/ops/program-role.ts). Nothing is prepared there, so plans need no mode.
 */
export const POOLED_SETTINGS = { ...SETTINGS, ...SMALL_READS };

/**
 * True if statements get no names and connections no settings, because a pooler lends connections by transaction.
 */
export const isPooled = () => env().DATABASE_POOLER === "transaction";

/** Returns the startup option of a connection with these settings. */
export const asOptions = (settings: Readonly<Record<string, string>>): string | undefined =>
  isPooled()
    ? undefined
    : Object.entries(settings)
        .map(([name, value]) => `-c ${name}=${value}`)
        .join(" ");
