import { beforeAll, describe, expect, test, vi } from "vitest";
import { db, rows } from "@/lib/core/database/client";
import { sql } from "@/lib/core/sql";
import { gapsIn, lineOf, linesOf, type ReportKey } from "@/lib/reports/definitions";
import { loadOverview } from "@/lib/reports/screen";
import { actorFor, call } from "@/tests/call";
import { makeUser, type Person } from "@/tests/factories";
import { addClient, addForm, addSurvivorForm, makeReporter, type Reporter } from "./world";

// For a reader with hidden clients, reports must be the same as if those clients did not exist.

let world: Reporter;
/** Clients are hidden from the reader. The overseer sees everything. */
let reader: Person;
let overseer: Person;
beforeAll(async () => {
  world = await makeReporter();
  const held = [
    ...([
      "forms",
      "clients",
      "all-forms",
      "contacts",
      "shelter",
      "reports",
      "reports-setup",
      "export",
    ] as const),
  ];
  reader = await makeUser(held);
  overseer = await makeUser([...held, "restrict-clients", "retention", "audit-log"]);
});

const REPORTS = ["pmt", "pccd", "fvpsa"] as const;

async function hide(id: number): Promise<void> {
  const { status } = await call(overseer.cookie, "PUT", `/api/clients/${id}/restrictions`, {
    userIds: [reader.id],
  });
  expect(status).toBe(200);
}

/** Creates a client who counts in every part of a report, and has gaps. */
async function makeKnown(year: number): Promise<number> {
  const { owner, other } = world;
  const born = `${year - 30}-01-01`;
  const id = await addClient(owner, { born, gender: "Male", ethnicity: "Asian", flags: ["homeless"] });
  await addSurvivorForm(owner, id, `${year}-10-04`, { victimizations: ["Robbery"] });
  await addForm(owner, id, `${year}-10-05`, [["CRISIS", 35]], { otherMinutes: 10 });
  await addForm(other, id, `${year}-10-05`, [["TRANSPORT", 20]], {
    status: "Partially Served",
    reasons: ["agencyCapacity"],
  });
  await addForm(owner, id, `${year}-11-05`, [["SAFETY", 5]], { status: "Not Served", reasons: ["other"] });
  await addForm(owner, id, `${year}-11-06`, [], { otherMinutes: 25 });
  await addForm(owner, id, `${year}-11-07`, []);
  await makeStay(id, `${year}-10-04`, `${year}-10-09`);
  return id;
}

/** Creates a shelter whose nights count, as the API does. */
async function makeShelter(name: string): Promise<{ id: number }> {
  const { cookie } = await makeUser(["shelters"]);
  const shelter = { name, kind: "In-house", beds: 12 };
  return (await call(cookie, "POST", "/api/shelters", { shelter })).body.shelter;
}

/** Creates a stay with a child who came along. */
async function makeStay(clientId: number, enteredOn: string, leftOn: string): Promise<void> {
  const { id: shelterId } =
    (await db().shelter.findUnique({ where: { name: "House" } })) ?? (await makeShelter("House"));
  const entered = new Date(enteredOn);
  const left = new Date(leftOn);
  await db().stay.create({
    data: {
      clientId,
      shelterId,
      userId: world.owner.id,
      enteredOn: entered,
      leftOn: left,
      childrenUnderThirteen: 1,
    },
  });
}

/** The server runs no more calls in parallel, so more of them would only wait. */
const AT_ONCE = 4;

/**
 * The lines whose lists are read. Lists with a filter or for one day are read once for lines that two reports count
 * alike.
 */
const linesIn = (report: ReportKey, all: boolean) =>
  all || report === "pccd" ? linesOf(report) : linesOf(report).filter(({ key }) => !lineOf("pccd", key));

