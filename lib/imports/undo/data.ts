import "server-only";
import { AppError, asAppError } from "@/lib/api/errors";
import type { Actor } from "@/lib/auth/session";
import { inTransaction, type Query, rows } from "@/lib/database/client";
import { INT_MAX } from "@/lib/fields/validation";
import { endImport } from "@/lib/imports/data";
import {
  type Allowed,
  advance,
  CHUNK,
  hold,
  inChunk,
  inChunks,
  type Job,
  Lost,
  note,
  REST,
} from "@/lib/imports/jobs/data";
import { type Kind, MERGED } from "@/lib/imports/kinds/data";

/** Removes what an import made, the newest first, because a record may refer to an older one. */
export async function undo(job: Job, allowed: Allowed, kind: Kind, stop: AbortSignal): Promise<boolean> {
  // After an interruption: no newer record is left to remove than the last one that was kept.
  const [last] = await rows<{ before: number }>(
    `SELECT COALESCE(min(number), ${INT_MAX}) AS before FROM import_notes WHERE import_id = $1 AND about = 'kept'`,
    [job.id],
  );
  let before = last?.before ?? INT_MAX;
  let actor = await allowed();
  const finished = await inChunks(stop, async () => {
    const chunk = await rows<{ record_id: number }>(
      `SELECT record_id FROM import_rows WHERE import_id = $1 AND record_id < $2 ORDER BY record_id DESC LIMIT ${CHUNK}`,
      [job.id, before],
    );
    actor = await allowed();
    for (const { record_id: id } of chunk) {
      if (stop.aborted) return null;
      await undoOne(job, actor, kind, id);
      before = id;
    }
    return chunk.length === CHUNK ? REST.writing : null;
  });
  if (!finished || stop.aborted) return false;
  await inTransaction(async (query) => {
    await hold(query, job);
    await endImport(query, actor, job.id, "undone", 0);
  });
  return true;
}

/** Removes one record, or keeps it and notes why. */
async function undoOne(job: Job, actor: Actor, kind: Kind, id: number): Promise<void> {
  try {
    await inChunk(async (tx, query) => {
      await hold(query, job);
      const [record] = await query<{ same: boolean | null; merged: boolean }>(
        `SELECT (SELECT t.updated_at = r.saved_at FROM ${kind.table} t WHERE t.id = r.record_id FOR UPDATE) AS same,
           ${kind.people ? MERGED : "FALSE"} AS merged FROM import_rows r WHERE r.import_id = $1 AND r.record_id = $2`,
        [job.id, id],
      );
      if (record?.same === false) throw new AppError("conflict_version", "It was changed since.");
      if (record?.merged) throw new AppError("conflict_version", "It was merged into another client.");
      const isThere = record?.same === true;
      if (isThere) await kind.remove(tx, actor, id);
      await query("DELETE FROM import_rows WHERE import_id = $1 AND record_id = $2", [job.id, id]);
      await advance(query, job, 1, { removed: isThere ? 1 : 0 });
    });
  } catch (error) {
    if (error instanceof Lost) throw error;
    const { code, message } = asAppError(error);
    if (!["conflict_version", "conflict_in_use", "not_found", "period_closed", "invalid"].includes(code))
      throw error;
    await inTransaction(async (query) => {
      await hold(query, job);
      await note(query, job, "kept", id, { problem: message, clients: await clientOf(query, kind, id) });
      await advance(query, job, 1, { kept: 1 });
    });
  }
}

/** The client whom a kept record is about, if any. */
async function clientOf(query: Query, kind: Kind, id: number): Promise<number[]> {
  if (kind.people) return [id];
  if (kind.table !== "forms") return [];
  const found = await query<{ id: number }>("SELECT client_id AS id FROM forms WHERE id = $1", [id]);
  return found.map((client) => client.id);
}
