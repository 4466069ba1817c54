import { beforeAll, describe, expect, test } from "vitest";
import { db, rows } from "@/lib/core/database/client";
import { identifier, sql } from "@/lib/core/sql";
import { addDays, today } from "@/lib/core/text/format";
import { runBlockedBy } from "@/tests/blocked";
import { call } from "@/tests/call";
import { formTypeId, makeClient, makeForm, makeUser, minimalForm, type Person } from "@/tests/factories";

// Contacts: what differs from other records, closed periods, and the link to a form. tests/records.test.ts has the rest.

let ada: Person;
let ben: Person;
let supervisor: Person;
let hotline: number;
let walkIn: number;

beforeAll(async () => {
  ada = await makeUser(["contacts", "forms", "clients"]);
  ben = await makeUser(["contacts", "forms", "clients"]);
  supervisor = await makeUser(["contacts", "forms", "clients", "all-forms", "close-periods", "export"]);
  hotline = (await db().contactKind.findUniqueOrThrow({ where: { name: "Hotline call" } })).id;
  walkIn = (await db().contactKind.findUniqueOrThrow({ where: { name: "Walk-in" } })).id;
});

const create = (owner: Person, contact: object = {}, headers: Record<string, string> = {}) =>
  call(
    owner.cookie,
    "POST",
    "/api/contacts",
    { contact: { contactKindId: hotline, ...contact } },
    { headers },
  );
const make = async (owner: Person, contact: object = {}) => {
  const { status, body } = await create(owner, contact);
  expect(status, JSON.stringify(body)).toBe(201);
  return body.contact;
};
const read = async (reader: Person, id: number) =>
  (await call(reader.cookie, "GET", `/api/contacts/${id}`)).body.contact;
const update = (writer: Person, id: number, contact: object) =>
  call(writer.cookie, "PUT", `/api/contacts/${id}`, { contact });
const newForm = async (owner: Person, values: object = {}) => ({
  ...minimalForm((await makeClient(owner)).id, await formTypeId("Service")),
  ...values,
});

/** Closes the period through a day while `work` runs. */
async function whileClosed(day: string, work: () => Promise<void>) {
  const close = (closedThrough: string | null) =>
    call(supervisor.cookie, "PUT", "/api/closed_periods", { closedThrough });
  expect((await close(day)).status).toBe(200);
  try {
    await work();
  } finally {
    expect((await close(null)).status).toBe(200);
  }
}

