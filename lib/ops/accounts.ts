import "server-only";
import { createHmac } from "node:crypto";
import type { PermissionName } from "@/lib/core/access/permissions";
import { db, LONG_TIMEOUTS } from "@/lib/core/database/client";
import { keyFor } from "@/lib/core/server/cipher";
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
  role: string;
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
export async function ensureDemoAccounts(isServed = false): Promise<void> {
  if ((await db().user.count()) > 0) return;
  const { administrator, advocate } = DEMO;
  const password = (email: string) => practicePassword(email, isServed);
  await create([
    {
      ...{ firstName: "Alex", lastName: "Admin", role: "Administrator" },
      ...{ email: administrator, password: password(administrator) },
    },
    {
      ...{ firstName: "Avery", lastName: "Advocate", role: "Advocate" },
      ...{ email: advocate, password: password(advocate) },
    },
  ]);
}

const ADVOCATE = ["Forms", "Clients", "Contacts", "Shelter", "Reports"] as const;
/** The roles of practice mode, with their permissions. */
const PRACTICE_ROLES: Record<string, readonly PermissionName[]> = {
  Advocate: ADVOCATE,
  Supervisor: [...ADVOCATE, "All Forms", "Close Periods", "Restrict Clients"],
  Director: ["Forms", "Clients", "All Forms", "Reports", "Reports Setup", "Export"],
};
/** The accounts of practice mode in addition to the demo's. */
const PRACTICE_ACCOUNTS = [
  { firstName: "Sam", lastName: "Supervisor", email: "supervisor@example.org", role: "Supervisor" },
  { firstName: "Dana", lastName: "Director", email: "director@example.org", role: "Director" },
];

/** Creates the roles and accounts of practice mode, unless there are more accounts than those of the demo. */
export async function ensurePracticeAccounts(isServed: boolean): Promise<void> {
  if ((await db().user.count()) > 2) return;
  for (const [name, held] of Object.entries(PRACTICE_ROLES)) {
    const permissions = await db().permission.findMany({ where: { name: { in: [...held] } } });
    const { id: roleId } = await db().role.upsert({ where: { name }, create: { name }, update: {} });
    const data = permissions.map(({ id: permissionId }) => ({ roleId, permissionId }));
    await db().rolePermission.createMany({ data, skipDuplicates: true });
  }
  await create(
    PRACTICE_ACCOUNTS.map((account) => ({ ...account, password: practicePassword(account.email, isServed) })),
  );
}

/** Returns the accounts of practice mode with their passwords. */
export const practiceAccounts = (isServed: boolean): { email: string; password: string }[] =>
  [DEMO.administrator, DEMO.advocate, ...PRACTICE_ACCOUNTS.map(({ email }) => email)].map((email) => ({
    email,
    password: practicePassword(email, isServed),
  }));

/**
 * Returns the demo password, or one that only this installation has, if other machines can sign in. It comes from
 * AUTH_SECRET, so that it stays the same after a reset and can be printed at each start.
 */
function practicePassword(email: string, isServed: boolean): string {
  if (!isServed) return DEMO.password;
  const bytes = createHmac("sha256", keyFor("practice passwords")).update(email).digest();
  return `Practice-1-${bytes.toString("base64url").slice(0, 16)}`;
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
