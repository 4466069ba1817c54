import "server-only";
import type { IncomingMessage } from "node:http";
import { parseAndValidateFlightRouterState } from "next/dist/server/app-render/parse-and-validate-flight-router-state.js";
import { GUEST_BODY_MAX, tooLargeMessage } from "@/lib/core/api/endpoint";
import type { ErrorCode } from "@/lib/core/errors";

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

/** The most parts that a request may have. Next reads each parameter once for each time that its name is repeated. */
const MOST = { parameters: 100, cookies: 200, headers: 100, values: 100, segments: 50, repetitions: 20 };
/** The most objects and lists in Next's description of a page. Those of our pages have 20. Next needs 1 ms for each. */
const ROUTER_STATE_MAX = 100;

interface Terms {
  dev: boolean;
  paths: Paths;
  appUrl?: string;
  ready: boolean;
}

/** Returns the reason why a request must not reach the application; null if it may. */
export function refusalOf(request: IncomingMessage, { dev, paths, appUrl, ready }: Terms): Refusal | null {
  const { method = "", url = "", headers, rawHeaders, httpVersion } = request;
  const path = url.split("?", 1)[0] ?? "";
  const excess = excessOf(request);
  if (excess) return [400, "malformed", `The request has ${excess}.`, { Connection: "close" }];
  // A proxy in front may read the same bytes as other requests.
  if (!["1.0", "1.1"].includes(httpVersion) || !isFramed(request))
    return [400, "malformed", "The request is malformed.", { Connection: "close" }];
  // In development, Next's own tools post to paths outside the API.
  const allowed = dev || (path.startsWith("/api/") && !paths.isPage(path)) ? METHODS : PAGE_METHODS;
  if (!allowed.includes(method)) return [405, "method", "Method not allowed", { Allow: allowed.join(", ") }];
  if (!path.startsWith("/") || AMBIGUOUS.test(path) || !succeeds(() => decodeURIComponent(path)))
    return [400, "malformed", "The address is malformed."];
  if (httpVersion === "1.1" && !headers.host) return [400, "malformed", "The Host header is missing."];
  // Node uses the first header; a proxy in front may have used the last.
  if (rawHeaders.filter((name, at) => at % 2 === 0 && /^host$/i.test(name)).length > 1)
    return [400, "malformed", "There is more than one Host header."];
  if (appUrl && !isProbe(path, paths, headers) && !isFor(headers.host ?? "", appUrl))
    return [421, "misdirected", `This is ${appUrl}`];
  if (!isRouterState(headers["next-router-state-tree"]))
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

/** Returns the part of which a request has too many, in words; null if there is none. Parses only counted parts. */
function excessOf({ url = "", headers, rawHeaders }: IncomingMessage): string | null {
  const headerNames = rawHeaders.filter((_, at) => at % 2 === 0).map((name) => name.toLowerCase());
  if (headerNames.length > MOST.headers) return `more than ${MOST.headers} headers`;
  const [path = "", query = ""] = splitOnce(url, "?");
  if (hasMore(path, "/", MOST.segments + 1)) return `more than ${MOST.segments} parts in its path`;
  if (hasMore(query, "&", MOST.parameters)) return `more than ${MOST.parameters} parameters`;
  const cookies = headers.cookie ?? "";
  if (hasMore(cookies, ";", MOST.cookies)) return `more than ${MOST.cookies} cookies`;
  const isList = ([name, value]: [string, unknown]) =>
    name !== "cookie" && hasMore(String(value), ",", MOST.values);
  const list = Object.entries(headers).find(isList);
  if (list) return `more than ${MOST.values} values in the header ${list[0]}`;
  const cookieNames = cookies.split(";").map((pair) => splitOnce(pair, "=")[0]?.trim() ?? "");
  const names = {
    parameter: [...new URLSearchParams(query).keys()],
    cookie: cookieNames,
    header: headerNames,
  };
  const repeated = Object.entries(names).find(([, each]) => isRepeated(each));
  return repeated ? `more than ${MOST.repetitions} times the same ${repeated[0]}` : null;
}

const hasMore = (text: string, separator: string, most: number) =>
  text.split(separator, most + 1).length > most;

const splitOnce = (text: string, separator: string): string[] => {
  const at = text.indexOf(separator);
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + 1)];
};

function isRepeated(names: readonly string[]): boolean {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return Math.max(0, ...counts.values()) > MOST.repetitions;
}

/** True if Next can read the state at little cost. It responds to one that it cannot read with a bare 500. */
const isRouterState = (state: string | string[] | undefined): boolean =>
  succeeds(() => {
    let count = 0;
    if (typeof state === "string")
      JSON.parse(decodeURIComponent(state), (_, value) => {
        if (typeof value === "object") count += 1;
        return value;
      });
    if (count > ROUTER_STATE_MAX) throw new Error("The state is too large");
    parseAndValidateFlightRouterState(state);
  });

/** True if every server finds the same end of the request's body. HTTP/1.0 has no chunks. */
function isFramed({ httpVersion, headers }: IncomingMessage): boolean {
  const encoding = headers["transfer-encoding"];
  return encoding === undefined || (httpVersion === "1.1" && encoding.toLowerCase() === "chunked");
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
