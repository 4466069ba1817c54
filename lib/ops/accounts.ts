import "server-only";
import { db, LONG_TIMEOUTS } from "@/lib/core/database/client";
import { PlainError } from "@/lib/core/server/plain-error";
import { makeFirstAdministrator } from "@/lib/identity/administrators";
import { countAdministrators } from "@/lib/identity/grants";
import { hashPassword } from "@/lib/identity/hashing";
import { DEMO } from "@/lib/ops/demo";

interface NewAccount {
  firstName: string;
  lastName: string;
  email: string;
  password: string;
  role: "Administrator" | "Advocate";
}

/**
 * Makes the account of ADMIN_EMAIL an administrator if no account that can sign in holds Users and Roles. Creates the
 * account if necessary. Otherwise changes nothing.
 */
export async function ensureAdministrator(email: string, password: string): Promise<void> {
  if ((await countAdministrators(db())) > 0) return;
  // Hashing runs outside the transaction: on a busy machine it may take longer than a transaction may be idle.
  const passwordHash = await hashPassword(password);
  await db().$transaction(async (tx) => {
    // Another process may have made an administrator while the password was hashed.
    if ((await countAdministrators(tx)) === 0) await makeFirstAdministrator(tx, email, passwordHash);
  }, LONG_TIMEOUTS);
}

/** Creates both demo accounts if there is no account at all. */
export async function ensureDemoAccounts(): Promise<void> {
  if ((await db().user.count()) > 0) return;
  const { administrator, advocate, password } = DEMO;
  await create([
    { firstName: "Alex", lastName: "Admin", email: administrator, password, role: "Administrator" },
    { firstName: "Avery", lastName: "Advocate", email: advocate, password, role: "Advocate" },
  ]);
}

async function create(accounts: NewAccount[]): Promise<void> {
  const roles = new Map((await db().role.findMany()).map(({ name, id }) => [name, id]));
  const data = accounts.map(async ({ role, password, ...person }) => {
    const roleId = roles.get(role);
    if (!roleId) throw new PlainError(`There is no role named ${role} for the account ${person.email}.`);
    return { ...person, passwordHash: await hashPassword(password), roleId, activatedAt: new Date() };
  });
  await db().user.createMany({ data: await Promise.all(data) });
}
