import "server-only";
import pg from "pg";
import { type AppError, isTimeOut, tooSlow, unavailable } from "@/lib/api/errors";
import { answeredSince, listPool } from "@/lib/database/client";
import { preparedName } from "@/lib/database/prepared";
import { withoutSlot } from "@/lib/server/limiter";
import { requestContext } from "@/lib/server/request-context";

/** Statements that take longer are logged. */
const SLOW_MS = 1_000;

/** How long a statement in a snapshot may run: a report counts a whole quarter, which a list never does. */
const SNAPSHOT_STATEMENT_MS = 20_000;

/**
 * Reads the rows of a statement; `name` appears in the log. There must be few different texts, because they stay
 * prepared.
 */
export type ReadRows = <Row>(name: string, text: string, values: readonly unknown[]) => Promise<Row[]>;

/** How lists, searches and reports read one database. */
export type Reader = {
  rows: ReadRows;
  /** Reads by several statements, which all see the database as it was at the first of them. */
  inOneSnapshot: <Answer>(name: string, work: (read: ReadRows) => Promise<Answer>) => Promise<Answer>;
};

/**
 * Reads on the connections of a pool that serves nothing else, so that slow statements cannot delay saves. A statement is
 * cancelled when the client disconnects. 503 `too_slow` when time or connections run out.
 */
export const readerOf = (pool: () => pg.Pool): Reader => ({
  rows: (name, text, values) => onConnection(pool(), name, (read) => read(name, text, values)),
  inOneSnapshot: (name, work) => {
    const reading = async (read: ReadRows, client: pg.PoolClient) => {
      await client.query(
        `BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; SET LOCAL statement_timeout = ${SNAPSHOT_STATEMENT_MS}`,
      );
      try {
        return await work(read);
      } finally {
        await client.query("ROLLBACK");
      }
    };
    // The driver gives up later than PostgreSQL, which says why.
    return onConnection(pool(), name, reading, { query_timeout: SNAPSHOT_STATEMENT_MS + 500 });
  },
});

/** The reader of the database that is written; every list and search uses it. */
export const primaryReader = readerOf(listPool);
export const listRows = primaryReader.rows;

/** Runs `work` on a connection of the pool; `name` is logged where there is none in time. */
async function onConnection<Answer>(
  pool: pg.Pool,
  name: string,
  work: (read: ReadRows, client: pg.PoolClient) => Promise<Answer>,
  limits?: { query_timeout: number },
): Promise<Answer> {
  const { disconnected } = requestContext() ?? {};
  return withoutSlot(async () => {
    const begin = Date.now();
    let [since, running] = [begin, name];
    const ms = () => Date.now() - since;
    const client = await pool.connect().catch((error: unknown) => {
      throw pool === listPool() && answeredSince(begin) ? slow(name, ms()) : error;
    });
    // Closing the connection during a statement makes PostgreSQL notice and cancel the statement.
    const leave = () => void client.end();
    disconnected?.addEventListener("abort", leave, { once: true });
    let broken = true;
    try {
      disconnected?.throwIfAborted();
      const answer = await work(async (statement, text, values) => {
        running = statement;
        const { rows } = await client.query({
          name: preparedName(statement, text),
          text,
          values: [...values],
          ...limits,
        });
        if (ms() > SLOW_MS) note(statement, ms());
        since = Date.now();
        return rows;
      }, client);
      broken = false;
      return answer;
    } catch (error) {
      // The client has disconnected, so nobody receives this.
      if (disconnected?.aborted) throw unavailable();
      broken = !(error instanceof pg.DatabaseError);
      throw isTimeOut(error) ? slow(running, ms()) : error;
    } finally {
      disconnected?.removeEventListener("abort", leave);
      client.release(broken);
    }
  });
}

/** Logs the name and duration of a statement, and nothing about its values. */
function note(statement: string, ms: number, code?: "too_slow"): void {
  const { id, route } = requestContext() ?? {};
  console.warn(JSON.stringify({ level: "warn", id, route, statement, ms, code }));
}

function slow(statement: string, ms: number): AppError {
  note(statement, ms, "too_slow");
  return tooSlow();
}
