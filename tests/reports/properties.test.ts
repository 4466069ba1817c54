import { beforeAll, describe, expect, test } from "vitest";
import { db } from "@/lib/core/database/client";
import { utcDay } from "@/lib/core/text/format";
import { fillDatabase } from "@/lib/dev/data/fill";
import {
  countsClients,
  lineOf,
  linesOf,
  type ReportKey,
  reports,
  type Unit,
} from "@/lib/reports/definitions";
import { isValidOn, type Mapping } from "@/lib/reports/mapping";
import { call } from "@/tests/call";
import { makeUser, type Person } from "@/tests/factories";
import { readGaps, readNumbers, readRecordsBehind } from "./world";

// Invariants of every report, checked on 2,000 generated forms.

let viewer: Person;
let advocates: number[];
let phone: number;
beforeAll(async () => {
  await fillDatabase(String(process.env.DATABASE_URL), { forms: 2_000 });
  // The generated users have the same email addresses that makeUser creates.
  await db().$executeRaw`UPDATE users SET email = 'generated-' || email`;
  viewer = await makeUser([
    "forms",
    "clients",
    "contacts",
    "shelter",
    "all-forms",
    "reports",
    "reports-setup",
  ]);
  advocates = (
    await db().form.groupBy({ by: ["userId"], _count: true, orderBy: { _count: { userId: "desc" } } })
  ).map(({ userId }) => userId);
  phone = (await db().formType.findUniqueOrThrow({ where: { name: "Phone" } })).id;
});

const sum = (counts: Record<string, number>, keys: readonly string[]) =>
  keys.reduce((total, key) => total + (counts[key] ?? 0), 0);

/** Adds up, row by row, the amount of these forms on a line of times or minutes according to the setup. */
async function amountOn(report: ReportKey, key: string, unit: Unit, forms: readonly number[]) {
  const { mappings } = (await call(viewer.cookie, "GET", `/api/reports/${report}/setup`)).body.setup;
  const rows = await db().serviceProvidedEntry.findMany({
    where: { minutes: { gt: 0 }, serviceEntry: { formId: { in: [...forms] } } },
    include: { serviceEntry: { include: { form: true } } },
  });
  if (unit === "minutes") return rows.reduce((total, { minutes }) => total + minutes, 0);
  return rows.filter(({ serviceCodeId, serviceEntry: { form } }) => {
    const valid = mappings.filter(
      (mapping: Mapping) =>
        mapping.kind === (report === "fvpsa" ? "fvpsa_service" : "service_code") &&
        mapping.source === String(serviceCodeId) &&
        isValidOn(mapping, utcDay(form.serviceOn)),
    );
    const own = valid.filter(({ formTypeId }: Mapping) => formTypeId === form.formTypeId);
    const others = valid.filter(({ formTypeId }: Mapping) => formTypeId === null);
    const wanted = key.startsWith("advocacy_") ? "individual" : key.startsWith("groups_") ? "group" : key;
    return (own.length > 0 ? own : others).some(({ line }: Mapping) => line === wanted);
  }).length;
}

/** Adds up the numbers of these contacts, or the adults of the requests for shelter in them. */
async function numberOf(key: string, contacts: readonly number[]): Promise<number> {
  const { _sum } = await db().contact.aggregate({
    where: { id: { in: [...contacts] } },
    _sum: { number: true, adults: true, children: true },
  });
  if (key === "unmet_adults") return _sum.adults ?? 0;
  return (key === "unmet_children" ? _sum.children : _sum.number) ?? 0;
}

const DAY_MS = 86_400_000;

/** Adds up the amount of these stays on a line, night by night. */
async function amountOfStays(key: string, ids: readonly number[], from: string, to: string): Promise<number> {
  const stays = await db().stay.findMany({
    where: { id: { in: [...ids] } },
    orderBy: [{ enteredOn: "asc" }, { id: "asc" }],
  });
  const sumOf = (of: (stay: (typeof stays)[number]) => number) =>
    stays.reduce((total, stay) => total + of(stay), 0);
  const children = (stay: (typeof stays)[number]) =>
    stay.childrenThirteenToSeventeen + stay.childrenUnderThirteen;
  if (key === "stays_begun") return stays.length;
  if (key === "along_adults") return sumOf(({ adults }) => adults);
  if (key === "along_children") return sumOf(children);
  // Later stays replace earlier ones on the same night.
  const peopleByNight = new Map<string, number>();
  for (const stay of stays) {
    const nights: number[] = [];
    const end = stay.leftOn?.getTime() ?? new Date(to).getTime() + DAY_MS;
    for (let night = stay.enteredOn.getTime(); night < end; night += DAY_MS) nights.push(night);
    if (nights.length === 0) nights.push(stay.enteredOn.getTime());
    for (const night of nights)
      if (night >= new Date(from).getTime() && night <= new Date(to).getTime())
        peopleByNight.set(`${stay.clientId} ${night}`, 1 + stay.adults + children(stay));
  }
  return [...peopleByNight.values()].reduce((total, people) => total + people, 0);
}

