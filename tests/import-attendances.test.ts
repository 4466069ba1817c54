import { beforeAll, beforeEach, expect, test } from "vitest";
import { db, rows } from "@/lib/core/database/client";
import { sql } from "@/lib/core/sql";
import { runImports } from "@/lib/transfer/imports/run";
import { call } from "@/tests/call";
import { makeClient, makeUser, type Person } from "@/tests/factories";
import { LEADER, makeGroup, makeLeader, makeSession } from "@/tests/groups";

// Imports of past group sessions: each row is one person at one session, and its record is the form.

let importer: Person;
let number = 0;

beforeAll(async () => {
  importer = await makeUser([...LEADER, "import"]);
});
beforeEach(() => rows(sql`DELETE FROM import_rows`));

/** Makes a group that the importer leads, and people with names that no one else has. */
async function makeWorld(leaders: readonly Person[] = [importer]) {
  number += 1;
  const name = `Imported group ${number}`;
  const group = await makeGroup(leaders, { name });
  const names = ["Ada", "Bea", "Cyd"].map((first) => `${first} Imported ${number}`);
  const clients = [];
  for (const client of names) clients.push(await makeClient(importer, { name: client }));
  return { group, name, names, clients };
}

async function importRows(lines: readonly string[], by = importer) {
  const raw = lines.join("\n");
  const sent = { raw, headers: { "content-type": "text/csv" } };
  const { status, body } = await call(by.cookie, "POST", "/api/imports?kind=attendances", undefined, sent);
  expect(status, JSON.stringify(body)).toBe(201);
  const { id, matches } = body.import;
  const start = { import: { dryRun: false, matches, ownerId: null } };
  expect((await call(by.cookie, "POST", `/api/imports/${id}/start`, start)).status).toBe(200);
  return finish(id, by);
}

async function finish(id: number, by = importer) {
  await runImports(new AbortController().signal);
  return (await call(by.cookie, "GET", `/api/imports/${id}`)).body.import;
}

async function undo(id: number) {
  expect((await call(importer.cookie, "POST", `/api/imports/${id}/undo`)).status).toBe(200);
  return finish(id);
}

const sessionsOf = async (group: { id: number }) =>
  (await call(importer.cookie, "GET", `/api/groups/${group.id}/sessions?sort=heldOn&order=asc`)).body
    .groupSessions;
const formsOf = (clients: readonly { id: number }[]) =>
  db().form.count({ where: { clientId: { in: clients.map(({ id }) => id) } } });
const problemsOf = (result: { notes: { about: string; number: number; problem: string }[] }) =>
  result.notes.filter(({ about }) => about === "failed").map(({ number, problem }) => [number, problem]);

test("writes one session for the rows of a group and a day, imports them once, and takes them back", async () => {
  const { group, name, names, clients } = await makeWorld();
  const file = [
    "Date,Group,Client,Minutes",
    `03/02/2026,${name},${names[0]},60`,
    `03/02/2026,${name.toUpperCase()},${names[1]},60`,
    `03/02/2026,${name},${names[2]},45`,
    `03/09/2026,${name},${names[0]},`,
  ];
  const result = await importRows(file);
  expect(result).toMatchObject({ status: "done", created: 4, failed: 0, problem: "" });
  expect(await sessionsOf(group)).toMatchObject([
    {
      heldOn: "2026-03-02",
      minutes: 60,
      leaders: [{ userId: importer.id, minutes: 60 }],
      attendances: [
        { client: { name: names[0] }, minutes: null },
        { client: { name: names[1] }, minutes: null },
        { client: { name: names[2] }, minutes: 45 },
      ],
    },
    { heldOn: "2026-03-09", minutes: 90, attendances: [{ client: { name: names[0] } }] },
  ]);
  expect(await formsOf(clients)).toBe(4);

  expect(await importRows(file)).toMatchObject({ status: "done", created: 0, repeated: 4, failed: 0 });
  expect(await formsOf(clients)).toBe(4);

  expect(await undo(result.id)).toMatchObject({ status: "undone", removed: 4, kept: 0 });
  expect(await sessionsOf(group)).toEqual([]);
  expect(await formsOf(clients)).toBe(0);
  expect(await importRows(file)).toMatchObject({ status: "done", created: 4 });
});

