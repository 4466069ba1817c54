import { beforeAll, describe, expect, test } from "vitest";
import { loadHistory } from "@/lib/audit/history";
import { auditAll } from "@/lib/audit/record";
import type { HistoryEvent } from "@/lib/audit/schema";
import { readClientKey } from "@/lib/audit/values";
import { addressWords, sentence } from "@/lib/audit/words";
import { eventWords, recordOptions } from "@/lib/audit-log";
import { clientHistory } from "@/lib/clients/history";
import { db, queryIn } from "@/lib/core/database/client";
import { today } from "@/lib/core/text/format";
import { formHistory } from "@/lib/forms/history";
import { actorFor, call } from "@/tests/call";
import { fullClient, makeClient, makeForm, makeUser, minimalForm, type Person } from "@/tests/factories";

let ada: Person;
let ben: Person;
let auditor: Person;

beforeAll(async () => {
  ada = await makeUser();
  ben = await makeUser();
  auditor = await makeUser(["audit-log", "forms", "clients", "all-forms"]);
});

const events = async (query: string) =>
  (await call(auditor.cookie, "GET", `/api/audit_events?${query}`)).body;
const historyOf = async (person: Person, path: string) =>
  (await call(person.cookie, "GET", `/api/${path}/history`)).body;

describe("the audit log", () => {
  test.each([
    ["viewed", "client", 5, null, "Opened client 5"],
    ["listed", "form", null, 1, "Listed 1 form"],
    ["listed", "custodyStatus", null, 25, "Listed 25 custody statuses"],
    ["listed", "ethnicity", null, 0, "Listed 0 ethnicities"],
    ["searched", "client", null, 3, "Searched and found 3 clients"],
    ["exported", "form", null, 64, "Exported 64 forms"],
    ["exported", "stay", null, 499, "Exported 499 stays"],
    ["signed-out", "user", 5, null, "Signed out"],
    ["refused", "client", 5, null, "Was denied access to client 5"],
    ["refused", null, null, null, "Was denied access"],
  ] as const)("describes %s of %s %s with %s rows as: %s", (action, entity, entityId, rows, words) => {
    expect(sentence({ action, entity, entityId, rows })).toBe(words);
  });

  test.each([
    ["::1", "this server"],
    ["127.0.0.1", "this server"],
    ["::ffff:127.0.0.1", "this server"],
    ["192.0.2.7", "192.0.2.7"],
    ["2001:db8::1", "2001:db8::1"],
    [null, ""],
  ])("shows the address %s as: %s", (address, words) => {
    expect(addressWords(address)).toBe(words);
  });

  test.each([
    [
      ["client.name", "client.clientDemographicEntry.ethnicityId"],
      ["Client Name", "Client Demographics: Ethnicity"],
    ],
    [
      ["form.serviceEntry.serviceProvidedEntries.0.minutes", "form.serviceOn"],
      ["Services", "Service On"],
    ],
    [["ageBracket.rangeStart"], ["Range Start"]],
    [["user.sessions"], ["Sessions"]],
    [[], []],
  ])("names the fields %j as %j", (fields, labels) => {
    expect(eventWords.fieldLabels(fields)).toEqual(labels);
  });

  test("hides views if the filter asks for it, unless one kind of event is chosen", async () => {
    const client = await makeClient(ada);
    await call(ben.cookie, "GET", `/api/clients/${client.id}`);
    await call(ben.cookie, "POST", `/api/clients/${client.id}/printed`);
    const record = `filters[entity]=client&filters[entityId]=${client.id}`;
    const actions = async (query: string) =>
      (await events(`${record}${query}`)).auditEvents.map(({ action }: { action: string }) => action);
    expect(await actions("")).toEqual(["printed", "viewed", "created"]);
    expect(await actions("&filters[views]=true")).toEqual(["printed", "viewed", "created"]);
    expect(await actions("&filters[views]=false")).toEqual(["created"]);
    expect(await actions("&filters[views]=false&filters[action]=viewed")).toEqual(["viewed"]);
  });

  test("returns the newest first, filtered by person, record, kind and day", async () => {
    const client = await makeClient(ada);
    await call(ben.cookie, "GET", `/api/clients/${client.id}`);
    await call(ben.cookie, "POST", `/api/clients/${client.id}/printed`);
    const record = `filters[entity]=client&filters[entityId]=${client.id}`;
    const { auditEvents, meta } = await events(record);
    expect(auditEvents.map((event: { action: string }) => event.action)).toEqual([
      "printed",
      "viewed",
      "created",
    ]);
    expect(auditEvents[1]).toMatchObject({
      userId: ben.id,
      userName: `${ben.firstName} ${ben.lastName}`,
      entity: "client",
      entityId: client.id,
      fields: [],
      shown: null,
    });
    expect(auditEvents[2].fields).toEqual(["client.name"]);
    expect(meta).toMatchObject({ totalCount: 3, totalCountIsExact: true, page: 1 });

    const count = async (query: string) => (await events(`${record}&${query}`)).meta.totalCount;
    expect(await count(`filters[userId]=${ada.id}`)).toBe(1);
    expect(await count("filters[action]=viewed")).toBe(1);
    expect(await count(`filters[from]=${today()}&filters[to]=${today()}`)).toBe(3);
    expect(await count("filters[to]=2020-01-01")).toBe(0);
    expect(await count(`search=${ben.lastName.toUpperCase()}`)).toBe(2);
  });

  test("finds every list, search and file that showed a record, in addition to changes to it", async () => {
    const exporter = await makeUser(["clients", "export"]);
    const client = await makeClient(ada, { name: "Zenobia Shown" });
    await call(ben.cookie, "GET", "/api/clients?perPage=100&sort=createdOn&order=desc");
    await call(ben.cookie, "GET", "/api/clients?search=zenobia");
    await call(exporter.cookie, "GET", "/api/clients.csv");
    await call(ben.cookie, "GET", `/api/clients/${client.id}`);
    const record = `filters[entity]=client&filters[entityId]=${client.id}`;
    const all = (await events(record)).auditEvents;
    const acts = all.map(({ action, userId }: { action: string; userId: number }) => [action, userId]);
    expect(acts).toEqual([
      ["viewed", ben.id],
      ["exported", exporter.id],
      ["searched", ben.id],
      ["listed", ben.id],
      ["created", ada.id],
    ]);
    for (const { shown } of all.slice(1, 4)) expect(shown).toContain(client.id);
    // Without views, only exports remain among the events that showed the record.
    const changes = (await events(`${record}&filters[views]=false`)).auditEvents;
    expect(changes.map(({ action }: { action: string }) => action)).toEqual(["exported", "created"]);
    const showing = await db().auditEvent.findMany({
      distinct: ["action"],
      where: { NOT: { shown: { equals: null } } },
    });
    expect(showing.map(({ action }) => action).sort()).toEqual(["exported", "listed", "searched"]);
    for (const action of ["exported", "searched", "listed"])
      expect((await events(`${record}&filters[action]=${action}`)).meta.totalCount, action).toBe(1);
    expect(
      (await events(`filters[entity]=form&filters[entityId]=${client.id}&filters[action]=exported`)).meta
        .totalCount,
    ).toBe(0);
  });

  test("offers in its filter every record kind that has an event", async () => {
    const events = await db().auditEvent.findMany({
      distinct: ["entity"],
      where: { action: { not: "refused" } },
    });
    const offered = recordOptions.map(({ value }) => value);
    expect(offered).toEqual(expect.arrayContaining(events.flatMap(({ entity }) => entity ?? [])));
    expect(offered).toEqual(
      expect.arrayContaining(["submission", "apiToken", "import", "canine", "auditMonth"]),
    );
  });

  test("has pages that do not overlap, even for events at the same moment", async () => {
    await db().$executeRaw`INSERT INTO audit_events (user_id, user_name, action, entity)
      SELECT ${ada.id}, 'Same Moment', 'viewed', 'canine' FROM generate_series(1, 25)`;
    const ids: number[] = [];
    for (const page of [1, 2, 3])
      ids.push(
        ...(await events(`search=same%20moment&perPage=10&page=${page}`)).auditEvents.map(
          ({ id }: { id: number }) => id,
        ),
      );
    expect(ids).toEqual([...new Set(ids)].sort((a, b) => b - a));
    expect(ids.length).toBe(25);
  });

  test.each([
    ["filters[action]=eaten", "filters.action"],
    ["filters[entityId]=x", "filters.entityId"],
    ["filters[views]=maybe", "filters.views"],
    ["filters[from]=2026-02-30", "filters.from"],
    ["sort=userName", "sort"],
  ])("refuses %s and names it", async (query, name) => {
    const { status, body } = await call(auditor.cookie, "GET", `/api/audit_events?${query}`);
    expect([status, Object.keys(body.fields)]).toEqual([422, [name]]);
  });
});

