import { beforeAll, describe, expect, test, vi } from "vitest";
import { clientSchema } from "@/lib/clients/schema";
import { db, rows } from "@/lib/core/database/client";
import { toWire } from "@/lib/core/fields/wire";
import { env } from "@/lib/core/process/env";
import { sql } from "@/lib/core/sql";
import { addDays, today } from "@/lib/core/text/format";
import { homeOf } from "@/lib/home/home";
import { stayListQuery } from "@/lib/shelter/api-schema";
import { moveBody } from "@/lib/shelter/schema";
import { listStaysByInitials, moveStay } from "@/lib/shelter/stays";
import { runImports } from "@/lib/transfer/imports/run";
import { runBlockedBy } from "@/tests/blocked";
import { type Answer, actorFor, call } from "@/tests/call";
import { makeClient, makeUser, type Person } from "@/tests/factories";

// Stays in shelter: the wire format, the rule of one shelter at a time, closed periods, who sees which, and what merges,
// purges and imports do with them.

let ada: Person;
/** Holds only Shelter. */
let night: Person;
let admin: Person;
let house: number;
let motel: number;
let exit: number;

const makeShelter = async (name: string, more: object = {}): Promise<number> => {
  const shelter = { name, kind: "In-house", beds: 12, ...more };
  const { status, body } = await call(admin.cookie, "POST", "/api/shelters", { shelter });
  expect(status, JSON.stringify(body)).toBe(201);
  return body.shelter.id;
};

beforeAll(async () => {
  ada = await makeUser(["shelter", "forms", "clients"]);
  night = await makeUser(["shelter"]);
  admin = await makeUser([
    ...(["shelter", "shelters", "clients", "forms", "all-forms", "export", "import", "retention"] as const),
    ...(["close-periods", "audit-log", "restrict-clients"] as const),
  ]);
  house = await makeShelter("Lantern House");
  motel = await makeShelter("Riverside Motel", { kind: "Hotel or motel", beds: 0 });
  exit = (await db().exitDestination.findFirstOrThrow()).id;
});

const create = (stay: object, by = ada) =>
  call(by.cookie, "POST", "/api/stays", { stay: { shelterId: house, ...stay } });
const make = async (stay: object = {}, by = ada) => {
  const clientId = "clientId" in stay ? stay.clientId : (await makeClient(ada)).id;
  const { status, body } = await create({ clientId, ...stay }, by);
  expect(status, JSON.stringify(body)).toBe(201);
  return body.stay;
};
const update = (id: number, stay: object, by = ada) =>
  call(by.cookie, "PUT", `/api/stays/${id}`, { stay: { shelterId: house, ...stay } });
const move = (id: number, body: object, headers: Record<string, string> = {}) =>
  call(ada.cookie, "POST", `/api/stays/${id}/move`, body, { headers });
const remove = (id: number, by = ada) => call(by.cookie, "DELETE", `/api/stays/${id}`);
const read = async (id: number, by = ada) => (await call(by.cookie, "GET", `/api/stays/${id}`)).body.stay;
const fieldsOf = ({ status, body }: Answer) => [status, Object.keys(body.fields ?? {})];
const hide = (clientId: number, { id: userId }: Person) =>
  db().clientRestriction.create({ data: { clientId, userId } });

