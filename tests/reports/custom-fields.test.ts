import { beforeAll, expect, test, vi } from "vitest";
import { db } from "@/lib/core/database/client";
import type { CustomField } from "@/lib/core/fields/definitions";
import { EARLIEST_DAY } from "@/lib/core/text/format";
import { findUnmapped, type Mapping } from "@/lib/reports/mapping";
import { loadOverview } from "@/lib/reports/screen";
import type { SetupResponse } from "@/lib/reports/setup/schema";
import { actorFor, call } from "@/tests/call";
import { makeUser, type Person } from "@/tests/factories";
import {
  addClient,
  addForm,
  makeReporter,
  type Reporter,
  readGaps,
  readNumbers,
  readRecordsBehind,
} from "./world";

// The organization's custom fields in reports, with counts worked out by hand.

const QUARTER = ["1956-10-01", "1956-12-31"] as const;

let world: Reporter;
let designer: Person;
let housing: CustomField;
let rural: CustomField;
let threats: CustomField;

async function createField(field: object): Promise<CustomField> {
  const sent = { section: "", hint: "", choices: [], ...field };
  const { status, body } = await call(designer.cookie, "POST", "/api/fields", { field: sent });
  expect(status, JSON.stringify(body)).toBe(201);
  return body.field;
}

const choice = ({ choices }: CustomField, label: string): number =>
  choices.find((one) => one.label === label)?.id ?? 0;

/** Sets custom values of a record, and nothing else. */
async function fill(record: "client" | "form", id: number, custom: object) {
  const path = `/api/${record}s/${id}`;
  const { body } = await call(world.owner.cookie, "GET", path);
  const { name, clientId, formTypeId, serviceOn, serviceStatus, verbalConfirmation } = body[record];
  const stored =
    record === "client" ? { name } : { clientId, formTypeId, serviceOn, serviceStatus, verbalConfirmation };
  const saved = await call(world.owner.cookie, "PUT", path, { [record]: { ...stored, custom } });
  expect(saved.status, JSON.stringify(saved.body)).toBe(200);
}

const readSetup = async (): Promise<SetupResponse> =>
  (await call(world.viewer.cookie, "GET", "/api/reports/pmt/setup")).body.setup;

async function saveMappings(own: readonly Partial<Mapping>[]) {
  const setup = await readSetup();
  const rows = own.map((row) => ({ formTypeId: null, validFrom: EARLIEST_DAY, validThrough: null, ...row }));
  const mappings = [...setup.mappings.filter(({ kind }) => !kind.startsWith("own_")), ...rows];
  return call(world.viewer.cookie, "PUT", "/api/reports/pmt/setup", { setup: { ...setup, mappings } });
}

beforeAll(async () => {
  world = await makeReporter();
  designer = await makeUser(["form-setup"]);
  const labels = (...names: string[]) => names.map((label) => ({ label }));
  housing = await createField({
    record: "client",
    label: "Housing Need",
    kind: "choice",
    choices: labels("Rent", "Repairs", "Deposit"),
  });
  rural = await createField({ record: "client", label: "Rural Route", kind: "flag" });
  threats = await createField({
    record: "form",
    label: "Threats",
    kind: "choices",
    choices: labels("Weapon", "Words"),
  });
  // A number may equal the id of a choice.
  await createField({ record: "client", label: "Cats", kind: "number" });
});