describe("the history of a client", () => {
  test("shows what changed, with field labels and both values, to users who may read them", async () => {
    const client = await makeClient(ada, await fullClient());
    await call(ada.cookie, "PUT", `/api/clients/${client.id}`, {
      client: { name: "Renamed", clientDemographicEntryAttributes: { gender: "Female", military: true } },
    });
    const { events } = await historyOf(auditor, `clients/${client.id}`);
    expect(events.map((event: { action: string }) => event.action)).toEqual(["updated", "created"]);
    const [{ changes, userId }] = events;
    expect(userId).toBe(ada.id);
    expect(changes).toContainEqual({
      field: "client.name",
      label: "Client Name",
      from: client.name,
      to: "Renamed",
      fromText: client.name,
      toText: "Renamed",
    });
    const ethnicity = changes.find(
      ({ field }: { field: string }) => field === "client.clientDemographicEntry.ethnicityId",
    );
    expect(ethnicity).toMatchObject({
      label: "Client Demographics › Ethnicity",
      fromText: "Other",
      toText: "",
    });

    const clientHistory = await historyOf(ben, `clients/${client.id}`);
    expect(clientHistory.events.length).toBe(2);
    for (const { changes } of clientHistory.events)
      for (const change of changes)
        expect(change).toMatchObject({ from: null, to: null, fromText: null, toText: null });
    expect(clientHistory.events[0].changes.map(({ field }: { field: string }) => field)).toContain(
      "client.name",
    );
  });

  test("shows events that were recorded together, also if the first one has no changes", async () => {
    const client = await makeClient(ada);
    const actor = await actorFor(ada);
    const act = { entity: "client", entityId: client.id, clientId: client.id } as const;
    const changes = [{ field: "client.name", from: "Former", to: "Later" }];
    await db().$transaction(async (tx) => {
      const clientKey = await readClientKey(queryIn(tx), client.id);
      await auditAll(queryIn(tx), actor, [
        { ...act, action: "viewed" },
        { ...act, action: "updated", changes, clientKey },
      ]);
    });
    const { events } = await historyOf(auditor, `clients/${client.id}`);
    expect(events[0].changes).toMatchObject([{ fromText: "Former", toText: "Later" }]);
  });

  test("shows who viewed, printed or read the history of the client only to holders of Audit Log", async () => {
    const client = await makeClient(ada);
    await call(ben.cookie, "GET", `/api/clients/${client.id}`);
    await call(ben.cookie, "POST", `/api/clients/${client.id}/printed`);
    const actions = async (person: Person) =>
      (await historyOf(person, `clients/${client.id}`)).events.map(
        ({ action }: { action: string }) => action,
      );
    expect(await actions(ada)).toEqual(["created"]);
    expect(await actions(auditor)).toEqual(["viewed", "printed", "viewed", "created"]);
  });

  test("hides views if the filter asks for it", async () => {
    const client = await makeClient(ada);
    await call(ben.cookie, "GET", `/api/clients/${client.id}`);
    const url = `/api/clients/${client.id}/history?filters[views]`;
    const { body } = await call(auditor.cookie, "GET", `${url}=false`);
    expect(body.events.map(({ action }: { action: string }) => action)).toEqual(["created"]);
    expect((await call(auditor.cookie, "GET", `${url}=maybe`)).status).toBe(422);
  });

  test("shows which lists and files included the client only to holders of Audit Log", async () => {
    const client = await makeClient(ada, { name: "Xanthippe Listed" });
    await call(ben.cookie, "GET", "/api/clients?search=xanthippe");
    await call((await makeUser(["clients", "export"])).cookie, "GET", "/api/clients.csv?search=xanthippe");
    const actions = async (person: Person) =>
      (await historyOf(person, `clients/${client.id}`)).events.map(
        ({ action }: { action: string }) => action,
      );
    expect(await actions(ada)).toEqual(["created"]);
    expect(await actions(auditor)).toEqual(["viewed", "exported", "searched", "created"]);
  });

  test("without its key keeps the names of the changed fields but not the values", async () => {
    const client = await makeClient(ada, { name: "Forgotten" });
    await db().clientKey.deleteMany({ where: { clientId: client.id } });
    const { events } = await historyOf(auditor, `clients/${client.id}`);
    expect(events[0].changes).toEqual([
      {
        field: "client.name",
        label: "Client Name",
        from: null,
        to: null,
        fromText: null,
        toText: null,
      },
    ]);
  });
});