describe("a stay", () => {
  test("with only a client and a shelter begins today, open and alone", async () => {
    const { id: clientId } = await makeClient(ada);
    expect(await make({ clientId })).toMatchObject({
      clientId,
      shelterId: house,
      enteredOn: today(),
      leftOn: null,
      adults: 0,
      childrenThirteenToSeventeen: 0,
      childrenUnderThirteen: 0,
      exitDestinationId: null,
      medicalAdvocacy: false,
      lockVersion: 0,
      userId: ada.id,
      shelter: { id: house, name: "Lantern House" },
      user: { id: ada.id },
    });
  });

  test.each([
    ["clientId", { clientId: null }],
    ["clientId", { clientId: 999_999 }],
    ["shelterId", { shelterId: null }],
    ["shelterId", { shelterId: 999_999 }],
    ["enteredOn", { enteredOn: "02/30/2026" }],
    ["enteredOn", { enteredOn: "1899-12-31" }],
    ["enteredOn", { enteredOn: addDays(today(), 2) }],
    ["leftOn", { enteredOn: "2026-03-04", leftOn: "2026-03-03" }],
    ["leftOn", { leftOn: addDays(today(), 2) }],
    ["adults", { adults: -1 }],
    ["childrenThirteenToSeventeen", { childrenThirteenToSeventeen: 100 }],
    ["childrenUnderThirteen", { childrenUnderThirteen: 1.5 }],
    ["exitDestinationId", { leftOn: today(), exitDestinationId: 999_999 }],
    ["exitDestinationId", { exitDestinationId: 1 }],
  ])("is refused with 422 on %s for %j", async (field, values) => {
    const { id: clientId } = await makeClient(ada);
    expect(fieldsOf(await create({ clientId, ...values }))).toEqual([422, [`stay.${field}`]]);
  });

  test("ends with an exit destination, which opening it again clears", async () => {
    const { id, lockVersion } = await make({ enteredOn: addDays(today(), -3), childrenUnderThirteen: 2 });
    const left = await update(id, { leftOn: today(), exitDestinationId: exit, lockVersion });
    expect(left.body.stay).toMatchObject({
      leftOn: today(),
      exitDestinationId: exit,
      childrenUnderThirteen: 2,
    });
    const opened = await update(id, { leftOn: null });
    expect(opened.body.stay).toMatchObject({ leftOn: null, exitDestinationId: null, lockVersion: 2 });
  });

  test("keeps its client", async () => {
    const { id, clientId } = await make();
    const { id: other } = await makeClient(ada);
    expect(fieldsOf(await update(id, { clientId: other }))).toEqual([422, ["stay.clientId"]]);
    expect((await update(id, { clientId, adults: 1 })).status).toBe(200);
  });

  test("is not moved with an old version", async () => {
    const { id } = await make();
    expect((await update(id, { adults: 1 }, admin)).status).toBe(200);
    const { status, body } = await move(id, { shelterId: motel, lockVersion: 0 });
    expect([status, body.code]).toEqual([409, "conflict_version"]);
    expect(await read(id)).toMatchObject({ adults: 1, leftOn: null });
  });

  test("is moved once per Idempotency-Key, also if the move of today is repeated after midnight", async () => {
    const { id } = await make();
    const actor = await actorFor(ada);
    const body = moveBody.parse({ shelterId: motel });
    const first = await moveStay(actor, id, body, `move ${id}`);
    vi.useFakeTimers({ now: Date.now() + 86_400_000, toFake: ["Date"] });
    try {
      expect(await moveStay(actor, id, body, `move ${id}`)).toEqual(first);
    } finally {
      vi.useRealTimers();
    }
  });

  test("is moved once per Idempotency-Key", async () => {
    const { id, clientId } = await make();
    const key = { "idempotency-key": `one move of ${clientId}` };
    const moves = [await move(id, { shelterId: motel }, key), await move(id, { shelterId: motel }, key)];
    expect(moves.map(({ status }) => status)).toEqual([201, 201]);
    expect(moves[1]?.body.stay.id).toBe(moves[0]?.body.stay.id);
    expect(await db().stay.count({ where: { clientId } })).toBe(2);
  });

  test("has a history without the client's name, and leaves audit events about the client", async () => {
    const { id: clientId } = await makeClient(ada, { name: "Zenobia Hidden-Name" });
    const { id } = await make({ clientId });
    await update(id, { adults: 2 });
    const { body } = await call(night.cookie, "GET", `/api/stays/${id}/history`);
    expect(body.events.map(({ action }: { action: string }) => action)).toEqual(["updated", "created"]);
    expect(body.events[0].changes).toMatchObject([{ field: "stay.adults", to: 2, label: "Other Adults" }]);
    expect(JSON.stringify(body)).not.toContain("Zenobia");
    expect((await remove(id)).status).toBe(204);
    const events = await db().auditEvent.findMany({
      where: { entity: "stay", entityId: id },
      orderBy: { id: "asc" },
    });
    expect(events.map(({ action }) => action)).toEqual(["created", "updated", "viewed", "removed"]);
    expect(events.map((event) => event.clientId)).toEqual(events.map(() => clientId));
  });

  test("prevents the removal of its client and its shelter", async () => {
    const stay = await make();
    const refused = await call(ada.cookie, "DELETE", `/api/clients/${stay.clientId}`);
    expect([refused.status, refused.body.error]).toEqual([
      409,
      "This client is used by 1 stay and cannot be removed",
    ]);
    expect((await call(admin.cookie, "DELETE", `/api/shelters/${house}`)).body.code).toBe("conflict_in_use");
  });
});

