import { beforeAll, describe, expect, test } from "vitest";
import { db, rows } from "@/lib/core/database/client";
import { sql } from "@/lib/core/sql";
import { addDays, today } from "@/lib/core/text/format";
import { call } from "@/tests/call";
import { fullClient, fullForm, makeClient, makeForm, makeUser, type Person } from "@/tests/factories";

// Invalid input: each request gets a 4xx that names the field, and nothing is stored.

let ada: Person;
let clientUrl: string;
let formUrl: string;
let clientId: number;
let clientBody: Record<string, unknown>;
const formBodies: Record<string, Record<string, unknown>> = {};

beforeAll(async () => {
  ada = await makeUser(["forms", "clients", "all-forms"]);
  clientId = (await makeClient(ada)).id;
  clientUrl = `/api/clients/${clientId}`;
  formUrl = `/api/forms/${(await makeForm(ada, {}, clientId)).id}`;
  clientBody = await fullClient();
  for (const type of ["Phone", "On-Call Advocacy", "Legal Advocacy", "Service"] as const) {
    formBodies[type] = await fullForm(type, clientId);
  }
});

const storedRecords = () =>
  rows(sql`SELECT (SELECT json_agg(c ORDER BY id) FROM clients c) AS clients,
    (SELECT json_agg(f ORDER BY id) FROM forms f) AS forms,
    (SELECT count(*) FROM client_biographical_entries) + (SELECT count(*) FROM client_demographic_entries)
      + (SELECT count(*) FROM intake_forms) + (SELECT count(*) FROM service_entries) AS nested,
    (SELECT count(*) FROM idempotency_keys) AS keys`);

/** Returns a copy of `body` with `value` at `path`. */
function withValue(body: Record<string, unknown>, path: string, value: unknown): Record<string, unknown> {
  const copy = structuredClone(body);
  const keys = path.split(".");
  // biome-ignore lint/suspicious/noExplicitAny: walks any body
  const parent = keys.slice(0, -1).reduce((at: any, key) => at[key], copy);
  parent[keys.at(-1) as string] = value;
  return copy;
}

async function refuses(root: "client" | "form", body: Record<string, unknown>, field: string) {
  const before = await storedRecords();
  const urls = root === "client" ? ["/api/clients", clientUrl] : ["/api/forms", formUrl];
  for (const [method, url] of [
    ["POST", urls[0]],
    ["PUT", urls[1]],
  ] as const) {
    const answer = await call(
      ada.cookie,
      method,
      url as string,
      { [root]: body },
      { headers: { "idempotency-key": "bad" } },
    );
    expect([answer.status, Object.keys(answer.body.fields ?? {})], JSON.stringify(answer.body)).toEqual([
      422,
      [field],
    ]);
    expect([answer.body.error].flat()).toEqual(Object.values(answer.body.fields));
  }
  expect(await storedRecords()).toEqual(before);
}

const NUL = "a\u0000b";
const LONE_SURROGATE = "a\ud800b";
const TAB = "a\tb";
const LINE_BREAKS = ["a\nb", "a\u0085b", "a\u2028b"];
const CONTROL = "a\u001b[31mb";
const DIRECTION = ["Jane\u202ehtimS", "a\u2067b", "\u2066a\u2069 b"];
const BIO = "clientBiographicalEntryAttributes";
const DEMO = "clientDemographicEntryAttributes";