describe("the history of a form", () => {
  test("is available to everyone who may see the form, including its values", async () => {
    const form = await makeForm(ada);
    await call(ada.cookie, "PUT", `/api/forms/${form.id}`, { form: { ...form, serviceOn: "2026-03-05" } });
    const { events } = await historyOf(ada, `forms/${form.id}`);
    expect(events[0].changes).toEqual([
      {
        field: "form.serviceOn",
        label: "Service On",
        from: "2026-03-04",
        to: "2026-03-05",
        fromText: "03/04/2026",
        toText: "03/05/2026",
      },
    ]);
    expect((await call(ben.cookie, "GET", `/api/forms/${form.id}/history`)).status).toBe(404);
    expect((await call(ben.cookie, "POST", `/api/forms/${form.id}/printed`)).status).toBe(404);
  });

  test("labels a changed service row by its code, and names its section once", async () => {
    const [hotel] = await db().serviceCode.findMany({ where: { code: "HOTEL" } });
    const code = hotel ?? (await db().serviceCode.findFirstOrThrow());
    const form = await makeForm(ada);
    const save = async (rows: object[]) => {
      const { body } = await call(ada.cookie, "GET", `/api/forms/${form.id}`);
      const { status } = await call(ada.cookie, "PUT", `/api/forms/${form.id}`, {
        form: {
          ...form,
          lockVersion: body.form.lockVersion,
          serviceEntryAttributes: { serviceProvidedEntriesAttributes: rows },
        },
      });
      expect(status).toBe(200);
    };
    await save([{ serviceCodeId: code.id, minutes: 30 }]);
    const { body } = await call(ada.cookie, "GET", `/api/forms/${form.id}`);
    const [{ id }] = body.form.serviceEntry.serviceProvidedEntries;
    await save([{ id, minutes: 45 }]);
    const { events } = await historyOf(ada, `forms/${form.id}`);
    expect(events[0].changes).toMatchObject([
      { label: `Services › ${code.code} › Minutes`, fromText: "30", toText: "45" },
    ]);
    const shown = await loadHistory(await actorFor(ada), formHistory, form.id, { filters: { views: false } });
    expect(shown.events.slice(0, 2).map(({ changes }) => changes.map(({ text }) => text))).toEqual([
      [`${code.code}: 30\u00a0min → 45\u00a0min`],
      expect.arrayContaining([`Added ${code.code}, 30\u00a0min`]),
    ]);
  });

  test("needs more than the Audit Log permission", async () => {
    const form = await makeForm(ada);
    const other = await makeUser(["audit-log", "all-forms"]);
    for (const path of [`forms/${form.id}`, `clients/${form.clientId}`])
      expect((await call(other.cookie, "GET", `/api/${path}/history`)).status).toBe(403);
  });
});