test("adds people to a session that exists, skips those in it, and an undo leaves the session", async () => {
  const { group, name, names, clients } = await makeWorld();
  await makeSession(group, [importer], [clients[0]?.id ?? 0], { heldOn: "2026-03-02" });
  const result = await importRows([
    "Date,Group,Client",
    `03/02/2026,${name},${names[0]}`,
    `03/02/2026,${name},${names[1]}`,
  ]);
  expect(result).toMatchObject({ status: "done", created: 1, repeated: 1, failed: 0 });
  expect(await sessionsOf(group)).toMatchObject([{ attendances: [{}, {}], minutes: 90 }]);
  expect(await undo(result.id)).toMatchObject({ status: "undone", removed: 1, kept: 0 });
  expect(await sessionsOf(group)).toMatchObject([{ attendances: [{ client: { name: names[0] } }] }]);
});

test("records a session once for the rows of a file, as created or as updated, and each person", async () => {
  const { group, name, names, clients } = await makeWorld();
  const earlier = await makeSession(group, [importer], [clients[0]?.id ?? 0], { heldOn: "2026-03-09" });
  const before = (await db().auditEvent.findFirstOrThrow({ orderBy: { id: "desc" } })).id;
  const days = ["03/02/2026", "03/09/2026"];
  const result = await importRows([
    "Date,Group,Client",
    ...days.flatMap((day) => names.map((client) => `${day},${name},${client}`)),
  ]);
  expect(result).toMatchObject({ created: 5, repeated: 1, failed: 0 });
  const [created] = await sessionsOf(group);
  const eventsOf = async ({ id }: { id: number }) => {
    const where = { entity: "groupSession", entityId: id, id: { gt: before } };
    const events = await db().auditEvent.findMany({ where, orderBy: { id: "asc" } });
    const acts = events.filter(({ clientId }) => clientId === null).map(({ action }) => action);
    return { acts, people: events.length - acts.length };
  };
  expect(await eventsOf(created)).toEqual({ acts: ["created"], people: 3 });
  expect(await eventsOf(earlier)).toEqual({ acts: ["updated"], people: 2 });
});

test("an undo keeps a form that was changed since, with its session", async () => {
  const { group, name, names, clients } = await makeWorld();
  const result = await importRows([
    "Date,Group,Client",
    `03/02/2026,${name},${names[0]}`,
    `03/02/2026,${name},${names[1]}`,
  ]);
  await rows(
    sql`UPDATE forms SET updated_at = now() + interval '1 second' WHERE client_id = ${clients[0]?.id ?? 0}`,
  );
  expect(await undo(result.id)).toMatchObject({ status: "undone", removed: 1, kept: 1 });
  expect(await sessionsOf(group)).toMatchObject([{ attendances: [{ client: { name: names[0] } }] }]);
});

