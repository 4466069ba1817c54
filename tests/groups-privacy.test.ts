import { beforeAll, describe, expect, test } from "vitest";
import { db, rows } from "@/lib/core/database/client";
import { sql } from "@/lib/core/sql";
import { addressesOf, type EveryRead } from "@/lib/dev/every-read";
import { threadQuery } from "@/lib/forms/by-client/schema";
import { clientScreen } from "@/lib/forms/by-client/screen";
import { runBlockedBy } from "@/tests/blocked";
import { actorFor, call, type Method } from "@/tests/call";
import { everyCall } from "@/tests/every-call";
import { makeClient, makeForm, makeUser, type Person } from "@/tests/factories";
import { groupCode, makeGroup, makeLeader, makeSession, sessionOf } from "@/tests/groups";
import { addClient, makeReporter, readNumbers } from "@/tests/reports/world";

// The privacy of the people of a group, and their records when clients are hidden, merged, or purged.

let ada: Person;
let ben: Person;
let supervisor: Person;

const as = (person: Person, method: Method, url: string, body?: unknown) =>
  call(person.cookie, method, url, body);
const at = (group: { id: number }, session: { id: number }) =>
  `/api/groups/${group.id}/sessions/${session.id}`;
const ids = (items: readonly { id: number }[]) => items.map(({ id }) => id);

async function succeed(person: Person, method: Method, url: string, body?: unknown) {
  const answer = await as(person, method, url, body);
  expect(answer.status, `${method} ${url} ${JSON.stringify(answer.body)}`).toBeLessThan(300);
  return answer.body;
}

beforeAll(async () => {
  [ada, ben] = [await makeLeader("export"), await makeLeader("export")];
  supervisor = await makeLeader("all-forms", "export", "restrict-clients", "audit-log");
  // Restrictions are not written for the last user who could lift them.
  await makeLeader("all-forms", "restrict-clients");
});

test("records a printed sign-in sheet for the group, and for the visible people whose first names are on it", async () => {
  const people = [await makeClient(ada), await makeClient(ada), await makeClient(ada)];
  const [first, second, hidden] = ids(people);
  const group = await makeGroup([ada], { clientIds: ids(people) });
  await succeed(supervisor, "PUT", `/api/clients/${hidden}/restrictions`, { userIds: [ada.id] });
  const print = (person: Person, clientIds?: unknown) =>
    as(person, "POST", `/api/groups/${group.id}/printed`, { clientIds });
  const events = () =>
    db().auditEvent.findMany({
      where: { action: "printed", userId: ada.id },
      orderBy: { id: "asc" },
      select: { entity: true, entityId: true, shown: true },
    });
  expect((await print(ada)).status).toBe(204);
  const ofGroup = { entity: "group", entityId: group.id, shown: [] };
  expect(await events()).toEqual([ofGroup]);
  expect((await print(ada, ids(people))).status).toBe(204);
  expect(await events()).toEqual([
    ofGroup,
    ofGroup,
    { entity: "client", entityId: null, shown: expect.arrayContaining([first, second]) },
  ]);
  expect((await events())[2]?.shown).toHaveLength(2);
  expect((await print(ben, [first])).status).toBe(404);
  expect(await db().auditEvent.count({ where: { action: "printed", userId: ben.id } })).toBe(0);
});

