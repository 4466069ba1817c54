import type { Place } from "@/lib/dev/bench/place";
import { type Goal, inMs, median, type Report } from "@/lib/dev/bench/report";
import { REPORT_KEYS } from "@/lib/reports/definitions";

/** Goals in milliseconds. */
const START = { most: 10 };
const OWN = { most: 60 };
const SORTED = { most: 500 };
const SEARCH = { most: 200 };
const QUARTER = { most: 4_000 };
const YEAR = { most: 8_000 };

/** A GET, or a POST of the body. */
type Call = readonly [goal: Goal, path: string, body?: object];

/**
 * Measures the time of lists, searches and reports, one call at a time. The product's time for any call (that of GET
 * /api/me) is subtracted, because the goals apply to the statements.
 */
export async function measureTimes(report: Report, place: Place, rounds: number): Promise<void> {
  report.section(`Times of single calls above that of /api/me, ${place.forms} forms, medians of ${rounds}`);
  const basis = await timeOf(place, [START, "me"], 5 * rounds);
  report.add("me", basis, inMs(basis));
  for (const call of await calls(place)) {
    const [goal, path, body] = call;
    const time = Math.max(0, (await timeOf(place, call, rounds)) - basis);
    const name = body ? `${path} ${JSON.stringify(body)}` : path;
    report.add(name.replaceAll(/filters\[(\w+)\]/g, "$1"), time, inMs(time), goal);
  }
}

/** Returns the median in milliseconds, after a first call that does not count; NaN if a call is refused. */
async function timeOf({ url, cookie }: Place, [, path, body]: Call, rounds: number): Promise<number> {
  const headers = { cookie, "content-type": "application/json" };
  const init = { headers, ...(body && { method: "POST", body: JSON.stringify(body) }) };
  const times: number[] = [];
  for (let round = 0; round <= rounds; round++) {
    const start = performance.now();
    const response = await fetch(`${url}/api/${path}`, init);
    await response.arrayBuffer();
    if (response.status === 503) return Number.NaN;
    if (!response.ok) throw new Error(`${path} failed with ${response.status}`);
    if (round > 0) times.push(performance.now() - start);
  }
  return median(times);
}

async function calls({ query }: Place): Promise<Call[]> {
  const mostFrequent = "mode() WITHIN GROUP (ORDER BY";
  const [forms] = await query<{ user: number; client: number }>(
    `SELECT ${mostFrequent} user_id) AS user, ${mostFrequent} client_id) AS client FROM forms`,
  );
  const names = await query<{ name: string }>(
    `SELECT lower(substring(name FROM '[[:alpha:]]{4,}$')) AS name FROM clients
     WHERE name ~ '[[:alpha:]]{4,}$' GROUP BY 1 ORDER BY count(*), 1`,
  );
  const sorts = (resource: string, keys: string[], filters = ""): Call[] =>
    keys.flatMap((key) =>
      ["asc", "desc"].map((order) => [SORTED, `${resource}?sort=${key}&order=${order}${filters}`] as const),
    );
  const formSorts = ["client", "advocate", "formType", "serviceStatus", "serviceOn"];
  const all = "filters[formStatus]=all";
  const reconciled = "filters[formStatus]=reconciled";
  return [
    [START, "forms"],
    [START, "clients"],
    [START, "users"],
    [OWN, `forms?filters[userId]=${forms?.user}`],
    [OWN, `forms?filters[userId]=${forms?.user}&sort=client&order=asc`],
    ...sorts("forms", formSorts),
    ...sorts("forms", formSorts, `&${reconciled}`),
    ...sorts("forms", formSorts, `&${all}`),
    ...sorts("clients", ["name", "advocate", "createdOn"]),
    ...sorts("users", ["fullName", "email", "role", "lastLoginAt"]),
    [SORTED, `forms?${reconciled}&filters[from]=2024-03-01&filters[to]=2024-03-31`],
    [SORTED, `forms?${reconciled}&filters[serviceStatus]=Not Served`],
    [SORTED, `forms?${reconciled}&filters[clientId]=${forms?.client}`],
    [SORTED, "forms?filters[returned]=true"],
    [SORTED, `forms?${all}&page=400`],
    [SORTED, `forms?${all}&page=20000`],
    ...[names.at(-1)?.name, names[0]?.name, "an", "qqzzxx"].flatMap((search): Call[] => [
      [SEARCH, `forms?${all}&search=${search}`],
      [SEARCH, `clients?search=${search}`],
      [SEARCH, "clients/search", { search }],
    ]),
    [SEARCH, "clients/similar", { name: "Katherine O'Brien-Nunez" }],
    ...REPORT_KEYS.flatMap((key): Call[] => [
      [QUARTER, `reports/${key}?from=2026-07-01&to=2026-09-30`],
      [YEAR, `reports/${key}?from=2025-10-01&to=2026-09-30`],
    ]),
  ];
}
