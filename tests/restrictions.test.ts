import { beforeAll, describe, expect, test } from "vitest";
import { audit } from "@/lib/audit/record";
import { PERMISSION_NAMES, type Permission, permissionKey } from "@/lib/core/access/permissions";
import { db, rows } from "@/lib/core/database/client";
import { sql } from "@/lib/core/sql";
import { PERIOD } from "@/lib/dev/every-read";
import { threadQuery } from "@/lib/forms/by-client/schema";
import { clientScreen } from "@/lib/forms/by-client/screen";
import { runImports } from "@/lib/transfer/imports/run";
import { actorFor, call, type Method } from "@/tests/call";
import {
  fullClient,
  fullForm,
  makeClient,
  makeForm,
  makeUser,
  minimalForm,
  type Person,
} from "@/tests/factories";

// A client who is hidden from one user (Restrict Clients). tests/visibility.test.ts makes every call as such a user.

const ALL = PERMISSION_NAMES.map((name) => permissionKey(name) as Permission);
const CANARY = "Zeisig";
const NOBODY = 7_399_999;

let colleague: Person;
/** This user sees every client, so that clients can be hidden from all others. */
let overseer: Person;
let hidden: Person;
let clientId: number;
let dueId: number;
/** Forms of the hidden client: one of the excluded user's own, which was returned, and one of a colleague's. */
let own: { id: number; lockVersion: number };
let theirs: { id: number; lockVersion: number };

const as = (person: Person, method: Method, url: string, body?: unknown) =>
  call(person.cookie, method, url, body);

async function callSuccessfully(person: Person, method: Method, url: string, body?: unknown) {
  const answer = await as(person, method, url, body);
  expect(answer.status, `${method} ${url} ${JSON.stringify(answer.body)}`).toBeLessThan(300);
  return answer.body;
}
const restrict = (person: Person, id: number, userIds: number[]) =>
  as(person, "PUT", `/api/clients/${id}/restrictions`, { userIds });

beforeAll(async () => {
  colleague = await makeUser(ALL);
  hidden = await makeUser(ALL);
  overseer = await makeUser(ALL);
  // Ids large enough that a response contains them only on purpose.
  await rows(sql`SELECT setval('clients_id_seq', 7300000), setval('forms_id_seq', 8400000)`);
  clientId = (await makeClient(hidden, { ...(await fullClient()), name: `${CANARY} Held` })).id;
  dueId = (await makeClient(hidden, { name: `${CANARY} Due` })).id;
  const makeFormOf = async (person: Person, type: "Survivor" | "Service") =>
    (
      await callSuccessfully(person, "POST", "/api/forms", {
        form: JSON.parse(
          JSON.stringify(await fullForm(type, clientId)).replaceAll("Childcare", `${CANARY} childcare`),
        ),
      })
    ).form;
  own = await makeFormOf(hidden, "Service");
  theirs = await makeFormOf(colleague, "Survivor");

  await callSuccessfully(colleague, "PUT", "/api/retention", { retention: { years: 5, nightly: false } });
  await rows(sql`UPDATE clients SET updated_at = '2001-01-01' WHERE id = ${dueId}`);
  await callSuccessfully(colleague, "PUT", `/api/clients/${clientId}/hold`, {
    hold: { reason: `${CANARY} subpoena` },
  });
  await callSuccessfully(colleague, "POST", `/api/forms/${own.id}/return`, { comment: `${CANARY} why?` });
  await rows(sql`UPDATE clients SET lock_version = lock_version + 1 WHERE id = ${clientId}`);
  const content = { clientId, client: { id: clientId, name: `${CANARY} Held` }, form: { clientId } };
  await callSuccessfully(hidden, "PUT", "/api/drafts/of-new", { draft: { formId: null, content } });
  await callSuccessfully(hidden, "PUT", "/api/drafts/of-form", { draft: { formId: own.id, content } });
  expect((await restrict(colleague, clientId, [hidden.id])).status).toBe(200);
  expect((await restrict(colleague, dueId, [hidden.id])).status).toBe(200);
});