describe("saving a client answers 422 and names the field", () => {
  const cases: [string, unknown][] = [
    ...[undefined, null, "", "   ", 5, {}, [], true, NUL, LONE_SURROGATE, "x".repeat(256)].map(
      (value): [string, unknown] => ["name", value],
    ),
    ...[TAB, ...LINE_BREAKS, CONTROL, ...DIRECTION, "\u200b\u2060\ufeff", "\u200d"].map(
      (value): [string, unknown] => ["name", value],
    ),
    ...[TAB, ...LINE_BREAKS, CONTROL, ...DIRECTION].map((value): [string, unknown] => [`${BIO}.city`, value]),
    ...["yes", 1, null, {}].map((value): [string, unknown] => ["significantOther", value]),
    ["relationshipToSurvivor", NUL],
    ["relationshipToSurvivor", ["a"]],
    ["verbalConfirmation", "true"],
    ...[-1, 1.5, "0", 2 ** 31].map((value): [string, unknown] => ["lockVersion", value]),
    [BIO, "text"],
    [BIO, [{}]],
    [BIO, 7],
    ...[0, -1, 1.5, "1", "abc", 999_999, 2 ** 31, 2 ** 63, 1e300, {}, [1], true].map(
      (value): [string, unknown] => [`${BIO}.ageBracketId`, value],
    ),
    ...[
      "02/30/2026",
      "2026-02-30",
      "2025-02-29",
      "13/01/2020",
      "1899-12-31",
      "2999-01-01",
      "today",
      "20200101",
    ].map((value): [string, unknown] => [`${BIO}.dateOfBirth`, value]),
    ...[20200101, {}, true].map((value): [string, unknown] => [`${BIO}.dateOfBirth`, value]),
    ...["DC", "pa", "Pennsylvania", 1].map((value): [string, unknown] => [`${BIO}.state`, value]),
    [`${BIO}.city`, LONE_SURROGATE],
    [`${BIO}.address`, "x".repeat(256)],
    [`${BIO}.safeToCall`, "on"],
    [`${BIO}.id`, 1],
    [`${BIO}.id`, "1"],
    ...["male", "", 0].map((value): [string, unknown] => [`${DEMO}.gender`, value]),
    [`${DEMO}.ethnicityId`, 999_999],
    [`${DEMO}.disabilityDeaf`, 1],
  ];
  test.each(cases.map(([path, value]) => [path, describeValue(value), value] as const))(
    "for %s = %s",
    async (path, _, value) => {
      await refuses("client", withValue(clientBody, path, value), `client.${path}`);
    },
  );
});

