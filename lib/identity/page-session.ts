import "server-only";
import { cookies, headers } from "next/headers";
import { redirect } from "next/navigation";
import { cache } from "react";
import { to } from "@/lib/core/pages";
import { requestContext } from "@/lib/core/process/request-context";
import { processWide } from "@/lib/core/process-wide";
import { cookieIn, cookieName } from "@/lib/identity/cookies";
import { type Actor, actorOf, SESSION_COOKIE } from "@/lib/identity/session";

// The session for which a page is rendered. Our own server reads it before Next renders (lib/gate.ts).

/** The sessions of pages that are being rendered, by request. */
const pageSessions = processWide("page-sessions", () => new WeakMap<object, Promise<Actor | null>>());

/** Reads the session of a page before it is rendered, so that rendering need not read it again. */
export function readPageSession(cookies: string | undefined): Promise<Actor | null> {
  const reading = actorOf(cookieIn(cookies, SESSION_COOKIE));
  const request = requestContext();
  if (request) pageSessions.set(request, reading);
  return reading;
}

const sessionCookie = async () => (await cookies()).get(cookieName(SESSION_COOKIE))?.value;

/** Returns the signed-in user of the page being rendered, or null. */
export const currentUser = cache(async (): Promise<Actor | null> => {
  const session = pageSessions.get(requestContext() ?? {});
  return session ?? actorOf(await sessionCookie());
});

/**
 * Returns the signed-in user of a page. Redirects a guest to the login page, with the path of this page. If the browser
 * sent a session that is no longer valid, the login page shows a notice.
 */
export async function requireUser(): Promise<Actor> {
  const user = await currentUser();
  if (user) return user;
  // Our own server sets this header on every request and overwrites the caller's (lib/core/server/http.ts).
  const url = (await headers()).get("x-request-path");
  const refused = (await sessionCookie()) !== undefined;
  redirect(
    `${to("login")}?${new URLSearchParams({ ...(refused && { unauthorized: "true" }), ...(url && { url }) })}`,
  );
}
