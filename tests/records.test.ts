import readExcelFile from "read-excel-file/node";
import { beforeAll, describe, expect, test } from "vitest";
import { permissionKeys as ALL, type Permission } from "@/lib/core/access/permissions";
import { db } from "@/lib/core/database/client";
import { type FieldKind, fieldsOf } from "@/lib/core/fields/facts";
import { choice, record } from "@/lib/core/fields/vocabulary";
import { wirePath } from "@/lib/core/fields/wire";
import { isRecord } from "@/lib/core/objects";
import { itemName, listKey } from "@/lib/core/records/declaration";
import { addDays, date, today, yesNo } from "@/lib/core/text/format";
import type { RecordItem } from "@/lib/declared-records/api-schema";
import { recordReads } from "@/lib/declared-records/reads";
import { eventSchema, events } from "@/lib/events/record";
import { recordKeys } from "@/lib/records/registry";
import { runImports } from "@/lib/transfer/imports/run";
import { type Answer, actorFor, call } from "@/tests/call";
import { makeUser, type Person } from "@/tests/factories";
import { besidesFields, bodyOf, kindKeys, kinds, makeRecord, valuesFor } from "@/tests/records";
import { filesIn } from "@/tests/zip";

// The table of records: every kind does what its declaration says. Values come from the declaration (tests/records.ts).

let supervisor: Person;
let ada: Person;
let ben: Person;

beforeAll(async () => {
  supervisor = await makeUser(ALL);
  const own = ALL.filter((key): key is Permission => key !== "all-forms");
  ada = await makeUser(own);
  ben = await makeUser(own);
});

const NO_MINUTES = {
  codes: [],
  minutes: 0,
  otherMinutes: 0,
  contactMinutes: 0,
  activityMinutes: 0,
  sessionMinutes: 0,
  eventMinutes: 0,
};

const NUMBERS: ReadonlySet<FieldKind> = new Set(["minutes", "count", "whole"]);

/** Returns the record without the ids of its rows, which a copy has others of. */
const withoutRowIds = (record: RecordItem) =>
  Object.fromEntries(
    Object.entries(record).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.map(({ id: _, ...row }) => row) : value,
    ]),
  );

/** Returns a field of a record as a file has it. */
function cellOf(value: unknown): string {
  if (isRecord(value)) return String(value.name);
  if (typeof value === "boolean") return yesNo(value);
  return /^\d{4}-\d\d-\d\d$/.test(String(value)) ? date(String(value)) : String(value ?? "");
}