type Range = [report: ReportKey, from: string, to: string];
const RANGES: Range[] = [
  ["pmt", "2026-07-01", "2026-09-30"],
  ["pccd", "2026-04-01", "2026-09-30"],
  ["pccd", "2024-10-15", "2026-11-20"],
  ["fvpsa", "2025-10-01", "2026-09-30"],
  ["fvpsa", "2024-10-15", "2026-11-20"],
];
/** The line of the new clients. */
const newLine = (report: ReportKey) => (report === "fvpsa" ? "people_new" : "individuals_new");

describe.each(RANGES)("%s from %s to %s", (report, from, to) => {
  test("shows the count of the list behind it on every line", async () => {
    const counts = await readNumbers(viewer, report, from, to);
    expect(counts[newLine(report)]).toBeGreaterThan(10);
    for (const { key, unit } of linesOf(report)) {
      const { clients, forms, stays, contacts } = await readRecordsBehind(viewer, report, key, from, to);
      const count = counts[key] ?? 0;
      const block = lineOf(report, key)?.block;
      // A stay over the start of a year counts in both years.
      if (key.startsWith("along_") && from.slice(5) !== "10-01") continue;
      if (countsClients(unit)) expect(clients.length, key).toBe(count);
      else if (block === "contacts")
        expect((await numberOf(key, contacts ?? [])) + forms.length, key).toBe(count);
      else if (block === "shelter" || stays?.length)
        expect(await amountOfStays(key, stays ?? [], from, to), key).toBe(count);
      else expect(await amountOn(report, key, unit, forms), key).toBe(count);
    }
  });

  test("is consistent: demographic blocks add up to the new, individuals never exceed the served, and unduplicated totals never exceed their parts", async () => {
    const counts = await readNumbers(viewer, report, from, to);
    const served = counts.individuals_served ?? 0;
    for (const block of ["race", report === "fvpsa" ? "sex" : "gender", "age"]) {
      const keys = reports[report].sections.find(({ key }) => key === block)?.lines ?? [];
      expect(
        sum(
          counts,
          keys.map(({ key }) => key),
        ),
        block,
      ).toBe(counts[newLine(report)]);
    }
    if (report === "fvpsa") {
      const parts = (reports.fvpsa.sections[0]?.lines ?? [])
        .map(({ key }) => key)
        .filter((key) => /^(non)?shelter_/.test(key));
      expect(sum(counts, parts)).toBe(counts.people_new);
      const inShelter = sum(counts, ["shelter_adults", "shelter_children", "shelter_age_unknown"]);
      expect(counts.shelter_people).toBeGreaterThan(0);
      expect(inShelter).toBeLessThanOrEqual(counts.shelter_people ?? 0);
      return;
    }
    for (const { key, unit } of linesOf(report)) {
      // A client who was not served can only be on lines of VAWA.
      if ((unit === "individuals" || unit === "new") && !/^(vawa|reason)_/.test(key))
        expect(counts[key] ?? 0, key).toBeLessThanOrEqual(served);
    }
    for (const letter of ["a", "b", "c", "d", "e"]) {
      const parts = linesOf(report).filter(({ key }) => new RegExp(`^${letter}\\d`).test(key));
      expect(counts[`${letter}_individuals`] ?? 0, letter).toBeLessThanOrEqual(
        sum(
          counts,
          parts.map(({ key }) => key),
        ),
      );
    }
    if (report === "pccd") {
      expect(sum(counts, ["individuals_new", "individuals_continuing"])).toBe(served);
      expect(sum(counts, ["individuals_primary", "individuals_significant_other"])).toBe(served);
      expect(sum(counts, ["vawa_served", "vawa_partially_served"])).toBe(counts.individuals_primary);
    }
  });

  test("counts no more with an advocate or form type filter, and all advocates together at least as many", async () => {
    const all = await readNumbers(viewer, report, from, to);
    const totals: Record<string, number> = {};
    for (const userId of advocates) {
      const own = await readNumbers(viewer, report, from, to, { userId });
      for (const [key, count] of Object.entries(own)) {
        // A client served only by other advocates can be not served in the report of one advocate.
        if (!/^(vawa|reason|individuals_continuing)/.test(key))
          expect(count, key).toBeLessThanOrEqual(all[key] ?? 0);
        totals[key] = (totals[key] ?? 0) + count;
      }
    }
    for (const { key, unit } of linesOf(report)) {
      if (/^(vawa|reason)_/.test(key)) continue;
      if (!countsClients(unit)) expect(totals[key] ?? 0, key).toBe(all[key] ?? 0);
      else expect(totals[key] ?? 0, key).toBeGreaterThanOrEqual(all[key] ?? 0);
    }
    const phones = await readNumbers(viewer, report, from, to, { formTypeId: phone });
    expect(phones.c2_hotline ?? 0).toBe(all.c2_hotline ?? 0);
  });

  test("lists as gaps the records that the lines leave out", async () => {
    const counts = await readNumbers(viewer, report, from, to);
    const lacking = await readGaps(viewer, report, from, to);
    expect(lacking.gender?.clients.length ?? 0).toBe(counts.gender_not_reported ?? 0);
    expect(lacking.age?.clients.length ?? 0).toBe(counts.age_not_reported ?? 0);
    expect(lacking.race?.clients.length ?? 0).toBeLessThanOrEqual(counts.race_not_reported ?? 0);
    expect(lacking.serviceCode).toBeUndefined();
  });
});

