import { execFileSync } from "node:child_process";
import path from "node:path";
import { PASSWORD_HASH, startServer, withDatabase } from "@/e2e/servers";
import { removeDataDir } from "@/lib/ops/embedded";
import { ensureHome } from "@/lib/ops/embedded-files";
import { tempDataDir } from "@/tests/setup/data-dir";

/**
 * Creates the data folder that the server of each worker starts with, once per run. Initializing, migrating and seeding
 * a cluster takes longer than most tests. Every test signs in, so its demo accounts have a low-cost hash.
 */
export default async function makeTemplate(): Promise<() => Promise<void>> {
  const dataDir = await tempDataDir();
  const server = await startServer(dataDir);
  try {
    await withDatabase(dataDir, async (client) => {
      await client.query("UPDATE users SET password_hash = $1 WHERE password_hash IS NOT NULL", [
        PASSWORD_HASH,
      ]);
      // Avoids waiting for a busy disk. No test cuts the machine's power.
      await client.query("ALTER SYSTEM SET fsync = off");
    });
  } finally {
    await server.stop();
  }
  // The workers are started with this environment.
  process.env.TEMPLATE_DIR = dataDir;
  return () => removeDataDir(dataDir);
}

/** Returns a separate data folder with a copy of the template. */
export async function copyTemplate(): Promise<string> {
  const template = process.env.TEMPLATE_DIR ?? "";
  const dataDir = await tempDataDir();
  // The database may be elsewhere, in a folder that PostgreSQL's own account can enter.
  const { home } = await ensureHome(dataDir, () => {});
  execFileSync("cp", ["-Rp", path.join(template, "postgres/."), home]);
  for (const secret of ["auth-secret", "program-password"])
    execFileSync("cp", ["-p", path.join(template, secret), dataDir]);
  return dataDir;
}