describe.each(kindKeys)("a record of %s", (key) => {
  const { entity, plural, schema, day, words, permission, columns, filters, searched, seenBy } = kinds[key];
  const url = `/api/${key}`;
  const fields = fieldsOf(schema);
  const required = fields.filter(({ name, facts }) => facts.required && name !== day);
  const post = (person: Person, values: object, headers?: Record<string, string>) =>
    call(person.cookie, "POST", url, bodyOf(key, values), headers ? { headers } : undefined);
  const put = (person: Person, id: number, values: object) =>
    call(person.cookie, "PUT", `${url}/${id}`, bodyOf(key, values));
  /** Returns what a change cannot omit: the shelter of a stay. */
  const least = ({ shelterId }: Record<string, unknown>) => (key === "stays" ? { shelterId } : {});
  const newValues = async (person: Person) => ({
    ...(await besidesFields(key, person)),
    ...(await valuesFor(key)),
  });
  /** Returns the values with another day, also in the record's other fields with days. */
  const on = (values: Record<string, unknown>, on: string | undefined) =>
    Object.fromEntries(
      Object.entries(values).map(([name, value]) => [
        name,
        fields.some((field) => field.name === name && field.facts.kind === "day") ? on : value,
      ]),
    );
  /** Returns the filter of a list that leaves the person's records, or those of a stay's client. */
  const whose = (person: Person, { clientId }: { clientId?: unknown }) =>
    seenBy === "client" ? `filters[clientId]=${clientId}` : `filters[userId]=${person.id}`;

  test("is created, read, changed, and removed by its owner", async () => {
    const values = await newValues(ada);
    const created = await post(ada, values);
    expect(created.status).toBe(201);
    const record = created.body[entity];
    expect(record).toMatchObject({ ...values, lockVersion: 0, userId: ada.id, user: { id: ada.id } });
    const other = await valuesFor(key, true);
    const changed = await put(ada, record.id, { ...other, lockVersion: 0 });
    expect(changed.body[entity]).toMatchObject({ ...other, id: record.id, lockVersion: 1 });
    expect((await call(ada.cookie, "GET", `${url}/${record.id}`)).body[entity]).toEqual(changed.body[entity]);
    expect((await call(ada.cookie, "DELETE", `${url}/${record.id}`)).status).toBe(204);
    expect((await call(ada.cookie, "GET", `${url}/${record.id}`)).status).toBe(404);
  });

  test("is today's without a day, and keeps the fields that a change omits", async () => {
    const values = on(await newValues(ada), undefined);
    const { body } = await post(ada, values);
    const { [day]: _, ...sent } = JSON.parse(JSON.stringify(values));
    expect(body[entity]).toMatchObject({ ...sent, [day]: today() });
    const unchanged = await put(ada, body[entity].id, least(sent));
    expect(unchanged.body[entity]).toEqual(body[entity]);
  });

  test.each(required.map(({ name }) => name))(
    "is refused without %s, with the field in the error",
    async (name) => {
      const { [name]: _, ...values }: Record<string, unknown> = await newValues(ada);
      const missing = await post(ada, values);
      expect(missing.status).toBe(422);
      const path = wirePath(schema, [name]);
      expect(Object.keys(missing.body.fields)).toEqual([`${entity}.${path}`]);
      const { id } = await makeRecord(ada, key);
      const blank = await put(ada, id, { [name]: null });
      expect(blank.status).toBe(422);
      expect(Object.keys(blank.body.fields)).toEqual([`${entity}.${path}`]);
    },
  );

  test("is refused for a record of a list that does not exist", async () => {
    for (const { name, facts } of fields.filter(({ facts }) => facts.kind === "lookup")) {
      const refused = await post(ada, { ...(await newValues(ada)), [name]: 999_999 });
      expect(refused.status, facts.label).toBe(422);
      expect(refused.body.fields[`${entity}.${name}`]).toContain("does not exist");
    }
  });

  test("is created once for an Idempotency-Key, which another body cannot use", async () => {
    const values = await newValues(ada);
    const headers = { "idempotency-key": `once ${key}` };
    const both = await Promise.all([post(ada, values, headers), post(ada, values, headers)]);
    const [first, second] = both.map(({ body }) => body[entity].id);
    expect(second).toBe(first);
    const other = await post(ada, { ...values, ...(await valuesFor(key, true)) }, headers);
    expect([other.status, Object.keys(other.body.fields)]).toEqual([422, ["Idempotency-Key"]]);
    await call(ada.cookie, "DELETE", `${url}/${first}`);
    expect((await post(ada, values, headers)).status).toBe(404);
  });

  test("is not overwritten by a save of an older version, whose error names the user who saved", async () => {
    const { id } = await makeRecord(ada, key);
    const other = await valuesFor(key, true);
    expect((await put(supervisor, id, { ...other, lockVersion: 0 })).status).toBe(200);
    const late = await put(ada, id, { ...(await valuesFor(key)), lockVersion: 0 });
    expect(late.status).toBe(409);
    expect(late.body).toMatchObject({
      code: "conflict_version",
      error: expect.stringContaining(supervisor.firstName),
    });
    expect((await call(ada.cookie, "GET", `${url}/${id}`)).body[entity]).toMatchObject(other);
  });

  test("has a history with who changed what, and one event for each act", async () => {
    const first = await makeRecord(ada, key);
    const { id, clientId } = first;
    const other = await valuesFor(key, true);
    await put(ada, id, other);
    await put(ada, id, least(other));
    const { body } = await call(ada.cookie, "GET", `${url}/${id}/history`);
    expect(body.events.map(({ action }: { action: string }) => action)).toEqual([
      "viewed",
      "updated",
      "created",
    ]);
    const [, updated] = body.events;
    const changed = fields.filter(({ name }) => name in other && other[name] !== first[name]);
    // A change of a row names the row's field, too.
    const paths: string[] = updated.changes.map(({ field }: { field: string }) => field);
    expect([...new Set(paths.map((path) => path.split(".").slice(0, 2).join(".")))]).toEqual(
      changed.map(({ name }) => `${entity}.${name}`),
    );
    for (const { name, facts } of changed.filter(({ facts }) => NUMBERS.has(facts.kind)))
      expect(updated.changes).toContainEqual(
        expect.objectContaining({
          field: `${entity}.${name}`,
          label: facts.label,
          from: first[name],
          to: other[name],
        }),
      );
    expect((await call(ada.cookie, "DELETE", `${url}/${id}`)).status).toBe(204);
    const events = await db().auditEvent.findMany({
      where: { entity, entityId: id, userId: ada.id },
      orderBy: { id: "asc" },
    });
    expect(events.map(({ action }) => action)).toEqual(["created", "updated", "viewed", "viewed", "removed"]);
    expect(events.map(({ clientId }) => clientId)).toEqual(events.map(() => clientId ?? null));
  });

  test(`is seen by ${seenBy === "owner" ? "its owner and holders of All Forms" : "all holders of its permission"}`, async () => {
    const record = await makeRecord(ada, key);
    const { id } = record;
    const status = seenBy === "owner" ? 404 : 200;
    expect((await call(ben.cookie, "GET", `${url}/${id}`)).status).toBe(status);
    expect((await put(ben, id, least(record))).status).toBe(status);
    expect((await call(ben.cookie, "GET", `${url}/${id}/history`)).status).toBe(status);
    const idsOf = async (person: Person) =>
      (await call(person.cookie, "GET", `${url}?perPage=100`)).body[listKey(key)].map(
        ({ id }: { id: number }) => id,
      );
    expect((await idsOf(ben)).includes(id)).toBe(seenBy !== "owner");
    expect(await idsOf(supervisor)).toContain(id);
    if (seenBy === "owner") {
      expect((await call(ben.cookie, "DELETE", `${url}/${id}`)).status).toBe(404);
      const refused = { action: "refused", entity, entityId: id, userId: ben.id } as const;
      expect(await db().auditEvent.count({ where: refused })).toBe(4);
    }
    const without = await makeUser(ALL.filter((held): held is Permission => held !== permission));
    for (const path of [url, `${url}/${id}`, `${url}/${id}/history`, `${url}.csv`])
      expect((await call(without.cookie, "GET", path)).status, path).toBe(403);
  });

  test("is saved with nothing but what it requires", async () => {
    const values: Record<string, unknown> = await newValues(ada);
    const least = Object.fromEntries(required.map(({ name }) => [name, values[name]]));
    const { status, body } = await post(ada, { ...(await besidesFields(key, ada)), ...least });
    expect(status, JSON.stringify(body)).toBe(201);
  });

  test("is in a list that sorts by every column, filters, and searches", async () => {
    const person = await makeUser(ALL.filter((held): held is Permission => held !== "all-forms"));
    const first = await makeRecord(person, key);
    const { clientId } = first;
    const client = clientId === undefined ? {} : { clientId };
    const second = await makeRecord(person, key, {
      ...(await valuesFor(key, true, person.id)),
      ...client,
    });
    const listed = async (query: string, reader = person) => {
      const { status, body } = await call(
        reader.cookie,
        "GET",
        `${url}?${query}&${whose(person, { clientId })}`,
      );
      expect(status, `${query} ${JSON.stringify(body)}`).toBe(200);
      return body[listKey(key)].map(({ id }: { id: number }) => id);
    };
    expect(await listed("")).toEqual([second.id, first.id]);
    expect(await listed("perPage=1&page=2")).toEqual([first.id]);
    expect(await listed("", supervisor)).toEqual([second.id, first.id]);
    expect(await listed("", ben)).toEqual(seenBy === "owner" ? [] : [second.id, first.id]);
    const placeOf = (record: RecordItem, name: string) => {
      const value = record[itemName(name)];
      return typeof value === "number" ? value : cellOf(value).toLowerCase();
    };
    for (const name of columns) {
      const places = [placeOf(first, name), placeOf(second, name)] as const;
      // A record of the table has two values for each column if the list it refers to has two records.
      expect(places[0], name).not.toBe(places[1]);
      const ordered = places[0] < places[1] ? [first.id, second.id] : [second.id, first.id];
      expect(await listed(`sort=${itemName(name)}&order=asc`), name).toEqual(ordered);
      expect(await listed(`sort=${itemName(name)}&order=desc`), name).toEqual(ordered.toReversed());
    }
    expect(await listed("sort=advocate&order=asc")).toHaveLength(2);
    expect(await listed("filters[from]=2026-02-04")).toEqual([second.id]);
    expect(await listed("filters[to]=2026-02-03")).toEqual([first.id]);
    expect(
      (await call(person.cookie, "GET", `${url}?filters[from]=2026-02-04&filters[to]=2026-02-03`)).status,
    ).toBe(422);
    expect((await call(person.cookie, "GET", `${url}?sort=nothing`)).status).toBe(422);
    for (const name of filters.filter((name) => first[name] !== null))
      expect(await listed(`filters[${name}]=${first[name]}`)).toEqual([first.id]);
    for (const name of searched)
      expect(
        await listed(`search=${encodeURIComponent(cellOf(first[itemName(name)]).slice(0, 5).toLowerCase())}`),
      ).toEqual([first.id]);
    expect(await listed("search=qqzzxx")).toEqual([]);
  });

  test("is in the archive of all data", async () => {
    const { id } = await makeRecord(supervisor, key);
    const { bytes } = await call(supervisor.cookie, "GET", "/api/archive.zip");
    const files = await filesIn(bytes);
    const [name = ""] = [...files.keys()].filter((name) => name.endsWith(`${plural}.csv`));
    expect(files.get(name)).toMatch(new RegExp(`\\n${id},`));
  });

  test("cannot be added, changed, or removed in a closed period", async () => {
    const values = await valuesFor(key);
    const { id } = await makeRecord(ada, key);
    const recent = await makeRecord(ada, key, on(values, addDays(today(), -1)));
    const sent = await newValues(ada);
    expect(
      (await call(supervisor.cookie, "PUT", "/api/closed_periods", { closedThrough: "2026-02-28" })).status,
    ).toBe(200);
    try {
      const refused = ({ status, body }: Answer) => {
        expect([status, body?.code]).toEqual([409, "period_closed"]);
        expect(body.error).toBe("February 2026 and earlier are closed");
      };
      refused(await post(ada, sent));
      refused(await put(ada, id, on(values, today())));
      refused(await put(ada, recent.id, values));
      refused(await call(ada.cookie, "DELETE", `${url}/${id}`));
      expect((await put(ada, recent.id, on(await valuesFor(key, true), today()))).status).toBe(200);
      expect((await post(ada, on(sent, addDays(today(), -1)))).status).toBe(201);
    } finally {
      await call(supervisor.cookie, "PUT", "/api/closed_periods", { closedThrough: null });
    }
    expect(words.title).not.toBe("");
  });

  test("keeps the lists that it refers to", async () => {
    const record = await makeRecord(ada, key, await valuesFor(key, true));
    for (const { name, facts } of fields)
      if (facts.kind === "lookup" && facts.entered) {
        const refused = await call(supervisor.cookie, "DELETE", `/api/${facts.list}/${record[name]}`);
        expect([refused.status, refused.body.code], name).toEqual([409, "conflict_in_use"]);
      }
  });
});

