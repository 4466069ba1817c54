import "server-only";
import { readFile } from "node:fs/promises";
import type { StartEnv } from "@/lib/core/server/env";
import { codeOf } from "@/lib/core/server/error-frames";
import { PlainError } from "@/lib/core/server/plain-error";

const UNENCRYPTED = "--unencrypted";

/** The arguments of a command on a backup: its file, and whether it may be one that is not encrypted. */
export const backupArguments = (
  given: readonly string[],
): { file: string | undefined; unencrypted: boolean } => ({
  file: given.find((argument) => argument !== UNENCRYPTED),
  unencrypted: given.includes(UNENCRYPTED),
});

/**
 * What backups are encrypted with: BACKUP_PASSPHRASE, or the first line of BACKUP_KEY_FILE, which is also all that gpg
 * reads of such a file (backup.sh); undefined if neither is set. Refuses a file that cannot be read, and a line that is
 * too short or no plain text.
 */
export async function backupPassphrase({
  BACKUP_PASSPHRASE,
  BACKUP_KEY_FILE,
}: Pick<StartEnv, "BACKUP_PASSPHRASE" | "BACKUP_KEY_FILE">): Promise<string | undefined> {
  if (!BACKUP_KEY_FILE) return BACKUP_PASSPHRASE;
  const text = await readFile(BACKUP_KEY_FILE, "utf8").catch((error: unknown) => {
    throw new PlainError(`BACKUP_KEY_FILE ${BACKUP_KEY_FILE} cannot be read: ${codeOf(error)}.`);
  });
  const [line = ""] = text.split("\n", 1);
  if (/^[ -~]{16,}$/.test(line)) return line;
  throw new PlainError(
    `The first line of BACKUP_KEY_FILE ${BACKUP_KEY_FILE} must be at least 16 plain characters (openssl rand -hex 32).`,
  );
}
