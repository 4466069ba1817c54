import { beforeAll, describe, expect, test } from "vitest";
import { compared, proposed } from "@/components/clients/merges/proposal";
import { merged } from "@/components/record/differences";
import { decryptForClient, encryptForClient } from "@/lib/audit/values";
import type { Client } from "@/lib/clients/api-schema";
import { withoutNumbers } from "@/lib/clients/masked";
import { clientSchema } from "@/lib/clients/schema";
import { db, rows } from "@/lib/core/database/client";
import { toWire } from "@/lib/core/fields/wire";
import { sql } from "@/lib/core/sql";
import { threadQuery } from "@/lib/forms/by-client/schema";
import { clientOfPage, clientScreen } from "@/lib/forms/by-client/screen";
import type { Actor } from "@/lib/identity/session";
import { formLists } from "@/lib/lookups/resources/lists";
import { sweep } from "@/lib/worker";
import { runBlockedBy } from "@/tests/blocked";
import { actorFor, call } from "@/tests/call";
import { fullClient, makeClient, makeForm, makeUser, type Person } from "@/tests/factories";
import { addClient, addForm, makeReporter, readNumbers } from "@/tests/reports/world";

// Merging two records of one client: the merge, its effect on users who work at that time, and its undo.

let ada: Person;
let merger: Person;
let keeper: Person;

beforeAll(async () => {
  ada = await makeUser();
  merger = await makeUser(["clients", "forms", "all-forms", "audit-log"]);
  keeper = await makeUser(["retention"]);
});

const get = (url: string, person = merger) => call(person.cookie, "GET", url);
const read = async (id: number) => (await get(`/api/clients/${id}`)).body.client;
const history = async (id: number) => (await get(`/api/clients/${id}/history`)).body.events;

type Stored = { id: number; lockVersion: number };

/** Merges `other` into `target`, both in the versions that were read. `values` are the chosen values. */
const merge = (target: Stored, other: Stored, values: object = {}, person = merger) =>
  call(person.cookie, "POST", `/api/clients/${target.id}/merge`, {
    client: { ...toWire(clientSchema, { ...target, ...values } as never), lockVersion: target.lockVersion },
    other: { id: other.id, lockVersion: other.lockVersion },
  });
const undo = (id: number, keepChanged = false, person = merger) =>
  call(person.cookie, "POST", `/api/merges/${id}/undo`, { keepChanged });

/** Creates two records of one client, the second with two forms. One form is reconciled and in a closed period. */
async function createDuplicates() {
  const target = await makeClient(ada, { name: "Wilma Twice" });
  const other = await makeClient(ada, { ...(await fullClient()), name: "Wilhelmina Twice" });
  const own = await makeForm(ada, {}, target.id);
  const forms = [await makeForm(ada, {}, other.id), await makeForm(merger, {}, other.id)];
  return { target, other, own, forms };
}

const containing = (value: object): unknown => expect.objectContaining(value);

describe("the merge of two records", () => {
  let target: Stored;
  let other: Stored;
  let own: Stored;
  let forms: Stored[];
  let first: Stored;
  // biome-ignore lint/suspicious/noExplicitAny: the body of a response
  let response: any;

  beforeAll(async () => {
    ({ target, other, own, forms } = await createDuplicates());
    [first = own] = forms;
    await call(merger.cookie, "POST", `/api/forms/${first.id}/reconcile`, { reconciled: true });
    await rows(sql`UPDATE closed_periods SET closed_through = '2026-06-30'`);
    const { status, body } = await merge(target, other, {
      name: "Wilhelmina Twice",
      clientBiographicalEntry: { city: "Erie", dateOfBirth: "1984-02-29" },
    });
    await rows(sql`UPDATE closed_periods SET closed_through = NULL`);
    expect([status, body.error]).toEqual([200, undefined]);
    response = body;
  });

  test("keeps the chosen values and deletes the other record", async () => {
    expect(response.client).toMatchObject({
      id: target.id,
      name: "Wilhelmina Twice",
      clientBiographicalEntry: { city: "Erie", dateOfBirth: "1984-02-29" },
    });
    expect(response.merge).toMatchObject({
      clientId: target.id,
      mergedId: other.id,
      by: `${merger.firstName} ${merger.lastName}`,
      undoableUntil: expect.any(String),
    });
    expect((await get(`/api/clients/${other.id}`)).status).toBe(404);
  });

  test("moves every form with its review status", async () => {
    const listed = await get(`/api/forms?filters[clientId]=${target.id}&filters[formStatus]=all`);
    expect(listed.body.forms.map(({ id }: Stored) => id).sort()).toEqual([own, ...forms].map(({ id }) => id));
    expect((await get(`/api/forms/${first.id}`)).body.form).toMatchObject({
      clientId: target.id,
      client: { name: "Wilhelmina Twice" },
      reconciled: true,
      // One version from the review, one from the merge.
      lockVersion: first.lockVersion + 2,
      userId: ada.id,
    });
  });

  const among = (...changes: object[]): unknown =>
    expect.arrayContaining(changes.map((one) => containing(one)));

  test.each<[record: string, url: () => string, changes: () => unknown]>([
    [
      "remaining record",
      () => `/api/clients/${target.id}`,
      () =>
        among(
          { field: "client.mergedWith", to: other.id },
          { field: "client.name", from: "Wilma Twice", to: "Wilhelmina Twice" },
        ),
    ],
    [
      "deleted record, which stays readable",
      () => `/api/clients/${other.id}`,
      () => among({ field: "client.clientBiographicalEntry.address", from: "12 Elm Street" }),
    ],
    [
      "moved form",
      () => `/api/forms/${first.id}`,
      () => [containing({ field: "form.clientId", from: other.id, to: target.id })],
    ],
  ])("is in the history of the %s", async (_, url, changes) => {
    const { events } = (await get(`${url()}/history`)).body;
    expect(events).toContainEqual(containing({ action: "merged", changes: changes() }));
  });

  test("is listed for the remaining record, and the deleted one names it", async () => {
    const mergesOf = async ({ id }: Stored) => (await get(`/api/clients/${id}/merges`)).body;
    expect(await mergesOf(target)).toEqual({ merges: [response.merge], mergedInto: null });
    expect(await mergesOf(other)).toEqual({ merges: [], mergedInto: target.id });
  });

  test.each([
    ["", (actor: Actor) => clientScreen(actor, other.id, threadQuery.parse({}))],
    ["/edit", (actor: Actor) => clientOfPage(actor, other.id, "/edit")],
  ] as const)(
    "redirects a bookmark of the deleted record's page %j to that of the remaining one",
    async (page, open) => {
      await expect(open(await actorFor(merger))).rejects.toMatchObject({
        digest: expect.stringContaining(`;/clients/${target.id}${page};`),
      });
    },
  );
});

