import pg from "pg";
import { beforeAll, beforeEach, describe, expect, type MockInstance, test, vi } from "vitest";
import { db, rows } from "@/lib/core/database/client";
import { sql } from "@/lib/core/sql";
import { addDays, today } from "@/lib/core/text/format";
import { groupChoices } from "@/lib/groups/groups";
import { actorFor, call, type Method } from "@/tests/call";
import { formTypeId, makeClient, makeForm, makeUser, type Person } from "@/tests/factories";
import { DAY, groupCode, LEADER, makeGroup, makeLeader, makeSession, sessionOf } from "@/tests/groups";

// Groups, their rosters, and their sessions, through the API. tests/groups-privacy.test.ts tests what each reader sees.

let ada: Person;
let ben: Person;
let supervisor: Person;

const as = (person: Person, method: Method, url: string, body?: unknown) =>
  call(person.cookie, method, url, body);
const formOf = async (id: number, person = supervisor) =>
  (await as(person, "GET", `/api/forms/${id}`)).body.form;
const at = (group: { id: number }, session: { id: number }) =>
  `/api/groups/${group.id}/sessions/${session.id}`;
const clientsNamed = async (...names: string[]) => {
  const clients: { id: number; name: string; verbalConfirmation: boolean }[] = [];
  for (const name of names) clients.push(await makeClient(ada, { name }));
  return clients;
};
const ids = (items: readonly { id: number }[]) => items.map(({ id }) => id);
const wire = (attendances: readonly { id: number; client: { id: number }; minutes: number | null }[]) =>
  attendances.map(({ id, client, minutes }) => ({ id, clientId: client.id, minutes }));

beforeAll(async () => {
  [ada, ben] = [await makeLeader(), await makeLeader()];
  supervisor = await makeLeader("all-forms", "audit-log");
});

