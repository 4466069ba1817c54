import pg from "pg";
import { inject } from "vitest";
import { closeDatabase } from "@/lib/core/database/client";
import { env } from "@/lib/core/process/env";

/**
 * Returns the URL of the file's own database without the pooler of `npm test -- --pooler`. Some tests need a session or
 * more time.
 */
export function directUrl(): string {
  const url = new URL(inject("templateUrl"));
  url.pathname = new URL(String(process.env.DATABASE_URL)).pathname;
  return url.href;
}

/**
 * Runs a test's own statement without a time limit. The program's connections have one: a long one in tests
 * (tests/setup/long-timeouts.ts), but the real one behind a pooler.
 */
export async function runWithoutTimeout(text: string, values: unknown[] = []): Promise<void> {
  const client = new pg.Client(directUrl());
  await client.connect();
  try {
    await client.query("SET statement_timeout = 0");
    await client.query(text, values);
  } finally {
    await client.end();
  }
}

/** Makes the program connect directly and use prepared statements from now on. */
export async function bypassPooler(): Promise<void> {
  await closeDatabase();
  Object.assign(env(), { DATABASE_URL: directUrl(), DATABASE_POOLER: undefined });
}
