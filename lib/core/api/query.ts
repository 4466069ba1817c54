/** Returns a query with readable brackets: `filters[userId]=3`, not `filters%5BuserId%5D=3`. */
export const readableQuery = (params: URLSearchParams): string =>
  params.toString().replaceAll("%5B", "[").replaceAll("%5D", "]");

/**
 * The most characters of a list's state in a link. A page has a link in each of its rows, so a longer state would be
 * repeated in each. Without it, links lead back to the list as its plain address shows it.
 */
const STATE_MAX = 2_000;

/** Returns the query `?from=…` of a record's page, or "", so that pages that it links to lead back too. */
export const fromQuery = ({ from }: { from?: string | string[] | undefined }): string => {
  const query = from ? `?${new URLSearchParams({ from: String(from) })}` : "";
  return query.length > STATE_MAX ? "" : query;
};