describe("a merge", () => {
  test("needs Clients, Forms and All Forms", async () => {
    const { target, other } = await createDuplicates();
    for (const permissions of [
      ["clients", "forms"],
      ["forms", "all-forms"],
      ["clients", "all-forms"],
    ] as const) {
      expect((await merge(target, other, {}, await makeUser(permissions))).status, permissions.join()).toBe(
        403,
      );
    }
    expect(await read(other.id)).toEqual(other);
  });

  test("is refused with itself, with a deleted or changed record, and without the client's own version", async () => {
    const { target, other } = await createDuplicates();
    expect(await merge(target, target)).toMatchObject({
      status: 422,
      body: { fields: { "other.id": expect.stringContaining("itself") } },
    });
    const unknown = { id: 1_000_000, lockVersion: 0 };
    expect(await merge(target, unknown)).toMatchObject({
      status: 422,
      body: { fields: { "other.id": "This client is no longer available" } },
    });
    expect((await merge({ ...target, id: 1_000_000 }, other)).status).toBe(404);
    const stale = `This record was changed by ${ada.firstName} ${ada.lastName} since you opened it`;
    for (const pair of [
      [{ ...target, lockVersion: 7 }, other],
      [target, { ...other, lockVersion: 7 }],
    ] as const)
      expect(await merge(...pair)).toMatchObject({
        status: 409,
        body: { code: "conflict_version", error: stale },
      });
    const { status, body } = await call(merger.cookie, "POST", `/api/clients/${target.id}/merge`, {
      client: { name: "Wilma Twice" },
      other: { id: other.id, lockVersion: other.lockVersion },
    });
    expect([status, Object.keys(body.fields)]).toEqual([422, ["client.lockVersion"]]);
    expect(await merge(target, other, { name: "" })).toMatchObject({
      status: 422,
      body: { fields: { "client.name": "Client Name is required" } },
    });
    expect([await read(target.id), await read(other.id)]).toEqual([target, other]);
  });

  test("is refused, like its undo, while either record is under a legal hold", async () => {
    const { target, other } = await createDuplicates();
    const HELD = {
      status: 409,
      body: { code: "conflict_in_use", error: "This client is under legal hold." },
    };
    const hold = (id: number, method: "PUT" | "DELETE") =>
      call(
        keeper.cookie,
        method,
        `/api/clients/${id}/hold`,
        method === "PUT" ? { hold: { reason: "Appeal" } } : undefined,
      );
    for (const { id } of [target, other]) {
      await hold(id, "PUT");
      expect(await merge(target, other)).toMatchObject(HELD);
      await hold(id, "DELETE");
    }
    const merged = (await merge(target, other)).body.merge;
    await hold(target.id, "PUT");
    expect(await undo(merged.id)).toMatchObject(HELD);
    await hold(target.id, "DELETE");
    expect((await undo(merged.id)).status).toBe(200);
  });

  test("is refused, like its undo, while either record is being put under a legal hold", async () => {
    const { target, other } = await createDuplicates();
    const holdSql = (id: number) => `SELECT FROM clients WHERE id = ${id} FOR UPDATE;
      INSERT INTO client_holds (client_id, reason, held_at) VALUES (${id}, 'Appeal', now())`;
    const HELD = { status: 409, body: { code: "conflict_in_use" } };
    const lift = (id: number) => rows(sql`DELETE FROM client_holds WHERE client_id = ${id}`);
    for (const { id } of [target, other]) {
      expect(await runBlockedBy(holdSql(id), () => merge(target, other))).toMatchObject(HELD);
      await lift(id);
    }
    const merged = (await merge(target, other)).body.merge;
    expect(await runBlockedBy(holdSql(target.id), () => undo(merged.id))).toMatchObject(HELD);
    await lift(target.id);
    expect((await undo(merged.id)).status).toBe(200);
  });

  test("happens once when two are requested at the same moment, in either direction", async () => {
    const { target, other } = await createDuplicates();
    const third = await makeClient(ada);
    const answers = await Promise.all([merge(target, other), merge(other, target), merge(third, other)]);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    for (const { status } of answers) expect([200, 404, 409, 422]).toContain(status);
    const forms = await rows<{ clientId: number }>(
      sql`SELECT DISTINCT client_id AS "clientId" FROM forms WHERE client_id = ANY(${[target.id, other.id, third.id]})`,
    );
    const remaining = (
      await Promise.all([target, other, third].map(({ id }) => get(`/api/clients/${id}`)))
    ).filter(({ status }) => status === 200);
    expect(remaining).toHaveLength(2);
    expect(remaining.map(({ body }) => body.client.id)).toEqual(
      expect.arrayContaining(forms.map(({ clientId }) => clientId)),
    );
  });
});

