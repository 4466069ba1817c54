import { addRoute, createRouter, findRoute } from "rou3";
import { BODY_MAX, bodyMax } from "@/lib/core/api/endpoint";
import { PAGES, to } from "@/lib/core/pages";
import { endpoints } from "@/lib/endpoints";
import { lookupKeys } from "@/lib/lookups/registry";
import { recordKeys } from "@/lib/records/registry";

/** True for a page, including the page under the API's paths, which Next serves. */
export const isPage = (pathname: string): boolean =>
  pathname === to("apiDocs") || !/^\/(api|_next)\//.test(pathname);

/** The route of API paths without an endpoint. */
const NO_CALL = "/api/{...rest}";
const STATIC = "/_next/static/";
/** The address of the logo begins with it (`logoPath`). */
const BRANDING = "/branding/";
/** The path of the metrics, which is neither a page nor part of the API. */
export const METRICS = "/metrics";

const PAGE_PATHS = Object.values(PAGES).flatMap(({ path }) => {
  if (path.includes("{list}")) return lookupKeys.map((key) => path.replace("{list}", key));
  return path.includes("{records}") ? recordKeys.map((key) => path.replace("{records}", key)) : [path];
});

/** The paths of every page and endpoint. A test compares them with the files in app/. */
export const ROUTES: readonly string[] = [...new Set([...PAGE_PATHS, ...endpoints.map(({ path }) => path)])];

const router = createRouter<string>();
for (const route of ROUTES) addRoute(router, "", route.replaceAll(/\{(\w+)\}/g, ":$1"), route);

/** Returns the route that a path matches, with the text of its parameters. A literal segment wins over a parameter. */
export function matchRoute(pathname: string): { route: string; params: Record<string, string> } | null {
  // The router would ignore a trailing slash, but such a path matches no route here.
  const match = pathname === "/" || !pathname.endsWith("/") ? findRoute(router, "", pathname) : undefined;
  return match ? { route: match.data, params: match.params ?? {} } : null;
}

/**
 * Returns the route that a path matches, for logs and error reports. Ids and tokens are left out, and an unknown path
 * is `unmatched`, because it may contain anything.
 */
export function routeOf(pathname: string): string {
  for (const assets of [STATIC, BRANDING]) if (pathname.startsWith(assets)) return assets;
  if (pathname === METRICS) return METRICS;
  return matchRoute(pathname)?.route ?? (pathname.startsWith("/api/") ? NO_CALL : "unmatched");
}

/** Returns the largest body of a request in bytes, by its method and its route as `routeOf` returns it. */
export function bodyMaxOf(method: string, route: string): number {
  const endpoint = endpoints.find((endpoint) => endpoint.path === route && endpoint.method === method);
  return endpoint ? bodyMax(endpoint) : BODY_MAX;
}
