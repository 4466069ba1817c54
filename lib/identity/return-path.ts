/** Returns the path to open after sign-in: `url` if it is a path on this site, otherwise null. */
export function returnPath(url: string | null | undefined): string | null {
  const base = "http://this.site";
  // Browsers drop tabs and newlines and treat a backslash as a slash, so their own URL parser decides.
  if (!url?.startsWith("/") || !URL.canParse(url, base)) return null;
  const { origin, pathname, search, hash } = new URL(url, base);
  return origin === base && !pathname.startsWith("//") ? pathname + search + hash : null;
}