describe.each(recordKeys)("a declared record of %s", (key) => {
  const { columns, schema } = kinds[key];
  const fields = fieldsOf(schema);
  const url = `/api/${key}`;

  test("says at each text that no name belongs there, because a purge of a client does not reach it", () => {
    const texts = fields.filter(({ facts }) => facts.kind === "text" || facts.kind === "longText");
    for (const { facts } of texts) expect(facts.hint).toMatch(/^(?:Never|No) .*\bnames?\b/);
  });

  test("is in files with the columns of its screen and with all, and comes back from them", async () => {
    const person = await makeUser(ALL);
    const record = await makeRecord(person, key);
    const query = `filters[userId]=${person.id}`;
    const { body: csv } = await call(person.cookie, "GET", `${url}.csv?${query}`);
    const labels = columns.map((name) => fields.find((field) => field.name === name)?.facts.label);
    expect(csv.split("\r\n")[0]).toBe(["Id", ...labels, "Advocate Name"].join(","));
    const cells = columns.map((name) => {
      const facts = fields.find((field) => field.name === name)?.facts;
      const value = record[itemName(name)];
      const choice = facts?.kind === "choice" && facts.choices.find((choice) => choice.value === value);
      return choice ? choice.label : cellOf(value);
    });
    const line = [record.id, ...cells, `${person.firstName} ${person.lastName}`].join(",");
    expect(csv.trim().split("\r\n")).toEqual([expect.anything(), line]);
    const xlsx = await call(person.cookie, "GET", `${url}.xlsx?${query}`);
    expect((await readExcelFile(Buffer.from(xlsx.bytes)))[0]?.data).toHaveLength(2);
    const whole = await call(person.cookie, "GET", `${url}.csv?columns=all&${query}`);
    await call(person.cookie, "DELETE", `${url}/${record.id}`);
    const sent = {
      raw: new Uint8Array(whole.bytes),
      headers: { "content-type": "application/octet-stream" },
    };
    const upload = await call(person.cookie, "POST", `/api/imports?kind=${key}`, undefined, sent);
    expect(upload.status, JSON.stringify(upload.body)).toBe(201);
    const { id, matches } = upload.body.import;
    const start = { import: { dryRun: false, matches, ownerId: null } };
    expect((await call(person.cookie, "POST", `/api/imports/${id}/start`, start)).status).toBe(200);
    await runImports(new AbortController().signal);
    const { body } = await call(person.cookie, "GET", `${url}?${query}`);
    const { id: _, ...before } = withoutRowIds(record);
    expect(body[listKey(key)]).toMatchObject([before]);
  });
});

