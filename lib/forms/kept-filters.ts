import { readableQuery } from "@/lib/fields/query";

// The filters of the forms list are kept in the browser, separately for each user, and apply when the list is opened
// without any. Neither the client filter nor the search is kept, because they could identify a client.

const KEPT = ["formStatus", "userId", "formTypeId", "serviceStatus", "from", "to", "returned"] as const;

/** The cookie of a user's filters; it is sent with requests for the list and its forms alone. */
export const filtersCookie = (userId: number): string => `forms-filters-${userId}`;
export const FILTERS_PATH = "/forms";

/** Of the query of a forms list, the filters that are kept, as a query again; "" where there are none. */
export function keptFilters(query: URLSearchParams): string {
  const kept = KEPT.map((name) => `filters[${name}]`).flatMap((key): [string, string][] => {
    const value = query.get(key);
    return value ? [[key, value]] : [];
  });
  return readableQuery(new URLSearchParams(kept));
}
