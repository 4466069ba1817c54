import { addRoute, createRouter, findRoute } from "rou3";
import { BODY_MAX } from "@/lib/api/endpoint";
import { endpoints } from "@/lib/api/endpoints";
import { lookupKeys } from "@/lib/lookups/registry";

const PAGES = [
  "/",
  "/forgot_password",
  "/update_password/{token}",
  "/account/{token}/activate",
  "/single_sign_on",
  "/profile",
  "/two_step",
  "/forms",
  "/forms/new",
  "/forms/{id}/edit",
  "/forms/{id}/history",
  "/clients",
  "/clients/new",
  "/clients/{id}",
  "/clients/{id}/edit",
  "/clients/{id}/merge",
  "/clients/{id}/history",
  "/clients/{id}/print",
  "/home",
  "/reports",
  "/reports/time",
  "/reports/{report}",
  "/reports/{report}/gaps/{field}",
  "/reports/{report}/lines/{line}",
  "/reports/{report}/submissions/{id}",
  "/settings",
  "/settings/closed_periods",
  "/settings/reports/{report}",
  "/settings/audit_log",
  "/settings/retention",
  "/settings/imports",
  "/settings/all_data",
  "/api/docs",
  ...lookupKeys.flatMap((list) => [
    `/settings/${list}`,
    `/settings/${list}/new`,
    `/settings/${list}/{id}/edit`,
  ]),
];

/** A page among the paths of the API, which Next answers. */
export const isPage = (pathname: string): boolean =>
  pathname === "/api/docs" || !/^\/(api|_next)\//.test(pathname);

/** The route of API paths without an endpoint. */
export const NO_CALL = "/api/{...rest}";
const STATIC = "/_next/static/";

/** The paths of every page and endpoint. A test compares them with the files in app/. */
export const ROUTES: readonly string[] = [...new Set([...PAGES, ...endpoints.map(({ path }) => path)])];

const router = createRouter<string>();
for (const route of ROUTES) addRoute(router, "", route.replaceAll(/\{(\w+)\}/g, ":$1"), route);

/** Returns the route that a path matches, with the text of its parameters. A literal segment wins over a parameter. */
export function matchRoute(pathname: string): { route: string; params: Record<string, string> } | null {
  // The router would ignore a slash at the end, which names no path here.
  const found = pathname === "/" || !pathname.endsWith("/") ? findRoute(router, "", pathname) : undefined;
  return found ? { route: found.data, params: found.params ?? {} } : null;
}

/**
 * Returns the route that a path matches, for logs and error reports. Ids and tokens are left out, and an unknown path is
 * `unmatched`, because it may contain anything.
 */
export function routeOf(pathname: string): string {
  if (pathname.startsWith(STATIC)) return STATIC;
  return matchRoute(pathname)?.route ?? (pathname.startsWith("/api/") ? NO_CALL : "unmatched");
}

/** Returns the largest body in bytes that a request may have, by its method and what `routeOf` returns. */
export const bodyMaxOf = (method: string, route: string): number =>
  endpoints.find((endpoint) => endpoint.path === route && endpoint.method === method)?.maxBytes ?? BODY_MAX;