describe("for a hidden client, exactly as for one who does not exist,", () => {
  const sameFor = async (send: (id: number) => [Method, string, unknown]) => {
    const [real, none] = await Promise.all(
      [clientId, NOBODY].map(async (id) => {
        const { status, body } = await as(hidden, ...send(id));
        return { status, text: JSON.stringify(body).replaceAll(String(id), "#") };
      }),
    );
    expect(real).toEqual(none);
    return real?.status;
  };

  test("no form can be written, or moved there from another client", async () => {
    const form = await makeForm(hidden);
    const body = (id: number) => ({
      form: { ...minimalForm(id, form.formTypeId), lockVersion: form.lockVersion },
    });
    expect(await sameFor((id) => ["POST", "/api/forms", body(id)])).toBe(422);
    expect(await sameFor((id) => ["PUT", `/api/forms/${form.id}`, body(id)])).toBe(422);
  });

  test("no merge is possible", async () => {
    const { id } = await makeClient(hidden);
    const both = (other: number) => ({
      client: { name: "Somebody", lockVersion: 0 },
      other: { id: other, lockVersion: 0 },
    });
    expect(await sameFor((other) => ["POST", `/api/clients/${id}/merge`, both(other)])).toBe(422);
  });

  test("no draft can be stored, and none from before is available", async () => {
    const body = (id: number) => ({ draft: { formId: null, content: { form: { clientId: id } } } });
    expect(await sameFor((id) => ["PUT", "/api/drafts/again", body(id)])).toBe(404);
    // If a colleague could store one, the refusal would reveal that clients are hidden.
    expect((await as(colleague, "PUT", "/api/drafts/again", body(NOBODY))).status).toBe(404);
    for (const key of ["of-new", "of-form"])
      expect((await as(hidden, "GET", `/api/drafts/${key}`)).status).toBe(404);
    expect((await as(hidden, "GET", "/api/drafts")).body.drafts).toEqual([]);
    const visible = (await makeClient(hidden)).id;
    await callSuccessfully(hidden, "PUT", "/api/drafts/of-another", body(visible));
    expect((await as(hidden, "GET", "/api/drafts")).body.drafts).toHaveLength(1);
  });

  test("bulk reconcile, purge and name search find nothing", async () => {
    expect(await sameFor((id) => ["POST", "/api/retention/purge", { ids: [id] }])).toBe(200);
    const reconcile = (id: number) => ({ ids: [id], reconciled: true });
    const { body } = await as(hidden, "POST", "/api/forms/reconcile", reconcile(theirs.id));
    expect(body).toEqual({
      done: [],
      changed: [],
      failed: [{ id: theirs.id, error: "Not found", code: "not_found" }],
    });
    for (const url of ["/api/clients/search", "/api/clients/similar"]) {
      const [field] = url.endsWith("search") ? ["search"] : ["name"];
      const asked = { [field as string]: `${CANARY} Held` };
      expect((await callSuccessfully(hidden, "POST", url, asked)).clients, url).toEqual([]);
      expect((await callSuccessfully(colleague, "POST", url, asked)).clients, url).not.toEqual([]);
    }
  });
});

test("the number of records that use a settings row leaves out a hidden client's records", async () => {
  const { ethnicity } = await callSuccessfully(colleague, "POST", "/api/ethnicities", {
    ethnicity: { name: "Sorbian" },
  });
  const values = { clientDemographicEntryAttributes: { ethnicityId: ethnicity.id } };
  const client = await makeClient(colleague, values);
  const unknown = await makeClient(colleague, values);
  const refusal = async (person: Person) => {
    const { status, body } = await as(person, "DELETE", `/api/ethnicities/${ethnicity.id}`);
    return [status, body.code, body.error];
  };
  const of = "This ethnicity is used by";
  const and = "and cannot be removed";
  const both = [409, "conflict_in_use", `${of} 2 records ${and}`];
  expect(await refusal(hidden)).toEqual(both);
  await restrict(colleague, unknown.id, [hidden.id]);
  expect(await refusal(hidden)).toEqual([409, "conflict_in_use", `${of} 1 record ${and}`]);
  expect(await refusal(colleague)).toEqual(both);
  await callSuccessfully(colleague, "DELETE", `/api/clients/${client.id}`);
  expect(await refusal(hidden)).toEqual([409, "conflict_in_use", `${of} other records ${and}`]);
  // This also applies to a client found through a form.
  const codes = (await callSuccessfully(colleague, "GET", "/api/service_codes?perPage=100")).serviceCodes;
  const { id: codeId } = codes.find(({ code }: { code: string }) => code === "TRANSPORT");
  const countUses = async () =>
    Number(/\d+/.exec(String((await as(hidden, "DELETE", `/api/service_codes/${codeId}`)).body.error))?.[0]);
  const serviceEntryAttributes = {
    serviceProvidedEntriesAttributes: [{ serviceCodeId: codeId, minutes: 15 }],
  };
  const seen = await makeClient(colleague);
  await makeForm(colleague, { serviceEntryAttributes }, seen.id);
  const before = await countUses();
  await makeForm(colleague, { serviceEntryAttributes }, unknown.id);
  expect(await countUses()).toBe(before);
  await restrict(colleague, unknown.id, []);
});

