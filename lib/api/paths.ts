import { isLookupKey } from "@/lib/lookups/registry";

/** Every page and call there is (spec §2, §7); a test compares them with the files in app/. */
export const ROUTES = [
  "/",
  "/forgot_password",
  "/update_password/{token}",
  "/account/{token}/activate",
  "/profile",
  "/forms",
  "/forms/new",
  "/forms/{id}/edit",
  "/clients",
  "/clients/new",
  "/clients/{id}/edit",
  "/settings/{list}",
  "/settings/{list}/new",
  "/settings/{list}/{id}/edit",
  "/api/health",
  "/api/browser_errors",
  "/api/login",
  "/api/logout",
  "/api/me",
  "/api/profile",
  "/api/forgot_password",
  "/api/account/{token}/activate",
  "/api/sessions",
  "/api/sessions/current",
  "/api/sessions/{id}",
  "/api/drafts",
  "/api/drafts/{key}",
  "/api/resource_lists/{...list}",
  "/api/clients",
  "/api/clients/search",
  "/api/clients/similar",
  "/api/clients/{id}",
  "/api/forms",
  "/api/forms/{id}",
  "/api/forms/{id}/reconcile",
  "/api/users/{id}/reset_password",
  "/api/{collection}",
  "/api/{collection}/{id}",
  "/api/{...rest}",
];

const STATIC = "/_next/static/";

/**
 * The route that a path belongs to, for logs and reports: ids and tokens are left out, and a path nobody knows is
 * `unmatched`, since it may hold anything. The name of a settings list stays.
 */
export function routeOf(pathname: string): string {
  if (pathname.startsWith(STATIC)) return STATIC;
  const given = pathname.split("/");
  for (const route of ROUTES) {
    const named = match(route.split("/"), given);
    if (named) return named.join("/");
  }
  return "unmatched";
}

function match(wanted: string[], given: string[]): string[] | null {
  const rest = wanted.at(-1)?.startsWith("{...");
  if (rest ? given.length < wanted.length : given.length !== wanted.length) return null;
  const fits = wanted.every((part, index) => {
    const value = given[index] ?? "";
    if (part === "{list}" || part === "{collection}") return isLookupKey(value);
    return part.startsWith("{") ? value !== "" : part === value;
  });
  return fits
    ? wanted.map((part, index) => (/^\{(list|collection)\}$/.test(part) ? (given[index] ?? "") : part))
    : null;
}