describe("saving a form answers 422 and names the field", () => {
  const ROW = "serviceEntryAttributes.serviceProvidedEntriesAttributes.0";
  const PHONE = "intakeFormAttributes.phoneEntryAttributes";
  const LEGAL = "intakeFormAttributes.legalAdvocacyEntryAttributes";
  const SURVIVOR = "intakeFormAttributes.survivorEntryAttributes";
  const all = (type: string, path: string, values: unknown[]) =>
    values.map((value): [string, string, unknown] => [type, path, value]);
  const cases: [string, string, unknown][] = [
    ...all("Service", "clientId", [undefined, null, 0, -1, "1", 999_999, 2 ** 31, {}]),
    ...all("Service", "formTypeId", [undefined, null, 999_999, 2 ** 40]),
    ...all("Service", "canineId", [999_999, "None", 0]),
    ...all("Service", "serviceOn", [undefined, null, "", "02/30/2026", "2026-13-01", "2999-01-01", 5, []]),
    ...all("Service", "serviceStatus", [undefined, null, "served", "", 1]),
    ...all("Service", "verbalConfirmation", [undefined, null, "yes", 1]),
    ...all("Service", "lockVersion", [-1, "1", 2 ** 31]),
    ...all("Service", "intakeFormAttributes", ["text", [], 5]),
    ...all("Service", "intakeFormAttributes.referralSourceId", [999_999, "x"]),
    ...all("Service", "intakeFormAttributes.referralSourceName", [NUL, "x".repeat(256)]),
    ...all("Service", "serviceEntryAttributes.otherServiceMinutes", [-1, 1441, 1.5, "10", 2 ** 31]),
    ...all("Service", "serviceEntryAttributes.serviceProvidedEntriesAttributes", [{}, "text", 5]),
    ...all("Service", ROW, ["text", null, 5]),
    ...all("Service", `${ROW}.minutes`, [-1, 1441, 0.5, "10", 2 ** 31, 1e300, true]),
    ...all("Service", `${ROW}.serviceCodeId`, [undefined, 999_999, "1", null]),
    ...all("Service", `${ROW}.referrals`, [NUL, LONE_SURROGATE, "x".repeat(10_001)]),
    ...all("Service", `${ROW}.hotelShelterEntryAttributes`, ["x", []]),
    ...all("Service", "serviceStatusEntryAttributes", [{}, { other: false }, null, "x"]),
    ...all("Service", "serviceStatusEntryAttributes.other", ["yes"]),
    ...all("Phone", `${PHONE}.currentPfaOrder`, [undefined, null, "", "none", 1]),
    ...all("Phone", `${PHONE}.previousPfasDescription`, [NUL, "x".repeat(10_001)]),
    ...all("Phone", `${PHONE}.incomeAndEducationEntryAttributes.educationLevelId`, [999_999]),
    ...all("On-Call Advocacy", "intakeFormAttributes.onCallAdvocacyEntryAttributes.placeOfService", [
      null,
      "Home",
    ]),
    ...all("Legal Advocacy", `${LEGAL}.placeOfService`, [undefined, null, "", "X", "Magisterial Court"]),
    ...all("Legal Advocacy", `${LEGAL}.magisterialEntryAttributes.magisterialCourtOutcomeId`, [
      null,
      999_999,
    ]),
    ...all("Service", "serviceEntryAttributes.otherService", [TAB, ...LINE_BREAKS, CONTROL, ...DIRECTION]),
    ...all("Legal Advocacy", `${SURVIVOR}.offenderRelationshipId`, [undefined, null, "", 999_999]),
    ...all("Legal Advocacy", `${SURVIVOR}.numberOfChildren`, [-1, 100, 2.5, "2"]),
    ...all("Legal Advocacy", `${SURVIVOR}.secondaryVictimizationIds`, [5, "1", [999_999]]),
    ...all("Legal Advocacy", `${SURVIVOR}.brainInjuryEntryAttributes.emergencyVisitOn`, [
      "02/30/2026",
      "2999-01-01",
    ]),
  ];
  test.each(cases.map(([type, path, value]) => [path, describeValue(value), type, value] as const))(
    "for %s = %s",
    async (path, _, type, value) => {
      await refuses(
        "form",
        withValue(formBodies[type] as Record<string, unknown>, path, value),
        `form.${path}`,
      );
    },
  );

  test.each([
    ["M", "magisterialEntryAttributes", "magisterialCourtOutcomeId", "Outcome is required"],
    ["CT", "pfaCourtEntryAttributes", "pfaCourtContactTypeId", "Contact Type is required"],
  ] as const)("for place of service %s without its %s", async (place, entry, field, words) => {
    const legal = await fullForm("Legal Advocacy", clientId, place);
    const named = `form.${LEGAL}.${entry}.${field}`;
    await refuses("form", withValue(legal, `${LEGAL}.${entry}`, null), named);
    const answer = await call(ada.cookie, "POST", "/api/forms", {
      form: withValue(legal, `${LEGAL}.${entry}`, undefined),
    });
    expect(answer).toMatchObject({ status: 422, body: { error: [words], fields: { [named]: words } } });
  });

  test("for one invalid element in a list of ids, by its index", async () => {
    const path = `${SURVIVOR}.secondaryVictimizationIds`;
    await refuses("form", withValue(formBodies["Legal Advocacy"] ?? {}, path, [1, "2"]), `form.${path}.1`);
  });

  test("for an id of 0, which is below the lowest", async () => {
    const answer = await call(ada.cookie, "POST", "/api/forms", {
      form: withValue(formBodies.Service ?? {}, "canineId", 0),
    });
    expect(answer.body.fields).toEqual({ "form.canineId": "Canine Assistance must be 1 or more" });
  });

  test("for a reconciled value that is not a boolean", async () => {
    for (const reconciled of [undefined, null, "true", 1, {}]) {
      const answer = await call(ada.cookie, "POST", `${formUrl}/reconcile`, { reconciled });
      expect([answer.status, Object.keys(answer.body.fields)]).toEqual([422, ["reconciled"]]);
    }
  });
});

test.each(DIRECTION)("a text with direction characters inside is refused in words: %j", async (name) => {
  const { body } = await call(ada.cookie, "POST", "/api/clients", { client: { ...clientBody, name } });
  expect(body.fields).toEqual({ "client.name": expect.stringContaining("invisible direction characters") });
});

test("direction characters that only wrap a single-line text are removed", async () => {
  for (const [typed, stored] of [
    ["\u202aAna Ruiz\u202c", "Ana Ruiz"],
    ["\u2068 Ana Ruiz \u2069\u2069 ", "Ana Ruiz"],
    ["\u202eAna Ruiz", "Ana Ruiz"],
    ["\u200eAna\u200f So\u00adto\u061c", "Ana Soto"],
    ["\u2067\u{1F600}\u2069", "\u{1F600}"],
  ]) {
    const { body } = await call(ada.cookie, "POST", "/api/clients", {
      client: { ...clientBody, name: typed },
    });
    expect(body.client?.name, JSON.stringify(typed)).toBe(stored);
  }
  const onlyInvisible = await call(ada.cookie, "POST", "/api/clients", {
    client: { ...clientBody, name: "\u202a\u202c" },
  });
  expect(onlyInvisible.body.fields).toEqual({ "client.name": expect.stringContaining("required") });
});

