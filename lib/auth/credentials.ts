import "server-only";
import { createHash } from "node:crypto";
import { type Compare, withCompare } from "@/lib/accounts/hashing";
import { AppError, badCredentials, tooMany } from "@/lib/api/errors";
import { db, rows, type Tx } from "@/lib/database/client";

// Sign-in and its slow-down (contract §3). Every try is written down as a failure before its password is
// compared and taken back when it was right, so that guesses that race count like guesses in a row. Tries that
// wait for a hashing thread are not written down yet: a whole office may sign in at once from one address.

const WINDOW_MINUTES = 15;
const MOST = { email: 5, address: 20, "reset address": 20 };
type Kind = keyof typeof MOST;

/** Neither an email nor an address is kept in clear. */
const subjectOf = (kind: Kind, value: string) =>
  createHash("sha256").update(`${kind}:${value.toLowerCase()}`).digest("hex");

/** The caller's address as our own server saw it (lib/server/http.ts overwrites what callers send). */
export const clientAddress = (request: Request): string =>
  request.headers.get("x-client-address") || "unknown";

/** Who has shown the right password, and which one that was. */
export type Credentials = { userId: number; email: string; passwordHash: string | null };

/**
 * The user who signs in. The same answer, in words and in time, for a wrong password, an unknown
 * email and an account that is not activated: 401. 429 after too many failures.
 */
export async function authenticate(email: string, password: string, address: string): Promise<Credentials> {
  return withCompare(async (compare) => {
    const tries = await reserve(["email", email], ["address", address]);
    const credentials = await match(compare, email, password);
    if (!credentials) throw badCredentials();
    await succeeded(credentials.userId, email, tries);
    return credentials;
  });
}

async function match(compare: Compare, email: string, password: string): Promise<Credentials | null> {
  const [user] = await rows<{ id: number; password_hash: string | null }>(
    "SELECT id, CASE WHEN activated_at IS NOT NULL THEN password_hash END AS password_hash FROM users WHERE email = $1",
    [email],
  );
  const same = await compare(password, user?.password_hash ?? null);
  return user && same ? { userId: user.id, email, passwordHash: user.password_hash } : null;
}

/** Writes the try down, or throws 429 when there were too many; answers the ids of what it wrote. */
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

/** Holds the subject's lock to the end of the transaction: whoever counts it next sees this try. */
async function assertFewer(tx: Tx, subject: string, most: number): Promise<void> {
  await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended(${subject}, 0))`;
  const [failures] = await tx.$queryRaw<{ count: number; seconds: number | null }[]>`
    SELECT count(*)::int AS count, extract(epoch FROM min(at) - now())::float + ${WINDOW_MINUTES} * 60 AS seconds
    FROM login_failures WHERE subject = ${subject} AND at > now() - make_interval(mins => ${WINDOW_MINUTES}::int)`;
  if (failures && failures.count >= most) throw tooMany(failures.seconds ?? 1);
}

/** The right password takes back this try, and every failure of its account. */
async function succeeded(userId: number, email: string, tries: bigint[]): Promise<void> {
  await rows(
    `WITH forgotten AS (DELETE FROM login_failures WHERE subject = $1 OR id = ANY($2::bigint[]))
     UPDATE users SET last_login_at = now() WHERE id = $3`,
    [subjectOf("email", email), tries, userId],
  );
}

/** Counts a request for a reset link, whoever's; false after 20 from one address in 15 minutes. */
export async function countResetRequest(address: string): Promise<boolean> {
  try {
    await reserve(["reset address", address]);
    return true;
  } catch (error) {
    if (error instanceof AppError && error.code === "too_many") return false;
    throw error;
  }
}

/** Forgets the failures of an account, in the transaction that gives it a new password. */
export async function forgetFailures(tx: Tx, email: string): Promise<void> {
  await tx.loginFailure.deleteMany({ where: { subject: subjectOf("email", email) } });
}

/** Removes what no longer counts. */
export async function removeOldFailures(): Promise<void> {
  await rows("DELETE FROM login_failures WHERE at < now() - make_interval(mins => $1)", [WINDOW_MINUTES]);
}