describe("the values that the merge screen suggests", () => {
  const propose = async (target: Client, other: Client) => {
    const {
      record,
      versions,
      found: differences,
    } = compared(target, other, await formLists(await actorFor(merger)));
    const proposal = proposed(differences);
    const body = {
      client: toWire(
        clientSchema,
        merged(versions, record, differences, (name) => proposal.has(name)),
      ),
      other: { id: other.id, lockVersion: other.lockVersion },
    };
    return call(merger.cookie, "POST", `/api/clients/${target.id}/merge`, body);
  };

  test("fill blank fields of the remaining record from the other one, and can be sent unchanged", async () => {
    const { target, other } = await createDuplicates();
    const { status, body } = await propose(target, other);
    expect([status, body.error]).toEqual([200, undefined]);
    const { id: _, ...biographical } = other.clientBiographicalEntry;
    const { id: __, ...demographic } = other.clientDemographicEntry;
    expect(await read(target.id)).toMatchObject({
      id: target.id,
      name: "Wilma Twice",
      significantOther: true,
      relationshipToSurvivor: "Sister",
      clientBiographicalEntry: biographical,
      clientDemographicEntry: demographic,
    });
  });

  test("keep a phone number together with its safe-to-call flag, and mark it unsafe if either record does", async () => {
    const withPhone = (phoneNumber: string, safeToCall: boolean) =>
      makeClient(ada, { clientBiographicalEntryAttributes: { phoneNumber, safeToCall } });
    const mine = "(814) 555-0100";
    const theirs = "(814) 555-0199";
    for (const [target, other, phoneNumber, safeToCall] of [
      [await withPhone(mine, false), await withPhone(theirs, true), mine, false],
      [await withPhone(mine, true), await withPhone(mine, false), mine, false],
      [await withPhone("", true), await withPhone(theirs, false), theirs, false],
      [await withPhone("", false), await withPhone(theirs, true), theirs, true],
    ] as const) {
      expect((await propose(target, other)).status).toBe(200);
      expect((await read(target.id)).clientBiographicalEntry).toMatchObject({ phoneNumber, safeToCall });
    }
  });
});

test("two records can be merged without their phone numbers having been shown", async () => {
  const lists = await formLists(await actorFor(merger));
  const withPhone = (phoneNumber: string) =>
    makeClient(ada, { clientBiographicalEntryAttributes: { phoneNumber, city: "Erie" } });
  for (const [givesPhoneNumber, number] of [
    [true, "(814) 555-0199"],
    [false, "(814) 555-0100"],
  ] as const) {
    const target = await withPhone("(814) 555-0100");
    const other = await withPhone("(814) 555-0199");
    const shown = withoutNumbers(target, other);
    expect(JSON.stringify(shown)).not.toContain("555-01");
    expect(compared(shown.client, shown.other, lists).found.map(({ name }) => name)).toEqual(
      expect.arrayContaining(["client.clientBiographicalEntry.phoneNumber"]),
    );
    const body = {
      client: {
        name: target.name,
        lockVersion: target.lockVersion,
        clientBiographicalEntryAttributes: { city: "Erie", phoneNumber: "" },
      },
      other: { id: other.id, lockVersion: other.lockVersion, givesPhoneNumber },
    };
    const { status, body: answer } = await call(
      merger.cookie,
      "POST",
      `/api/clients/${target.id}/merge`,
      body,
    );
    expect(status).toBe(200);
    // Neither does the response show a number that nobody requested.
    expect(JSON.stringify(answer)).not.toContain("555-01");
    expect((await read(target.id)).clientBiographicalEntry.phoneNumber).toBe(number);
    const undone = await undo(answer.merge.id);
    expect([undone.status, JSON.stringify(undone.body).includes("555-01")]).toEqual([200, false]);
  }
  const same = withoutNumbers(await withPhone("(814) 555-0100"), await withPhone("(814) 555-0100"));
  expect(compared(same.client, same.other, lists).found.map(({ name }) => name)).toEqual(["client.name"]);
});

