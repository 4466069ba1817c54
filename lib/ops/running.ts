import path from "node:path";
import { parseEnv, type StartEnv } from "@/lib/core/process/env";
import { PlainError } from "@/lib/core/process/plain-error";
import { loadEnvironment } from "@/lib/core/process/secret-files";
import { runningDatabase } from "@/lib/ops/embedded";
import { ensureSecret } from "@/lib/ops/secret";

/**
 * Returns the environment of the running program for a command. DATABASE_URL and AUTH_SECRET are those of the embedded
 * database unless they are set. With `owner`, connects as the owner of the database if DATABASE_OWNER_URL is set.
 */
export async function runningEnvironment({ owner = false } = {}): Promise<StartEnv & { url: string }> {
  loadEnvironment();
  const settings = parseEnv(process.env);
  const { DATABASE_OWNER_URL, DATABASE_URL, DATA_DIR } = settings;
  const url = (owner ? DATABASE_OWNER_URL : undefined) ?? DATABASE_URL ?? (await runningDatabase(DATA_DIR));
  if (!url)
    throw new PlainError(`No database is running in ${DATA_DIR}: start the program first (npm start).`);
  process.env.DATABASE_URL = url;
  process.env.AUTH_SECRET ||= await ensureSecret(path.join(DATA_DIR, "auth-secret"));
  return { ...settings, url };
}