test.each<Range>([
  ["pmt", "2026-07-01", "2026-09-30"],
  ["pccd", "2026-07-01", "2026-09-30"],
  ["fvpsa", "2025-10-01", "2026-09-30"],
])("a submission of %s from %s to %s has the report's number on every line", async (report, from, to) => {
  const url = `/api/reports/${report}/submissions`;
  const { status, body } = await call(viewer.cookie, "POST", url, { submission: { from, to } });
  expect(status).toBe(201);
  const { submission } = (await call(viewer.cookie, "GET", `${url}/${body.submission.id}`)).body;
  const counts = await readNumbers(viewer, report, from, to);
  type Line = { key: string; count: number; now: number; more: number };
  for (const { key, count, now, more } of submission.lines as Line[]) {
    const number = counts[key] ?? 0;
    expect([key, count, now, more]).toEqual([key, number, number, 0]);
  }
});

test("invalid report requests are refused by the name of the parameter", async () => {
  const refusedParameters = async (query: string, path = "pmt") => {
    const { status, body } = await call(viewer.cookie, "GET", `/api/reports/${path}?${query}`);
    return [status, Object.keys(body.fields ?? {})];
  };
  const good = "from=2026-07-01&to=2026-09-30";
  for (const path of ["pmt", "pmt/lines/individuals_served", "pmt/gaps", "time"]) {
    expect(await refusedParameters("", path), path).toEqual([422, ["from", "to"]]);
    expect(await refusedParameters("from=2026-02-30&to=2026-09-30", path), path).toEqual([422, ["from"]]);
    expect(await refusedParameters("from=2026-07-01&to=tomorrow", path), path).toEqual([422, ["to"]]);
    expect(await refusedParameters("from=2026-07-01&to=2026-06-30", path), path).toEqual([422, ["to"]]);
    expect(await refusedParameters(`${good}&userId=x`, path), path).toEqual([422, ["userId"]]);
    expect(await refusedParameters(`${good}&formTypeId=-1`, path), path).toEqual([422, ["formTypeId"]]);
  }
  expect(await refusedParameters(good, "nonsense")).toEqual([404, []]);
  expect(await refusedParameters(good, "pmt/lines/nonsense")).toEqual([404, []]);
  // This line belongs to the other report.
  expect(await refusedParameters(good, "pmt/lines/vawa_served")).toEqual([404, []]);
});

test("another user's time report needs All Forms", async () => {
  const board = await makeUser(["reports"]);
  const time = (person: Person, userId: number) =>
    call(person.cookie, "GET", `/api/reports/time?from=2026-07-01&to=2026-09-30&userId=${userId}`);
  const [busiest = 0] = advocates;
  expect((await time(board, busiest)).status).toBe(403);
  expect((await time(board, board.id)).body).toEqual({
    days: [],
    minutes: 0,
    otherMinutes: 0,
    contactMinutes: 0,
    activityMinutes: 0,
    sessionMinutes: 0,
    eventMinutes: 0,
  });
  const { body } = await time(viewer, busiest);
  expect(body.minutes).toBeGreaterThan(0);
  expect(body.days.reduce((total: number, day: { minutes: number }) => total + day.minutes, 0)).toBe(
    body.minutes,
  );
});
