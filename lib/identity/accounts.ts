import "server-only";
import { randomUUID } from "node:crypto";
import { changesOf } from "@/lib/audit/changes";
import { audit, ITSELF, NOBODY } from "@/lib/audit/record";
import { type SavedKind, updateRecordIn } from "@/lib/audit/save";
import { type Db, db, queryIn, rows, type Tx } from "@/lib/core/database/client";
import { isUniqueViolation } from "@/lib/core/database/errors";
import { invalid, notFound, tooMany } from "@/lib/core/errors";
import { guessable } from "@/lib/core/passwords/guessable";
import type { PasswordOwner } from "@/lib/core/passwords/rules";
import { env } from "@/lib/core/process/env";
import { constant, sql } from "@/lib/core/sql";
import type { Profile } from "@/lib/identity/api-schema";
import { countResetRequest, forgetFailures } from "@/lib/identity/credentials";
import { hashPassword } from "@/lib/identity/hashing";
import {
  mailedToken,
  randomToken,
  TOKEN_HOURS,
  type TokenKind,
  tokenHash,
} from "@/lib/identity/mail/link-token";
import { accountSchema, type NoticeKind, type ProfileInput, updatePasswordBody } from "@/lib/identity/schema";
import { type Actor, assertProven, endOtherSessions } from "@/lib/identity/session";
import { assertNotBreakGlass, passwordWorks } from "@/lib/identity/sign-on/settings";
import { USER_LABELS } from "@/lib/identity/words";

// Accounts and the links mailed to them. A user is active once the account is activated and has a password. Only active
// users may sign in.

type UserRef = { id: number };

const NO_PASSWORDS = "Passwords are not used here. Please use your organization's sign-in.";

const linkInvalid = () => invalid("token", "The link has expired or is invalid");

/** Queues the activation mail of a new user, in the caller's transaction. Earlier links stop working. */
export async function inviteUser(tx: Tx, user: UserRef): Promise<void> {
  await queueLink(tx, user.id, "activation");
}

const MOST_MAILS_AN_HOUR = 5;

/** Returns the seconds until the account may get another mail with such a link; 0 if it may now. */
async function secondsToNextMail(tx: Tx, userId: number, kind: TokenKind): Promise<number> {
  const [row] = await tx.$queryRaw<{ wait: number | null }[]>`
    SELECT extract(epoch FROM (array_agg(m.created_at ORDER BY m.created_at DESC))[${MOST_MAILS_AN_HOUR}::int]
      + interval '1 hour' - now())::float AS wait
    FROM mails m JOIN tokens t ON t.id = m.token_id WHERE t.user_id = ${userId} AND t.kind = ${kind}`;
  return Math.max(0, row?.wait ?? 0);
}

/**
 * Queues the mail with which a user sets a new password, in the caller's transaction. Earlier links stop working. A
 * user who is not active yet gets a new activation mail, because a reset link would not help them. Throws 422 if the
 * account is deactivated, 429 after 5 such mails in an hour.
 */
export async function sendPasswordReset(tx: Tx, user: UserRef): Promise<void> {
  const { email, active, activatedAt, passwordHash } = await tx.user.findUniqueOrThrow({
    where: { id: user.id },
    select: { email: true, active: true, activatedAt: true, passwordHash: true },
  });
  if (!active) throw invalid("user.id", "This account is deactivated");
  if (activatedAt && !passwordWorks(email)) throw invalid("user.id", NO_PASSWORDS);
  const kind = linkKind({ activatedAt, passwordHash });
  // The lock comes first, so that the count includes the mails of concurrent requests.
  await tx.$queryRaw`SELECT FROM users WHERE id = ${user.id} FOR UPDATE`;
  const wait = await secondsToNextMail(tx, user.id, kind);
  if (wait > 0)
    throw tooMany(
      wait,
      `${MOST_MAILS_AN_HOUR} emails were sent to this account within an hour. Please try again later.`,
    );
  await queueLink(tx, user.id, kind);
}

