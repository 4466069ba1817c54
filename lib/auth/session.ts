import "server-only";
import { cookies, headers } from "next/headers";
import { forbidden, redirect } from "next/navigation";
import { decode, encode } from "next-auth/jwt";
import { cache } from "react";
import { rows } from "@/lib/db";
import { env } from "@/lib/env";
import { can, type NamedItem, type Permission, type SessionUser } from "@/lib/permissions";

/**
 * Sessions (contract §3): the cookie is next-auth's encrypted JWT and carries only a session's id; the row in
 * `sessions` decides, so that logout, a new password or a removed account end it at once, on every process.
 */
export type Actor = SessionUser & { sessionId: string };

const isHttps = () => env().APP_URL.startsWith("https:");
/** `__Host-` binds the cookie to this host and to TLS; plain http keeps the bare name, so localhost works. */
export const cookieName = () => (isHttps() ? "__Host-casebook.session" : "casebook.session");

/** How often a session's last use is written: often enough for the idle end, seldom enough to be cheap. */
const TOUCH_SECONDS = 30;

type SessionRow = {
  session_id: string;
  user_id: number;
  first_name: string;
  last_name: string;
  email: string;
  permissions: NamedItem[];
  stale: boolean;
};

const SESSION_SQL = `
  SELECT s.id AS session_id, u.id AS user_id, u.first_name, u.last_name, u.email,
    s.last_seen_at < now() - make_interval(secs => ${TOUCH_SECONDS}) AS stale,
    COALESCE((SELECT json_agg(json_build_object('id', p.id, 'name', p.name) ORDER BY p.id)
      FROM role_permissions rp JOIN permissions p ON p.id = rp.permission_id WHERE rp.role_id = u.role_id), '[]') AS permissions
  FROM sessions s JOIN users u ON u.id = s.user_id
  WHERE s.id = $1 AND u.activated_at IS NOT NULL
    AND s.last_seen_at > now() - make_interval(mins => $2) AND s.created_at > now() - make_interval(hours => $3)`;

/** The actor of a session cookie's value, or null when it is missing, forged, ended or too old. */
export async function actorOf(cookie: string | undefined): Promise<Actor | null> {
  if (!cookie) return null;
  const token = await decode({ token: cookie, secret: env().AUTH_SECRET }).catch(() => null);
  if (typeof token?.sid !== "string") return null;
  const { SESSION_IDLE_MINUTES, SESSION_MAX_HOURS } = env();
  const [row] = await rows<SessionRow>(SESSION_SQL, [token.sid, SESSION_IDLE_MINUTES, SESSION_MAX_HOURS]);
  if (!row) return null;
  if (row.stale) await rows("UPDATE sessions SET last_seen_at = now() WHERE id = $1", [row.session_id]);
  return {
    sessionId: row.session_id,
    userId: row.user_id,
    firstName: row.first_name,
    lastName: row.last_name,
    email: row.email,
    permissions: row.permissions,
  };
}

/** Opens a session for the user and answers the `Set-Cookie` header that carries it. */
export async function openSession(userId: number, userAgent: string): Promise<string> {
  const [session] = await rows<{ id: string }>(
    "INSERT INTO sessions (id, user_id, user_agent) VALUES (gen_random_uuid(), $1, $2) RETURNING id",
    [userId, userAgent.slice(0, 255)],
  );
  const value = await encode({
    token: { sid: session?.id },
    secret: env().AUTH_SECRET,
    maxAge: env().SESSION_MAX_HOURS * 3600,
  });
  return `${cookieName()}=${value}; Path=/; HttpOnly; SameSite=Lax${isHttps() ? "; Secure" : ""}`;
}

/** Ends one session and answers the `Set-Cookie` header that clears the browser's cookie. */
export async function closeSession(sessionId: string): Promise<string> {
  await rows("DELETE FROM sessions WHERE id = $1", [sessionId]);
  return `${cookieName()}=; Path=/; HttpOnly; SameSite=Lax; Max-Age=0${isHttps() ? "; Secure" : ""}`;
}

/** The signed-in user of the page being rendered, or null. */
export const currentUser = cache(async (): Promise<Actor | null> => {
  return actorOf((await cookies()).get(cookieName())?.value);
});

/** The signed-in user of a page; a guest is sent to the login with the way back (contract §3). */
export async function requireUser(): Promise<Actor> {
  const user = await currentUser();
  if (user) return user;
  // Our own server sets this header on every request, whatever the caller sent (lib/ops/server.ts).
  const url = (await headers()).get("x-request-path");
  redirect(`/?unauthorized=true${url ? `&url=${encodeURIComponent(url)}` : ""}`);
}

/** The signed-in user of a page that needs one of the permissions; without it the page answers 403. */
export async function requirePermission(...anyOf: Permission[]): Promise<Actor> {
  const user = await requireUser();
  if (!anyOf.some((permission) => can(user, permission))) forbidden();
  return user;
}
