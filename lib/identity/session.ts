import "server-only";
import { randomBytes } from "node:crypto";
import { decode, encode } from "next-auth/jwt";
import { z } from "zod";
import type { Change } from "@/lib/audit/changes";
import { audit, auditPart, ITSELF } from "@/lib/audit/record";
import { type Me, meOf, type SessionUser } from "@/lib/core/access/permissions";
import type { ApiRequest } from "@/lib/core/api/request";
import { db, queryIn, rows, type Tx } from "@/lib/core/database/client";
import { ensureDefinitions } from "@/lib/core/database/definitions";
import { unwritableReason } from "@/lib/core/database/errors";
import { readTogether } from "@/lib/core/database/read-together";
import { Statement } from "@/lib/core/database/record-write";
import { badCredentials, notFound, proofNeeded, unauthorized } from "@/lib/core/errors";
import { keysFor } from "@/lib/core/process/cipher";
import { env } from "@/lib/core/process/env";
import { noteUser } from "@/lib/core/process/request-context";
import { processWide } from "@/lib/core/process-wide";
import { PRODUCT_KEY } from "@/lib/core/product";
import { constant, sql } from "@/lib/core/sql";
import { actorColumns } from "@/lib/identity/actor-columns";
import type { ListedSession, SessionState } from "@/lib/identity/api-schema";
import { deviceOf } from "@/lib/identity/browser-name";
import { clearCookie, readCookie, setCookie } from "@/lib/identity/cookies";
import { AWAITS_TWO_STEP } from "@/lib/identity/two-step/codes";

/**
 * Sessions. The cookie is next-auth's encrypted JWT and contains only a session id. The row in `sessions` decides
 * whether the session is valid. So a logout, a new password or the removal of the account ends it at once, in every
 * process.
 */
export type Actor = SessionUser & {
  sessionId: string;
  /** True if the session has a recent proof of identity, which sensitive actions need. */
  proven: boolean;
  /** True if single sign-on opened the session. Its provider then handles proofs and second steps. */
  singleSignOn: boolean;
  /** The token of a program that acts for the user without a session (lib/identity/tokens/bearer.ts). */
  token?: { id: number; name: string };
};

export const SESSION_COOKIE = `${PRODUCT_KEY}.session`;

/** The seconds between two updates of a session's last use: short for the idle limit, but cheap. */
const TOUCH_SECONDS = 30;

/** SQL: true if the session `s` is neither idle for too long nor too old. */
const alive = () => sql`s.last_seen_at > now() - make_interval(mins => ${env().SESSION_IDLE_MINUTES})
  AND s.created_at > now() - make_interval(hours => ${env().SESSION_MAX_HOURS})`;

/**
 * SQL for the valid sessions with these ids. If PostgreSQL knew how many ids there are, it would plan each execution; the
 * subquery hides it.
 */
const fromSessions = (ids: readonly string[]) => sql`FROM sessions s JOIN users u ON u.id = s.user_id
  WHERE ${alive()} AND s.id = ANY((SELECT ${ids}::uuid[])::uuid[]) AND u.active AND u.activated_at IS NOT NULL`;

const sessionsSql = (ids: readonly string[], proofMinutes: number) => sql`
  SELECT s.id AS "sessionId", ${actorColumns()},
    s.last_seen_at < now() - make_interval(secs => ${constant(TOUCH_SECONDS)}) AS stale,
    ${proofMinutes}::int = 0 OR s.proved_at > now() - make_interval(mins => ${proofMinutes}) AS proven,
    s.single_sign_on AS "singleSignOn", NOT s.single_sign_on AND ${AWAITS_TWO_STEP} AS "twoStepRequired"
  ${fromSessions(ids)}`;

type SessionRow = Actor & { stale: boolean; definitionsVersion: number };
const readSession = readTogether(async (ids: string[]) => {
  const sessionRows = await rows<SessionRow>(sessionsSql(ids, env().PROOF_MINUTES));
  return new Map(sessionRows.map((row) => [row.sessionId, row]));
});

/** The number of cookies whose session ids are cached. Decrypting a cookie takes longer than reading its row. */
const CACHED_COOKIES_MAX = 2_000;
const sessionIds = processWide("session-ids", () => new Map<string, string>());

/** The secrets from which next-auth derives its key: the current one, then the previous one. */
const cookieSecrets = () => keysFor("session cookie v1").map((key) => key.toString("hex"));

const idIn = async (cookie: string, secret: string): Promise<string | null> => {
  const token = await decode({ token: cookie, secret }).catch(() => null);
  return z.guid().safeParse(token?.sid).data ?? null;
};

/** Returns the session id in a cookie, valid or not; null for a cookie that this server did not make. */
async function sessionIdOf(cookie: string | undefined): Promise<string | null> {
  if (!cookie) return null;
  const remembered = sessionIds.get(cookie);
  if (remembered) return remembered;
  let id: string | null = null;
  for (const secret of cookieSecrets()) id ??= await idIn(cookie, secret);
  if (!id) return null;
  const [oldest] = sessionIds.keys();
  if (oldest && sessionIds.size >= CACHED_COOKIES_MAX) sessionIds.delete(oldest);
  sessionIds.set(cookie, id);
  return id;
}

