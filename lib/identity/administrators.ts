import "server-only";
import { differences } from "@/lib/audit/changes";
import { audit } from "@/lib/audit/record";
import { db, queryIn, type Tx } from "@/lib/core/database/client";
import { endLinks, issueToken, sendNotice } from "@/lib/identity/accounts";
import { forgetGuesses } from "@/lib/identity/credentials";
import { administratorRole } from "@/lib/identity/grants";
import { randomToken } from "@/lib/identity/mail/link-token";
import { removeTwoStep } from "@/lib/identity/two-step/codes";

// Administrators whom the server's own shell and start make, for when nobody is left who could.

/**
 * Makes the account of `email` an active administrator, creating it if necessary; called from the server's shell.
 * Returns the token that sets its password. An existing account keeps all its data but two-step sign-in, without which
 * somebody who has lost app and codes could not come in. One that has given itself this email may be another person's
 * than the caller believes, so that nothing opens it but the token, or single sign-on by this email.
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

/**
 * Makes the account of `email` an active administrator with this password, creating it if necessary; called by the
 * server's start. An existing account is opened by nothing but the password, as in `makeAdministrator`.
 */
export async function makeFirstAdministrator(tx: Tx, email: string, passwordHash: string): Promise<void> {
  await recordedAsServer(tx, "start", email, async () => {
    const means = { roleId: await administratorRole(tx), activatedAt: new Date(), active: true };
    const user = await tx.user.upsert({
      where: { email },
      create: { firstName: "First", lastName: "Administrator", email, ...means },
      update: means,
    });
    await closeAllWays(tx, user);
    await tx.user.update({ where: { id: user.id }, data: { passwordHash } });
  });
}

/** Ends each way into an account, and with it whatever its user had set up; a password that goes is told to its address. */
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

/** Does `work`, for which the server's own shell or start answers, and records what it changed of the account. */
async function recordedAsServer<T>(
  tx: Tx,
  lastName: "shell" | "start",
  email: string,
  work: () => Promise<T>,
): Promise<T> {
  const read = () => tx.user.findUnique({ where: { email }, include: { twoStep: true } });
  const stateOf = (user: Awaited<ReturnType<typeof read>>) =>
    user && {
      ...{ firstName: user.firstName, lastName: user.lastName, email: user.email, roleId: user.roleId },
      ...{ active: user.active, activatedAt: user.activatedAt, twoStep: Boolean(user.twoStep?.secret) },
    };
  const before = await read();
  const result = await work();
  const after = await read();
  const hasNewPassword = (before?.passwordHash ?? null) !== (after?.passwordHash ?? null);
  await audit(
    queryIn(tx),
    { userId: null, firstName: "The server's", lastName },
    {
      ...{ action: before ? "updated" : "created", entity: "user", entityId: after?.id },
      changes: [
        ...differences("user", stateOf(before) ?? { twoStep: false }, stateOf(after) ?? {}),
        ...(hasNewPassword ? [{ field: "user.password", from: null, to: null }] : []),
      ],
    },
  );
  return result;
}