describe("a contact that a colleague links to a hidden client's form, compared with one that is never linked,", () => {
  type Contact = { id: number; contactKindId: number };
  const lists = {
    contactKind: "contact_kinds",
    ageBracket: "age_brackets",
    referralSource: "referral_sources",
  };
  /** Creates a contact that alone uses three rows of the settings. */
  async function contactWithOwnRows(tag: string): Promise<{ contact: Contact; urls: string[] }> {
    const items = {
      contactKind: { name: `Kind ${tag}` },
      ageBracket: { name: `Bracket ${tag}`, rangeStart: 1 },
      referralSource: { code: `R${tag}`, description: `Source ${tag}` },
    };
    const [contact, urls]: [Record<string, unknown>, string[]] = [
      { contactedOn: "2026-02-03", minutes: 5 },
      [],
    ];
    for (const [key, item] of Object.entries(items)) {
      const list = `/api/${lists[key as keyof typeof lists]}`;
      const { id } = (await callSuccessfully(colleague, "POST", list, { [key]: item }))[key];
      contact[`${key}Id`] = id;
      urls.push(`${list}/${id}`);
    }
    return { contact: (await callSuccessfully(hidden, "POST", "/api/contacts", { contact })).contact, urls };
  }
  /** Links it by PUT to a new form of the hidden client. */
  async function link({ id, contactKindId }: Contact): Promise<number> {
    const form = await makeForm(colleague, {}, clientId);
    const contact = { contactKindId, formId: form.id };
    const body = await callSuccessfully(colleague, "PUT", `/api/contacts/${id}`, { contact });
    expect(body.contact.formId).toBe(form.id);
    return form.id;
  }
  /** Sends the same call about each and expects the same response, apart from ids and times. */
  async function expectSame<Item>(
    items: readonly [Item, Item],
    send: (item: Item) => [Method, string, unknown?],
  ) {
    const answers = [];
    for (const item of items) {
      const [method, url, body] = send(item);
      const answer = await as(hidden, method, url, body);
      const text = JSON.stringify(answer.body)
        ?.replaceAll(/"(\w*[iI]d|entityId|requestId)":("[^"]*"|\d+)/g, '"$1":"#"')
        .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "#")
        .replaceAll(/"(from|to)":\d+/g, '"$1":"#"')
        .replaceAll(/(Kind|Bracket|Source) (one|two)|R(one|two)/g, "#");
      answers.push([answer.status, text]);
    }
    expect(answers[0]).toEqual(answers[1]);
    return answers[0];
  }

  test("shows no version, event, change since a submission, or 'other records'", async () => {
    const one = await contactWithOwnRows("one");
    const two = await contactWithOwnRows("two");
    const period = { submission: { from: "2026-01-01", to: "2026-03-31" } };
    const url = "/api/reports/fvpsa/submissions";
    const { submission } = await callSuccessfully(colleague, "POST", url, period);
    await link(one.contact);
    const both = [one.contact, two.contact] as const;
    for (const rest of ["", "/history", "/history?filters[views]=true"])
      expect(await expectSame(both, ({ id }) => ["GET", `/api/contacts/${id}${rest}`])).toContain(200);
    await expectSame(both, ({ id }) => [
      ...(["GET", `/api/audit_events?filters[entity]=contact&filters[entityId]=${id}`] as const),
    ]);
    const { lines } = (await callSuccessfully(hidden, "GET", `${url}/${submission.id}`)).submission;
    const changed = lines.flatMap(({ contacts = [] }: { contacts?: { contactId: number }[] }) => contacts);
    expect(changed).toEqual([]);
    for (const { id } of both)
      expect(
        await db().contact.findUniqueOrThrow({
          where: { id },
          select: { lockVersion: true, updatedById: true },
        }),
      ).toEqual({ lockVersion: 0, updatedById: hidden.id });
    for (const at of [0, 1, 2])
      expect(await expectSame([one, two], ({ urls }) => ["DELETE", String(urls[at])])).toEqual([
        409,
        expect.stringContaining("is used by 1 record"),
      ]);
    expect(await expectSame(both, ({ id }) => ["DELETE", `/api/contacts/${id}`])).toContain(204);
    for (const at of [0, 1, 2])
      expect(await expectSame([one, two], ({ urls }) => ["DELETE", String(urls[at])])).toContain(204);
  });

  test("is removed too when its import is undone", async () => {
    const text = "Date,Kind,Minutes\r\n02/03/2026,Walk-in,5\r\n02/04/2026,Walk-in,6\r\n";
    const upload = { raw: text, headers: { "content-type": "text/csv" } };
    const { body } = await call(hidden.cookie, "POST", "/api/imports?kind=contacts", undefined, upload);
    const importUrl = `/api/imports/${body.import.id}`;
    const work = () => runImports(new AbortController().signal);
    const { matches } = (await callSuccessfully(hidden, "GET", importUrl)).import;
    await callSuccessfully(hidden, "POST", `${importUrl}/start`, {
      import: { dryRun: false, matches, ownerId: null },
    });
    await work();
    const imported = await db().contact.findMany({ orderBy: { id: "desc" }, take: 2 });
    const [first] = imported;
    const formId = await link(first as Contact);
    await callSuccessfully(hidden, "POST", `${importUrl}/undo`);
    await work();
    const undone = (await callSuccessfully(hidden, "GET", importUrl)).import;
    expect(undone).toMatchObject({ status: "undone", removed: 2, kept: 0, notes: [] });
    expect(await db().contact.count({ where: { id: { in: imported.map(({ id }) => id) } } })).toBe(0);
    expect((await as(colleague, "GET", `/api/forms/${formId}`)).status).toBe(200);
  });
});

test("a form of a hidden client is left out of the recorded list contents when it is deleted", async () => {
  const { id } = await makeClient(colleague);
  const form = await makeForm(colleague, {}, id);
  await restrict(colleague, id, [hidden.id]);
  await callSuccessfully(colleague, "GET", `/api/forms?filters[formStatus]=all&filters[clientId]=${id}`);
  await callSuccessfully(colleague, "DELETE", `/api/forms/${form.id}`);
  const formsShownTo = async (person: Person): Promise<number[]> =>
    (
      await callSuccessfully(
        person,
        "GET",
        "/api/audit_events?filters[entity]=form&filters[action]=listed&perPage=100",
      )
    ).auditEvents.flatMap(({ shown }: { shown: number[] | null }) => shown ?? []);
  expect(await formsShownTo(colleague)).toContain(form.id);
  expect(await formsShownTo(hidden)).not.toContain(form.id);
  const about = async (person: Person) =>
    (
      await callSuccessfully(
        person,
        "GET",
        `/api/audit_events?filters[entityId]=${form.id}&filters[entity]=form`,
      )
    ).auditEvents.length;
  expect(await about(colleague)).toBeGreaterThan(0);
  expect(await about(hidden)).toBe(0);
  await restrict(colleague, id, []);
});

