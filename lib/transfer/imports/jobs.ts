import "server-only";
import { setTimeout as sleep } from "node:timers/promises";
import type { FileFormat } from "@/lib/core/api/list-file";
import { db, type Query, queryIn, rows, type Tx } from "@/lib/core/database/client";
import { constant, identifier, join, sql } from "@/lib/core/database/sql";
import type { Actor } from "@/lib/identity/session";
import { type NewNote, sealNote } from "@/lib/transfer/imports/notes";
import type { ImportKind, ImportNote } from "@/lib/transfer/imports/schema";

// Imports and undos in the background. A process works on one while it holds its lease. The transaction of each chunk of
// rows records the progress too, so a process that is killed leaves nothing half done, and another goes on from there.

/** Long enough for a chunk on a busy machine; once it has passed, another process takes over. */
const LEASE_SECONDS = 60;
/** Rows of a transaction, and the milliseconds that it may take. */
export const CHUNK = 50;
const CHUNK_MS = 30_000;
/**
 * How long an import pauses after a chunk, for the sake of others, as a share of the time that the chunk took. Writing
 * mostly waits for the disk, which leaves the processor to others. Rows that are only compared with what is there keep the
 * processor busy all the time: at 0.5 the slowest hundredth of other requests took 2.4 times as long, so that a file whose
 * rows are all there already works a quarter of the time, some minutes for 100,000 rows.
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

/** Leases the import that has waited longest to this process; null where none waits. */
export async function claim(): Promise<Job | null> {
  const [job] = await rows<Job>(
    sql`UPDATE imports SET lease = gen_random_uuid(), leased_until = now() + make_interval(secs => ${constant(LEASE_SECONDS)}),
       attempts = attempts + 1
     WHERE id = (
       SELECT id FROM imports WHERE status IN ('checking', 'running', 'undoing')
         AND (leased_until IS NULL OR leased_until <= now()) ORDER BY id LIMIT 1 FOR UPDATE SKIP LOCKED)
     RETURNING id, kind, format, bytes, status, user_id, token_id, owner_id, matches, done, created, attempts, lease`,
  );
  return job ?? null;
}

/** The import was cancelled, or another process has taken over. */
export class Lost extends Error {}

/** Locks the import and reads its progress; throws `Lost` where this process no longer holds the lease. */
export async function hold(
  query: Query,
  { id, lease, status }: Job,
): Promise<{ done: number; created: number }> {
  const [row] = await query<{ done: number; created: number }>(
    sql`SELECT done, created FROM imports WHERE id = ${id} AND lease = ${lease}::uuid AND status = ${status} FOR UPDATE`,
  );
  if (!row) throw new Lost();
  return row;
}

type Count = "created" | "repeated" | "failed" | "alike" | "removed" | "kept";

/** Adds to the progress and the counts, and renews the lease. */
export async function advance(
  query: Query,
  { id }: Job,
  done: number,
  counts: Partial<Record<Count, number>>,
) {
  const added = Object.entries(counts).map(
    ([name, count]) => sql`${identifier(name)} = ${identifier(name)} + ${count}`,
  );
  await query(
    sql`UPDATE imports SET ${join([sql`done = done + ${done}`, ...added])}, attempts = 0,
       leased_until = now() + make_interval(secs => ${constant(LEASE_SECONDS)}) WHERE id = ${id}`,
  );
}

/** Stores a note on a row, or on a record by its id. */
export async function note(
  query: Query,
  { id }: Job,
  about: ImportNote["about"],
  number: number,
  { clients = [], ...content }: NewNote,
) {
  await query(
    sql`INSERT INTO import_notes (import_id, about, number, clients, sealed)
     VALUES (${id}, ${about}, ${number}, ${clients}, ${sealNote(id, content)})
     ON CONFLICT (import_id, about, number) DO UPDATE SET clients = excluded.clients, sealed = excluded.sealed`,
  );
}

/** The actor of an import, as they are now; 403 where they may no longer import. */
export type Allowed = () => Promise<Actor>;

/** Runs the work of one chunk in a transaction. */
export const inChunk = <T>(work: (tx: Tx, query: Query) => Promise<T>): Promise<T> =>
  db().$transaction((tx) => work(tx, queryIn(tx)), { timeout: CHUNK_MS });

/** Runs one chunk after another; `next` answers the pause after it (`REST`), null after the last. False where stopped before. */
export async function inChunks(stop: AbortSignal, next: () => Promise<number | null>): Promise<boolean> {
  while (!stop.aborted) {
    const began = Date.now();
    const rest = await next();
    if (rest === null) return true;
    await sleep((Date.now() - began) * rest, undefined, { signal: stop }).catch(() => {});
  }
  return false;
}
