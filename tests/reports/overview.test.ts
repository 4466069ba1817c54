import { beforeAll, expect, test, vi } from "vitest";
import { loadOverview } from "@/lib/reports/screen";
import { actorFor, call } from "@/tests/call";
import { makeUser } from "@/tests/factories";
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
    return await loadOverview(actor);
  } finally {
    vi.useRealTimers();
  }
}

test("the overview shows served, new, minutes and forms of twelve months, and the last quarter's reasons", async () => {
  const { owner, other, viewer } = world;
  const [ann, bea, cat, dan] = [
    await addClient(owner),
    await addClient(owner),
    await addClient(owner),
    await addClient(owner),
  ];
  const ben = await addClient(owner, { significantOther: true });
  await addForm(owner, dan, "1965-09-30", [["SAFETY", 5]]);
  // Dan is new again, because the year of PMT has begun.
  await addForm(owner, dan, "1965-10-01", [["SAFETY", 5]]);
  await addForm(owner, ann, "1965-10-05", [["SAFETY", 30]]);
  await addForm(other, ann, "1965-10-06", [
    ["CRISIS", 15],
    ["SAFETY", 10],
  ]);
  await addForm(owner, ann, "1965-11-05", [["SAFETY", 20]], { otherMinutes: 45 });
  // These forms are neither served nor have minutes.
  await addForm(owner, bea, "1965-11-10", [["SAFETY", 20]], {
    status: "Not Served",
    reasons: ["agencyCapacity", "other"],
  });
  await addForm(owner, ben, "1965-11-12", [], { status: "Not Served", reasons: ["other"] });
  await addForm(owner, cat, "1965-12-31", [["SAFETY", 10]], {
    status: "Partially Served",
    reasons: ["agencyCapacity"],
  });
  await addForm(owner, ann, "1966-01-02", []);
  // These forms are outside the twelve months, at both ends.
  await addForm(owner, ann, "1965-01-31", [["SAFETY", 1]]);
  await addForm(owner, ann, "1966-02-01", [["SAFETY", 1]]);

  const { quarter, months, reasons } = await overviewOn("1966-01-10", viewer);
  expect(quarter).toEqual({ from: "1965-10-01", to: "1965-12-31" });
  expect(months?.months.map(({ month }) => month)).toEqual(
    ["02", "03", "04", "05", "06", "07", "08", "09", "10", "11", "12"]
      .map((month) => `1965-${month}-01`)
      .concat("1966-01-01"),
  );
  expect(months?.months.filter(({ forms }) => forms > 0)).toEqual([
    { month: "1965-09-01", served: 1, fresh: 1, minutes: 5, forms: 1 },
    { month: "1965-10-01", served: 2, fresh: 2, minutes: 60, forms: 3 },
    { month: "1965-11-01", served: 1, fresh: 0, minutes: 20, forms: 3 },
    { month: "1965-12-01", served: 1, fresh: 1, minutes: 10, forms: 1 },
    { month: "1966-01-01", served: 0, fresh: 0, minutes: 0, forms: 1 },
  ]);
  // Each primary victim counts once per reason: bea and cat, and of the two with Other only bea.
  expect(reasons).toEqual([
    { label: "Capacity", count: 2 },
    { label: "Other", count: 1 },
  ]);
});

test("the overview shows how many forms wait for review, limited to those the user may see", async () => {
  const { viewer } = world;
  const advocate = await makeUser(["forms", "clients", "reports"]);
  const board = await makeUser(["reports"]);
  const ann = await addClient(advocate);
  const [first] = [
    await addForm(advocate, ann, "1966-03-05", [["SAFETY", 15]]),
    await addForm(advocate, ann, "1966-03-06", [["SAFETY", 15]]),
  ];
  const waiting = async (person: { cookie: string }) => (await overviewOn("1966-04-10", person)).waiting;
  expect(await waiting(advocate)).toBe(2);
  const all = await waiting(viewer);
  expect(all).toBeGreaterThanOrEqual(2);
  const reconcile = { reconciled: true };
  const reviewed = await call(viewer.cookie, "POST", `/api/forms/${first}/reconcile`, reconcile);
  expect(reviewed.status).toBe(200);
  expect(await waiting(advocate)).toBe(1);
  expect(await waiting(viewer)).toBe((all ?? 0) - 1);
  expect(await waiting(board)).toBeNull();
});
