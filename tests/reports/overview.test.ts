import { beforeAll, expect, test, vi } from "vitest";
import { addDays, today } from "@/lib/core/text/format";
import { monthOf, quarterOf } from "@/lib/reports/periods";
import { loadOverview } from "@/lib/reports/screen";
import { actorFor, call } from "@/tests/call";
import { makeUser } from "@/tests/factories";
import { addClient, addForm, addSurvivorForm, makeReporter, type Reporter } from "./world";

// The numbers of the overview, worked out by hand.

let world: Reporter;
beforeAll(async () => {
  world = await makeReporter();
});

/** Returns the overview on a day, at noon in Los Angeles. */
async function overviewOn(day: string, person: { cookie: string }, field = "") {
  const actor = await actorFor(person);
  vi.useFakeTimers({ now: new Date(`${day}T20:00:00Z`), toFake: ["Date"] });
  try {
    const { months, readStates, fields, readAnswers } = await loadOverview(actor, field);
    return { months, states: await readStates(), fields, answers: await readAnswers() };
  } finally {
    vi.useRealTimers();
  }
}

test("the overview shows served, new, minutes and forms of twenty-four months", async () => {
  const { owner, other, viewer } = world;
  const ann = await addClient(owner);
  const bea = await addClient(owner);
  const cat = await addClient(owner);
  const dan = await addClient(owner);
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
  const ann = await addClient(owner);
  const bea = await addClient(owner);
  const cat = await addClient(owner);
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

test("the overview counts forms of tomorrow on the last day of a month, as the report does", async () => {
  const { owner, viewer } = world;
  await addForm(owner, await addClient(owner), "1969-11-30", [["SAFETY", 30]]);
  await addForm(owner, await addClient(owner), "1969-12-01", [["SAFETY", 30]]);
  const { months } = await overviewOn("1969-11-30", viewer);
  expect(months?.served).toBe(2);
});

test("the overview shows when each report of the last quarter is due, its gaps, and that it was submitted", async () => {
  const { owner, viewer } = world;
  const quarter = { from: "1945-10-01", to: "1945-12-31" };
  // Without an ethnicity, a gender, an age and a victimization.
  await addForm(owner, await addClient(owner, { known: false }), "1945-10-02", [["SAFETY", 10]]);
  const states = async () => (await overviewOn("1946-01-10", viewer)).states;
  const [pmt, ...others] = await states();
  // The quarter ended before the first account was activated.
  const state = { key: "pmt", quarter, submittedAt: null, isEmpty: false, copy: null };
  expect(pmt).toEqual({ ...state, due: null, gaps: 4 });

  const path = "/api/reports/pmt";
  const { setup } = (await call(viewer.cookie, "GET", `${path}/setup`)).body;
  await call(viewer.cookie, "PUT", `${path}/setup`, {
    setup: { ...setup, dueDays: 45, dueFrom: "1945-10-01" },
  });
  const submitted = await call(viewer.cookie, "POST", `${path}/submissions`, { submission: quarter });
  expect(submitted.status).toBe(201);
  const { submittedAt } = submitted.body.submission;
  expect(await states()).toEqual([{ ...pmt, due: "1946-02-14", submittedAt, gaps: null }, ...others]);
});

test("a report without records says so, and begins to be due with the first quarter that ends after an account was activated", async () => {
  const { viewer } = world;
  const stateOn = async (day: string) =>
    (await overviewOn(day, viewer)).states?.find(({ key }) => key === "pccd");
  expect(await stateOn("1921-01-10")).toMatchObject({ isEmpty: true, due: null });
  const path = "/api/reports/pccd/setup";
  const { setup } = (await call(viewer.cookie, "GET", path)).body;
  const tomorrow = addDays(today(), 1);
  const here = quarterOf(tomorrow);
  expect(setup).toMatchObject({ dueFrom: null, firstDue: here.from });
  const dueIn = async (later: number) => (await stateOn(quarterOf(tomorrow, later + 1).from))?.due;
  expect([await dueIn(-1), await dueIn(0)]).toEqual([null, addDays(here.to, 30)]);

  const save = (dueFrom: string | null) => call(viewer.cookie, "PUT", path, { setup: { ...setup, dueFrom } });
  const refused = "setup.dueFrom";
  expect((await save(addDays(quarterOf(tomorrow, -1).from, 1))).body.fields).toHaveProperty(refused);
  expect((await save(here.from)).body.fields).toHaveProperty(refused);
  const before = quarterOf(tomorrow, -1);
  expect((await save(before.from)).body.setup).toMatchObject({ dueFrom: before.from });
  expect([await dueIn(-1), await dueIn(-2)]).toEqual([addDays(before.to, 30), null]);
  const { lockVersion } = (await call(viewer.cookie, "GET", path)).body.setup;
  await call(viewer.cookie, "PUT", path, { setup: { ...setup, lockVersion } });
  expect(await dueIn(-1)).toBeNull();
});

/** Returns the months of each answer that are not zero, on a day of 1936. */
async function answersTo(field: string, person: { cookie: string }) {
  const { answers } = await overviewOn("1936-03-15", person, field);
  if (!answers || answers === "slow") return answers;
  expect(answers.months).toEqual(Array.from({ length: 24 }, (_, later) => monthOf("1934-04-01", later).from));
  return answers.answers.map(({ label, counts }) => [
    label,
    Object.fromEntries(
      answers.months.flatMap((month, at) => (counts[at] ? [[month.slice(0, 7), counts[at]]] : [])),
    ),
  ]);
}

test("the overview counts the answers to a choice of forms by the months of the forms", async () => {
  const { owner, other, viewer } = world;
  const ann = await addClient(owner);
  const bea = await addClient(other);
  const harassed = { victimizations: ["Harassment", "Stalking"] };
  await addSurvivorForm(owner, ann, "1936-01-01", { relationship: "Sibling", ...harassed });
  await addSurvivorForm(owner, ann, "1936-01-31", { relationship: "Sibling", victimizations: ["Stalking"] });
  await addSurvivorForm(other, bea, "1936-01-15", { relationship: "Neighbor" });
  await addSurvivorForm(other, bea, "1934-04-01", { relationship: "Neighbor", hateCrime: "Race" });
  // These are outside the months. A Service form has no such field.
  await addSurvivorForm(owner, ann, "1934-03-31", { relationship: "Spouse" });
  await addSurvivorForm(owner, ann, "1936-04-01", { relationship: "Spouse" });
  await addForm(owner, ann, "1936-02-01", [["SAFETY", 5]]);

  const survivor = "form.intakeForm.survivorEntry";
  expect(await answersTo(`${survivor}.offenderRelationshipId`, viewer)).toEqual([
    ["Neighbor", { "1934-04": 1, "1936-01": 1 }],
    ["Sibling", { "1936-01": 2 }],
  ]);
  expect(await answersTo(`${survivor}.secondaryVictimizationIds`, viewer)).toEqual([
    ["Stalking", { "1936-01": 2 }],
    ["Harassment", { "1936-01": 1 }],
    ["No answer", { "1934-04": 1, "1936-01": 1 }],
  ]);
  expect(await answersTo(`${survivor}.hateCrimeCategoryId`, viewer)).toEqual([
    ["Race", { "1934-04": 1 }],
    ["No answer", { "1936-01": 3 }],
  ]);
  expect(await answersTo("form.formTypeId", viewer)).toEqual([
    ["Survivor", { "1934-04": 1, "1936-01": 3 }],
    ["Service", { "1936-02": 1 }],
  ]);
  expect(await answersTo("form.serviceStatus", viewer)).toEqual([
    ["Served", { "1934-04": 1, "1936-01": 3, "1936-02": 1 }],
  ]);

  const overseer = await makeUser(["clients", "reports", "restrict-clients", "all-forms", "forms"]);
  const hiding = await makeUser(["forms", "clients", "reports", "all-forms"]);
  const restricted = { userIds: [hiding.id] };
  const answer = await call(overseer.cookie, "PUT", `/api/clients/${ann}/restrictions`, restricted);
  expect(answer.status).toBe(200);
  expect(await answersTo(`${survivor}.offenderRelationshipId`, hiding)).toEqual([
    ["Neighbor", { "1934-04": 1, "1936-01": 1 }],
  ]);
  await call(overseer.cookie, "PUT", `/api/clients/${ann}/restrictions`, { userIds: [] });
});

test("the overview counts the answers of clients by the months in which they were served", async () => {
  const { owner, viewer } = world;
  const ann = await addClient(owner, { ethnicity: "Asian" });
  const bea = await addClient(owner, { ethnicity: "Asian", gender: "Male" });
  const cat = await addClient(owner, { known: false });
  const dan = await addClient(owner, { ethnicity: "White" });
  for (const [client, day] of [
    [ann, "1935-06-01"],
    [ann, "1935-06-30"],
    [ann, "1935-07-01"],
    [bea, "1935-06-15"],
    [cat, "1935-06-15"],
  ] as const)
    await addForm(owner, client, day, [["SAFETY", 5]]);
  // Dan was not served.
  await addForm(owner, dan, "1935-06-15", [["SAFETY", 5]], { status: "Not Served", reasons: ["other"] });
  await addForm(owner, dan, "1935-06-16", []);
  const monthsOf = async (field: string) =>
    ((await answersTo(field, viewer)) as [string, Record<string, number>][]).flatMap(([label, months]) => {
      const in1935 = Object.entries(months).filter(([month]) => month.startsWith("1935"));
      return in1935.length > 0 ? [[label, Object.fromEntries(in1935)]] : [];
    });
  expect(await monthsOf("client.clientDemographicEntry.ethnicityId")).toEqual([
    ["Asian", { "1935-06": 2, "1935-07": 1 }],
    ["No answer", { "1935-06": 1 }],
  ]);
  expect(await monthsOf("client.clientDemographicEntry.gender")).toEqual([
    ["Female", { "1935-06": 1, "1935-07": 1 }],
    ["Male", { "1935-06": 1 }],
    ["No answer", { "1935-06": 1 }],
  ]);
});

test("the overview offers every choice that identifies no person, and nothing for an unknown field", async () => {
  const { fields } = await overviewOn("1936-03-15", world.viewer);
  expect(fields.map(({ key }) => key)).toEqual([
    "form.formTypeId",
    "form.serviceStatus",
    "form.canineId",
    "form.intakeForm.referralSourceId",
    "form.intakeForm.phoneEntry.currentPfaOrder",
    "form.intakeForm.phoneEntry.incomeAndEducationEntry.educationLevelId",
    "form.intakeForm.phoneEntry.incomeAndEducationEntry.incomeLevelId",
    "form.intakeForm.onCallAdvocacyEntry.placeOfService",
    "form.intakeForm.legalAdvocacyEntry.placeOfService",
    "form.intakeForm.legalAdvocacyEntry.pfaCourtEntry.pfaCourtContactTypeId",
    "form.intakeForm.legalAdvocacyEntry.magisterialEntry.magisterialCourtOutcomeId",
    "form.intakeForm.survivorEntry.secondaryVictimizationIds",
    "form.intakeForm.survivorEntry.custodyStatusId",
    "form.intakeForm.survivorEntry.offenderRelationshipId",
    "form.intakeForm.survivorEntry.hateCrimeCategoryId",
    "client.clientBiographicalEntry.ageBracketId",
    "client.clientDemographicEntry.ageBracketId",
    "client.clientDemographicEntry.ethnicityId",
    "client.clientDemographicEntry.gender",
  ]);
  // Each has SQL of its own.
  for (const { key } of fields) expect(await answersTo(key, world.viewer), key).toBeInstanceOf(Array);
  for (const key of ["", "client.name", "form.clientId", "x'); --"])
    expect(await answersTo(key, world.viewer), key).toBeNull();
});
