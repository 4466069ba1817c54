import "server-only";
import pg from "pg";
import { ensureAdministrator, ensureDemoAccounts } from "@/lib/operate/accounts";
import { migrate } from "@/lib/operate/migrate";
import { ensureProgramRole, prepareAudit } from "@/lib/operate/program-role";
import type { StartEnv } from "@/lib/server/env";
import { seedDemo } from "@/prisma/demo";
import { seed } from "@/prisma/seed";

const START_LOCK = 7_233_002;

/** Migrations, seed and first accounts of the database named by DATABASE_URL. Processes that start together take turns. */
export async function prepareDatabase(
  url: string,
  { ADMIN_EMAIL, ADMIN_PASSWORD, DATABASE_OWNER_URL = url }: Partial<StartEnv>,
  demo: boolean,
): Promise<void> {
  const client = new pg.Client({ connectionString: DATABASE_OWNER_URL, connectionTimeoutMillis: 10_000 });
  await client.connect();
  try {
    await client.query("SELECT pg_advisory_lock($1)", [START_LOCK]);
    await migrate(client);
    await prepareAudit(client);
    await ensureProgramRole(client, url);
    await seed();
    if (ADMIN_EMAIL && ADMIN_PASSWORD) await ensureAdministrator(ADMIN_EMAIL, ADMIN_PASSWORD);
    else if (demo) {
      await ensureDemoAccounts();
      await seedDemo();
    }
  } finally {
    await client.end();
  }
}
