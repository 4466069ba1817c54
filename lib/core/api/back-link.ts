import { readableQuery } from "@/lib/core/fields/query";

/** The query of a page's URL, unparsed. */
export type Search = Record<string, string | string[] | undefined>;

/**
 * Returns the URL of the list as the user left it. `?from=` contains only the list's query, so it cannot redirect
 * elsewhere.
 */
export function backTo(path: string, { from }: Search): string {
  const state = readableQuery(new URLSearchParams(String(from ?? "")));
  return path + (state && `?${state}`);
}

/**
 * Returns the query `?from=…` of a record's page for its links to other pages, or "", so that those also lead back.
 */
export const fromQuery = ({ from }: Search): string =>
  from ? `?${new URLSearchParams({ from: String(from) })}` : "";
