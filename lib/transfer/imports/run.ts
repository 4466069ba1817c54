import "server-only";
import { type AuditActor, NOBODY } from "@/lib/audit/record";
import { can, canAll } from "@/lib/core/access/permissions";
import { inTransaction, rows } from "@/lib/core/database/client";
import { AppError, type ErrorCode } from "@/lib/core/errors";
import { codeOf } from "@/lib/core/process/error-frames";
import { log } from "@/lib/core/process/log";
import { sql } from "@/lib/core/sql";
import { actorOfUser } from "@/lib/identity/background-actor";
import { importRows } from "@/lib/transfer/imports/import-rows";
import { endImport } from "@/lib/transfer/imports/imports";
import { claim, type Job, LeaseLost, lockJob } from "@/lib/transfer/imports/jobs";
import { kinds } from "@/lib/transfer/imports/kinds";
import { undo } from "@/lib/transfer/imports/undo";

/** The number of consecutive failures of a chunk for reasons that are not in its rows. */
const ATTEMPTS_MAX = 5;
/** Errors that may not recur at the next attempt. */
const TRANSIENT: readonly ErrorCode[] = ["unavailable", "too_slow", "conflict_busy"];

/** The calls of `runImports` in each process. One user's imports take one of them. */
export const IMPORTS_AT_ONCE = 3;

/** Works on all waiting imports, one after another. */
export async function runImports(stop: AbortSignal): Promise<void> {
  for (let job = await claim(); job; job = stop.aborted ? null : await claim()) await run(job, stop);
}

async function run(job: Job, stop: AbortSignal): Promise<void> {
  const kind = kinds[job.kind];
  const starter = async () => (job.user_id === null ? null : await actorOfUser(job.user_id, job.token_id));
  // Checked for each chunk, because an account, a token or a permission may end during a long import.
  const allowed = async () => {
    const actor = await starter();
    if (!actor || !can(actor, "import") || !canAll(actor, kind.permissions))
      throw new AppError("forbidden", "The user who started it can no longer import.");
    return actor;
  };
  try {
    if (job.attempts > ATTEMPTS_MAX)
      throw new AppError("failed", "It failed several times. Please try again.");
    const isFinished = await (job.status === "undoing" ? undo : importRows)(job, allowed, kind, stop);
    if (!isFinished)
      await rows(sql`UPDATE imports SET leased_until = NULL WHERE id = ${job.id} AND lease = ${job.lease}`);
  } catch (error) {
    if (error instanceof LeaseLost) return;
    if (error instanceof AppError && !TRANSIENT.includes(error.code))
      return giveUp(job, (await starter()) ?? { ...NOBODY, userId: job.user_id }, error);
    // Another attempt follows when the lease expires.
    const code = error instanceof AppError ? error.code : codeOf(error);
    log.warn({ importId: job.id, code }, "An import was interrupted");
  }
}

/** Ends an import that cannot continue. Records created so far stay and can be undone. */
async function giveUp(job: Job, actor: AuditActor, error: AppError): Promise<void> {
  await inTransaction(async (query) => {
    const { created } = await lockJob(query, job);
    await endImport(query, actor, job.id, "failed", job.status === "running" ? created : 0, error.message);
  });
}
