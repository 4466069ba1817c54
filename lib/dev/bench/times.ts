import type { Place } from "@/lib/dev/bench/place";
import { type Goal, inMs, median, type Report } from "@/lib/dev/bench/report";
import { REPORT_KEYS } from "@/lib/reports/definitions";

const START = { most: 10 };
const OWN = { most: 60 };
const SORTED = { most: 500 };
const SEARCH = { most: 200 };
const QUARTER = { most: 4_000 };

interface Call {
  name: string;
  path: string;
  goal: Goal;
  /** Sent by POST. */
  body?: unknown;
}

/**
 * How long people wait for lists, searches and reports, one call at a time. What the product takes for any call (the
 * time of GET /api/me) is subtracted, because the goals are those of the statements.
 */
export async function measureTimes(report: Report, place: Place, rounds: number): Promise<void> {
  report.section(`Times of single calls above that of /api/me, ${place.forms} forms, medians of ${rounds}`);
  const basis = await timeOf(place, { name: "me", path: "/api/me", goal: START }, 5 * rounds);
  report.add("GET /api/me", basis, inMs(basis));
  for (const call of await calls(place)) {
    const time = Math.max(0, (await timeOf(place, call, rounds)) - basis);
    report.add(call.name.replaceAll(/filters\[(\w+)\]=/g, "$1 "), time, inMs(time), call.goal);
  }
}

/** The median in milliseconds, after a first call that is not counted. */
async function timeOf({ url, cookie }: Place, { path, body }: Call, rounds: number): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round <= rounds; round++) {
    const start = performance.now();
    const answer = await fetch(url + path, {
      method: body ? "POST" : "GET",
      headers: { cookie, ...(body ? { "content-type": "application/json" } : {}) },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    await answer.arrayBuffer();
    if (!answer.ok) throw new Error(`${path} was answered ${answer.status}`);
    if (round > 0) times.push(performance.now() - start);
  }
  return median(times);
}

async function calls({ database }: Place): Promise<Call[]> {
  const value = async (sql: string) => (await database.query(sql)).rows[0]?.value;
  const busy = await value("SELECT user_id AS value FROM forms GROUP BY 1 ORDER BY count(*) DESC, 1 LIMIT 1");
  const client = await value(
    "SELECT client_id AS value FROM forms GROUP BY 1 ORDER BY count(*) DESC, 1 LIMIT 1",
  );
  const names =
    "SELECT lower(substring(name FROM '[[:alpha:]]{4,}$')) AS value FROM clients WHERE name ~ '[[:alpha:]]{4,}$' GROUP BY 1";
  const common = await value(`${names} ORDER BY count(*) DESC, 1 LIMIT 1`);
  const rare = await value(`${names} ORDER BY count(*), 1 LIMIT 1`);

  const list = (name: string, query: string, goal: Goal): Call => ({ name, path: `/api/${query}`, goal });
  const sorts = (resource: string, keys: string[], filters: string): Call[] =>
    keys.flatMap((key) =>
      ["asc", "desc"].map((order) =>
        list(
          `${resource} by ${key} ${order} ${filters}`.trim(),
          `${resource}?sort=${key}&order=${order}&${filters}`,
          SORTED,
        ),
      ),
    );
  const formSorts = ["client", "advocate", "formType", "serviceStatus", "serviceOn"];
  return [
    list("forms", "forms", START),
    list("clients", "clients", START),
    list("users", "users", START),
    list("one's own forms by day", `forms?filters[userId]=${busy}`, OWN),
    list("one's own forms by client", `forms?filters[userId]=${busy}&sort=client&order=asc`, OWN),
    ...sorts("forms", formSorts, ""),
    ...sorts("forms", formSorts, "filters[formStatus]=reconciled"),
    ...sorts("forms", formSorts, "filters[formStatus]=all"),
    ...sorts("clients", ["name", "advocate", "createdOn"], ""),
    ...sorts("users", ["fullName", "email", "role", "lastLoginAt"], ""),
    ...[
      "filters[formStatus]=reconciled&filters[from]=2024-03-01&filters[to]=2024-03-31",
      "filters[formStatus]=reconciled&filters[serviceStatus]=Not Served",
      `filters[formStatus]=reconciled&filters[clientId]=${client}`,
      "filters[returned]=true",
      "filters[formStatus]=all&page=400",
      "filters[formStatus]=all&page=20000",
    ].map((filters) => list(`forms ${filters}`, `forms?${filters}`, SORTED)),
    ...[common, rare, "an", "qqzzxx"].flatMap((word) => [
      list(`forms search ${word}`, `forms?filters[formStatus]=all&search=${word}`, SEARCH),
      list(`clients search ${word}`, `clients?search=${word}`, SEARCH),
      {
        name: `client picker search ${word}`,
        path: "/api/clients/search",
        body: { search: word },
        goal: SEARCH,
      },
    ]),
    {
      name: "similar names",
      path: "/api/clients/similar",
      body: { name: "Katherine O'Brien-Nunez" },
      goal: SEARCH,
    },
    ...REPORT_KEYS.map((key) =>
      list(`report ${key}, a quarter`, `reports/${key}?from=2026-07-01&to=2026-09-30`, QUARTER),
    ),
  ];
}
