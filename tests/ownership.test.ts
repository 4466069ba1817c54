import { beforeAll, describe, expect, test } from "vitest";
import { PERMISSION_NAMES, type Permission, permissionKey } from "@/lib/core/access/permissions";
import type { Endpoint } from "@/lib/core/api/endpoint";
import { db, rows } from "@/lib/core/database/client";
import { identifier, join, sql } from "@/lib/core/database/sql";
import { addressesOf, type EveryRead, pathOf } from "@/lib/dev/every-read";
import { endpoints } from "@/lib/endpoints";
import { call, type Method } from "@/tests/call";
import {
  formTypeId,
  fullForm,
  makeClient,
  makeForm,
  makeUser,
  minimalForm,
  type Person,
} from "@/tests/factories";

// A user without All Forms makes every call about a colleague's form or contact, so that a new call that forgets to check
// the owner is covered too. Holders of Audit Log may know the ids of all forms, so this user does not hold it. Stays have
// no owner: all holders of Shelter share them.

const ALL = PERMISSION_NAMES.map((name) => permissionKey(name) as Permission);
const CANARY = "Zeisig";
const NOBODY = 7_399_999;

let supervisor: Person;
let advocate: Person;
let reads: EveryRead;
let clientId: number;
let contactKindId: number;
/** Ids of a supervisor's forms: one with every field, one without minutes, which reports list as a gap. */
let formIds: number[];
/** The id of a supervisor's contact. */
let contactId: number;
let shelterIds: number[];

const succeed = async (person: Person, method: Method, url: string, body?: unknown) => {
  const response = await call(person.cookie, method, url, body);
  expect(response.status, `${method} ${url} ${JSON.stringify(response.body)}`).toBeLessThan(300);
  return response.body;
};

const makeContact = async (owner: Person) =>
  (await succeed(owner, "POST", "/api/contacts", { contact: { contactKindId, contactedOn: "2026-02-03" } }))
    .contact;

beforeAll(async () => {
  supervisor = await makeUser(ALL);
  advocate = await makeUser(ALL.filter((key) => key !== "all-forms" && key !== "audit-log"));
  // Ids large enough that a response contains them only on purpose.
  await rows(sql`SELECT setval('forms_id_seq', 8400000), setval('contacts_id_seq', 9500000)`);
  clientId = (await makeClient(supervisor)).id;
  contactKindId = (await db().contactKind.findFirstOrThrow()).id;
  const shelter = { kind: "In-house", beds: 9 };
  shelterIds = [];
  for (const name of ["House", "Motel"])
    shelterIds.push(
      (await succeed(supervisor, "POST", "/api/shelters", { shelter: { ...shelter, name } })).shelter.id,
    );
  const body = JSON.stringify(await fullForm("Service", clientId)).replaceAll("Childcare", CANARY);
  const full = (await succeed(supervisor, "POST", "/api/forms", { form: JSON.parse(body) })).form;
  const gap = await makeForm(supervisor, {}, clientId);
  contactId = (await makeContact(supervisor)).id;
  const submission = { from: "2026-01-01", to: "2026-03-31" };
  const submitted = await succeed(supervisor, "POST", "/api/reports/pmt/submissions", { submission });
  await succeed(supervisor, "POST", `/api/forms/${full.id}/return`, { comment: `${CANARY} why?` });
  formIds = [full.id, gap.id];
  reads = {
    ...{ clientIds: [clientId], formIds, contactIds: [contactId], stayIds: [] },
    ...{ userId: supervisor.id, submissionId: submitted.submission.id },
  };
});

const tracesIn = (body: unknown) =>
  [CANARY, ...formIds, contactId].filter((trace) => JSON.stringify(body).includes(String(trace)));

test("no read call reveals a colleague's form or contact to a user without All Forms, while its owner sees it", async () => {
  const revealing = new Set<string>();
  for (const endpoint of endpoints.filter(({ method }) => method === "GET"))
    for (const url of addressesOf(endpoint, reads, CANARY.slice(0, 4))) {
      if (tracesIn((await call(supervisor.cookie, "GET", url)).body).length > 0) revealing.add(endpoint.path);
      const response = await call(advocate.cookie, "GET", url);
      expect(tracesIn(response.body), url).toEqual([]);
      expect(response.status, url).toBeLessThan(500);
    }
  expect([...revealing]).toEqual(
    expect.arrayContaining([
      "/api/forms",
      "/api/forms.csv",
      "/api/forms/{id}",
      "/api/forms/{id}/history",
      "/api/contacts",
      "/api/contacts.csv",
      "/api/contacts/{id}",
      "/api/clients/{id}/record.json",
      "/api/reports/{key}/lines/{lineKey}",
      "/api/reports/{key}/lines/{lineKey}/records.csv",
      "/api/reports/{key}/gaps",
      "/api/reports/{key}/gaps/{field}/records.csv",
    ]),
  );
});

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
  return rows(join(tables.map(digest), " UNION ALL "));
}