describe("a contact", () => {
  test("with only a kind is one call of today without minutes", async () => {
    const contact = await make(ada);
    expect(contact).toEqual({
      id: contact.id,
      contactedOn: today(),
      contactKindId: hotline,
      contactKind: { id: hotline, name: "Hotline call" },
      number: 1,
      minutes: 0,
      ageBracketId: null,
      gender: "Unknown",
      referralSourceId: null,
      shelterRequested: false,
      adults: 0,
      children: 0,
      turnedAwayReason: "",
      formId: null,
      userId: ada.id,
      user: { id: ada.id, firstName: ada.firstName, lastName: ada.lastName },
      lockVersion: 0,
    });
    expect(await read(ada, contact.id)).toEqual(contact);
  });

  test("has no column that could hold a name, a phone number, an address or a text", async () => {
    const columns = await rows<{ name: string; type: string }>(
      sql`SELECT column_name AS name, data_type AS type FROM information_schema.columns WHERE table_name = 'contacts'`,
    );
    const texts = columns.filter(({ type }) => !/integer|date|boolean|timestamp/.test(type));
    // Both have a check that lists the allowed words.
    expect(texts.map(({ name }) => name).sort()).toEqual(["gender", "turned_away_reason"]);
    await expect(rows(sql`UPDATE contacts SET gender = 'Call 555-0134'`)).rejects.toThrow(/gender/);
    await expect(
      rows(sql`UPDATE contacts SET shelter_requested = TRUE, turned_away_reason = 'Ann'`),
    ).rejects.toThrow(/turned_away_reason/);
  });

  test("stores a word that is sent in any other key, or to any field, nowhere in the database", async () => {
    const CANARY = "Kanarienvogel";
    const words = {
      name: CANARY,
      phoneNumber: CANARY,
      address: CANARY,
      notes: CANARY,
      user: { name: CANARY },
    };
    const contact = await make(ada, words);
    await update(ada, contact.id, { contactKindId: hotline, ...words });
    await call(ada.cookie, "POST", "/api/contacts", { contact: { contactKindId: hotline }, note: CANARY });
    await create(ada, words, { "idempotency-key": "with a word" });
    for (const field of Object.keys(contact)) await create(ada, { [field]: CANARY });
    const tables = await rows<{ name: string }>(
      sql`SELECT quote_ident(tablename) AS name FROM pg_tables WHERE schemaname = 'public'`,
    );
    for (const { name } of tables) {
      const [row] = await rows<{ found: number }>(
        sql`SELECT count(*)::int AS found FROM ${identifier(name)} t WHERE to_jsonb(t)::text LIKE ${`%${CANARY}%`}`,
      );
      expect(row?.found, name).toBe(0);
    }
  });

  test("ignores keys that it does not have, such as a name", async () => {
    const contact = await make(ada, { name: "Ann", note: "Call back", userId: ben.id, lockVersion: 9 });
    expect(contact).not.toHaveProperty("name");
    expect(contact).toMatchObject({ userId: ada.id, lockVersion: 0 });
  });

  test.each([
    ["number", { number: 0 }],
    ["number", { number: 501 }],
    ["minutes", { minutes: -1 }],
    ["minutes", { minutes: 1441 }],
    ["adults", { shelterRequested: true, adults: 100 }],
    ["children", { shelterRequested: true, children: -1 }],
    ["adults", { adults: 1 }],
    ["children", { children: 1 }],
    ["turnedAwayReason", { turnedAwayReason: "capacity" }],
    ["turnedAwayReason", { shelterRequested: true, turnedAwayReason: "full" }],
    ["contactedOn", { contactedOn: "1899-12-31" }],
    ["contactedOn", { contactedOn: "02/30/2026" }],
    ["contactKindId", { contactKindId: 999_999 }],
    ["contactKindId", { contactKindId: null }],
    ["ageBracketId", { ageBracketId: 999_999 }],
    ["gender", { gender: "Ann" }],
  ])("is refused with 422 on %s for %j", async (field, values) => {
    const { status, body } = await create(ada, values);
    expect([status, body.code]).toEqual([422, "invalid"]);
    expect(Object.keys(body.fields)).toEqual([`contact.${field}`]);
  });

  test("may be of tomorrow, but not of the day after", async () => {
    await make(ada, { contactedOn: addDays(today(), 1) });
    expect((await create(ada, { contactedOn: addDays(today(), 2) })).status).toBe(422);
  });

  test("loses what only a request for shelter has when the box is unticked", async () => {
    const request = { shelterRequested: true, adults: 1, children: 2, turnedAwayReason: "other" };
    const contact = await make(ada, request);
    const { body } = await update(ada, contact.id, { contactKindId: hotline, shelterRequested: false });
    expect(body.contact).toMatchObject({ adults: 0, children: 0, turnedAwayReason: "" });
  });
});

