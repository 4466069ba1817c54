import "server-only";
import { hash } from "bcryptjs";
import { db } from "@/lib/db";
import { PlainError } from "@/lib/ops/errors";

const BCRYPT_COST = 12;

/** How to sign in to the embedded default, where nobody has named an administrator. */
export const DEMO = {
  password: "Casebook-Demo-1",
  administrator: "admin@example.org",
  advocate: "advocate@example.org",
} as const;

interface NewAccount {
  firstName: string;
  lastName: string;
  email: string;
  password: string;
  role: "Administrator" | "Advocate";
}

/** Makes the administrator of ADMIN_EMAIL if there is none of that email; an existing account stays as it is. */
export async function ensureAdministrator(email: string, password: string): Promise<void> {
  if (await db().user.findUnique({ where: { email }, select: { id: true } })) return;
  await create({ firstName: "First", lastName: "Administrator", email, password, role: "Administrator" });
}

/** Makes both demo accounts while there is no account at all; true when it did. */
export async function ensureDemoAccounts(): Promise<boolean> {
  if ((await db().user.count()) > 0) return false;
  const { password } = DEMO;
  await create({
    firstName: "Alex",
    lastName: "Admin",
    email: DEMO.administrator,
    password,
    role: "Administrator",
  });
  await create({
    firstName: "Avery",
    lastName: "Advocate",
    email: DEMO.advocate,
    password,
    role: "Advocate",
  });
  return true;
}

async function create({ password, role: name, ...person }: NewAccount): Promise<void> {
  const role = await db().role.findUnique({ where: { name }, select: { id: true } });
  if (!role) throw new PlainError(`There is no role named ${name} for the account ${person.email}.`);
  const passwordHash = await hash(password, BCRYPT_COST);
  await db().user.create({ data: { ...person, passwordHash, roleId: role.id, activatedAt: new Date() } });
}