describe("a group", () => {
  test("offers the form types that it can have", async () => {
    const { formTypes, codes } = await groupChoices(await actorFor(ada));
    expect(formTypes.some(({ fits }) => fits) && formTypes.some(({ fits }) => !fits)).toBe(true);
    for (const { id, name, fits } of formTypes) {
      const code = codes.find(({ formTypeIds }) => formTypeIds.includes(id));
      const group = { formTypeId: id, serviceCodeId: code?.id ?? codes[0]?.id };
      const values = { ...group, name, usualMinutes: 90, leaderIds: [ada.id] };
      const { status } = await as(ada, "POST", "/api/groups", { group: values });
      expect(status, name).toBe(fits ? 201 : 422);
    }
  });

  test("keeps its fields and its roster, and an omitted field stays", async () => {
    const [one, two, three] = await clientsNamed("Group One", "Group Two", "Group Three");
    const group = await makeGroup([ada, ben], { clientIds: [one?.id, two?.id] });
    expect(group).toMatchObject({
      name: "Tuesday evening",
      usualMinutes: 90,
      closedOn: null,
      leaderIds: [ada.id, ben.id].sort(),
      clientIds: ids([one, two].flatMap((client) => client ?? [])),
      lockVersion: 0,
    });
    const changed = await as(ada, "PUT", `/api/groups/${group.id}`, {
      group: { clientIds: [two?.id, three?.id], closedOn: "2999-01-31", lockVersion: 0 },
    });
    expect(changed).toMatchObject({
      status: 200,
      body: {
        group: {
          name: "Tuesday evening",
          closedOn: "2999-01-31",
          clientIds: [two?.id, three?.id],
          lockVersion: 1,
        },
      },
    });
    expect((await as(ben, "GET", `/api/groups/${group.id}`)).body.group).toEqual(changed.body.group);
    const stale = await as(ben, "PUT", `/api/groups/${group.id}`, {
      group: { name: "Late", lockVersion: 0 },
    });
    expect(stale).toMatchObject({ status: 409, body: { code: "conflict_version" } });
  });

  test("needs a leader with an active account", async () => {
    const group = await makeGroup([ada]);
    const gone = await makeLeader();
    const invited = await makeLeader();
    await db().user.update({ where: { id: gone.id }, data: { active: false } });
    await db().user.update({ where: { id: invited.id }, data: { activatedAt: null } });
    for (const leaderIds of [[], [gone.id], [invited.id], null]) {
      const answer = await as(ada, "PUT", `/api/groups/${group.id}`, { group: { leaderIds } });
      expect(answer).toMatchObject({
        status: 422,
        body: { fields: { "group.leaderIds": expect.any(String) } },
      });
    }
  });

  test.each([
    ["by phone", "Phone"],
    ["without services", "Survivor"],
    ["with a section that requires values", "Legal Advocacy"],
  ] as const)("cannot have a form type %s", async (_, type) => {
    const group = { ...(await makeGroup([ada])), formTypeId: await formTypeId(type) };
    const answer = await as(ada, "PUT", `/api/groups/${group.id}`, {
      group: { formTypeId: group.formTypeId },
    });
    expect(answer).toMatchObject({
      status: 422,
      body: { fields: { "group.formTypeId": expect.any(String) } },
    });
  });

  test("cannot have a form type that does not offer the code, and a session checks that again", async () => {
    const group = await makeGroup([ada]);
    const serviceCodeId = await groupCode();
    const where = { serviceCodeId_formTypeId: { serviceCodeId, formTypeId: group.formTypeId } };
    await db().serviceCodeFormType.delete({ where });
    const [client] = await clientsNamed("Not Offered");
    const session = sessionOf([ada], [client?.id ?? 0]);
    const answer = await as(ada, "POST", `/api/groups/${group.id}/sessions`, session);
    await db().serviceCodeFormType.create({ data: { serviceCodeId, formTypeId: group.formTypeId } });
    expect(answer).toMatchObject({
      status: 422,
      body: { fields: { "group.formTypeId": expect.stringContaining("offer") } },
    });
  });

  test("is 404 to everyone but its leaders and holders of All Forms, and to a leader who took themselves off", async () => {
    const group = await makeGroup([ada]);
    const url = `/api/groups/${group.id}`;
    for (const person of [ben, supervisor]) {
      const isOther = person === ben;
      expect((await as(person, "GET", url)).status).toBe(isOther ? 404 : 200);
      expect((await as(person, "GET", `${url}/sessions`)).status).toBe(isOther ? 404 : 200);
      expect((await as(person, "GET", `${url}/history`)).status).toBe(isOther ? 404 : 200);
      const { groups } = (await as(person, "GET", "/api/groups?perPage=100")).body;
      expect(ids(groups).includes(group.id)).toBe(!isOther);
    }
    expect((await as(ben, "PUT", url, { group: { name: "Mine" } })).status).toBe(404);
    expect((await as(ben, "DELETE", url)).status).toBe(404);
    const handed = await as(ada, "PUT", url, { group: { leaderIds: [ben.id] } });
    expect(handed).toMatchObject({ status: 200, body: { group: { leaderIds: [ben.id] } } });
    expect((await as(ada, "GET", url)).status).toBe(404);
    expect((await as(ben, "GET", url)).status).toBe(200);
  });

  test("is 404 to a creator who was taken off, also for the same Idempotency-Key", async () => {
    const { id: _, user: _user, lockVersion: _version, ...fields } = await makeGroup([ada, ben]);
    const create = () =>
      call(ada.cookie, "POST", "/api/groups", { group: fields }, { headers: { "idempotency-key": "g-off" } });
    const { status, body } = await create();
    expect(status, JSON.stringify(body)).toBe(201);
    expect((await create()).body.group.id).toBe(body.group.id);
    await as(ben, "PUT", `/api/groups/${body.group.id}`, { group: { leaderIds: [ben.id] } });
    expect((await create()).status).toBe(404);
  });

  test("needs Groups, Forms, and Clients for every call", async () => {
    for (const missing of LEADER) {
      const person = await makeUser([...LEADER.filter((name) => name !== missing), "all-forms", "export"]);
      for (const path of ["/api/groups", "/api/groups.csv", "/api/groups/1/sessions"])
        expect((await as(person, "GET", path)).status).toBe(403);
    }
  });

  test("cannot be removed while it has sessions", async () => {
    const group = await makeGroup([ada]);
    const session = await makeSession(group, [ada], []);
    const refused = await as(ada, "DELETE", `/api/groups/${group.id}`);
    expect(refused).toMatchObject({
      status: 409,
      body: { code: "conflict_in_use", error: expect.stringContaining("1 session") },
    });
    expect((await as(ada, "DELETE", at(group, session))).status).toBe(204);
    expect((await as(ada, "DELETE", `/api/groups/${group.id}`)).status).toBe(204);
  });

  test("keeps a client on its roster from being removed, and an account that leads it", async () => {
    const [client] = await clientsNamed("Only Rostered");
    const leader = await makeLeader();
    await makeGroup([leader], { clientIds: [client?.id] });
    expect(await as(ada, "DELETE", `/api/clients/${client?.id}`)).toMatchObject({ status: 409 });
    const administrator = await makeUser(["users", "roles", ...LEADER]);
    expect(await as(administrator, "DELETE", `/api/users/${leader.id}`)).toMatchObject({
      status: 409,
      body: { code: "conflict_in_use" },
    });
  });

  test("is created once for an Idempotency-Key", async () => {
    const group = {
      name: "Once",
      formTypeId: await formTypeId("Service"),
      serviceCodeId: await groupCode(),
      usualMinutes: 60,
      leaderIds: [ada.id],
    };
    const send = () =>
      call(ada.cookie, "POST", "/api/groups", { group }, { headers: { "idempotency-key": "group-once" } });
    const first = await send();
    const again = await send();
    expect(again).toMatchObject({ status: 201, body: first.body });
    expect(await db().group.count({ where: { name: "Once" } })).toBe(1);
  });
});

