import "server-only";
import pg from "pg";
import { rows } from "@/lib/core/database/client";
import { migrationsCurrent } from "@/lib/core/database/migrations";
import { isPooled } from "@/lib/core/database/settings";
import type { StartEnv } from "@/lib/core/process/env";
import { alarmLog } from "@/lib/core/process/log";
import { PlainError } from "@/lib/core/process/plain-error";
import { storeClientsOfDrafts } from "@/lib/forms/drafts/drafts";
import { ensureAdministrator } from "@/lib/identity/administrators";
import { migrate } from "@/lib/ops/migrate";
import { preparePractice, refusePractice } from "@/lib/ops/practice";
import {
  applySettings,
  assertSettings,
  canChangeAudit,
  ensureProgramRole,
  prepareAudit,
} from "@/lib/ops/program-role";
import { assertProgramPassword, explainRefusal } from "@/lib/ops/refused-password";
import { lockedSecrets, renewKeys } from "@/lib/ops/renewal";
import { seedDemo } from "@/prisma/demo";
import { ensureDemoAccounts, ensurePracticeAccounts } from "@/prisma/demo-accounts";
import { seed } from "@/prisma/seed";

const START_LOCK = 7_233_002;

/**
 * Applies migrations, rights, seed and first accounts to the database of DATABASE_URL. Processes that start together
 * take turns. Without DATABASE_OWNER_URL, the role of DATABASE_URL does it all. If that role may not, the owner must
 * have done it before. Returns whether the audit trail is protected from the program. Throws a PlainError before
 * anything changes if a password is blank or wrong.
 */
export async function prepareDatabase(
  url: string,
  settings: Partial<StartEnv>,
  demo: boolean | { practice: true; isServed: boolean },
): Promise<{ isProtected: boolean }> {
  try {
    return await prepare(url, settings, demo);
  } catch (error) {
    const { DATABASE_OWNER_URL } = settings;
    throw explainRefusal(error, { DATABASE_URL: url, DATABASE_OWNER_URL });
  }
}

async function prepare(
  url: string,
  { ADMIN_EMAIL, ADMIN_PASSWORD, DATABASE_OWNER_URL = url }: Partial<StartEnv>,
  demo: boolean | { practice: true; isServed: boolean },
): Promise<{ isProtected: boolean }> {
  const owner = { connectionString: DATABASE_OWNER_URL, connectionTimeoutMillis: 10_000 };
  const turn = new pg.Client(owner);
  const client = new pg.Client(owner);
  await turn.connect();
  await client.connect();
  try {
    // Behind a pooler, a session's lock would outlive this connection, so the lock belongs to a transaction.
    await turn.query(`BEGIN; SET LOCAL statement_timeout = 0; SET LOCAL idle_in_transaction_session_timeout = 0;
      SELECT pg_advisory_xact_lock(${START_LOCK})`);
    await assertProgramPassword(client, url);
    const practice = typeof demo === "object" ? demo : undefined;
    await (practice ? preparePractice(client) : refusePractice(client));
    if (await mayMigrate(client)) {
      await migrate(client);
      await prepareAudit(client);
      await ensureProgramRole(client, url);
      if (isPooled()) await applySettings(client, url);
    } else if (!(await migrationsCurrent(client))) {
      throw new PlainError(
        "The database must be migrated by its owner: name that role in DATABASE_OWNER_URL.",
      );
    }
    if (isPooled()) await assertSettings(rows);
    const renewed = await renewKeys();
    if (renewed) console.log(renewed);
    await storeClientsOfDrafts();
    const locked = await lockedSecrets();
    if (locked) alarmLog.warn({ alarm: "secrets_locked" }, locked);
    await seed();
    if (ADMIN_EMAIL && ADMIN_PASSWORD) await ensureAdministrator(ADMIN_EMAIL, ADMIN_PASSWORD);
    else if (demo) {
      await ensureDemoAccounts(practice?.isServed);
      await seedDemo();
      if (practice) await ensurePracticeAccounts(practice.isServed);
    }
    return { isProtected: !(await canChangeAudit(rows)) };
  } finally {
    await client.end();
    await turn.end();
  }
}

async function mayMigrate(client: pg.Client): Promise<boolean> {
  const result = await client.query("SELECT has_schema_privilege('public', 'CREATE') AS may");
  return result.rows[0].may;
}
