import "server-only";
import { createHash } from "node:crypto";
import pg from "pg";
import { type AppError, isTimeOut, tooSlow, unavailable } from "@/lib/api/errors";
import { answeredSince, listPool } from "@/lib/database/client";
import { env } from "@/lib/server/env";
import { aside } from "@/lib/server/limiter";
import { requestContext } from "@/lib/server/request-context";

/** From then on a statement is worth a line in the log. */
const SLOW_MS = 1_000;

const names = new Map<string, string>();

/** What PostgreSQL knows a text by, so that it is planned once a connection; undefined behind a pooler that shares those. */
function preparedName(name: string, text: string): string | undefined {
  if (env().DATABASE_POOLER === "transaction") return undefined;
  let known = names.get(text);
  if (!known) {
    known = `${name.slice(0, 40)} ${createHash("sha256").update(text).digest("hex").slice(0, 16)}`;
    names.set(text, known);
  }
  return known;
}

/**
 * Rows of one statement of a list or search, by a connection of the pool that these have to themselves: however
 * slow they are, saves find theirs. `name` is for the log; texts are few, whatever callers send, since they stay
 * prepared. Ends with its request when the caller has gone. 503 `too_slow` when time or connections have run out.
 */
export async function listRows<Row>(name: string, text: string, values: readonly unknown[]): Promise<Row[]> {
  const { gone } = requestContext() ?? {};
  return aside(async () => {
    const begin = Date.now();
    const ms = () => Date.now() - begin;
    const client = await listPool()
      .connect()
      .catch((error: unknown) => {
        throw answeredSince(begin) ? slow(name, ms()) : error;
      });
    // Ending a connection in the middle of a statement cuts it off; PostgreSQL notices, and stops the statement.
    const leave = () => void client.end();
    gone?.addEventListener("abort", leave, { once: true });
    let broken = true;
    try {
      gone?.throwIfAborted();
      const { rows } = await client.query({ name: preparedName(name, text), text, values: [...values] });
      broken = false;
      if (ms() > SLOW_MS) note(name, ms());
      return rows;
    } catch (error) {
      // Nobody hears this.
      if (gone?.aborted) throw unavailable();
      broken = !(error instanceof pg.DatabaseError);
      throw isTimeOut(error) ? slow(name, ms()) : error;
    } finally {
      gone?.removeEventListener("abort", leave);
      client.release(broken);
    }
  });
}

/** Says in the log which statement took how long, and nothing of what it was asked for. */
function note(statement: string, ms: number, code?: "too_slow"): void {
  const { id, route } = requestContext() ?? {};
  console.warn(JSON.stringify({ level: "warn", id, route, statement, ms, code }));
}

function slow(statement: string, ms: number): AppError {
  note(statement, ms, "too_slow");
  return tooSlow();
}