test.each([true, false])(
  "a number that is older than the rule for numbers blocks no merge, nor its undo (%s)",
  async (givesPhoneNumber) => {
    const target = await makeClient(ada);
    const other = await makeClient(ada);
    for (const [{ id }, phoneNumber] of [
      [target, "none"],
      [other, "no phone"],
    ] as const)
      await db().clientBiographicalEntry.create({ data: { clientId: id, phoneNumber } });
    const url = `/api/clients/${target.id}`;
    const { status, body } = await call(merger.cookie, "POST", `${url}/merge`, {
      client: {
        name: target.name,
        lockVersion: target.lockVersion,
        clientBiographicalEntryAttributes: { phoneNumber: "" },
      },
      other: { id: other.id, lockVersion: other.lockVersion, givesPhoneNumber },
    });
    const numberOf = async ({ id }: { id: number }) => (await read(id)).clientBiographicalEntry.phoneNumber;
    expect([status, await numberOf(target)]).toEqual([200, givesPhoneNumber ? "no phone" : "none"]);
    expect((await undo(body.merge.id)).status).toBe(200);
    expect([await numberOf(target), await numberOf(other)]).toEqual(["none", "no phone"]);
  },
);

describe("a user who works with a client during a merge", () => {
  test("gets an error and cannot write to the deleted record through the client, a form, a new form or a draft", async () => {
    const { target, other, forms } = await createDuplicates();
    const [form] = forms;
    const draft = {
      formId: null,
      content: {
        clientId: other.id,
        client: { id: other.id, lockVersion: other.lockVersion },
        form: { clientId: other.id },
        base: { client: { id: other.id } },
      },
    };
    await call(ada.cookie, "PUT", "/api/drafts/before", { draft });
    expect((await merge(target, other)).status).toBe(200);
    // A screen that is still open keeps saving its draft.
    await call(ada.cookie, "PUT", "/api/drafts/after", { draft });

    const saved = await call(ada.cookie, "PUT", `/api/clients/${other.id}`, {
      client: { name: "Typed meanwhile", lockVersion: other.lockVersion },
    });
    expect(saved).toMatchObject({
      status: 409,
      body: {
        code: "conflict_version",
        error: "This client was merged into another record since you opened it",
      },
    });
    const changed = { ...form, serviceOn: "2026-03-05" };
    expect(await call(ada.cookie, "PUT", `/api/forms/${form.id}`, { form: changed })).toMatchObject({
      status: 409,
      body: { code: "conflict_version", error: expect.stringContaining("changed by") },
    });
    const { id: _, lockVersion: __, ...another } = form;
    expect(await call(ada.cookie, "POST", "/api/forms", { form: another })).toMatchObject({
      status: 422,
      body: { fields: { "form.clientId": expect.stringContaining("does not exist") } },
    });
    for (const key of ["before", "after"]) {
      const { content } = (await call(ada.cookie, "GET", `/api/drafts/${key}`)).body.draft;
      expect(content).toMatchObject({
        clientId: target.id,
        client: { id: target.id },
        form: { clientId: target.id },
        base: { client: { id: target.id } },
      });
    }
    // Every version of either record that was read before is outdated.
    const now = await read(target.id);
    expect(now.lockVersion).toBeGreaterThan(Math.max(target.lockVersion, other.lockVersion));
  });

  test("either saves before the merge, which then becomes outdated, or gets an error", async () => {
    const { target, other } = await createDuplicates();
    const answer = await runBlockedBy(
      `UPDATE clients SET name = 'Saved first', lock_version = lock_version + 1 WHERE id = ${other.id}`,
      () => merge(target, other),
    );
    expect(answer).toMatchObject({ status: 409, body: { code: "conflict_version" } });
    expect(await read(other.id)).toMatchObject({ name: "Saved first" });
  });

  test("creates a form that the merge moves too, or that is refused, when both happen at the same moment", async () => {
    const { target, other } = await createDuplicates();
    const [merged, creation] = await Promise.all([
      merge(target, other),
      call(ada.cookie, "POST", "/api/forms", {
        form: {
          clientId: other.id,
          formTypeId: (await rows<{ id: number }>(sql`SELECT id FROM form_types WHERE name = 'Service'`))[0]
            ?.id,
          serviceOn: "2026-03-04",
          serviceStatus: "Served",
          verbalConfirmation: true,
        },
      }),
    ]);
    expect(merged.status).toBe(200);
    expect([201, 409, 422]).toContain(creation.status);
    if (creation.status === 201)
      expect((await get(`/api/forms/${creation.body.form.id}`)).body.form.clientId).toBe(target.id);
    expect(await rows(sql`SELECT FROM forms WHERE client_id = ${other.id}`)).toEqual([]);
  });
});

