import { beforeAll, describe, expect, test } from "vitest";
import { isWhole, wholeAround } from "@/lib/reports/periods";
import { screenQuery } from "@/lib/reports/schema";
import { loadReport } from "@/lib/reports/screen";
import { actorFor, call } from "@/tests/call";
import { makeUser, type Person } from "@/tests/factories";
import { addClient, addForm, makeReporter, type Reporter } from "./world";

// Numbers of 1 to 4 in reports of odd periods and under filters are withheld from readers without All Forms.

let world: Reporter;
/** This user lists only their own forms. */
let advocate: Person;
beforeAll(async () => {
  world = await makeReporter();
  advocate = await makeUser(["forms", "clients", "reports", "reports-setup", "export"]);
});

const get = async (by: Person, path: string) => {
  const { status, body } = await call(by.cookie, "GET", `/api/reports/${path}`);
  expect([status, status === 200 ? "" : body], path).toEqual([200, ""]);
  return body;
};

type Line = { key: string; count: number | null; suppressed?: true };
async function lineIn(by: Person, query: string, key: string): Promise<Line> {
  const { sections } = (await get(by, `pccd?${query}`)).report;
  const line = sections.flatMap(({ lines }: { lines: Line[] }) => lines).find((one: Line) => one.key === key);
  return { key, count: line.count, ...("suppressed" in line && { suppressed: line.suppressed }) };
}
const countIn = async (by: Person, query: string, key = "individuals_served") =>
  (await lineIn(by, query, key)).count;

/** Returns the report on a period as the advocate's screen shows it. */
const loadByAdvocate = async (from: string, to: string) =>
  loadReport(await actorFor(advocate), "pccd", screenQuery({ from, to }).parse({ from, to }));

const DAY = "from=1940-10-05&to=1940-10-05";
const QUARTER = "from=1940-10-01&to=1940-12-31";

describe("one day of a colleague's work", () => {
  let ann: number;
  beforeAll(async () => {
    ann = await addClient(world.owner);
    await addForm(world.owner, ann, "1940-10-05", [["SAFETY", 3]]);
    const bea = await addClient(world.owner);
    await addForm(world.owner, bea, "1940-10-20", []);
  });

  test("has no count of 1 to 4 for readers without All Forms, but shows zeros", async () => {
    const { sections } = (await get(advocate, `pccd?${DAY}`)).report;
    const lines: Line[] = sections.flatMap(({ lines }: { lines: Line[] }) => lines);
    for (const { key, count, suppressed } of lines)
      expect([key, count, suppressed]).toEqual([
        key,
        count === null ? null : 0,
        count === null ? true : undefined,
      ]);
    expect(lines.filter(({ count }) => count === null).map(({ key }) => key)).toEqual([
      "individuals_served",
      "individuals_new",
      "individuals_primary",
      "race_white_non_latino",
      "gender_female",
      "age_not_reported",
      "c_individuals",
      "c1_crisis_intervention",
      "service_minutes",
      "vawa_served",
    ]);
    expect(await lineIn(world.viewer, DAY, "individuals_served")).toEqual({
      key: "individuals_served",
      count: 1,
    });
  });

  test("has no number behind its lines and gaps, on the screen or in files", async () => {
    for (const key of ["individuals_served", "c1_crisis_intervention", "service_minutes"])
      expect(await get(advocate, `pccd/lines/${key}?${DAY}`)).toEqual({
        ...{ clients: [], forms: [], hidden: null },
        suppressed: true,
      });
    expect(await get(world.viewer, `pccd/lines/individuals_served?${DAY}`)).toMatchObject({
      clients: [ann],
      hidden: 0,
    });
    const csv = await get(advocate, `pccd/csv?${DAY}`);
    expect(csv).toContain("Individuals served,individuals_served,Individuals served,individuals,<5\r\n");
    expect(csv).not.toMatch(/,[1-4]\r\n/);
    const [from, to] = ["1940-10-05", "1940-10-20"];
    const { gaps, report } = await loadByAdvocate(from, to);
    expect(gaps.find(({ field }) => field === "minutes")).toMatchObject({ clients: null, forms: null });
    expect(gaps.find(({ field }) => field === "race")).toMatchObject({ clients: 0, forms: 0 });
    expect(JSON.stringify(report)).not.toMatch(/"count":[1-9]/);
  });

  test("is exact in whole months, quarters, and years, but not under a filter", async () => {
    const wholes = [
      "from=1940-10-01&to=1940-10-31",
      QUARTER,
      "from=1940-01-01&to=1940-12-31",
      "from=1940-07-01&to=1941-06-30",
    ];
    for (const query of wholes) {
      expect(await countIn(advocate, query), query).toBe(1);
      expect((await get(advocate, `pccd/lines/individuals_served?${query}`)).hidden, query).toBe(1);
    }
    const { formTypes } = (await call(advocate.cookie, "GET", "/api/resource_lists/form_types")).body;
    const service = formTypes.find(({ name }: { name: string }) => name === "Service").id;
    for (const query of [
      "from=1940-10-01&to=1940-11-30",
      "from=1940-10-01&to=1940-10-30",
      `${QUARTER}&userId=${world.owner.id}`,
      `${QUARTER}&formTypeId=${service}`,
    ]) {
      expect(await countIn(advocate, query), query).toBeNull();
      expect(await countIn(world.viewer, query), query).toBe(1);
    }
  });

  test("shows only that a line would change when a setup is tried", async () => {
    const { setup } = await get(advocate, "pmt/setup");
    const tried = await call(advocate.cookie, "POST", `/api/reports/pmt/setup/try?${QUARTER}`, {
      setup: { ...setup, mappings: [] },
    });
    expect(tried.status).toBe(200);
    expect(tried.body.changes.length).toBeGreaterThan(0);
    for (const { before, after } of tried.body.changes) expect([before, after]).toEqual([null, null]);
  });
});

