import pg from "pg";
import { expect } from "vitest";
import { rows } from "@/lib/core/database/client";
import { sql } from "@/lib/core/sql";

/**
 * Starts `work` while `text` runs uncommitted on another connection. Once `work` waits for it, runs `next` there, too, commits,
 * and returns the result of `work`.
 */
export async function runBlockedBy<Result>(
  text: string,
  work: () => Promise<Result>,
  next = "",
): Promise<Result> {
  const elsewhere = new pg.Client(process.env.DATABASE_URL);
  await elsewhere.connect();
  try {
    await elsewhere.query(`BEGIN; ${text}`);
    const [{ pid }] = (await elsewhere.query("SELECT pg_backend_pid() AS pid")).rows;
    let ended = false;
    const result = work().finally(() => {
      ended = true;
    });
    // The work may fail before COMMIT returns. Without a handler by then, the rejection would fail the whole
    // run.
    result.catch(() => undefined);
    const waiting = sql`SELECT FROM pg_stat_activity WHERE ${pid} = ANY(pg_blocking_pids(pid))`;
    await expect.poll(async () => ended || (await rows(waiting)).length > 0).toBe(true);
    await elsewhere.query(`${next}; COMMIT`);
    return await result;
  } finally {
    await elsewhere.end();
  }
}
