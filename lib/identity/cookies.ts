import "server-only";
import type { ApiRequest } from "@/lib/core/api/request";
import { env } from "@/lib/core/process/env";
import { isPractice } from "@/lib/core/process/practice";

// The attributes of the program's own cookies. No script can read them. Of requests from other sites, only navigations
// send them.

const isHttps = () => env().APP_URL.startsWith("https:");

/**
 * Returns the full name of a cookie. The prefix `__Host-` binds it to this host and to TLS; plain http (localhost) uses
 * the name without it. Ports of one host share cookies, so practice mode has names of its own.
 */
export const cookieName = (name: string): string =>
  `${isHttps() ? "__Host-" : ""}${isPractice() ? "practice-" : ""}${name}`;

/** Returns the `Set-Cookie` header of a cookie that lasts this many seconds; by default until the browser is closed. */
export function setCookie(name: string, value: string, seconds?: number): string {
  const age = seconds === undefined ? "" : `; Max-Age=${seconds}`;
  return `${cookieName(name)}=${value}; Path=/; HttpOnly; SameSite=Lax${age}${isHttps() ? "; Secure" : ""}`;
}

/** Returns the `Set-Cookie` header that removes a cookie. */
export const clearCookie = (name: string): string => setCookie(name, "", 0);

/** Returns the value of a cookie in a `Cookie` header. */
export const cookieIn = (header: string | null | undefined, name: string): string | undefined =>
  header
    ?.split(";")
    .map((pair) => pair.trim())
    .find((pair) => pair.startsWith(`${cookieName(name)}=`))
    ?.slice(cookieName(name).length + 1);

/** Returns the value of a cookie of the request. */
export const readCookie = (request: ApiRequest, name: string): string | undefined =>
  cookieIn(request.headers.get("cookie"), name);
