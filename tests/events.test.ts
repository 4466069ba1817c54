import { beforeAll, describe, expect, test } from "vitest";
import { db } from "@/lib/core/database/client";
import { addDays, today } from "@/lib/core/text/format";
import { homeOf } from "@/lib/home/home";
import { actorFor, call } from "@/tests/call";
import { makeUser, type Person } from "@/tests/factories";

// Events and outcome surveys do more than their declarations say. tests/records.test.ts has what holds for all records.

let ada: Person;
let ben: Person;
let admin: Person;
let eventKindId: number;

beforeAll(async () => {
  ada = await makeUser(["events", "outcome-surveys"]);
  ben = await makeUser(["events", "outcome-surveys"]);
  admin = await makeUser(["outcome-questions", "close-periods", "users"]);
  ({ id: eventKindId } = await db().eventKind.findFirstOrThrow());
});

const values = (more: object = {}) => ({
  heldOn: "2026-03-02",
  eventKindId,
  title: "Talk at the school",
  audience: "youth",
  attended: 20,
  staffAttributes: [{ userId: ada.id, minutes: 60 }],
  ...more,
});
const post = (more: object = {}, person = ada) =>
  call(person.cookie, "POST", "/api/events", { event: values(more) });
const put = (id: number, event: object, person = ada) =>
  call(person.cookie, "PUT", `/api/events/${id}`, { event });
const read = async (id: number) => (await call(ada.cookie, "GET", `/api/events/${id}`)).body.event;
async function add(more: object = {}): Promise<number> {
  const { status, body } = await post(more);
  expect(status, JSON.stringify(body)).toBe(201);
  return body.event.id;
}
const fieldsOf = ({ status, body }: { status: number; body: { fields?: object } }) => [
  status,
  Object.keys(body.fields ?? {}),
];

describe("a series of events", () => {
  test("begins when another event names one by itself, which is a change of that event", async () => {
    const first = await add();
    const second = await add({ heldOn: "2026-03-09", seriesId: first });
    expect(await read(first)).toMatchObject({ seriesId: first, lockVersion: 1 });
    expect(await read(second)).toMatchObject({ seriesId: first, lockVersion: 0 });
    const { body } = await call(ada.cookie, "GET", `/api/events?filters[seriesId]=${first}`);
    expect(body.events.map(({ id }: { id: number }) => id)).toEqual([second, first]);
    const { body: history } = await call(ada.cookie, "GET", `/api/events/${first}/history`);
    const updated = history.events.find(({ action }: { action: string }) => action === "updated");
    expect(updated).toMatchObject({ changes: [{ field: "event.seriesId", from: null }] });
  });

  test("begins when an event names itself", async () => {
    const id = await add();
    expect((await put(id, { seriesId: id })).body.event.seriesId).toBe(id);
  });

  test("is refused for a later session, for an event that does not exist, and on a closed day of the first", async () => {
    const first = await add();
    const second = await add({ seriesId: first });
    expect(fieldsOf(await post({ seriesId: second }))).toEqual([422, ["event.seriesId"]]);
    expect(fieldsOf(await post({ seriesId: 999_999 }))).toEqual([422, ["event.seriesId"]]);
    const alone = await add({ heldOn: "2026-01-05" });
    await call(admin.cookie, "PUT", "/api/closed_periods", { closedThrough: "2026-01-31" });
    try {
      expect(await post({ seriesId: alone })).toMatchObject({ status: 409, body: { code: "period_closed" } });
      expect(await read(alone)).toMatchObject({ seriesId: null, lockVersion: 0 });
    } finally {
      await call(admin.cookie, "PUT", "/api/closed_periods", { closedThrough: null });
    }
  });

  test("has one number of different people, also if two sessions give one at the same time", async () => {
    const first = await add();
    const second = await add({ seriesId: first });
    const third = await add({ seriesId: first });
    const both = await Promise.all([second, third].map((id) => put(id, { seriesPeople: 40 })));
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409]);
    const ended = both[0]?.status === 200 ? second : third;
    const refused = await put(first, { seriesPeople: 41 });
    expect(refused).toMatchObject({ status: 409, body: { code: "conflict_in_use" } });
    expect(refused.body.error).toContain(`Event ${ended} of 03/02/2026`);
    expect((await put(ended, { seriesPeople: null })).status).toBe(200);
    expect((await put(first, { seriesPeople: 41 })).status).toBe(200);
  });

  test("has at least as many different people as attended the event with the number, and none without a series", async () => {
    const first = await add();
    expect(fieldsOf(await put(first, { seriesPeople: 30 }))).toEqual([422, ["event.seriesPeople"]]);
    expect(fieldsOf(await put(first, { seriesId: first, seriesPeople: 19 }))).toEqual([
      422,
      ["event.seriesPeople"],
    ]);
    expect((await put(first, { seriesId: first, seriesPeople: 20 })).status).toBe(200);
    expect(fieldsOf(await put(first, { attended: 21 }))).toEqual([422, ["event.attended"]]);
    // The number goes with the series.
    expect((await put(first, { seriesId: null })).body.event).toMatchObject({
      seriesId: null,
      seriesPeople: null,
    });
  });

  test("keeps its first event while others name it", async () => {
    const first = await add();
    const second = await add({ seriesId: first });
    const inUse = { status: 409, body: { code: "conflict_in_use" } };
    expect(await put(first, { seriesId: null })).toMatchObject(inUse);
    expect(await call(ada.cookie, "DELETE", `/api/events/${first}`)).toMatchObject(inUse);
    expect((await put(second, { seriesId: null })).status).toBe(200);
    expect((await call(ada.cookie, "DELETE", `/api/events/${first}`)).status).toBe(204);
  });
});