/** Returns every number and list in the reports of the quarter, under filters and for one of its days. */
async function readEverything(by: Person, year: number): Promise<Record<string, unknown>> {
  const { owner } = world;
  const quarter = `from=${year}-10-01&to=${year}-12-31`;
  const queries = [quarter, `from=${year}-10-05&to=${year}-10-05`, `${quarter}&userId=${owner.id}`];
  const urls = queries.flatMap((query) => [
    ...REPORTS.flatMap((report) => [
      `/api/reports/${report}?${query}`,
      `/api/reports/${report}/csv?${query}`,
      `/api/reports/${report}/gaps?${query}`,
      ...linesIn(report, query === quarter).map(({ key }) => `/api/reports/${report}/lines/${key}?${query}`),
      ...gapsIn(report).map(({ field }) => `/api/reports/${report}/gaps/${field}/records.csv?${query}`),
    ]),
    `/api/reports/time?${query}`,
    `/api/reports/time/csv?${query}`,
  ]);
  const results: Record<string, unknown> = {};
  const left = urls.values();
  // The calls share the iterator, so that each takes the next URL.
  const readNext = async () => {
    for (const url of left) {
      const { status, body } = await call(by.cookie, "GET", url);
      expect(status, url).toBe(200);
      results[url] = body;
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, readNext));
  const actor = await actorFor(by);
  vi.useFakeTimers({ now: new Date(`${year + 1}-01-10T20:00:00Z`), toFake: ["Date"] });
  try {
    const { readStates, readAnswers, ...overview } = await loadOverview(
      actor,
      "client.clientDemographicEntry.ethnicityId",
    );
    results.overview = { ...overview, states: await readStates(), answers: await readAnswers() };
  } finally {
    vi.useRealTimers();
  }
  return results;
}

test("no total, list, gap, minute or chart includes a client who is hidden from its reader", async () => {
  const ann = await addClient(world.owner);
  await addForm(world.owner, ann, "1950-10-05", [["SAFETY", 15]]);
  await addForm(world.other, ann, "1950-10-20", [["SAFETY", 15]]);
  const before = await readEverything(reader, 1950);
  const known = await makeKnown(1950);
  const url = "/api/reports/pmt?from=1950-10-01&to=1950-12-31";
  const others = (await call(overseer.cookie, "GET", url)).body;
  await hide(known);
  const after = await readEverything(reader, 1950);
  for (const [place, found] of Object.entries(before)) expect(after[place], place).toEqual(found);
  expect(before).toHaveProperty([url]);
  expect(others).not.toEqual(before[url]);
});

test("trying a changed setup leaves hidden clients out of its numbers", async () => {
  const known = await makeKnown(1951);
  await hide(known);
  const { setup } = (await call(reader.cookie, "GET", "/api/reports/pmt/setup")).body;
  const trySetup = (by: Person) =>
    call(by.cookie, "POST", "/api/reports/pmt/setup/try?from=1951-10-01&to=1951-12-31", {
      setup: { ...setup, mappings: [] },
    });
  expect((await trySetup(reader)).body.changes).toEqual([]);
  expect((await trySetup(overseer)).body.changes).not.toEqual([]);
});