/** Ends all links of a user, for example when the email address changes. */
export async function endLinks(tx: Tx, user: UserRef): Promise<void> {
  await tx.token.updateMany({ where: { userId: user.id, usedAt: null }, data: { usedAt: new Date() } });
}

/** Queues a notice to the account's former address, in the transaction of the change. It has no link. */
export async function sendNotice(tx: Tx, notice: NoticeKind, address: string): Promise<void> {
  await tx.mail.create({ data: { notice, address } });
}

/** Returns the kind of link with which an account gets a password: one that has none yet is activated. */
const linkKind = (account: { activatedAt: Date | null; passwordHash: string | null }): TokenKind =>
  account.activatedAt && account.passwordHash ? "reset" : "activation";

async function queueLink(tx: Tx, userId: number, kind: TokenKind): Promise<void> {
  const messageId = randomUUID();
  const tokenId = await issueToken(tx, userId, kind, mailedToken(messageId));
  await tx.mail.create({ data: { tokenId, messageId } });
}

/** Stores the token and ends older ones of its kind, holding a lock on the user's row. */
export async function issueToken(tx: Tx, userId: number, kind: TokenKind, token: string): Promise<number> {
  await tx.$queryRaw`SELECT FROM users WHERE id = ${userId} FOR UPDATE`;
  await tx.token.updateMany({ where: { userId, kind, usedAt: null }, data: { usedAt: new Date() } });
  const expiresAt = new Date(Date.now() + TOKEN_HOURS[kind] * 3_600_000);
  const { id } = await tx.token.create({ data: { userId, kind, tokenHash: tokenHash(token), expiresAt } });
  return id;
}

type Owner = PasswordOwner & { id: number; passwordHash: string | null };

async function readOwner(tx: Tx | Db, token: string, kind: TokenKind): Promise<Owner | null> {
  const [owner] = await tx.$queryRaw<Owner[]>`
    SELECT u.id, u.email::text, u.first_name AS "firstName", u.last_name AS "lastName",
      u.password_hash AS "passwordHash"
    FROM tokens t JOIN users u ON u.id = t.user_id
    WHERE t.token_hash = ${tokenHash(token)} AND u.active AND t.kind = ${kind} AND t.used_at IS NULL AND t.expires_at > now()`;
  return owner && passwordWorks(owner.email) ? owner : null;
}

/** Returns the user of a reset link, whose name the new password must not contain, or null. */
export async function passwordOwner(token: string): Promise<PasswordOwner | null> {
  const owner = await readOwner(db(), token, "reset");
  return owner && { firstName: owner.firstName, lastName: owner.lastName, email: owner.email };
}

/** Refuses an easily guessed password with 422 on `field`, if the operator wants that. */
function assertHardToGuess(field: string, password: string, owner: PasswordOwner | null): void {
  const message = env().REFUSE_COMMON_PASSWORDS ? guessable(password, owner) : null;
  if (message) throw invalid(field, message);
}

/**
 * Returns the user of a token. Throws 422 with the same message for any problem. The user's row is locked before the
 * token is read. So concurrent requests that use or replace it see each other's changes.
 */
async function ownerOf(tx: Tx | Db, token: string, kind: TokenKind): Promise<Owner> {
  await tx.$queryRaw`
    SELECT FROM users WHERE id = (SELECT user_id FROM tokens WHERE token_hash = ${tokenHash(token)}) FOR UPDATE`;
  const owner = await readOwner(tx, token, kind);
  if (!owner) throw linkInvalid();
  return owner;
}

/**
 * Activates the account of an activation token and returns the token for `PUT /api/forgot_password`. The caller may
 * repeat this until the password is set. Each repetition ends the token returned before.
 */
