import { beforeAll, describe, expect, test } from "vitest";
import { clientSchema } from "@/lib/clients/schema";
import { db, rows } from "@/lib/core/database/client";
import { toWire } from "@/lib/core/fields/wire";
import { sql } from "@/lib/core/sql";
import { addDays } from "@/lib/core/text/format";
import { linesOf, listedBlock } from "@/lib/reports/definitions";
import type { Mapping } from "@/lib/reports/mapping";
import { parseGap } from "@/lib/reports/reports";
import { screenQuery } from "@/lib/reports/schema";
import { loadGap, loadLine, loadReport } from "@/lib/reports/screen";
import { actorFor, call } from "@/tests/call";
import { formTypeId, makeUser, type Person } from "@/tests/factories";
import { addClient, addForm, addSurvivorForm, readGaps, readNumbers, readRecordsBehind } from "./world";

// Cases of the FVPSA report that its worlds (fvpsa-worlds.ts) do not have: purges, merges, restrictions, permissions, lists
// and submissions. Each has years of its own and checks every number, and the records behind every number.

let owner: Person;
let other: Person;
let viewer: Person;
let house: number;
let kinds: Map<string, number>;

beforeAll(async () => {
  const advocate = ["forms", "clients", "contacts", "shelter", "reports"] as const;
  owner = await makeUser(advocate);
  other = await makeUser(advocate);
  viewer = await makeUser([...advocate, "all-forms", "export", "retention", "restrict-clients"]);
  house = await addShelter("Lantern House", "In-house");
  kinds = new Map((await db().contactKind.findMany()).map(({ name, id }) => [name, id]));
  const retention = { years: 5, nightly: false };
  expect((await call(viewer.cookie, "PUT", "/api/retention", { retention })).status).toBe(200);
});

async function addShelter(name: string, kind: string): Promise<number> {
  const { cookie } = await makeUser(["shelters"]);
  return (await call(cookie, "POST", "/api/shelters", { shelter: { name, kind, beds: 12 } })).body.shelter.id;
}

type People = {
  shelterId?: number;
  adults?: number;
  childrenThirteenToSeventeen?: number;
  childrenUnderThirteen?: number;
};

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
const NOTHING = { clients: [], forms: [], stays: [], contacts: [], events: [], surveys: [] };

async function expectReport(by: Person, [from, to]: readonly [string, string], expected: Expected) {
  expect(await readNumbers(by, "fvpsa", from, to)).toEqual(
    Object.fromEntries(Object.entries(expected).map(([line, [count]]) => [line, count])),
  );
  for (const { key } of linesOf("fvpsa")) {
    const [, behind = {}] = expected[key] ?? [];
    const found = await readRecordsBehind(by, "fvpsa", key, from, to);
    expect([key, found]).toEqual([key, { ...NOTHING, ...behind }]);
  }
}

/** Returns the same records on several lines. */
const on = (count: number, behind: Records, ...lines: string[]): Expected =>
  Object.fromEntries(lines.map((line) => [line, [count, behind]]));

/** Creates a white woman who is from 25 to 59 years old in these cases. */
const addWoman = () => addClient(owner, { born: "1940-01-01" });
/** The lines of new women from 25 to 59. */
const WOMEN = ["people_new", "race_white_non_latino", "sex_female", "age_25_59"];

async function purge(id: number): Promise<void> {
  await rows(sql`UPDATE clients SET updated_at = '2015-01-01' WHERE id = ${id}`);
  await rows(sql`UPDATE forms SET updated_at = '2015-01-01' WHERE client_id = ${id}`);
  await rows(sql`UPDATE stays SET updated_at = '2015-01-01' WHERE client_id = ${id}`);
  const { body } = await call(viewer.cookie, "POST", "/api/retention/purge", { ids: [id] });
  expect(body).toMatchObject({ done: [id], failed: [] });
}

