import "server-only";
import { createHmac } from "node:crypto";
import { auditRead, ITSELF, NOBODY } from "@/lib/audit/record";
import type { ApiRequest } from "@/lib/core/api/request";
import { type Db, db, rows, type Tx } from "@/lib/core/database/client";
import { AppError, badCredentials, codeNeeded, tooMany, unauthorized } from "@/lib/core/errors";
import { keyFor } from "@/lib/core/process/cipher";
import { countRefusedSignIn } from "@/lib/core/process/metrics";
import { networkOf } from "@/lib/core/process/subnets";
import { sql } from "@/lib/core/sql";
import { type Compare, callerAt, withCompare } from "@/lib/identity/hashing";
import { type DeviceOwner, hasShownCodeOf, isKnownTo, readDevice } from "@/lib/identity/known-devices";
import { type Actor, type Credentials, noteProof } from "@/lib/identity/session";
import { passwordWorks } from "@/lib/identity/sign-on/settings";
import { secretOf, takeCode } from "@/lib/identity/two-step/codes";

// Sign-in and its rate limit. Each attempt is stored as a failure before the password is compared, and removed if it
// succeeds. So parallel guesses count like sequential ones. The counts are read before an attempt waits for a hashing
// thread, so that a refusal costs nothing. They are read again when it has one.

/** The maximum number of failures within this many minutes. */
const LIMITS = {
  pair: { most: 5, minutes: 15 },
  address: { most: 50, minutes: 15 },
  email: { most: 100, minutes: 24 * 60 },
  device: { most: 5, minutes: 15 },
  reset: { most: 20, minutes: 15 },
  code: { most: 20, minutes: 24 * 60 },
  // Longer than a logout token is accepted (lib/identity/sign-on/provider.ts), including the clock difference in both
  // directions.
  logout: { most: 1, minutes: 10 },
  // Longer than the attempt's cookie is accepted (lib/identity/sign-on/attempt.ts).
  attempt: { most: 1, minutes: 15 },
};
type Kind = keyof typeof LIMITS;
type Counter = { kind: Kind; subject: string };

/** Returns the seconds between two attempts on one email from all addresses together: up to 30 with 20 failures. */
const pauseAfter = (failures: number) => Math.min(30, Math.max(0, 3 * (failures - 10)));

/** A keyed hash, so that the table reveals no emails or addresses and nobody can guess them. */
const hashOf = (text: string) =>
  createHmac("sha256", keyFor("sign-in counters")).update(text.toLowerCase()).digest("hex");

const emailSubject = (email: string) => hashOf(`email:${email}`);
const addressSubject = (address: string) => hashOf(`address:${networkOf(address)}`);
const codeSubject = (userId: number) => hashOf(`code:${userId}`);
const counter = {
  /** Starts with the email's subject, so that a mailed reset finds it. */
  pair: (email: string, address: string): Counter => ({
    kind: "pair",
    subject: `${emailSubject(email)}|${addressSubject(address)}`,
  }),
  address: (address: string): Counter => ({ kind: "address", subject: addressSubject(address) }),
  email: (email: string): Counter => ({ kind: "email", subject: emailSubject(email) }),
  device: (id: string, email: string): Counter => ({
    kind: "device",
    subject: hashOf(`device:${id}:${email}`),
  }),
  reset: (address: string): Counter => ({ kind: "reset", subject: hashOf(`reset:${networkOf(address)}`) }),
  /**
   * Guesses of the second step, which a mailed reset does not remove. A device on which the user has entered a code has
   * its own count. So a person who only knows the password cannot lock the user out there. All other devices share one
   * count.
   */
  code: (owner: DeviceOwner, request: ApiRequest): Counter => {
    const device = readDevice(request);
    const perDevice = hasShownCodeOf(owner, device) ? `|${hashOf(`device:${device.id}`)}` : "";
    return { kind: "code", subject: codeSubject(owner.id) + perDevice };
  },
  /** The server obeys each logout token of the provider once. */
  logout: (tokenId: string): Counter => ({ kind: "logout", subject: hashOf(`logout:${tokenId}`) }),
  /** An attempt at single sign-on can be completed once, even if its cookie was copied before. */
  attempt: (state: string): Counter => ({ kind: "attempt", subject: hashOf(`attempt:${state}`) }),
};

/** The caller's IP address as seen by our own server (lib/core/server/http.ts overwrites any header the caller sent). */
export const clientAddress = (request: ApiRequest): string =>
  request.headers.get("x-client-address") || "unknown";

/** A user who entered the right password, and the hash it was compared with. */
type PasswordHolder = Omit<Credentials, "secret">;

type Login = { email: string; password: string; otp?: string | null };
type Account = { id: number; passwordHash: string | null; generation: number };

/**
 * Authenticates a user who signs in. A wrong password, an unknown email and an inactive account all get the same 401,
 * after the same time. With two-step sign-in, throws 401 `code_needed` without a right code. Throws 429 after too many
 * failures.
 */