/** Adds `count` clients with one form each, by the advocate on `day`. */
async function serve(by: Person, day: string, count: number, gender = "Female"): Promise<void> {
  for (let made = 0; made < count; made++)
    await addForm(by, await addClient(world.owner, { gender }), day, [["SAFETY", 15]]);
}

test("a line is suppressed if the colleagues' part of it is 1 to 4, because readers can subtract their own part", async () => {
  await serve(advocate, "1941-10-05", 5);
  await serve(world.owner, "1941-10-05", 6, "Male");
  const [day, next] = ["from=1941-10-05&to=1941-10-05", "from=1941-10-05&to=1941-10-06"];
  expect(await countIn(advocate, day)).toBe(11);
  expect(await countIn(advocate, day, "gender_female")).toBe(5);
  expect(await get(advocate, `pccd/lines/individuals_served?${day}`)).toMatchObject({ hidden: 6 });
  await serve(world.owner, "1941-10-06", 1);
  // There are 6 women, and 5 of them are the advocate's own.
  expect(await countIn(advocate, next, "gender_female")).toBeNull();
  expect(await get(advocate, `pccd/lines/gender_female?${next}`)).toMatchObject({ hidden: null });
  // The total minus the men would reveal the women.
  expect(await countIn(advocate, next, "gender_male")).toBeNull();
  expect(await get(advocate, `pccd/lines/gender_male?${next}`)).toMatchObject({ hidden: null });
  expect(await countIn(world.viewer, next, "gender_female")).toBe(6);
});

test("a gap has no count if its line is suppressed, because it would complete the sum", async () => {
  for (const [gender, clients] of Object.entries({ Female: 8, Male: 3, Unknown: 7 }))
    for (let n = 0; n < clients; n++)
      await addForm(world.owner, await addClient(world.owner, { gender }), "1946-10-05", [["SAFETY", 3]]);
  const [from, to] = ["1946-10-01", "1946-11-30"];
  const query = `from=${from}&to=${to}`;
  expect(await countIn(advocate, query, "individuals_new")).toBe(18);
  expect(await countIn(advocate, query, "gender_male")).toBeNull();
  const { gaps } = await loadByAdvocate(from, to);
  expect(gaps.find(({ field }) => field === "gender")).toMatchObject({ clients: null, forms: null });
});

