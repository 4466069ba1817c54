import "server-only";
import { differences } from "@/lib/audit/changes";
import { audit } from "@/lib/audit/record";
import { db, LONG_TIMEOUTS, queryIn, type Tx } from "@/lib/core/database/client";
import { endLinks, issueToken, sendNotice } from "@/lib/identity/accounts";
import { forgetGuesses } from "@/lib/identity/credentials";
import { administratorRole, countAdministrators } from "@/lib/identity/grants";
import { hashPassword } from "@/lib/identity/hashing";
import { randomToken } from "@/lib/identity/mail/link-token";
import { removeTwoStep } from "@/lib/identity/two-step/codes";

// Makes administrators from the server's shell and at its start, for when no administrator is left.

/**
 * Makes the account of `email` an active administrator, creating it if necessary. The server's shell calls it. Returns
 * the token that sets the account's password. An existing account keeps all its data except two-step sign-in. That
 * would lock out a user who has lost app and codes. A user who entered this email themselves may not be the person the
 * caller means. So only the token, or single sign-on by this email, opens the account.
 */
export async function makeAdministrator(email: string): Promise<string> {
  return db().$transaction((tx) =>
    recordedAsServer(tx, "shell", email, async () => {
      const roleId = await administratorRole(tx);
      const activatedAt = new Date();
      const user = await tx.user.upsert({
        where: { email },
        create: { firstName: "New", lastName: "Administrator", email, roleId, activatedAt },
        update: { roleId, active: true },
      });
      await tx.user.updateMany({ where: { id: user.id, activatedAt: null }, data: { activatedAt } });
      if (user.emailUnproved) await closeAllWays(tx, user);
      const token = randomToken();
      await issueToken(tx, user.id, "reset", token);
      if (await removeTwoStep(tx, user.id)) await sendNotice(tx, "twoStepOff", email);
      await forgetGuesses(tx, user.id);
      return token;
    }),
  );
}

/** The name of the first administrator, who has not given one. */
export const FIRST_ADMINISTRATOR = { firstName: "First", lastName: "Administrator" };

/**
 * Makes the account of ADMIN_EMAIL an administrator if no account that can sign in holds Users and Roles. Creates the
 * account if necessary. Otherwise changes nothing.
 */
export async function ensureAdministrator(email: string, password: string): Promise<void> {
  if ((await countAdministrators(db())) > 0) return;
  // Hashing runs outside the transaction: on a busy machine it may take longer than the idle limit of a transaction.
  const passwordHash = await hashPassword(password);
  await db().$transaction(async (tx) => {
    // Another process may have made an administrator while the password was hashed.
    if ((await countAdministrators(tx)) === 0) await makeFirstAdministrator(tx, email, passwordHash);
  }, LONG_TIMEOUTS);
}

/**
 * Makes the account of `email` an active administrator with this password, creating it if necessary. Only the password
 * opens an existing account, as in `makeAdministrator`.
 */
async function makeFirstAdministrator(tx: Tx, email: string, passwordHash: string): Promise<void> {
  await recordedAsServer(tx, "start", email, async () => {
    const means = { roleId: await administratorRole(tx), activatedAt: new Date(), active: true };
    const user = await tx.user.upsert({
      where: { email },
      create: { ...FIRST_ADMINISTRATOR, email, ...means },
      update: means,
    });
    await closeAllWays(tx, user);
    await tx.user.update({ where: { id: user.id }, data: { passwordHash } });
  });
}

/**
 * Ends every way into an account, with everything its user had set up. A removed password is reported to its address.
 */
async function closeAllWays(
  tx: Tx,
  { id, email, passwordHash }: { id: number; email: string; passwordHash: string | null },
): Promise<void> {
  await endLinks(tx, { id });
  await tx.session.deleteMany({ where: { userId: id } });
  const identity = { ssoIssuer: null, ssoSubject: null, emailUnproved: false };
  const data = { passwordHash: null, deviceGeneration: { increment: 1 }, ...identity };
  await tx.user.update({ where: { id }, data });
  if (passwordHash) await sendNotice(tx, "password", email);
}

/** Runs `work` in the name of the server's own shell or start, and records what it changed in the account. */
async function recordedAsServer<T>(
  tx: Tx,
  lastName: "shell" | "start",
  email: string,
  work: () => Promise<T>,
): Promise<T> {
  const readAccount = () => tx.user.findUnique({ where: { email }, include: { twoStep: true } });
  const stateOf = (user: Awaited<ReturnType<typeof readAccount>>) =>
    user && {
      firstName: user.firstName,
      lastName: user.lastName,
      email: user.email,
      roleId: user.roleId,
      active: user.active,
      activatedAt: user.activatedAt,
      twoStep: Boolean(user.twoStep?.secret),
    };
  const before = await readAccount();
  const result = await work();
  const after = await readAccount();
  const hasNewPassword = (before?.passwordHash ?? null) !== (after?.passwordHash ?? null);
  await audit(
    queryIn(tx),
    { userId: null, firstName: "The server's", lastName },
    {
      action: before ? "updated" : "created",
      entity: "user",
      entityId: after?.id,
      changes: [
        ...differences("user", stateOf(before) ?? { twoStep: false }, stateOf(after) ?? {}),
        ...(hasNewPassword ? [{ field: "user.password", from: null, to: null }] : []),
      ],
    },
  );
  return result;
}
