import { createHmac } from "node:crypto";
import { db } from "@/lib/core/database/client";
import { keyFor } from "@/lib/core/process/cipher";
import { PlainError } from "@/lib/core/process/plain-error";
import { hashPassword } from "@/lib/identity/hashing";
import { DEMO } from "@/lib/ops/demo";

type Account = { firstName: string; lastName: string; email: string; role: string };

const DEMO_ACCOUNTS: readonly Account[] = [
  { firstName: "Alex", lastName: "Admin", email: DEMO.administrator, role: "Administrator" },
  { firstName: "Avery", lastName: "Advocate", email: DEMO.advocate, role: "Advocate" },
];
/** The accounts of practice mode in addition to the demo's. */
const PRACTICE_ACCOUNTS: readonly Account[] = [
  { firstName: "Sam", lastName: "Supervisor", email: "supervisor@example.org", role: "Supervisor" },
  { firstName: "Dana", lastName: "Director", email: "director@example.org", role: "Director" },
];

/** Creates both demo accounts if there is no account at all. */
export async function ensureDemoAccounts(isServed = false): Promise<void> {
  if ((await db().user.count()) === 0) await create(DEMO_ACCOUNTS, isServed);
}

/** Creates the accounts of practice mode, unless there are more accounts than those of the demo. */
export async function ensurePracticeAccounts(isServed: boolean): Promise<void> {
  if ((await db().user.count()) <= DEMO_ACCOUNTS.length) await create(PRACTICE_ACCOUNTS, isServed);
}

/** Returns the accounts of practice mode with their passwords. */
export const practiceAccounts = (isServed: boolean): { email: string; password: string }[] =>
  [...DEMO_ACCOUNTS, ...PRACTICE_ACCOUNTS].map(({ email }) => ({
    email,
    password: passwordOf(email, isServed),
  }));

/**
 * Returns the demo password, or one that only this installation has, if other machines can sign in. It comes from
 * AUTH_SECRET, so that it stays the same after a reset and can be printed at each start.
 */
function passwordOf(email: string, isServed: boolean): string {
  if (!isServed) return DEMO.password;
  const bytes = createHmac("sha256", keyFor("practice passwords")).update(email).digest();
  return `Practice-1-${bytes.toString("base64url").slice(0, 16)}`;
}

async function create(accounts: readonly Account[], isServed: boolean): Promise<void> {
  const roles = new Map((await db().role.findMany()).map(({ name, id }) => [name, id]));
  const data = accounts.map(async ({ role, ...person }) => {
    const roleId = roles.get(role);
    if (!roleId) throw new PlainError(`There is no role named ${role} for the account ${person.email}.`);
    const passwordHash = await hashPassword(passwordOf(person.email, isServed));
    return { ...person, passwordHash, roleId, activatedAt: new Date() };
  });
  await db().user.createMany({ data: await Promise.all(data) });
}
