import { beforeAll, expect, test, vi } from "vitest";
import { monthOf } from "@/lib/reports/periods";
import { loadOverview } from "@/lib/reports/screen";
import { actorFor, call } from "@/tests/call";
import { addClient, addForm, makeReporter, type Reporter } from "./world";

// The numbers of the overview, worked out by hand.

let world: Reporter;
beforeAll(async () => {
  world = await makeReporter();
});

/** Returns the overview on a day, at noon in Los Angeles. */
async function overviewOn(day: string, person: { cookie: string }) {
  const actor = await actorFor(person);
  vi.useFakeTimers({ now: new Date(`${day}T20:00:00Z`), toFake: ["Date"] });
  try {
    const { months, readStates } = await loadOverview(actor);
    return { months, states: await readStates() };
  } finally {
    vi.useRealTimers();
  }
}

test("the overview shows served, new, minutes and forms of twenty-four months", async () => {
  const { owner, other, viewer } = world;
  const [ann, bea, cat, dan] = [
    await addClient(owner),
    await addClient(owner),
    await addClient(owner),
    await addClient(owner),
  ];
  await addForm(owner, dan, "1965-09-30", [["SAFETY", 5]]);
  // Dan is new again, because the year of PMT has begun.
  await addForm(owner, dan, "1965-10-01", [["SAFETY", 5]]);
  await addForm(owner, ann, "1965-10-05", [["SAFETY", 30]]);
  await addForm(other, ann, "1965-10-06", [
    ["CRISIS", 15],
    ["SAFETY", 10],
  ]);
  await addForm(owner, ann, "1965-11-05", [["SAFETY", 20]], { otherMinutes: 45 });
  // This form is neither served nor has minutes.
  await addForm(owner, bea, "1965-11-10", [["SAFETY", 20]], { status: "Not Served", reasons: ["other"] });
  await addForm(owner, cat, "1965-12-31", [["SAFETY", 10]], {
    status: "Partially Served",
    reasons: ["agencyCapacity"],
  });
  await addForm(owner, ann, "1966-01-02", []);
  await addForm(owner, ann, "1965-01-31", [["SAFETY", 1]]);
  // These forms are outside the months, at both ends.
  await addForm(owner, ann, "1964-01-31", [["SAFETY", 1]]);
  await addForm(owner, ann, "1966-02-01", [["SAFETY", 1]]);

  const { months } = await overviewOn("1966-01-10", viewer);
  expect(months?.months.map(({ month }) => month)).toEqual(
    Array.from({ length: 24 }, (_, later) => monthOf("1964-02-01", later).from),
  );
  expect(months?.months.filter(({ forms }) => forms > 0)).toEqual([
    { month: "1965-01-01", served: 1, fresh: 1, minutes: 1, forms: 1 },
    { month: "1965-09-01", served: 1, fresh: 1, minutes: 5, forms: 1 },
    { month: "1965-10-01", served: 2, fresh: 2, minutes: 60, forms: 3 },
    { month: "1965-11-01", served: 1, fresh: 0, minutes: 20, forms: 2 },
    { month: "1965-12-01", served: 1, fresh: 1, minutes: 10, forms: 1 },
    { month: "1966-01-01", served: 0, fresh: 0, minutes: 0, forms: 1 },
  ]);
});

test("the overview compares the people served this quarter with the same quarter last year", async () => {
  const { owner, viewer } = world;
  const [ann, bea, cat] = [await addClient(owner), await addClient(owner), await addClient(owner)];
  for (const [client, day] of [
    [ann, "1955-04-01"],
    [ann, "1955-05-02"],
    [bea, "1955-05-20"],
    [cat, "1955-03-31"],
    [ann, "1954-04-01"],
    [bea, "1954-05-05"],
    [cat, "1954-06-30"],
    [cat, "1954-07-01"],
  ] as const)
    await addForm(owner, client, day, [["SAFETY", 10]]);
  await addForm(owner, cat, "1955-05-06", [["SAFETY", 10]], { status: "Not Served", reasons: ["other"] });
  const { months } = await overviewOn("1955-05-20", viewer);
  expect(months).toMatchObject({
    quarter: { from: "1955-04-01", to: "1955-06-30" },
    served: 2,
    servedBefore: 3,
  });
});

test("the overview shows when each report of the last quarter is due, its gaps, and that it was submitted", async () => {
  const { owner, viewer } = world;
  const quarter = { from: "1945-10-01", to: "1945-12-31" };
  // Without an ethnicity, a gender, an age and a victimization.
  await addForm(owner, await addClient(owner, { known: false }), "1945-10-02", [["SAFETY", 10]]);
  const states = async () => (await overviewOn("1946-01-10", viewer)).states;
  const [pmt, ...others] = await states();
  expect(pmt).toEqual({ key: "pmt", quarter, due: "1946-01-30", submittedAt: null, gaps: 4 });

  const path = "/api/reports/pmt";
  const { setup } = (await call(viewer.cookie, "GET", `${path}/setup`)).body;
  await call(viewer.cookie, "PUT", `${path}/setup`, { setup: { ...setup, dueDays: 45 } });
  const submitted = await call(viewer.cookie, "POST", `${path}/submissions`, { submission: quarter });
  expect(submitted.status).toBe(201);
  const { submittedAt } = submitted.body.submission;
  expect(await states()).toEqual([{ ...pmt, due: "1946-02-14", submittedAt, gaps: null }, ...others]);
});
