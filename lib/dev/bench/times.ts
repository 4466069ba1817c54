import type { Place } from "@/lib/dev/bench/place";
import { type Goal, inMs, median, type Report } from "@/lib/dev/bench/report";
import { REPORT_KEYS } from "@/lib/reports/definitions";

/** Goals in milliseconds. */
const START = { most: 10 };
const OWN = { most: 60 };
const SORTED = { most: 500 };
const SEARCH = { most: 200 };
const QUARTER = { most: 4_000 };

/** A GET, or a POST of the body. */
type Call = { name: string; path: string; goal: Goal; body?: object };

/**
 * Measures the time of lists, searches and reports, one call at a time. The product's time for any call (that of GET
 * /api/me) is subtracted, because the goals apply to the statements.
 */
export async function measureTimes(report: Report, place: Place, rounds: number): Promise<void> {
  report.section(`Times of single calls above that of /api/me, ${place.forms} forms, medians of ${rounds}`);
  const basis = await timeOf(place, { name: "me", path: "/api/me", goal: START }, 5 * rounds);
  report.add("GET /api/me", basis, inMs(basis));
  for (const call of await calls(place)) {
    const time = Math.max(0, (await timeOf(place, call, rounds)) - basis);
    report.add(call.name.replaceAll(/filters\[(\w+)\]/g, "$1"), time, inMs(time), call.goal);
  }
}

/** Returns the median in milliseconds, after a first call that does not count. */
async function timeOf({ url, cookie }: Place, { path, body }: Call, rounds: number): Promise<number> {
  const init: RequestInit = body
    ? {
        method: "POST",
        headers: { cookie, "content-type": "application/json" },
        body: JSON.stringify(body),
      }
    : { headers: { cookie } };
  const times: number[] = [];
  for (let round = 0; round <= rounds; round++) {
    const start = performance.now();
    const response = await fetch(url + path, init);
    await response.arrayBuffer();
    if (!response.ok) throw new Error(`${path} failed with ${response.status}`);
    if (round > 0) times.push(performance.now() - start);
  }
  return median(times);
}

async function calls({ query }: Place): Promise<Call[]> {
  const mostFrequent = async (column: string) =>
    (
      await query<{ id: number }>(
        `SELECT ${column} AS id FROM forms GROUP BY 1 ORDER BY count(*) DESC, 1 LIMIT 1`,
      )
    )[0]?.id;
  const [user, client] = [await mostFrequent("user_id"), await mostFrequent("client_id")];
  const names = await query<{ name: string }>(
    `SELECT lower(substring(name FROM '[[:alpha:]]{4,}$')) AS name FROM clients
     WHERE name ~ '[[:alpha:]]{4,}$' GROUP BY 1 ORDER BY count(*), 1`,
  );
  const [common, rare] = [names.at(-1)?.name, names[0]?.name];

  const list = (path: string, goal: Goal): Call => ({ name: path, path: `/api/${path}`, goal });
  const sorts = (resource: string, keys: string[], filters = ""): Call[] =>
    keys.flatMap((key) => [
      list(`${resource}?sort=${key}&order=asc${filters}`, SORTED),
      list(`${resource}?sort=${key}&order=desc${filters}`, SORTED),
    ]);
  const search = (resource: string, body: object): Call => ({
    name: `${resource} ${JSON.stringify(body)}`,
    path: `/api/${resource}`,
    goal: SEARCH,
    body,
  });
  const formSorts = ["client", "advocate", "formType", "serviceStatus", "serviceOn"];
  const reconciled = "&filters[formStatus]=reconciled";
  return [
    ...["forms", "clients", "users"].map((path) => list(path, START)),
    list(`forms?filters[userId]=${user}`, OWN),
    list(`forms?filters[userId]=${user}&sort=client&order=asc`, OWN),
    ...sorts("forms", formSorts),
    ...sorts("forms", formSorts, reconciled),
    ...sorts("forms", formSorts, "&filters[formStatus]=all"),
    ...sorts("clients", ["name", "advocate", "createdOn"]),
    ...sorts("users", ["fullName", "email", "role", "lastLoginAt"]),
    ...[
      `${reconciled}&filters[from]=2024-03-01&filters[to]=2024-03-31`,
      `${reconciled}&filters[serviceStatus]=Not Served`,
      `${reconciled}&filters[clientId]=${client}`,
      "&filters[returned]=true",
      "&filters[formStatus]=all&page=400",
      "&filters[formStatus]=all&page=20000",
    ].map((filters) => list(`forms?${filters.slice(1)}`, SORTED)),
    ...[common, rare, "an", "qqzzxx"].flatMap((word) => [
      list(`forms?filters[formStatus]=all&search=${word}`, SEARCH),
      list(`clients?search=${word}`, SEARCH),
      search("clients/search", { search: word }),
    ]),
    search("clients/similar", { name: "Katherine O'Brien-Nunez" }),
    ...REPORT_KEYS.map((key) => list(`reports/${key}?from=2026-07-01&to=2026-09-30`, QUARTER)),
  ];
}