test("a gap has no count if the rest of the whole period is 1 to 4", async () => {
  const days = ["1947-11-05", "1947-11-05", "1947-11-05", "1947-11-05", "1947-11-05", "1947-11-30"];
  for (const day of days)
    await addForm(world.owner, await addClient(world.owner, { gender: "Unknown" }), day, [["SAFETY", 3]]);
  const [from, to] = ["1947-11-01", "1947-11-29"];
  const { gaps } = await loadByAdvocate(from, to);
  // All of November has 6.
  expect(gaps.find(({ field }) => field === "gender")).toMatchObject({ clients: null, forms: null });
});

test("a line is suppressed if the rest of the whole period is 1 to 4, because the reader can subtract it", async () => {
  await serve(world.owner, "1942-10-05", 6);
  await serve(world.other, "1942-10-31", 2);
  expect(await countIn(advocate, "from=1942-10-01&to=1942-10-31")).toBe(8);
  expect(await countIn(advocate, "from=1942-10-01&to=1942-10-30")).toBeNull();
  // A line of 0 needs no suppression.
  expect(await countIn(advocate, "from=1942-10-06&to=1942-10-30")).toBe(0);
  expect(await countIn(advocate, `from=1942-10-01&to=1942-12-31&userId=${world.owner.id}`)).toBeNull();
  await serve(world.other, "1942-10-31", 3);
  expect(await countIn(advocate, "from=1942-10-01&to=1942-10-30")).toBe(6);
  expect(await countIn(advocate, `from=1942-10-01&to=1942-12-31&userId=${world.owner.id}`)).toBe(6);
});

test("a reader without Forms can list nothing and gets no small numbers either", async () => {
  const board = await makeUser(["reports"]);
  await serve(world.owner, "1943-10-05", 2);
  await serve(world.other, "1943-10-05", 4, "Male");
  expect(await countIn(board, "from=1943-10-05&to=1943-10-05")).toBe(6);
  expect(await countIn(board, "from=1943-10-05&to=1943-10-05", "gender_male")).toBeNull();
  expect(await countIn(board, "from=1943-10-01&to=1943-10-31", "gender_male")).toBe(4);
});

describe("a whole period", () => {
  test.each([
    ["2026-02-01", "2026-02-28", true],
    ["2028-02-01", "2028-02-28", false],
    ["2026-10-01", "2026-12-31", true],
    ["2026-11-01", "2027-01-31", false],
    ["2026-01-01", "2026-12-31", true],
    ["2026-07-01", "2027-06-30", true],
    ["2026-10-01", "2027-09-30", false],
    ["2026-01-01", "2026-01-30", false],
    ["2026-01-02", "2026-01-31", false],
    ["2026-01-01", "2027-12-31", false],
  ])("from %s to %s, with years from July: %s", (from, to, expected) => {
    expect(isWhole({ from, to }, 7)).toBe(expected);
  });

  test.each([
    [
      ["2026-10-05", "2026-10-05"],
      ["2026-10-01", "2026-10-31"],
    ],
    [
      ["2026-10-05", "2026-11-05"],
      ["2026-10-01", "2026-12-31"],
    ],
    [
      ["2026-12-05", "2027-01-05"],
      ["2026-07-01", "2027-06-30"],
    ],
    [
      ["2026-06-05", "2026-07-05"],
      ["2026-01-01", "2026-12-31"],
    ],
  ])("around %s is %s", ([from = "", to = ""], [first, last]) => {
    expect(wholeAround({ from, to }, 7)).toEqual({ from: first, to: last });
  });

  test("does not exist around a period that spans both kinds of years", () => {
    expect(wholeAround({ from: "2025-06-05", to: "2027-01-05" }, 7)).toBeNull();
  });
});