test("choices and checkboxes of custom fields count on their mapped lines, and unmapped ones are a gap", async () => {
  const { owner, viewer } = world;
  const born = "1920-01-01";
  const ann = await addClient(owner, { born, flags: ["homeless"] });
  const bea = await addClient(owner, { born });
  const cat = await addClient(owner, { born });
  const dan = await addClient(owner, { born });
  const eve = await addClient(owner, { born });
  await fill("client", ann, { housingNeed: choice(housing, "Rent"), ruralRoute: true });
  await fill("client", bea, { housingNeed: choice(housing, "Repairs") });
  await fill("client", cat, { housingNeed: choice(housing, "Deposit"), ruralRoute: false });
  await fill("client", dan, { cats: choice(housing, "Rent") });
  await fill("client", eve, { housingNeed: choice(housing, "Rent"), ruralRoute: true });
  const weapon = choice(threats, "Weapon");
  const words = choice(threats, "Words");

  const early = await addForm(owner, ann, "1956-10-05", [["SAFETY", 10]]);
  await fill("form", early, { threats: [weapon] });
  const late = await addForm(owner, ann, "1956-11-20", [["SAFETY", 10]]);
  await fill("form", late, { threats: [weapon, words] });
  const ofBea = await addForm(owner, bea, "1956-10-10", [["SAFETY", 10]]);
  await addForm(owner, cat, "1956-10-10", [["SAFETY", 10]]);
  const notServed = { status: "Not Served", reasons: ["other"] } as const;
  // Like a survivor section, a custom value of a form counts whatever the form's status.
  await fill("form", await addForm(owner, cat, "1956-10-11", [], notServed), { threats: [weapon] });
  const ofDan = await addForm(owner, dan, "1956-12-01", [["CRISIS", 5]]);
  await fill("form", ofDan, { threats: [words] });
  // A form before the quarter, and a client who was not served.
  await fill("form", await addForm(owner, dan, "1956-09-30", [["SAFETY", 10]]), { threats: [weapon] });
  await fill("form", await addForm(owner, eve, "1956-12-01", [], notServed), { threats: [weapon] });

  const common = {
    individuals_served: 4,
    individuals_new: 4,
    race_white_non_latino: 4,
    gender_female: 4,
    age_25_59: 4,
    c_individuals: 4,
    c1_crisis_intervention: 5,
  };
  expect(await readNumbers(viewer, "pmt", ...QUARTER)).toEqual({ ...common, special_homeless: 1 });
  expect(Object.keys(await readGaps(viewer, "pmt", ...QUARTER))).toEqual(["victimization"]);
  const unmapped = async () => {
    const { sources, mappings } = await readSetup();
    return findUnmapped(sources, mappings, "1956-10-10").map(({ label }) => label);
  };
  expect(await unmapped()).toEqual([]);

  const ofHousing = (label: string) => `${housing.key}:${choice(housing, label)}`;
  const ofThreat = (id: number) => ({ kind: "own_form", source: `${threats.key}:${id}` }) as const;
  const saved = await saveMappings([
    { kind: "own_client", source: ofHousing("Rent"), line: "special_other" },
    { kind: "own_client", source: ofHousing("Deposit"), line: "none" },
    { kind: "own_client", source: rural.key, line: "special_homeless" },
    { ...ofThreat(weapon), line: "victim_other", validThrough: "1956-11-14" },
    { ...ofThreat(weapon), line: "victim_stalking_harassment", validFrom: "1956-11-15" },
    { ...ofThreat(words), line: "special_disability" },
  ]);
  expect(saved.status, JSON.stringify(saved.body)).toBe(200);
  const expected = {
    ...common,
    special_homeless: 1,
    special_other: 1,
    special_disability: 2,
    victim_other: 2,
    victim_stalking_harassment: 1,
    victim_multiple: 1,
  };
  expect(await readNumbers(viewer, "pmt", ...QUARTER)).toEqual(expected);
  expect(await unmapped()).toEqual(["Housing Need: Repairs"]);
  expect(await readGaps(viewer, "pmt", ...QUARTER)).toEqual({
    ownField: { clients: [bea], forms: [ofBea] },
    victimization: { clients: [bea, dan], forms: [ofBea, ofDan] },
  });
  const behind = (line: string) => readRecordsBehind(viewer, "pmt", line, ...QUARTER);
  expect(await behind("special_other")).toEqual({ clients: [ann], forms: [early, late] });
  expect(await behind("special_disability")).toEqual({
    clients: [ann, dan],
    forms: [early, late, ofDan],
  });
  expect(await behind("victim_stalking_harassment")).toEqual({ clients: [ann], forms: [late] });

  // A retired field still counts.
  const { id, key: _, ...field } = housing;
  const retired = { field: { ...field, retiredFrom: "1956-01-01" } };
  expect((await call(designer.cookie, "PUT", `/api/fields/${id}`, retired)).status).toBe(200);
  expect(await readNumbers(viewer, "pmt", ...QUARTER)).toEqual(expected);
});