describe("the staff of an event", () => {
  test("are rows of the whole list, each user once, whatever the ids", async () => {
    const id = await add();
    const [row] = (await read(id)).staff;
    const two = [
      { userId: ben.id, minutes: 30 },
      { userId: ada.id, minutes: 45 },
    ];
    const { body } = await put(id, { staffAttributes: two });
    expect(body.event.staff).toMatchObject([
      { id: row.id, userId: ada.id, minutes: 45 },
      { userId: ben.id, minutes: 30 },
    ]);
    const swapped = [{ id: row.id, userId: ben.id, minutes: 15 }];
    expect((await put(id, { staffAttributes: swapped })).body.event.staff).toMatchObject([
      { userId: ben.id, minutes: 15 },
    ]);
    expect((await put(id, {})).body.event.staff).toHaveLength(1);
  });

  test.each([
    ["no rows", () => [], "event.staffAttributes"],
    ["only removed rows", () => [{ userId: ada.id, minutes: 5, _destroy: true }], "event.staffAttributes"],
    [
      "a user twice",
      () => [
        { userId: ada.id, minutes: 5 },
        { userId: ada.id, minutes: 6 },
      ],
      "event.staffAttributes.1.userId",
    ],
    ["no minutes", () => [{ userId: ada.id, minutes: 0 }], "event.staffAttributes.0.minutes"],
    ["more than a day", () => [{ userId: ada.id, minutes: 1441 }], "event.staffAttributes.0.minutes"],
  ])("are refused with %s", async (_, rows, field) => {
    expect(fieldsOf(await post({ staffAttributes: rows() }))).toEqual([422, [field]]);
  });

  test("are active accounts when they are added, stay later, and keep their accounts", async () => {
    const cole = await makeUser([]);
    const id = await add({ staffAttributes: [{ userId: cole.id, minutes: 30 }] });
    const removed = await call(admin.cookie, "DELETE", `/api/users/${cole.id}`);
    expect(removed).toMatchObject({ status: 409, body: { code: "conflict_in_use" } });
    await db().user.update({ where: { id: cole.id }, data: { active: false } });
    const staffAttributes = [
      { userId: ada.id, minutes: 10 },
      { userId: cole.id, minutes: 40 },
    ];
    expect(fieldsOf(await post({ staffAttributes }))).toEqual([422, ["event.staffAttributes.1.userId"]]);
    expect((await put(id, { staffAttributes })).status).toBe(200);
  });

  test("are named by their places in the request, also after a removed row, and removed without other checks", async () => {
    const cole = await makeUser([]);
    await db().user.update({ where: { id: cole.id }, data: { active: false } });
    const id = await add();
    const [row] = (await read(id)).staff;
    const removed = { ...row, _destroy: true };
    const added = { userId: ben.id, minutes: 30 };
    const inactive = { userId: cole.id, minutes: 20 };
    const field = (at: number, name: string) => [422, [`event.staffAttributes.${at}.${name}`]];
    expect(fieldsOf(await put(id, { staffAttributes: [removed, added, inactive] }))).toEqual(
      field(2, "userId"),
    );
    expect(fieldsOf(await put(id, { staffAttributes: [removed] }))).toEqual([422, ["event.staffAttributes"]]);
    const { staff: foreign } = await read(await add());
    const rows = [row, { ...foreign[0], userId: ben.id, _destroy: true }];
    expect(fieldsOf(await put(id, { staffAttributes: rows }))).toEqual(field(1, "id"));
    expect((await read(id)).staff).toEqual([row]);
    const saved = await put(id, { staffAttributes: [removed, { ...inactive, _destroy: true }, added] });
    expect(saved.body.event.staff).toMatchObject([added]);
  });
});

