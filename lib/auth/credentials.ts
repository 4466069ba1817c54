import "server-only";
import { createHash } from "node:crypto";
import { type Compare, withCompare } from "@/lib/accounts/hashing";
import { AppError, badCredentials, tooMany } from "@/lib/api/errors";
import { auditRead, ITSELF, NOBODY } from "@/lib/audit/record";
import { db, rows, type Tx } from "@/lib/database/client";

// Sign-in and its rate limit (contract §3). Each attempt is stored as a failure before the password is compared, and
// removed if it was right, so that parallel guesses count like sequential ones. Attempts that wait for a hashing thread
// are not stored yet: a whole office may sign in at once from one address.

const WINDOW_MINUTES = 15;
const MOST = { email: 5, address: 20, "reset address": 20 };
type Kind = keyof typeof MOST;

/** Stored as a hash: neither emails nor addresses are kept in clear. */
const subjectOf = (kind: Kind, value: string) =>
  createHash("sha256").update(`${kind}:${value.toLowerCase()}`).digest("hex");

/** The caller's IP address as seen by our own server (lib/server/http.ts overwrites any header the caller sent). */
export const clientAddress = (request: Request): string =>
  request.headers.get("x-client-address") || "unknown";

/** A user who gave the right password, and the hash it was compared with. */
export type Credentials = { userId: number; email: string; passwordHash: string | null };
type Match = { credentials: Credentials | null; userId: number | null };

/**
 * Authenticates a user. A wrong password, an unknown email and an account that is not activated are all answered with
 * the same 401, after the same time. 429 after too many failures.
 */
export async function authenticate(email: string, password: string, address: string): Promise<Credentials> {
  return withCompare(async (compare) => {
    const tries = await reserve(["email", email], ["address", address]);
    const { credentials, userId } = await match(compare, email, password);
    if (!credentials) {
      // Of an email that nobody has, nothing is kept: people type passwords there (contract §8).
      const failed = { action: "sign-in-failed", entity: "user", entityId: userId } as const;
      await auditRead(userId === null ? NOBODY : ITSELF, failed);
      throw badCredentials();
    }
    await succeeded(credentials.userId, email, tries);
    return credentials;
  });
}

/** Who has shown the right password, and whose email it is at all. */
async function match(compare: Compare, email: string, password: string): Promise<Match> {
  const [user] = await rows<{ id: number; password_hash: string | null }>(
    "SELECT id, CASE WHEN active AND activated_at IS NOT NULL THEN password_hash END AS password_hash FROM users WHERE email = $1",
    [email],
  );
  const same = await compare(password, user?.password_hash ?? null);
  return {
    credentials: user && same ? { userId: user.id, email, passwordHash: user.password_hash } : null,
    userId: user?.id ?? null,
  };
}

/** Stores the attempt, or throws 429 after too many; returns the ids of the stored rows. */
async function reserve(...tries: [kind: Kind, value: string][]): Promise<bigint[]> {
  const subjects = tries.map(([kind, value]) => ({ subject: subjectOf(kind, value), most: MOST[kind] }));
  return db().$transaction(async (tx) => {
    for (const { subject, most } of subjects) await assertFewer(tx, subject, most);
    const made = await tx.loginFailure.createManyAndReturn({
      data: subjects.map(({ subject }) => ({ subject })),
      select: { id: true },
    });
    return made.map(({ id }) => id);
  });
}

/** Holds a lock on the subject until the transaction ends, so that the next count includes this attempt. */
async function assertFewer(tx: Tx, subject: string, most: number): Promise<void> {
  await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended(${subject}, 0))`;
  const [failures] = await tx.$queryRaw<{ count: number; seconds: number | null }[]>`
    SELECT count(*)::int AS count, extract(epoch FROM min(at) - now())::float + ${WINDOW_MINUTES} * 60 AS seconds
    FROM login_failures WHERE subject = ${subject} AND at > now() - make_interval(mins => ${WINDOW_MINUTES}::int)`;
  if (failures && failures.count >= most) throw tooMany(failures.seconds ?? 1);
}

/** Removes this attempt and all failures of the account, since the password was right. */
async function succeeded(userId: number, email: string, tries: bigint[]): Promise<void> {
  await rows(
    `WITH forgotten AS (DELETE FROM login_failures WHERE subject = $1 OR id = ANY($2::bigint[]))
     UPDATE users SET last_login_at = now() WHERE id = $3`,
    [subjectOf("email", email), tries, userId],
  );
}

/** Counts a request for a reset link from any user; false after 20 from one address within 15 minutes. */
export async function countResetRequest(address: string): Promise<boolean> {
  try {
    await reserve(["reset address", address]);
    return true;
  } catch (error) {
    if (error instanceof AppError && error.code === "too_many") return false;
    throw error;
  }
}

/** Forgets the failures of an account, in the transaction that sets its new password. */
export async function forgetFailures(tx: Tx, email: string): Promise<void> {
  await tx.loginFailure.deleteMany({ where: { subject: subjectOf("email", email) } });
}

/** Deletes failures that are too old to count. */
export async function removeOldFailures(): Promise<void> {
  await rows("DELETE FROM login_failures WHERE at < now() - make_interval(mins => $1)", [WINDOW_MINUTES]);
}
