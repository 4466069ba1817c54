import "server-only";
import { readFile } from "node:fs/promises";
import { parseArgs } from "node:util";
import type { StartEnv } from "@/lib/core/process/env";
import { codeOf } from "@/lib/core/process/error-frames";
import { PlainError } from "@/lib/core/process/plain-error";
import type { BackupKey, BackupKeys } from "@/lib/ops/encryption";

/**
 * Returns the arguments of a backup command: files, whether an unencrypted one is allowed, and the file of secret keys.
 */
export function backupArguments(given: readonly string[]): {
  files: string[];
  unencrypted: boolean;
  identity: string | undefined;
} {
  const { values, positionals } = parseArgs({
    args: [...given],
    allowPositionals: true,
    options: { unencrypted: { type: "boolean", default: false }, identity: { type: "string" } },
  });
  return { files: positionals, unencrypted: values.unencrypted, identity: values.identity };
}

type Settings = Pick<StartEnv, "BACKUP_PASSPHRASE" | "BACKUP_KEY_FILE">;

/**
 * Returns the passphrase of backups: BACKUP_PASSPHRASE, or the first line of BACKUP_KEY_FILE, because gpg also reads
 * only that line (backup.sh). Returns undefined if neither is set. Throws for an unreadable file, and for a line that
 * is too short or not plain text.
 */
export async function backupPassphrase({
  BACKUP_PASSPHRASE,
  BACKUP_KEY_FILE,
}: Settings): Promise<string | undefined> {
  if (!BACKUP_KEY_FILE) return BACKUP_PASSPHRASE;
  const [line = ""] = (await readKeyFile("BACKUP_KEY_FILE", BACKUP_KEY_FILE)).split("\n", 1);
  if (/^[ -~]{16,}$/.test(line)) return line;
  throw new PlainError(
    `The first line of BACKUP_KEY_FILE ${BACKUP_KEY_FILE} must be at least 16 plain characters (openssl rand -hex 32).`,
  );
}

/** Returns the key for new backups: BACKUP_RECIPIENTS, or else the passphrase; undefined if nothing is set. */
export async function newBackupKey(
  settings: Settings & Pick<StartEnv, "BACKUP_RECIPIENTS">,
): Promise<BackupKey | undefined> {
  if (settings.BACKUP_RECIPIENTS.length > 0) return { recipients: settings.BACKUP_RECIPIENTS };
  const passphrase = await backupPassphrase(settings);
  return passphrase === undefined ? undefined : { passphrase };
}

/** Returns the keys that open backups: the passphrase, and the secret keys in the file of `--identity`. */
export async function openingKeys(settings: Settings, identity: string | undefined): Promise<BackupKeys> {
  const passphrase = await backupPassphrase(settings);
  if (!identity) return { passphrase };
  const lines = (await readKeyFile("The file of --identity", identity))
    .split("\n")
    .map((line) => line.trim());
  const identities = lines.filter((line) => line.startsWith("AGE-SECRET-KEY-"));
  if (identities.length > 0) return { passphrase, identities };
  throw new PlainError(`The --identity file ${identity} contains no secret key (AGE-SECRET-KEY-…).`);
}

const readKeyFile = (what: string, file: string): Promise<string> =>
  readFile(file, "utf8").catch((error: unknown) => {
    throw new PlainError(`${what} ${file} cannot be read: ${codeOf(error)}.`);
  });