test("nothing about one client names another attendee or the number of them, for any reader", async () => {
  const own = await makeClient(ada, { name: "Nora" });
  const other = await makeClient(ada, { name: "Pirol Attendee" });
  const group = await makeGroup([ada], { clientIds: [own.id, other.id] });
  const session = await makeSession(group, [ada], [own.id, other.id], { unnamed: 431 });
  const form = session.attendances.find(({ client }: { client: { id: number } }) => client.id === own.id);
  const readers = {
    leader: ada,
    colleague: ben,
    supervisor,
    "without Groups": await makeUser(["forms", "clients", "all-forms", "export", "audit-log"]),
    "without Clients": await makeUser(["forms", "groups", "all-forms", "export"]),
  };
  const reads: EveryRead = {
    clientIds: [own.id],
    formIds: [form.formId],
    contactIds: [],
    stayIds: [],
    recordIds: {},
    groupIds: [],
    sessionOf: {},
    userId: ada.id,
    submissionId: 1,
  };
  const paths = everyCall().filter(
    ({ path, needs }) => needs.GET && /^\/api\/(clients|forms)\/\{id\}/.test(path),
  );
  expect(paths.length).toBeGreaterThan(8);
  // A name of the other, or the number as a value: ".431Z" is the end of a time.
  const attendees = /Pirol|(?<![\w.])431(?!\w)/;
  expect('"unnamed":431').toMatch(attendees);
  for (const [name, person] of Object.entries(readers)) {
    for (const { path } of paths)
      for (const url of addressesOf({ path }, reads, "Nora")) {
        const text = JSON.stringify((await as(person, "GET", url)).body);
        expect(`${name} ${url} ${text}`).not.toMatch(attendees);
      }
    const screen = await clientScreen(await actorFor(person), own.id, threadQuery.parse({})).catch(
      () => null,
    );
    expect(`${name} ${JSON.stringify(screen)}`).not.toMatch(attendees);
  }
});

describe("a hidden client", () => {
  /** A group of Ada's with a seen and a hidden client, who are both in a session. */
  async function hiddenWorld() {
    const leader = await makeLeader();
    const seen = await makeClient(leader, { name: "Seen" });
    const hidden = await makeClient(leader, { name: "Zeisig Hidden" });
    const group = await makeGroup([leader, ben], { clientIds: [seen.id, hidden.id] });
    const session = await makeSession(group, [leader, ben], [seen.id, hidden.id]);
    const formOf = (id: number) =>
      session.attendances.find(({ client }: { client: { id: number } }) => client.id === id).formId;
    await succeed(supervisor, "PUT", `/api/clients/${hidden.id}/restrictions`, { userIds: [leader.id] });
    return { leader, seen, hidden, group, session, hiddenForm: formOf(hidden.id), seenForm: formOf(seen.id) };
  }
  const stored = (id: number) =>
    db().form.findUnique({
      where: { id },
      include: { serviceEntry: { include: { serviceProvidedEntries: true } } },
    });

  test("stays on the roster and in the session when a leader who does not see them saves lists", async () => {
    const { leader, seen, hidden, group, session, hiddenForm } = await hiddenWorld();
    const saved = await succeed(leader, "PUT", `/api/groups/${group.id}`, { group: { clientIds: [] } });
    expect(saved.group.clientIds).toEqual([]);
    const changed = await succeed(leader, "PUT", at(group, session), {
      groupSession: { attendancesAttributes: [] },
    });
    expect(changed.groupSession.attendances).toEqual([]);
    expect((await succeed(ben, "GET", `/api/groups/${group.id}`)).group.clientIds).toEqual([hidden.id]);
    const { groupSession } = await succeed(ben, "GET", at(group, session));
    expect(groupSession.attendances).toMatchObject([{ client: { id: hidden.id } }]);
    expect(await stored(hiddenForm)).not.toBeNull();
    expect(await db().form.count({ where: { clientId: seen.id } })).toBe(0);
    // To them, the id is that of no client.
    const [real, none] = await Promise.all(
      [hidden.id, 7_399_999].map(async (clientId) =>
        as(leader, "PUT", at(group, session), { groupSession: { attendancesAttributes: [{ clientId }] } }),
      ),
    );
    expect([real?.status, real?.body]).toEqual([none?.status, none?.body]);
  });

  test("gets the new day and minutes unless the form is blocked, which names nobody", async () => {
    const { leader, group, session, hiddenForm } = await hiddenWorld();
    await succeed(leader, "PUT", at(group, session), { groupSession: { minutes: 60, heldOn: "2026-11-19" } });
    expect(await stored(hiddenForm)).toMatchObject({
      serviceOn: new Date("2026-11-19"),
      serviceEntry: { serviceProvidedEntries: [{ minutes: 60 }] },
    });
    await succeed(supervisor, "POST", `/api/forms/${hiddenForm}/reconcile`, { reconciled: true });
    const again = await as(leader, "PUT", at(group, session), { groupSession: { minutes: 30 } });
    expect(again.status).toBe(200);
    expect(JSON.stringify(again.body)).not.toContain("Zeisig");
    expect(await stored(hiddenForm)).toMatchObject({
      reconciled: true,
      serviceEntry: { serviceProvidedEntries: [{ minutes: 60 }] },
    });
    const marks = async (person: Person) =>
      (await succeed(person, "GET", at(group, session))).groupSession.attendances.map(
        ({ differs }: { differs: boolean }) => differs,
      );
    expect((await marks(supervisor)).sort()).toEqual([false, true]);
    expect(await marks(ben)).toEqual([false, false]);
  });

  test("keeps the form when the session is removed by a leader who does not see them", async () => {
    const { leader, group, session, hiddenForm, seenForm } = await hiddenWorld();
    await succeed(leader, "DELETE", at(group, session));
    expect(await stored(seenForm)).toBeNull();
    expect(await stored(hiddenForm)).not.toBeNull();
    const { form } = await succeed(supervisor, "GET", `/api/forms/${hiddenForm}`);
    expect(form.groupSession).toBeNull();
  });
});