describe("a client is in one shelter at a time", () => {
  test("and the day of a move belongs to both", async () => {
    const first = await make({ enteredOn: "2026-03-01", leftOn: "2026-03-05" });
    const { clientId } = first;
    const during = (days: object) => create({ clientId, shelterId: motel, ...days });
    for (const days of [
      { enteredOn: "2026-03-04" },
      { enteredOn: "2026-02-20" },
      { enteredOn: "2026-02-20", leftOn: "2026-03-02" },
      { enteredOn: "2026-03-02", leftOn: "2026-03-03" },
    ]) {
      const answer = await during(days);
      expect(fieldsOf(answer)).toEqual([422, ["stay.enteredOn"]]);
      expect(answer.body.error).toBe("The client was in Lantern House from 03/01/2026 to 03/05/2026");
    }
    expect((await during({ enteredOn: "2026-02-20", leftOn: "2026-03-01" })).status).toBe(201);
    expect((await during({ enteredOn: "2026-03-05" })).status).toBe(201);
    expect(fieldsOf(await update(first.id, { leftOn: "2026-03-06" }))).toEqual([422, ["stay.enteredOn"]]);
  });

  test("although two move in at once", async () => {
    const { id: clientId } = await makeClient(ada);
    const answers = await Promise.all(
      [house, motel, house].map((shelterId) => create({ clientId, shelterId })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 422, 422]);
    expect(await db().stay.count({ where: { clientId } })).toBe(1);
  });

  test("although a removal of the client is under way", async () => {
    const { id: clientId } = await makeClient(ada);
    const answer = await runBlockedBy(`DELETE FROM clients WHERE id = ${clientId}`, () =>
      create({ clientId }),
    );
    expect(answer.status).toBe(404);
  });

  test("in the database too", async () => {
    const { clientId } = await make({ enteredOn: "2026-03-01" });
    const insert = (from: string, to: string | null) =>
      rows(
        sql`INSERT INTO stays (client_id, shelter_id, entered_on, left_on, user_id)
         VALUES (${clientId}, ${motel}, ${from}::date, ${to}::date, ${ada.id})`,
      );
    await expect(insert("2026-03-10", null)).rejects.toThrow(/stays_one_at_a_time/);
    await expect(insert("2026-02-10", "2026-02-09")).rejects.toThrow(/check constraint/);
    await insert("2026-02-10", "2026-03-01");
  });
});

describe("a move", () => {
  test("ends one stay and begins the next on the same day, with the same people", async () => {
    const on = addDays(today(), -1);
    const first = await make({
      enteredOn: addDays(today(), -5),
      adults: 1,
      childrenUnderThirteen: 2,
      medicalAdvocacy: true,
    });
    const { status, body } = await move(first.id, { shelterId: motel, on, lockVersion: 0 });
    expect(status, JSON.stringify(body)).toBe(201);
    expect(body.stay).toMatchObject({
      clientId: first.clientId,
      shelterId: motel,
      enteredOn: on,
      leftOn: null,
      adults: 1,
      childrenUnderThirteen: 2,
      medicalAdvocacy: false,
      userId: ada.id,
    });
    expect(await read(first.id)).toMatchObject({ leftOn: on, medicalAdvocacy: true, lockVersion: 1 });
  });

  test("is refused as a whole", async () => {
    const { id } = await make({ enteredOn: addDays(today(), -5) });
    expect(fieldsOf(await move(id, { shelterId: house }))).toEqual([422, ["shelterId"]]);
    expect(fieldsOf(await move(id, { shelterId: 999_999 }))).toEqual([422, ["shelterId"]]);
    expect(fieldsOf(await move(id, { shelterId: motel, on: addDays(today(), -6) }))).toEqual([422, ["on"]]);
    expect(fieldsOf(await move(id, { shelterId: motel, on: addDays(today(), 2) }))).toEqual([422, ["on"]]);
    expect(await read(id)).toMatchObject({ leftOn: null, lockVersion: 0 });
    await update(id, { leftOn: today() });
    expect(fieldsOf(await move(id, { shelterId: motel }))).toEqual([422, ["id"]]);
  });
});