const sessionCookie = (request: ApiRequest) => readCookie(request, SESSION_COOKIE);

/**
 * Returns the actor of a session cookie, or null if it is missing, forged, ended or too old. Unless `isUse` is false,
 * the session counts as used.
 */
export async function actorOf(cookie: string | undefined, isUse = true): Promise<Actor | null> {
  const sessionId = await sessionIdOf(cookie);
  if (!sessionId) return null;
  const row = await readSession(sessionId);
  if (!row) return null;
  const { stale, definitionsVersion, ...actor } = row;
  noteUser(actor.userId);
  await ensureDefinitions(definitionsVersion);
  if (stale && isUse) await touch(sessionId);
  return actor;
}

/** Returns the actor of the request's session, or null as `actorOf` does. */
export const actorIn = (request: ApiRequest, isUse = true): Promise<Actor | null> =>
  actorOf(sessionCookie(request), isUse);

/** Stores that the session was used. A database that cannot write must not stop reads, so failures are ignored. */
async function touch(sessionId: string): Promise<void> {
  await rows(sql`UPDATE sessions SET last_seen_at = now() WHERE id = ${sessionId}`).catch((error) => {
    if (!unwritableReason(error)) throw error;
  });
}

/** Returns the time for which the request's session remains valid, without prolonging it; null if it has ended. */
export async function peekSession(request: ApiRequest): Promise<SessionState | null> {
  const sessionId = await sessionIdOf(sessionCookie(request));
  if (!sessionId) return null;
  const [row] = await rows<{ user_id: number; idle: number; whole: number }>(
    sql`SELECT s.user_id,
       extract(epoch FROM s.last_seen_at - now() + make_interval(mins => ${env().SESSION_IDLE_MINUTES}))::float AS idle,
       extract(epoch FROM s.created_at - now() + make_interval(hours => ${env().SESSION_MAX_HOURS}))::float AS whole
     ${fromSessions([sessionId])}`,
  );
  if (!row) return null;
  const { user_id: userId, idle, whole } = row;
  return { userId, secondsLeft: Math.floor(Math.min(idle, whole)), extendable: idle < whole };
}

/** A user who entered the right password, the hash it was compared with, and the (sealed) secret if sign-in needs a code. */
export type Credentials = {
  userId: number;
  email: string;
  passwordHash: string | null;
  secret: Uint8Array | null;
};

/** The person who has signed in at the provider. `email` is set only if the provider has verified it. */
export type Identity = {
  issuer: string;
  subject: string;
  email: string | null;
  /** The provider's id of its session, with which it may end ours. */
  sid: string | null;
  /** The time of the person's last authentication, if the provider reports it. */
  authenticatedAt: Date | null;
};

/** A user authenticated by single sign-on, with the identity that is linked with the account. */
type SignedOn = { userId: number; identity: Identity };

/**
 * Opens a session and returns the `Set-Cookie` header for it. Throws 401 if the password, email, authenticator app, or
 * provider's link has changed since the check. Such a change ends all sessions, and this one would survive it.
 */
export async function openSession(holder: Credentials | SignedOn, userAgent: string): Promise<string> {
  const statement = new Statement();
  const { unchanged, proved, sid, changes } = "identity" in holder ? bySignOn(holder) : byPassword(holder);
  const sessionPart = statement.with(
    sql`INSERT INTO sessions (id, user_id, user_agent, proved_at, single_sign_on, provider_sid)
     SELECT ${randomBytes(16).toString("hex")}::uuid, id, ${userAgent.slice(0, 255)}, ${proved}, ${"identity" in holder}, ${sid}
     FROM users WHERE id = ${holder.userId} AND active AND ${unchanged}
     FOR SHARE RETURNING id AS session_id, user_id AS id`,
  );
  auditPart(statement, ITSELF, { action: "signed-in", entity: "user", changes }, sessionPart);
  const [session] = await rows<{ id: string }>(
    statement.sql(sql`SELECT session_id AS id FROM ${sessionPart}`),
  );
  if (!session) throw badCredentials();
  return cookieFor(session.id);
}

const byPassword = ({ userId, email, passwordHash, secret }: Credentials) => ({
  unchanged: sql`email = ${email} AND password_hash IS NOT DISTINCT FROM ${passwordHash}
    AND (SELECT secret FROM two_steps WHERE user_id = ${userId} FOR SHARE) IS NOT DISTINCT FROM ${secret}`,
  proved: sql`now()`,
  sid: null,
  changes: [],
});

const bySignOn = ({ identity: { issuer, subject, sid, authenticatedAt } }: SignedOn) => ({
  unchanged: sql`sso_issuer = ${issuer} AND sso_subject = ${subject}`,
  // The provider may accept a sign-in from this morning, or not report its time. Neither is a proof.
  proved: sql`LEAST(now(), ${authenticatedAt ?? new Date(0)}::timestamptz)`,
  sid,
  changes: [{ field: "user.singleSignOn", from: null, to: true }],
});

