import readExcelFile from "read-excel-file/node";
import { beforeAll, describe, expect, test } from "vitest";
import { permissionKeys as ALL, type Permission } from "@/lib/core/access/permissions";
import { db, rows } from "@/lib/core/database/client";
import { byKey } from "@/lib/core/objects";
import { identifier, join, sql } from "@/lib/core/sql";
import { addressesOf, type EveryRead, pathOf } from "@/lib/dev/every-read";
import { recordKeys, records } from "@/lib/records/registry";
import { call, type Method } from "@/tests/call";
import { everyCall, type Row } from "@/tests/every-call";
import {
  formTypeId,
  fullClient,
  fullForm,
  makeClient,
  makeForm,
  makeUser,
  minimalForm,
  type Person,
} from "@/tests/factories";
import { makeGroup, makeSession, sessionOf } from "@/tests/groups";
import { makeRecord } from "@/tests/records";
import { filesIn } from "@/tests/zip";

// The last two columns of the table of calls in docs/reference/permissions.md. Two readers make every call: one without
// All Forms about a colleague's forms and contacts, and one with all permissions about a client who is hidden from them.
// A colleague with all permissions makes the same calls, so that a row that promises too much fails too.

/** A word in the texts of each world. */
const CANARIES = { colleagues: "Stieglitz", hidden: "Zeisig" };
const NOBODY = 7_399_999;
const calls = everyCall();

let colleague: Person;
let contactKindId: number;
let shelterIds: number[];

async function succeed(person: Person, method: Method, url: string, body?: unknown) {
  const response = await call(person.cookie, method, url, body);
  expect(response.status, `${method} ${url} ${JSON.stringify(response.body)}`).toBeLessThan(300);
  return response.body;
}

const makeContact = async (owner: Person) =>
  (
    await succeed(owner, "POST", "/api/contacts", {
      contact: { contactKindId, contactedOn: "2026-02-03", minutes: 20 },
    })
  ).contact;

const makeStay = async (clientId: number) =>
  (
    await succeed(colleague, "POST", "/api/stays", {
      stay: { clientId, shelterId: shelterIds[0], enteredOn: "2026-02-01" },
    })
  ).stay;

/** Returns the id of a new record of each declared kind that only its owner and holders of All Forms see. */
async function makeRecords(owner: Person): Promise<Record<string, number[]>> {
  const ids: Record<string, number[]> = {};
  for (const key of recordKeys.filter((key) => records[key].seenBy === "owner"))
    ids[key] = [(await makeRecord(owner, key)).id];
  return ids;
}

async function makeMarkedForm(owner: Person, clientId: number, mark: string): Promise<{ id: number }> {
  const text = JSON.stringify(await fullForm("Service", clientId)).replaceAll("Childcare", mark);
  return (await succeed(owner, "POST", "/api/forms", { form: JSON.parse(text) })).form;
}

beforeAll(async () => {
  colleague = await makeUser(ALL);
  contactKindId = (await db().contactKind.findFirstOrThrow()).id;
  shelterIds = [];
  for (const name of ["House", "Motel"]) {
    const shelter = { name, kind: "In-house", beds: 9 };
    shelterIds.push((await succeed(colleague, "POST", "/api/shelters", { shelter })).shelter.id);
  }
  // Ids large enough that a response contains them only on purpose.
  for (const [at, table] of [
    "clients",
    "forms",
    "stays",
    "contacts",
    "client_merges",
    "groups",
    "group_sessions",
    ...recordKeys,
  ].entries())
    await rows(sql`SELECT setval(${`${table}_id_seq`}, ${7_400_000 + at * 100_000})`);
});

/** The records of one reader's world that the reader must not know of. */
type World = { reader: Person; reads: EveryRead; canary: string; traces: (string | number)[] };

type Beginning = { reader: Person; submissionId: number; fill: () => Promise<World> };

/** A reader without All Forms, and a colleague's forms and contact; both see their client. */
async function colleaguesWorld(): Promise<Beginning> {
  const canary = CANARIES.colleagues;
  const reader = await makeUser(ALL.filter((key): key is Permission => key !== "all-forms"));
  const clientId = (await makeClient(colleague)).id;
  const submission = { from: "2026-01-01", to: "2026-03-31" };
  const submitted = await succeed(colleague, "POST", "/api/reports/pmt/submissions", { submission });
  return {
    reader,
    submissionId: submitted.submission.id,
    async fill() {
      const form = await makeMarkedForm(colleague, clientId, canary);
      const gap = await makeForm(colleague, {}, clientId);
      const contact = await makeContact(colleague);
      const recordIds = await makeRecords(colleague);
      const group = await makeGroup([colleague], { name: canary });
      const session = await makeSession(group, [colleague], [clientId]);
      const content = { clientId, client: { id: clientId }, form: { clientId, note: canary } };
      await succeed(colleague, "PUT", "/api/drafts/of-new", { draft: { formId: form.id, content } });
      const formIds = [form.id, gap.id];
      const reads = {
        clientIds: [clientId],
        formIds,
        contactIds: [contact.id],
        stayIds: [],
        recordIds,
        groupIds: [group.id],
        sessionOf: { [group.id]: session.id },
        userId: colleague.id,
        submissionId: submitted.submission.id,
      };
      return {
        reader,
        reads,
        canary,
        traces: [canary, ...formIds, contact.id, group.id, ...Object.values(recordIds).flat()],
      };
    },
  };
}