describe("a closed period", () => {
  const close = (closedThrough: string | null) =>
    call(admin.cookie, "PUT", "/api/closed_periods", { closedThrough });

  test("refuses only what changes its nights and counts", async () => {
    const open = await make({ enteredOn: "2026-02-10" });
    const ended = await make({ enteredOn: "2026-02-10", leftOn: "2026-02-20" });
    const later = await make({ enteredOn: "2026-04-01" });
    const { id: clientId } = await makeClient(ada);
    expect((await close("2026-03-31")).status).toBe(200);
    try {
      const refused = async (answer: Promise<Answer>) => {
        const { status, body } = await answer;
        expect([status, body?.code]).toEqual([409, "period_closed"]);
        expect(body.error).toContain("March 2026 and earlier are closed");
      };
      await refused(create({ clientId, enteredOn: "2026-03-31" }));
      await refused(create({ clientId, enteredOn: "2026-03-30", leftOn: "2026-03-31" }));
      await refused(update(open.id, { leftOn: "2026-03-31" }));
      await refused(update(open.id, { enteredOn: "2026-04-01" }));
      await refused(update(open.id, { adults: 1 }));
      await refused(update(open.id, { shelterId: motel }));
      await refused(update(ended.id, { leftOn: null }));
      await refused(update(later.id, { enteredOn: "2026-03-31" }));
      await refused(move(open.id, { shelterId: motel, on: "2026-03-31" }));
      await refused(remove(ended.id));
      // Fields that reports do not count can change, and an open stay can end or go on elsewhere.
      expect((await update(ended.id, { exitDestinationId: exit, medicalAdvocacy: true })).status).toBe(200);
      expect((await move(open.id, { shelterId: motel, on: "2026-04-01" })).status).toBe(201);
      expect((await update(later.id, { adults: 2, leftOn: "2026-04-02" })).status).toBe(200);
      expect((await remove(later.id)).status).toBe(204);
    } finally {
      await close(null);
    }
  });
});

type OnBoard = { id: number; initials: string; nights: number; people: number; isLong: boolean };
type InBoard = { id: number; beds: number; bedsTaken: number; stays: OnBoard[] };
const board = async (shelterId: number, by = night): Promise<InBoard> => {
  const { status, body } = await call(by.cookie, "GET", "/api/shelter");
  expect(status).toBe(200);
  return body.shelters.find(({ id }: { id: number }) => id === shelterId);
};

