import { beforeAll, describe, expect, test, vi } from "vitest";
import { addDays, today } from "@/lib/core/text/format";
import { quarterOf, yearOf } from "@/lib/reports/periods";
import { screenQuery } from "@/lib/reports/schema";
import { loadRefusal, loadReport, loadSharedOverview, loadSubmissionRefusal } from "@/lib/reports/screen";
import { actorFor, call } from "@/tests/call";
import { makeUser, type Person } from "@/tests/factories";
import { addClient, addForm, addSurvivorForm, makeReporter, type Reporter, readNumbers } from "./world";

// Readers without All Forms get copies for sharing and their own records. Nothing else has a number, so that a colleague's
// small number cannot be computed.

let world: Reporter;
/** These users have no All Forms. */
let advocate: Person;
let director: Person;
beforeAll(async () => {
  world = await makeReporter();
  advocate = await makeUser(["forms", "clients", "reports", "export", "contacts", "shelter"]);
  director = await makeUser(["reports", "reports-setup", "export"]);
  // Eleven people are served, two of them by a colleague.
  for (let made = 0; made < 9; made++)
    await addForm(advocate, await addClient(world.owner), "1940-10-05", [["SAFETY", 15]]);
  for (const day of ["1940-10-06", "1940-11-06"]) {
    const id = await addClient(world.owner, { gender: "Male" });
    await addSurvivorForm(world.owner, id, day, { victimizations: ["Robbery"] });
    await addForm(world.owner, id, day, [["CRISIS", 7]]);
    await addForm(world.owner, id, day, []);
  }
  await addForm(world.owner, await addClient(world.owner), "1940-10-07", [], {
    status: "Not Served",
    reasons: ["other"],
  });
});

const get = (by: Person, path: string) => call(by.cookie, "GET", `/api/reports/${path}`);
const QUARTER = "from=1940-10-01&to=1940-12-31";
const at = (from: string, to: string, more: Record<string, string> = {}) =>
  screenQuery({ from, to }).parse({ from, to, ...more });
const WORDS = "Without All Forms, you can see the numbers of your own records, and copies for sharing.";

/** The ways to compute the colleague's two clients by subtraction, as paths below `/api/reports`. */
const WAYS: [string, () => string[]][] = [
  ["two overlapping periods", () => [`pccd?${QUARTER}`, "pccd?from=1940-10-01&to=1940-10-05"]],
  ["two form types", () => [1, 2].map((type) => `pccd?${QUARTER}&formTypeId=${type}`)],
  ["the total minus the part of a colleague", () => [`pccd?${QUARTER}&userId=${world.owner.id}`]],
  ["gaps", () => [`pccd/gaps?${QUARTER}`, `pccd/gaps?${QUARTER}&userId=${world.owner.id}`]],
  [
    "the lists behind numbers",
    () =>
      ["individuals_served", "c1_crisis_intervention", "anonymous_contacts"].map(
        (line) => `pccd/lines/${line}?${QUARTER}`,
      ),
  ],
  [
    "files",
    () => [
      `pccd/csv?${QUARTER}`,
      ...["csv", "xlsx"].flatMap((format) => [
        `pccd/lines/individuals_served/records.${format}?${QUARTER}`,
        `pccd/gaps/minutes/records.${format}?${QUARTER}`,
        `pccd/lines/individuals_served/records.${format}?${QUARTER}&userId=${world.owner.id}`,
      ]),
    ],
  ],
  [
    "copies of other periods, under filters, and of both quarters and years",
    () => [
      "pccd?from=1940-10-01&to=1940-10-31&share=true",
      "pccd?from=1940-10-01&to=1941-03-31&share=true",
      "pccd?from=1940-07-01&to=1941-06-30&share=true",
      `pccd?${QUARTER}&share=true&userId=${world.owner.id}`,
      `pccd?${QUARTER}&share=true&userId=${advocate.id}`,
      `pccd/csv?${QUARTER}&share=true&formTypeId=1`,
      `fvpsa?${QUARTER}&share=true`,
      "fvpsa?from=1940-10-01&to=1941-06-30&share=true",
    ],
  ],
];

