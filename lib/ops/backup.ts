import { mkdir, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { type BackupFile, backupFolder, backupsIn, newBackupName } from "@/lib/core/database/backup-files";
import { parseEnv, type StartEnv } from "@/lib/core/process/env";
import { PlainError } from "@/lib/core/process/plain-error";
import { loadEnvironment } from "@/lib/core/process/secret-files";
import { writeArchive } from "@/lib/ops/archive";
import { backupArguments, newBackupKey } from "@/lib/ops/backup-key";
import { runCommand } from "@/lib/ops/command";
import { runningDatabase, startCluster } from "@/lib/ops/embedded";

// `npm run backup [-- FILE]` writes the whole database to one file, also while the program runs. The file is encrypted
// for BACKUP_RECIPIENTS, or with BACKUP_PASSPHRASE or the key in BACKUP_KEY_FILE, unless --unencrypted is set. Without
// FILE, the backup is in DATA_DIR/backups. Backups older than BACKUP_KEEP_DAYS are removed there, because they contain
// data that users have deleted since. If it fails, a file there says so until a later one succeeds.

async function backup(given: readonly string[]): Promise<void> {
  loadEnvironment();
  const settings = parseEnv(process.env);
  const folder = backupFolder(settings.DATA_DIR);
  try {
    await save(given, settings, folder);
  } catch (error) {
    await noteFailure(folder);
    throw error;
  }
  await removeFrom(folder, ({ state }) => state === "failed");
}

async function save(given: readonly string[], settings: StartEnv, folder: string): Promise<void> {
  const {
    files: [named],
    unencrypted,
  } = backupArguments(given);
  const key = unencrypted ? null : await newBackupKey(settings);
  if (key === undefined) {
    throw new PlainError(
      `Set BACKUP_RECIPIENTS, BACKUP_PASSPHRASE (openssl rand -hex 24) or BACKUP_KEY_FILE, and keep it elsewhere too: without it no backup can be restored. --unencrypted creates one that anyone who has the file can read.`,
    );
  }
  const file = named ?? path.join(folder, newBackupName(key === null ? "gz" : "backup"));
  if (!named) await mkdir(folder, { recursive: true, mode: 0o700 });
  await withDatabase(settings, (url) => writeArchive(url, file, key));
  if (!named) {
    const oldest = new Date(Date.now() - settings.BACKUP_KEEP_DAYS * 86_400_000).toISOString().slice(0, 10);
    await removeFrom(folder, ({ madeAt }) => madeAt < oldest);
  }
  console.log(`Saved ${file}`);
  if (key === null) console.log("It is NOT encrypted: anyone who has the file can read everything in it.");
}

/**
 * Runs the work on the database of DATABASE_URL, or on the embedded one. That is the running program's, or one started
 * for the work.
 */
async function withDatabase(
  { DATABASE_URL, DATABASE_OWNER_URL = DATABASE_URL, DATA_DIR }: StartEnv,
  work: (url: string) => Promise<void>,
) {
  const running = DATABASE_OWNER_URL ?? (await runningDatabase(DATA_DIR));
  if (running) return work(running);
  const cluster = await startCluster({ dataDir: DATA_DIR });
  try {
    await work(cluster.url);
  } finally {
    await cluster.stop();
  }
}

async function removeFrom(folder: string, isRemoved: (file: BackupFile) => boolean): Promise<void> {
  for (const file of await backupsIn(folder)) if (isRemoved(file)) await rm(path.join(folder, file.name));
}

/** Writes the file by which Home and /metrics know that a backup failed. */
async function noteFailure(folder: string): Promise<void> {
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await writeFile(path.join(folder, newBackupName("failed")), "", { mode: 0o600 });
  } catch {
    // The folder is full or read-only. The error of the backup is the one to show.
  }
}

await runCommand(backup);