describe("a session", () => {
  let group: { id: number; formTypeId: number };
  let clients: { id: number; name: string }[];

  beforeEach(async () => {
    clients = await clientsNamed("Cora", "Dina", "Emma");
    group = await makeGroup([ada, ben], { clientIds: ids(clients) });
  });

  test("writes one form for each attendance, with the session's day, minutes, and group", async () => {
    await db().client.update({ where: { id: clients[1]?.id ?? 0 }, data: { verbalConfirmation: true } });
    const session = await makeSession(group, [ada, ben], [], {
      unnamed: 2,
      attendancesAttributes: [{ clientId: clients[0]?.id }, { clientId: clients[1]?.id, minutes: 45 }],
    });
    expect(session).toMatchObject({
      heldOn: DAY,
      minutes: 90,
      unnamed: 2,
      leaders: [
        { userId: ada.id, minutes: 90 },
        { userId: ben.id, minutes: 90 },
      ],
      attendances: [
        { client: { id: clients[0]?.id, name: "Cora" }, minutes: null, edited: false },
        { client: { id: clients[1]?.id, name: "Dina" }, minutes: 45, edited: false },
      ],
      user: { id: ada.id },
    });
    const forms = await Promise.all(
      session.attendances.map(({ formId }: { formId: number }) => formOf(formId)),
    );
    const groupSession = { id: session.id, groupId: group.id, groupName: "Tuesday evening" };
    for (const [index, minutes] of [90, 45].entries())
      expect(forms[index]).toMatchObject({
        serviceOn: DAY,
        serviceStatus: "Served",
        formTypeId: group.formTypeId,
        userId: ada.id,
        groupSession,
        intakeForm: null,
        verbalConfirmation: index === 1,
        reconciled: false,
        serviceEntry: { serviceProvidedEntries: [{ minutes, serviceCode: { code: "COUNSEL-GRP" } }] },
      });
  });

  test("belongs to the first leader if its creator does not lead it, also for someone added later", async () => {
    const url = `/api/groups/${group.id}/sessions`;
    const created = await as(supervisor, "POST", url, sessionOf([ben, ada], [clients[0]?.id ?? 0]));
    const { groupSession } = created.body;
    const changed = await as(ada, "PUT", at(group, groupSession), {
      groupSession: {
        attendancesAttributes: [...wire(groupSession.attendances), { clientId: clients[1]?.id }],
      },
    });
    const owners = await db().attendance.findMany({
      where: { groupSessionId: groupSession.id },
      select: { form: { select: { userId: true } } },
    });
    expect(changed.status).toBe(200);
    expect(owners.map(({ form }) => form.userId)).toEqual([ben.id, ben.id]);
    // Neither form is Ada's, so she cannot open them.
    expect(changed.body.groupSession.attendances).toMatchObject([{ formId: null }, { formId: null }]);
  });

  test.each([
    ["no leader", (): object => ({ leadersAttributes: [] }), "groupSession.leadersAttributes"],
    [
      "a leader who does not lead the group",
      () => ({
        leadersAttributes: [
          { userId: ada.id, minutes: 1 },
          { userId: supervisor.id, minutes: 1 },
        ],
      }),
      "groupSession.leadersAttributes",
    ],
    [
      "not oneself among the leaders",
      () => ({ leadersAttributes: [{ userId: ben.id, minutes: 1 }] }),
      "groupSession.leadersAttributes",
    ],
    [
      "a leader twice",
      () => ({ leadersAttributes: [1, 2].map((minutes) => ({ userId: ada.id, minutes })) }),
      "groupSession.leadersAttributes.1.userId",
    ],
    ["no minutes", () => ({ minutes: null }), "groupSession.minutes"],
    ["501 people without a record", () => ({ unnamed: 501 }), "groupSession.unnamed"],
    [
      "a client who does not exist",
      () => ({ attendancesAttributes: [{ clientId: 7_399_999 }] }),
      "groupSession.attendancesAttributes.0.clientId",
    ],
    [
      "a client twice",
      () => ({ attendancesAttributes: [{ clientId: clients[0]?.id }, { clientId: clients[0]?.id }] }),
      "groupSession.attendancesAttributes.1.clientId",
    ],
    [
      "an attendance of 0 minutes",
      () => ({ attendancesAttributes: [{ clientId: clients[0]?.id, minutes: 0 }] }),
      "groupSession.attendancesAttributes.0.minutes",
    ],
    ["a day after tomorrow", () => ({ heldOn: addDays(today(), 2) }), "groupSession.heldOn"],
  ])("is refused with %s", async (_, values, field) => {
    const answer = await as(ada, "POST", `/api/groups/${group.id}/sessions`, sessionOf([ada], [], values()));
    expect(answer, JSON.stringify(answer.body)).toMatchObject({
      status: 422,
      body: { fields: { [field]: expect.any(String) } },
    });
  });

  test("is not held after the group was closed", async () => {
    await as(ada, "PUT", `/api/groups/${group.id}`, { group: { closedOn: "2026-11-19" } });
    const answer = await as(ada, "POST", `/api/groups/${group.id}/sessions`, sessionOf([ada], []));
    expect(answer).toMatchObject({
      status: 422,
      body: { fields: { "groupSession.heldOn": expect.any(String) } },
    });
  });

  test("is recorded once for an Idempotency-Key, with one form each", async () => {
    const body = sessionOf([ada], ids(clients));
    const send = (minutes = 90) =>
      call(
        ada.cookie,
        "POST",
        `/api/groups/${group.id}/sessions`,
        { groupSession: { ...body.groupSession, minutes } },
        { headers: { "idempotency-key": `s${group.id}` } },
      );
    const first = await send();
    const again = await send();
    expect(again).toMatchObject({ status: 201, body: { groupSession: { id: first.body.groupSession.id } } });
    expect((await send(91)).status).toBe(422);
    expect(await db().form.count({ where: { clientId: { in: ids(clients) } } })).toBe(3);
  });

  test("keeps a leader who is sent again without an id", async () => {
    const session = await makeSession(group, [ada], []);
    const changed = await as(ada, "PUT", at(group, session), {
      groupSession: { leadersAttributes: [{ userId: ada.id, minutes: 45 }] },
    });
    expect(changed, JSON.stringify(changed.body)).toMatchObject({
      status: 200,
      body: { groupSession: { leaders: [{ id: session.leaders[0].id, userId: ada.id, minutes: 45 }] } },
    });
  });

  test("takes its forms along when its day, its minutes, or its people change", async () => {
    const session = await makeSession(group, [ada], ids(clients));
    const [first, second] = session.attendances;
    const changed = await as(ada, "PUT", at(group, session), {
      groupSession: {
        heldOn: "11/21/2026",
        minutes: 60,
        lockVersion: session.lockVersion,
        attendancesAttributes: [{ clientId: first.client.id }, { id: second.id, minutes: 30 }],
      },
    });
    expect(changed).toMatchObject({
      status: 200,
      body: {
        groupSession: {
          heldOn: "2026-11-21",
          minutes: 60,
          lockVersion: 1,
          attendances: [
            { id: first.id, minutes: null, edited: false },
            { id: second.id, minutes: 30, edited: false },
          ],
        },
      },
    });
    const minutes = async (formId: number) => {
      const form = await formOf(formId);
      return [
        form.serviceOn,
        ...form.serviceEntry.serviceProvidedEntries.map((row: { minutes: number }) => row.minutes),
      ];
    };
    expect(await minutes(first.formId)).toEqual(["2026-11-21", 60]);
    expect(await minutes(second.formId)).toEqual(["2026-11-21", 30]);
    expect((await as(supervisor, "GET", `/api/forms/${session.attendances[2].formId}`)).status).toBe(404);
  });

  test("writes nothing when nothing changes", async () => {
    const session = await makeSession(group, [ada], ids(clients));
    const before = await db().form.findMany({
      where: { clientId: { in: ids(clients) } },
      orderBy: { id: "asc" },
    });
    const same = await as(ada, "PUT", at(group, session), {
      groupSession: {
        heldOn: DAY,
        minutes: 90,
        unnamed: 0,
        attendancesAttributes: wire(session.attendances),
      },
    });
    expect(same).toMatchObject({ status: 200, body: { groupSession: { lockVersion: 0 } } });
    expect(
      await db().form.findMany({ where: { clientId: { in: ids(clients) } }, orderBy: { id: "asc" } }),
    ).toEqual(before);
  });

  describe("of many people", () => {
    let many: number[];
    let statements: MockInstance<(...args: never[]) => unknown>;

    beforeAll(async () => {
      const added = await rows<{ id: number }>(
        sql`INSERT INTO clients (name, user_id, updated_at, created_on)
         SELECT 'Person ' || n, ${ada.id}, now(), current_date FROM generate_series(1, 200) n RETURNING id`,
      );
      many = ids(added);
      statements = vi.spyOn(pg.Client.prototype, "query");
      return () => statements.mockRestore();
    });

    /** Makes a session of the first `count` people, changes its day, minutes and people, and removes it. */
    async function runThrough(count: number): Promise<number> {
      statements.mockClear();
      const some = many.slice(0, count);
      const session = await makeSession(group, [ada], some);
      const url = at(group, session);
      const own = session.attendances[0];
      for (const groupSession of [
        { heldOn: addDays(DAY, -1), minutes: 60 },
        { attendancesAttributes: [{ id: own.id, minutes: 30 }, ...wire(session.attendances.slice(1))] },
        { attendancesAttributes: many.slice(100, 100 + count).map((clientId) => ({ clientId })) },
      ])
        expect((await as(ada, "PUT", url, { groupSession })).status).toBe(200);
      const [form] = await rows<{ count: number; minutes: number; days: number }>(
        sql`SELECT count(*)::int, sum(p.minutes)::int AS minutes, count(DISTINCT f.service_on)::int AS days
         FROM attendances a JOIN forms f ON f.id = a.form_id JOIN service_entries e ON e.form_id = f.id
         JOIN service_provided_entries p ON p.service_entry_id = e.id
         WHERE a.group_session_id = ${session.id} AND f.client_id = a.client_id AND p.of_session`,
      );
      expect(form).toEqual({ count, minutes: count * 60, days: 1 });
      expect((await as(ada, "DELETE", url)).status).toBe(204);
      const events = await rows<{ action: string; count: number }>(
        sql`SELECT action, count(DISTINCT (entity_id, client_id))::int FROM audit_events
         WHERE entity = 'form' AND client_id = ANY(${many}::int[]) AND id > ${lastEvent} GROUP BY 1 ORDER BY 1`,
      );
      lastEvent = await newestEvent();
      expect(events).toEqual([
        { action: "created", count: 2 * count },
        { action: "removed", count: 2 * count },
        { action: "updated", count },
      ]);
      return statements.mock.calls.length;
    }
    const newestEvent = async () =>
      (await rows<{ id: string }>(sql`SELECT max(id)::text AS id FROM audit_events`))[0]?.id ?? "0";
    let lastEvent = "0";

    test("needs as many statements for a hundred as for two", async () => {
      expect(await runThrough(100)).toBe(await runThrough(2));
    });

    test("lets others save its clients meanwhile", async () => {
      const one = many[150] ?? 0;
      const [session, client, form] = await Promise.all([
        makeSession(group, [ada], many),
        as(ada, "PUT", `/api/clients/${one}`, { client: { name: "Renamed" } }),
        makeForm(ada, {}, one),
      ]);
      expect(session.attendances).toHaveLength(many.length);
      expect(client.status).toBe(200);
      expect(form).toMatchObject({ clientId: one });
    });
  });

  test.each([
    [
      "reconciled",
      (id: number) => as(supervisor, "POST", `/api/forms/${id}/reconcile`, { reconciled: true }),
    ],
    ["returned", (id: number) => as(supervisor, "POST", `/api/forms/${id}/return`, { comment: "Why?" })],
    ["commented", (id: number) => as(supervisor, "POST", `/api/forms/${id}/comments`, { text: "Hm" })],
    [
      "edited",
      async (id: number) => {
        const { clientId, formTypeId, serviceOn } = await formOf(id);
        return as(ada, "PUT", `/api/forms/${id}`, {
          form: { clientId, formTypeId, serviceOn, serviceStatus: "Served", verbalConfirmation: true },
        });
      },
    ],
  ])("refuses to alter or remove a form that was %s, names it, and changes nothing", async (word, block) => {
    const session = await makeSession(group, [ada], ids(clients));
    const [first, second, third] = session.attendances;
    expect((await block(second.formId)).status, word).toBeLessThan(300);
    const before = await db().form.findMany({ orderBy: { id: "asc" } });
    const changes: object[] = [
      { minutes: 60 },
      { heldOn: "2026-11-19" },
      { attendancesAttributes: wire([first, third]) },
      { attendancesAttributes: wire([first, { ...second, minutes: 5 }, third]) },
    ];
    for (const groupSession of changes) {
      const answer = await as(ada, "PUT", at(group, session), { groupSession });
      expect(answer, JSON.stringify(answer.body)).toMatchObject({
        status: 409,
        body: { code: "conflict_in_use", forms: [second.formId] },
      });
      expect(JSON.stringify(answer.body.error)).toContain("Dina, 11/20/2026");
    }
    expect(await as(ada, "DELETE", at(group, session))).toMatchObject({
      status: 409,
      body: { forms: [second.formId] },
    });
    expect(await db().form.findMany({ orderBy: { id: "asc" } })).toEqual(before);
    // Changes that do not touch that form are possible, such as someone who was forgotten.
    const [late] = await clientsNamed("Late");
    const more = await as(ada, "PUT", at(group, session), {
      groupSession: {
        unnamed: 4,
        attendancesAttributes: [
          { ...wire([first])[0], minutes: 10 },
          ...wire([second]),
          { clientId: late?.id },
        ],
      },
    });
    expect(more, JSON.stringify(more.body)).toMatchObject({
      status: 200,
      body: { groupSession: { unnamed: 4 } },
    });
    expect(more.body.groupSession.attendances).toHaveLength(3);
    expect(more.body.groupSession.attendances[1].edited).toBe(word === "edited");
  });

  test("names only the forms that the caller may open in the refusal", async () => {
    const session = await makeSession(group, [ada, ben], ids(clients));
    await as(supervisor, "POST", `/api/forms/${session.attendances[0].formId}/reconcile`, {
      reconciled: true,
    });
    expect(await as(ben, "PUT", at(group, session), { groupSession: { minutes: 5 } })).toMatchObject({
      status: 409,
      body: { forms: [] },
    });
  });

  test("is closed by its day, also for changes that touch no form", async () => {
    const closer = await makeUser(["close-periods"]);
    const session = await makeSession(group, [ada], [], { heldOn: "2026-09-20" });
    const close = (closedThrough: string | null) =>
      as(closer, "PUT", "/api/closed_periods", { closedThrough });
    await close("2026-09-30");
    const answers = [
      await as(ada, "PUT", at(group, session), { groupSession: { unnamed: 3 } }),
      await as(ada, "PUT", at(group, session), { groupSession: { heldOn: DAY } }),
      await as(ada, "DELETE", at(group, session)),
      await as(
        ada,
        "POST",
        `/api/groups/${group.id}/sessions`,
        sessionOf([ada], [], { heldOn: "2026-09-30" }),
      ),
    ];
    await close(null);
    for (const answer of answers)
      expect(answer).toMatchObject({ status: 409, body: { code: "period_closed" } });
  });

  test("lets its leaders change only themselves, and holders of All Forms everyone", async () => {
    const session = await makeSession(group, [ada, ben], []);
    const leaders = (...people: Person[]) => ({
      groupSession: { leadersAttributes: people.map(({ id }) => ({ userId: id, minutes: 90 })) },
    });
    const keep = session.leaders.filter(({ userId }: { userId: number }) => userId === ben.id);
    expect((await as(ada, "PUT", at(group, session), leaders(ada))).status).toBe(422);
    const off = await as(ada, "PUT", at(group, session), { groupSession: { leadersAttributes: keep } });
    expect(off, JSON.stringify(off.body)).toMatchObject({
      status: 200,
      body: { groupSession: { leaders: [{ userId: ben.id }] } },
    });
    expect(
      (await as(supervisor, "PUT", at(group, session), leaders(ada))).body.groupSession.leaders,
    ).toMatchObject([{ userId: ada.id }]);
  });

  test("is changed by two leaders and by a substitute they added", async () => {
    const substitute = await makeLeader();
    expect(
      (await as(substitute, "POST", `/api/groups/${group.id}/sessions`, sessionOf([substitute], []))).status,
    ).toBe(404);
    await as(ben, "PUT", `/api/groups/${group.id}`, {
      group: { leaderIds: [ada.id, ben.id, substitute.id] },
    });
    for (const person of [ada, ben, substitute]) {
      const session = await makeSession(group, [person], [clients[0]?.id ?? 0], {
        heldOn: addDays(DAY, -person.id),
      });
      expect((await as(person, "PUT", at(group, session), { groupSession: { minutes: 75 } })).status).toBe(
        200,
      );
    }
    await as(ada, "PUT", `/api/groups/${group.id}`, { group: { leaderIds: [ada.id, ben.id] } });
    expect((await as(substitute, "GET", `/api/groups/${group.id}/sessions`)).status).toBe(404);
    const [own] = (await as(substitute, "GET", `/api/forms?filters[userId]=${substitute.id}`)).body.forms;
    expect((await formOf(own.id, substitute)).groupSession).toBeNull();
  });

  test("is removed with its forms, unless it is closed or blocked", async () => {
    const session = await makeSession(group, [ada], ids(clients));
    expect((await as(ben, "DELETE", at(group, session))).status).toBe(204);
    expect((await as(ada, "GET", at(group, session))).status).toBe(404);
    expect(await db().form.count({ where: { clientId: { in: ids(clients) } } })).toBe(0);
  });

  test("keeps the code and the form type that the group had, also for someone added later", async () => {
    const session = await makeSession(group, [ada], [clients[0]?.id ?? 0]);
    const other = await groupCode("COUNSEL-IND");
    expect(
      (await as(ada, "PUT", `/api/groups/${group.id}`, { group: { serviceCodeId: other } })).status,
    ).toBe(200);
    const late = await as(ada, "PUT", at(group, session), {
      groupSession: { attendancesAttributes: [...wire(session.attendances), { clientId: clients[1]?.id }] },
    });
    const next = await makeSession(group, [ada], [clients[0]?.id ?? 0]);
    const codes = async (formId: number) =>
      (await formOf(formId)).serviceEntry.serviceProvidedEntries[0].serviceCode.code;
    expect(await codes(late.body.groupSession.attendances[1].formId)).toBe("COUNSEL-GRP");
    expect(await codes(next.attendances[0].formId)).toBe("COUNSEL-IND");
  });

  test("is in the files of the group without a person's name", async () => {
    const exporter = await makeLeader("all-forms", "export");
    await makeSession(group, [ada, ben], ids(clients), { unnamed: 2 });
    const sessions = await as(exporter, "GET", `/api/groups/${group.id}/sessions.csv`);
    expect(sessions.body).toMatch(/11\/20\/2026,90,3,2,2,180/);
    const groups = await as(exporter, "GET", "/api/groups.csv");
    expect(groups.body).toContain("Tuesday evening,Service,COUNSEL-GRP,90,");
    for (const word of ["Cora", "Dina", "Emma", ada.firstName, ben.lastName])
      expect(`${sessions.body} ${groups.body}`).not.toContain(word);
  });
});