test("with a hidden client, the Audit Log shows no counts of colleagues' imports and Audit Log views", async () => {
  const { id } = await makeClient(colleague);
  await restrict(colleague, id, [hidden.id]);
  await audit(rows, await actorFor(colleague), {
    action: "imported",
    entity: "import",
    entityId: 1,
    count: 3,
  });
  await audit(rows, await actorFor(hidden), { action: "imported", entity: "import", entityId: 2, count: 4 });
  await callSuccessfully(
    colleague,
    "GET",
    `/api/audit_events?filters[entity]=client&filters[entityId]=${id}`,
  );
  const counts = async (person: Person, by: Person, entity: string) =>
    (
      await callSuccessfully(
        person,
        "GET",
        `/api/audit_events?filters[userId]=${by.id}&filters[entity]=${entity}&filters[views]=true&perPage=100`,
      )
    ).auditEvents.flatMap(({ rows, shown }: { rows: number | null; shown: number[] | null }) => [
      rows,
      shown,
    ]);
  expect(await counts(colleague, colleague, "import")).toContain(3);
  expect(await counts(hidden, colleague, "import")).not.toContain(3);
  expect(await counts(hidden, hidden, "import")).toContain(4);
  const looks = await counts(hidden, colleague, "auditEvent");
  expect([looks.length > 0, looks.filter((count: unknown) => count !== null)]).toEqual([true, []]);
  expect((await counts(hidden, hidden, "auditEvent")).some((count: unknown) => count !== null)).toBe(true);
  await restrict(colleague, id, []);
});

test("other clients with the same name stay visible, and counts match the lists", async () => {
  const twin = await makeClient(hidden, { name: `${CANARY} Held` });
  const { clients, meta } = (await as(hidden, "GET", "/api/clients?search=zeisig")).body;
  expect([clients.map(({ id }: { id: number }) => id), meta.totalCount]).toEqual([[twin.id], 1]);
  const [mine, everyones] = await Promise.all(
    [hidden, colleague].map(async (person) => (await as(person, "GET", "/api/clients")).body.meta.totalCount),
  );
  expect(mine).toBe(everyones - 2);
  await callSuccessfully(colleague, "DELETE", `/api/clients/${twin.id}`);
});

test("an API token does not see clients hidden from its owner", async () => {
  const ids = (await db().permission.findMany({ where: { name: { in: ["Forms", "Clients"] } } })).map(
    ({ id }) => id,
  );
  const response = await callSuccessfully(hidden, "POST", "/api/api_tokens", {
    apiToken: {
      name: "Sheet",
      expiresOn: new Date(Date.now() + 30 * 86_400_000).toISOString().slice(0, 10),
      permissionIds: ids,
      addresses: [],
    },
  });
  const headers = { authorization: `Bearer ${response.apiToken.token}` };
  const read = async (url: string) => (await call(null, "GET", url, undefined, { headers })).status;
  expect([await read(`/api/clients/${clientId}`), await read(`/api/forms/${own.id}`)]).toEqual([404, 404]);
});

test("reports leave out a hidden client, and the lists behind a number do not reveal that one is missing", async () => {
  const read = async (person: Person, rest: string) =>
    await callSuccessfully(person, "GET", `/api/reports/pmt${rest}?${PERIOD}`);
  const servedCount = async (person: Person) =>
    (await read(person, "")).report.sections[0].lines.find(
      ({ key }: { key: string }) => key === "individuals_served",
    ).count;
  expect(await servedCount(hidden)).toBe((await servedCount(colleague)) - 1);
  const line = "/lines/individuals_served";
  expect((await read(colleague, line)).clients).toContain(clientId);
  expect((await read(hidden, line)).clients).not.toContain(clientId);
});

/** Returns the names of the users who could not see a client, before and after each change, newest first. */
const restrictionChanges = async ({ id }: { id: number }) =>
  (await callSuccessfully(colleague, "GET", `/api/clients/${id}/history`)).events
    .filter(({ action }: { action: string }) => action === "restricted")
    .map(({ changes: [change] }: { changes: { from: string; to: string }[] }) =>
      [change?.from, change?.to].map((names) => names?.split(", ").sort()),
    );
const namesOf = (...people: Person[]) =>
  people.map(({ id, firstName, lastName }) => `${firstName} ${lastName} (${id})`).sort();

