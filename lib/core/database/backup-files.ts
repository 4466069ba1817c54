import "server-only";
import { readdir, stat } from "node:fs/promises";
import path from "node:path";
import { env } from "@/lib/core/process/env";
import { FORMER_KEY } from "@/lib/core/process/former-name";
import { PRODUCT_KEY } from "@/lib/core/product";

// The files that `npm run backup` and backup.sh make. A backup that fails leaves an empty file whose name ends in
// `.failed`. Home and /metrics show the newest complete backup, and one that failed since.

const NAME = new RegExp(
  `^(?:${PRODUCT_KEY}|${FORMER_KEY})-(\\d{4}-\\d\\d-\\d\\d)T(\\d\\d)(\\d\\d)(\\d\\d)Z\\.(?:(?:backup|gz|dump|dump\\.gpg)(\\.unfinished)?|(failed))$`,
);

export const backupFolder = (dataDir: string): string => path.join(dataDir, "backups");

/** Returns the name of a backup that begins now: `.backup` is encrypted, `.gz` is not, `.failed` could not be made. */
export const newBackupName = (ending: "backup" | "gz" | "failed"): string =>
  `${PRODUCT_KEY}-${new Date().toISOString().replace(/\.\d+|:/g, "")}.${ending}`;

export type BackupFile = {
  name: string;
  /** The time in the file's name, for example `2026-11-22T10:30:00Z`. */
  madeAt: string;
  state: "complete" | "unfinished" | "failed";
};

/**
 * Returns the backups in a folder, complete or not; none if there is no such folder. Throws the error of the file system
 * if the folder cannot be read.
 */
export async function backupsIn(folder: string): Promise<BackupFile[]> {
  return (await readdir(folder).catch(noneIfMissing)).flatMap((name): BackupFile[] => {
    const [, day, hour, minute, second, unfinished, failed] = NAME.exec(name) ?? [];
    const state = failed ? "failed" : unfinished ? "unfinished" : "complete";
    return day ? [{ name, madeAt: `${day}T${hour}:${minute}:${second}Z`, state }] : [];
  });
}

function noneIfMissing(error: NodeJS.ErrnoException): [] {
  if (error.code !== "ENOENT") throw error;
  return [];
}

/** A backup writes all the time. An unfinished one that has not grown for so long was killed. */
const KILLED_AFTER_MS = 60 * 60_000;

/**
 * The times of the newest complete backup, and of the newest one that failed after it; null if there is none. They are
 * unknown if the folder of backups cannot be read.
 */
type BackupTimes = { completedAt: string | null; failedAt: string | null; isUnreadable: boolean };

/** Returns the times of the backups in BACKUP_DIR, or else in DATA_DIR/backups. */
export async function backupTimes(): Promise<BackupTimes> {
  const { BACKUP_DIR, DATA_DIR } = env();
  const folder = BACKUP_DIR ?? backupFolder(DATA_DIR);
  const files = await backupsIn(folder).catch(() => null);
  if (files === null) return { completedAt: null, failedAt: null, isUnreadable: true };
  const newest = (times: string[]) => times.sort().at(-1) ?? null;
  const completedAt = newest(files.filter(({ state }) => state === "complete").map(({ madeAt }) => madeAt));
  const failed = await Promise.all(
    files
      .filter(({ madeAt }) => completedAt === null || madeAt > completedAt)
      .map(async ({ name, madeAt, state }) => {
        const hasFailed =
          state === "failed" || (state === "unfinished" && (await isAbandoned(path.join(folder, name))));
        return hasFailed ? [madeAt] : [];
      }),
  );
  return { completedAt, failedAt: newest(failed.flat()), isUnreadable: false };
}

const isAbandoned = (file: string): Promise<boolean> =>
  stat(file).then(
    ({ mtimeMs }) => Date.now() - mtimeMs > KILLED_AFTER_MS,
    // If it is gone, it was finished or removed a moment ago.
    ({ code }: NodeJS.ErrnoException) => code !== "ENOENT",
  );