describe("the board", () => {
  test("shows open stays by initials, with nights, people and the beds taken", async () => {
    const shelterId = await makeShelter("Board House", { beds: 6 });
    const { id: clientId } = await makeClient(ada, { name: "Zenobia Quill" });
    const stay = await make({
      clientId,
      shelterId,
      enteredOn: addDays(today(), -61),
      childrenUnderThirteen: 2,
    });
    await make({ shelterId, enteredOn: addDays(today(), -2), leftOn: today() });
    expect(await board(shelterId)).toMatchObject({
      beds: 6,
      bedsTaken: 3,
      stays: [{ id: stay.id, clientId, initials: "Z. Q.", nights: 61, people: 3, isLong: true }],
    });
    expect(JSON.stringify(await board(shelterId))).not.toContain("Zenobia");
    const { longStays } = await homeOf(await actorFor(night));
    expect(longStays).toContainEqual({ id: stay.id, initials: "Z. Q.", nights: 61, shelter: "Board House" });
    Object.assign(env(), { STAY_ALERT_DAYS: 61 });
    expect((await board(shelterId)).stays[0]?.isLong).toBe(false);
    Object.assign(env(), { STAY_ALERT_DAYS: 60 });
    expect((await homeOf(await actorFor(await makeUser()))).longStays).toBeNull();
  });

  test("and the list of all stays name nobody on their screens, only initials", async () => {
    const shelterId = await makeShelter("Listed House", { beds: 6 });
    const names = ["Zenobia Quill", "Þóra Groß"];
    for (const name of names) {
      const { id: clientId } = await makeClient(ada, { name });
      await make({ clientId, shelterId, enteredOn: addDays(today(), -2), leftOn: today() });
    }
    const query = stayListQuery.parse({ filters: { shelterId: String(shelterId) }, order: "asc" });
    const { stays } = await listStaysByInitials(await actorFor(night), query);
    expect(stays.map(({ initials }) => initials)).toEqual(["Z. Q.", "Þ. G."]);
    for (const name of names) expect(JSON.stringify(stays)).not.toContain(name.split(" ")[1]);
  });

  test("shows a name on request, and records that", async () => {
    const { id: clientId } = await makeClient(ada, { name: "Zenobia Quill" });
    const { id } = await make({ clientId });
    const { body } = await call(night.cookie, "POST", `/api/stays/${id}/revealed`);
    expect(body).toEqual({ client: { id: clientId, name: "Zenobia Quill" } });
    const { body: log } = await call(
      admin.cookie,
      "GET",
      `/api/audit_events?filters[entity]=stay&filters[entityId]=${id}&filters[action]=revealed`,
    );
    expect(log.auditEvents).toMatchObject([{ action: "revealed", userId: night.id, entityId: id }]);
  });

  test("counts a hidden client's beds and shows nothing else of the stay", async () => {
    const shelterId = await makeShelter("Quiet House", { beds: 4 });
    const stay = await make({ shelterId, childrenUnderThirteen: 1 });
    await hide(stay.clientId, night);
    expect(await board(shelterId)).toMatchObject({ bedsTaken: 2, stays: [] });
    expect(await board(shelterId, ada)).toMatchObject({ bedsTaken: 2, stays: [{ id: stay.id }] });
    const url = `/api/stays/${stay.id}`;
    for (const [method, path, body] of [
      ["GET", url],
      ["PUT", url, { stay: { shelterId } }],
      ["DELETE", url],
      ["GET", `${url}/history`],
      ["POST", `${url}/revealed`],
      ["POST", `${url}/move`, { shelterId: motel }],
    ] as const)
      expect((await call(night.cookie, method, path, body)).status, path).toBe(404);
    const { body: list } = await call(night.cookie, "GET", `/api/stays?filters[shelterId]=${shelterId}`);
    expect(list).toMatchObject({ stays: [], meta: { totalCount: 0 } });
    const created = await create({ clientId: stay.clientId, shelterId: motel }, night);
    expect(fieldsOf(created)).toEqual([422, ["stay.clientId"]]);
    expect(created.body.error).toEqual(["Client does not exist"]);
  });
});