test("a list in the order of a number that may be missing has every record on one page", async () => {
  const columns = [...events.columns, "seriesPeople"] as const;
  const reads = recordReads({ ...events, columns });
  const owner = await makeUser(["events"]);
  for (const seriesPeople of [50, 60, 70]) {
    const { id: seriesId } = await makeRecord(owner, "events");
    await makeRecord(owner, "events", { seriesId, seriesPeople });
  }
  const query = { perPage: 2, search: "", sort: "seriesPeople", order: "asc" } as const;
  const filters = { userId: owner.id, from: null, to: null };
  const actor = await actorFor(owner);
  const ids: number[] = [];
  for (const page of [1, 2, 3]) {
    const { items } = await reads.list(actor, { ...query, page, after: ids.at(-1) ?? null, filters });
    ids.push(...items.value().map(({ id }) => id));
  }
  expect([ids.length, new Set(ids).size]).toEqual([6, 6]);
});

test("a list in the order of a choice has the order of the labels, which it shows", async () => {
  const audience = choice(
    [
      { value: "general", label: "The public" },
      { value: "professionals", label: "professionals" },
      { value: "youth", label: "Children" },
    ],
    "Audience",
  );
  const reads = recordReads({
    ...events,
    schema: record("Event", "events", { ...eventSchema.shape, audience }),
  });
  const owner = await makeUser(["events"]);
  for (const audience of ["general", "youth", "professionals"])
    await makeRecord(owner, "events", { audience });
  const query = { perPage: 2, search: "", sort: "audience", order: "asc" } as const;
  const filters = { userId: owner.id, from: null, to: null };
  const actor = await actorFor(owner);
  const first = (await reads.list(actor, { ...query, page: 1, after: null, filters })).items.value();
  const after = first.at(-1)?.id ?? null;
  const second = (await reads.list(actor, { ...query, page: 2, after, filters })).items.value();
  expect([...first, ...second].map((event) => event.audience)).toEqual(["youth", "professionals", "general"]);
});