test("single-line text is stored without invisible characters, and long text exactly as typed", async () => {
  const answer = await call(ada.cookie, "POST", "/api/clients", {
    client: withValue(
      { ...clientBody, name: "\t\ufeffMir\u200b\u2060za می\u200cخواهم\u200d\n" },
      `${BIO}.city`,
      `\u200b${"x".repeat(255)}`,
    ),
  });
  expect(answer).toMatchObject({
    status: 201,
    body: {
      client: { name: "Mirza می\u200cخواهم\u200d", clientBiographicalEntry: { city: "x".repeat(255) } },
    },
  });

  const referrals = "first\r\n\tsecond \u200b\u2067עברית\u2069";
  const form = await fullForm("Service", clientId);
  Object.assign(form.serviceEntryAttributes?.serviceProvidedEntriesAttributes[0] ?? {}, { referrals });
  const { body } = await call(ada.cookie, "POST", "/api/forms", { form });
  expect(body.form.serviceEntry.serviceProvidedEntries[0].referrals).toBe(referrals);
});

describe("a phone number", () => {
  const PHONE = `${BIO}.phoneNumber`;
  const create = (phoneNumber: string) =>
    call(ada.cookie, "POST", "/api/clients", { client: withValue({ ...clientBody }, PHONE, phoneNumber) });

  test.each([
    ["", ""],
    ["412.555.0100 ext. 22", "(412) 555-0100 x22"],
    ["+1 412 555 0100", "(412) 555-0100"],
    ["\u202a(412) 555-0100\u202c", "(412) 555-0100"],
    ["+44 20 7946 0958", "+44 20 7946 0958"],
    ["555-0123", "555-0123"],
    ["412-555-0100 x1234567", "412-555-0100 x1234567"],
    ["412-555-0100 or 412-555-0199", "412-555-0100 or 412-555-0199"],
    [`${"1".repeat(40)}`, "1".repeat(40)],
  ])("sent as %j is stored as %j", async (sent, stored) => {
    const { status, body } = await create(sent);
    expect([status, body.client.clientBiographicalEntry.phoneNumber]).toEqual([201, stored]);
  });

  test.each([
    ["none", "Phone Number must have at least one digit"],
    [" ", "Phone Number must have at least one digit"],
    ["1".repeat(41), "Phone Number must be at most 40 characters"],
    ["412\n555-0100", "Phone Number must not contain tabs, line breaks, or control characters"],
    ["412\u202e555-0100", "Phone Number must not contain invisible direction characters"],
  ])("sent as %j is refused", async (sent, problem) => {
    const { status, body } = await create(sent);
    expect([status, body.fields]).toEqual([422, { [`client.${PHONE}`]: problem }]);
  });

  test("stored in another format does not change when the client is saved without a change", async () => {
    const { client } = (await create("1")).body;
    await db().clientBiographicalEntry.updateMany({
      where: { clientId: client.id },
      data: { phoneNumber: "412.555.0100" },
    });
    const save = (phoneNumber: string) =>
      call(ada.cookie, "PUT", `/api/clients/${client.id}`, {
        client: withValue({ ...clientBody }, PHONE, phoneNumber),
      });
    const same = await save("412.555.0100");
    expect(same.body.client.clientBiographicalEntry.phoneNumber).toBe("412.555.0100");
    const other = await save("412.555.0101");
    expect(other.body.client.clientBiographicalEntry.phoneNumber).toBe("(412) 555-0101");
  });

  test.each(["none", "ask her sister", "412-555-0100, only after six in the evening, ask for Rosa"])(
    "stored as %j before the rule blocks no save, unless it is changed to another one that does not fit",
    async (old) => {
      const { client } = (await create("")).body;
      const where = { clientId: client.id };
      await db().clientBiographicalEntry.updateMany({ where, data: { phoneNumber: old } });
      const url = `/api/clients/${client.id}`;
      const put = (body: object) => call(ada.cookie, "PUT", url, { client: body });
      const read = (await call(ada.cookie, "GET", url)).body.client;
      const {
        clientBiographicalEntry: clientBiographicalEntryAttributes,
        clientDemographicEntry: _,
        ...rest
      } = read;
      const whole = await put({ ...rest, name: "Anna Q", clientBiographicalEntryAttributes });
      expect([whole.status, whole.body.client?.clientBiographicalEntry.phoneNumber]).toEqual([200, old]);
      expect((await put({ name: "Anna R" })).status).toBe(200);
      const changed = await put({
        name: "Anna S",
        clientBiographicalEntryAttributes: { ...clientBiographicalEntryAttributes, phoneNumber: "unknown" },
      });
      expect([changed.status, Object.keys(changed.body.fields)]).toEqual([422, [`client.${PHONE}`]]);
      const blanked = await put({
        name: "Anna R",
        clientBiographicalEntryAttributes: { ...clientBiographicalEntryAttributes, phoneNumber: "" },
      });
      expect(blanked.status).toBe(200);
      expect((await put({ name: "Anna S", clientBiographicalEntryAttributes })).status).toBe(422);
    },
  );
});