describe("the list of stays", () => {
  test("has every filter and sort, and is exported as a file", async () => {
    const shelterId = await makeShelter("Aardvark House");
    const { id: clientId } = await makeClient(ada, { name: "Yara Listed" });
    const first = await make({ clientId, shelterId, enteredOn: "2025-01-02", leftOn: "2025-01-05" });
    const second = await make({ clientId, enteredOn: "2025-01-05", adults: 3 });
    const ids = async (query: string) => {
      const { status, body } = await call(
        ada.cookie,
        "GET",
        `/api/stays?filters[clientId]=${clientId}&${query}`,
      );
      expect(status, JSON.stringify(body)).toBe(200);
      return body.stays.map(({ id }: { id: number }) => id);
    };
    expect(await ids("")).toEqual([second.id, first.id]);
    expect(await ids("sort=enteredOn")).toEqual([first.id, second.id]);
    expect(await ids("sort=leftOn&order=desc")).toEqual([first.id, second.id]);
    expect(await ids("sort=shelter")).toEqual([first.id, second.id]);
    expect(await ids("sort=advocate")).toHaveLength(2);
    expect(await ids(`filters[shelterId]=${shelterId}`)).toEqual([first.id]);
    expect(await ids("filters[open]=true")).toEqual([second.id]);
    expect(await ids("filters[open]=false")).toEqual([first.id]);
    expect(await ids("filters[to]=2025-01-04")).toEqual([first.id]);
    expect(await ids("filters[from]=2025-01-06")).toEqual([second.id]);
    expect(await ids("search=aardvark")).toEqual([first.id]);
    expect(await ids("search=Yara")).toEqual([]);
    expect((await call(ada.cookie, "GET", "/api/stays?sort=client")).status).toBe(422);

    const exporter = await makeUser(["shelter", "export"]);
    const query = `filters[clientId]=${clientId}&sort=enteredOn`;
    const linesOf = async (by: Person, columns = "") =>
      (await call(by.cookie, "GET", `/api/stays.csv?${query}${columns}`)).body
        .replace("\uFEFF", "")
        .trim()
        .split("\r\n");
    const name = `${ada.firstName} ${ada.lastName}`;
    expect(await linesOf(exporter)).toEqual([
      "Id,Client Id,Shelter,Entered On,Left On,People,Advocate Name",
      `${first.id},${clientId},Aardvark House,01/02/2025,01/05/2025,1,${name}`,
      `${second.id},${clientId},Lantern House,01/05/2025,,4,${name}`,
    ]);
    expect((await linesOf(exporter, "&columns=all"))[1]).toContain(`${first.id},${clientId},,`);
    expect((await linesOf(admin, "&columns=all"))[1]).toContain(`${first.id},${clientId},Yara Listed,`);
  });

  test("is part of a client's record for those with Shelter", async () => {
    const stay = await make({ enteredOn: "2026-01-02", leftOn: "2026-01-05" });
    const url = `/api/clients/${stay.clientId}/record.json`;
    expect((await call(admin.cookie, "GET", url)).body.stays).toEqual([await read(stay.id)]);
    expect((await call(admin.cookie, "GET", `${url}?from=2026-02-01`)).body.stays).toEqual([]);
    const without = await makeUser(["clients", "export"]);
    expect((await call(without.cookie, "GET", url)).body.stays).toEqual([]);
  });
});

describe("a merge", () => {
  const clientAt = async (id: number) => (await call(admin.cookie, "GET", `/api/clients/${id}`)).body.client;
  const merge = async (id: number, otherId: number) => {
    const client = await clientAt(id);
    const other = await clientAt(otherId);
    const { status, body } = await call(admin.cookie, "POST", `/api/clients/${id}/merge`, {
      client: { ...toWire(clientSchema, client), lockVersion: client.lockVersion },
      other: { id: otherId, lockVersion: other.lockVersion },
    });
    expect(status, JSON.stringify(body)).toBe(200);
    return body.merge.id as number;
  };

  test("moves stays, even at one time, and its undo moves them back", async () => {
    const mine = await make({ enteredOn: "2026-03-01" });
    const theirs = await make({ shelterId: motel, enteredOn: "2026-03-10" });
    const past = await make({ clientId: theirs.clientId, enteredOn: "2026-01-01", leftOn: "2026-01-08" });
    const mergeId = await merge(mine.clientId, theirs.clientId);
    expect(await read(theirs.id)).toMatchObject({ clientId: mine.clientId, lockVersion: 1 });
    expect(await read(past.id)).toMatchObject({ clientId: mine.clientId });
    const { body: history } = await call(ada.cookie, "GET", `/api/stays/${past.id}/history`);
    expect(history.events[0]).toMatchObject({
      action: "merged",
      changes: [{ field: "stay.clientId", from: theirs.clientId, to: mine.clientId }],
    });
    // Nothing makes the overlap longer; what ends it is possible.
    expect(fieldsOf(await create({ clientId: mine.clientId, enteredOn: "2026-03-20" }))).toEqual([
      422,
      ["stay.enteredOn"],
    ]);
    expect((await update(theirs.id, { shelterId: motel, adults: 1 })).status).toBe(200);
    expect((await update(theirs.id, { shelterId: motel, enteredOn: "2026-02-01" })).status).toBe(422);
    expect((await update(mine.id, { leftOn: "2026-03-10" })).status).toBe(200);
    expect(await db().stay.count({ where: { clientId: mine.clientId, overlapping: true } })).toBe(0);

    const undone = await call(admin.cookie, "POST", `/api/merges/${mergeId}/undo`, { keepChanged: false });
    expect(undone.status, JSON.stringify(undone.body)).toBe(200);
    expect(await read(mine.id)).toMatchObject({ clientId: mine.clientId, leftOn: "2026-03-10" });
    for (const { id } of [theirs, past]) expect((await read(id)).clientId).toBe(theirs.clientId);
  });

  test("that is undone with its overlap leaves the database's guard in force", async () => {
    const mine = await make({ enteredOn: "2026-03-01" });
    const theirs = await make({ shelterId: motel, enteredOn: "2026-03-10" });
    const mergeId = await merge(mine.clientId, theirs.clientId);
    expect(await db().stay.count({ where: { clientId: mine.clientId, overlapping: true } })).toBe(1);
    await call(admin.cookie, "POST", `/api/merges/${mergeId}/undo`, { keepChanged: false });
    const stays = await db().stay.findMany({ where: { id: { in: [mine.id, theirs.id] } } });
    expect(stays.map(({ overlapping }) => overlapping)).toEqual([false, false]);
  });
});