describe("a restriction", () => {
  test("is set and recorded by another user, and applies from the next request of an existing session", async () => {
    const other = await makeUser(ALL);
    const client = await makeClient(other, { name: "Wren" });
    const url = `/api/clients/${client.id}`;
    const status = async () => (await as(other, "GET", url)).status;
    expect(await status()).toBe(200);
    const { restrictions } = (await restrict(colleague, client.id, [other.id])).body;
    expect(restrictions).toMatchObject([{ user: { id: other.id, active: true }, by: "First1 Last1" }]);
    expect(await status()).toBe(404);
    // The excluded user can neither see who is excluded nor lift the restriction.
    expect((await as(other, "GET", `${url}/restrictions`)).status).toBe(404);
    expect((await restrict(other, client.id, [])).status).toBe(404);
    // Another holder has read the list before that, and gets a conflict.
    const late = { userIds: [hidden.id], formerUserIds: [] };
    expect(await as(overseer, "PUT", `${url}/restrictions`, late)).toMatchObject({
      status: 409,
      body: {
        code: "conflict_version",
        error: "Someone changed the restrictions since you opened this page",
      },
    });
    const lifted = { userIds: [], formerUserIds: [other.id] };
    expect((await as(colleague, "PUT", `${url}/restrictions`, lifted)).body).toEqual({ restrictions: [] });
    expect(await status()).toBe(200);

    const { events } = (await as(colleague, "GET", `${url}/history`)).body;
    const restrictedEvents = events.filter(({ action }: { action: string }) => action === "restricted");
    const name = `${other.firstName} ${other.lastName} (${other.id})`;
    expect(
      restrictedEvents.map(({ userId, changes }: { userId: number; changes: unknown[] }) => [
        userId,
        changes,
      ]),
    ).toMatchObject([
      [colleague.id, [{ field: "client.hiddenFrom", from: name, to: "" }]],
      [colleague.id, [{ field: "client.hiddenFrom", from: "", to: name }]],
    ]);
    const advocate = await makeUser();
    expect(JSON.stringify((await as(advocate, "GET", `${url}/history`)).body)).not.toContain("restricted");
  });

  test("cannot exclude oneself or unknown users, but can exclude holders of the permission", async () => {
    const fields = async (ids: number[]) => (await restrict(colleague, dueId, ids)).body.fields;
    expect(await fields([hidden.id, colleague.id])).toEqual({
      userIds: "You cannot hide a client from yourself",
    });
    expect(await fields([hidden.id, 999_999])).toEqual({ userIds: "User does not exist" });
    const { restrictions } = (await as(colleague, "GET", `/api/clients/${dueId}/restrictions`)).body;
    expect(restrictions.map(({ user }: { user: Person }) => user.id)).toEqual([hidden.id]);
  });

  test("cannot exclude every other user who could lift it or find it in the Audit Log, unless no others exist", async () => {
    const { id } = await makeClient(colleague);
    const hideFrom = async (userIds: number[]) => {
      const { status, body } = await restrict(colleague, id, userIds);
      return [status, body.fields];
    };
    const others = { active: true, id: { notIn: [colleague.id, overseer.id] } };
    const named = (await db().user.findMany({ where: others })).map((user) => user.id);
    const refusalOf = (what: string) => [
      422,
      { userIds: `At least one other person who can ${what} must still see the client` },
    ];
    expect(await hideFrom([...named, overseer.id])).toEqual(refusalOf("undo this"));
    await makeUser(["restrict-clients"]);
    expect(await hideFrom([...named, overseer.id])).toEqual(refusalOf("undo this"));
    await makeUser(["restrict-clients", "clients"]);
    expect(await hideFrom([...named, overseer.id])).toEqual(refusalOf("read the Audit Log"));
    expect(await hideFrom(named)).toEqual([200, undefined]);

    const active = (is: boolean) =>
      db().user.updateMany({ where: { id: { not: colleague.id } }, data: { active: is } });
    await db().user.update({ where: { id: overseer.id }, data: { active: false } });
    expect(await hideFrom(named.slice(1))).toEqual([200, undefined]);
    expect(await hideFrom(named)).toEqual(refusalOf("read the Audit Log"));
    await active(false);
    expect(await hideFrom([...named, overseer.id])).toEqual([200, undefined]);
    await active(true);
  });

  test("can be lifted by some account: the last one that could is kept while any client is hidden", async () => {
    const last = await makeUser(ALL);
    const peer = await makeUser(ALL);
    const canSignIn = (id: number) => db().user.update({ where: { id }, data: { passwordHash: "unused" } });
    const { roleId } = await canSignIn(last.id);
    const left = await db().permission.findMany({ where: { name: { not: "Restrict Clients" } } });
    const role = { name: `Without ${roleId}`, permissionIds: left.map(({ id }) => id) };
    const narrow = async () => {
      const { status, body } = await as(peer, "PUT", `/api/roles/${roleId}`, { role });
      return [status, body.fields];
    };
    expect(await narrow()).toEqual([
      422,
      {
        "role.permissionIds": "This would remove the last account that has Restrict Clients and Clients",
      },
    ]);
    await canSignIn(overseer.id);
    expect(await narrow()).toEqual([200, undefined]);
  });

  test("can be changed only after a recent password confirmation", async () => {
    const stale = await makeUser(ALL);
    await db().session.updateMany({ where: { userId: stale.id }, data: { provedAt: new Date(0) } });
    expect((await restrict(stale, (await makeClient(stale)).id, [])).body.code).toBe("proof_needed");
  });

  test("remains while an account is deactivated, and after the client's record is deleted", async () => {
    const leaver = await makeUser(ALL);
    const client = await makeClient(colleague);
    await restrict(colleague, client.id, [leaver.id]);
    await callSuccessfully(colleague, "DELETE", `/api/clients/${client.id}`);
    const body = await callSuccessfully(
      leaver,
      "GET",
      `/api/audit_events?filters[entity]=client&filters[entityId]=${client.id}`,
    );
    expect(body.auditEvents).toEqual([]);
    await db().user.update({ where: { id: leaver.id }, data: { active: false } });
    expect(await db().clientRestriction.count({ where: { userId: leaver.id } })).toBe(1);
    await callSuccessfully(colleague, "DELETE", `/api/users/${leaver.id}`);
    expect(await db().clientRestriction.count({ where: { clientId: client.id } })).toBe(0);
  });

  test("is combined when two records are merged, and remains so when the merge is undone", async () => {
    const first = await makeUser(ALL);
    const second = await makeUser(ALL);
    const target = await makeClient(colleague);
    const duplicate = await makeClient(colleague);
    await restrict(colleague, target.id, [first.id]);
    await restrict(colleague, duplicate.id, [second.id]);
    const pair = { client: { name: "Wren", lockVersion: 0 }, other: { id: duplicate.id, lockVersion: 0 } };
    const { merge } = await callSuccessfully(colleague, "POST", `/api/clients/${target.id}/merge`, pair);
    const visibilityFor = async (person: Person) => [
      (await as(person, "GET", `/api/clients/${target.id}`)).status,
      (await as(person, "GET", `/api/clients/${duplicate.id}/merges`)).status,
      (await as(person, "GET", `/api/clients/${duplicate.id}/history`)).status,
      (await as(person, "GET", `/api/audit_events?filters[entity]=client&filters[entityId]=${duplicate.id}`))
        .body.meta.totalCount,
    ];
    expect([await visibilityFor(first), await visibilityFor(second)]).toEqual([
      [404, 404, 404, 0],
      [404, 404, 404, 0],
    ]);
    for (const { id } of [target, duplicate])
      await expect(clientScreen(await actorFor(second), id, threadQuery.parse({}))).rejects.toMatchObject({
        code: "not_found",
      });
    const both = namesOf(first, second);
    expect(await restrictionChanges(target)).toEqual([
      [namesOf(first), both],
      [[""], namesOf(first)],
    ]);
    expect((await restrictionChanges(duplicate))[0]).toEqual([namesOf(second), both]);
    await callSuccessfully(colleague, "POST", `/api/merges/${merge.id}/undo`, { keepChanged: false });
    for (const { id } of [target, duplicate]) {
      const { restrictions } = await callSuccessfully(colleague, "GET", `/api/clients/${id}/restrictions`);
      expect(restrictions.map(({ user }: { user: Person }) => user.id)).toEqual([first.id, second.id]);
    }
  });

  test("returns for the record that a merge had deleted, even if it was lifted from the merged one", async () => {
    const formerly = await makeUser(ALL);
    const since = await makeUser(ALL);
    const target = await makeClient(colleague);
    const duplicate = await makeClient(colleague);
    await restrict(colleague, duplicate.id, [formerly.id]);
    const pair = { client: { name: "Wren", lockVersion: 0 }, other: { id: duplicate.id, lockVersion: 0 } };
    const { merge } = await callSuccessfully(colleague, "POST", `/api/clients/${target.id}/merge`, pair);
    await restrict(colleague, target.id, [since.id]);
    expect((await as(formerly, "GET", `/api/clients/${target.id}`)).status).toBe(200);
    await callSuccessfully(colleague, "POST", `/api/merges/${merge.id}/undo`, { keepChanged: false });
    const statuses = ({ id }: { id: number }) =>
      Promise.all(
        [formerly, since].map(async (user) => (await as(user, "GET", `/api/clients/${id}`)).status),
      );
    expect([await statuses(target), await statuses(duplicate)]).toEqual([
      [200, 404],
      [404, 404],
    ]);
    expect((await restrictionChanges(duplicate))[0]).toEqual([namesOf(since), namesOf(formerly, since)]);
  });

  test("cannot, through a merge, exclude everyone who could lift it", async () => {
    const merger = await makeUser(["clients", "forms", "all-forms"]);
    const first = await makeUser(ALL);
    const second = await makeUser(ALL);
    const target = await makeClient(merger);
    const duplicate = await makeClient(merger);
    await restrict(first, target.id, [second.id]);
    await restrict(second, duplicate.id, [first.id]);
    const others = { id: { notIn: [merger.id, first.id, second.id] }, active: true };
    const away = (await db().user.findMany({ where: others })).map(({ id }) => id);
    const setActive = (active: boolean) =>
      db().user.updateMany({ where: { id: { in: away } }, data: { active } });
    const pair = { client: { name: "Wren", lockVersion: 0 }, other: { id: duplicate.id, lockVersion: 0 } };
    const mergeAsMerger = () => as(merger, "POST", `/api/clients/${target.id}/merge`, pair);
    await setActive(false);
    const refused = await mergeAsMerger();
    await setActive(true);
    expect(refused).toMatchObject({
      status: 409,
      body: {
        code: "conflict_in_use",
        error: expect.stringContaining("Someone with the Restrict Clients permission"),
      },
    });
    expect((await as(first, "GET", `/api/clients/${target.id}`)).status).toBe(200);
    expect((await mergeAsMerger()).status).toBe(200);
  });

  test.each([
    ["a colleague who takes over the clients of a leaving user", "heir"],
    ["the handover of a leaving user's clients by a user who cannot see them", "clerk"],
  ] as const)("keeps the client from %s", async (_, from) => {
    const leaver = await makeUser();
    const heir = await makeUser();
    const clerk = await makeUser(ALL);
    const unseen = await makeClient(leaver);
    const transferred = await makeClient(leaver);
    for (const { id } of [unseen, transferred])
      await callSuccessfully(leaver, "PUT", `/api/drafts/about-${id}`, {
        draft: { formId: null, content: { clientId: id } },
      });
    await makeForm(leaver, {}, unseen.id).then(({ id }) =>
      callSuccessfully(leaver, "PUT", `/api/drafts/of-${id}`, { draft: { formId: id, content: {} } }),
    );
    await restrict(colleague, unseen.id, [{ heir, clerk }[from].id]);
    const counts = await callSuccessfully(clerk, "POST", `/api/users/${leaver.id}/hand_over`, {
      toUserId: heir.id,
    });
    expect(counts).toEqual({ clients: 1, drafts: 1, returned: 0 });
    const owner = async (id: number) => (await db().client.findUniqueOrThrow({ where: { id } })).userId;
    expect([await owner(unseen.id), await owner(transferred.id)]).toEqual([leaver.id, heir.id]);
  });
});

