import "server-only";
import { AppError, busy, notFound, unavailable } from "@/lib/core/api/errors";

/**
 * After this long the caller may already have been told that the database does not answer (lib/route.ts), so
 * nothing is saved.
 */
const TURN_MS = 4_000;
/**
 * How often a save without a version is retried when another process was faster. This is enough for any realistic
 * queue.
 */
const TRIES = 20;

const turns = new Map<string, Promise<unknown>>();

/**
 * Saves of one record take turns within this process, so that many parallel saves wait here rather than for connections
 * that others need. Between processes, the version in the row decides.
 */
async function inTurn<Answer>(record: string, save: () => Promise<Answer>): Promise<Answer> {
  const since = Date.now();
  const mine = (turns.get(record) ?? Promise.resolve())
    .catch(() => {})
    .then(() => {
      if (Date.now() - since > TURN_MS) throw unavailable();
      return save();
    });
  turns.set(record, mine);
  try {
    return await mine;
  } finally {
    if (turns.get(record) === mine) turns.delete(record);
  }
}

/** A record as read before a save: its version, and who saved that version. */
export type Held = { lockVersion: number; changedBy: string | null };

/** Refuses an old `version`: 409 naming who was faster. */
export function assertVersion({ lockVersion, changedBy }: Held, version: number | undefined): void {
  if (version !== undefined && version !== lockVersion)
    throw new AppError(
      "conflict_version",
      `This record was changed by ${changedBy ?? "another user"} since you opened it`,
    );
}

/**
 * Saves a record over the version that `read` returns, and refuses an old `version`; 404 if the record is gone or not
 * visible. `write` returns null, having written nothing, if the row's version is no longer the one that was read.
 */
export function saveVersion<Read extends Held, Answer>(
  record: string,
  version: number | undefined,
  read: () => Promise<Read | null>,
  write: (held: Read) => Promise<Answer | null>,
): Promise<Answer> {
  return inTurn(record, async () => {
    for (let tries = 0; tries < TRIES; tries++) {
      const held = await read();
      if (!held) throw notFound();
      assertVersion(held, version);
      const answer = await write(held);
      if (answer !== null) return answer;
    }
    throw busy("Someone else saved at the same time. Please try again.");
  });
}