describe("a merge", () => {
  const merge = async (client: { id: number }, other: { id: number }) => {
    const [one, two] = await Promise.all(
      [client, other].map(({ id }) => db().client.findUniqueOrThrow({ where: { id } })),
    );
    return succeed(supervisor, "POST", `/api/clients/${client.id}/merge`, {
      client: { name: one?.name, lockVersion: one?.lockVersion },
      other: { id: other.id, lockVersion: two?.lockVersion },
    });
  };

  test("moves attendances and places on rosters, and its undo moves them back", async () => {
    const client = await makeClient(ada, { name: "Olga" });
    const other = await makeClient(ada, { name: "Olga Two" });
    const group = await makeGroup([ada], { clientIds: [other.id] });
    const session = await makeSession(group, [ada], [other.id]);
    const merged = await merge(client, other);
    const people = async () => [
      (await succeed(ada, "GET", `/api/groups/${group.id}`)).group.clientIds,
      (await succeed(ada, "GET", at(group, session))).groupSession.attendances.map(
        ({ client, edited }: { client: { id: number }; edited: boolean }) => [client.id, edited],
      ),
    ];
    expect(await people()).toEqual([[client.id], [[client.id, false]]]);
    await succeed(supervisor, "POST", `/api/merges/${merged.merge.id}/undo`, { keepChanged: true });
    expect(await people()).toEqual([[other.id], [[other.id, false]]]);
    const formId = session.attendances[0].formId;
    expect(await db().form.findUniqueOrThrow({ where: { id: formId } })).toMatchObject({
      clientId: other.id,
    });
    // The session still writes the form.
    await succeed(ada, "PUT", at(group, session), { groupSession: { minutes: 15 } });
  });

  test("of two attendances of one session keeps one, and its undo brings back the other, even if reconciled", async () => {
    const client = await makeClient(ada, { name: "Paula" });
    const other = await makeClient(ada, { name: "Paula Two" });
    const group = await makeGroup([ada], { clientIds: [client.id, other.id] });
    const session = await makeSession(group, [ada], [], {
      attendancesAttributes: [{ clientId: client.id }, { clientId: other.id, minutes: 40 }],
    });
    const formId = session.attendances.find(
      ({ client }: { client: { id: number } }) => client.id === other.id,
    ).formId;
    await succeed(supervisor, "POST", `/api/forms/${formId}/comments`, { text: "Well done" });
    await succeed(supervisor, "POST", `/api/forms/${formId}/reconcile`, { reconciled: true });
    const { form: before } = await succeed(supervisor, "GET", `/api/forms/${formId}`);
    const merged = await merge(client, other);
    const { groupSession } = await succeed(ada, "GET", at(group, session));
    expect(groupSession.attendances).toMatchObject([{ client: { id: client.id }, minutes: null }]);
    expect((await as(supervisor, "GET", `/api/forms/${formId}`)).status).toBe(404);
    await succeed(supervisor, "POST", `/api/merges/${merged.merge.id}/undo`, { keepChanged: true });
    const { form: after } = await succeed(supervisor, "GET", `/api/forms/${formId}`);
    const plain = ({ lockVersion: _, serviceEntry, comments, ...form }: typeof before) => ({
      ...form,
      comments: comments.map(({ text, at }: { text: string; at: string }) => [text, at]),
      minutes: serviceEntry.serviceProvidedEntries.map(({ minutes }: { minutes: number }) => minutes),
    });
    expect(plain(after)).toEqual(plain(before));
    const back = (await succeed(ada, "GET", at(group, session))).groupSession;
    expect(back.attendances).toMatchObject([
      { client: { id: client.id }, minutes: null },
      { client: { id: other.id }, minutes: 40 },
    ]);
    expect((await succeed(ada, "GET", `/api/groups/${group.id}`)).group.clientIds).toEqual(
      [client.id, other.id].sort(),
    );
    // The restored service is still the leaders' time.
    expect(
      await db().serviceProvidedEntry.count({ where: { ofSession: true, serviceEntry: { formId } } }),
    ).toBe(1);
  });

  /** Two clients who attended one session, and their forms. */
  async function bothAttended() {
    const client = await makeClient(ada);
    const other = await makeClient(ada);
    const group = await makeGroup([ada], { clientIds: [client.id, other.id] });
    const session = await makeSession(group, [ada], [client.id, other.id]);
    const formOf = ({ id }: { id: number }): number =>
      session.attendances.find(({ client }: { client: { id: number } }) => client.id === id).formId;
    return { client, other, remainingId: formOf(client), formId: formOf(other) };
  }
  const undo = (merged: { merge: { id: number } }) =>
    succeed(supervisor, "POST", `/api/merges/${merged.merge.id}/undo`, { keepChanged: true });

  test("is undone after the accounts that a kept form names are removed", async () => {
    const { client, other, formId } = await bothAttended();
    const leaving = await makeLeader("all-forms");
    await succeed(leaving, "POST", `/api/forms/${formId}/comments`, { text: "By one who leaves" });
    await succeed(leaving, "POST", `/api/forms/${formId}/reconcile`, { reconciled: true });
    const named = { returnedById: leaving.id, answeredToId: leaving.id, updatedById: leaving.id };
    await db().form.update({ where: { id: formId }, data: { ...named, userId: leaving.id } });
    const merged = await merge(client, other);
    const admin = await makeLeader("all-forms", "users");
    await succeed(admin, "DELETE", `/api/users/${leaving.id}`);
    await undo(merged);
    expect(await db().form.findUniqueOrThrow({ where: { id: formId } })).toMatchObject({
      clientId: other.id,
      userId: supervisor.id,
      reconciled: true,
      reconciledById: null,
      returnedById: null,
      answeredToId: null,
      updatedById: null,
    });
    expect(await db().formComment.findMany({ where: { formId } })).toMatchObject([
      { text: "By one who leaves", userId: null },
    ]);
  });

  test.each([
    ["the remaining form, if that has none", false],
    ["no form, if the remaining one has another contact", true],
  ])("moves the contact of a form that it removes to %s, and its undo moves it back", async (_, hasOther) => {
    const { client, other, remainingId, formId } = await bothAttended();
    const { id: contactKindId } = await db().contactKind.findFirstOrThrow();
    const data = { contactKindId, contactedOn: new Date("2026-11-20"), userId: ada.id };
    const { id } = await db().contact.create({ data: { ...data, formId } });
    if (hasOther) await db().contact.create({ data: { ...data, formId: remainingId } });
    const linked = async () => (await db().contact.findUniqueOrThrow({ where: { id } })).formId;
    const merged = await merge(client, other);
    expect(await linked()).toBe(hasOther ? null : remainingId);
    await undo(merged);
    expect(await linked()).toBe(formId);
    const events = { entity: "contact", entityId: id, action: "updated" };
    expect(await db().auditEvent.count({ where: events })).toBe(2);
  });

  test("leaves a contact that was linked to another form since as it is at the undo", async () => {
    const { client, other, formId } = await bothAttended();
    const { id: contactKindId } = await db().contactKind.findFirstOrThrow();
    const data = { contactKindId, contactedOn: new Date("2026-11-20"), userId: ada.id, formId };
    const { id } = await db().contact.create({ data });
    const merged = await merge(client, other);
    const { id: another } = await makeForm(ada);
    await db().contact.update({ where: { id }, data: { formId: another } });
    await undo(merged);
    expect(await db().contact.findUniqueOrThrow({ where: { id } })).toMatchObject({ formId: another });
  });

  test("locks forms before attendances at its undo, as the saves of sessions do", async () => {
    const client = await makeClient(ada);
    const other = await makeClient(ada);
    const group = await makeGroup([ada], { clientIds: [other.id] });
    const session = await makeSession(group, [ada], [other.id]);
    const { formId } = session.attendances[0];
    const merged = await merge(client, other);
    await runBlockedBy(
      `SELECT FROM forms WHERE id = ${formId} FOR UPDATE`,
      () => undo(merged),
      `SELECT FROM attendances WHERE form_id = ${formId} FOR UPDATE NOWAIT`,
    );
    expect(await db().form.findUniqueOrThrow({ where: { id: formId } })).toMatchObject({
      clientId: other.id,
    });
  });
});

