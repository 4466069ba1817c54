import readExcelFile from "read-excel-file/node";
import { beforeAll, describe, expect, test } from "vitest";
import { permissionKeys as ALL, type Permission } from "@/lib/core/access/permissions";
import { db } from "@/lib/core/database/client";
import { fieldsOf } from "@/lib/core/fields/facts";
import { addDays, today } from "@/lib/core/fields/format";
import { itemName, listKey } from "@/lib/core/records/declaration";
import { recordKeys, records } from "@/lib/records/registry";
import { runImports } from "@/lib/transfer/imports/run";
import { call } from "@/tests/call";
import { makeUser, type Person } from "@/tests/factories";
import { itemsOf, makeRecord, valuesFor } from "@/tests/records";
import { filesIn } from "@/tests/zip";

// Every declared record does what its declaration says. Values come from the declaration (tests/records.ts).

let supervisor: Person;
let ada: Person;
let ben: Person;

beforeAll(async () => {
  supervisor = await makeUser(ALL);
  const own = ALL.filter((key): key is Permission => key !== "all-forms");
  ada = await makeUser(own);
  ben = await makeUser(own);
});

describe.each(recordKeys)("a record of %s", (key) => {
  const { entity, plural, schema, day, words, permission, columns, filters, seenBy } = records[key];
  const url = `/api/${key}`;
  const fields = fieldsOf(schema);
  const required = fields.filter(({ name, facts }) => facts.required && name !== day);
  const post = (person: Person, values: object, headers?: Record<string, string>) =>
    call(person.cookie, "POST", url, { [entity]: values }, headers ? { headers } : undefined);
  const put = (person: Person, id: number, values: object) =>
    call(person.cookie, "PUT", `${url}/${id}`, { [entity]: values });

  test("is created, read, changed, and removed by its owner", async () => {
    const values = await valuesFor(key);
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
    const { [day]: _, ...values } = await valuesFor(key);
    const { body } = await post(ada, values);
    expect(body[entity]).toMatchObject({ ...values, [day]: today() });
    const unchanged = await put(ada, body[entity].id, {});
    expect(unchanged.body[entity]).toEqual(body[entity]);
  });

  test.each(required.map(({ name }) => name))(
    "is refused without %s, with the field in the error",
    async (name) => {
      const { [name]: _, ...values } = await valuesFor(key);
      const missing = await post(ada, values);
      expect(missing.status).toBe(422);
      expect(Object.keys(missing.body.fields)).toEqual([`${entity}.${name}`]);
      const { id } = await makeRecord(ada, key);
      const blank = await put(ada, id, { [name]: null });
      expect(blank.status).toBe(422);
      expect(Object.keys(blank.body.fields)).toEqual([`${entity}.${name}`]);
    },
  );

  test("is refused for a record of a list that does not exist", async () => {
    for (const { name, facts } of fields.filter(({ facts }) => facts.kind === "lookup")) {
      const refused = await post(ada, { ...(await valuesFor(key)), [name]: 999_999 });
      expect(refused.status, facts.label).toBe(422);
      expect(refused.body.fields[`${entity}.${name}`]).toContain("does not exist");
    }
  });

  test("is created once for an Idempotency-Key, which another body cannot use", async () => {
    const values = await valuesFor(key);
    const headers = { "idempotency-key": `once ${key}` };
    const both = await Promise.all([post(ada, values, headers), post(ada, values, headers)]);
    const [first, second] = both.map(({ body }) => body[entity].id);
    expect(second).toBe(first);
    expect((await post(ada, await valuesFor(key, true), headers)).status).toBe(422);
    await call(ada.cookie, "DELETE", `${url}/${first}`);
    expect((await post(ada, values, headers)).status).toBe(404);
  });

  test("is not overwritten by a save of an older version", async () => {
    const { id } = await makeRecord(ada, key);
    const other = await valuesFor(key, true);
    expect((await put(supervisor, id, { ...other, lockVersion: 0 })).status).toBe(200);
    const late = await put(ada, id, { ...(await valuesFor(key)), lockVersion: 0 });
    expect(late.status).toBe(409);
    expect(late.body).toMatchObject({ code: "conflict_version" });
    expect((await call(ada.cookie, "GET", `${url}/${id}`)).body[entity]).toMatchObject(other);
  });

  test("has a history with who changed what, and one event for each act", async () => {
    const { id } = await makeRecord(ada, key);
    await put(ada, id, await valuesFor(key, true));
    await put(ada, id, {});
    const { body } = await call(ada.cookie, "GET", `${url}/${id}/history`);
    expect(body.events.map(({ action }: { action: string }) => action)).toEqual([
      "viewed",
      "updated",
      "created",
    ]);
    const [, updated] = body.events;
    expect(updated.changes.map(({ field }: { field: string }) => field)).toEqual(
      fields.filter(({ facts }) => facts.kind !== "version").map(({ name }) => `${entity}.${name}`),
    );
  });

  test(`is seen by ${seenBy === "owner" ? "its owner and holders of All Forms" : "all holders of its permission"}`, async () => {
    const { id } = await makeRecord(ada, key);
    const status = seenBy === "owner" ? 404 : 200;
    expect((await call(ben.cookie, "GET", `${url}/${id}`)).status).toBe(status);
    expect((await put(ben, id, {})).status).toBe(status);
    expect((await call(ben.cookie, "GET", `${url}/${id}/history`)).status).toBe(status);
    const idsOf = async (person: Person) =>
      (await call(person.cookie, "GET", `${url}?perPage=100`)).body[listKey(key)].map(
        ({ id }: { id: number }) => id,
      );
    expect((await idsOf(ben)).includes(id)).toBe(seenBy === "all");
    expect(await idsOf(supervisor)).toContain(id);
    if (seenBy === "owner") {
      expect((await call(ben.cookie, "DELETE", `${url}/${id}`)).status).toBe(404);
      const refused = await db().auditEvent.findFirst({ where: { action: "refused", entity, entityId: id } });
      expect(refused?.userId).toBe(ben.id);
    }
    const without = await makeUser(ALL.filter((held): held is Permission => held !== permission));
    for (const path of [url, `${url}/${id}`, `${url}/${id}/history`, `${url}.csv`])
      expect((await call(without.cookie, "GET", path)).status, path).toBe(403);
  });

  test("is in a list that sorts by every column, filters, and searches", async () => {
    const person = await makeUser(ALL.filter((held): held is Permission => held !== "all-forms"));
    const first = await makeRecord(person, key);
    const second = await makeRecord(person, key, await valuesFor(key, true));
    const listed = async (query: string) => {
      const { status, body } = await call(
        person.cookie,
        "GET",
        `${url}?${query}&filters[userId]=${person.id}`,
      );
      expect(status, `${query} ${JSON.stringify(body)}`).toBe(200);
      return body[listKey(key)].map(({ id }: { id: number }) => id);
    };
    expect(await listed("")).toEqual([second.id, first.id]);
    for (const name of [...columns.map(itemName), "advocate"])
      for (const order of ["asc", "desc"])
        expect((await listed(`sort=${name}&order=${order}`)).toSorted()).toEqual(
          [first.id, second.id].toSorted(),
        );
    expect(await listed(`sort=${itemName(day)}&order=asc`)).toEqual([first.id, second.id]);
    expect(await listed("filters[from]=2026-02-04")).toEqual([second.id]);
    expect(await listed("filters[to]=2026-02-03")).toEqual([first.id]);
    expect(
      (await call(person.cookie, "GET", `${url}?filters[from]=2026-02-04&filters[to]=2026-02-03`)).status,
    ).toBe(422);
    expect((await call(person.cookie, "GET", `${url}?sort=nothing`)).status).toBe(422);
    for (const name of filters) {
      const values = await valuesFor(key);
      if (values[name] !== (await valuesFor(key, true))[name])
        expect(await listed(`filters[${name}]=${values[name]}`)).toEqual([first.id]);
    }
    for (const name of records[key].searched) {
      const item = first[itemName(name)] as { name: string } | string;
      expect(
        await listed(`search=${encodeURIComponent(typeof item === "string" ? item : item.name)}`),
      ).toContain(first.id);
    }
    expect(await listed("search=qqzzxx")).toEqual([]);
  });

  test("is in files with the columns of its screen and with all, and comes back from them", async () => {
    const person = await makeUser(ALL);
    const record = await makeRecord(person, key);
    const query = `filters[userId]=${person.id}`;
    const { body: csv } = await call(person.cookie, "GET", `${url}.csv?${query}`);
    const labels = columns.map((name) => fields.find((field) => field.name === name)?.facts.label);
    expect(csv.split("\r\n")[0]).toBe(["Id", ...labels, "Advocate Name"].join(","));
    expect(csv).toContain(`\r\n${record.id},02/03/2026,`);
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
    const { id: _, ...before } = record;
    expect(body[listKey(key)]).toMatchObject([before]);
  });

  test("is in the archive of all data", async () => {
    const { id } = await makeRecord(supervisor, key);
    const { bytes } = await call(supervisor.cookie, "GET", "/api/archive.zip");
    const files = await filesIn(bytes);
    const [name = ""] = [...files.keys()].filter((name) => name.endsWith(`${plural}.csv`));
    expect(files.get(name)).toMatch(new RegExp(`\\n${id},`));
  });

  test("cannot be added, changed, or removed in a closed period", async () => {
    const { id } = await makeRecord(ada, key);
    expect(
      (await call(supervisor.cookie, "PUT", "/api/closed_periods", { closedThrough: "2026-02-28" })).status,
    ).toBe(200);
    try {
      const values = await valuesFor(key);
      for (const refused of [
        await post(ada, values),
        await put(ada, id, { ...values, [day]: today() }),
        await call(ada.cookie, "DELETE", `${url}/${id}`),
      ])
        expect(refused).toMatchObject({ status: 409, body: { code: "period_closed" } });
      expect((await post(ada, { ...values, [day]: addDays(today(), -1) })).status).toBe(201);
    } finally {
      await call(supervisor.cookie, "PUT", "/api/closed_periods", { closedThrough: null });
    }
    expect(words.title).not.toBe("");
  });

  test("keeps the lists that it refers to", async () => {
    await makeRecord(ada, key);
    for (const { facts } of fields)
      if (facts.kind === "lookup") {
        const [used] = await itemsOf(facts.list);
        expect((await call(supervisor.cookie, "DELETE", `/api/${facts.list}/${used}`)).status).toBe(409);
      }
  });
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
  expect(body).toMatchObject({ minutes: 0, contactMinutes: 0, activityMinutes: 75 });
  expect(body.days).toEqual([
    { on: "2026-02-03", codes: [], minutes: 0, otherMinutes: 0, contactMinutes: 0, activityMinutes: 75 },
  ]);
});