test("choices of clients count by the day that made them new, and without one by their first counted form", async () => {
  const { owner, viewer } = world;
  const isRural = async (days: readonly string[]) => {
    const id = await addClient(owner, { born: "1920-01-01" });
    await fill("client", id, { ruralRoute: true });
    for (const day of days) await addForm(owner, id, day, [["SAFETY", 10]]);
    return id;
  };
  // The half year from July has the end of one fiscal year and the beginning of the next, which makes the first client new again.
  const newAgain = await isRural(["1943-03-01", "1943-08-01", "1943-10-15"]);
  const continuing = await isRural(["1943-03-01", "1943-08-01"]);
  const newAtOnce = await isRural(["1943-08-01", "1943-10-15"]);
  const saved = await saveMappings([
    { kind: "own_client", source: rural.key, line: "special_homeless", validThrough: "1943-09-30" },
    { kind: "own_client", source: rural.key, line: "special_disability", validFrom: "1943-10-01" },
  ]);
  expect(saved.status, JSON.stringify(saved.body)).toBe(200);
  const clientsOf = async (line: string) =>
    (await readRecordsBehind(viewer, "pmt", line, "1943-07-01", "1943-12-31")).clients;
  expect(await clientsOf("special_homeless")).toEqual([continuing, newAtOnce]);
  expect(await clientsOf("special_disability")).toEqual([newAgain]);
});

test("a custom value cannot be mapped to a line that does not count it, and a text not at all", async () => {
  const source = `${housing.key}:${choice(housing, "Rent")}`;
  const problems = async (mapping: Partial<Mapping>) => {
    const { status, body } = await saveMappings([mapping]);
    return [status, Object.values(body.fields ?? {})];
  };
  expect(await problems({ kind: "own_client", source, line: "victim_other" })).toEqual([
    422,
    [expect.stringContaining("is not a line for this")],
  ]);
  for (const unknown of ["cats", "housingNeed", "housingNeed:999999", "name"])
    expect(await problems({ kind: "own_client", source: unknown, line: "special_other" }), unknown).toEqual([
      422,
      [expect.stringContaining("is not in the list")],
    ]);
});

test("the overview counts the answers to choices of custom fields by month", async () => {
  const actor = await actorFor(world.viewer);
  vi.useFakeTimers({ now: new Date("1956-12-15T20:00:00Z"), toFake: ["Date"] });
  try {
    const read = async (field: string) => {
      const { fields, readAnswers } = await loadOverview(actor, field);
      expect(fields).toContainEqual(expect.objectContaining({ key: field, group: "Custom fields" }));
      const answers = await readAnswers();
      if (!answers || answers === "slow") throw new Error("No answers");
      // October to December 1956
      return answers.answers.map(({ label, counts }) => [label, ...counts.slice(-3)]);
    };
    expect(await read(`client.custom.${housing.key}`)).toEqual([
      ["Rent", 1, 1, 0],
      ["Deposit", 1, 0, 0],
      ["Repairs", 1, 0, 0],
      // Dan, who was also served in September.
      ["No answer", 0, 0, 1],
    ]);
    expect(await read(`form.custom.${threats.key}`)).toEqual([
      ["Weapon", 2, 1, 1],
      ["Words", 0, 1, 1],
    ]);
  } finally {
    vi.useRealTimers();
  }
});