async function cookieFor(sid: string): Promise<string> {
  const [secret = ""] = cookieSecrets();
  const maxAge = env().SESSION_MAX_HOURS * 3600;
  return setCookie(SESSION_COOKIE, await encode({ token: { sid }, secret, maxAge }));
}

/**
 * Returns the `Set-Cookie` header of a session whose cookie was made with AUTH_SECRET_PREVIOUS; null for all others.
 */
export async function renewedCookie(request: ApiRequest, { sessionId }: Actor): Promise<string | null> {
  const [, previous] = cookieSecrets();
  const cookie = previous && sessionCookie(request);
  const isFormer = cookie && (await idIn(cookie, previous)) === sessionId;
  return isFormer ? cookieFor(sessionId) : null;
}

/** Stores that the session has just proved its owner's identity. */
export async function noteProof({ sessionId }: Actor): Promise<void> {
  await rows(sql`UPDATE sessions SET proved_at = now() WHERE id = ${sessionId}`);
}

/** Throws 403 if the session has no recent proof of identity. */
export function assertProven({ proven }: Actor): void {
  if (!proven) throw proofNeeded();
}

/** Ends one session and returns the `Set-Cookie` header that clears the cookie. */
export async function closeSession(sessionId: string): Promise<string> {
  const statement = new Statement();
  const closed = statement.with(sql`DELETE FROM sessions WHERE id = ${sessionId} RETURNING user_id AS id`);
  auditPart(statement, ITSELF, { action: "signed-out", entity: "user" }, closed);
  await rows(statement.sql(sql`SELECT`));
  return clearCookie(SESSION_COOKIE);
}

/** Signs the user in: ends the session of the request, if any, and opens a new one. */
export async function startSession(
  request: ApiRequest,
  holder: Credentials | SignedOn,
): Promise<{ user: Me; cookie: string }> {
  const former = await sessionIdOf(sessionCookie(request));
  if (former) await closeSession(former);
  const cookie = await openSession(holder, request.headers.get("user-agent") ?? "");
  const actor = await actorOf(cookie.slice(cookie.indexOf("=") + 1, cookie.indexOf(";")));
  if (!actor) throw unauthorized();
  return { user: meOf(actor), cookie };
}

/** Returns the number of the user's sessions. */
export async function countSessions(userId: number): Promise<number> {
  const [row] = await rows<{ count: number }>(
    sql`SELECT count(*)::int AS count FROM sessions s WHERE ${alive()} AND user_id = ${userId}`,
  );
  return row?.count ?? 0;
}

/** Returns the user's own sessions, most recently used first. */
export async function listSessions(actor: Actor): Promise<ListedSession[]> {
  const sessions = await rows<{ id: string; user_agent: string; created_at: Date; last_seen_at: Date }>(
    sql`SELECT id, user_agent, created_at, last_seen_at FROM sessions s WHERE ${alive()} AND user_id = ${actor.userId}
     ORDER BY last_seen_at DESC, id`,
  );
  return sessions.map((row) => ({
    id: row.id,
    device: deviceOf(row.user_agent),
    createdAt: row.created_at.toISOString(),
    lastSeenAt: row.last_seen_at.toISOString(),
    current: row.id === actor.sessionId,
  }));
}

/** Returns the change with which the audit trail records that sessions of a user were ended. */
export const sessionsEnded = (count: number): Change[] => [{ field: "user.sessions", from: count, to: 0 }];

/** Ends one of the user's own sessions. Throws 404 if there is none with that id. */
export async function endSession(actor: Actor, id: string): Promise<void> {
  const statement = new Statement();
  const ended = statement.with(
    sql`DELETE FROM sessions WHERE id = ${id} AND user_id = ${actor.userId}
     RETURNING user_id AS id`,
  );
  const act = { action: "signed-out", entity: "user", changes: sessionsEnded(1) } as const;
  auditPart(statement, actor, act, ended);
  const found = await rows(statement.sql(sql`SELECT id FROM ${ended}`));
  if (found.length === 0) throw notFound();
}

/**
 * Ends all of the user's sessions except this one, and all known devices. Returns the number of ended sessions, which
 * the caller records.
 */
export async function endOtherSessions(
  { userId, sessionId }: Pick<Actor, "userId" | "sessionId">,
  tx: Tx,
): Promise<number> {
  const { count } = await tx.session.deleteMany({ where: { userId, id: { not: sessionId } } });
  await tx.user.update({ where: { id: userId }, data: { deviceGeneration: { increment: 1 } } });
  return count;
}

/** Signs the user out of all other browsers. */
export async function signOutElsewhere(actor: Actor): Promise<void> {
  await db().$transaction(async (tx) => {
    const changes = sessionsEnded(await endOtherSessions(actor, tx));
    const act = { action: "signed-out", entity: "user", entityId: actor.userId, changes } as const;
    await audit(queryIn(tx), actor, act);
  });
}

/** Deletes sessions that have expired. */
export async function removeEndedSessions(): Promise<void> {
  await rows(sql`DELETE FROM sessions s WHERE NOT (${alive()})`);
}