describe("a page of a history", () => {
  const put = (id: number, form: object) => call(ada.cookie, "PUT", `/api/forms/${id}`, { form });
  /** Returns the ids on each page, until none is cut. */
  async function pages(person: Person, path: string): Promise<number[][]> {
    const found: number[][] = [];
    for (let before: number | undefined; ; before = found.at(-1)?.at(-1)) {
      const { status, body } = await call(
        person.cookie,
        "GET",
        `/api/${path}/history${before ? `?before=${before}` : ""}`,
      );
      expect(status).toBe(200);
      found.push(body.events.map(({ id }: { id: number }) => id));
      if (!body.truncated) return found;
    }
  }

  test("ends after 200 events, and the next ones begin after its last", async () => {
    const form = await makeForm(ada);
    await db().$executeRaw`INSERT INTO audit_events (user_id, user_name, action, entity, entity_id)
      SELECT ${ada.id}, 'Ada', 'reconciled', 'form', ${form.id} FROM generate_series(1, 450)`;
    const found = await pages(ada, `forms/${form.id}`);
    expect(found.map((ids) => ids.length)).toEqual([200, 200, 51]);
    expect(new Set(found.flat()).size).toBe(451);
  });

  test("ends early for long values, and is never empty", async () => {
    const form = await makeForm(ada);
    const codes = await db().serviceCode.findMany({
      where: { formTypes: { some: { formType: { name: "Service" } } } },
    });
    const body = (letter: string) => ({
      ...minimalForm(form.clientId, form.formTypeId),
      serviceEntryAttributes: {
        serviceProvidedEntriesAttributes: codes.flatMap(({ id }) =>
          [1, 2, 3].map((minutes) => ({ serviceCodeId: id, minutes, referrals: letter.repeat(9_000) })),
        ),
      },
    });
    for (const letter of "abcdefg") expect((await put(form.id, body(letter))).status).toBe(200);
    const found = await pages(ada, `forms/${form.id}`);
    expect(found.flat()).toHaveLength(8);
    expect(found.length).toBeGreaterThan(1);
    expect(Math.min(...found.map((ids) => ids.length))).toBeGreaterThan(0);
  });

  test("skips no event where lists that showed the record end earlier than its own events", async () => {
    const form = await makeForm(ada);
    await db().$executeRaw`INSERT INTO audit_events (at, user_id, user_name, action, entity, shown)
      SELECT now() + n * interval '1 second', ${ada.id}, 'Ada', 'listed', 'form', ARRAY[${form.id}::int] FROM generate_series(1, 250) n`;
    await db().$executeRaw`INSERT INTO audit_events (at, user_id, user_name, action, entity, entity_id)
      SELECT now() + n * interval '2 seconds', ${ada.id}, 'Ada', 'reconciled', 'form', ${form.id} FROM generate_series(1, 100) n`;
    const found = (await pages(auditor, `forms/${form.id}`)).flat();
    // The created form and the reads of the pages that are older than the next page.
    expect(found.length).toBeGreaterThanOrEqual(351);
    expect(new Set(found).size).toBe(found.length);
  });

  test("says on the screen that there are older events", async () => {
    const form = await makeForm(ada);
    await db().$executeRaw`INSERT INTO audit_events (user_id, user_name, action, entity, entity_id)
      SELECT ${ada.id}, 'Ada', 'reconciled', 'form', ${form.id} FROM generate_series(1, 201)`;
    const shown = await loadHistory(await actorFor(ada), formHistory, form.id, { filters: { views: false } });
    expect(shown.truncated).toBe(true);
    const before = shown.events.at(-1)?.id ?? 0;
    const older = await loadHistory(await actorFor(ada), formHistory, form.id, {
      before,
      filters: { views: false },
    });
    expect([older.truncated, older.events.map(({ action }) => action)]).toEqual([
      false,
      ["reconciled", "created"],
    ]);
  });
});

