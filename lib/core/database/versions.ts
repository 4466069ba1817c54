import "server-only";
import { AppError, busy, notFound, unavailable } from "@/lib/core/api/errors";

/** After this time the caller may already have a response without the database (lib/route.ts), so nothing is saved. */
const TURN_MS = 4_000;
/**
 * The number of attempts of a save without a version if another process is faster; enough for any realistic queue.
 */
const ATTEMPTS_MAX = 20;

const turns = new Map<string, Promise<unknown>>();

/**
 * Saves of one record take turns within this process. So many parallel saves wait here instead of for connections that
 * others need. Between processes, the version in the row decides.
 */
async function inTurn<Result>(record: string, save: () => Promise<Result>): Promise<Result> {
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

/** A record as read before a save: its version, and the user who saved that version. */
export type StoredVersion = { lockVersion: number; changedBy: string | null };

/** Throws 409 with the name of the user who saved since, if `version` is old. */
export function assertVersion({ lockVersion, changedBy }: StoredVersion, version: number | undefined): void {
  if (version !== undefined && version !== lockVersion)
    throw new AppError(
      "conflict_version",
      `This record was changed by ${changedBy ?? "another user"} since you opened it`,
    );
}

/**
 * Saves a record over the version that `read` returns. Throws 409 for an old `version`, and 404 if the record does not
 * exist or is not visible. `write` returns null and writes nothing if the row's version is no longer the one that was
 * read.
 */
export function saveVersion<Read extends StoredVersion, Result>(
  record: string,
  version: number | undefined,
  read: () => Promise<Read | null>,
  write: (current: Read) => Promise<Result | null>,
): Promise<Result> {
  return inTurn(record, async () => {
    for (let tries = 0; tries < ATTEMPTS_MAX; tries++) {
      const current = await read();
      if (!current) throw notFound();
      assertVersion(current, version);
      const result = await write(current);
      if (result !== null) return result;
    }
    throw busy("Someone else saved at the same time. Please try again.");
  });
}