describe("a purge", () => {
  test("turns an attendance into one more person without a record, also above 500, and leaves the form", async () => {
    const keeper = await makeUser(["retention", "clients"]);
    const { id } = await makeClient(ada, { name: "Quelle Purged" });
    const group = await makeGroup([ada], { clientIds: [id] });
    const session = await makeSession(group, [ada], [id], { unnamed: 500, heldOn: "2015-03-01" });
    await succeed(keeper, "PUT", "/api/retention", { retention: { years: 7, nightly: false } });
    await rows(sql`UPDATE clients SET updated_at = '2015-03-01' WHERE id = ${id}`);
    await rows(sql`UPDATE forms SET updated_at = '2015-03-01' WHERE client_id = ${id}`);
    const purged = await succeed(keeper, "POST", "/api/retention/purge", { ids: [id] });
    expect(purged.done, JSON.stringify(purged)).toEqual([id]);
    const { groupSession } = await succeed(ada, "GET", at(group, session));
    expect(groupSession).toMatchObject({ unnamed: 501, attendances: [], lockVersion: 1 });
    expect((await succeed(ada, "GET", `/api/groups/${group.id}`)).group.clientIds).toEqual([]);
    expect(await db().form.count({ where: { clientId: id } })).toBe(1);
    await succeed(ada, "PUT", at(group, session), { groupSession: { unnamed: 501, minutes: 60 } });
    expect((await as(ada, "PUT", at(group, session), { groupSession: { unnamed: 502 } })).status).toBe(422);
    // The form of a purged client stays as it is.
    expect(
      await db().serviceProvidedEntry.findFirst({ where: { serviceEntry: { form: { clientId: id } } } }),
    ).toMatchObject({ minutes: 90 });
    const texts = JSON.stringify((await succeed(supervisor, "GET", `${at(group, session)}/history`)).events);
    expect(texts).not.toContain("Quelle");
  });
});