/** A reader with all permissions, and the records of a hidden client, some of them the reader's own. */
async function hiddenWorld(): Promise<Beginning> {
  const canary = CANARIES.hidden;
  const reader = await makeUser(ALL);
  // Restrictions are not written for the last user who could lift them.
  await makeUser(ALL);
  // The colleague's draft of the other world would be replaced by one of this world.
  await succeed(colleague, "DELETE", "/api/drafts/of-new");
  await succeed(colleague, "PUT", "/api/retention", { retention: { years: 5, nightly: false } });
  const submission = { from: "2026-01-01", to: "2026-03-31" };
  const submitted = await succeed(colleague, "POST", "/api/reports/pmt/submissions", { submission });
  const group = await makeGroup([reader, colleague]);
  return {
    reader,
    submissionId: submitted.submission.id,
    async fill() {
      const clientId = (await makeClient(reader, { ...(await fullClient()), name: `${canary} Held` })).id;
      const dueId = (await makeClient(colleague, { name: `${canary} Due` })).id;
      await succeed(colleague, "PUT", `/api/clients/${clientId}/hold`, {
        hold: { reason: `${canary} subpoena` },
      });
      await rows(sql`UPDATE clients SET updated_at = '2001-01-01' WHERE id = ${dueId}`);
      const own = await makeMarkedForm(reader, clientId, canary);
      await succeed(colleague, "POST", `/api/forms/${own.id}/return`, { comment: `${canary} why?` });
      const theirs = await makeMarkedForm(colleague, clientId, canary);
      const gap = await makeForm(colleague, {}, clientId);
      const stay = await makeStay(clientId);
      await succeed(colleague, "PUT", `/api/groups/${group.id}`, { group: { clientIds: [clientId] } });
      // A version may change by someone hidden. Nothing else tells of them.
      await rows(sql`UPDATE groups SET lock_version = 0 WHERE id = ${group.id}`);
      const session = await makeSession(group, [colleague], [clientId]);
      const content = { clientId, client: { id: clientId, name: canary }, form: { clientId } };
      for (const [key, formId] of [
        ["of-new", null],
        ["of-form", own.id],
      ] as const)
        await succeed(reader, "PUT", `/api/drafts/${key}`, { draft: { formId, content } });
      await succeed(colleague, "PUT", "/api/drafts/of-new", { draft: { formId: null, content } });
      for (const id of [clientId, dueId])
        await succeed(colleague, "PUT", `/api/clients/${id}/restrictions`, { userIds: [reader.id] });
      const formIds = [own.id, theirs.id, gap.id];
      const reads = {
        clientIds: [clientId, dueId],
        formIds,
        contactIds: [],
        stayIds: [stay.id],
        recordIds: {},
        groupIds: [group.id],
        sessionOf: { [group.id]: session.id },
        userId: colleague.id,
        submissionId: submitted.submission.id,
      };
      return { reader, reads, canary, traces: [canary, clientId, dueId, ...formIds, stay.id] };
    },
  };
}

/** Reads whose responses differ each time, if only because each read is an event. */
const NEVER_THE_SAME = /^\/api\/(archive|audit_events|health|oidc|sessions)\b/;

/** Returns what a reader learns from a URL: the status, and the content as text. */
async function read({ cookie }: Person, url: string): Promise<string> {
  const { status, body, bytes } = await call(cookie, "GET", url);
  const [path = ""] = url.split("?");
  if (status !== 200) return `${status} ${JSON.stringify(body)}`;
  if (path.endsWith(".xlsx")) return JSON.stringify(await readExcelFile(Buffer.from(bytes)));
  if (path.endsWith(".zip")) return JSON.stringify([...(await filesIn(bytes))]);
  return JSON.stringify(body);
}

/** Returns what a person reads at each path of the table, without the ids of the world. */
async function snapshot(person: Person, submissionId: number, word: string): Promise<Map<string, string>> {
  const nothing = {
    clientIds: [],
    formIds: [0],
    contactIds: [],
    stayIds: [],
    groupIds: [],
    sessionOf: {},
    recordIds: {},
    userId: 0,
    submissionId,
  };
  const contents = new Map<string, string>();
  for (const { path, needs } of calls)
    if (
      needs.GET &&
      !NEVER_THE_SAME.test(path) &&
      (!path.includes("{id}") || path.startsWith("/api/reports/"))
    )
      for (const url of addressesOf({ path }, nothing, word))
        contents.set(path, `${contents.get(path)}\n${await read(person, url)}`);
  return contents;
}