test("a hidden demographic field counts as not tracked for clients without an answer who are new from that day on", async () => {
  const { owner, viewer } = world;
  const before = await addClient(owner, { known: false });
  const without = await addClient(owner, { known: false });
  const answered = await addClient(owner, { born: "1900-01-01" });
  const ofBefore = await addForm(owner, before, "1957-02-14", [["SAFETY", 5]]);
  const ofWithout = await addForm(owner, without, "1957-02-15", [["SAFETY", 5]]);
  await addForm(owner, answered, "1957-03-01", [["SAFETY", 5]]);
  const from = "1957-01-01";
  const to = "1957-03-31";
  const read = async () => {
    const numbers = await readNumbers(viewer, "pmt", from, to);
    const demographic = Object.entries(numbers).filter(([line]) => /^(race|gender|age)_/.test(line));
    const { race, gender, age } = await readGaps(viewer, "pmt", from, to);
    return { ...Object.fromEntries(demographic), gaps: [race?.forms, gender?.forms, age?.forms] };
  };
  const both = [ofBefore, ofWithout];
  const answers = { race_white_non_latino: 1, gender_female: 1, age_25_59: 1 };
  const asked = {
    ...answers,
    race_not_reported: 2,
    gender_not_reported: 2,
    age_not_reported: 2,
    gaps: [both, both, both],
  };
  expect(await read()).toEqual(asked);

  const atDay = async <Result>(day: string, work: () => Promise<Result>) => {
    vi.useFakeTimers({ now: new Date(`${day}T20:00:00Z`), toFake: ["Date"] });
    try {
      return await work();
    } finally {
      vi.useRealTimers();
    }
  };
  const set = async (path: string, hidden: boolean, day = "1957-02-15") => {
    const sent = { fieldSetting: { hidden } };
    const { status, body } = await atDay(day, () =>
      call(designer.cookie, "PUT", `/api/field_settings/${path}`, sent),
    );
    expect(status, JSON.stringify(body)).toBe(200);
  };
  const biographical = "client.clientBiographicalEntry";
  const demographic = "client.clientDemographicEntry";
  await set(`${demographic}.ethnicityId`, true);
  // Its day stays when something else about the field changes.
  await set(`${demographic}.ethnicityId`, true, "1957-03-30");
  await set(`${biographical}.dateOfBirth`, true, "1957-01-01");
  const race = { race_not_reported: 1, race_not_tracked: 1 };
  expect(await read()).toEqual({ ...asked, ...race, gaps: [[ofBefore], both, both] });

  // The age is asked while one of its three fields is.
  await set(`${biographical}.ageBracketId`, true, "1957-01-01");
  await set(`${demographic}.ageBracketId`, true, "1957-02-15");
  const age = { age_not_reported: 1, age_not_tracked: 1 };
  expect(await read()).toEqual({ ...asked, ...race, ...age, gaps: [[ofBefore], both, [ofBefore]] });

  // With the whole section, too.
  await set(demographic, true, "1957-02-01");
  expect(await read()).toEqual({
    ...answers,
    race_not_tracked: 2,
    gender_not_tracked: 2,
    age_not_tracked: 2,
    gaps: [undefined, undefined, undefined],
  });

  // Race and the third age field are shown again on the same day, so their own hidden periods do not count.
  const ofDay = "1957-02-15";
  await set(`${demographic}.ageBracketId`, false, ofDay);
  await set(`${demographic}.ethnicityId`, false, ofDay);
  // The client who was new while the section was hidden stays not tracked. One who is new on the day it reappears is not.
  const shown = {
    ...answers,
    race_not_tracked: 1,
    gender_not_tracked: 1,
    age_not_tracked: 1,
    race_not_reported: 1,
    gender_not_reported: 1,
    age_not_reported: 1,
    gaps: [[ofWithout], [ofWithout], [ofWithout]],
  };
  const reset = await atDay(ofDay, () =>
    call(designer.cookie, "DELETE", `/api/field_settings/${demographic}`),
  );
  expect(reset.status).toBe(204);
  expect(await read()).toEqual(shown);
  // A second hidden period counts from its first day on, and the first period still counts.
  await set(demographic, true, "1957-02-20");
  await set(demographic, false, "1957-02-20");
  expect(await read()).toEqual(shown);
  for (const path of ["dateOfBirth", "ageBracketId"])
    await set(`${biographical}.${path}`, false, "1957-05-01");
  expect(await read()).toEqual(shown);
});

test("an answer without a mapping is a gap, also of a hidden field", async () => {
  const { owner, viewer } = world;
  const ethnicity = "Without a line";
  await db().ethnicity.create({ data: { name: ethnicity } });
  const client = await addClient(owner, { ethnicity });
  const form = await addForm(owner, client, "1958-02-15", [["SAFETY", 5]]);
  const path = "/api/field_settings/client.clientDemographicEntry.ethnicityId";
  const set = async (hidden: boolean) => {
    vi.useFakeTimers({ now: new Date("1958-01-10T20:00:00Z"), toFake: ["Date"] });
    const { status } = await call(designer.cookie, "PUT", path, { fieldSetting: { hidden } });
    vi.useRealTimers();
    expect(status).toBe(200);
  };
  await set(true);
  const numbers = await readNumbers(viewer, "pmt", "1958-01-01", "1958-03-31");
  expect(numbers).toMatchObject({ individuals_new: 1, race_not_reported: 1 });
  expect(numbers).not.toHaveProperty("race_not_tracked");
  const { race } = await readGaps(viewer, "pmt", "1958-01-01", "1958-03-31");
  expect(race).toEqual({ clients: [client], forms: [form] });
  await set(false);
});
