import { plainRecordKeys, recordKeys } from "@/lib/records/registry";

// The URLs of every endpoint that reads and of every page, for tests that search the responses for data that a user must
// not see, and for those of the largest record. If the path or query of a new endpoint or page needs a value that is not
// in `segmentsOf` or QUERIES, add it here.

export const PERIOD = "from=2026-01-01&to=2026-03-31";

/** The ids to put into the paths. */
export type EveryRead = {
  clientIds: number[];
  formIds: number[];
  contactIds: number[];
  stayIds: number[];
  groupIds: number[];
  /** A session of each group, by the group's id. */
  sessionOf: Record<number, number>;
  /** The ids of declared records, by their plural names. */
  recordIds: Readonly<Record<string, number[]>>;
  userId: number;
  submissionId: number;
};

/** The kind of declared record of a path that names none. */
const FIRST_KIND = plainRecordKeys[0] ?? "";

/** Values for the parameters of a path. All others are 1. */
const segmentsOf = (path: string, id: number, reads: EveryRead): Record<string, string | number> => ({
  "{id}": /^(\/api)?\/reports\//.test(path) ? reads.submissionId : id,
  "{key}": path.startsWith("/api/drafts/") ? "of-new" : "pmt",
  "{lineKey}": "individuals_served",
  "{field}": "minutes",
  "{token}": "none",
  "{sessionId}": reads.sessionOf[id] ?? 1,
  "{userId}": reads.userId,
  "{list}": "canines",
  "{records}": FIRST_KIND,
  "{report}": "pmt",
  "{line}": "individuals_served",
  "{page}": "first-day",
});

/** Returns the path of an endpoint or page with `id` for its record. */
export const pathOf = ({ path }: { path: string }, id: number, reads: EveryRead): string =>
  path.replace(/\{\w+\}/g, (name) => String(segmentsOf(path, id, reads)[name] ?? 1));

/** The queries with which a list is read, in addition to none. `{word}` is searched; `{client}` is the first client. */
const QUERIES: Record<string, string[]> = {
  "/api/clients": ["search={word}", "sort=name", "page=150&perPage=100"],
  "/api/clients.csv": ["search={word}", "columns=all"],
  "/api/forms": [
    "filters[formStatus]=all",
    "filters[returned]=true",
    "filters[formStatus]=all&search={word}",
  ],
  "/api/forms.csv": ["filters[formStatus]=all", "filters[formStatus]=all&columns=all"],
  "/api/audit_events": [
    "filters[entity]=client",
    "filters[entity]=form",
    "filters[entity]=stay",
    "filters[action]=restricted",
    "filters[action]=listed",
    "filters[entityId]={client}",
  ],
  "/api/retention/clients": ["filters[held]=true", "search={word}"],
  "/api/retention/clients.csv": ["filters[held]=true", "search={word}"],
  "/api/closed_periods/open_work": ["through=2026-03-31"],
  "/api/reports/time": [PERIOD],
  "/api/reports/time/csv": [PERIOD],
  "/api/reports/{key}": [PERIOD, `${PERIOD}&share=true`],
  "/api/reports/{key}/csv": [PERIOD, `${PERIOD}&share=true`],
  "/api/reports/{key}/gaps": [PERIOD],
  "/api/reports/{key}/gaps/{field}/records.csv": [PERIOD],
  "/api/reports/{key}/lines/{lineKey}": [PERIOD],
  "/api/reports/{key}/lines/{lineKey}/records.csv": [PERIOD],
  "/clients": ["search={word}"],
  "/forms": ["formStatus=all"],
  "/forms/review": ["ids={form}"],
  "/reports/time": [PERIOD],
  "/reports/{report}": [PERIOD],
  "/reports/{report}/gaps/{field}": [PERIOD],
  "/reports/{report}/lines/{line}": [PERIOD],
};

/** Returns the ids of the records that a call or page with an id is about. */
export function idsOf(
  { path }: { path: string },
  { clientIds, formIds, contactIds, stayIds, groupIds, recordIds }: EveryRead,
): number[] {
  const [, , list] = /^(\/api)?\/(\w+)\//.exec(path.replace("{records}", FIRST_KIND)) ?? [];
  if (list === "stays") return stayIds;
  if (list === "groups") return groupIds;
  if (list === "contacts") return contactIds;
  if (list === "clients") return clientIds;
  return recordKeys.some((key) => key === list) ? (recordIds[list ?? ""] ?? []) : formIds;
}

/** Yields the URLs of an endpoint that reads or of a page, for each of the records. `word` is searched in lists. */
export function* addressesOf({ path }: { path: string }, reads: EveryRead, word: string): Generator<string> {
  for (const key of path.includes("{records}") ? plainRecordKeys : [FIRST_KIND])
    yield* addressesOfOne({ path: path.replace("{records}", key) }, reads, word);
}

function* addressesOfOne(target: { path: string }, reads: EveryRead, word: string): Generator<string> {
  const ids = idsOf(target, reads);
  const values: Record<string, string> = {
    "{word}": word,
    "{client}": String(reads.clientIds[0]),
    "{form}": String(reads.formIds[0]),
  };
  for (const id of new Set(target.path.includes("{id}") ? ids : [0]))
    for (const query of ["", ...(QUERIES[target.path.replace(/\.xlsx$/, ".csv")] ?? [])])
      yield `${pathOf(target, id, reads)}${query && `?${query.replace(/\{\w+\}/, (name) => values[name] ?? "")}`}`;
}