describe("a contact of a closed period", () => {
  test("cannot be created, changed, moved there, removed, linked or unlinked", async () => {
    const old = await make(ada, { contactedOn: "2024-05-06" });
    const recent = await make(ada, { contactedOn: "2024-07-06" });
    const linked = await make(ada, { contactedOn: "2024-05-07" });
    const form = await newForm(ada, { serviceOn: "2024-07-07", contactId: linked.id });
    const { body } = await call(ada.cookie, "POST", "/api/forms", { form });
    const another = await newForm(ada, { serviceOn: "2024-07-07", contactId: old.id });
    await whileClosed("2024-06-30", async () => {
      const refused = async (answer: ReturnType<typeof call>) => {
        const { status, body } = await answer;
        expect([status, body?.code]).toEqual([409, "period_closed"]);
        expect(body.error).toBe("June 2024 and earlier are closed");
      };
      await refused(create(ada, { contactedOn: "2024-06-30" }));
      await refused(update(ada, old.id, { contactKindId: walkIn }));
      await refused(update(ada, old.id, { contactKindId: hotline, contactedOn: "2024-07-01" }));
      await refused(update(ada, recent.id, { contactKindId: hotline, contactedOn: "2024-06-01" }));
      await refused(call(ada.cookie, "DELETE", `/api/contacts/${old.id}`));
      await refused(update(ada, linked.id, { contactKindId: hotline, formId: null }));
      await refused(call(ada.cookie, "POST", "/api/forms", { form: another }));
      await refused(call(ada.cookie, "DELETE", `/api/forms/${body.form.id}`));
      expect((await update(ada, recent.id, { contactKindId: walkIn })).status).toBe(200);
    });
    expect((await read(ada, linked.id)).formId).toBe(body.form.id);
    expect((await call(ada.cookie, "DELETE", `/api/forms/${body.form.id}`)).status).toBe(204);
  });
});

