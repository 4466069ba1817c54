import { existsSync } from "node:fs";
import path from "node:path";
import { email } from "@/lib/fields/validation";
import { runningDatabase } from "@/lib/operate/embedded";
import { keptSecret } from "@/lib/operate/secret";
import { parseEnv } from "@/lib/server/env";
import { PlainError } from "@/lib/server/plain-error";

// `npm run admin -- someone@example.org`: makes that account an administrator, for when none is left, and prints
// the link that sets its password. The program keeps running meanwhile.

async function admin(argument: string | undefined): Promise<void> {
  const address = email().safeParse(argument);
  if (!address.success) throw new PlainError("Usage: npm run admin -- someone@example.org");
  if (existsSync(".env")) process.loadEnvFile(".env");
  const { DATABASE_URL, DATA_DIR, APP_URL } = parseEnv(process.env);
  const url = DATABASE_URL ?? (await runningDatabase(DATA_DIR));
  if (!url) throw new PlainError(`No database runs in ${DATA_DIR}: start the program first (npm start).`);
  process.env.DATABASE_URL = url;
  process.env.AUTH_SECRET ||= await keptSecret(path.join(DATA_DIR, "auth-secret"));

  const { makeAdministrator } = await import("@/lib/accounts/data");
  const { closeDatabase } = await import("@/lib/database/client");
  try {
    const token = await makeAdministrator(address.data);
    console.log(`${address.data} is an administrator. To set a password, within 1 hour:`);
    console.log(`${APP_URL}/update_password/${token}`);
  } finally {
    await closeDatabase();
  }
}

await admin(process.argv[2]).catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
