import { existsSync } from "node:fs";
import path from "node:path";
import { parseEnv } from "@/lib/core/process/env";
import { PlainError } from "@/lib/core/process/plain-error";
import { loadEnvironment } from "@/lib/core/process/secret-files";
import { readArchive } from "@/lib/ops/archive";
import { backupArguments, openingKeys } from "@/lib/ops/backup-key";
import { runCommand } from "@/lib/ops/command";
import { startCluster } from "@/lib/ops/embedded";

// `npm run restore -- FILE` fills the empty database of DATABASE_URL, or of a new DATA_DIR, from a backup. An encrypted
// backup needs BACKUP_PASSPHRASE, BACKUP_KEY_FILE or the secret key in the file of --identity. If one of these or
// BACKUP_RECIPIENTS is set, an unencrypted backup needs --unencrypted.

const SECRET_NEEDED = `Start the program with the AUTH_SECRET of the server that made the backup. With another one, users with two-step sign-in cannot sign in, a repeated import adds its records a second time, and drafts and former values in histories are lost. See "Without the old AUTH_SECRET" in docs/operate/backup-and-restore.md.`;

async function restore(given: readonly string[]): Promise<void> {
  const {
    files: [file],
    unencrypted,
    identity,
  } = backupArguments(given);
  if (!file) throw new PlainError("Usage: npm run restore -- FILE [--identity FILE] [--unencrypted]");
  if (!existsSync(file)) throw new PlainError(`There is no file ${file}.`);
  loadEnvironment();
  const settings = parseEnv(process.env);
  const { DATABASE_URL, DATABASE_OWNER_URL = DATABASE_URL, DATA_DIR } = settings;
  const keys = await openingKeys(settings, identity);
  const encryptsBackups = Boolean(
    keys.passphrase || keys.identities || settings.BACKUP_RECIPIENTS.length > 0,
  );
  const fill = async (url: string) => {
    const { isEncrypted, isAuthentic } = await readArchive(url, file, keys, { unencrypted, encryptsBackups });
    if (!isEncrypted) console.log("It was not encrypted, so someone may have changed it.");
    else if (!isAuthentic)
      console.log("It was encrypted for a public key: anyone who knows that key could have created it.");
  };
  if (DATABASE_OWNER_URL) await fill(DATABASE_OWNER_URL);
  else {
    const cluster = await startCluster({ dataDir: DATA_DIR, say: console.log });
    try {
      await fill(cluster.url);
    } finally {
      await cluster.stop();
    }
  }
  console.log(SECRET_NEEDED);
  const secretFile = path.join(DATA_DIR, "auth-secret");
  if (!settings.AUTH_SECRET && !existsSync(secretFile))
    console.log(
      `AUTH_SECRET is not set, and there is no ${secretFile}: the next start would create another secret.`,
    );
  console.log(
    `Restored ${file}. All users must sign in again, and programs need new tokens. Start the program to migrate the data: npm start`,
  );
}

await runCommand(restore);
