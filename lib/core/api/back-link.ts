import { fromQuery, readableQuery } from "@/lib/core/api/query";
import { to } from "@/lib/core/pages";

/** The query of a page's URL, unparsed. */
export type Search = Record<string, string | string[] | undefined>;

/** The name in `?from=` of the client's page from which a form or the client was opened. */
const THREAD = "thread";

/** The name in `?from=` of the path of a report's list. */
const RECORDS = "records";

/** The name in `?from=` of the row of that list from which a record was opened. */
const ROW = "row";

/** The paths that `?from=` may contain, so that it cannot redirect elsewhere. */
const RECORDS_PATH = /^\/reports\/\w+\/(gaps|lines|submissions)\/\w+$/;

const stateIn = ({ from }: Search) => new URLSearchParams(String(from ?? ""));

/**
 * Returns the URL of the list as the user left it: the one at `path`, or the report's list that led to the record. For the
 * list at `path`, `?from=` contains only the query, so it cannot redirect elsewhere.
 */
export function backTo(path: string, search: Search): string {
  const state = stateIn(search);
  const records = state.get(RECORDS) ?? "";
  const row = Number(state.get(ROW));
  for (const name of [THREAD, RECORDS, ROW]) state.delete(name);
  const query = state.size > 0 ? `?${readableQuery(state)}` : "";
  return RECORDS_PATH.test(records) ? `${records}${query}#${rowAnchor(row)}` : path + query;
}

/** Returns the anchor of a row of a report's list of records. */
export const rowAnchor = (row: number): string => `row-${row}`;

/** Returns the query `?from=…` of links from a row of a report's list, at `path` with `query`, to the row's records. */
export const fromRecords = (path: string, query: string, row: number): string => {
  const state = new URLSearchParams(query);
  state.set(RECORDS, path);
  state.set(ROW, String(row));
  return fromQuery({ from: state.toString() });
};

/** True if a report's list led to the record. Its rows are of several kinds, so the record has no neighbors there. */
export const isFromRecords = (search: Search): boolean => stateIn(search).has(RECORDS);

/**
 * Returns the query `?from=…` of links from a client's page to the client's forms. Their Previous and Next stay with the
 * client, and `backToOrigin` returns to the page.
 */
export function fromThread(clientId: number, search: Search): string {
  const state = Object.entries(search).map(([name, value]): [string, string] => [name, String(value ?? "")]);
  const thread = new URLSearchParams(state).toString();
  const list = { "filters[clientId]": String(clientId), "filters[formStatus]": "all", [THREAD]: thread };
  return fromQuery({ from: new URLSearchParams(list).toString() });
}

/** Returns the URL to go back to from a record: the client's page that led there, or else the list that `backTo` returns. */
export function backToOrigin(path: string, search: Search): string {
  const state = stateIn(search);
  const id = state.get("filters[clientId]");
  const thread = state.get(THREAD);
  if (!id || thread === null) return backTo(path, search);
  return to("clientsShow", { id }) + (thread && `?${readableQuery(new URLSearchParams(thread))}`);
}