test("eight forms typed by hand and one session of eight give the same on every line of all reports", async () => {
  const { viewer } = await makeReporter();
  const leader = await makeLeader();
  const groupCodeId = await groupCode();
  const people = [
    { born: "1970-01-01" },
    { born: "1985-05-05", gender: "Male" },
    { ethnicity: "Black or African American", born: "1990-02-02" },
    { significantOther: true },
    { known: false },
    { flags: ["homeless", "lgbt"] },
    { gender: "Transgender" },
    { born: "1940-12-31", flags: ["elderly"] },
  ];
  const make = async () => {
    const made: number[] = [];
    for (const person of people) made.push(await addClient(leader, person));
    return made;
  };
  for (const id of await make())
    await makeForm(
      leader,
      {
        serviceOn: "1991-02-03",
        verbalConfirmation: false,
        serviceEntryAttributes: {
          serviceProvidedEntriesAttributes: [{ serviceCodeId: groupCodeId, minutes: 90 }],
        },
      },
      id,
    );
  await makeSession(await makeGroup([leader]), [leader], await make(), { heldOn: "1991-08-03", unnamed: 7 });
  for (const report of ["pmt", "pccd", "fvpsa"] as const) {
    const typed = await readNumbers(viewer, report, "1991-01-01", "1991-03-31");
    const recorded = await readNumbers(viewer, report, "1991-07-01", "1991-09-30");
    expect(recorded, report).toEqual(typed);
    expect(
      Object.values(typed).some((count) => count === 8),
      report,
    ).toBe(true);
  }
});