describe("an outcome survey", () => {
  const questionsOf = async () => db().outcomeQuestion.findMany({ orderBy: { id: "asc" } });
  const survey = (more: object = {}) => ({
    outcomeSurvey: { countedOn: today(), serviceKind: "shelter", completed: 10, ...more },
  });
  const send = (more: object = {}) => call(ada.cookie, "POST", "/api/outcome_surveys", survey(more));

  test("may have no answers, and fewer than cards, but not more", async () => {
    const [question] = await questionsOf();
    const answersOf = (yes: number, no: number) => [{ outcomeQuestionId: question?.id, yes, no }];
    expect((await send()).body.outcomeSurvey).toMatchObject({ completed: 10, answers: [] });
    const { body } = await send({ answersAttributes: answersOf(6, 2) });
    const { id } = body.outcomeSurvey;
    expect(fieldsOf(await send({ answersAttributes: answersOf(6, 5) }))).toEqual([
      422,
      ["outcomeSurvey.answersAttributes.0.no"],
    ]);
    const fewer = { outcomeSurvey: { completed: 7 } };
    expect(fieldsOf(await call(ada.cookie, "PUT", `/api/outcome_surveys/${id}`, fewer))).toEqual([
      422,
      ["outcomeSurvey.completed"],
    ]);
    for (const completed of [0, 1000, null])
      expect(fieldsOf(await send({ completed }))).toEqual([422, ["outcomeSurvey.completed"]]);
  });

  test("keeps the answers to a question that is no longer asked, and adds no new ones", async () => {
    const question = { name: "I felt heard.", measure: "" };
    const { body } = await call(admin.cookie, "POST", "/api/outcome_questions", {
      outcomeQuestion: question,
    });
    const { id: outcomeQuestionId, active } = body.outcomeQuestion;
    expect(active).toBe(true);
    const answersAttributes = [{ outcomeQuestionId, yes: 4, no: 1 }];
    const { id } = (await send({ answersAttributes })).body.outcomeSurvey;
    const change = (values: object) =>
      call(admin.cookie, "PUT", `/api/outcome_questions/${outcomeQuestionId}`, {
        outcomeQuestion: { ...question, ...values },
      });
    const inUse = { status: 409, body: { code: "conflict_in_use" } };
    expect(await change({ name: "Someone listened." })).toMatchObject(inUse);
    expect(await change({ measure: "safety", active: false })).toMatchObject(inUse);
    expect((await change({ active: false })).status).toBe(200);
    expect(fieldsOf(await send({ answersAttributes }))).toEqual([
      422,
      ["outcomeSurvey.answersAttributes.0.outcomeQuestionId"],
    ]);
    const more = { outcomeSurvey: { answersAttributes: [{ outcomeQuestionId, yes: 5, no: 1 }] } };
    expect((await call(ada.cookie, "PUT", `/api/outcome_surveys/${id}`, more)).status).toBe(200);
    expect(await call(admin.cookie, "DELETE", `/api/outcome_questions/${outcomeQuestionId}`)).toMatchObject(
      inUse,
    );
  });

  test("names its answers by their places in the request, also after a removed row", async () => {
    const [first, second] = await questionsOf();
    const of = (question: typeof first, yes: number) => ({ outcomeQuestionId: question?.id, yes, no: 0 });
    const removed = { ...of(first, 99), _destroy: true };
    expect(fieldsOf(await send({ answersAttributes: [removed, of(second, 11)] }))).toEqual([
      422,
      ["outcomeSurvey.answersAttributes.1.no"],
    ]);
    const { body } = await send({ answersAttributes: [removed, of(second, 3)] });
    expect(body.outcomeSurvey.answers).toMatchObject([of(second, 3)]);
  });

  test("has a count of 0 where a row that replaces the stored one leaves it out", async () => {
    const [question] = await questionsOf();
    const row = { outcomeQuestionId: question?.id, yes: 6, no: 2 };
    const { id, answers } = (await send({ answersAttributes: [row] })).body.outcomeSurvey;
    const changed = { ...answers[0], yes: 5, no: undefined };
    const body = { outcomeSurvey: { answersAttributes: [changed] } };
    const saved = await call(ada.cookie, "PUT", `/api/outcome_surveys/${id}`, body);
    expect(saved.body.outcomeSurvey.answers).toEqual([{ ...answers[0], yes: 5, no: 0 }]);
  });

  test("asks one active question of each measure", async () => {
    const question = { outcomeQuestion: { name: "I can stay safe.", measure: "safety" } };
    expect(await call(admin.cookie, "POST", "/api/outcome_questions", question)).toMatchObject({
      status: 409,
      body: { code: "conflict_in_use" },
    });
    const inactive = { outcomeQuestion: { ...question.outcomeQuestion, active: false } };
    expect((await call(admin.cookie, "POST", "/api/outcome_questions", inactive)).status).toBe(201);
  });
});

test("Home lists series without the number of their people, 60 days after the latest session", async () => {
  const seriesOf = async (latest: number) => {
    const id = await add({ heldOn: addDays(today(), -latest - 7), title: `Course of ${latest} days ago` });
    await add({ heldOn: addDays(today(), -latest), seriesId: id });
    return id;
  };
  await db().event.updateMany({ data: { seriesId: null, seriesPeople: null } });
  const open = await seriesOf(60);
  const recent = await seriesOf(59);
  const ended = await seriesOf(90);
  await put(ended, { seriesPeople: 25 });
  const { openSeries } = await homeOf(await actorFor(ada));
  const ids = openSeries?.map(({ id }) => id);
  expect(ids).toContain(open);
  expect(ids).not.toContain(recent);
  expect(ids).not.toContain(ended);
  expect((await homeOf(await actorFor(admin))).openSeries).toBeNull();
});

test("events dated ahead are refused, and today's are the default", async () => {
  expect(fieldsOf(await post({ heldOn: addDays(today(), 2) }))).toEqual([422, ["event.heldOn"]]);
  expect((await post({ heldOn: undefined })).body.event.heldOn).toBe(today());
});
