import { beforeAll, describe, expect, test } from "vitest";
import { clientSchema } from "@/lib/clients/schema";
import { db, rows } from "@/lib/core/database/client";
import { sql } from "@/lib/core/database/sql";
import { toWire } from "@/lib/core/fields/wire";
import { linesOf } from "@/lib/reports/definitions";
import { screenQuery } from "@/lib/reports/schema";
import { loadGap, loadLine, loadReport } from "@/lib/reports/screen";
import { actorFor, call } from "@/tests/call";
import { formTypeId, makeUser, minimalForm, type Person } from "@/tests/factories";
import { addClient, addForm, readGaps, readNumbers, readRecordsBehind } from "./world";

// Cases of the FVPSA report, worked out by hand before its code. Each has years of its own and checks every number, and
// the records behind every number.

let owner: Person;
let other: Person;
let viewer: Person;
let house: number;
let motel: number;
let kinds: Map<string, number>;

beforeAll(async () => {
  const advocate = ["forms", "clients", "contacts", "shelter", "reports"] as const;
  owner = await makeUser(advocate);
  other = await makeUser(advocate);
  viewer = await makeUser([...advocate, "all-forms", "export", "retention", "restrict-clients"]);
  const shelter = (name: string) => db().shelter.create({ data: { name, kind: "In-house", beds: 12 } });
  house = (await shelter("Lantern House")).id;
  motel = (await shelter("Riverside Motel")).id;
  kinds = new Map((await db().contactKind.findMany()).map(({ name, id }) => [name, id]));
  const retention = { years: 5, nightly: false };
  expect((await call(viewer.cookie, "PUT", "/api/retention", { retention })).status).toBe(200);
});

type People = { adults?: number; childrenThirteenToSeventeen?: number; childrenUnderThirteen?: number };

async function addStay(
  clientId: number,
  enteredOn: string,
  leftOn: string | null,
  people: People = {},
  by = owner,
): Promise<number> {
  const { status, body } = await call(by.cookie, "POST", "/api/stays", {
    stay: { clientId, shelterId: house, enteredOn, leftOn, ...people },
  });
  expect(status, JSON.stringify(body)).toBe(201);
  return body.stay.id;
}

async function addContact(kind: string, contactedOn: string, values: object = {}, by = owner) {
  const { status, body } = await call(by.cookie, "POST", "/api/contacts", {
    contact: { contactKindId: kinds.get(kind), contactedOn, ...values },
  });
  expect(status, JSON.stringify(body)).toBe(201);
  return body.contact.id as number;
}

const quarter = (year: number) => [`${year}-10-01`, `${year}-12-31`] as const;

type Records = { clients?: number[]; forms?: number[]; stays?: number[]; contacts?: number[] };
/** The count of a line and the records behind it. */
type Expected = Record<string, [count: number, behind: Records]>;

/** Expects exactly these lines and records; every other line is 0 and has none. */
async function expectReport(by: Person, [from, to]: readonly [string, string], expected: Expected) {
  expect(await readNumbers(by, "fvpsa", from, to)).toEqual(
    Object.fromEntries(Object.entries(expected).map(([line, [count]]) => [line, count])),
  );
  for (const { key } of linesOf("fvpsa")) {
    const [, behind = {}] = expected[key] ?? [];
    const { hidden, ...found } = await readRecordsBehind(by, "fvpsa", key, from, to);
    expect([key, hidden, found]).toEqual([
      key,
      0,
      { clients: [], forms: [], stays: [], contacts: [], ...behind },
    ]);
  }
}

/** Returns the same records on several lines. */
const on = (count: number, behind: Records, ...lines: string[]): Expected =>
  Object.fromEntries(lines.map((line) => [line, [count, behind]]));

/** Creates a white woman who is from 25 to 59 years old in these cases. */
const addWoman = () => addClient(owner, { born: "1940-01-01" });
/** The lines of new women from 25 to 59. */
const WOMEN = ["people_new", "race_white_non_latino", "gender_female", "age_25_59"];