export async function activateAccount(token: string): Promise<string> {
  return db().$transaction(async (tx) => {
    const owner = await ownerOf(tx, token, "activation");
    if (owner.passwordHash) throw linkInvalid();
    const activatedAt = new Date();
    const { count } = await tx.user.updateMany({
      where: { id: owner.id, activatedAt: null },
      data: { activatedAt },
    });
    const next = randomToken();
    await issueToken(tx, owner.id, "reset", next);
    // A repetition changes nothing, but returns another token that sets the password.
    const changes = count > 0 ? [{ field: "user.activatedAt", from: null, to: activatedAt }] : [];
    await audit(queryIn(tx), ITSELF, { action: "updated", entity: "user", entityId: owner.id, changes });
    return next;
  });
}

/**
 * Sets the password of a reset token's user and returns the user's id. Ends the token, the user's other links, all
 * their sessions and known devices.
 */
export async function resetPassword(token: string, password: string): Promise<number> {
  // An error of the password itself is reported before an error of the link.
  assertHardToGuess("password", password, null);
  // The token is checked before the hashing, so that an unknown token costs no hashing.
  assertHardToGuess("password", password, await ownerOf(db(), token, "reset"));
  const passwordHash = await hashPassword(password);
  return db().$transaction(async (tx) => {
    const owner = await ownerOf(tx, token, "reset");
    await tx.user.update({
      where: { id: owner.id },
      // The user read the link in the account's own mailbox.
      data: { passwordHash, deviceGeneration: { increment: 1 }, emailUnproved: false },
    });
    await endLinks(tx, owner);
    await tx.session.deleteMany({ where: { userId: owner.id } });
    if (owner.passwordHash) await sendNotice(tx, "password", owner.email);
    await forgetFailures(tx, owner.email);
    const changes = changesOf(updatePasswordBody, {}, { password: "new" }, "user");
    await audit(queryIn(tx), ITSELF, { action: "updated", entity: "user", entityId: owner.id, changes });
    return owner.id;
  });
}

const MOST_REQUESTS_WAITING = 1_000;

/**
 * Stores a request for a reset link, once per email while one is waiting. When one address sends too many, the response
 * is the same but nothing is stored. A known and an unknown email run the same statements, so that timing reveals
 * nothing. The worker looks up the account.
 */
export async function requestPasswordReset(email: string, address: string): Promise<void> {
  if (!(await countResetRequest(address))) return;
  await rows(
    sql`INSERT INTO reset_requests (email)
     SELECT ${email} WHERE NOT EXISTS (SELECT FROM reset_requests WHERE email = ${email})
       AND (SELECT count(*) FROM reset_requests) < ${constant(MOST_REQUESTS_WAITING)}`,
  );
}

/**
 * Stores a request for a new link in place of an expired one, counted like a request by email. Every token runs the same
 * statements, so that neither the response nor its time tells whether there was such a link. The worker looks it up.
 */
export async function requestNewLink(token: string, address: string): Promise<void> {
  if (!(await countResetRequest(address))) return;
  const hash = tokenHash(token);
  await rows(
    sql`INSERT INTO reset_requests (token_hash)
     SELECT ${hash} WHERE NOT EXISTS (SELECT FROM reset_requests WHERE token_hash = ${hash})
       AND (SELECT count(*) FROM reset_requests) < ${constant(MOST_REQUESTS_WAITING)}`,
  );
}

const REQUESTS_AT_ONCE = 100;

/** Queues the mails for the stored requests, at most 5 per account and hour. Called by the worker. */
export async function answerResetRequests(): Promise<void> {
  while ((await answerSome()) === REQUESTS_AT_ONCE);
}

