import "server-only";
import { cookies, headers } from "next/headers";
import { redirect } from "next/navigation";
import { cache } from "react";
import { to } from "@/lib/core/pages";
import { processWide } from "@/lib/core/server/process-wide";
import { requestContext } from "@/lib/core/server/request-context";
import { cookieIn, cookieName } from "@/lib/identity/cookies";
import { type Actor, actorOf, SESSION_COOKIE } from "@/lib/identity/session";

// The session for which a page is rendered. Our own server has read it before Next renders (lib/gate.ts).

/** The sessions of pages that are being rendered, by their requests. */
const pageSessions = processWide("page-sessions", () => new WeakMap<object, Promise<Actor | null>>());

/** Reads the session of a page before it is rendered; whoever renders it need not ask again. */
export function readPageSession(cookies: string | undefined): Promise<Actor | null> {
  const reading = actorOf(cookieIn(cookies, SESSION_COOKIE));
  const request = requestContext();
  if (request) pageSessions.set(request, reading);
  return reading;
}

const sessionCookie = async () => (await cookies()).get(cookieName(SESSION_COOKIE))?.value;

/** The signed-in user of the page being rendered, or null. */
export const currentUser = cache(async (): Promise<Actor | null> => {
  const asked = pageSessions.get(requestContext() ?? {});
  return asked ?? actorOf(await sessionCookie());
});

/**
 * The signed-in user of a page. A guest is redirected to the login page, with the way back and, if the
 * browser sent a session that is no longer valid, with a notice.
 */
export async function requireUser(): Promise<Actor> {
  const user = await currentUser();
  if (user) return user;
  // Our own server sets this header on every request, overwriting what the caller sent (lib/core/server/http.ts).
  const url = (await headers()).get("x-request-path");
  const refused = (await sessionCookie()) !== undefined;
  redirect(
    `${to("login")}?${new URLSearchParams({ ...(refused && { unauthorized: "true" }), ...(url && { url }) })}`,
  );
}
