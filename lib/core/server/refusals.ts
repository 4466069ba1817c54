import "server-only";
import type { IncomingMessage } from "node:http";
import { parseAndValidateFlightRouterState } from "next/dist/server/app-render/parse-and-validate-flight-router-state.js";
import type { ErrorCode } from "@/lib/core/api/codes";
import { GUEST_BODY_MAX, tooLargeMessage } from "@/lib/core/api/endpoint";

// Requests that our server refuses itself. The application must not see them, or would respond with a bare 500.

const METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"];
const PAGE_METHODS = ["GET", "HEAD"];

/** Dot segments and backslashes. Next resolves them, so the checked path would differ from the path it serves. */
const AMBIGUOUS = /\\|\/(\.|%2e){1,2}(\/|$)/i;

export type Refusal = [status: number, code: ErrorCode, error: string, headers?: Record<string, string>];

/** The paths of all pages and endpoints. The server refuses and logs requests before Next knows their routes. */
export interface Paths {
  isPage(pathname: string): boolean;
  /** Returns the route without ids and tokens. */
  routeOf(pathname: string): string;
  /** Returns the largest body in bytes. */
  bodyMaxOf(method: string, route: string): number;
  METRICS: string;
}

interface Terms {
  dev: boolean;
  paths: Paths;
  appUrl?: string;
  ready: boolean;
}

/** Returns the reason why a request must not reach the application; null if it may. */
export function refusalOf(request: IncomingMessage, { dev, paths, appUrl, ready }: Terms): Refusal | null {
  const { method = "", url = "", headers, rawHeaders } = request;
  const path = url.split("?", 1)[0] ?? "";
  // In development, Next's own tools post to paths outside the API.
  const allowed = dev || (path.startsWith("/api/") && !paths.isPage(path)) ? METHODS : PAGE_METHODS;
  if (!allowed.includes(method)) return [405, "method", "Method not allowed", { Allow: allowed.join(", ") }];
  if (!path.startsWith("/") || AMBIGUOUS.test(path) || !succeeds(() => decodeURIComponent(path)))
    return [400, "malformed", "The address is malformed."];
  if (request.httpVersion === "1.1" && !headers.host)
    return [400, "malformed", "The Host header is missing."];
  // Node uses the first header; a proxy in front may have used the last.
  if (rawHeaders.filter((name, at) => at % 2 === 0 && /^host$/i.test(name)).length > 1)
    return [400, "malformed", "There is more than one Host header."];
  if (appUrl && !isProbe(path, paths, headers) && !isFor(headers.host ?? "", appUrl))
    return [421, "misdirected", `This is ${appUrl}`];
  // Next responds to a state that it cannot read with a bare 500.
  if (!succeeds(() => parseAndValidateFlightRouterState(headers["next-router-state-tree"])))
    return [400, "malformed", "The Next-Router-State-Tree header is malformed."];
  if (/[^,\s]/.test((headers.expect ?? "").replace(/100-continue/i, "")))
    return [417, "malformed", "The Expect header is not supported."];
  const bytes = Number(headers["content-length"] ?? 0);
  const max = bytes > GUEST_BODY_MAX ? paths.bodyMaxOf(method, paths.routeOf(path)) : bytes;
  if (bytes > max) return [413, "too_large", tooLargeMessage(max)];
  if (!ready)
    return [503, "unavailable", "The program is starting. Please try again.", { "Retry-After": "2" }];
  return null;
}

/**
 * True if a request may use any host name, as load balancers and monitoring do. A page of another site cannot send
 * Authorization.
 */
const isProbe = (path: string, { METRICS }: Paths, { authorization }: IncomingMessage["headers"]) =>
  path === "/api/health" || path === "/api/health/live" || (path === METRICS && authorization !== undefined);

function succeeds(work: () => unknown): boolean {
  try {
    work();
    return true;
  } catch {
    return false;
  }
}

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/**
 * True if a `Host` header names the server at `appUrl`, or this machine itself. Ports are ignored, because a proxy may
 * listen on another port. This protects against DNS rebinding, where another site's name points to this server.
 */
function isFor(host: string, appUrl: string): boolean {
  const [, name = ""] = /^(\[[\da-f:.]+\]|[^\s/\\?#@:]+?)\.?(?::\d*)?$/.exec(host.toLowerCase()) ?? [];
  return name === new URL(appUrl).hostname || LOOPBACK.test(name);
}