describe("when a statement of a save fails", () => {
  /** The tables that a session writes, with the tables of its forms and its key. */
  const TABLES = [
    ...["group_sessions", "group_session_leaders", "attendances", "forms", "service_entries"],
    ...["service_provided_entries", "audit_events", "client_keys", "idempotency_keys"],
  ];
  const counts = async () =>
    Promise.all(
      TABLES.map(async (table) => {
        const [row] = await rows<{ digest: string }>(
          sql`SELECT md5(query_to_xml(${`SELECT * FROM ${table} t ORDER BY t::text`}, true, false, '')::text) AS digest`,
        );
        return [table, row?.digest];
      }),
    );

  test("stores neither the session nor its forms after a failure at any statement, and all of it at the next try", async () => {
    const clients = ids([await makeClient(ada), await makeClient(ada), await makeClient(ada)]);
    const group = await makeGroup([ada, ben], { clientIds: clients });
    await rows(sql`CREATE TABLE statements_left (n int)`);
    await rows(sql`INSERT INTO statements_left VALUES (0)`);
    await rows(sql`CREATE FUNCTION fail_late() RETURNS trigger LANGUAGE plpgsql AS $$ DECLARE left_over int; BEGIN
      SELECT n INTO left_over FROM statements_left;
      PERFORM set_config('test.writes', (coalesce(nullif(current_setting('test.writes', true), ''), '0')::int + 1)::text, true);
      IF left_over > 0 AND current_setting('test.writes')::int >= left_over THEN
        RAISE EXCEPTION 'the disk of this test is full'; END IF;
      RETURN NULL; END $$`);
    for (const table of TABLES.filter((name) => name !== "audit_events"))
      await rows(sql`SELECT query_to_xml(${`SELECT 1`}, true, false, '')`).then(() =>
        db().$executeRawUnsafe(
          `CREATE TRIGGER late AFTER INSERT OR UPDATE OR DELETE ON ${table} FOR EACH STATEMENT EXECUTE FUNCTION fail_late()`,
        ),
      );
    const send = (method: Method, url: string, body?: object) =>
      call(ada.cookie, method, url, body, { headers: { "idempotency-key": "fails" } });
    const steps: [Method, () => string, () => object | undefined][] = [
      ["POST", () => `/api/groups/${group.id}/sessions`, () => sessionOf([ada], clients)],
      [
        "PUT",
        () => at(group, session),
        () => ({ groupSession: { minutes: 50, attendancesAttributes: [{ clientId: clients[0] }] } }),
      ],
      ["DELETE", () => at(group, session), () => undefined],
    ];
    let session = { id: 0 };
    let failures = 0;
    const { takeErrors } = await import("@/tests/setup/console");
    for (const [method, url, body] of steps)
      for (let fail = 1; ; fail++) {
        await rows(sql`UPDATE statements_left SET n = ${fail}`);
        const before = await counts();
        const answer = await send(method, url(), body());
        if (answer.status < 300) {
          if (method === "POST") session = answer.body.groupSession;
          break;
        }
        expect(answer.status).toBe(500);
        takeErrors();
        failures += 1;
        await rows(sql`UPDATE statements_left SET n = 0`);
        expect(await counts()).toEqual(before);
      }
    await db().$executeRawUnsafe("UPDATE statements_left SET n = 0");
    expect(failures).toBeGreaterThan(20);
    expect(await db().form.count({ where: { clientId: { in: clients } } })).toBe(0);
  }, 120_000);
});
