import "server-only";
import { setTimeout as sleep } from "node:timers/promises";
import type pg from "pg";
import { replicaPool, rows } from "@/lib/core/database/client";
import { preparedQuery } from "@/lib/core/database/prepared";
import { primaryReader, type Reader, readerOf } from "@/lib/core/database/statements";
import { AppError } from "@/lib/core/errors";
import { codeOf } from "@/lib/core/process/error-frames";
import { log } from "@/lib/core/process/log";
import { PlainError } from "@/lib/core/process/plain-error";
import { processWide } from "@/lib/core/process-wide";
import { sql } from "@/lib/core/sql";

// Reads reports and exports from the physical standby in DATABASE_REPLICA_URL (docs/operate/more-than-one-machine.md).

/** The most seconds that totals may be behind; beyond that, the primary is read instead. */
export const MOST_BEHIND_S = 60;

/**
 * The pause before an unavailable replica is asked again, and its limits for a response and for catching up.
 */
const RETRY_MS = 10_000;
const ANSWER_MS = 1_000;
const CATCH_UP_MS = 500;

/** The time for which an export reads before it checks the replica again. */
const TRUSTED_MS = 60_000;

/** The data read contains everything committed until `at`. */
export type AsOf = { at: Date; secondsBehind: number };

/** A reader that also returns how far behind its data is; null if the data came from the primary. */
type ReplicaReader = Reader & { asOf: () => AsOf | null };

type ReplicaState = { isAway: boolean; askAgainAt: number };
const replicaState = processWide("replica", (): ReplicaState => ({ isAway: false, askAgainAt: 0 }));

/**
 * Returns the reader for one report or export: the replica's if it is at most `mostBehind` seconds behind, otherwise
 * the primary's. With 0, the replica has everything committed before this call. Use that for data that identifies
 * people, so that a client restricted or purged a moment ago is not shown. A statement that fails on the replica is
 * repeated on the primary. Throws 503 `too_slow` as lists do.
 */
export async function replicaReader(mostBehind: number): Promise<ReplicaReader> {
  const pool = replicaPool();
  const asOf = pool && (await readLag(pool));
  let readAt = asOf && asOf.secondsBehind <= mostBehind ? asOf : null;
  if (!pool || !readAt) return { ...primaryReader, asOf: () => null };
  const replica = readerOf(() => pool);
  let trustedUntil = Date.now() + TRUSTED_MS;
  const isStillUsable = async () => {
    if (Date.now() < trustedUntil) return true;
    trustedUntil = Date.now() + TRUSTED_MS;
    const now = await readLag(pool);
    return now !== null && now.secondsBehind <= mostBehind;
  };
  const orPrimary = async <Result>(read: (reader: Reader) => Promise<Result>): Promise<Result> => {
    if (readAt && !(await isStillUsable())) readAt = null;
    if (!readAt) return read(primaryReader);
    try {
      return await read(replica);
    } catch (error) {
      if (error instanceof AppError) throw error;
      stopUsing(error);
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

/** Returns how many seconds the replica is behind; null while it is unavailable, and without one. */
export async function secondsBehind(): Promise<number | null> {
  const pool = replicaPool();
  return (pool && (await readLag(pool)))?.secondsBehind ?? null;
}

/**
 * Returns how far the replica is behind; null while it is unavailable. An unavailable replica is asked again in the
 * background, so no request waits.
 */
async function readLag(pool: pg.Pool): Promise<AsOf | null> {
  if (!replicaState.isAway) return ask(pool);
  if (Date.now() >= replicaState.askAgainAt) {
    replicaState.askAgainAt = Date.now() + RETRY_MS;
    void ask(pool);
  }
  return null;
}

/** Asks the replica how far it is behind, and stops or resumes its use accordingly. */
async function ask(pool: pg.Pool): Promise<AsOf | null> {
  try {
    const asOf = await withTimeout(compare(pool));
    if (asOf.secondsBehind > MOST_BEHIND_S) throw new PlainError(`${asOf.secondsBehind} seconds behind`);
    if (replicaState.isAway)
      log.info("The replica is available again: reports and exports are read from it.");
    replicaState.isAway = false;
    return asOf;
  } catch (error) {
    stopUsing(error);
    return null;
  }
}

function stopUsing(error: unknown): void {
  const reason = error instanceof PlainError ? error.message : codeOf(error);
  if (!replicaState.isAway)
    log.warn({ reason }, "The replica is not used: reports and exports are read from the primary.");
  Object.assign(replicaState, { isAway: true, askAgainAt: Date.now() + RETRY_MS });
}

type ReplicaPosition = { isStandby: boolean; isSame: boolean; hasAll: boolean; at: Date | null };

/**
 * SQL for the cluster and the timeline that a standby replays, as of its last restart point. A standby that follows a
 * promotion reaches it some time after the promotion.
 */
const HISTORY = sql`(SELECT system_identifier FROM pg_control_system()) || ' ' || upper(lpad(to_hex(greatest(
  (SELECT timeline_id FROM pg_control_checkpoint()), (SELECT min_recovery_end_timeline FROM pg_control_recovery()))), 8, '0'))`;

/**
 * Compares positions in the log, not clocks. A replica that has replayed everything flushed is not behind, however old
 * the last change is. One that is cut off is behind, although it has replayed everything it received.
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
      await pool.query<ReplicaPosition>(
        preparedQuery(sql`SELECT pg_is_in_recovery() AS "isStandby",
          pg_last_wal_replay_lsn() >= ${primary.position}::pg_lsn AS "hasAll", ${HISTORY} = ${primary.history} AS "isSame",
          pg_last_xact_replay_timestamp() AS at`),
      )
    ).rows;
    // Promoted, or never a replica of this primary: its data may differ from the primary's.
    if (!replica?.isStandby) throw new PlainError("not a standby");
    // Positions are comparable only within one timeline.
    if (!replica.isSame) throw new PlainError("of another timeline");
    if (replica.hasAll) return { at: primary.now, secondsBehind: 0 };
    if (Date.now() < until) continue;
    const at = replica.at ?? new Date(0);
    return { at, secondsBehind: Math.max(1, Math.ceil((primary.now.getTime() - at.getTime()) / 1000)) };
  }
}

function withTimeout<Result>(work: Promise<Result>): Promise<Result> {
  const late = sleep(ANSWER_MS, undefined, { ref: false });
  return Promise.race([work, late.then(() => Promise.reject(new PlainError("no response")))]);
}