const changesOf = (before: Map<string, string>, after: Map<string, string>): Set<string> =>
  new Set([...after.keys()].filter((path) => after.get(path) !== before.get(path)));

/** The tables that change although a call is refused. */
const IGNORED = ["audit_events", "sessions", "_prisma_migrations"];

/** Returns a digest of each table. */
async function digests(): Promise<unknown> {
  const tables = await rows<{ name: string }>(
    sql`SELECT relname AS name FROM pg_class WHERE relkind IN ('r', 'p') AND NOT relispartition
     AND relnamespace = 'public'::regnamespace AND NOT relname = ANY(${IGNORED}::text[])`,
  );
  const digest = ({ name }: { name: string }) =>
    sql`SELECT ${name} AS name, md5(string_agg(t::text, '' ORDER BY t::text)) AS digest FROM ${identifier(name)} t`;
  return rows(sql`${join(tables.map(digest), " UNION ALL ")} ORDER BY name`);
}

/** Returns a body with which a colleague's call succeeds. A new call that needs one is added here. */
async function bodyFor(method: Method, path: string): Promise<object | undefined> {
  if (method === "GET" || method === "DELETE") return undefined;
  const client = await makeClient(colleague);
  const minimal = minimalForm(client.id, await formTypeId("Service"));
  const bodies: Record<string, object> = {
    "/api/forms/{id}": { form: { ...minimal, serviceOn: "2026-03-05" } },
    "/api/forms/{id}/comments": { text: "Please look" },
    "/api/forms/{id}/return": { comment: "Please look" },
    "/api/forms/{id}/reconcile": { reconciled: true },
    "/api/contacts/{id}": { contact: { contactKindId, minutes: 9 } },
    "/api/stays/{id}": { stay: { shelterId: shelterIds[0], enteredOn: "2026-02-02", adults: 1 } },
    "/api/stays/{id}/move": { shelterId: shelterIds[1], on: "2026-02-05" },
    "/api/clients/{id}": { client: { name: "Somebody" } },
    "/api/clients/{id}/compared": { phoneNumbers: [] },
    "/api/clients/{id}/hold": { hold: { reason: "Because" } },
    "/api/clients/{id}/restrictions": { userIds: [] },
    "/api/clients/{id}/merge": {
      client: { name: "Somebody", lockVersion: 0 },
      other: { id: client.id, lockVersion: 0 },
    },
    "/api/merges/{id}/undo": { keepChanged: true },
    "/api/groups/{id}": { group: {} },
    "/api/groups/{id}/sessions": sessionOf([colleague], []),
    "/api/groups/{id}/sessions/{sessionId}": { groupSession: {} },
    ...Object.fromEntries(recordKeys.map((key) => [`/api/${key}/{id}`, { [records[key].entity]: {} }])),
  };
  return bodies[path] ?? {};
}

/** Makes a record of the list for a call about it, and returns its id. */
const MAKERS: Record<string, (clientId: number, reads: EveryRead) => Promise<number>> = {
  clients: async (clientId) => clientId,
  forms: async (clientId) => (await makeForm(colleague, {}, clientId)).id,
  stays: async (clientId) => (await makeStay(clientId)).id,
  groups: async () => (await makeGroup([colleague])).id,
  sessions: async (_, reads) => {
    const group = await makeGroup([colleague]);
    reads.sessionOf[group.id] = (await makeSession(group, [colleague], [])).id;
    return group.id;
  },
  merges: async (clientId) => {
    const client = await db().client.findUniqueOrThrow({ where: { id: clientId } });
    const other = await makeClient(colleague);
    const { merge } = await succeed(colleague, "POST", `/api/clients/${clientId}/merge`, {
      client: { name: client.name, lockVersion: client.lockVersion },
      other: { id: other.id, lockVersion: other.lockVersion },
    });
    return merge.id;
  },
  ...byKey(recordKeys, (key) => async () => (await makeRecord(colleague, key)).id),
};
const listOf = ({ path }: Row) => (path.includes("{sessionId}") ? "sessions" : (path.split("/")[2] ?? ""));