describe("retention", () => {
  const years = (age: number) => addDays(today(), -366 * age);

  test("takes a stay as activity, and a purge leaves its days and numbers", async () => {
    await call(admin.cookie, "PUT", "/api/retention", { retention: { years: 7, nightly: false } });
    const { id: clientId } = await makeClient(ada, {
      name: "Vera Purged",
      clientBiographicalEntryAttributes: { dateOfBirth: "1990-06-15" },
    });
    const stay = await make({ clientId, enteredOn: years(9), childrenUnderThirteen: 2 });
    const age = async () => {
      await rows(sql`UPDATE clients SET updated_at = now() - interval '8 years' WHERE id = ${clientId}`);
      await rows(sql`UPDATE stays SET updated_at = now() - interval '8 years' WHERE client_id = ${clientId}`);
    };
    const due = async () => {
      const { body } = await call(admin.cookie, "GET", "/api/retention/clients?perPage=100");
      return body.clients.find(({ id }: { id: number }) => id === clientId);
    };
    await age();
    expect(await due()).toBeUndefined();
    await update(stay.id, { leftOn: years(2) });
    await age();
    expect(await due()).toBeUndefined();
    await update(stay.id, { leftOn: addDays(years(8), -30) });
    expect(await due()).toBeUndefined();
    await age();
    expect(await due()).toMatchObject({ id: clientId, forms: 0 });
    const { body } = await call(admin.cookie, "POST", "/api/retention/purge", { ids: [clientId] });
    expect(body).toMatchObject({ done: [clientId], failed: [] });
    expect(await db().stay.findUniqueOrThrow({ where: { id: stay.id } })).toMatchObject({
      clientId,
      childrenUnderThirteen: 2,
      enteredOn: new Date(years(9)),
    });
    // The age on each night is known without the date of birth.
    expect(await db().clientAge.count({ where: { clientId } })).toBeGreaterThan(0);
    const { events } = (await call(admin.cookie, "GET", `/api/stays/${stay.id}/history`)).body;
    expect(events.at(-1).changes.map(({ toText }: { toText: string | null }) => toText)).toEqual(
      events.at(-1).changes.map(() => null),
    );
    // Nothing about the person can be added again.
    expect((await update(stay.id, { adults: 1 })).status).toBe(404);
    expect((await remove(stay.id)).status).toBe(404);
  });

  test("keeps a stay while its client is on legal hold", async () => {
    const stay = await make();
    await call(admin.cookie, "PUT", `/api/clients/${stay.clientId}/hold`, { hold: { reason: "Subpoena" } });
    expect((await remove(stay.id)).body.code).toBe("conflict_in_use");
    await call(admin.cookie, "DELETE", `/api/clients/${stay.clientId}/hold`);
    expect((await remove(stay.id)).status).toBe(204);
  });
});