export async function authenticate(login: Login, request: ApiRequest): Promise<Credentials> {
  const credentials = await check(login, request).catch((error: unknown) => {
    // A sign-in that lacks only its code was not refused.
    const isHalf = error instanceof AppError && error.code === "code_needed" && !login.otp;
    if (error instanceof AppError && error.status < 500 && !isHalf) countRefusedSignIn(error.code);
    throw error;
  });
  await rows(sql`UPDATE users SET last_login_at = now() WHERE id = ${credentials.userId}`);
  return credentials;
}

/**
 * Throws 429 if the caller's address has too many failures. The other limits, and the separate count of a known device,
 * need the email.
 */
export async function assertMaySignIn(request: ApiRequest): Promise<void> {
  if (readDevice(request)) return;
  await assertFewer(db(), counter.address(clientAddress(request))).catch((error: unknown) => {
    if (error instanceof AppError) countRefusedSignIn(error.code);
    throw error;
  });
}

/** Throws 429 if the actor has too many failures to enter the password again. */
export async function assertMayProve({ email }: Actor, request: ApiRequest): Promise<void> {
  for (const each of countersOf(email, await find(email), request)) await assertFewer(db(), each);
}

/** Checks the actor's password again, and stores that the session has a recent proof. Counts like a sign-in. */
export async function prove(
  actor: Actor,
  { password, otp }: Omit<Login, "email">,
  request: ApiRequest,
): Promise<void> {
  await check({ email: actor.email, password, otp }, request);
  await noteProof(actor);
}

/** Runs a signed-in user's attempt at a code, counted like a sign-in. Throws 401 `code_needed` if it returns null. */
export async function countCode<T>(
  { email, userId }: Actor,
  request: ApiRequest,
  attempt: () => Promise<T | null>,
): Promise<T> {
  const account = await find(email);
  if (!account) throw unauthorized();
  const code = counter.code(account, request);
  const attempts = await reserve([...countersOf(email, account, request), code]);
  const result = await attempt().catch(async (error) => {
    await release(attempts);
    throw error;
  });
  if (result === null) throw await failed(userId, codeNeeded());
  // Other failures stay: a code of the user's own new secret does not prove who guessed the password before.
  await forget(attempts, [code]);
  return result;
}

/** Returns the counters of an attempt; the first is the person's own. A known device counts only by itself. */
function countersOf(
  email: string,
  account: Account | null,
  request: ApiRequest,
): [person: Counter, ...Counter[]] {
  const device = readDevice(request);
  if (account && isKnownTo(account, device)) return [counter.device(device.id, email)];
  const address = clientAddress(request);
  // The order is the same everywhere, so that two attempts never deadlock.
  return [counter.pair(email, address), counter.address(address), counter.email(email)];
}

async function check({ email, password, otp }: Login, request: ApiRequest): Promise<Credentials> {
  const account = await find(email);
  const counters = countersOf(email, account, request);
  for (const each of counters) await assertFewer(db(), each);
  const [person] = counters;
  const known = person.kind === "device";
  const caller = known ? ({ by: "device", name: person.subject } as const) : callerAt(clientAddress(request));
  return withCompare(caller, async (compare) => {
    const attempts = await reserve(counters);
    const holder = await match(compare, email, password, account);
    if (!holder) throw await failed(account?.id ?? null, badCredentials());
    const secret = await secretOf(holder.userId);
    if (account && secret) await checkCode(counter.code(account, request), account.id, secret, otp, attempts);
    await forget(attempts, [person]);
    return { ...holder, secret };
  });
}

/**
 * Throws unless the code is right. A wrong code counts only after the right password, so that strangers cannot lock
 * anyone out.
 */
async function checkCode(
  guesses: Counter,
  userId: number,
  secret: Buffer,
  otp: string | null | undefined,
  attempts: bigint[],
): Promise<void> {
  if (!otp) {
    // A sign-in without its code is not a failure. It does not remove failures either, because a person with the
    // password could then guess codes forever.
    await release(attempts);
    throw codeNeeded();
  }
  const guess = await reserve([guesses]).catch(async (error) => {
    await release(attempts);
    throw error;
  });
  if (!(await takeCode(userId, secret, otp))) throw await failed(userId, codeNeeded());
  await forget(guess, [guesses]);
}

/** Records a failed attempt, and returns the error for its response. */
async function failed(userId: number | null, refusal: AppError): Promise<AppError> {
  // An email without an account is not stored, because people type passwords there.
  const act = { action: "sign-in-failed", entity: "user", entityId: userId } as const;
  await auditRead(userId === null ? NOBODY : ITSELF, act);
  return refusal;
}

