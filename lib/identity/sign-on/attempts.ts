import "server-only";
import { audit, auditPart, ITSELF } from "@/lib/audit/record";
import { db, queryIn, rows, type Tx } from "@/lib/core/database/client";
import { Statement } from "@/lib/core/database/record-write";
import { env } from "@/lib/core/process/env";
import { alarmLog } from "@/lib/core/process/log";
import { type Sql, sql } from "@/lib/core/sql";
import { sendNotice } from "@/lib/identity/accounts";
import { countLogout } from "@/lib/identity/credentials";
import type { Actor, Identity } from "@/lib/identity/session";
import { invalidLogout, type Logout, SignOnError } from "@/lib/identity/sign-on/provider";

// Finds the account of an identity at the provider, by its issuer and subject, or else by its verified email. A match
// by email is then linked permanently. If that email later belongs to another person, the account stays linked. An
// email that users entered themselves and have not proved since matches no account. It may belong to a colleague, who
// would then work in an account whose password another user knows.

type Account = {
  id: number;
  active: boolean;
  activatedAt: Date | null;
  email: string;
  emailUnproved: boolean;
  issuer: string | null;
  subject: string | null;
};

/** The row is locked, so that the second of two simultaneous first sign-ins sees the link made by the first. */
const accountSql = (where: Sql): Sql =>
  sql`SELECT id, active, activated_at AS "activatedAt", email::text, email_unproved AS "emailUnproved",
     sso_issuer AS issuer, sso_subject AS subject
   FROM users WHERE ${where} FOR UPDATE`;

const refusal = (reason: string, userId: number | null = null) => new SignOnError("refused", reason, userId);

/**
 * Returns the account that the identity signs in to, and links and activates it if necessary. Throws if there is none.
 */
export async function accountOf({ issuer, subject, email }: Identity): Promise<number> {
  return db().$transaction(async (tx) => {
    const find = (where: Sql) => queryIn(tx)<Account>(accountSql(where));
    let [account] = await find(sql`sso_issuer = ${issuer} AND sso_subject = ${subject}`);
    if (!account && !email) throw refusal("unverified");
    if (!account && email) [account] = await find(sql`email = ${email}::citext`);
    if (!account) throw refusal("unknown");
    const { id, activatedAt, emailUnproved } = account;
    const isLinked = account.issuer === issuer;
    if (!account.active) throw refusal("deactivated", id);
    if (isLinked && account.subject !== subject) throw refusal("otherSubject", id);
    if (!isLinked && emailUnproved) throw refusal("unproved", id);
    await tx.$executeRaw`
      UPDATE users SET sso_issuer = ${issuer}, sso_subject = ${subject}, last_login_at = now(),
        activated_at = COALESCE(activated_at, now()) WHERE id = ${id}`;
    const changes = [
      ...(isLinked ? [] : [{ field: "user.singleSignOn", from: null, to: true }]),
      ...(activatedAt ? [] : [{ field: "user.activatedAt", from: null, to: new Date() }]),
    ];
    if (!isLinked && activatedAt) await sendNotice(tx, "singleSignOn", account.email);
    if (changes.length > 0)
      await audit(queryIn(tx), ITSELF, { action: "updated", entity: "user", entityId: id, changes });
    return id;
  });
}

/** Throws unless the identity is linked with the actor's account. */
export async function assertCustom({ userId }: Actor, { issuer, subject }: Identity): Promise<void> {
  const matches = await rows(
    sql`SELECT id FROM users WHERE id = ${userId} AND sso_issuer = ${issuer} AND sso_subject = ${subject}`,
  );
  if (matches.length === 0) throw refusal("otherSubject", userId);
}

/** Removes the link, so that the account's next sign-in from the provider is by its verified email again. */
export async function forgetIdentity(tx: Tx, { id }: { id: number }): Promise<void> {
  await tx.user.update({ where: { id }, data: { ssoIssuer: null, ssoSubject: null, emailUnproved: false } });
}

/** Warns the operator if nobody could sign in during an outage of the provider. */
export async function warnWithoutBreakGlass(): Promise<void> {
  const { OIDC_ONLY, OIDC_BREAK_GLASS } = env();
  if (!OIDC_ONLY) return;
  const accounts = await rows(
    sql`SELECT id FROM users WHERE email = ${OIDC_BREAK_GLASS}::citext AND active AND password_hash IS NOT NULL`,
  );
  if (accounts.length > 0) return;
  const message =
    "No active account with a password has the email of OIDC_BREAK_GLASS: create it with npm run admin.";
  alarmLog.warn({ alarm: "no_break_glass" }, message);
}

/**
 * Ends the sessions that single sign-on opened for that session at the provider, or for all of that person's. Throws
 * 400 for a repeated token, because it would end sessions that were opened since.
 */
export async function endByProvider({ tokenId, issuer, subject, sid }: Logout): Promise<void> {
  const statement = new Statement();
  const ended = statement.with(
    sql`DELETE FROM sessions s USING users u
     WHERE u.id = s.user_id AND s.single_sign_on AND u.sso_issuer = ${issuer}
       AND u.sso_subject = COALESCE(${subject}::text, u.sso_subject)
       AND (${sid}::text IS NULL OR s.provider_sid = ${sid}::text)
     RETURNING u.id`,
  );
  const changes = [{ field: "user.singleSignOn", from: true, to: null }];
  auditPart(statement, ITSELF, { action: "signed-out", entity: "user", changes }, ended);
  await db().$transaction(async (tx) => {
    if (!(await countLogout(tx, `${issuer} ${tokenId}`))) throw invalidLogout();
    await queryIn(tx)(statement.sql(sql`SELECT id FROM ${ended}`));
  });
}