async function purge(id: number): Promise<void> {
  await rows(sql`UPDATE clients SET updated_at = '2015-01-01' WHERE id = ${id}`);
  await rows(sql`UPDATE forms SET updated_at = '2015-01-01' WHERE client_id = ${id}`);
  await rows(sql`UPDATE stays SET updated_at = '2015-01-01' WHERE client_id = ${id}`);
  const { body } = await call(viewer.cookie, "POST", "/api/retention/purge", { ids: [id] });
  expect(body).toMatchObject({ done: [id], failed: [] });
}

async function merge(keptId: number, otherId: number): Promise<void> {
  const read = async (id: number) => (await call(viewer.cookie, "GET", `/api/clients/${id}`)).body.client;
  const [kept, second] = [await read(keptId), await read(otherId)];
  const { status } = await call(viewer.cookie, "POST", `/api/clients/${keptId}/merge`, {
    client: toWire(clientSchema, kept),
    other: { id: otherId, lockVersion: second.lockVersion },
  });
  expect(status).toBe(200);
}

describe("the FVPSA report", () => {
  test("counts a stay that ends on the day it began as one night", async () => {
    const ann = await addWoman();
    const stay = await addStay(ann, "1981-10-05", "1981-10-05");
    const behind = { clients: [ann], stays: [stay] };
    await expectReport(viewer, quarter(1981), {
      ...on(1, behind, ...WOMEN, "shelter_adults", "shelter_people", "shelter_nights", "stays_begun"),
    });
    // Not a client served for the other funders, who do not count nights.
    expect(await readNumbers(viewer, "pmt", ...quarter(1981))).toEqual({});
    expect(await readNumbers(viewer, "pccd", ...quarter(1981))).toEqual({});
  });

  test("counts an open stay through the last day of the period, and in the next one from its first day", async () => {
    const ann = await addClient(owner);
    const family = { adults: 1, childrenThirteenToSeventeen: 1, childrenUnderThirteen: 2 };
    const stay = await addStay(ann, "2024-12-20", null, family);
    const behind = { clients: [ann], stays: [stay] };
    await expectReport(viewer, quarter(2024), {
      ...on(1, behind, ...WOMEN, "shelter_adults", "shelter_people", "stays_begun", "accompanying_adults"),
      // 12 nights of 5 people.
      shelter_nights: [60, behind],
      accompanying_children: [3, behind],
    });
    // She is no longer new, and nobody moves in.
    await expectReport(viewer, ["2025-01-01", "2025-03-31"], {
      shelter_people: [1, behind],
      shelter_nights: [450, behind],
    });
    // Open for longer than STAY_ALERT_DAYS.
    expect(await readGaps(viewer, "fvpsa", ...quarter(2024))).toEqual({
      openStay: { clients: [ann], forms: [], stays: [stay] },
    });
    const [from, to] = quarter(2024);
    const query = screenQuery({ from, to }).parse({ from, to });
    const byShelter = await actorFor(await makeUser(["shelter", "reports"]));
    expect(await loadGap(byShelter, "fvpsa", "openStay", query)).toMatchObject({ total: 1, hidden: 0 });
    const { leftOn } = (
      await call(owner.cookie, "PUT", `/api/stays/${stay}`, {
        stay: { shelterId: house, leftOn: "2025-01-02" },
      })
    ).body.stay;
    expect(leftOn).toBe("2025-01-02");
    expect(await readNumbers(viewer, "fvpsa", "2025-01-01", "2025-03-31")).toEqual({
      shelter_people: 1,
      shelter_nights: 5,
    });
    expect(await readGaps(viewer, "fvpsa", ...quarter(2024))).toEqual({});
  });

  test("counts each night of overlapping stays once, for the stay that began later", async () => {
    const ann = await addWoman();
    const long = await addStay(ann, "1982-10-01", "1982-10-11");
    // The database refuses this stay unless a merge made it.
    const { id: short } = await db().stay.create({
      data: {
        ...{ clientId: ann, shelterId: motel, userId: owner.id, overlapping: true, childrenUnderThirteen: 1 },
        enteredOn: new Date("1982-10-04"),
        leftOn: new Date("1982-10-06"),
      },
    });
    const both = { clients: [ann], stays: [long, short] };
    await expectReport(viewer, quarter(1982), {
      ...on(1, both, ...WOMEN, "shelter_adults", "shelter_people"),
      // 8 nights alone, 2 with a child.
      shelter_nights: [12, both],
      stays_begun: [2, both],
      accompanying_children: [1, { clients: [ann], stays: [short] }],
    });
  });

  test("counts the night of a move for the later shelter, and both stays as begun", async () => {
    const [ann, bea] = [await addWoman(), await addWoman()];
    const move = async (id: number, on: string) => {
      const { status, body } = await call(owner.cookie, "POST", `/api/stays/${id}/move`, {
        shelterId: motel,
        on,
      });
      expect(status, JSON.stringify(body)).toBe(201);
      return body.stay.id as number;
    };
    const leave = (id: number, leftOn: string) =>
      call(owner.cookie, "PUT", `/api/stays/${id}`, { stay: { shelterId: motel, leftOn } });
    const first = await addStay(ann, "1983-10-01", null, { adults: 1 });
    const second = await move(first, "1983-10-05");
    await leave(second, "1983-10-08");
    // Bea moves on the day of arrival: her first stay has no night.
    const arrival = await addStay(bea, "1983-10-05", null);
    const next = await move(arrival, "1983-10-05");
    await leave(next, "1983-10-06");
    const nights = { clients: [ann, bea], stays: [first, second, next] };
    await expectReport(viewer, quarter(1983), {
      ...on(2, nights, ...WOMEN, "shelter_adults", "shelter_people"),
      // 4 and 3 nights of two people, and one night of one.
      shelter_nights: [15, nights],
      stays_begun: [4, { clients: [ann, bea], stays: [first, second, arrival, next] }],
      accompanying_adults: [2, { clients: [ann], stays: [first, second] }],
    });
  });

  test("counts a purged client on the same lines as before, by her age when she came", async () => {
    // She is 17 until November 1.
    const teen = await addClient(owner, { born: "1966-11-01" });
    const stay = await addStay(teen, "1984-10-30", "1984-11-03", { childrenUnderThirteen: 1 });
    const form = await addForm(owner, teen, "1984-11-02", [["COUNSEL-IND", 30]]);
    const behind = { clients: [teen], forms: [form], stays: [stay] };
    const expected = {
      ...on(
        1,
        behind,
        ...["people_new", "race_white_non_latino", "gender_female", "age_13_17", "shelter_children"],
      ),
      ...on(1, { clients: [teen], stays: [stay] }, "shelter_people", "stays_begun", "accompanying_children"),
      shelter_nights: [8, { clients: [teen], stays: [stay] }],
      ...on(
        1,
        { clients: [teen], forms: [form] },
        "advocacy_children_individuals",
        "advocacy_children_times",
      ),
    } satisfies Expected;
    await expectReport(viewer, quarter(1984), expected);
    await purge(teen);
    await expectReport(viewer, quarter(1984), expected);
  });

  test("counts merged clients as one person, whose nights count once", async () => {
    const [ann, anne] = [await addWoman(), await addWoman()];
    const first = await addStay(ann, "1985-10-01", "1985-10-06", { adults: 1 });
    const second = await addStay(anne, "1985-10-04", "1985-10-08");
    const form = await addForm(owner, anne, "1985-10-07", [["CASE-MGMT", 30]]);
    expect(await readNumbers(viewer, "fvpsa", ...quarter(1985))).toMatchObject({
      ...{ people_new: 2, shelter_adults: 2, shelter_people: 2, shelter_nights: 14 },
    });
    await merge(ann, anne);
    const stays = { clients: [ann], stays: [first, second] };
    await expectReport(viewer, quarter(1985), {
      ...on(1, { ...stays, forms: [form] }, ...WOMEN, "shelter_adults"),
      shelter_people: [1, stays],
      // 3 nights of two people, then 4 of one.
      shelter_nights: [10, stays],
      stays_begun: [2, stays],
      accompanying_adults: [1, { clients: [ann], stays: [first] }],
      ...on(1, { clients: [ann], forms: [form] }, "advocacy_adults_individuals", "advocacy_adults_times"),
    });
  });

  test("counts a hotline call that is linked to a form, unlike the other reports", async () => {
    const contact = await addContact("Hotline call", "1986-10-05");
    const ann = await addWoman();
    const { id: serviceCodeId } = await db().serviceCode.findUniqueOrThrow({ where: { code: "SAFETY" } });
    const { status, body } = await call(owner.cookie, "POST", "/api/forms", {
      form: {
        ...minimalForm(ann, await formTypeId("Service")),
        ...{ serviceOn: "1986-10-05", contactId: contact },
        serviceEntryAttributes: { serviceProvidedEntriesAttributes: [{ serviceCodeId, minutes: 20 }] },
      },
    });
    expect(status, JSON.stringify(body)).toBe(201);
    const form = { clients: [ann], forms: [body.form.id] };
    await expectReport(viewer, quarter(1986), {
      ...on(1, form, ...WOMEN, "nonshelter_adults", "advocacy_adults_individuals", "advocacy_adults_times"),
      hotline_contacts: [1, { contacts: [contact] }],
    });
    expect((await readNumbers(viewer, "pmt", ...quarter(1986))).anonymous_contacts).toBeUndefined();
  });

  test("counts a tally of 30 calls as 30, and only kinds that count as hotline", async () => {
    const calls = await addContact("Hotline call", "1987-10-01", { number: 30, minutes: 600 });
    const chat = await addContact("Text or chat", "1987-12-31", {}, other);
    await addContact("Walk-in", "1987-11-05", { number: 7 });
    await addContact("Hotline call", "1987-09-30");
    await addContact("Hotline call", "1988-01-01");
    await expectReport(viewer, quarter(1987), { hotline_contacts: [31, { contacts: [calls, chat] }] });
  });

  test("counts requests for shelter that were turned away for lack of beds, with their adults", async () => {
    const request = { shelterRequested: true, adults: 1, children: 2 };
    const family = await addContact("Shelter request", "1989-10-05", {
      ...request,
      turnedAwayReason: "capacity",
    });
    const evening = await addContact("Hotline call", "1989-11-05", {
      ...request,
      ...{ number: 3, adults: 4, turnedAwayReason: "capacity" },
    });
    const child = await addContact("Walk-in", "1989-12-05", {
      ...request,
      ...{ adults: 0, children: 1, turnedAwayReason: "capacity" },
    });
    await addContact("Shelter request", "1989-10-06", { ...request, turnedAwayReason: "not_appropriate" });
    await addContact("Shelter request", "1989-10-07", { ...request, turnedAwayReason: "other" });
    await addContact("Shelter request", "1989-10-08", request);
    await expectReport(viewer, quarter(1989), {
      unmet_requests: [5, { contacts: [family, evening, child] }],
      unmet_adults: [5, { contacts: [family, evening] }],
      hotline_contacts: [3, { contacts: [evening] }],
    });
  });

  test("counts a client who is in shelter and served elsewhere as in shelter only", async () => {
    const ann = await addWoman();
    const stay = await addStay(ann, "1990-10-05", "1990-10-07");
    const counseling = await addForm(other, ann, "1990-12-05", [
      ["COUNSEL-IND", 60],
      ["COUNSEL-GRP", 30],
      ["LEGAL-INFO", 10],
    ]);
    // On the phone, CRISIS is a hotline service, not advocacy.
    const phone = await addForm(owner, ann, "1990-12-06", [["CRISIS", 15]], { type: "Phone" });
    const boy = await addClient(owner, { born: "1980-01-01", gender: "Male", ethnicity: "Asian" });
    const boys = await addForm(owner, boy, "1990-10-05", [["CHILD", 20]]);
    const unknown = await addClient(owner, { known: false });
    const unknowns = await addForm(owner, unknown, "1990-10-05", [
      ["CRISIS", 20],
      ["CRISIS", 20],
    ]);
    // Neither is a service: she is on no line.
    const never = await addWoman();
    await addForm(owner, never, "1990-10-05", [["CRISIS", 20]], {
      status: "Not Served",
      reasons: ["agencyCapacity"],
    });
    await addForm(owner, never, "1990-10-06", [], { otherMinutes: 20 });
    const annAll = { clients: [ann], forms: [counseling, phone], stays: [stay] };
    const boyAll = { clients: [boy], forms: [boys] };
    const unknownAll = { clients: [unknown], forms: [unknowns] };
    const shelter = { clients: [ann], stays: [stay] };
    const adults = { clients: [ann, unknown], forms: [counseling, unknowns] };
    await expectReport(viewer, quarter(1990), {
      people_new: [
        3,
        { clients: [ann, boy, unknown], forms: [counseling, phone, boys, unknowns], stays: [stay] },
      ],
      ...on(1, annAll, "shelter_adults", "race_white_non_latino", "gender_female", "age_25_59"),
      ...on(1, boyAll, "nonshelter_children", "race_asian", "gender_male", "age_0_12"),
      ...on(
        1,
        unknownAll,
        ...["nonshelter_age_unknown", "race_not_reported", "gender_not_reported", "age_not_reported"],
      ),
      ...on(1, shelter, "shelter_people", "stays_begun"),
      shelter_nights: [2, shelter],
      advocacy_adults_individuals: [2, adults],
      // Of Ann two rows, and two of the client of unknown age.
      advocacy_adults_times: [4, adults],
      ...on(1, boyAll, "advocacy_children_individuals", "advocacy_children_times"),
    });
    expect(await readGaps(viewer, "fvpsa", ...quarter(1990))).toEqual({
      race: { ...unknownAll, stays: [] },
      gender: { ...unknownAll, stays: [] },
      age: { ...unknownAll, stays: [] },
    });
  });

  test("counts a client as new again in the next fiscal year, from her first night in it", async () => {
    // She is 17 until October 20, 1992.
    const teen = await addClient(owner, { born: "1974-10-20" });
    const stay = await addStay(teen, "1992-09-21", "1992-10-11");
    const form = await addForm(owner, teen, "1992-12-05", [["COUNSEL-IND", 30]]);
    const TEENS = ["people_new", "race_white_non_latino", "gender_female", "age_13_17", "shelter_children"];
    const shelter = { clients: [teen], stays: [stay] };
    await expectReport(viewer, ["1992-07-01", "1992-09-30"], {
      ...on(1, shelter, ...TEENS, "shelter_people", "stays_begun"),
      shelter_nights: [10, shelter],
    });
    const all = { ...shelter, forms: [form] };
    const served = { clients: [teen], forms: [form] };
    // New on October 1, when she was 17: the counseling in December is a child's.
    const advocacy = on(1, served, "advocacy_children_individuals", "advocacy_children_times");
    await expectReport(viewer, quarter(1992), {
      ...on(1, all, ...TEENS),
      shelter_people: [1, shelter],
      shelter_nights: [10, shelter],
      ...advocacy,
    });
    // In December she is not new, but still of the age at which she was.
    await expectReport(viewer, ["1992-12-01", "1992-12-31"], advocacy);
    // Once over both years.
    await expectReport(viewer, ["1992-07-01", "1992-12-31"], {
      ...on(1, all, ...TEENS),
      ...on(1, shelter, "shelter_people", "stays_begun"),
      shelter_nights: [20, shelter],
      ...advocacy,
    });
    expect(await readNumbers(viewer, "fvpsa", "1993-01-01", "1993-03-31")).toEqual({});
  });

  test("leaves out a client who is hidden from the reader", async () => {
    const reader = await makeUser(["forms", "clients", "contacts", "shelter", "all-forms", "reports"]);
    const [ann, bea] = [await addWoman(), await addWoman()];
    const stay = await addStay(ann, "1994-10-05", "1994-10-08");
    const secret = await addStay(bea, "1994-10-05", "1994-12-08", { adults: 2 });
    const form = await addForm(owner, bea, "1994-10-05", [["COUNSEL-IND", 30]]);
    const calls = await addContact("Hotline call", "1994-10-05");
    await call(owner.cookie, "PUT", `/api/contacts/${calls}`, {
      contact: { contactKindId: kinds.get("Hotline call"), formId: form },
    });
    const restrict = { userIds: [reader.id] };
    expect((await call(viewer.cookie, "PUT", `/api/clients/${bea}/restrictions`, restrict)).status).toBe(200);
    const annOnly = { clients: [ann], stays: [stay] };
    await expectReport(reader, quarter(1994), {
      ...on(1, annOnly, ...WOMEN, "shelter_adults", "shelter_people", "stays_begun"),
      shelter_nights: [3, annOnly],
      // Contacts name no one: the linked one looks anonymous.
      hotline_contacts: [1, { contacts: [calls] }],
    });
    const both = { clients: [ann, bea], stays: [stay, secret] };
    await expectReport(viewer, quarter(1994), {
      ...on(2, { ...both, forms: [form] }, ...WOMEN, "shelter_adults"),
      ...on(2, both, "shelter_people", "stays_begun"),
      // 3 nights of one, 64 of three.
      shelter_nights: [195, both],
      accompanying_adults: [2, { clients: [bea], stays: [secret] }],
      ...on(1, { clients: [bea], forms: [form] }, "advocacy_adults_individuals", "advocacy_adults_times"),
      hotline_contacts: [1, { contacts: [calls] }],
    });
  });
});

