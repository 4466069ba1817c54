import "server-only";
import { randomBytes } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";

export interface Site {
  https: boolean;
  dev: boolean;
}

/** The Content-Security-Policy, except for scripts. */
const POLICY = [
  "default-src 'none'",
  // React and Next write style attributes, which no nonce covers.
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "manifest-src 'self'",
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join("; ");

/**
 * Returns the headers of every response. Only scripts and resources of this server run or load, and no other site can
 * frame or read a page. Links do not send the page's URL to other sites, because it may contain a token.
 */
export function securityHeaders({ https, dev }: Site): Record<string, string> {
  const nonce = randomBytes(16).toString("base64");
  // Development compiles modules with eval.
  const scripts = `script-src 'self' 'nonce-${nonce}'${dev ? " 'unsafe-eval'" : ""}`;
  return {
    "Content-Security-Policy": `${POLICY}; ${scripts}`,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=(), payment=(), usb=()",
    ...(https && { "Strict-Transport-Security": "max-age=31536000" }),
  };
}

/**
 * Headers that proxies set (read once, in lib/core/server/http.ts) or that Next uses internally. Next would read the
 * whole body of a request with `next-action`, and there are no actions.
 */
const NOT_FROM_OUTSIDE =
  /^(next-action$|x-forwarded-|x-middleware-|x-nextjs?-|x-now-|x-invoke-|x-prerender-|x-vercel-|x-matched-path$|next-resume$|content-security-policy)/;

/** Removes request headers that callers must not send. */
export function dropInternalHeaders(headers: IncomingHttpHeaders, dev: boolean): void {
  // In development, the two halves of Next communicate through some of them.
  for (const name of Object.keys(headers)) if (!dev && NOT_FROM_OUTSIDE.test(name)) delete headers[name];
}

/** The most characters of a User-Agent header. Those of browsers have a few hundred. */
const USER_AGENT_MAX = 1_000;

/** Shortens the User-Agent header. Next compares it with patterns that take a step for each pair of its letters. */
export function boundUserAgent(headers: IncomingHttpHeaders): void {
  const agent = headers["user-agent"];
  if (agent !== undefined) headers["user-agent"] = agent.slice(0, USER_AGENT_MAX);
}
