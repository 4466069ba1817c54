import "server-only";
import type { ErrorCode } from "@/lib/api/codes";
import { AppError } from "@/lib/api/errors";
import { type AuditActor, NOBODY } from "@/lib/audit/record";
import { actorOfUser } from "@/lib/auth/background";
import { can } from "@/lib/auth/permissions";
import { inTransaction, rows } from "@/lib/database/client";
import { bring } from "@/lib/imports/bring/data";
import { endImport } from "@/lib/imports/data";
import { claim, hold, type Job, Lost } from "@/lib/imports/jobs/data";
import { kinds } from "@/lib/imports/kinds/data";
import { undo } from "@/lib/imports/undo/data";
import { codeOf } from "@/lib/server/error-reports";

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
      await rows("UPDATE imports SET leased_until = NULL WHERE id = $1 AND lease = $2", [job.id, job.lease]);
  } catch (error) {
    if (error instanceof Lost) return;
    if (error instanceof AppError && !PASSING.includes(error.code))
      return giveUp(job, (await starter()) ?? { ...NOBODY, userId: job.user_id }, error);
    // It is tried again once the lease has ended.
    const why = error instanceof AppError ? error.code : codeOf(error);
    console.warn(`Import ${job.id} could not go on: ${why}`);
  }
}

/** Ends an import that cannot go on; what it made until then stays, and can be undone. */
async function giveUp(job: Job, actor: AuditActor, error: AppError): Promise<void> {
  await inTransaction(async (query) => {
    const { created } = await hold(query, job);
    await endImport(query, actor, job.id, "failed", job.status === "running" ? created : 0, error.message);
  });
}