describe("phone numbers in the history of a client", () => {
  const PHONE = "client.clientBiographicalEntry.phoneNumber";
  const MASK = "(•••) •••-••••";

  test("are masked until they are requested, which is recorded as revealed", async () => {
    const client = await makeClient(ada, {
      clientBiographicalEntryAttributes: { phoneNumber: "(814) 555-0111", city: "Erie" },
    });
    await call(ada.cookie, "PUT", `/api/clients/${client.id}`, {
      client: {
        name: client.name,
        clientBiographicalEntryAttributes: { phoneNumber: "(814) 555-0222", city: "Erie" },
      },
    });
    const read = async (query: string) =>
      (await call(auditor.cookie, "GET", `/api/clients/${client.id}/history${query}`)).body;
    const texts = ({ events }: { events: HistoryEvent[] }) =>
      events.flatMap(({ changes }) =>
        changes.flatMap(({ field, from, to, fromText, toText }) =>
          field === PHONE ? [[from, to, fromText, toText]] : [],
        ),
      );
    const masked = await read("");
    expect(JSON.stringify(masked)).not.toContain("555-0");
    expect(texts(masked)).toEqual([
      [MASK, MASK, MASK, MASK],
      [null, MASK, "", MASK],
    ]);
    expect(JSON.stringify(masked)).toContain("Erie");
    const revealed = { action: "revealed", entityId: client.id, userId: auditor.id };
    expect(await db().auditEvent.count({ where: revealed })).toBe(0);
    expect(texts(await read("?numbers=true"))).toEqual([
      ["(814) 555-0111", "(814) 555-0222", "(814) 555-0111", "(814) 555-0222"],
      [null, "(814) 555-0111", "", "(814) 555-0111"],
    ]);
    expect(await db().auditEvent.count({ where: revealed })).toBe(1);
  });

  test("are masked in the sentences of the screen, whatever its address asks", async () => {
    const client = await makeClient(ada, {
      clientBiographicalEntryAttributes: { phoneNumber: "(814) 555-0111" },
    });
    const query = { filters: { views: false }, numbers: true };
    const shown = await loadHistory(await actorFor(auditor), clientHistory, client.id, query);
    expect(shown.hasNumbers).toBe(true);
    expect(JSON.stringify(shown)).not.toContain("555-0111");
    expect(shown.events[0]?.changes).toContainEqual(
      expect.objectContaining({ isPhone: true, text: `Phone Number: ${MASK}` }),
    );
  });
});