describe("without All Forms, a colleague's small number cannot be computed", () => {
  test.each(WAYS)("from %s", async (_, paths) => {
    for (const person of [advocate, director])
      for (const path of paths()) {
        const { status, body } = await get(person, path);
        expect([path, status, body.code]).toEqual([path, 422, "invalid"]);
        expect(Object.keys(body.fields), path).toEqual([path.includes("share") ? "share" : "userId"]);
      }
    expect((await get(advocate, `pccd?${QUARTER}`)).body.error).toBe(WORDS);
  });

  test("from the comparison with a submission, or by submitting", async () => {
    const submission = { from: "1940-10-01", to: "1940-12-31" };
    const made = await call(world.viewer.cookie, "POST", "/api/reports/pccd/submissions", { submission });
    const { id } = made.body.submission;
    for (const person of [advocate, director]) {
      for (const rest of ["", "/changes.csv", "/changes.xlsx"]) {
        const { status, body } = await get(person, `pccd/submissions/${id}${rest}`);
        expect([rest, status, Object.keys(body.fields)]).toEqual([rest, 422, ["submission"]]);
      }
      const post = await call(person.cookie, "POST", "/api/reports/pccd/submissions", { submission });
      expect(post.status).toBe(422);
      // That it was submitted is no number.
      const { submissions } = (await get(person, "pccd/submissions")).body;
      expect(submissions.map((one: { id: number }) => one.id)).toEqual([id]);
    }
    const refusal = await loadSubmissionRefusal(await actorFor(advocate), "pccd", id);
    expect(refusal?.choice).toMatchObject({ copy: submission, readerId: advocate.id });
    expect(await loadSubmissionRefusal(await actorFor(world.viewer), "pccd", id)).toBeNull();
  });

  test("from a try of the setup", async () => {
    const { setup } = (await get(director, "pmt/setup")).body;
    const path = `/api/reports/pmt/setup/try?${QUARTER}`;
    const body = { setup: { ...setup, mappings: [] } };
    const tried = await call(director.cookie, "POST", path, body);
    expect([tried.status, Object.keys(tried.body.fields)]).toEqual([422, ["setup"]]);
    const { changes } = (await call(world.viewer.cookie, "POST", path, body)).body;
    expect(changes.find(({ key }: { key: string }) => key === "race_white_non_latino")).toMatchObject({
      before: 11,
      after: 0,
    });
  });

  test("from the screens of a report, its lists, and the overview", async () => {
    const actor = await actorFor(advocate);
    const screen = await loadReport(actor, "pccd", at("1940-10-01", "1940-12-31"));
    expect(screen).toMatchObject({ report: null, isRefused: true, gaps: [], filters: { users: null } });
    for (const query of [undefined, { userId: String(world.owner.id) }])
      expect(await loadRefusal(actor, "pccd", at("1940-10-01", "1940-12-31", query))).not.toBeNull();
    // An odd period cannot be shared.
    const odd = await loadReport(actor, "pccd", at("1940-10-01", "1940-12-30", { share: "true" }));
    expect(odd).toMatchObject({ report: null, isRefused: true, isCopy: false });
    // A holder of All Forms who requests a copy does not get exact numbers.
    const viewer = await actorFor(world.viewer);
    const exact = await loadReport(viewer, "pccd", at("1940-10-01", "1940-12-30", { share: "true" }));
    expect(exact).toMatchObject({ report: null, isRefused: true, isCopyRefused: true, gaps: [] });
    vi.useFakeTimers({ now: new Date("1941-01-10T20:00:00Z"), toFake: ["Date"] });
    try {
      const { readStates, readShared, ...overview } = loadSharedOverview(actor);
      expect(overview).toEqual({ today: "1941-01-10" });
      for (const { key, gaps, copy } of await readStates())
        expect([gaps, copy]).toEqual([
          null,
          key === "fvpsa"
            ? { from: "1939-10-01", to: "1940-09-30" }
            : { from: "1940-10-01", to: "1940-12-31" },
        ]);
      const quarter = { from: "1940-10-01", to: "1940-12-31" };
      expect((await readShared()).shared).toEqual({ quarter, served: "11", servedBefore: "0" });
    } finally {
      vi.useRealTimers();
    }
  });
});