describe("an import of stays", () => {
  const importStays = async (lines: string[], importer = admin) => {
    const headers = { "content-type": "text/csv" };
    const raw = ["Id,Client,Shelter,Entered On,Left On,Children Under 13,Advocate Email", ...lines].join(
      "\n",
    );
    const { body } = await call(importer.cookie, "POST", "/api/imports?kind=stays", undefined, {
      raw,
      headers,
    });
    const { id, matches } = body.import;
    await call(importer.cookie, "POST", `/api/imports/${id}/start`, {
      import: { dryRun: false, matches, ownerId: null },
    });
    await runImports(new AbortController().signal);
    return (await call(importer.cookie, "GET", `/api/imports/${id}`)).body.import;
  };

  test("finds clients by name, refuses what the rules refuse, and can be undone", async () => {
    const name = "Ottoline From-a-File";
    const { id: clientId } = await makeClient(ada, { name });
    const done = await importStays([
      `s1,${name},Lantern House,01/02/2020,01/05/2020,2`,
      `s2,${name},Riverside Motel,01/04/2020,01/08/2020,0`,
      `s3,${name},Lantern House,02/02/2020,02/01/2020,0`,
      `s4,Nobody Known,Lantern House,02/02/2020,,0`,
      `s5,${name},Lantern House,,,0`,
    ]);
    expect(done).toMatchObject({ created: 1, failed: 4 });
    const problems = done.notes.map(({ problem }: { problem: string }) => problem);
    expect(problems).toEqual([
      "The client was in Lantern House from 01/02/2020 to 01/05/2020: “01/04/2020”",
      "Left On must not be before 02/02/2020: “02/01/2020”",
      expect.stringContaining("Client was not found"),
      "Entered On is required",
    ]);
    expect(await db().stay.findMany({ where: { clientId } })).toMatchObject([
      { childrenUnderThirteen: 2, shelterId: house, userId: admin.id },
    ]);
    expect((await importStays([`s1,${name},Lantern House,01/02/2020,01/05/2020,2`])).repeated).toBe(1);
    await call(admin.cookie, "POST", `/api/imports/${done.id}/undo`);
    await runImports(new AbortController().signal);
    expect(await db().stay.count({ where: { clientId } })).toBe(0);
  });

  test("needs All Forms for stays of other advocates", async () => {
    const importer = await makeUser(["clients", "shelter", "import"]);
    const name = "Ottilie From-a-File";
    await makeClient(ada, { name });
    const lines = [`t1,${name},Lantern House,03/02/2020,03/05/2020,0,${admin.email}`];
    const refused = await importStays(lines, importer);
    expect(refused.notes[0].problem).toBe("Stays of other advocates require the permission All Forms");
    expect((await importStays(lines)).created).toBe(1);
  });
});

test("a user with Shelter alone cannot move in a client without stays, like one that does not exist", async () => {
  const { id: clientId } = await makeClient(ada);
  const refused = await create({ clientId }, night);
  expect(fieldsOf(refused)).toEqual([422, ["stay.clientId"]]);
  expect(refused.body).toEqual((await create({ clientId: 999_999 }, night)).body);
  expect(await db().stay.count({ where: { clientId } })).toBe(0);
});

test("a user with Shelter alone sees no client and cannot create one", async () => {
  expect((await call(night.cookie, "POST", "/api/clients", { client: { name: "X" } })).status).toBe(403);
  expect((await call(night.cookie, "POST", "/api/clients/search", { search: "X" })).status).toBe(403);
  const stay = await make({ enteredOn: "2026-05-01", leftOn: "2026-05-02" });
  expect((await create({ clientId: stay.clientId }, night)).status).toBe(201);
  const advocate = await makeUser(["forms", "clients"]);
  expect((await call(advocate.cookie, "GET", `/api/stays/${stay.id}`)).status).toBe(403);
});
