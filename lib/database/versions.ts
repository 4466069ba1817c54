import "server-only";
import { AppError, busy, notFound, unavailable } from "@/lib/api/errors";

/** Whoever waited longer may have been answered already that the database is silent (lib/api/route.ts): not saved. */
const TURN_MS = 4_000;
/** A save without a version is tried again when another process was faster; so often is enough for any queue of them. */
const TRIES = 20;

const turns = new Map<string, Promise<unknown>>();

/**
 * Saves of one record take turns within this process, so that a thousand racers wait here and not for the
 * connections that everyone else needs. Between processes the version in the row decides.
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

/** A record as it was read before a save: its version, and who saved that. */
export type Held = { lockVersion: number; changedBy: string | null };

/**
 * Saves a record over the version that `read` finds, and refuses an old `version` (contract §4, "lost updates"):
 * 409 that tells the loser who was faster, 404 when the record is gone or out of sight. `write` answers null when
 * the row has another version than the one that was read, and has then written nothing.
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
      if (version !== undefined && version !== held.lockVersion)
        throw new AppError(
          "conflict_version",
          `This record was changed by ${held.changedBy ?? "another user"} since you opened it`,
        );
      const answer = await write(held);
      if (answer !== null) return answer;
    }
    throw busy("Someone else saved at the same moment. Please try again.");
  });
}
