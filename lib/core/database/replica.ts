import "server-only";
import { setTimeout as sleep } from "node:timers/promises";
import type pg from "pg";
import { AppError } from "@/lib/core/api/errors";
import { replicaPool, rows } from "@/lib/core/database/client";
import { preparedQuery } from "@/lib/core/database/prepared";
import { sql } from "@/lib/core/database/sql";
import { primaryReader, type Reader, readerOf } from "@/lib/core/database/statements";
import { codeOf } from "@/lib/core/server/error-frames";
import { log } from "@/lib/core/server/log";
import { PlainError } from "@/lib/core/server/plain-error";
import { processWide } from "@/lib/core/server/process-wide";

// Reports and exports are read from the replica that DATABASE_REPLICA_URL names, a physical standby (docs/scale.md).

/** How far totals may be behind, in seconds, before the primary is read instead. */
export const MOST_BEHIND_S = 60;

/** How long a replica that was away is left alone, how long it may take to answer, and to catch up. */
const [RETRY_MS, ANSWER_MS, CATCH_UP_MS] = [10_000, 1_000, 500];

/** How long an export goes on reading before it is asked again how the replica stands. */
const TRUSTED_MS = 60_000;

/** Everything committed until `at` was in what was read. */
export type AsOf = { at: Date; secondsBehind: number };

/** A reader that also tells how far behind what it read was; null when that came from the primary. */
export type ReplicaReader = Reader & { asOf: () => AsOf | null };

type Known = { isAway: boolean; askAgainAt: number };
const known = processWide("replica", (): Known => ({ isAway: false, askAgainAt: 0 }));

/**
 * The reader for one report or export, whose statements only read: the replica's where it is at most `mostBehind`
 * seconds behind, else the primary's. With 0 the replica has everything that was committed before this call: use that
 * for whatever names people, so that a client restricted or purged a moment ago is not shown. A statement that fails on
 * the replica is repeated on the primary; 503 `too_slow` as for lists.
 */
export async function replicaReader(mostBehind: number): Promise<ReplicaReader> {
  const pool = replicaPool();
  const asOf = pool && (await standingOf(pool));
  let readAt = asOf && asOf.secondsBehind <= mostBehind ? asOf : null;
  if (!pool || !readAt) return { ...primaryReader, asOf: () => null };
  const replica = readerOf(() => pool);
  let trustedUntil = Date.now() + TRUSTED_MS;
  const stillStands = async () => {
    if (Date.now() < trustedUntil) return true;
    trustedUntil = Date.now() + TRUSTED_MS;
    const now = await standingOf(pool);
    return now !== null && now.secondsBehind <= mostBehind;
  };
  const orPrimary = async <Answer>(read: (reader: Reader) => Promise<Answer>): Promise<Answer> => {
    if (readAt && !(await stillStands())) readAt = null;
    if (!readAt) return read(primaryReader);
    try {
      return await read(replica);
    } catch (error) {
      if (error instanceof AppError) throw error;
      takeOut(error);
      readAt = null;
      return read(primaryReader);
    }
  };
  return {
    rows: (name, statement) => orPrimary((reader) => reader.rows(name, statement)),
    inOneSnapshot: (name, work) => orPrimary((reader) => reader.inOneSnapshot(name, work)),
    asOf: () => readAt,
  };
}

/** Returns how many seconds the replica is behind; null while it is out, and without one. */
export async function secondsBehind(): Promise<number | null> {
  const pool = replicaPool();
  return (pool && (await standingOf(pool)))?.secondsBehind ?? null;
}

/** How the replica stands; null while it is out. One that is away is asked again in the background, so nobody waits. */
async function standingOf(pool: pg.Pool): Promise<AsOf | null> {
  if (!known.isAway) return ask(pool);
  if (Date.now() >= known.askAgainAt) {
    known.askAgainAt = Date.now() + RETRY_MS;
    void ask(pool);
  }
  return null;
}

/** Asks the replica how it stands, and takes it out or brings it back accordingly. */
async function ask(pool: pg.Pool): Promise<AsOf | null> {
  try {
    const asOf = await inTime(compare(pool));
    if (asOf.secondsBehind > MOST_BEHIND_S) throw new PlainError(`${asOf.secondsBehind} seconds behind`);
    if (known.isAway) log.info("The replica is back: reports and exports are read from it again.");
    known.isAway = false;
    return asOf;
  } catch (error) {
    takeOut(error);
    return null;
  }
}

function takeOut(error: unknown): void {
  const reason = error instanceof PlainError ? error.message : codeOf(error);
  if (!known.isAway)
    log.warn({ reason }, "The replica is out: reports and exports are read from the primary.");
  Object.assign(known, { isAway: true, askAgainAt: Date.now() + RETRY_MS });
}

type Standing = { isStandby: boolean; isSame: boolean; hasAll: boolean; at: Date | null };

/**
 * SQL for the cluster and the timeline that a standby replays: that of the last point from which it could start again,
 * which a standby that follows a promotion reaches a while after it.
 */
const HISTORY = sql`(SELECT system_identifier FROM pg_control_system()) || ' ' || upper(lpad(to_hex(greatest(
  (SELECT timeline_id FROM pg_control_checkpoint()), (SELECT min_recovery_end_timeline FROM pg_control_recovery()))), 8, '0'))`;

/**
 * Compares positions in the log, not clocks: a replica that has replayed all that the primary had flushed is not behind,
 * however long ago the last change was, and one that is cut off is, although it has replayed all it received.
 */
async function compare(pool: pg.Pool): Promise<AsOf> {
  const [primary] = await rows<{ position: string; history: string; now: Date }>(
    sql`SELECT position::text, clock_timestamp() AS now,
       (SELECT system_identifier FROM pg_control_system()) || ' ' || left(pg_walfile_name(position), 8) AS history
     FROM pg_current_wal_flush_lsn() AS position`,
  );
  if (!primary) throw new PlainError("no position to compare with");
  for (const until = Date.now() + CATCH_UP_MS; ; await sleep(20)) {
    const [replica] = (
      await pool.query<Standing>(
        preparedQuery(sql`SELECT pg_is_in_recovery() AS "isStandby",
          pg_last_wal_replay_lsn() >= ${primary.position}::pg_lsn AS "hasAll", ${HISTORY} = ${primary.history} AS "isSame",
          pg_last_xact_replay_timestamp() AS at`),
      )
    ).rows;
    // Promoted, or never a replica of this primary: what it holds may not be what the primary holds.
    if (!replica?.isStandby) throw new PlainError("not a standby");
    // Positions compare only within one history.
    if (!replica.isSame) throw new PlainError("of another timeline");
    if (replica.hasAll) return { at: primary.now, secondsBehind: 0 };
    if (Date.now() < until) continue;
    const at = replica.at ?? new Date(0);
    return { at, secondsBehind: Math.max(1, Math.ceil((primary.now.getTime() - at.getTime()) / 1000)) };
  }
}

async function inTime<Answer>(work: Promise<Answer>): Promise<Answer> {
  const ended = new AbortController();
  const late = sleep(ANSWER_MS, undefined, { ref: false, signal: ended.signal });
  try {
    return await Promise.race([work, late.then(() => Promise.reject(new PlainError("no answer")))]);
  } finally {
    ended.abort();
  }
}