describe("a date", () => {
  const BORN = `${BIO}.dateOfBirth`;
  const create = (dateOfBirth: string) =>
    call(ada.cookie, "POST", "/api/clients", { client: withValue({ ...clientBody }, BORN, dateOfBirth) });

  test.each(["4/3/1990", "04-03-1990", "4 3 1990", "04031990", "1990-04-03"])(
    "sent as %j is April 3",
    async (sent) => {
      const { status, body } = await create(sent);
      expect([status, body.client.clientBiographicalEntry.dateOfBirth]).toEqual([201, "1990-04-03"]);
    },
  );

  test.each(["Nov 11, 2019 8:00 AM", "3/4/20 10:15", "3.4.1990", "4/3/90", "25/04/1990", "02/30/1990"])(
    "sent as %j is refused, with the order of a date",
    async (sent) => {
      const { status, body } = await create(sent);
      const problem = "Date of Birth must be a date. Month first, like 04/03/2026";
      expect([status, body.fields]).toEqual([422, { [`client.${BORN}`]: problem }]);
    },
  );

  test.each([
    [0, 201],
    [1, 201],
    [2, 422],
  ])("of birth %i days after today is answered with %i", async (days, status) => {
    expect((await create(addDays(today(), days))).status).toBe(status);
  });
});