describe("the records behind a number of FVPSA", () => {
  let ann: number;
  let bea: number;
  let stay: number;
  let mine: number;
  let theirs: number;
  let contact: number;
  beforeAll(async () => {
    [ann, bea] = [await addWoman(), await addWoman()];
    stay = await addStay(ann, "1995-10-05", "1995-10-08", { adults: 1 }, other);
    mine = await addForm(owner, ann, "1995-10-06", [["COUNSEL-IND", 30]]);
    theirs = await addForm(other, bea, "1995-10-06", [["COUNSEL-IND", 30]]);
    contact = await addContact("Hotline call", "1995-10-05", {}, other);
  });
  const behind = (by: Person, line: string, filters?: Record<string, number>) =>
    readRecordsBehind(by, "fvpsa", line, ...quarter(1995), filters);

  test("are those that the reader may see, and the rest is counted", async () => {
    const nothing = { clients: [], forms: [], stays: [], contacts: [] };
    // Holders of Shelter see all stays, but without All Forms only their own forms and contacts.
    expect(await behind(owner, "people_new")).toEqual({
      ...nothing,
      ...{ clients: [ann], forms: [mine], stays: [stay], hidden: 1 },
    });
    expect(await behind(owner, "advocacy_adults_times")).toEqual({
      ...nothing,
      ...{ clients: [ann], forms: [mine], hidden: 1 },
    });
    expect(await behind(owner, "hotline_contacts")).toEqual({ ...nothing, hidden: 1 });
    const withoutShelter = await makeUser(["forms", "clients", "all-forms", "reports"]);
    expect(await behind(withoutShelter, "shelter_nights")).toEqual({ ...nothing, hidden: 1 });
    expect(await behind(withoutShelter, "people_new")).toEqual({
      ...nothing,
      ...{ clients: [ann, bea], forms: [mine, theirs], hidden: 0 },
    });
    // Without Clients and Forms, a reader sees stays, but no clients.
    const night = await makeUser(["shelter", "reports"]);
    expect(await behind(night, "shelter_nights")).toEqual({ ...nothing, stays: [stay], hidden: 0 });
    expect(await behind(night, "shelter_people")).toEqual({ ...nothing, stays: [stay], hidden: 1 });
    expect(await behind(viewer, "hotline_contacts")).toEqual({ ...nothing, contacts: [contact], hidden: 0 });
    const board = await makeUser(["reports"]);
    for (const [line, hidden] of [
      ["people_new", 2],
      ["shelter_nights", 1],
      ["hotline_contacts", 1],
    ] as const)
      expect(await behind(board, line), line).toEqual({ ...nothing, hidden });
  });

  test("are under a filter those of one advocate, and no stays or contacts if a form type is chosen", async () => {
    const at = quarter(1995);
    const own = { race_white_non_latino: 1, gender_female: 1, age_25_59: 1, people_new: 1 };
    // In shelter is a fact about the client, no matter who recorded the stay.
    const counseling = { advocacy_adults_individuals: 1, advocacy_adults_times: 1 };
    expect(await readNumbers(viewer, "fvpsa", ...at, { userId: owner.id })).toEqual({
      ...own,
      ...{ shelter_adults: 1, ...counseling },
    });
    expect(await readNumbers(viewer, "fvpsa", ...at, { userId: other.id })).toEqual({
      ...{ race_white_non_latino: 2, gender_female: 2, age_25_59: 2, people_new: 2 },
      ...{ shelter_adults: 1, nonshelter_adults: 1, shelter_people: 1, shelter_nights: 6 },
      ...{ stays_begun: 1, accompanying_adults: 1, hotline_contacts: 1, ...counseling },
    });
    const formType = { formTypeId: await formTypeId("Service") };
    expect(await readNumbers(viewer, "fvpsa", ...at, formType)).toEqual({
      ...{ race_white_non_latino: 2, gender_female: 2, age_25_59: 2, people_new: 2 },
      ...{ shelter_adults: 1, nonshelter_adults: 1 },
      ...{ advocacy_adults_individuals: 2, advocacy_adults_times: 2 },
    });
    const [from, to] = at;
    for (const line of ["shelter_nights", "hotline_contacts", "people_new"]) {
      const url = `/api/reports/fvpsa/lines/${line}?from=${from}&to=${to}&userId=${other.id}`;
      expect((await call(owner.cookie, "GET", url)).status, line).toBe(403);
    }
  });

  test("are listed by client, by stay, or by contact, and in files", async () => {
    const [from, to] = quarter(1995);
    const actor = await actorFor(viewer);
    const query = screenQuery({ from, to }).parse({ from, to });
    const people = await loadLine(actor, "fvpsa", "people_new", query);
    expect(people.rows.map(({ id, forms, stays }) => [id, forms.map((form) => form.id), stays])).toEqual([
      [
        ann,
        [mine],
        [expect.objectContaining({ id: stay, enteredOn: "1995-10-05", shelter: "Lantern House" })],
      ],
      [bea, [theirs], []],
    ]);
    const nights = await loadLine(actor, "fvpsa", "shelter_nights", query);
    expect(nights).toMatchObject({ rows: [], contacts: null, total: 1 });
    expect(nights.stays).toEqual([
      {
        ...{ id: stay, enteredOn: "1995-10-05", leftOn: "1995-10-08", shelter: "Lantern House" },
        ...{ people: 2, nights: 3, advocate: `${other.firstName} ${other.lastName}` },
      },
    ]);
    expect((await loadLine(actor, "fvpsa", "hotline_contacts", query)).contacts).toMatchObject([
      { id: contact },
    ]);
    const csv = async (line: string) => {
      const url = `/api/reports/fvpsa/lines/${line}/records.csv?from=${from}&to=${to}`;
      const { status, body } = await call(viewer.cookie, "GET", url);
      expect(status, line).toBe(200);
      return body.replace("\uFEFF", "").trim().split("\r\n") as string[];
    };
    const advocate = `${other.firstName} ${other.lastName}`;
    const row = `${stay},${ann},Lantern House,10/05/1995,10/08/1995,2,${advocate},3`;
    const header = "Id,Client Id,Shelter,Entered On,Left On,People,Advocate Name,Nights";
    expect(await csv("shelter_nights")).toEqual([header, row]);
    const [heading, ...lines] = await csv("people_new");
    expect(heading).toMatch(/^Form: Id,Form: Client,.*,Stay: Id,Stay: Client Id,.*,Stay: Nights$/);
    expect(lines).toHaveLength(3);
    expect(lines[2]).toBe(`,,,,,,${row}`);
    expect((await csv("hotline_contacts"))[1]).toMatch(new RegExp(`^${contact},10/05/1995,Hotline call,1,`));
  });

  test("are no link for readers who could not open them", async () => {
    const [from, to] = quarter(1995);
    const query = screenQuery({ from, to }).parse({ from, to });
    const opens = async (...held: Parameters<typeof makeUser>[0] & object) =>
      (await loadReport(await actorFor(await makeUser(held)), "fvpsa", query)).opens;
    expect(await opens("reports", "shelter")).toMatchObject({
      people: false,
      shelter: true,
      contacts: false,
    });
    expect(await opens("reports", "shelter", "clients")).toMatchObject({ people: true, advocacy: false });
    expect(await opens("reports", "forms")).toMatchObject({ people: true, shelter: false, advocacy: true });
  });

  test("do not exist for gaps of other reports", async () => {
    const [from, to] = quarter(1995);
    const get = async (report: string, field: string) =>
      (
        await call(
          viewer.cookie,
          "GET",
          `/api/reports/${report}/gaps/${field}/records.csv?from=${from}&to=${to}`,
        )
      ).status;
    expect(await get("pmt", "openStay")).toBe(404);
    expect(await get("fvpsa", "victimization")).toBe(404);
    expect(await get("fvpsa", "openStay")).toBe(200);
    const query = screenQuery({ from, to }).parse({ from, to });
    await expect(loadGap(await actorFor(viewer), "pmt", "openStay", query)).rejects.toMatchObject({
      code: "not_found",
    });
  });

  test("are suppressed with their number in odd periods for readers without All Forms", async () => {
    const [from, to] = ["1995-10-05", "1995-10-06"];
    const url = `/api/reports/fvpsa?from=${from}&to=${to}`;
    const counts = async (by: Person) => {
      const { sections } = (await call(by.cookie, "GET", url)).body.report;
      type Line = { key: string; count: number | null };
      const all: Line[] = sections.flatMap(({ lines }: { lines: Line[] }) => lines);
      return Object.fromEntries(all.filter(({ count }) => count !== 0).map(({ key, count }) => [key, count]));
    };
    const exact = await counts(viewer);
    expect(exact).toMatchObject({ people_new: 2, shelter_nights: 4, stays_begun: 1, hotline_contacts: 1 });
    expect(await counts(owner)).toEqual(Object.fromEntries(Object.keys(exact).map((key) => [key, null])));
  });
});