test("the removal of a colleague counts no draft about the client, and deletes none", async () => {
  const leaver = await makeUser(ALL);
  const clerk = await makeUser(ALL);
  const unseen = await makeClient(colleague);
  const seen = await makeClient(colleague);
  const unseenForm = await makeForm(colleague, {}, unseen.id);
  const keepDraft = (key: string, content: object, formId: number | null = null) =>
    callSuccessfully(leaver, "PUT", `/api/drafts/${key}`, { draft: { formId, content } });
  await keepDraft("about-unseen", { clientId: unseen.id });
  await keepDraft("of-unseen-form", {}, unseenForm.id);
  await keepDraft("about-seen", { clientId: seen.id });
  await restrict(colleague, unseen.id, [clerk.id]);
  const removal = async () => (await as(clerk, "DELETE", `/api/users/${leaver.id}`)).body.error;
  expect(await removal()).toBe("This user has 1 draft. Please hand over first, or deactivate the account.");
  await callSuccessfully(leaver, "DELETE", "/api/drafts/about-seen");
  expect(await removal()).toBe("This user is used by other records and cannot be removed");
  expect((await as(leaver, "GET", "/api/drafts")).body.drafts).toHaveLength(2);
});

describe("a colleague's work with a client who is to be hidden from them", () => {
  const manager = ["restrict-clients", "clients", "forms", "all-forms"] as const;
  const involvement = async (person: Person, id: number, user: Person) =>
    (await as(person, "GET", `/api/clients/${id}/restrictions/${user.id}`)).body.involvement;
  const keepDraft = (person: Person, key: string, about: number, formId: number | null = null) =>
    callSuccessfully(person, "PUT", `/api/drafts/${key}`, {
      draft: { formId, content: { clientId: about } },
    });
  const ownerOf = async (id: number) => (await db().client.findUniqueOrThrow({ where: { id } })).userId;
  const advocateOf = async (id: number) => (await db().form.findUniqueOrThrow({ where: { id } })).userId;

  test("is counted for holders of All Forms, and for others only includes whether they are the client's advocate", async () => {
    const advocate = await makeUser();
    const other = await makeUser();
    const viewer = await makeUser(manager);
    const { id } = await makeClient(advocate);
    expect(await involvement(viewer, id, advocate)).toEqual({
      isAdvocate: true,
      forms: 0,
      returned: 0,
      drafts: 0,
    });
    const [form] = [await makeForm(advocate, {}, id), await makeForm(advocate, {}, id)];
    await makeForm(other, {}, id);
    await makeForm(advocate);
    await callSuccessfully(viewer, "POST", `/api/forms/${form.id}/return`, { comment: "Please check" });
    await keepDraft(advocate, "about", id);
    await keepDraft(advocate, "change", id, form.id);
    await keepDraft(advocate, "elsewhere", (await makeClient(advocate)).id);
    const counts = { isAdvocate: true, forms: 2, returned: 1, drafts: 2 };
    expect(await involvement(viewer, id, advocate)).toEqual(counts);
    expect(await involvement(viewer, id, other)).toEqual({
      isAdvocate: false,
      forms: 1,
      returned: 0,
      drafts: 0,
    });
    const limited = await makeUser(["restrict-clients", "clients", "forms"]);
    const unknown = { forms: null, returned: null, drafts: null };
    expect(await involvement(limited, id, advocate)).toEqual({ isAdvocate: true, ...unknown });
    const url = (clientId: number, userId: number) => `/api/clients/${clientId}/restrictions/${userId}`;
    expect((await as(viewer, "GET", url(id, 999_999))).status).toBe(404);
    expect((await as(advocate, "GET", url(id, other.id))).status).toBe(403);
  });

  test("moves to another colleague together with the restriction, except forms that were not returned", async () => {
    const advocate = await makeUser();
    const heir = await makeUser();
    const boss = await makeUser(manager);
    const { id } = await makeClient(advocate);
    const elsewhere = await makeClient(advocate);
    const open = await makeForm(advocate, {}, id);
    const returned = await makeForm(advocate, {}, id);
    const other = await makeForm(advocate, {}, elsewhere.id);
    for (const form of [returned, other])
      await callSuccessfully(boss, "POST", `/api/forms/${form.id}/return`, { comment: "Please check" });
    await keepDraft(advocate, "about", id);
    await keepDraft(advocate, "elsewhere", elsewhere.id);
    const handOver = { fromUserId: advocate.id, toUserId: heir.id };
    const url = `/api/clients/${id}/restrictions`;
    const body = await callSuccessfully(boss, "PUT", url, {
      userIds: [advocate.id],
      formerUserIds: [],
      handOver,
    });
    expect(body.handedOver).toEqual({ clients: 1, drafts: 1, returned: 1 });
    expect(body.restrictions).toMatchObject([{ user: { id: advocate.id } }]);
    expect([await ownerOf(id), await ownerOf(elsewhere.id)]).toEqual([heir.id, advocate.id]);
    const forms = [open, returned, other].map((form) => advocateOf(form.id));
    expect(await Promise.all(forms)).toEqual([advocate.id, heir.id, advocate.id]);
    expect((await as(heir, "GET", "/api/drafts/about")).status).toBe(200);
    expect((await as(advocate, "GET", "/api/drafts/elsewhere")).status).toBe(200);
    expect((await as(advocate, "GET", `/api/clients/${id}`)).status).toBe(404);
    const events = await db().auditEvent.findMany({ where: { userId: boss.id, action: "updated" } });
    expect(events).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ entity: "client", entityId: id, fields: ["client.userId"] }),
        expect.objectContaining({ entity: "form", entityId: returned.id, fields: ["form.userId"] }),
        expect.objectContaining({ entity: "draft", fields: ["draft.userId"] }),
      ]),
    );
  });

  test("keeps a returned form with its advocate if its period is closed", async () => {
    const advocate = await makeUser();
    const heir = await makeUser();
    const { id } = await makeClient(advocate);
    const form = await makeForm(advocate, { serviceOn: "2020-03-04" }, id);
    await callSuccessfully(colleague, "POST", `/api/forms/${form.id}/return`, { comment: "Please check" });
    await callSuccessfully(colleague, "PUT", "/api/closed_periods", { closedThrough: "2020-03-31" });
    try {
      const handOver = { fromUserId: advocate.id, toUserId: heir.id };
      const url = `/api/clients/${id}/restrictions`;
      const { handedOver } = await callSuccessfully(colleague, "PUT", url, {
        userIds: [advocate.id],
        handOver,
      });
      expect(handedOver).toEqual({ clients: 1, drafts: 0, returned: 0 });
    } finally {
      await callSuccessfully(colleague, "PUT", "/api/closed_periods", { closedThrough: null });
    }
    expect(await advocateOf(form.id)).toBe(advocate.id);
  });

  test("includes only the client if the user may not see colleagues' forms", async () => {
    const advocate = await makeUser();
    const heir = await makeUser();
    const limited = await makeUser(["restrict-clients", "clients", "forms"]);
    const { id } = await makeClient(advocate);
    const form = await makeForm(advocate, {}, id);
    await callSuccessfully(colleague, "POST", `/api/forms/${form.id}/return`, { comment: "Please check" });
    await keepDraft(advocate, "mine", id);
    const handOver = { fromUserId: advocate.id, toUserId: heir.id };
    const url = `/api/clients/${id}/restrictions`;
    const { handedOver } = await callSuccessfully(limited, "PUT", url, { userIds: [advocate.id], handOver });
    expect(handedOver).toEqual({ clients: 1, drafts: 0, returned: 0 });
    expect(await advocateOf(form.id)).toBe(advocate.id);
    expect((await as(heir, "GET", "/api/drafts/mine")).status).toBe(404);
  });

  test("stays unchanged, and the client visible, if the handover is refused", async () => {
    const advocate = await makeUser();
    const away = await makeUser();
    const clerk = await makeUser(["clients"]);
    const kin = await makeUser();
    const { id } = await makeClient(advocate);
    await db().user.update({ where: { id: away.id }, data: { active: false } });
    await restrict(colleague, id, [kin.id]);
    const refusal = async (fromUserId: number, toUserId: number) => {
      const body = { userIds: [kin.id, advocate.id], handOver: { fromUserId, toUserId } };
      const answer = await as(colleague, "PUT", `/api/clients/${id}/restrictions`, body);
      return [answer.status, answer.body.fields];
    };
    const cannot = "This colleague cannot work with this client";
    for (const [to, words] of [
      [advocate.id, "Choose a colleague"],
      [999_999, "User does not exist"],
      [away.id, "This account is deactivated"],
      [clerk.id, "This colleague does not have the Forms permission"],
      [kin.id, cannot],
    ] as const)
      expect(await refusal(advocate.id, to)).toEqual([422, { "handOver.toUserId": words }]);
    expect(await refusal(kin.id, colleague.id)).toEqual([
      422,
      { "handOver.fromUserId": "The client is not being hidden from this user" },
    ]);
    expect(await ownerOf(id)).toBe(advocate.id);
    expect((await as(advocate, "GET", `/api/clients/${id}`)).status).toBe(200);
  });
});
