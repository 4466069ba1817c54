import { existsSync } from "node:fs";
import { parseEnv } from "@/lib/core/server/env";
import { PlainError } from "@/lib/core/server/plain-error";
import { loadEnvironment } from "@/lib/core/server/secret-files";
import { readArchive } from "@/lib/ops/archive";
import { backupArguments, backupPassphrase } from "@/lib/ops/backup-key";
import { startCluster } from "@/lib/ops/embedded";

// `npm run restore -- FILE`: fills the empty database of DATABASE_URL, or of a new DATA_DIR, from a backup;
// an encrypted one with BACKUP_PASSPHRASE or BACKUP_KEY_FILE. Where one of them is set, a backup that is not encrypted
// is restored only with --unencrypted.

async function restore(given: readonly string[]): Promise<void> {
  const { file, unencrypted } = backupArguments(given);
  if (!file) throw new PlainError("Usage: npm run restore -- FILE [--unencrypted]");
  if (!existsSync(file)) throw new PlainError(`There is no file ${file}.`);
  loadEnvironment();
  const settings = parseEnv(process.env);
  const { DATABASE_URL, DATABASE_OWNER_URL = DATABASE_URL, DATA_DIR } = settings;
  const passphrase = await backupPassphrase(settings);
  const fill = async (url: string) => {
    const { isEncrypted } = await readArchive(url, file, passphrase, { unencrypted });
    if (!isEncrypted) console.log("It was not encrypted: that nobody has changed it is not certain.");
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
  console.log(
    `Restored ${file}. Everybody signs in again; programs need new tokens. Start the program to bring it up to date: npm start`,
  );
}

await restore(process.argv.slice(2)).catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