describe("undoing a merge", () => {
  test("restores the record under its id with its forms, and the other record's former values", async () => {
    const { target, other, own, forms } = await createDuplicates();
    const { body } = await merge(target, other, {
      name: "Wilhelmina Twice",
      clientBiographicalEntry: { city: "Erie" },
    });
    const newForm = await makeForm(ada, {}, target.id);
    const [moved, deleted] = forms;
    await call(merger.cookie, "DELETE", `/api/forms/${deleted.id}`);
    // A closed period does not keep its forms from moving back.
    await rows(sql`UPDATE closed_periods SET closed_through = '2026-06-30'`);
    const undone = await undo(body.merge.id);
    await rows(sql`UPDATE closed_periods SET closed_through = NULL`);
    expect([undone.status, undone.body.error]).toEqual([200, undefined]);
    const { id, lockVersion, ...values } = other;
    const back = await read(id);
    expect(back).toMatchObject({
      ...values,
      lockVersion: lockVersion + 1,
      clientBiographicalEntry: { ...values.clientBiographicalEntry, id: expect.any(Number) },
      clientDemographicEntry: { ...values.clientDemographicEntry, id: expect.any(Number) },
    });
    expect(await read(target.id)).toMatchObject({ name: "Wilma Twice", clientBiographicalEntry: null });
    const clientOf = async (form: Stored) => (await get(`/api/forms/${form.id}`)).body.form?.clientId;
    expect(await Promise.all([own, newForm, moved, deleted].map(clientOf))).toEqual([
      target.id,
      target.id,
      other.id,
      undefined,
    ]);
    expect((await history(id)).map(({ action }: { action: string }) => action)).toEqual(
      expect.arrayContaining(["unmerged", "merged", "created"]),
    );
    expect((await undo(body.merge.id)).status).toBe(404);
    expect((await get(`/api/clients/${target.id}/merges`)).body.merges).toEqual([]);
    // The records can be merged and separated again.
    const again = await merge(await read(target.id), back);
    expect((await undo(again.body.merge.id)).status).toBe(200);
  });

  test("never loses data: values changed since are listed, and stay if the user chooses so", async () => {
    const { target, other } = await createDuplicates();
    const { body } = await merge(target, other, {
      name: "Wilhelmina Twice",
      relationshipToSurvivor: "Sister",
    });
    await call(ada.cookie, "PUT", `/api/clients/${target.id}`, {
      client: { ...body.client, name: "Wilhelmina T. Twice" },
    });
    expect(await undo(body.merge.id)).toMatchObject({
      status: 409,
      body: {
        code: "conflict_version",
        error: ["Some of this client's values have changed since the merge:", "Client Name"],
      },
    });
    expect((await get(`/api/clients/${other.id}`)).status).toBe(404);
    expect((await undo(body.merge.id, true)).status).toBe(200);
    expect(await read(target.id)).toMatchObject({
      name: "Wilhelmina T. Twice",
      relationshipToSurvivor: "",
    });
  });

  test("needs All Forms, and happens once when it is requested twice at the same moment", async () => {
    const { target, other } = await createDuplicates();
    const { id } = (await merge(target, other)).body.merge;
    expect((await undo(id, false, ada)).status).toBe(403);
    const answers = await Promise.all([undo(id), undo(id)]);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    for (const { status } of answers) expect([200, 404, 422]).toContain(status);
  });

  test("is refused for a user from whom the restored record was hidden", async () => {
    const { target, other } = await createDuplicates();
    const excludedUser = await makeUser(["clients", "forms", "all-forms"]);
    const restrictor = await makeUser(["clients", "restrict-clients"]);
    const hide = (id: number, userIds: number[]) =>
      call(restrictor.cookie, "PUT", `/api/clients/${id}/restrictions`, { userIds });
    expect((await hide(other.id, [excludedUser.id])).status).toBe(200);
    const { body } = await merge(target, await read(other.id));
    expect((await undo(body.merge.id, false, excludedUser)).status).toBe(404);
    // A user who lifts the restriction on today's client may not have the other record in mind.
    expect((await hide(target.id, [])).status).toBe(200);
    expect((await get(`/api/clients/${target.id}`, excludedUser)).status).toBe(200);

    const refused = await undo(body.merge.id, false, excludedUser);
    expect([refused.status, refused.body.code]).toEqual([404, "not_found"]);
    const offeredMerges = async (person: Person) =>
      (await get(`/api/clients/${target.id}/merges`, person)).body.merges;
    expect(await offeredMerges(excludedUser)).toMatchObject([{ id: body.merge.id, undoableUntil: null }]);
    expect(await offeredMerges(merger)).toMatchObject([
      { id: body.merge.id, undoableUntil: expect.any(String) },
    ]);
    const undone = await undo(body.merge.id);
    expect([undone.status, undone.body.other.name]).toEqual([200, "Wilhelmina Twice"]);
    expect((await get(`/api/clients/${other.id}`, excludedUser)).status).toBe(404);
  });

  test("is no longer offered, and is refused, once the data it needs cannot be read", async () => {
    const { target, other } = await createDuplicates();
    const { id } = (await merge(target, other)).body.merge;
    await rows(sql`UPDATE client_merges SET details = ${Buffer.from([0])} WHERE id = ${id}`);
    expect((await get(`/api/clients/${target.id}/merges`)).body.merges).toMatchObject([
      { id, undoableUntil: null },
    ]);
    expect((await undo(id)).status).toBe(422);
  });

  test("restores both records if the merge was stored before clients had custom fields and modules had hooks", async () => {
    const { target, other, own, forms } = await createDuplicates();
    const restrictor = await makeUser(["clients", "restrict-clients"]);
    const excluded = await makeUser(["clients", "forms"]);
    const hide = (id: number, userIds: number[]) =>
      call(restrictor.cookie, "PUT", `/api/clients/${id}/restrictions`, { userIds });
    expect((await hide(other.id, [excluded.id])).status).toBe(200);
    const { id } = (await merge(target, other)).body.merge;
    const [stored] = await rows<{ details: Buffer; wrapped: Buffer; keyId: string }>(
      sql`SELECT m.details, k.wrapped, k.id AS "keyId" FROM client_merges m JOIN client_keys k ON k.id = m.key_id
        WHERE m.id = ${id}`,
    );
    if (!stored) throw new Error("No merge");
    const { moved, ...details } = JSON.parse(
      JSON.stringify(decryptForClient(stored.details, stored.wrapped), (key, value) =>
        key === "custom" ? undefined : value,
      ),
    );
    expect(moved).toEqual({
      attendances: [],
      forms: forms.map(({ id }) => id),
      stays: [],
      restrictions: [excluded.id],
    });
    Object.assign(details, { formIds: moved.forms, stayIds: moved.stays, hiddenFrom: moved.restrictions });
    const key = { id: stored.keyId, wrapped: stored.wrapped.toString("base64") };
    const former = encryptForClient(details, key).details;
    await rows(sql`UPDATE client_merges SET details = ${former} WHERE id = ${id}`);
    expect((await hide(target.id, [])).status).toBe(200);
    const undone = await undo(id);
    expect([undone.status, undone.body.error]).toEqual([200, undefined]);
    expect(await read(other.id)).toMatchObject({ name: "Wilhelmina Twice", custom: {} });
    const clientOf = async (form: Stored) => (await get(`/api/forms/${form.id}`)).body.form.clientId;
    expect(await Promise.all([own, ...forms].map(clientOf))).toEqual([target.id, other.id, other.id]);
    expect((await get(`/api/clients/${other.id}`, excluded)).status).toBe(404);
  });

  test("is impossible after the client is purged: neither record exists, and nothing of the merge is left", async () => {
    const { target, other } = await createDuplicates();
    const { id } = (await merge(target, other)).body.merge;
    await rows(sql`UPDATE clients SET updated_at = '2010-01-01' WHERE id = ${target.id}`);
    await rows(
      sql`UPDATE forms SET updated_at = '2010-01-01', service_on = '2010-01-01' WHERE client_id = ${target.id}`,
    );
    await call(keeper.cookie, "PUT", "/api/retention", { retention: { years: 7, nightly: false } });
    const purged = await call(keeper.cookie, "POST", "/api/retention/purge", { ids: [target.id] });
    await call(keeper.cookie, "PUT", "/api/retention", { retention: { years: null, nightly: false } });
    expect(purged.body.done).toEqual([target.id]);
    for (const client of [target, other])
      expect((await get(`/api/clients/${client.id}/merges`)).status).toBe(404);
    expect((await undo(id)).status).toBe(404);
    expect(await rows(sql`SELECT FROM client_merges WHERE id = ${id}`)).toEqual([]);
  });

  test("proceeds from the last merge to the first if a client was merged repeatedly", async () => {
    const { target: first, other: second } = await createDuplicates();
    const third = await makeClient(ada, { name: "Wilma Thrice" });
    const inner = (await merge(first, second)).body.merge;
    const outer = (await merge(third, await read(first.id))).body.merge;
    expect((await get(`/api/clients/${second.id}/merges`)).body.mergedInto).toBe(third.id);
    expect((await get(`/api/clients/${second.id}/history`)).status).toBe(200);
    expect((await get(`/api/clients/${third.id}/merges`)).body.merges).toMatchObject([
      { id: outer.id, undoableUntil: expect.any(String) },
      { id: inner.id, undoableUntil: null },
    ]);
    expect(await undo(inner.id)).toMatchObject({
      status: 409,
      body: {
        error: `The client has since been merged into client ${third.id}. Please undo that merge first.`,
      },
    });
    expect([(await undo(outer.id)).status, (await undo(inner.id)).status]).toEqual([200, 200]);
    expect(await read(second.id)).toMatchObject({ name: "Wilhelmina Twice" });
  });

  test("proceeds from the last merge to the first if two records were merged into one client", async () => {
    const { target, other } = await createDuplicates();
    const another = await makeClient(ada, { name: "Wilma Thrice" });
    const first = (await merge(target, other, { name: "Wilhelmina Twice" })).body.merge;
    const second = (await merge(await read(target.id), another, { name: "Wilma Thrice" })).body.merge;
    expect((await get(`/api/clients/${target.id}/merges`)).body.merges).toMatchObject([
      { id: second.id, undoableUntil: expect.any(String) },
      { id: first.id, undoableUntil: null },
    ]);
    expect(await undo(first.id)).toMatchObject({
      status: 409,
      body: {
        code: "conflict_in_use",
        error: "Another record has since been merged into this client. Please undo that merge first.",
      },
    });
    expect([(await undo(second.id)).status, (await undo(first.id)).status]).toEqual([200, 200]);
    expect(await read(target.id)).toMatchObject({ name: "Wilma Twice" });
  });

  test("is impossible after 30 days, when its data is deleted, while the merge stays known", async () => {
    const { target, other } = await createDuplicates();
    const { id } = (await merge(target, other)).body.merge;
    await rows(sql`UPDATE client_merges SET at = now() - interval '31 days' WHERE id = ${id}`);
    expect(await undo(id)).toMatchObject({
      status: 422,
      body: { error: expect.stringContaining("can no longer be undone") },
    });
    await sweep();
    expect(await rows(sql`SELECT details FROM client_merges WHERE id = ${id}`)).toEqual([{ details: null }]);
    expect((await get(`/api/clients/${target.id}/merges`)).body.merges).toMatchObject([
      { id, undoableUntil: null },
    ]);
  });
});

