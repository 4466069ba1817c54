import "server-only";
import { type AuditActor, NOBODY } from "@/lib/audit/record";
import { can } from "@/lib/core/access/permissions";
import type { ErrorCode } from "@/lib/core/api/codes";
import { AppError } from "@/lib/core/api/errors";
import { inTransaction, rows } from "@/lib/core/database/client";
import { sql } from "@/lib/core/database/sql";
import { codeOf } from "@/lib/core/server/error-frames";
import { log } from "@/lib/core/server/log";
import { actorOfUser } from "@/lib/identity/background-actor";
import { bring } from "@/lib/transfer/imports/import-rows";
import { endImport } from "@/lib/transfer/imports/imports";
import { claim, hold, type Job, Lost } from "@/lib/transfer/imports/jobs";
import { kinds } from "@/lib/transfer/imports/kinds";
import { undo } from "@/lib/transfer/imports/undo";

/** How often in a row a chunk may fail for a reason that is not in its rows. */
const ATTEMPTS = 5;
/** What may succeed at the next attempt. */
const PASSING: readonly ErrorCode[] = ["unavailable", "too_slow", "conflict_busy"];

/** Works on all imports that wait. */
export async function runImports(stop: AbortSignal): Promise<void> {
  for (let job = await claim(); job; job = stop.aborted ? null : await claim()) await run(job, stop);
}

async function run(job: Job, stop: AbortSignal): Promise<void> {
  const kind = kinds[job.kind];
  const starter = async () => (job.user_id === null ? null : await actorOfUser(job.user_id, job.token_id));
  // Asked for each chunk, because an account, a token or a permission may end while a long import goes on.
  const allowed = async () => {
    const actor = await starter();
    if (!actor || !can(actor, "import") || !can(actor, kind.permission))
      throw new AppError("forbidden", "Whoever started it may no longer import.");
    return actor;
  };
  try {
    if (job.attempts > ATTEMPTS) throw new AppError("failed", "It failed several times. Please try again.");
    const finished = await (job.status === "undoing" ? undo : bring)(job, allowed, kind, stop);
    if (!finished)
      await rows(sql`UPDATE imports SET leased_until = NULL WHERE id = ${job.id} AND lease = ${job.lease}`);
  } catch (error) {
    if (error instanceof Lost) return;
    if (error instanceof AppError && !PASSING.includes(error.code))
      return giveUp(job, (await starter()) ?? { ...NOBODY, userId: job.user_id }, error);
    // It is tried again once the lease has ended.
    const code = error instanceof AppError ? error.code : codeOf(error);
    log.warn({ importId: job.id, code }, "An import could not go on");
  }
}

/** Ends an import that cannot go on; what it made until then stays, and can be undone. */
async function giveUp(job: Job, actor: AuditActor, error: AppError): Promise<void> {
  await inTransaction(async (query) => {
    const { created } = await hold(query, job);
    await endImport(query, actor, job.id, "failed", job.status === "running" ? created : 0, error.message);
  });
}