const endpointsAbout = (list: "forms" | "contacts" | "stays") =>
  endpoints.filter(({ path }) => path.startsWith(`/api/${list}/{id}`));

/** Returns a body with which the owner's call succeeds. A new endpoint that needs one is added here. */
async function bodyFor({ method, path }: Endpoint): Promise<object | undefined> {
  if (method === "GET" || method === "DELETE") return undefined;
  const minimal = minimalForm(clientId, await formTypeId("Service"));
  const bodies: Record<string, object> = {
    "/api/forms/{id}": { form: { ...minimal, serviceOn: "2026-03-05" } },
    "/api/forms/{id}/comments": { text: "Please look" },
    "/api/forms/{id}/return": { comment: "Please look" },
    "/api/forms/{id}/reconcile": { reconciled: true },
    "/api/contacts/{id}": { contact: { contactKindId, minutes: 9 } },
    "/api/stays/{id}": { stay: { shelterId: shelterIds[0], enteredOn: "2026-02-02", adults: 1 } },
    "/api/stays/{id}/move": { shelterId: shelterIds[1], on: "2026-02-05" },
  };
  return bodies[path] ?? {};
}

describe.each([
  ["forms", 6, async () => (await makeForm(supervisor, {}, clientId)).id],
  ["contacts", 4, async () => (await makeContact(supervisor)).id],
] as const)("every call about a colleague's record of %s", (list, least, make: () => Promise<number>) => {
  test("answers a user without All Forms as if it did not exist, and changes nothing, while its owner succeeds", async () => {
    const about = endpointsAbout(list);
    expect(about.length).toBeGreaterThanOrEqual(least);
    for (const endpoint of about) {
      const { method } = endpoint;
      const [id, body] = [await make(), await bodyFor(endpoint)];
      const before = await digests();
      const answers = [];
      for (const one of [id, NOBODY]) {
        const response = await call(advocate.cookie, method, pathOf(endpoint, one, reads), body);
        answers.push([method, endpoint.path, response.status, response.body]);
      }
      expect(answers[0]).toEqual(answers[1]);
      const needed = [endpoint.permission, endpoint.additionalPermissions ?? []].flat();
      expect(answers[0]?.[2]).toBe(needed.includes("all-forms") ? 403 : 404);
      expect([method, endpoint.path, await digests()]).toEqual([method, endpoint.path, before]);
      await succeed(supervisor, method, pathOf(endpoint, id, reads), body);
    }
  });
});

test("a colleague's form or contact that a body names is refused as one that does not exist, and nothing changes", async () => {
  const [client, own] = [await makeClient(advocate), await makeContact(advocate)];
  const form = minimalForm(client.id, await formTypeId("Service"));
  const naming: [Method, string, number | undefined, (id: number) => object][] = [
    ["POST", "/api/forms/reconcile", formIds[0], (id) => ({ ids: [id], reconciled: true })],
    ["POST", "/api/contacts", formIds[1], (id) => ({ contact: { contactKindId, formId: id } })],
    ["PUT", `/api/contacts/${own.id}`, formIds[1], (id) => ({ contact: { contactKindId, formId: id } })],
    ["PUT", "/api/drafts/named", formIds[1], (id) => ({ draft: { formId: id, content: {} } })],
    ["POST", "/api/forms", contactId, (id) => ({ form: { ...form, contactId: id } })],
  ];
  const before = await digests();
  for (const [method, url, id = 0, body] of naming) {
    const [real, none] = [
      await call(advocate.cookie, method, url, body(id)),
      await call(advocate.cookie, method, url, body(NOBODY)),
    ];
    const text = JSON.stringify(real.body).replaceAll(String(id), String(NOBODY));
    expect([url, real.status, JSON.parse(text)]).toEqual([url, none.status, none.body]);
    expect([url, await digests()]).toEqual([url, before]);
  }
});

test("every call about a colleague's stay succeeds for holders of Shelter, and is refused and changes nothing for others", async () => {
  const outsider = await makeUser(ALL.filter((key) => key !== "shelter"));
  const about = endpointsAbout("stays");
  expect(about.length).toBeGreaterThanOrEqual(5);
  for (const endpoint of about) {
    const { method } = endpoint;
    const stay = {
      clientId: (await makeClient(supervisor)).id,
      shelterId: shelterIds[0],
      enteredOn: "2026-02-01",
    };
    const { id } = (await succeed(supervisor, "POST", "/api/stays", { stay })).stay;
    const [url, body] = [pathOf(endpoint, id, reads), await bodyFor(endpoint)];
    const before = await digests();
    expect([method, url, (await call(outsider.cookie, method, url, body)).status]).toEqual([
      method,
      url,
      403,
    ]);
    expect([method, url, await digests()]).toEqual([method, url, before]);
    await succeed(advocate, method, url, body);
  }
});
