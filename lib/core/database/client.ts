import "server-only";
import { setTimeout as sleep, setImmediate as turn } from "node:timers/promises";
import { PrismaPg } from "@prisma/adapter-pg";
import pg from "pg";
import { CONNECT_MS, PING_MS, STATEMENT_MS, TRANSACTION } from "@/lib/core/database/limits";
import { preparedQuery, statementName } from "@/lib/core/database/prepared";
import { asOptions, LIST_SETTINGS, SETTINGS } from "@/lib/core/database/settings";
import { watchStatement } from "@/lib/core/database/slow";
import { env } from "@/lib/core/process/env";
import { codeOf } from "@/lib/core/process/error-frames";
import { log } from "@/lib/core/process/log";
import { processWide } from "@/lib/core/process-wide";
import { type Sql, sql } from "@/lib/core/sql";
import { type Prisma, PrismaClient } from "@/lib/generated/prisma/client";

export type Db = PrismaClient;
export type Tx = Prisma.TransactionClient;

/**
 * True if a connection cannot be used after this error. After a query timeout, Prisma would return the connection to
 * the pool. The next request would then write into a transaction that is never committed. After a read-only error, the
 * connection may lead to a former primary, although its host name no longer does.
 */
const isUnusableAfter = (error: Error) =>
  error.message === "Query read timeout" || (error instanceof pg.DatabaseError && error.code === "25006");

/** Closes a connection at once, which makes PostgreSQL cancel its statements. `end` would wait for those of a pipeline. */
export const disconnect = (client: pg.Client): void => void client.connection.stream.destroy();

/** A statement with the name that the log shows for it. */
export type LabeledQuery = pg.QueryConfig & { label: string };

/** Closes itself after an error that makes it unusable, and logs slow statements of every caller. */
class Client extends pg.Client {
  constructor(config?: pg.ClientConfig) {
    super(config);
    // The pool listens for errors while a connection is idle, Prisma during a transaction. An error in between,
    // without a listener, would end the process.
    this.on("error", () => {});
  }

  /** Called for each response of PostgreSQL, including errors. */
  protected onResponse(): void {}

  // biome-ignore lint/suspicious/noExplicitAny: pg declares a dozen overloads
  override query(...args: any[]): any {
    const [{ text, label }] = typeof args[0] === "string" ? [{ text: args[0], label: undefined }] : args;
    const logIfSlow = watchStatement(text, label);
    const settle = (error: Error | null) => {
      if (!error || error instanceof pg.DatabaseError) {
        this.onResponse();
        logIfSlow(error);
      }
      if (error && isUnusableAfter(error)) disconnect(this);
    };
    const callback = args.at(-1);
    if (typeof callback === "function") {
      args[args.length - 1] = (error: Error | null, result: unknown) => {
        settle(error);
        callback(error, result);
      };
    }
    const result = Reflect.apply(super.query, this, args);
    if (result instanceof Promise) result.then(() => settle(null), settle);
    return result;
  }
}

/** A connection to the primary. Only its responses prove that the program can work. */
class PrimaryClient extends Client {
  protected override onResponse(): void {
    state.answeredAt = Date.now();
  }
}

/**
 * Limits for a transaction that prepares the database. No request waits for it, and it may take long on a slow machine.
 */
export const LONG_TIMEOUTS = { maxWait: 60_000, timeout: 600_000 };

/** The sizes of each process's pools. Lists and searches have their own pool; the replica has another. */
const CONNECTIONS = 20;
const LIST_CONNECTIONS = 8;

function makePool(
  connectionString: string,
  Connection: typeof Client,
  max: number,
  settings: Record<string, string>,
  { pipeline = false } = {},
): pg.Pool {
  const pool = new pg.Pool({
    Client: Connection,
    connectionString,
    max,
    pipeline,
    connectionTimeoutMillis: CONNECT_MS,
    query_timeout: STATEMENT_MS + 500,
    idleTimeoutMillis: 30_000,
    keepAlive: true,
    options: asOptions(settings),
  });
  // Without a listener, a broken idle connection would end the process.
  pool.on("error", (error) => log.warn({ code: codeOf(error) }, "A database connection was lost"));
  return pool;
}

function connect() {
  const { DATABASE_URL, DATABASE_REPLICA_URL } = env();
  const pool = makePool(DATABASE_URL, PrimaryClient, CONNECTIONS, SETTINGS, { pipeline: true });
  const lists = makePool(DATABASE_URL, PrimaryClient, LIST_CONNECTIONS, LIST_SETTINGS);
  const replica = DATABASE_REPLICA_URL
    ? makePool(DATABASE_REPLICA_URL, Client, LIST_CONNECTIONS, LIST_SETTINGS)
    : null;
  const db = new PrismaClient({
    adapter: new PrismaPg(pool, {
      statementNameGenerator: ({ sql, args }) => statementName(sql, args) ?? "",
    }),
    transactionOptions: TRANSACTION,
  });
  return { pool, lists, replica, db };
}

