import "server-only";
import { lockClientRows } from "@/lib/clients/holds";
import { MERGED_INTO } from "@/lib/clients/merged";
import { inTransaction, type Query, rows } from "@/lib/core/database/client";
import { asAppError } from "@/lib/core/database/errors";
import { AppError } from "@/lib/core/errors";
import { INT_MAX } from "@/lib/core/fields/validation";
import { constant, identifier, sql } from "@/lib/core/sql";
import type { Actor } from "@/lib/identity/session";
import { endImport } from "@/lib/transfer/imports/imports";
import {
  type Allowed,
  advance,
  CHUNK,
  inChunk,
  inChunks,
  type Job,
  LeaseLost,
  lockJob,
  REST,
  storeNote,
} from "@/lib/transfer/imports/jobs";
import type { Kind } from "@/lib/transfer/imports/kind";
import { MERGED } from "@/lib/transfer/imports/kinds";

/**
 * SQL condition: another client was merged into the client of the imported row `r`. A merge does not change
 * updated_at.
 */
const ABSORBED = sql`EXISTS (SELECT FROM ${MERGED_INTO} AS l WHERE l.client_id = r.record_id)`;

/**
 * Removes the records of an import, newest first, because a record may refer to an older one. Returns false if
 * stopped.
 */
export async function undo(job: Job, allowed: Allowed, kind: Kind, stop: AbortSignal): Promise<boolean> {
  // After an interruption: all records newer than the last one that stayed are already removed.
  const [last] = await rows<{ before: number }>(
    sql`SELECT COALESCE(min(number), ${constant(INT_MAX)}) AS before FROM import_notes
     WHERE import_id = ${job.id} AND about = 'kept'`,
  );
  let before = last?.before ?? INT_MAX;
  let actor = await allowed();
  const isFinished = await inChunks(stop, async () => {
    const chunk = await rows<{ record_id: number }>(
      sql`SELECT record_id FROM import_rows WHERE import_id = ${job.id} AND record_id < ${before}
       ORDER BY record_id DESC LIMIT ${constant(CHUNK)}`,
    );
    actor = await allowed();
    for (const { record_id: id } of chunk) {
      if (stop.aborted) return null;
      await undoOne(job, actor, kind, id);
      before = id;
    }
    return chunk.length === CHUNK ? REST.writing : null;
  });
  if (!isFinished || stop.aborted) return false;
  await inTransaction(async (query) => {
    await lockJob(query, job);
    await endImport(query, actor, job.id, "undone", 0);
  });
  return true;
}

/** Removes one record, or leaves it and notes the reason. */
async function undoOne(job: Job, actor: Actor, kind: Kind, id: number): Promise<void> {
  try {
    await inChunk(async (tx, query) => {
      await lockJob(query, job);
      const clientIds = await clientOf(query, kind, id);
      if (clientIds.length > 0) await lockClientRows(query, clientIds);
      const [record] = await query<{ same: boolean | null; merged: boolean; absorbed: boolean }>(
        sql`SELECT (SELECT t.updated_at = r.saved_at FROM ${identifier(kind.table)} t WHERE t.id = r.record_id FOR UPDATE) AS same,
           ${kind.people ? MERGED : sql`FALSE`} AS merged, ${kind.people ? ABSORBED : sql`FALSE`} AS absorbed
         FROM import_rows r WHERE r.import_id = ${job.id} AND r.record_id = ${id}`,
      );
      if (record?.same === false) throw new AppError("conflict_version", "It has changed since.");
      if (record?.same && record.absorbed)
        throw new AppError("conflict_version", "Another client was merged into it.");
      if (record?.merged) throw new AppError("conflict_version", "It was merged into another client.");
      const isThere = record?.same === true;
      if (isThere) await kind.remove(tx, actor, id);
      await query(sql`DELETE FROM import_rows WHERE import_id = ${job.id} AND record_id = ${id}`);
      await advance(query, job, 1, { removed: isThere ? 1 : 0 });
    });
  } catch (error) {
    if (error instanceof LeaseLost) throw error;
    const { code, message } = asAppError(error);
    if (!["conflict_version", "conflict_in_use", "not_found", "period_closed", "invalid"].includes(code))
      throw error;
    await inTransaction(async (query) => {
      await lockJob(query, job);
      await storeNote(query, job, "kept", id, { problem: message, clients: await clientOf(query, kind, id) });
      await advance(query, job, 1, { kept: 1 });
    });
  }
}

/** Returns the id of the client that a record is about, if any. */
async function clientOf(query: Query, { clientId }: Kind, id: number): Promise<number[]> {
  const [row] = await query<{ id: number | null }>(
    sql`SELECT ${clientId} AS id FROM (SELECT ${id}::int AS record_id) AS r`,
  );
  return row?.id ? [row.id] : [];
}