test("the minutes of activities are in My Time, outside the service minutes", async () => {
  const person = await makeUser(["activities"]);
  await makeRecord(person, "activities", { minutes: 50 });
  await makeRecord(person, "activities", { minutes: 25 });
  const { status, body } = await call(
    person.cookie,
    "GET",
    "/api/reports/time?from=2026-02-01&to=2026-02-28",
  );
  expect(status).toBe(200);
  expect(body).toMatchObject({ minutes: 0, contactMinutes: 0, activityMinutes: 75, eventMinutes: 0 });
  expect(body.days).toEqual([{ ...NO_MINUTES, on: "2026-02-03", activityMinutes: 75 }]);
});

test("the minutes of events are in My Time of their staff, outside the service minutes", async () => {
  const recorder = await makeUser(["events"]);
  const colleague = await makeUser(["events"]);
  const staffOf = (...rows: [Person, number][]) => rows.map(([{ id }, minutes]) => ({ userId: id, minutes }));
  await makeRecord(recorder, "events", { staff: staffOf([colleague, 90]) });
  await makeRecord(recorder, "events", { staff: staffOf([colleague, 30], [recorder, 45]) });
  const minutesOf = async ({ cookie }: Person) =>
    (await call(cookie, "GET", "/api/reports/time?from=2026-02-01&to=2026-02-28")).body;
  expect((await minutesOf(colleague)).days).toEqual([{ ...NO_MINUTES, on: "2026-02-03", eventMinutes: 120 }]);
  expect(await minutesOf(recorder)).toMatchObject({ minutes: 0, activityMinutes: 0, eventMinutes: 45 });
});