describe("the form of a session", () => {
  test("is an ordinary form whose client and type stay, and removing it removes the attendance", async () => {
    const [client, other] = await clientsNamed("Frida", "Gesa");
    const group = await makeGroup([ada]);
    const session = await makeSession(group, [ada], ids([client, other].flatMap((one) => one ?? [])));
    const form = await formOf(session.attendances[0].formId, ada);
    const values = {
      clientId: form.clientId,
      formTypeId: form.formTypeId,
      serviceOn: DAY,
      serviceStatus: "Served",
      verbalConfirmation: false,
    };
    const refused = await as(ada, "PUT", `/api/forms/${form.id}`, {
      form: { ...values, clientId: other?.id, formTypeId: await formTypeId("Survivor") },
    });
    expect(Object.keys(refused.body.fields).sort()).toEqual(["form.clientId", "form.formTypeId"]);
    expect(
      (
        await as(ada, "PUT", `/api/forms/${form.id}`, {
          form: { ...values, serviceStatus: "Served", custom: {}, verbalConfirmation: true },
        })
      ).status,
    ).toBe(200);
    const [edited] = (await as(ada, "GET", at(group, session))).body.groupSession.attendances;
    expect(edited).toMatchObject({ edited: true });
    expect((await as(ada, "DELETE", `/api/forms/${form.id}`)).status).toBe(204);
    const after = (await as(ada, "GET", at(group, session))).body.groupSession;
    expect(after.attendances).toMatchObject([{ client: { name: "Gesa" } }]);
    expect(after.lockVersion).toBe(1);
  });

  test("is outside the service minutes of My Time, which has those of the leaders once", async () => {
    const lead = await makeLeader();
    const co = await makeLeader();
    const clients = await clientsNamed("Hanna", "Ilse");
    const group = await makeGroup([lead, co]);
    const session = await makeSession(group, [lead], ids(clients), {
      leadersAttributes: [
        { userId: lead.id, minutes: 100 },
        { userId: co.id, minutes: 80 },
      ],
    });
    const time = async (person: Person) => {
      const { days, ...sums } = (await as(person, "GET", `/api/reports/time?from=${DAY}&to=${DAY}`)).body;
      return { ...sums, codes: days.flatMap((day: { codes: unknown[] }) => day.codes) };
    };
    expect(await time(lead)).toMatchObject({ minutes: 0, otherMinutes: 0, sessionMinutes: 100, codes: [] });
    expect(await time(co)).toMatchObject({ minutes: 0, sessionMinutes: 80, codes: [] });
    // A service that is added by hand is the advocate's own time.
    const form = await formOf(session.attendances[0].formId, lead);
    const [row] = form.serviceEntry.serviceProvidedEntries;
    const code = await groupCode("COUNSEL-IND");
    const saved = await as(lead, "PUT", `/api/forms/${form.id}`, {
      form: {
        clientId: form.clientId,
        formTypeId: form.formTypeId,
        serviceOn: DAY,
        serviceStatus: "Served",
        verbalConfirmation: false,
        serviceEntryAttributes: {
          id: form.serviceEntry.id,
          serviceProvidedEntriesAttributes: [
            { id: row.id, serviceCodeId: row.serviceCode.id, minutes: 90 },
            { serviceCodeId: code, minutes: 20 },
          ],
        },
      },
    });
    expect(saved.status, JSON.stringify(saved.body)).toBe(200);
    expect(await time(lead)).toMatchObject({ minutes: 20, sessionMinutes: 100 });
    await rows(sql`DELETE FROM attendances WHERE group_session_id = ${session.id}`);
    await rows(sql`DELETE FROM group_sessions WHERE id = ${session.id}`);
    expect(await time(lead)).toMatchObject({ minutes: 20, sessionMinutes: 0 });
  });
});