describe("without All Forms, a reader gets", () => {
  test("copies for sharing, which withhold small numbers", async () => {
    for (const person of [advocate, director]) {
      const { status, body } = await get(person, `pccd?${QUARTER}&share=true`);
      expect(status).toBe(200);
      const lines = new Map<string, object>(
        body.report.sections.flatMap(({ lines }: { lines: { key: string }[] }) =>
          lines.map((line) => [line.key, line]),
        ),
      );
      expect(lines.get("individuals_served")).toMatchObject({ count: 11 });
      expect(lines.get("individuals_served")).not.toHaveProperty("suppressed");
      for (const key of ["gender_male", "gender_female", "vawa_not_served", "victim_robbery"])
        expect(lines.get(key)).toMatchObject({ count: null, suppressed: true });
      const csv = (await get(person, `pccd/csv?${QUARTER}&share=true`)).body;
      expect(csv).toContain("gender_male,Male,new,<5\r\n");
      expect(csv).toContain("gender_female,Female,new,*\r\n");
    }
    const query = at("1940-10-01", "1940-12-31", { share: "true" });
    const screen = await loadReport(await actorFor(advocate), "pccd", query);
    expect(screen).toMatchObject({ isCopy: true, isRefused: false, gaps: [] });
    // The links lead to periods that can be shared.
    const last = quarterOf(today(), -1);
    expect(screen.periods.length).toBe(4);
    expect(screen.periods.map(({ to }) => to <= last.to)).toEqual([true, true, true, true]);
  });

  test("copies of whole fiscal years of FVPSA that have ended, and no fiscal year to date", async () => {
    const { status, body } = await get(advocate, "fvpsa?from=1940-10-01&to=1941-09-30&share=true");
    expect(status).toBe(200);
    const [line] = body.report.sections[0].lines;
    expect(line).toMatchObject({ key: "people_new", count: 9 });
    const { from, to } = yearOf(today(), 10);
    for (const last of [today(), addDays(today(), -1), to])
      for (const share of ["", "&share=true"])
        expect((await get(advocate, `fvpsa?from=${from}&to=${last}${share}`)).status, last + share).toBe(422);
    expect((await get(world.viewer, `fvpsa?from=${from}&to=${today()}`)).status).toBe(200);
    expect((await get(world.viewer, `fvpsa?from=${from}&to=${to}&share=true`)).status).toBe(422);
    const names = async (person: Person, share: string) => {
      const query = at("1940-10-01", "1941-09-30", { share });
      return (await loadReport(await actorFor(person), "fvpsa", query)).periods.map(({ name }) => name);
    };
    expect(await names(world.viewer, "false")).toContain("This fiscal year to date");
    expect(await names(advocate, "true")).toEqual([undefined, undefined]);
  });

  test("the own records exactly, for any days, with lines and gaps", async () => {
    const own = { userId: advocate.id };
    await addForm(advocate, await addClient(world.owner, { known: false }), "1940-12-06", [["SAFETY", 3]]);
    expect(await readNumbers(advocate, "pmt", "1940-12-02", "1940-12-20", own)).toMatchObject({
      individuals_served: 1,
      gender_not_reported: 1,
      c1_crisis_intervention: 1,
    });
    const days = `from=1940-12-02&to=1940-12-20&userId=${advocate.id}`;
    const { body } = await get(advocate, `pmt/lines/individuals_served?${days}`);
    expect([body.clients.length, body.forms.length]).toEqual([1, 1]);
    const { gaps } = (await get(advocate, `pmt/gaps?${days}`)).body;
    expect(gaps.find(({ field }: { field: string }) => field === "gender").clients).toEqual(body.clients);
    expect((await get(advocate, `pmt/lines/individuals_served/records.csv?${days}`)).status).toBe(200);
    const screen = await loadReport(
      await actorFor(advocate),
      "pmt",
      at("1940-12-02", "1940-12-20", { userId: String(advocate.id) }),
    );
    expect(screen).toMatchObject({ isRefused: false, choice: { isOwn: true } });
    expect(screen.gaps.find(({ field }) => field === "gender")).toMatchObject({ clients: 1, forms: 1 });
  });

  test("no client on the VAWA lines who has a Not Served form of colleagues only", async () => {
    const mine = await addClient(world.owner);
    const shared = await addClient(world.owner);
    const notServed = { status: "Not Served", reasons: ["languageCapacities"] } as const;
    await addForm(advocate, mine, "1942-10-05", [], notServed);
    await addForm(advocate, shared, "1942-10-05", [["SAFETY", 15]]);
    await addForm(world.owner, shared, "1942-10-06", [], notServed);
    await addForm(world.owner, await addClient(world.owner), "1942-10-07", [], notServed);
    const days = ["1942-10-01", "1942-12-31", { userId: advocate.id }] as const;
    const vawa = async (person: Person) => {
      const { vawa_not_served, vawa_partially_served, reason_language } = await readNumbers(
        person,
        "pccd",
        ...days,
      );
      return { vawa_not_served, vawa_partially_served, reason_language };
    };
    expect(await vawa(advocate)).toEqual({
      vawa_not_served: 1,
      vawa_partially_served: 1,
      reason_language: 2,
    });
    // For holders of All Forms, filters choose only the counted forms.
    expect(await vawa(world.viewer)).toEqual({
      vawa_not_served: 2,
      vawa_partially_served: 1,
      reason_language: 3,
    });
    const url = `pccd/lines/vawa_partially_served?from=1942-10-01&to=1942-12-31&userId=${advocate.id}`;
    expect((await get(advocate, url)).body.clients).toEqual([shared]);
  });

  test("the own clients behind a number, even if it counts by a colleague's form", async () => {
    const id = await addClient(world.owner);
    await addSurvivorForm(world.owner, id, "1943-10-05", { victimizations: ["Robbery"] });
    await addForm(advocate, id, "1943-10-06", [["SAFETY", 15]]);
    const url = `pmt/lines/victim_robbery?from=1943-10-01&to=1943-12-31&userId=${advocate.id}`;
    expect((await get(advocate, url)).body).toEqual({ clients: [id], forms: [] });
  });
});