describe.each([
  [
    "a colleague's form or contact",
    "colleagues",
    colleaguesWorld,
    async () => (await makeClient(colleague)).id,
  ],
  ["a hidden client's record", "hidden", hiddenWorld, null],
] as const)("%s", (_, column, begin, makeSeenClient) => {
  let world: World;
  /** The paths whose responses changed, for the reader and for the colleague. */
  let changed: { reader: Set<string>; others: Set<string> };

  beforeAll(async () => {
    const { reader, submissionId, fill } = await begin();
    const word = CANARIES[column].slice(0, 4);
    const before = [
      await snapshot(reader, submissionId, word),
      await snapshot(colleague, submissionId, word),
    ] as const;
    world = await fill();
    changed = {
      reader: changesOf(before[0], await snapshot(reader, submissionId, word)),
      others: changesOf(before[1], await snapshot(colleague, submissionId, word)),
    };
  });

  const tracesIn = (text: string) => world.traces.filter((trace) => text.includes(String(trace)));

  test("is shown and counted in each response as the table says", async () => {
    const wrong: unknown[] = [];
    for (const { path, [column]: word } of calls.filter(({ needs }) => needs.GET)) {
      const seen = { reader: new Set<unknown>(), others: new Set<unknown>() };
      for (const who of ["reader", "others"] as const) {
        const person = who === "reader" ? world.reader : colleague;
        for (const url of addressesOf({ path }, world.reads, world.canary.slice(0, 4)))
          for (const trace of tracesIn(await read(person, url))) seen[who].add(trace);
        if (seen[who].size === 0 && changed[who].has(path)) seen[who].add("a number");
      }
      const isRight = {
        "": seen.reader.size === 0 && seen.others.size === 0,
        "404": seen.reader.size === 0,
        "left out": seen.reader.size === 0 && seen.others.size > 0,
        counted: seen.reader.has("a number"),
        shared: seen.reader.size > 0 && !seen.reader.has("a number"),
      };
      if (!isRight[word]) wrong.push([path, word, [...seen.reader], [...seen.others]]);
    }
    expect(wrong).toEqual([]);
  });

  test.each(
    calls
      .filter((row) => row[column] === "404")
      .flatMap((row) =>
        Object.keys(row.needs).map((method): [Method, string, Row] => [method as Method, row.path, row]),
      ),
  )(
    "is answered by %s %s as if it did not exist, and does not change, while a colleague succeeds",
    async (method, path, row) => {
      const clientId = makeSeenClient ? await makeSeenClient() : (await makeClient(colleague)).id;
      const id = await MAKERS[listOf(row)]?.(clientId, world.reads);
      if (!id) throw new Error(`MAKERS needs the list of ${path}`);
      if (!makeSeenClient)
        await succeed(colleague, "PUT", `/api/clients/${clientId}/restrictions`, {
          userIds: [world.reader.id],
        });
      if (path.endsWith("/hold") && method === "DELETE")
        await succeed(colleague, "PUT", `/api/clients/${clientId}/hold`, { hold: { reason: "Because" } });
      const body = await bodyFor(method, path);
      const state = await digests();
      const real = await call(world.reader.cookie, method, pathOf({ path }, id, world.reads), body);
      const none = await call(world.reader.cookie, method, pathOf({ path }, NOBODY, world.reads), body);
      expect([real.status, real.body]).toEqual([none.status, none.body]);
      const need = row.needs[method];
      const needsAllForms =
        typeof need === "object" && need.also.includes("all-forms") && column === "colleagues";
      expect(real.status).toBe(needsAllForms ? 403 : 404);
      expect(await digests()).toEqual(state);
      await succeed(colleague, method, pathOf({ path }, id, world.reads), body);
    },
  );
});

test("a colleague's form or contact that a body names is refused as one that does not exist, and nothing changes", async () => {
  const advocate = await makeUser(ALL.filter((key) => key !== "all-forms"));
  const client = await makeClient(advocate);
  const own = await makeContact(advocate);
  const theirs = await makeForm(colleague);
  const theirContact = await makeContact(colleague);
  const form = minimalForm(client.id, await formTypeId("Service"));
  const naming: [Method, string, number, (id: number) => object][] = [
    ["POST", "/api/forms/reconcile", theirs.id, (id) => ({ ids: [id], reconciled: true })],
    ["POST", "/api/contacts", theirs.id, (id) => ({ contact: { contactKindId, formId: id } })],
    ["PUT", `/api/contacts/${own.id}`, theirs.id, (id) => ({ contact: { contactKindId, formId: id } })],
    ["PUT", "/api/drafts/named", theirs.id, (id) => ({ draft: { formId: id, content: {} } })],
    ["POST", "/api/forms", theirContact.id, (id) => ({ form: { ...form, contactId: id } })],
  ];
  const before = await digests();
  for (const [method, url, id, body] of naming) {
    const real = await call(advocate.cookie, method, url, body(id));
    const none = await call(advocate.cookie, method, url, body(NOBODY));
    const text = JSON.stringify(real.body).replaceAll(String(id), String(NOBODY));
    expect([url, real.status, JSON.parse(text)]).toEqual([url, none.status, none.body]);
    expect([url, await digests()]).toEqual([url, before]);
  }
});
