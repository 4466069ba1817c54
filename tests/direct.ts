import pg from "pg";
import { inject } from "vitest";
import { closeDatabase } from "@/lib/core/database/client";
import { env } from "@/lib/core/server/env";

/** The file's own database without the pooler of `npm test -- --pooler`, for what needs a session or more time. */
export function directUrl(): string {
  const url = new URL(inject("templateUrl"));
  url.pathname = new URL(String(process.env.DATABASE_URL)).pathname;
  return url.href;
}

/**
 * Runs a test's own statement, however long a busy machine takes over it. The program's connections have a limit: a long
 * one in tests (tests/setup/unhurried.ts), but the real one behind a pooler.
 */
export async function runUnhurried(text: string, values: unknown[] = []): Promise<void> {
  const client = new pg.Client(directUrl());
  await client.connect();
  try {
    await client.query("SET statement_timeout = 0");
    await client.query(text, values);
  } finally {
    await client.end();
  }
}

/** From now on the program connects to it directly, and gives statements names. */
export async function bypassPooler(): Promise<void> {
  await closeDatabase();
  Object.assign(env(), { DATABASE_URL: directUrl(), DATABASE_POOLER: undefined });
}