describe("a request body", () => {
  const send = (raw: BodyInit, headers: Record<string, string> = {}) =>
    call(ada.cookie, "POST", "/api/clients", undefined, { raw, headers });
  const nested = (depth: number) => `${'{"client":'.repeat(depth)}1${"}".repeat(depth)}`;
  const bytes = (text: string) => Buffer.from(text, "latin1");

  test.each<[string, BodyInit, number]>([
    ["that is empty", "", 400],
    ["cut off in the middle", '{"client":', 400],
    ["that is not JSON", "name=Ada", 400],
    ["of invalid UTF-8", bytes('{"client":{"name":"\xc3\x28"}}'), 400],
    ["with a UTF-8 encoded surrogate", bytes('{"client":{"name":"\xed\xa0\x80"}}'), 400],
    ["nested 40 levels deep", nested(40), 400],
    ["nested 100,000 levels deep", nested(100_000), 413],
    ["of 20,000 nested lists", "[".repeat(20_000) + "]".repeat(20_000), 400],
    ["of 10 MB", JSON.stringify({ client: { name: "x".repeat(10 * 1024 * 1024) } }), 413],
    ["just over 1 MB", JSON.stringify({ client: { name: "x".repeat(1024 * 1024) } }), 413],
    ["that is null", "null", 422],
    ["that is a list", "[]", 422],
    ["that is a text", '"client"', 422],
    ["without an envelope", '{"name":"Ada"}', 422],
    ["whose envelope is null", '{"client":null}', 422],
    ["whose envelope is a list", '{"client":[]}', 422],
  ])("%s is refused and stores nothing", async (_, raw, status) => {
    const before = await storedRecords();
    const answer = await send(raw);
    expect(answer.status).toBe(status);
    expect([answer.body.error].flat().join("")).not.toBe("");
    expect(await storedRecords()).toEqual(before);
  });

  test("sent in chunks without end or content length is refused with 413 and not read further", async () => {
    let pulled = 0;
    const endless = new ReadableStream({
      pull(controller) {
        pulled += 1;
        controller.enqueue(new Uint8Array(64 * 1024).fill(32));
      },
    });
    const request = new Request("http://localhost:3000/api/clients", {
      method: "POST",
      headers: { cookie: ada.cookie, "content-type": "application/json" },
      body: endless,
      duplex: "half",
    } as RequestInit);
    const { POST } = await import("@/app/api/clients/route");
    expect((await POST(request)).status).toBe(413);
    expect(pulled).toBeLessThan(25);
  });

  test.each(["text/plain", "application/x-www-form-urlencoded", "multipart/form-data", "application/jsonp"])(
    "of type %s is refused with 415",
    async (type) => {
      expect((await send('{"client":{"name":"Ada"}}', { "content-type": type })).status).toBe(415);
    },
  );

  test.each(["[]", "null", '"text"', "5"])("%s is refused with a 422 that names the body", async (raw) => {
    const { status, body } = await send(raw);
    expect([status, Object.keys(body.fields)]).toEqual([422, ["body"]]);
    expect(body.error[0]).toMatch(/^Body /);
  });

  test("with __proto__ or constructor as keys pollutes no prototype", async () => {
    for (const raw of [
      '{"client":{"name":"Proto","__proto__":{"lockVersion":-1,"polluted":true}}}',
      '{"client":{"name":"Proto","constructor":{"prototype":{"polluted":true}}}}',
      `{"client":{"name":"Proto","${BIO}":{"__proto__":{"city":"Nowhere"}}}}`,
    ]) {
      const { status, body } = await send(raw);
      expect(status).toBe(201);
      expect(body.client.clientBiographicalEntry?.city ?? "").toBe("");
      expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
    }
    expect((await send('{"__proto__":{"client":{"name":"Proto"}}}')).status).toBe(422);
  });
});

describe("a list", () => {
  const queries: [string, string][] = [
    ...["0", "-1", "1.5", "abc", "1e3", "99999999999", "2147483648", ""].map((page): [string, string] => [
      `page=${page}`,
      "page",
    ]),
    ...["0", "101", "-5", "x"].map((size): [string, string] => [`perPage=${size}`, "perPage"]),
    ...["0", "-1", "x"].map((after): [string, string] => [`after=${after}`, "after"]),
    ["order=up", "order"],
    ["order=ASC", "order"],
    ["sort=unknown", "sort"],
    ["sort=id;drop table clients", "sort"],
    ["sort=__proto__", "sort"],
    ["sort=constructor", "sort"],
    ["search=%00", "search"],
    [`search=${"x".repeat(256)}`, "search"],
    ["filters[__proto__]=1", "filters"],
    ["filters[userId]=abc", "filters.userId"],
    ["filters.userId=1.5", "filters.userId"],
    ["filters[userId]=-1", "filters.userId"],
    ["filters[userId]=99999999999", "filters.userId"],
  ];
  const own: [string, string, string][] = [
    ["forms", "filters[formStatus]=checked", "filters.formStatus"],
    ["forms", "filters[formTypeId]=phone", "filters.formTypeId"],
    ["forms", "filters[clientId]=0", "filters.clientId"],
    ["forms", "filters[serviceStatus]=served", "filters.serviceStatus"],
    ["forms", "filters[from]=2026-02-30", "filters.from"],
    ["forms", "filters[from]=1899-12-31", "filters.from"],
    ["forms", "filters[to]=yesterday", "filters.to"],
    ["forms", "filters[from]=2026-03-02&filters[to]=03/01/2026", "filters.to"],
    ["forms", "sort=name", "sort"],
    ["clients", "sort=client", "sort"],
  ];
  const both = ["clients", "forms"].flatMap((list) =>
    queries.map(([query, field]): [string, string, string] => [list, query, field]),
  );
  test.each([...both, ...own])(
    "/api/%s?%s answers 422 and names the parameter %s",
    async (list, query, field) => {
      const { status, body } = await call(ada.cookie, "GET", `/api/${list}?${query}`);
      expect([status, Object.keys(body.fields ?? {})]).toEqual([422, [field]]);
    },
  );

  test.each(["search=%F0%9F%95%8A", "search=%ED%A0%80", "__proto__=1", "x=1"])(
    "with ?%s answers 200",
    async (query) => {
      for (const list of ["clients", "forms"]) {
        expect((await call(ada.cookie, "GET", `/api/${list}?${query}`)).status).toBe(200);
      }
    },
  );
});