async function merge(keptId: number, otherId: number): Promise<void> {
  const read = async (id: number) => (await call(viewer.cookie, "GET", `/api/clients/${id}`)).body.client;
  const kept = await read(keptId);
  const second = await read(otherId);
  const { status } = await call(viewer.cookie, "POST", `/api/clients/${keptId}/merge`, {
    client: toWire(clientSchema, kept),
    other: { id: otherId, lockVersion: second.lockVersion },
  });
  expect(status).toBe(200);
}

describe("the FVPSA report", () => {
  test("counts an open stay through the last day of the period, and in the next one from its first day", async () => {
    const ann = await addClient(owner);
    const family = { adults: 1, childrenThirteenToSeventeen: 1, childrenUnderThirteen: 2 };
    const stay = await addStay(ann, "2024-12-20", null, family);
    const behind = { clients: [ann], stays: [stay] };
    await expectReport(viewer, quarter(2024), {
      ...on(1, behind, ...WOMEN, "shelter_adults", "shelter_people", "stays_begun", "along_adults"),
      // 12 nights of 5 people.
      shelter_nights: [60, behind],
      along_children: [3, behind],
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
    const byShelter = await actorFor(await makeUser(["shelter", "reports", "all-forms"]));
    expect(await loadGap(byShelter, "fvpsa", "openStay", query)).toMatchObject({
      totals: { stays: 1 },
      help: "Open for more than 60 nights. Have these people left?",
    });
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
        ...["people_new", "race_white_non_latino", "sex_female", "age_13_17", "shelter_children"],
      ),
      ...on(1, { clients: [teen], stays: [stay] }, "shelter_people", "stays_begun", "along_children"),
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
    const ann = await addWoman();
    const anne = await addWoman();
    const first = await addStay(ann, "1985-10-01", "1985-10-06", { adults: 1 });
    const second = await addStay(anne, "1985-10-04", "1985-10-08");
    const form = await addForm(owner, anne, "1985-10-07", [["CASE-MGMT", 30]]);
    expect(await readNumbers(viewer, "fvpsa", ...quarter(1985))).toMatchObject({
      people_new: 2,
      shelter_adults: 2,
      shelter_people: 2,
      shelter_nights: 14,
    });
    await merge(ann, anne);
    const stays = { clients: [ann], stays: [first, second] };
    await expectReport(viewer, quarter(1985), {
      ...on(1, { ...stays, forms: [form] }, ...WOMEN, "shelter_adults"),
      shelter_people: [1, stays],
      // 3 nights of two people, then 4 of one.
      shelter_nights: [10, stays],
      stays_begun: [1, { clients: [ann], stays: [first] }],
      along_adults: [1, { clients: [ann], stays: [first] }],
      ...on(1, { clients: [ann], forms: [form] }, "advocacy_adults_individuals", "advocacy_adults_times"),
    });
  });

  test("leaves out a client who is hidden from the reader", async () => {
    const reader = await makeUser(["forms", "clients", "contacts", "shelter", "all-forms", "reports"]);
    const ann = await addWoman();
    const bea = await addWoman();
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
      along_adults: [2, { clients: [bea], stays: [secret] }],
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

  test("are those that the reader may see", async () => {
    const nothing = NOTHING;
    // Without All Forms, these are the reader's own.
    const own = { userId: owner.id };
    for (const line of ["people_new", "advocacy_adults_times"])
      expect(await behind(owner, line, own)).toEqual({ ...nothing, clients: [ann], forms: [mine] });
    expect(await behind(owner, "hotline_contacts", own)).toEqual(nothing);
    const withoutShelter = await makeUser(["forms", "clients", "all-forms", "reports"]);
    expect(await behind(withoutShelter, "shelter_nights")).toEqual(nothing);
    expect(await behind(withoutShelter, "people_new")).toEqual({
      ...nothing,
      clients: [ann, bea],
      forms: [mine, theirs],
    });
    // Without Clients and Forms, a reader sees stays, but no clients.
    const night = await makeUser(["shelter", "reports", "all-forms"]);
    for (const line of ["shelter_nights", "shelter_people"])
      expect(await behind(night, line)).toEqual({ ...nothing, stays: [stay] });
    expect(await behind(viewer, "hotline_contacts")).toEqual({ ...nothing, contacts: [contact] });
    const board = await makeUser(["reports", "all-forms"]);
    for (const line of ["people_new", "shelter_nights", "hotline_contacts"])
      expect(await behind(board, line), line).toEqual(nothing);
  });

  test("are under a filter those of one advocate, and no stays or contacts if a form type is chosen", async () => {
    const at = quarter(1995);
    const own = { race_white_non_latino: 1, sex_female: 1, age_25_59: 1, people_new: 1 };
    // In shelter is a fact about the client, no matter who recorded the stay.
    const counseling = { advocacy_adults_individuals: 1, advocacy_adults_times: 1 };
    expect(await readNumbers(viewer, "fvpsa", ...at, { userId: owner.id })).toEqual({
      ...own,
      shelter_adults: 1,
      ...counseling,
    });
    expect(await readNumbers(viewer, "fvpsa", ...at, { userId: other.id })).toEqual({
      race_white_non_latino: 2,
      sex_female: 2,
      age_25_59: 2,
      people_new: 2,
      shelter_adults: 1,
      nonshelter_adults: 1,
      shelter_people: 1,
      shelter_nights: 6,
      stays_begun: 1,
      along_adults: 1,
      hotline_contacts: 1,
      ...counseling,
    });
    const formType = { formTypeId: await formTypeId("Service") };
    expect(await readNumbers(viewer, "fvpsa", ...at, formType)).toEqual({
      race_white_non_latino: 2,
      sex_female: 2,
      age_25_59: 2,
      people_new: 2,
      shelter_adults: 1,
      nonshelter_adults: 1,
      advocacy_adults_individuals: 2,
      advocacy_adults_times: 2,
    });
    const [from, to] = at;
    for (const line of ["shelter_nights", "hotline_contacts", "people_new"]) {
      const url = `/api/reports/fvpsa/lines/${line}?from=${from}&to=${to}&userId=${other.id}`;
      expect((await call(owner.cookie, "GET", url)).status, line).toBe(422);
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
    expect(nights).toMatchObject({ rows: [], contacts: [], totals: { clients: 0, stays: 1, contacts: 0 } });
    expect(nights.stays).toEqual([
      {
        id: stay,
        enteredOn: "1995-10-05",
        leftOn: "1995-10-08",
        shelter: "Lantern House",
        people: 2,
        nights: 3,
        advocate: `${other.firstName} ${other.lastName}`,
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
      (await loadReport(await actorFor(await makeUser([...held, "all-forms"])), "fvpsa", query)).opens;
    expect(await opens("reports", "shelter")).toMatchObject({
      victims: false,
      shelter: true,
      contacts: false,
    });
    expect(await opens("reports", "shelter", "clients")).toMatchObject({ victims: true, advocacy: false });
    expect(await opens("reports", "forms")).toMatchObject({ victims: true, shelter: false, advocacy: true });
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
    expect(await get("fvpsa", "gender")).toBe(404);
    expect(await get("fvpsa", "openStay")).toBe(200);
    const query = screenQuery({ from, to }).parse({ from, to });
    await expect(loadGap(await actorFor(viewer), "pmt", "openStay", query)).rejects.toMatchObject({
      code: "not_found",
    });
  });
});

test("a submitted quarter of FVPSA keeps its numbers and shows the stays and contacts that changed", async () => {
  const [from, to] = quarter(1996);
  const ann = await addWoman();
  const bea = await addWoman();
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
  expect(await line("shelter_nights")).toMatchObject({ count: 4, now: 4, forms: [], stays: [], more: 0 });
  expect(await line("hotline_contacts")).toMatchObject({ count: 1, now: 1, more: 0 });

  const put = (path: string, sent: object) => call(owner.cookie, "PUT", path, sent);
  await put(`/api/stays/${edited}`, { stay: { shelterId: house, leftOn: "1996-10-10" } });
  expect((await call(owner.cookie, "DELETE", `/api/stays/${removed}`)).status).toBe(204);
  const added = await addStay(bea, "1996-11-05", "1996-11-06");
  const form = await addForm(owner, ann, "1996-11-05", [["COUNSEL-IND", 10]]);
  await put(`/api/contacts/${calls}`, { contact: { contactKindId: kinds.get("Hotline call"), number: 2 } });
  const stays = [
    { stayId: edited, clientId: ann, change: "edited" },
    { clientId: bea, change: "removed" },
    { stayId: added, clientId: bea, change: "added" },
  ];
  expect(await line("shelter_nights")).toMatchObject({ count: 4, now: 6, forms: [], stays, more: 0 });
  expect(await line("people_new")).toMatchObject({
    count: 2,
    now: 2,
    stays,
    more: 0,
    forms: [{ formId: form, clientId: ann, change: "added" }],
  });
  expect(await line("hotline_contacts")).toMatchObject({
    count: 1,
    now: 2,
    more: 0,
    contacts: [{ contactId: calls, change: "edited" }],
  });
  const board = await makeUser(["reports", "all-forms"]);
  expect(await line("people_new", board)).toMatchObject({ forms: [], stays: [], more: 4 });
  const csv = (await call(viewer.cookie, "GET", `${url}/changes.csv`)).body;
  expect(csv).toContain("A stay was removed");
  expect(csv).toContain(`Contact ${calls} was edited`);
  await purge(bea);
  expect(await line("people_new")).toMatchObject({
    count: 2,
    now: 2,
    more: 0,
    stays: [{ stayId: edited, clientId: ann, change: "edited" }],
  });
});

test("the gap of victimization of FVPSA lists clients who are in scope only because no line has their victimization", async () => {
  const [from, to] = quarter(1973);
  const served = async (clientId: number) => addForm(owner, clientId, from, [["COUNSEL-IND", 15]]);
  const none = await addWoman();
  const stranger = await addWoman();
  const earlier = await addWoman();
  const sleeping = await addWoman();
  const robbed = await addWoman();
  const partner = await addWoman();
  // Stranger is mapped to no line. The latest entry before the period counts if it has none.
  await addSurvivorForm(owner, stranger, from);
  await addSurvivorForm(owner, earlier, addDays(from, -2), { relationship: "Spouse" });
  await addSurvivorForm(owner, earlier, addDays(from, -1));
  await addStay(sleeping, from, addDays(from, 2));
  await addSurvivorForm(owner, robbed, from, { victimizations: ["Robbery"] });
  await addSurvivorForm(owner, partner, from, { relationship: "Spouse" });
  const forms: number[] = [];
  for (const id of [none, stranger, earlier, sleeping, robbed, partner]) forms.push(await served(id));
  const { victimization } = await readGaps(viewer, "fvpsa", from, to);
  expect(victimization).toEqual({ clients: [none, stranger, earlier], forms: forms.slice(0, 3), stays: [] });
  const numbers = await readNumbers(viewer, "fvpsa", from, to);
  expect([numbers.people_new, numbers.people_other_crimes]).toEqual([5, 1]);
  // Its screen offers a new form with the section that these clients lack.
  const query = screenQuery({ from, to }).parse({ from, to });
  const screen = await loadGap(await actorFor(viewer), "fvpsa", "victimization", query);
  expect([screen.totals.clients, screen.newFormType?.name]).toEqual([3, "Survivor"]);
});

test.each(["pmt", "pccd"] as const)(
  "%s lists the stays of clients without a shelter service in the period as a gap",
  async (report) => {
    const [from, to] = quarter({ pmt: 1971, pccd: 1972 }[report]);
    const day = (number: number) => addDays(from, number);
    const transitional = await addShelter(`Later ${report}`, "Transitional");
    const stayOf = async (shelterId = house) => {
      const id = await addWoman();
      return { id, stay: await addStay(id, day(4), day(7), { shelterId }) };
    };
    const served = await stayOf();
    const without = await stayOf();
    const before = await stayOf();
    const refused = await stayOf();
    await stayOf(transitional);
    // Any advocate's service in the period will do, but not one before it or on a Not Served form.
    await addForm(other, served.id, day(60), [["SHELTER", 15]]);
    await addForm(owner, without.id, day(5), [["COUNSEL-IND", 15]]);
    await addForm(owner, before.id, day(-1), [["SHELTER", 15]]);
    await addForm(owner, refused.id, day(5), [["SHELTER", 15]], { status: "Not Served", reasons: ["other"] });
    const found = [without, before, refused];
    const gap = async (filters?: Record<string, number>) =>
      (await readGaps(viewer, report, from, to, filters)).shelterService;
    expect(await gap()).toEqual({
      clients: found.map(({ id }) => id),
      forms: [],
      stays: found.map(({ stay }) => stay),
    });
    // The screen lists what the file lists, and links to it for those who see stays.
    const screen = await loadGap(
      await actorFor(viewer),
      report,
      "shelterService",
      screenQuery({ from, to }).parse({ from, to }),
    );
    expect([screen.stays.map(({ id }) => id), screen.totals.stays]).toEqual([
      found.map(({ stay }) => stay),
      3,
    ]);
    expect(listedBlock(parseGap(report, "shelterService"))).toBe("shelter");
    expect(await gap({ userId: other.id })).toBeUndefined();
    expect(await gap({ formTypeId: await formTypeId("Service") })).toBeUndefined();
    expect((await readGaps(viewer, "fvpsa", from, to)).shelterService).toBeUndefined();
  },
);

test("the gap of open stays lists those that began by the last day, in shelters that count on that day", async () => {
  const setter = await makeUser(["reports", "reports-setup"]);
  const flats = await addShelter("Gap Flats", "Transitional");
  const motel = await addShelter("Gap Motel", "Hotel or motel");
  const women = [await addWoman(), await addWoman(), await addWoman(), await addWoman()];
  const [ann = 0, bea = 0, cat = 0, dan = 0] = women;
  const inHouse = await addStay(ann, "2022-01-05", null);
  const inMotel = await addStay(bea, "2022-01-06", null, { shelterId: motel });
  const others = [
    await addStay(cat, "2022-01-06", null, { shelterId: flats }),
    await addStay(dan, "2022-04-01", null),
  ];
  const url = "/api/reports/fvpsa/setup";
  const { setup } = (await call(setter.cookie, "GET", url)).body;
  const mappings = setup.mappings.flatMap((mapping: Mapping) =>
    mapping.kind === "shelter" && mapping.source === String(motel)
      ? [
          { ...mapping, validThrough: "2022-02-28" },
          { ...mapping, line: "none", validFrom: "2022-03-01" },
        ]
      : [mapping],
  );
  const saved = await call(setter.cookie, "PUT", url, { setup: { ...setup, mappings, confirmed: true } });
  expect(saved.status, JSON.stringify(saved.body)).toBe(200);
  const openStays = async (to: string) => (await readGaps(viewer, "fvpsa", "2022-01-01", to)).openStay?.stays;
  expect(await openStays("2022-02-28")).toEqual([inHouse, inMotel]);
  expect(await openStays("2022-03-31")).toEqual([inHouse]);
  for (const id of [inHouse, inMotel, ...others]) {
    const stay = (await call(owner.cookie, "GET", `/api/stays/${id}`)).body.stay;
    const end = { stay: { shelterId: stay.shelterId, leftOn: "2022-04-02" } };
    expect((await call(owner.cookie, "PUT", `/api/stays/${id}`, end)).status).toBe(200);
  }
  expect(await openStays("2022-03-31")).toBeUndefined();
});
