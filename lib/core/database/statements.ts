import "server-only";
import pg from "pg";
import { answeredSince, disconnect, type LabeledQuery, listPool, pool } from "@/lib/core/database/client";
import { isTimeOut } from "@/lib/core/database/errors";
import { CONNECT_MS } from "@/lib/core/database/limits";
import { preparedQuery } from "@/lib/core/database/prepared";
import { logSlow } from "@/lib/core/database/slow";
import { streamed, type TextRow } from "@/lib/core/database/streamed";
import { tooSlow, unavailable } from "@/lib/core/errors";
import { limiter, withoutSlot } from "@/lib/core/process/limiter";
import { isDisconnected, requestContext } from "@/lib/core/process/request-context";
import type { Sql } from "@/lib/core/sql";

/** The most milliseconds a statement in a snapshot may run. A report counts a whole quarter, unlike a list. */
const SNAPSHOT_STATEMENT_MS = 20_000;

/**
 * Reads the rows of a statement; `name` appears in the log. The number of different texts must be small, because each
 * stays prepared.
 */
export type ReadRows = <Row>(name: string, statement: Sql) => Promise<Row[]>;

/** Yields the rows of a statement without values in batches of about 1 MB (`streamed`). */
export type StreamRows = (text: string) => AsyncGenerator<TextRow[]>;

/** The reads of lists, searches and reports from one database. */
export type Reader = {
  rows: ReadRows;
  /** Runs several reads, one after the other, that all see the database as of the first one. */
  inOneSnapshot: <Result>(
    name: string,
    work: (read: ReadRows, stream: StreamRows) => Promise<Result>,
  ) => Promise<Result>;
};

/** The connections of a pool for lists that the requests of one user use at once. The others leave it to other users. */
const CONNECTIONS_EACH = 5;

/**
 * Returns a reader that uses its own pool, so that slow statements cannot delay saves. A statement is canceled when
 * the client disconnects. Throws 503 `too_slow` when time or connections run out.
 */
export function readerOf(pool: () => pg.Pool): Reader {
  const inShare = limiter(Number.POSITIVE_INFINITY, CONNECTIONS_EACH);
  return {
    rows: (name, statement) => onConnection(pool(), inShare, name, (read) => read(name, statement)),
    inOneSnapshot: (name, work) => {
      const reading = async (read: ReadRows, client: pg.PoolClient) => {
        await client.query(
          `BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; SET LOCAL statement_timeout = ${SNAPSHOT_STATEMENT_MS}`,
        );
        try {
          return await work(read, (text) => streamed(client, text));
        } finally {
          // A stream that was left early has closed the connection. Its error would hide that of the work.
          await client.query("ROLLBACK").catch(() => {});
        }
      };
      // The driver times out later than PostgreSQL, whose error has the reason.
      return onConnection(pool(), inShare, name, reading, { query_timeout: SNAPSHOT_STATEMENT_MS + 500 });
    },
  };
}

/** The reader of the primary, which every list and search uses. */
export const primaryReader = readerOf(listPool);
export const listRows = primaryReader.rows;

/**
 * Reads data that one screen waits for: a record, its history, its choices. It uses the connections of saves, so that
 * lists cannot delay it. Canceled, like a list, when the client disconnects. Never use it for a statement that must not
 * be lost.
 */
export const recordRows: ReadRows = async (label, statement) => {
  if (isDisconnected()) throw unavailable();
  const client = await pool().connect();
  const query: LabeledQuery = { ...preparedQuery(statement), label };
  return unlessDisconnected(client, async () => (await client.query(query)).rows);
};

/** Runs `work` on a connection of the pool. Logs `name` if no connection is free in time. */
async function onConnection<Result>(
  pool: pg.Pool,
  inShare: ReturnType<typeof limiter>,
  name: string,
  work: (read: ReadRows, client: pg.PoolClient) => Promise<Result>,
  limits?: { query_timeout: number },
): Promise<Result> {
  const begin = Date.now();
  const start = performance.now();
  const noneInTime = () => {
    logSlow(name, Math.round(performance.now() - start), "too_slow");
    return tooSlow();
  };
  const waiting = new AbortController();
  const limit = setTimeout(() => waiting.abort(noneInTime()), CONNECT_MS);
  const reading = async () => {
    clearTimeout(limit);
    const client = await pool.connect().catch((error: unknown) => {
      throw pool === listPool() && answeredSince(begin) ? noneInTime() : error;
    });
    const readRows: ReadRows = async (label, statement) => {
      const query: LabeledQuery = { ...preparedQuery(statement), label, ...limits };
      return (await client.query(query)).rows;
    };
    try {
      return await unlessDisconnected(client, () => work(readRows, client));
    } catch (error) {
      throw isTimeOut(error) ? tooSlow() : error;
    }
  };
  return withoutSlot(() => inShare(reading, waiting.signal));
}

/**
 * Runs `work` on a connection and then returns that to its pool. When the client of the request disconnects, the
 * connection is closed at once, which makes PostgreSQL cancel the statement.
 */
async function unlessDisconnected<Result>(
  client: pg.PoolClient,
  work: () => Promise<Result>,
): Promise<Result> {
  const signal = requestContext()?.disconnected;
  const leave = () => disconnect(client);
  signal?.addEventListener("abort", leave);
  let isBroken = true;
  try {
    if (isDisconnected()) {
      // Nothing was sent on the connection, so the next request can use it.
      isBroken = false;
      throw unavailable();
    }
    const result = await work();
    isBroken = false;
    return result;
  } catch (error) {
    // The client has disconnected, so no one receives this.
    if (isDisconnected()) throw unavailable();
    isBroken = !(error instanceof pg.DatabaseError);
    throw error;
  } finally {
    signal?.removeEventListener("abort", leave);
    client.release(isBroken);
  }
}