describe("an id in a path", () => {
  test.each(["abc", "0", "-1", "1.5", "1e2", "2147483648", "99999999999999999999", "%00", "1%20", "null"])(
    "%s is refused with a 422 that names the id",
    async (id) => {
      for (const [method, url, body] of [
        ["GET", `/api/clients/${id}`, undefined],
        ["PUT", `/api/clients/${id}`, { client: clientBody }],
        ["DELETE", `/api/clients/${id}`, undefined],
        ["GET", `/api/forms/${id}`, undefined],
        ["PUT", `/api/forms/${id}`, { form: formBodies.Service }],
        ["POST", `/api/forms/${id}/reconcile`, { reconciled: true }],
        ["DELETE", `/api/forms/${id}`, undefined],
      ] as const) {
        const answer = await call(ada.cookie, method, url, body);
        expect([answer.status, Object.keys(answer.body.fields)]).toEqual([422, ["id"]]);
      }
    },
  );

  test("that matches no record answers 404", async () => {
    expect(await call(ada.cookie, "GET", "/api/clients/2147483647")).toMatchObject({ status: 404 });
    expect(await call(ada.cookie, "GET", "/api/forms/2147483647")).toMatchObject({ status: 404 });
  });
});

describe("a changing request with the headers", () => {
  const attempt = (headers: Record<string, string>) =>
    call(ada.cookie, "POST", "/api/clients", { client: { name: "Forged" } }, { headers });

  test.each<Record<string, string>>([
    { origin: "https://evil.example" },
    { origin: "null" },
    { "sec-fetch-site": "cross-site" },
    { "sec-fetch-site": "same-site" },
    { origin: "http://localhost:3000", "sec-fetch-site": "cross-site" },
  ])("%o from another site answers 403 and stores nothing", async (headers) => {
    const before = await storedRecords();
    expect((await attempt(headers)).status).toBe(403);
    expect(await storedRecords()).toEqual(before);
  });

  test.each<Record<string, string>>([
    {},
    { origin: "http://localhost:3000" },
    { "sec-fetch-site": "same-origin" },
  ])("%o from this site is accepted", async (headers) => {
    expect((await attempt(headers)).status).toBe(201);
  });
});

test("every response forbids caching and carries the request id", async () => {
  for (const [cookie, url] of [
    [ada.cookie, "/api/clients"],
    [ada.cookie, "/api/clients/abc"],
    [null, "/api/clients"],
  ] as const) {
    const { headers } = await call(cookie, "GET", url, undefined, { headers: { "x-request-id": "test-id" } });
    expect([headers.get("cache-control"), headers.get("x-request-id")]).toEqual(["no-store", "test-id"]);
  }
});

function describeValue(value: unknown): string {
  const text = JSON.stringify(value) ?? "undefined";
  return text.length > 40 ? `${text.slice(0, 40)}…` : text;
}

