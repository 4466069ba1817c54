import { readableQuery } from "@/lib/core/fields/query";
import { to } from "@/lib/core/pages";

/** The query of a page's URL, unparsed. */
export type Search = Record<string, string | string[] | undefined>;

/** The name in `?from=` of the query of the client's page from which a form was opened. */
const THREAD = "thread";

const stateIn = ({ from }: Search) => new URLSearchParams(String(from ?? ""));

/**
 * Returns the URL of the list as the user left it. `?from=` contains only the list's query, so it cannot redirect
 * elsewhere.
 */
export function backTo(path: string, search: Search): string {
  const state = stateIn(search);
  state.delete(THREAD);
  return path + (state.size > 0 ? `?${readableQuery(state)}` : "");
}

/** Returns the query `?from=…` of a record's page, or "", so that pages that it links to lead back too. */
export const fromQuery = ({ from }: Search): string =>
  from ? `?${new URLSearchParams({ from: String(from) })}` : "";

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

/** Returns the URL to return to from a form: the client's page that led there, else the forms list. */
export function backToOrigin(search: Search): string {
  const state = stateIn(search);
  const [id, thread] = [state.get("filters[clientId]"), state.get(THREAD)];
  if (!id || thread === null) return backTo(to("formsList"), search);
  return to("clientsShow", { id }) + (thread && `?${readableQuery(new URLSearchParams(thread))}`);
}