describe("a caller who becomes a client", () => {
  const start = async (owner: Person, contactId: number) =>
    call(owner.cookie, "POST", "/api/forms", { form: await newForm(owner, { contactId }) });
  const changes = async (reader: Person, id: number): Promise<object[]> => {
    const { body } = await call(reader.cookie, "GET", `/api/contacts/${id}/history`);
    return body.events.flatMap((event: { changes: object[] }) => event.changes);
  };

  test("has the contact linked by the save of the form, and unlinked by its removal", async () => {
    const contact = await make(ada, { contactedOn: "2026-03-04", minutes: 15 });
    const { status, body } = await start(ada, contact.id);
    expect(status, JSON.stringify(body)).toBe(201);
    expect(await read(ada, contact.id)).toMatchObject({ formId: body.form.id, lockVersion: 0, minutes: 15 });
    expect((await call(ada.cookie, "DELETE", `/api/forms/${body.form.id}`)).status).toBe(204);
    expect(await read(ada, contact.id)).toMatchObject({ formId: null, lockVersion: 0 });
    expect(await changes(ada, contact.id)).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ field: "contact.formId", from: null, to: body.form.id }),
        expect.objectContaining({ field: "contact.formId", from: body.form.id, to: null }),
      ]),
    );
  });

  test("has neither form nor link if one of them is refused", async () => {
    const several = await make(ada, { number: 30 });
    const foreign = await make(ben);
    const contact = await make(ada);
    await start(ada, contact.id);
    const before = await db().form.count();
    for (const id of [several.id, foreign.id, contact.id, 999_999]) {
      const { status, body } = await start(ada, id);
      expect([status, Object.keys(body.fields)]).toEqual([422, ["form.contactId"]]);
    }
    const invalidForm = await newForm(ada, { contactId: (await make(ada)).id, serviceStatus: "Nope" });
    expect((await call(ada.cookie, "POST", "/api/forms", { form: invalidForm })).status).toBe(422);
    expect(await db().form.count()).toBe(before);
  });

  test("creates one form however often the same request is sent, and refuses the key for another contact", async () => {
    const contact = await make(ada);
    const other = await make(ada);
    const form = await newForm(ada, { contactId: contact.id });
    const headers = { "idempotency-key": "started from a call" };
    const send = (form: object) => call(ada.cookie, "POST", "/api/forms", { form }, { headers });
    const first = await send(form);
    const second = await send(form);
    expect([first.status, second.status, second.body.form.id]).toEqual([201, 201, first.body.form.id]);
    const { status, body } = await send({ ...form, contactId: other.id });
    expect([status, Object.keys(body.fields ?? {})]).toEqual([422, ["Idempotency-Key"]]);
  });

  test("creates one form if the request is repeated while the first still waits for the contact", async () => {
    const contact = await make(ada);
    const form = await newForm(ada, { contactId: contact.id });
    const headers = { "idempotency-key": "repeated during a call" };
    const send = () => call(ada.cookie, "POST", "/api/forms", { form }, { headers });
    const answers = await runBlockedBy(`SELECT FROM contacts WHERE id = ${contact.id} FOR UPDATE`, () =>
      Promise.all([send(), send()]),
    );
    const { formId } = await read(ada, contact.id);
    expect(answers.map(({ status, body }) => [status, body.form?.id])).toEqual([
      [201, formId],
      [201, formId],
    ]);
  });

  test("can be linked and unlinked by the contact too, but never as one of several", async () => {
    const form = await makeForm(ada);
    const contact = await make(ada, { formId: form.id });
    expect(contact.formId).toBe(form.id);
    const several = await update(ada, contact.id, { contactKindId: hotline, number: 2 });
    expect([several.status, Object.keys(several.body.fields)]).toEqual([422, ["contact.number"]]);
    const taken = await create(ada, { formId: form.id });
    expect([taken.status, Object.keys(taken.body.fields)]).toEqual([422, ["contact.formId"]]);
    const foreign = await makeForm(ben);
    expect((await update(ada, contact.id, { contactKindId: hotline, formId: foreign.id })).status).toBe(422);
    const freed = await update(ada, contact.id, { contactKindId: hotline, number: 2, formId: null });
    expect(freed.body.contact).toMatchObject({ number: 2, formId: null });
  });

  test("looks unlinked to a user from whom the client is hidden, and to one who sees no clients", async () => {
    const contact = await make(ada);
    const { body } = await start(supervisor, contact.id);
    expect((await read(ada, contact.id)).formId).toBe(body.form.id);
    await db().clientRestriction.create({ data: { clientId: body.form.clientId, userId: ada.id } });
    expect((await read(ada, contact.id)).formId).toBeNull();
    const { body: list } = await call(ada.cookie, "GET", "/api/contacts");
    expect(list.contacts.find(({ id }: { id: number }) => id === contact.id).formId).toBeNull();
    const { body: history } = await call(ada.cookie, "GET", `/api/contacts/${contact.id}/history`);
    expect(JSON.stringify(history)).not.toContain("formId");
    // A refusal would tell her of the link, and so would a new version.
    const unchanged = { contactKindId: hotline, minutes: 3, lockVersion: contact.lockVersion };
    expect((await update(ada, contact.id, unchanged)).status).toBe(200);
    expect((await read(supervisor, contact.id)).formId).toBe(body.form.id);
    expect((await update(ada, contact.id, { contactKindId: hotline, number: 4 })).status).toBe(200);
    expect((await read(supervisor, contact.id)).formId).toBeNull();
    const ended = { field: "contact.formId", from: body.form.id, to: null };
    expect(await changes(supervisor, contact.id)).toContainEqual(expect.objectContaining(ended));
    expect(JSON.stringify(await changes(ada, contact.id))).not.toContain("formId");

    const clerk = await makeUser(["contacts", "all-forms"]);
    const second = await make(ada);
    await start(ada, second.id);
    expect((await read(clerk, second.id)).formId).toBeNull();
    expect(JSON.stringify(await changes(ada, second.id))).toContain("formId");
    expect(JSON.stringify(await changes(clerk, second.id))).not.toContain("formId");
  });

  test("is linked to a visible form in place of a hidden one, whose end is recorded", async () => {
    const contact = await make(ada);
    const { body: hidden } = await start(supervisor, contact.id);
    await db().clientRestriction.create({ data: { clientId: hidden.form.clientId, userId: ada.id } });
    const { status, body } = await start(ada, contact.id);
    expect(status).toBe(201);
    const link = (from: number | null, to: number | null) => ({ field: "contact.formId", from, to });
    expect(await changes(supervisor, contact.id)).toEqual(
      expect.arrayContaining([
        expect.objectContaining(link(hidden.form.id, null)),
        expect.objectContaining(link(null, body.form.id)),
      ]),
    );
    expect(await changes(ada, contact.id)).not.toContainEqual(
      expect.objectContaining({ from: hidden.form.id }),
    );
  });
});
