import pg from "pg";
import { afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { inTransaction, pool, rows } from "@/lib/core/database/client";
import { toWire } from "@/lib/core/fields/wire";
import { identifier, join, sql } from "@/lib/core/sql";
import { formSchema } from "@/lib/forms/schema";
import { call } from "@/tests/call";
import { formTypeId, fullClient, fullForm, makeClient, makeUser, type Person } from "@/tests/factories";
import { makeGate } from "@/tests/gate";
import { takeErrors } from "@/tests/setup/console";

// A save that fails halfway writes nothing. A trigger in this file's own database causes the failure.

let ada: Person;

beforeAll(async () => {
  ada = await makeUser();
  await rows(sql`CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN RAISE EXCEPTION 'the disk of this test is full'; END $$`);
});

/** Makes every write to `table` fail until the end of the test. */
const breakTable = (table: string) =>
  rows(
    sql`CREATE TRIGGER broken BEFORE INSERT OR UPDATE OR DELETE ON ${identifier(table)} FOR EACH ROW EXECUTE FUNCTION fail()`,
  );

afterEach(async () => {
  const broken = await rows<{ name: string }>(
    // The triggers of partitions are dropped with their parent's.
    sql`SELECT tgrelid::regclass::text AS name FROM pg_trigger WHERE tgname = 'broken' AND tgparentid = 0`,
  );
  for (const { name } of broken) await rows(sql`DROP TRIGGER broken ON ${identifier(name)}`);
});

const RECORD_TABLES = [
  "clients",
  "client_biographical_entries",
  "client_demographic_entries",
  "forms",
  "intake_forms",
  "phone_entries",
  "income_and_education_entries",
  "on_call_advocacy_entries",
  "legal_advocacy_entries",
  "pfa_court_entries",
  "magisterial_entries",
  "survivor_entries",
  "survivor_entry_secondary_victimizations",
  "brain_injury_entries",
  "offender_entries",
  "service_entries",
  "service_provided_entries",
  "videoconferencing_entries",
  "hotel_shelter_entries",
  "service_status_entries",
  "idempotency_keys",
  "audit_events",
];

/** Returns all stored rows, table by table. */
async function snapshot(): Promise<unknown> {
  const tables = RECORD_TABLES.map(
    (table) => sql`(SELECT json_agg(t ORDER BY t::text) FROM ${identifier(table)} t) AS ${identifier(table)}`,
  );
  return (await rows(sql`SELECT ${join(tables)}`))[0];
}

/** Makes the call, which must fail completely and without revealing the cause. */
async function fails(method: "POST" | "PUT" | "DELETE", url: string, body?: unknown) {
  const before = await snapshot();
  const answer = await call(ada.cookie, method, url, body, { headers: { "idempotency-key": "atomic" } });
  expect(answer).toMatchObject({ status: 500, body: { error: "Something went wrong" } });
  takeErrors();
  expect(await snapshot()).toEqual(before);
}

// Tables that a complete save writes last.
describe.each([
  "service_status_entries",
  "videoconferencing_entries",
  "audit_events",
  "brain_injury_entries",
])("when writing to %s fails", (table) => {
  test("creating a form writes nothing", async () => {
    const body = { form: await fullForm("Legal Advocacy", (await makeClient(ada)).id) };
    await breakTable(table);
    await fails("POST", "/api/forms", body);
  });

  test("updating a form writes nothing, and deleting it deletes nothing", async () => {
    const client = await makeClient(ada);
    const { body } = await call(ada.cookie, "POST", "/api/forms", {
      form: await fullForm("Legal Advocacy", client.id),
    });
    const form = body.form;
    const url = `/api/forms/${form.id}`;
    const emptied = { ...form, serviceStatus: "Served", intakeForm: null, serviceEntry: null };
    await breakTable(table);
    await fails("PUT", url, {
      form: { ...(toWire(formSchema, emptied) as object), formTypeId: await formTypeId("Service") },
    });
    await fails("DELETE", url);
  });
});

test("creating a client whose demographic entry cannot be written leaves no client behind", async () => {
  const client = await fullClient();
  await breakTable("client_demographic_entries");
  await fails("POST", "/api/clients", { client });
});

test("an Idempotency-Key whose creation failed is released, so that the same request can succeed later", async () => {
  const body = { form: await fullForm("Service", (await makeClient(ada)).id) };
  const send = () =>
    call(ada.cookie, "POST", "/api/forms", body, { headers: { "idempotency-key": "again" } });
  await breakTable("audit_events");
  expect((await send()).status).toBe(500);
  takeErrors();
  await rows(sql`DROP TRIGGER broken ON audit_events`);
  expect((await send()).status).toBe(201);
});

test("a complete form is created with seven statements and updated with six, however many rows it has, plus that of the session", async () => {
  const body = { form: await fullForm("Legal Advocacy", (await makeClient(ada)).id) };
  const query = vi.spyOn(pg.Client.prototype, "query");
  const statements = async (work: Promise<{ status: number }>) => {
    query.mockClear();
    expect((await work).status).toBeLessThan(300);
    return query.mock.calls.length;
  };
  const headers = { "idempotency-key": "counted", "draft-key": "new-1" };
  try {
    expect(await statements(call(ada.cookie, "POST", "/api/forms", body, { headers }))).toBe(8);
    const { body: creation } = await call(ada.cookie, "POST", "/api/forms", body, { headers });
    const put = (changes: object) => {
      const form = toWire(formSchema, { ...creation.form, lockVersion: undefined, ...changes });
      return statements(call(ada.cookie, "PUT", `/api/forms/${creation.form.id}`, { form }, { headers }));
    };
    expect(await put({ verbalConfirmation: !creation.form.verbalConfirmation })).toBe(7);
    const { serviceProvidedEntries: rows } = creation.form.serviceEntry;
    const withRows = (serviceProvidedEntries: object[]) =>
      put({ serviceEntry: { ...creation.form.serviceEntry, serviceProvidedEntries } });
    expect(await withRows([{ ...rows[0], id: undefined }, ...rows])).toBe(7);
    expect(await withRows(rows.slice(1).toReversed())).toBe(7);
    const emptied = { serviceEntry: null, intakeForm: null };
    expect(await put(emptied)).toBe(7);
    expect(await put({ ...emptied, clientId: (await makeClient(ada)).id })).toBeGreaterThan(7);
  } finally {
    query.mockRestore();
  }
});

test("a transaction whose BEGIN fails sends no change, only reads that would change nothing", async () => {
  const client = await pool().connect();
  const sent: string[] = [];
  vi.spyOn(client, "query").mockImplementation(((query: string | { text: string }) => {
    const text = typeof query === "string" ? query : query.text;
    sent.push(text);
    return text === "BEGIN" ? Promise.reject(new Error("no transaction")) : Promise.resolve({ rows: [] });
  }) as never);
  vi.spyOn(client, "release").mockImplementation(() => {});
  vi.spyOn(pool(), "connect").mockImplementation((() => Promise.resolve(client)) as never);
  const read = sql`SELECT id FROM forms WHERE id = ${1} FOR UPDATE`;
  const changes = [
    sql`UPDATE forms SET custom = ${"{}"}`,
    sql`WITH part0 AS (DELETE FROM forms) SELECT ${1}`,
  ];
  try {
    for (const change of changes) {
      await expect(inTransaction((query) => query(change))).rejects.toThrow("no transaction");
      await expect(inTransaction((query) => Promise.all([query(read), query(change)]))).rejects.toThrow();
    }
    await expect(inTransaction((query) => query(read))).rejects.toThrow("no transaction");
    expect(new Set(sent)).toEqual(new Set(["BEGIN", read.text, "ROLLBACK"]));
  } finally {
    vi.restoreAllMocks();
    client.release();
  }
});

test("a transaction refuses a change that comes after another one has failed", async () => {
  const failed = makeGate();
  let late: Promise<unknown> = Promise.resolve();
  const transaction = inTransaction((query) => {
    late = failed.opened.then(() => query(sql`UPDATE clients SET name = ${"Late"}`));
    return Promise.all([query(sql`UPDATE clients SET missing = ${1}`), late]);
  });
  await expect(transaction).rejects.toThrow("missing");
  failed.open();
  await expect(late).rejects.toThrow("The transaction has ended");
});

test("a read that is sent right after a change sees it, also while the transaction begins", async () => {
  const { id } = await makeClient(ada);
  const read = sql`SELECT name::text FROM clients WHERE id = ${id}`;
  const names = await inTransaction(async (query) => {
    const change = (name: string) => query(sql`UPDATE clients SET name = ${name} WHERE id = ${id}`);
    const [, first] = await Promise.all([change("First"), query<{ name: string }>(read)]);
    const [, second] = await Promise.all([change("Second"), query<{ name: string }>(read)]);
    return [...first, ...second].map(({ name }) => name);
  });
  expect(names).toEqual(["First", "Second"]);
});