describe("the history", () => {
  test("of a group and of a session names the people added and removed, and the user", async () => {
    const [one, two] = await clientsNamed("Jana", "Kaya");
    const group = await makeGroup([ada], { clientIds: [one?.id] });
    await as(ada, "PUT", `/api/groups/${group.id}`, { group: { clientIds: [two?.id], name: "Evening" } });
    const session = await makeSession(group, [ada], [one?.id ?? 0]);
    await as(ada, "PUT", at(group, session), { groupSession: { attendancesAttributes: [], unnamed: 1 } });
    const texts = async (url: string) =>
      (await as(ada, "GET", `${url}/history`)).body.events.flatMap(
        ({ changes }: { changes: object[] }) => changes,
      );
    expect(await texts(`/api/groups/${group.id}`)).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ label: "Roster", fromText: "", toText: "Jana" }),
        expect.objectContaining({ label: "Roster", fromText: "Jana", toText: "" }),
        expect.objectContaining({ label: "Roster", fromText: "", toText: "Kaya" }),
        expect.objectContaining({ label: "Name", fromText: "Tuesday evening", toText: "Evening" }),
      ]),
    );
    expect(await texts(at(group, session))).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ label: "Person", fromText: "", toText: "Jana" }),
        expect.objectContaining({ label: "Person", fromText: "Jana", toText: "" }),
      ]),
    );
  });

  test("records that a roster was shown, person by person", async () => {
    const [client] = await clientsNamed("Lena");
    const group = await makeGroup([ada], { clientIds: [client?.id] });
    await as(ada, "GET", `/api/groups/${group.id}`);
    const events = await rows<{ entity: string; action: string; shown: number[] | null }>(
      sql`SELECT entity, action, shown FROM audit_events WHERE user_id = ${ada.id} ORDER BY id DESC LIMIT 2`,
    );
    expect(events).toMatchObject([
      { entity: "client", action: "listed", shown: [client?.id] },
      { entity: "group", action: "viewed" },
    ]);
  });
});