describe("after an undone merge", () => {
  const ALPHA = "Alpharius";
  const BETA = "Betancourt";
  const GAMMA = "Gammage";

  /** Creates a client with the word in every text, and a form for them. */
  async function createClientWithWord(word: string) {
    const made = await makeClient(ada, { name: word, clientBiographicalEntryAttributes: { address: word } });
    const own = await makeForm(ada, {}, made.id);
    await write(own.id, word);
    return { client: made, form: own };
  }
  async function write(formId: number, word: string) {
    const { form: stored } = (await get(`/api/forms/${formId}`)).body;
    const changed = { ...stored, serviceEntryAttributes: { otherService: word, otherServiceMinutes: 5 } };
    const { status, body } = await call(merger.cookie, "PUT", `/api/forms/${formId}`, { form: changed });
    expect([status, body.error]).toEqual([200, undefined]);
  }
  const rename = async (id: number, name: string) =>
    call(ada.cookie, "PUT", `/api/clients/${id}`, { client: { ...(await read(id)), name } });

  /**
   * Merges Beta into Alpha with Beta's values and Alpha into Gamma, with work after each merge, then undoes
   * both.
   */
  async function createUndoneMerges() {
    const alpha = await createClientWithWord(ALPHA);
    const beta = await createClientWithWord(BETA);
    const gamma = await createClientWithWord(GAMMA);
    const biographical = { clientBiographicalEntry: { address: BETA } };
    const first = await merge(await read(alpha.client.id), await read(beta.client.id), {
      name: BETA,
      ...biographical,
    });
    await rename(alpha.client.id, `${BETA} ${ALPHA}`);
    await rename(alpha.client.id, BETA);
    await write(beta.form.id, `${BETA} in the first merge`);
    const outer = await read(gamma.client.id);
    const inner = await read(alpha.client.id);
    const second = await merge(outer, inner, { name: BETA, ...biographical });
    await write(beta.form.id, `${BETA} in the second merge`);
    for (const { body } of [second, first])
      expect((await undo(body.merge.id)).status, JSON.stringify(body)).toBe(200);
    // Each record continues under its own key.
    for (const [{ client, form: own }, word] of [
      [alpha, ALPHA],
      [beta, BETA],
      [gamma, GAMMA],
    ] as const) {
      expect(await read(client.id)).toMatchObject({ name: word, clientBiographicalEntry: { address: word } });
      await write(own.id, `${word} alone`);
    }
    return { alpha, beta, gamma };
  }

  /** Returns the text in the audit trail that the remaining keys can decrypt. */
  async function readableAuditText(): Promise<string> {
    const sealed = await rows<{ details: Buffer; wrapped: Buffer }>(
      sql`SELECT e.details, k.wrapped FROM audit_events e JOIN client_keys k ON k.id = e.key_id`,
    );
    return JSON.stringify(sealed.map(({ details, wrapped }) => decryptForClient(details, wrapped)));
  }

  test("a purge of any of the clients leaves nothing of them readable, and of the others only their own data", async () => {
    await call(keeper.cookie, "PUT", "/api/retention", { retention: { years: 7, nightly: false } });
    for (const [purged, word] of [
      ["beta", BETA],
      ["alpha", ALPHA],
    ] as const) {
      const clients = await createUndoneMerges();
      const { client, form: own } = clients[purged];
      expect(await readableAuditText()).toContain(word);
      await rows(sql`UPDATE clients SET updated_at = '2010-01-01' WHERE id = ${client.id}`);
      await rows(
        sql`UPDATE forms SET updated_at = '2010-01-01', service_on = '2010-01-01' WHERE id = ${own.id}`,
      );
      expect(
        (await call(keeper.cookie, "POST", "/api/retention/purge", { ids: [client.id] })).body,
      ).toMatchObject({ done: [client.id] });
      const left = await readableAuditText();
      expect(left).not.toContain(word);
      const others = Object.entries({ alpha: ALPHA, beta: BETA, gamma: GAMMA });
      for (const [name, other] of others) if (name !== purged) expect(left).toContain(`${other} alone`);
      // The next round begins without any readable values.
      await rows(
        sql`DELETE FROM client_keys WHERE client_id = ANY(${Object.values(clients).map(({ client: { id } }) => id)})`,
      );
    }
    await call(keeper.cookie, "PUT", "/api/retention", { retention: { years: null, nightly: false } });
  });

  test("a user from whom one client is hidden finds nothing about them in the records of the others", async () => {
    const { alpha, beta, gamma } = await createUndoneMerges();
    const excludedUser = await makeUser(["clients", "forms", "all-forms", "audit-log"]);
    const restrictor = await makeUser(["clients", "restrict-clients"]);
    const visibleHistory = async (person: Person) => {
      const urls = [alpha, gamma].flatMap((one) => [
        `/api/clients/${one.client.id}/history`,
        `/api/forms/${one.form.id}/history`,
      ]);
      const logs = [
        `filters[entity]=client&filters[entityId]=${beta.client.id}`,
        `filters[entity]=form&filters[entityId]=${beta.form.id}`,
      ].map((filters) => `/api/audit_events?${filters}`);
      const histories = await Promise.all(urls.map((url) => get(url, person)));
      expect(histories.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
      const counts = await Promise.all(logs.map((url) => get(url, person)));
      return {
        texts: JSON.stringify(histories.map(({ body }) => body)),
        counts: counts.map(({ body }) => body.meta.totalCount),
      };
    };
    const before = await visibleHistory(excludedUser);
    expect(before.texts).toContain(BETA);
    expect(before.counts).not.toContain(0);
    expect(
      (
        await call(restrictor.cookie, "PUT", `/api/clients/${beta.client.id}/restrictions`, {
          userIds: [excludedUser.id],
        })
      ).status,
    ).toBe(200);
    const after = await visibleHistory(excludedUser);
    expect(after.texts).not.toContain(BETA);
    expect(after.texts).not.toContain("client.mergedWith");
    for (const word of [ALPHA, GAMMA]) expect(after.texts).toContain(`${word} alone`);
    expect(after.counts).toEqual([0, 0]);
    expect((await visibleHistory(merger)).texts).toContain(BETA);
  });
});

test("a merge does not restart the retention period", async () => {
  const { target, other } = await createDuplicates();
  await rows(
    sql`UPDATE clients SET updated_at = CASE id WHEN ${target.id} THEN '2010-01-01' ELSE '2012-01-01' END::timestamptz WHERE id = ANY(${[target.id, other.id]})`,
  );
  await merge(target, other);
  const [left] = await rows<{ on: string }>(
    sql`SELECT updated_at::date::text AS on FROM clients WHERE id = ${target.id}`,
  );
  expect(left).toEqual({ on: "2012-01-01" });
});

test("a merged client counts once in reports, and a submitted quarter keeps its numbers", async () => {
  const { owner, viewer } = await makeReporter();
  const ids = [await addClient(owner, {}), await addClient(owner, {})];
  for (const id of ids) await addForm(owner, id, "1990-10-04", [["CRISIS", 30]]);
  const period = { from: "1990-10-01", to: "1990-12-31" };
  const servedCount = async () =>
    (await readNumbers(viewer, "pmt", period.from, period.to)).individuals_served;
  const url = "/api/reports/pmt/submissions";
  const { submission } = (await call(viewer.cookie, "POST", url, { submission: period })).body;
  expect(await servedCount()).toBe(2);
  const [target, other] = await Promise.all(ids.map(read));
  expect((await merge(target, other)).status).toBe(200);
  expect(await servedCount()).toBe(1);
  const { lines } = (await get(`${url}/${submission.id}`, viewer)).body.submission;
  expect(lines).toContainEqual(expect.objectContaining({ key: "individuals_served", count: 2, now: 1 }));
});