async function answerSome(): Promise<number> {
  return db().$transaction(async (tx) => {
    const requests = await tx.$queryRaw<{ email: string | null; tokenHash: string | null }[]>`
      DELETE FROM reset_requests WHERE id IN (
        SELECT id FROM reset_requests ORDER BY id LIMIT ${REQUESTS_AT_ONCE} FOR UPDATE SKIP LOCKED)
      RETURNING email::text, token_hash AS "tokenHash"`;
    const emails = requests.flatMap(({ email }) => email ?? []);
    const hashes = requests.flatMap(({ tokenHash }) => tokenHash ?? []);
    const users = await tx.user.findMany({
      where: {
        active: true,
        OR: [
          { email: { in: emails }, activatedAt: { not: null }, passwordHash: { not: null } },
          // A link that was used, or that a newer one replaced, gets none.
          { tokens: { some: { tokenHash: { in: hashes }, usedAt: null, expiresAt: { lte: new Date() } } } },
        ],
      },
      select: { id: true, email: true, activatedAt: true, passwordHash: true },
      orderBy: { id: "asc" },
    });
    for (const { id, ...account } of users.filter(({ email }) => passwordWorks(email))) {
      const kind = linkKind(account);
      if ((await secondsToNextMail(tx, id, kind)) > 0) continue;
      await queueLink(tx, id, kind);
      await audit(queryIn(tx), NOBODY, { action: "reset-sent", entity: "user", entityId: id });
    }
    return requests.length;
  });
}

/** Returns the actor's own profile. */
export async function getProfile(actor: Actor): Promise<Profile> {
  const profile = await db().user.findUnique({
    where: { id: actor.userId },
    select: { firstName: true, lastName: true, email: true, role: { select: { id: true, name: true } } },
  });
  if (!profile) throw notFound();
  return profile;
}

type Account = Omit<ProfileInput, "password" | "passwordConfirmation">;

/** How a user saves their own account in `tx`, with the hash of a new password if there is one. */
const profileSaves = (
  tx: Tx,
  actor: Actor,
  passwordHash: string | null,
): SavedKind<Account, { stored: Account & UserRef }> => ({
  entity: "user",
  schema: accountSchema,
  async open(query, _actor, id) {
    const [stored] = await query<Account & UserRef>(
      sql`SELECT id, first_name AS "firstName", last_name AS "lastName", email::text FROM users WHERE id = ${id} FOR UPDATE`,
    );
    if (!stored) throw notFound();
    return { stored };
  },
  prepare: (_found, input) => input,
  async before(_query, _actor, { stored }, { email }) {
    if (passwordHash || email !== stored.email) assertProven(actor);
    assertNotBreakGlass("profile.email", email, stored.email);
  },
  besides: ({ stored }, { email }) => ({
    columns: {
      ...(passwordHash && { password_hash: passwordHash }),
      ...(email !== stored.email && { email_unproved: true }),
    },
    // The audit trail records only that there is a new password.
    ...(passwordHash && {
      action: "updated",
      changes: [{ field: "user.password", from: null, to: null }],
    }),
  }),
  async after(_query, _actor, id, { stored: { email } }, next) {
    const moved = next?.email !== email;
    if (!passwordHash && !moved) return;
    await endLinks(tx, { id });
    await endOtherSessions(actor, tx);
    if (moved) await sendNotice(tx, "email", email);
    if (passwordHash) await sendNotice(tx, "password", email);
  },
});

/**
 * Saves the actor's own profile. A new password or email ends the actor's other sessions. It also ends all mailed
 * links, since those went to the former address. Throws 422 if the email belongs to another account.
 */
export async function updateProfile(actor: Actor, input: ProfileInput): Promise<Profile> {
  const { password, passwordConfirmation: _, ...account } = input;
  if (password !== "" && !passwordWorks(account.email)) throw invalid("profile.password", NO_PASSWORDS);
  // Only a proven user's password is hashed.
  if (password !== "") assertProven(actor);
  assertHardToGuess("profile.password", password, input);
  const passwordHash = password === "" ? null : await hashPassword(password);
  try {
    await db().$transaction((tx) =>
      updateRecordIn(profileSaves(tx, actor, passwordHash), queryIn(tx), actor, actor.userId, account),
    );
  } catch (error) {
    if (isUniqueViolation(error)) throw invalid("profile.email", `${USER_LABELS.email} is already taken`);
    throw error;
  }
  return getProfile(actor);
}