async function find(email: string): Promise<Account | null> {
  const [account] = await rows<Account>(
    sql`SELECT id, device_generation AS generation,
       CASE WHEN active AND activated_at IS NOT NULL THEN password_hash END AS "passwordHash"
     FROM users WHERE email = ${email}`,
  );
  if (!account) return null;
  return passwordWorks(email) ? account : { ...account, passwordHash: null };
}

async function match(
  compare: Compare,
  email: string,
  password: string,
  account: Account | null,
): Promise<PasswordHolder | null> {
  const passwordHash = account?.passwordHash ?? null;
  const same = await compare(password, passwordHash);
  return account && same ? { userId: account.id, email, passwordHash } : null;
}

/** Stores the attempt and returns the ids of the stored rows. Throws 429 after too many. */
const reserve = (counters: readonly Counter[]): Promise<bigint[]> =>
  db().$transaction((tx) => reserveIn(tx, counters));

async function reserveIn(tx: Tx, counters: readonly Counter[]): Promise<bigint[]> {
  for (const each of counters) {
    // The lock lasts until the transaction ends, so that the next count includes this attempt.
    await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended(${each.subject}, 0))`;
    await assertFewer(tx, each);
  }
  const attempts = await tx.loginFailure.createManyAndReturn({
    data: counters.map(({ subject }) => ({ subject })),
    select: { id: true },
  });
  return attempts.map(({ id }) => id);
}

/** False if the attempt exceeded the limit. */
async function isStored(reserving: Promise<unknown>): Promise<boolean> {
  try {
    await reserving;
    return true;
  } catch (error) {
    if (error instanceof AppError && error.code === "too_many") return false;
    throw error;
  }
}

/** Throws 429 with the time to wait if the subject has too many failures. The refusal itself is not a failure. */
async function assertFewer(tx: Tx | Db, { kind, subject }: Counter): Promise<void> {
  const { most, minutes } = LIMITS[kind];
  const [failures] = await tx.$queryRaw<{ count: number; last: number; full: number | null }[]>`
    SELECT count(*)::int AS count, extract(epoch FROM now() - max(at))::float AS last,
      extract(epoch FROM (array_agg(at ORDER BY at DESC))[${most}::int] - now())::float + ${minutes}::int * 60 AS full
    FROM login_failures WHERE subject = ${subject} AND at > now() - make_interval(mins => ${minutes}::int)`;
  if (!failures || failures.count === 0) return;
  const due = kind === "email" ? pauseAfter(failures.count) : 0;
  // The last failure may be later than this transaction's now(), which is no reason to wait.
  const pause = due > 0 ? due - failures.last : 0;
  const wait = Math.max(failures.full ?? 0, pause);
  if (wait > 0) throw tooMany(wait);
}

/**
 * Removes this attempt, and the former failures of these counters, which are the person's own. The failures of the
 * email from all addresses stay, since their origin is unknown. Otherwise each successful sign-in would give guessers
 * another hundred attempts.
 */
async function forget(attempts: bigint[], counters: Counter[]): Promise<void> {
  await rows(
    sql`DELETE FROM login_failures
     WHERE subject = ANY(${counters.map(({ subject }) => subject)}::text[]) OR id = ANY(${attempts}::bigint[])`,
  );
}

/** Removes only this attempt, which was not a failure. */
async function release(attempts: bigint[]): Promise<void> {
  await rows(sql`DELETE FROM login_failures WHERE id = ANY(${attempts}::bigint[])`);
}

/** Counts a request for a reset link for any user. False after 20 from one address within 15 minutes. */
export const countResetRequest = (address: string): Promise<boolean> =>
  isStored(reserve([counter.reset(address)]));

/**
 * Counts a logout token of the provider, in the transaction that obeys it. False if a token with this id was counted
 * before.
 */
export const countLogout = (tx: Tx, tokenId: string): Promise<boolean> =>
  isStored(reserveIn(tx, [counter.logout(tokenId)]));

/** Counts the completion of an attempt at single sign-on. False if it was completed before. */
export const countAttempt = (state: string): Promise<boolean> => isStored(reserve([counter.attempt(state)]));

/** Removes the failures of an email, in the transaction in which a mailed reset sets its new password. */
export async function forgetFailures(tx: Tx, email: string): Promise<void> {
  const subject = emailSubject(email);
  await tx.$executeRaw`DELETE FROM login_failures WHERE subject = ${subject} OR starts_with(subject, ${`${subject}|`})`;
}

/** Removes the guesses of codes that no longer count, in the transaction that switches two-step sign-in off. */
export async function forgetGuesses(tx: Tx, userId: number): Promise<void> {
  const subject = codeSubject(userId);
  await tx.$executeRaw`DELETE FROM login_failures WHERE subject = ${subject} OR starts_with(subject, ${`${subject}|`})`;
}

/** Deletes failures that are too old to count. */
export async function removeOldFailures(): Promise<void> {
  await rows(
    sql`DELETE FROM login_failures WHERE at < now() - make_interval(mins => ${LIMITS.email.minutes})`,
  );
}