describe("the body of a request", () => {
  const post = (cookie: string | null, url: string, raw: string) =>
    call(cookie, "POST", url, undefined, { raw });
  const padded = (bytes: number, body: object) => JSON.stringify(body).padEnd(bytes);
  const login = { email: "nobody@example.org", password: "wrong" };
  const KB = 1024;

  test.each<[string, "POST" | "PUT", string, object]>([
    ["sign-in", "POST", "/api/login", login],
    ["a request for a reset link", "POST", "/api/forgot_password", { email: "nobody@example.org" }],
    ["a new password", "PUT", "/api/forgot_password", { token: "x", password: "x" }],
    ["an error of a browser", "POST", "/api/browser_errors", {}],
  ])("is limited to 16 KB for %s, with and without a session cookie", async (_, method, url, body) => {
    for (const cookie of [null, ada.cookie, "lanternbook.session=forged"]) {
      const raw = padded(16 * KB + 1, body);
      const large = await call(cookie, method, url, undefined, { raw });
      expect([large.status, large.body]).toEqual([
        413,
        { error: "The body is larger than 16 KB.", code: "too_large" },
      ]);
      const fitting = await call(cookie, method, url, undefined, { raw: padded(16 * KB, body) });
      expect(fitting.status).not.toBe(413);
    }
  });

  test("is limited to 16 KB for confirming the password", async () => {
    const large = await post(ada.cookie, "/api/session/proof", padded(16 * KB + 1, { password: "wrong" }));
    expect([large.status, large.body.code]).toEqual([413, "too_large"]);
  });

  test("is limited to 16 KB for the provider's back-channel logout", async () => {
    const answer = await call(null, "POST", "/api/oidc/backchannel_logout", undefined, {
      raw: `logout_token=x${"&a=b".repeat(5_000)}`,
      headers: { "content-type": "application/x-www-form-urlencoded" },
    });
    expect([answer.status, answer.body.code]).toEqual([413, "too_large"]);
  });

  test("is not read if the session or permission is missing", async () => {
    const raw = "not JSON";
    for (const cookie of [null, "lanternbook.session=forged"])
      expect((await post(cookie, "/api/clients", raw)).status).toBe(401);
    expect((await post(ada.cookie, "/api/canines", raw)).status).toBe(403);
  });

  const VALUES = 50_000;
  const list = (length: number) => `[${Array(length).fill("1").join()}]`;
  test.each<[string, string, number]>([
    ["a list of 50,000 values, itself included", list(VALUES - 1), 422],
    ["a list of one more", list(VALUES), 413],
    ["empty lists", `[${Array(VALUES).fill("[]").join()}]`, 413],
    ["empty lists with spaces in them", `[${Array(VALUES).fill("[ \n]").join()}]`, 413],
    ["pairs", `{${Array.from({ length: VALUES }, (_, at) => `"${at}":1`).join()}}`, 413],
    ["pairs with one key", `{${Array(VALUES).fill('"a":1').join()}}`, 413],
    ["brackets and commas in a string", JSON.stringify({ client: '[,{\\",'.repeat(20_000) }), 422],
    ["a string that never ends", `["${",[".repeat(VALUES)}`, 400],
    ["a string that ends with a backslash", `["${",[".repeat(VALUES)}\\`, 400],
    ["a number of 900,000 digits", "9".repeat(900_000), 422],
    ["a number beyond all bounds", '{"client":{"name":"x","lockVersion":1e999}}', 422],
  ])("is limited by its number of values before parsing: %s", async (_, raw, status) => {
    expect((await post(ada.cookie, "/api/clients", raw)).status).toBe(status);
  });

  test("uses the last value of a duplicate key", async () => {
    const raw = '{"client":{"name":"First"},"client":{"name":"First","name":"Second"}}';
    expect((await post(ada.cookie, "/api/clients", raw)).body.client.name).toBe("Second");
  });
});

test("after too many failed attempts, sign-in and password confirmation are refused before the body is read", async () => {
  const from = { "x-client-address": "203.0.113.77" };
  const subjects = await rows<{ subject: string }>(sql`SELECT subject FROM login_failures`);
  await call(null, "POST", "/api/login", { email: "a@example.org", password: "wrong" }, { headers: from });
  const added = (await rows<{ subject: string }>(sql`SELECT subject FROM login_failures`)).filter(
    ({ subject }) => !subjects.some((other) => other.subject === subject),
  );
  await rows(
    sql`INSERT INTO login_failures (subject) SELECT s FROM unnest(${added.map(({ subject }) => subject)}::text[]) s, generate_series(1, 50)`,
  );
  const guest = await call(null, "POST", "/api/login", undefined, { raw: "not JSON", headers: from });
  expect([guest.status, guest.headers.get("retry-after")]).toEqual([429, expect.stringMatching(/^\d+$/)]);

  const person = await makeUser();
  const tries = { headers: { "x-client-address": "203.0.113.78" } };
  for (let failure = 0; failure < 5; failure += 1)
    await call(person.cookie, "POST", "/api/session/proof", { password: "wrong" }, tries);
  const proof = await call(person.cookie, "POST", "/api/session/proof", undefined, {
    ...tries,
    raw: "not JSON",
  });
  expect(proof.status).toBe(429);
});
