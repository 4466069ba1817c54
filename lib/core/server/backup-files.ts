import "server-only";
import { readdir } from "node:fs/promises";
import path from "node:path";
import { PRODUCT_KEY } from "@/lib/core/product";
import { FORMER_KEY } from "@/lib/core/server/former-name";

// The files that `npm run backup` and backup.sh make. Screens show the age of the newest one.

const NAME = new RegExp(
  `^(?:${PRODUCT_KEY}|${FORMER_KEY})-(\\d{4}-\\d\\d-\\d\\d)T(\\d\\d)(\\d\\d)(\\d\\d)Z\\.(?:backup|gz|dump|dump\\.gpg)(\\.unfinished)?$`,
);

export const backupFolder = (dataDir: string): string => path.join(dataDir, "backups");

/** Returns the name of a backup that begins now: `.backup` is encrypted, `.gz` is not. */
export const newBackupName = (ending: "backup" | "gz"): string =>
  `${PRODUCT_KEY}-${new Date().toISOString().replace(/\.\d+|:/g, "")}.${ending}`;

type BackupFile = {
  name: string;
  /** The time in the file's name, for example `2026-11-22T10:30:00Z`. */
  madeAt: string;
  isFinished: boolean;
};

/** Returns the backups in a folder, complete or not. */
export async function backupsIn(folder: string): Promise<BackupFile[]> {
  return (await readdir(folder)).flatMap((name) => {
    const [, day, hour, minute, second, unfinished] = NAME.exec(name) ?? [];
    return day ? [{ name, madeAt: `${day}T${hour}:${minute}:${second}Z`, isFinished: !unfinished }] : [];
  });
}