/** `answeredAt`: when PostgreSQL last responded, in milliseconds. */
type Shared = { open?: ReturnType<typeof connect>; answeredAt: number };
const state = processWide("database", (): Shared => ({ answeredAt: 0 }));
const database = () => {
  state.open ??= connect();
  return state.open;
};

export const db = (): Db => database().db;
export const pool = (): pg.Pool => database().pool;
/** Only for `listRows` in lib/core/database/statements.ts. */
export const listPool = (): pg.Pool => database().lists;

/** Only for `replicaReader` in lib/core/database/replica.ts; null without DATABASE_REPLICA_URL. */
export const replicaPool = (): pg.Pool | null => database().replica;

/** The number of connections of a pool that are in use and idle, and of callers that wait for one. */
type PoolState = { used: number; idle: number; waiting: number };

/** Returns the state of each pool of this process, by its name. */
export function poolStates(): Record<string, PoolState> {
  const { pool: main, lists, replica } = database();
  const states = Object.entries({ main, lists, replica }).flatMap(([name, pool]) => {
    if (!pool) return [];
    const { totalCount, idleCount: idle, waitingCount: waiting } = pool;
    return [[name, { used: totalCount - idle, idle, waiting }] as const];
  });
  return Object.fromEntries(states);
}

/** True if PostgreSQL has responded to any statement since that time, in milliseconds. */
export const answeredSince = (moment: number): boolean => state.answeredAt >= moment;

/** Runs one statement and returns its rows. */
export const rows: Query = async (statement) => (await pool().query(preparedQuery(statement))).rows;

/** Runs one statement, on a connection of the pool (`rows`) or in a transaction (`queryIn`), and returns its rows. */
export type Query = <Row>(statement: Sql) => Promise<Row[]>;

/** Runs statements in a Prisma transaction. */
export const queryIn =
  (tx: Tx | Db): Query =>
  (statement) =>
    tx.$queryRaw(statement);

/** Runs statements on the caller's connection, without names: an operator's command runs each only once. */
export const queryOn =
  (client: pg.ClientBase): Query =>
  async ({ text, values }) =>
    (await client.query(text, values)).rows;

/**
 * Runs statements in a transaction. All changes are committed, or none if `work` throws. Statements that do not wait for
 * each other are sent in one packet and run in turn.
 */
export async function inTransaction<Result>(work: (query: Query) => Promise<Result>): Promise<Result> {
  const client = await pool().connect();
  const { stream } = client.connection;
  const send = (statement: string | pg.QueryConfig) => {
    stream.cork();
    process.nextTick(() => stream.uncork());
    return client.query(statement);
  };
  let isOpen = true;
  let isBegun = false;
  let mustWait = false;
  try {
    const begun = send("BEGIN").then(() => {
      isBegun = true;
    });
    begun.catch(() => {});
    const result = await work(async (statement) => {
      // A SELECT is sent with BEGIN. A change waits: without a transaction, it could not be undone. Later statements wait, too.
      mustWait ||= !statement.text.startsWith("SELECT");
      if (mustWait && !isBegun) await begun;
      // The connection may already serve another request.
      if (!isOpen) throw new Error("The transaction has ended");
      return (await send(preparedQuery(statement))).rows;
    }).finally(() => {
      isOpen = false;
    });
    await begun;
    await client.query("COMMIT");
    client.release();
    return result;
  } catch (error) {
    await client.query("ROLLBACK").then(
      () => client.release(),
      () => client.release(true),
    );
    throw error;
  }
}

/** Closes this process's connections, if it has any. */
export async function closeDatabase(): Promise<void> {
  const open = state.open;
  state.open = undefined;
  await open?.db.$disconnect();
  for (const pool of open ? [open.pool, open.lists, open.replica] : [])
    if (pool && !pool.ended) await pool.end();
}

let ping: Promise<boolean> | undefined;

/** True if the database responds in time. Concurrent callers share one query. */
export function databaseAnswers(): Promise<boolean> {
  ping ??= answersInTime(rows(sql`SELECT 1`)).finally(() => {
    ping = undefined;
  });
  return ping;
}

/**
 * True if the database responds to a statement in time. If the statement waits behind a burst of others, a response to
 * any of them counts.
 */
export function answersInTime(statement: Promise<unknown>): Promise<boolean> {
  const since = Date.now();
  return Promise.race([
    statement.then(
      () => true,
      () => false,
    ),
    sleep(PING_MS, undefined, { ref: false })
      // A response may have arrived while this process was blocked; timers run before it is read.
      .then(() => turn())
      .then(() => answeredSince(since)),
  ]);
}

/**
 * Throws if PostgreSQL cannot write. It may be read-only, or have no space for the temporary files of a query larger
 * than `work_mem`. The check needs no table, no permission and no row.
 */
export async function assertWritable(): Promise<void> {
  await pool().query(`
    DO $$ BEGIN IF current_setting('transaction_read_only')::bool THEN RAISE read_only_sql_transaction; END IF; END $$;
    SET LOCAL work_mem = '64kB';
    SELECT count(*) FROM generate_series(1, 10000)`);
}