test("rejects each bad row with a reason that names its column", async () => {
  const { group, name, names, clients } = await makeWorld();
  const stranger = await makeLeader();
  await makeGroup([stranger], { name: `${name} of others` });
  await makeGroup([importer], { name: `${name} twice` });
  await makeGroup([importer], { name: `${name} TWICE` });
  await makeGroup([importer], { name: `${name} closed`, closedOn: "2026-02-01" });
  const closer = await makeUser(["close-periods"]);
  const close = (closedThrough: string | null) =>
    call(closer.cookie, "PUT", "/api/closed_periods", { closedThrough });
  expect((await close("2026-01-31")).status).toBe(200);
  const hidden = await makeClient(importer, { name: `Hidden Imported ${number}` });
  const supervisor = await makeLeader("all-forms", "restrict-clients");
  // Restrictions are not written for the last user who could lift them.
  await makeLeader("all-forms", "restrict-clients");
  const restriction = { userIds: [importer.id] };
  const hiding = await call(supervisor.cookie, "PUT", `/api/clients/${hidden.id}/restrictions`, restriction);
  expect(hiding.status, JSON.stringify(hiding.body)).toBe(200);
  const result = await importRows([
    "Date,Group,Client,Minutes,Advocate Email",
    `03/02/2026,${name} of others,${names[0]},,`,
    `03/02/2026,${name} twice,${names[0]},,`,
    `03/02/2026,${name} closed,${names[0]},,`,
    `01/30/2026,${name},${names[0]},,`,
    `03/02/2026,${name},Hidden Imported ${number},,`,
    `03/02/2026,${name},Nobody Imported,,`,
    `02/30/2026,${name},${names[0]},,`,
    `03/02/2026,${name},${names[0]},2000,`,
    `03/02/2026,,${names[0]},,`,
    `03/02/2026,${name},,,`,
    `03/02/2026,${name},${names[0]},,${stranger.email}`,
    `03/02/2026,${name},${names[0]},0,`,
  ]);
  expect((await close(null)).status).toBe(200);
  expect(result).toMatchObject({ status: "done", created: 0, failed: 12 });
  expect(problemsOf(result)).toEqual([
    [2, `Group was not found: you see no group with this name: “${name} of others”`],
    [3, `Group is the name of several groups: “${name} twice”`],
    [4, expect.stringContaining("Date must not be after 02/01/2026, when the group closed")],
    [5, expect.stringMatching(/closed/)],
    [6, `Client was not found: no client has this name: “Hidden Imported ${number}”`],
    [7, "Client was not found: no client has this name: “Nobody Imported”"],
    [8, "Date: 02/30/2026 is not a date. Use MM/DD/YYYY, such as 03/14/1985."],
    [9, expect.stringMatching(/^Minutes must be/)],
    [10, "Group is required"],
    [11, "Client is required"],
    [12, expect.stringContaining("All Forms")],
    [13, "Minutes must be 1 or more: “0”"],
  ]);
  expect(await sessionsOf(group)).toEqual([]);
  expect(await formsOf(clients)).toBe(0);
});

test("needs Groups, Forms, and Clients", async () => {
  const other = await makeUser(["import", "groups", "forms"]);
  const sent = { raw: "Date,Group,Client\n", headers: { "content-type": "text/csv" } };
  const refused = await call(other.cookie, "POST", "/api/imports?kind=attendances", undefined, sent);
  expect(refused.status).toBe(403);
});

test("forgets the rows of a purged client and their texts, also after the form left its session", async () => {
  const keeper = await makeUser(["retention", "clients"]);
  const { name, names, clients } = await makeWorld();
  const id = clients[0]?.id ?? 0;
  const result = await importRows(["Date,Group,Client,Minutes", `2015-03-01,${name},${names[0]},n/a`]);
  expect(result).toMatchObject({ status: "done", created: 1 });
  await db().attendance.deleteMany({ where: { clientId: id } });
  await call(keeper.cookie, "PUT", "/api/retention", { retention: { years: 7, nightly: false } });
  await rows(sql`UPDATE clients SET updated_at = '2015-03-01' WHERE id = ${id}`);
  await rows(sql`UPDATE forms SET updated_at = '2015-03-01' WHERE client_id = ${id}`);
  expect(await db().importRow.count()).toBe(1);
  const blanks = { about: "blanks", importId: result.id };
  expect(await db().importNote.count({ where: blanks })).toBe(1);
  const purged = await call(keeper.cookie, "POST", "/api/retention/purge", { ids: [id] });
  expect(purged.body.done).toEqual([id]);
  expect(await db().importRow.count()).toBe(0);
  expect(await db().importNote.count({ where: blanks })).toBe(0);
});
