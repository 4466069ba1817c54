import "server-only";
import { setTimeout as sleep } from "node:timers/promises";
import type { FileFormat } from "@/lib/core/api/list-file";
import { db, inTransaction, type Query, queryIn, rows, type Tx } from "@/lib/core/database/client";
import { constant, identifier, join, sql } from "@/lib/core/sql";
import type { Actor } from "@/lib/identity/session";
import { type NewNote, sealNote } from "@/lib/transfer/imports/notes";
import type { ImportNote } from "@/lib/transfer/imports/schema";
import type { ImportKind } from "@/lib/transfer/imports/words";

// Imports and undos in the background. A process works on one while it has the lease. The transaction of each chunk
// also records the progress. So a killed process leaves nothing half done, and another one resumes from there.

/** Long enough for a chunk on a busy machine. After it expires, another process takes over. */
const LEASE_SECONDS = 60;
/** The rows of one transaction, and its timeout in milliseconds. */
export const CHUNK = 50;
const CHUNK_MS = 30_000;
/**
 * The pause after a chunk, as a share of the chunk's time, so that other requests are served. Writing mostly waits for
 * the disk, which leaves the processor free. Comparing uses the processor all the time: with 0.5, the 99th percentile
 * of other requests took 2.4 times as long. So a file of existing rows works a quarter of the time: some minutes for
 * 100,000 rows.
 */
export const REST = { writing: 0.5, comparing: 3 };

export type Job = {
  id: number;
  kind: ImportKind;
  format: FileFormat;
  bytes: number;
  status: "checking" | "running" | "undoing";
  user_id: number | null;
  token_id: number | null;
  owner_id: number | null;
  matches: string[];
  done: number;
  created: number;
  attempts: number;
  lease: string;
};

/** SQL condition on the import `i`: it waits for a process, or its process has not renewed the lease. */
const IS_WAITING = sql`i.status IN ('checking', 'running', 'undoing') AND (i.leased_until IS NULL OR i.leased_until <= now())`;

/** SQL condition on the import `i`: a process works on another one of the same user. */
const USER_HAS_TURN = sql`EXISTS (SELECT FROM imports o WHERE o.user_id IS NOT DISTINCT FROM i.user_id
  AND o.status IN ('checking', 'running', 'undoing') AND o.leased_until > now())`;

/**
 * Leases the import that has waited longest to this process. Returns null if none is waiting. A user has one at a time, so
 * that many or long ones of one user delay no other.
 */
export async function claim(): Promise<Job | null> {
  const waiting = sql`SELECT i.id FROM imports i WHERE ${IS_WAITING} AND NOT ${USER_HAS_TURN}`;
  if ((await rows(sql`${waiting} LIMIT 1`)).length === 0) return null;
  return inTransaction(async (query) => {
    // Two simultaneous claims would otherwise both lease an import of the same user.
    await query(sql`SELECT pg_advisory_xact_lock(hashtextextended('claim import', 0))::text`);
    const [job] = await query<Job>(
      sql`UPDATE imports SET lease = gen_random_uuid(), leased_until = now() + make_interval(secs => ${constant(LEASE_SECONDS)}),
         attempts = attempts + 1
       WHERE id = (${waiting} ORDER BY i.id LIMIT 1 FOR UPDATE SKIP LOCKED)
       RETURNING id, kind, format, bytes, status, user_id, token_id, owner_id, matches, done, created, attempts, lease`,
    );
    return job ?? null;
  });
}

/** Thrown if the import was canceled or another process has taken over. */
export class LeaseLost extends Error {}

/** Locks the import and returns its progress. Throws `LeaseLost` if this process no longer has the lease. */
export async function lockJob(
  query: Query,
  { id, lease, status }: Job,
): Promise<{ done: number; created: number }> {
  const [row] = await query<{ done: number; created: number }>(
    sql`SELECT done, created FROM imports WHERE id = ${id} AND lease = ${lease}::uuid AND status = ${status} FOR UPDATE`,
  );
  if (!row) throw new LeaseLost();
  return row;
}

type Count = "created" | "repeated" | "duplicates" | "failed" | "alike" | "removed" | "kept";

/** Adds to the progress and the counts, and renews the lease. */
export async function advance(
  query: Query,
  { id }: Job,
  done: number,
  counts: Partial<Record<Count, number>>,
) {
  const increments = Object.entries(counts).map(
    ([name, count]) => sql`${identifier(name)} = ${identifier(name)} + ${count}`,
  );
  await query(
    sql`UPDATE imports SET ${join([sql`done = done + ${done}`, ...increments])}, attempts = 0,
       leased_until = now() + make_interval(secs => ${constant(LEASE_SECONDS)}) WHERE id = ${id}`,
  );
}

/**
 * Stores a note on a row, or on a record by its id. The cells of a row are a note of their own, so that the reason of its
 * refusal is read without them.
 */
export async function storeNote(
  query: Query,
  { id }: Job,
  about: ImportNote["about"],
  number: number,
  { clients = [], cells, ...reason }: NewNote,
) {
  const notes = [[about, reason], ...(cells ? [["cells", { problem: "", cells }] as const] : [])] as const;
  for (const [part, content] of notes)
    await query(
      sql`INSERT INTO import_notes (import_id, about, number, clients, sealed)
       VALUES (${id}, ${part}, ${number}, ${clients}, ${sealNote(id, content)})
       ON CONFLICT (import_id, about, number) DO UPDATE SET clients = excluded.clients, sealed = excluded.sealed`,
    );
}

/** Returns the actor of an import with their current permissions. Throws 403 if they may no longer import. */
export type Allowed = () => Promise<Actor>;

/** Runs the work of one chunk in a transaction. */
export const inChunk = <T>(work: (tx: Tx, query: Query) => Promise<T>): Promise<T> =>
  db().$transaction((tx) => work(tx, queryIn(tx)), { timeout: CHUNK_MS });

/** The imports that this process works on now. */
let running = 0;

/**
 * Runs one chunk after another. `next` returns the pause after its chunk (`REST`), or null after the last one. Several
 * imports together take as large a share of the time as one. Returns false if stopped before.
 */
export async function inChunks(stop: AbortSignal, next: () => Promise<number | null>): Promise<boolean> {
  running += 1;
  try {
    while (!stop.aborted) {
      const began = Date.now();
      const rest = await next();
      if (rest === null) return true;
      const pause = (Date.now() - began) * ((1 + rest) * running - 1);
      await sleep(pause, undefined, { signal: stop }).catch(() => {});
    }
    return false;
  } finally {
    running -= 1;
  }
}