describe("a submission", () => {
  const submit = async (by: Person, report: string, year: number): Promise<number> => {
    const submission = { from: `${year}-10-01`, to: `${year}-12-31` };
    const { body, status } = await call(by.cookie, "POST", `/api/reports/${report}/submissions`, {
      submission,
    });
    expect(status).toBe(201);
    return body.submission.id;
  };
  type Line = { key: string; count: number; now: number; forms: unknown[]; more: number };
  const linesAt = async (by: Person, report: string, id: number): Promise<Line[]> =>
    (await call(by.cookie, "GET", `/api/reports/${report}/submissions/${id}`)).body.submission.lines;
  const purge = async (id: number) => {
    await rows(sql`UPDATE clients SET updated_at = '2015-01-01' WHERE id = ${id}`);
    await rows(sql`UPDATE forms SET updated_at = '2015-01-01' WHERE client_id = ${id}`);
    await rows(sql`UPDATE stays SET updated_at = '2015-01-01' WHERE client_id = ${id}`);
    const { body } = await call(overseer.cookie, "POST", "/api/retention/purge", { ids: [id] });
    expect(body).toMatchObject({ done: [id], failed: [] });
  };
  beforeAll(async () => {
    const retention = { years: 5, nightly: false };
    await call(overseer.cookie, "PUT", "/api/retention", { retention });
  });

  test.each(REPORTS)(
    "of %s is stored completely, whoever submits it, and is read without clients hidden from its reader",
    async (report) => {
      const year = { pmt: 1952, pccd: 1953, fvpsa: 1956 }[report];
      const ann = await addClient(world.owner);
      await addForm(world.owner, ann, `${year}-10-05`, [["SAFETY", 15]]);
      await makeStay(ann, `${year}-10-20`, `${year}-10-22`);
      const without = await linesAt(reader, report, await submit(reader, report, year));
      const known = await makeKnown(year);
      await hide(known);
      const whole = await linesAt(overseer, report, await submit(overseer, report, year));
      const id = await submit(reader, report, year);
      expect(await linesAt(overseer, report, id)).toEqual(whole);
      const people = report === "fvpsa" ? "people_new" : "individuals_served";
      expect(whole.find(({ key }) => key === people)).toMatchObject({ count: 2, now: 2 });
      expect(await linesAt(reader, report, id)).toEqual(without);
    },
  );

  test.each([
    ["pccd", 1954],
    ["fvpsa", 1957],
  ] as const)(
    "of %s never lists a hidden client's records as changed, even after a purge or after they are deleted",
    async (report, year) => {
      const { owner } = world;
      const ann = await addClient(owner);
      await addForm(owner, ann, `${year}-10-05`, [["SAFETY", 15]]);
      const without = await linesAt(reader, report, await submit(overseer, report, year));
      const purged = await makeKnown(year);
      const removed = await makeKnown(year);
      const late = await addClient(owner);
      for (const hidden of [purged, removed, late]) await hide(hidden);
      const id = await submit(overseer, report, year);
      const expectUnchanged = async () => {
        expect(await linesAt(reader, report, id)).toEqual(without);
        const file = await call(reader.cookie, "GET", `/api/reports/${report}/submissions/${id}/changes.csv`);
        expect(file.body).not.toMatch(/counts here|edited|more (form|stay|record)/);
      };
      await expectUnchanged();
      await addForm(owner, late, `${year}-10-07`, [["SAFETY", 15]]);
      await makeStay(late, `${year}-10-07`, `${year}-10-08`);
      await purge(purged);
      await expectUnchanged();
      const stored = await rows(sql`SELECT FROM report_submission_records WHERE client_id = ${purged}`);
      expect(stored).toEqual([]);
      const forms = await rows<{ id: number }>(sql`SELECT id FROM forms WHERE client_id = ${removed}`);
      for (const one of forms)
        expect((await call(overseer.cookie, "DELETE", `/api/forms/${one.id}`)).status).toBe(204);
      await expectUnchanged();
      const stays = await rows<{ id: number }>(sql`SELECT id FROM stays WHERE client_id = ${removed}`);
      for (const one of stays)
        expect((await call(overseer.cookie, "DELETE", `/api/stays/${one.id}`)).status).toBe(204);
      await expectUnchanged();
      expect((await call(overseer.cookie, "DELETE", `/api/clients/${removed}`)).status).toBe(204);
      await expectUnchanged();
    },
  );

  test("shows a form that moved to a hidden client as deleted", async () => {
    const { owner } = world;
    const ann = await addClient(owner);
    const bea = await addClient(owner);
    const moved = await addForm(owner, ann, "1955-10-05", [["SAFETY", 15]]);
    const id = await submit(overseer, "pmt", 1955);
    await hide(bea);
    await rows(sql`UPDATE forms SET client_id = ${bea} WHERE id = ${moved}`);
    const line = (await linesAt(reader, "pmt", id)).find(({ key }) => key === "individuals_served");
    expect(line).toMatchObject({
      count: 1,
      now: 0,
      more: 0,
      forms: [{ clientId: ann, change: "removed" }],
    });
  });
});