test("a submitted quarter of FVPSA keeps its numbers and shows the stays and contacts that changed", async () => {
  const [from, to] = quarter(1996);
  const [ann, bea] = [await addWoman(), await addWoman()];
  const edited = await addStay(ann, "1996-10-05", "1996-10-08");
  const removed = await addStay(bea, "1996-10-05", "1996-10-06");
  const calls = await addContact("Hotline call", "1996-10-05");
  const { status, body } = await call(viewer.cookie, "POST", "/api/reports/fvpsa/submissions", {
    submission: { from, to },
  });
  expect(status, JSON.stringify(body)).toBe(201);
  const url = `/api/reports/fvpsa/submissions/${body.submission.id}`;
  const line = async (key: string, by = viewer) => {
    const { lines } = (await call(by.cookie, "GET", url)).body.submission;
    return lines.find((found: { key: string }) => found.key === key);
  };
  expect(await line("shelter_nights")).toMatchObject({ count: 4, now: 4, forms: [], stays: [], hidden: 0 });
  expect(await line("hotline_contacts")).toMatchObject({ count: 1, now: 1, hidden: 0 });

  const put = (path: string, sent: object) => call(owner.cookie, "PUT", path, sent);
  await put(`/api/stays/${edited}`, { stay: { shelterId: house, leftOn: "1996-10-10" } });
  expect((await call(owner.cookie, "DELETE", `/api/stays/${removed}`)).status).toBe(204);
  const added = await addStay(bea, "1996-11-05", "1996-11-06");
  const form = await addForm(owner, ann, "1996-11-05", [["COUNSEL-IND", 10]]);
  await put(`/api/contacts/${calls}`, { contact: { contactKindId: kinds.get("Hotline call"), number: 2 } });
  const stays = [
    { stayId: edited, clientId: ann, change: "edited" },
    { stayId: removed, clientId: bea, change: "left" },
    { stayId: added, clientId: bea, change: "added" },
  ];
  expect(await line("shelter_nights")).toMatchObject({ count: 4, now: 6, forms: [], stays, hidden: 0 });
  expect(await line("people_new")).toMatchObject({
    ...{ count: 2, now: 2, stays, hidden: 0 },
    forms: [{ formId: form, clientId: ann, change: "added" }],
  });
  expect(await line("hotline_contacts")).toMatchObject({
    ...{ count: 1, now: 2, hidden: 0 },
    contacts: [{ contactId: calls, change: "edited" }],
  });
  const board = await makeUser(["reports"]);
  expect(await line("people_new", board)).toMatchObject({ forms: [], stays: [], hidden: 4 });
  const csv = (await call(viewer.cookie, "GET", `${url}/changes.csv`)).body;
  expect(csv).toContain(`Stay ${removed} no longer counts here`);
  expect(csv).toContain(`Contact ${calls} was edited`);
  await purge(bea);
  expect(await line("people_new")).toMatchObject({
    ...{ count: 2, now: 2, hidden: 0 },
    stays: [{ stayId: edited, clientId: ann, change: "edited" }],
  });
});
