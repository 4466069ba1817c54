/** Returns a query with readable brackets: `filters[userId]=3`, not `filters%5BuserId%5D=3`. */
export const readableQuery = (params: URLSearchParams): string =>
  params.toString().replaceAll("%5B", "[").replaceAll("%5D", "]");
