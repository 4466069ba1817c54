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

/** What `routeOf` answers for paths of no call. */
export const NO_CALL = "/api/{...rest}";
const STATIC = "/_next/static/";

/** Every page and every call (spec §2, §7); a test compares them with the files in app/. */
export const ROUTES: readonly string[] = [
  ...new Set([...PAGES, ...endpoints.map(({ path }) => path)]),
  NO_CALL,
];

/** The routes as a tree of path segments; a parameter is stored under `{}`. */
type Node = { route?: string; next: Map<string, Node> };
const root: Node = { next: new Map() };
for (const route of ROUTES) {
  if (route === NO_CALL) continue;
  let node = root;
  for (const segment of route.split("/")) {
    const key = segment.startsWith("{") ? "{}" : segment;
    const next = node.next.get(key) ?? { next: new Map() };
    node.next.set(key, next);
    node = next;
  }
  node.route = route;
}

/**
 * The route that a path matches, for logs and error reports. Ids and tokens are left out, and an unknown path is
 * `unmatched`, because it may contain anything.
 */
export function routeOf(pathname: string): string {
  if (pathname.startsWith(STATIC)) return STATIC;
  return find(root, pathname.split("/")) ?? (pathname.startsWith("/api/") ? NO_CALL : "unmatched");
}

/** The largest body in bytes that a request may have, by its method and what `routeOf` answers. */
export const bodyMaxOf = (method: string, route: string): number =>
  endpoints.find((endpoint) => endpoint.path === route && endpoint.method === method)?.maxBytes ?? BODY_MAX;

/** A literal segment takes precedence over a parameter. */
function find(node: Node, [segment, ...rest]: string[]): string | undefined {
  if (segment === undefined) return node.route;
  const written = node.next.get(segment);
  const parameter = segment === "" ? undefined : node.next.get("{}");
  return (written && find(written, rest)) ?? (parameter && find(parameter, rest));
}
