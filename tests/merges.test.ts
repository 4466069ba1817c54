import { beforeAll, describe, expect, test } from "vitest";
import { compared, proposed } from "@/components/clients/merges/proposal";
import { merged } from "@/components/record/differences";
import { decryptForClient } from "@/lib/audit/values";
import { type Client, clientSchema } from "@/lib/clients/schema";
import { rows } from "@/lib/core/database/client";
import { sql } from "@/lib/core/database/sql";
import { toWire } from "@/lib/core/fields/wire";
import { clientOfPage, clientScreen } from "@/lib/forms/by-client/screen";
import { formLists } from "@/lib/lookups/resources/lists";
import { sweep } from "@/lib/worker";
import { actorFor, call } from "@/tests/call";
import { during } from "@/tests/during";
import { fullClient, makeClient, makeForm, makeUser, type Person } from "@/tests/factories";
import { client, form, makeReporter, numbers } from "@/tests/reports/world";

// A client who was recorded twice: the merge, what it does to those who work meanwhile, and how it is undone.

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

/** Merges `other` into `kept`, as both were read; `values` are the chosen ones. */
const merge = (kept: Stored, other: Stored, values: object = {}, person = merger) =>
  call(person.cookie, "POST", `/api/clients/${kept.id}/merge`, {
    client: { ...toWire(clientSchema, { ...kept, ...values } as never), lockVersion: kept.lockVersion },
    other: { id: other.id, lockVersion: other.lockVersion },
  });
const undo = (id: number, keepChanged = false, person = merger) =>
  call(person.cookie, "POST", `/api/merges/${id}/undo`, { keepChanged });

/** Two records of one client, the second with two forms, of which one is reconciled and lies in a closed period. */
async function twice() {
  const kept = await makeClient(ada, { name: "Wilma Twice" });
  const other = await makeClient(ada, { ...(await fullClient()), name: "Wilhelmina Twice" });
  const own = await makeForm(ada, {}, kept.id);
  const forms = [await makeForm(ada, {}, other.id), await makeForm(merger, {}, other.id)];
  return { kept, other, own, forms };
}

describe("a merge", () => {
  test("moves every form as checked as it was, keeps the chosen values and removes the other record", async () => {
    const { kept, other, own, forms } = await twice();
    const [first] = forms;
    await call(merger.cookie, "POST", `/api/forms/${first.id}/reconcile`, { reconciled: true });
    await rows(sql`UPDATE closed_periods SET closed_through = '2026-06-30'`);
    const { status, body } = await merge(kept, other, {
      name: "Wilhelmina Twice",
      clientBiographicalEntry: { city: "Erie", dateOfBirth: "1984-02-29" },
    });
    await rows(sql`UPDATE closed_periods SET closed_through = NULL`);
    expect([status, body.error]).toEqual([200, undefined]);
    expect(body.client).toMatchObject({
      id: kept.id,
      name: "Wilhelmina Twice",
      clientBiographicalEntry: { city: "Erie", dateOfBirth: "1984-02-29" },
    });
    expect(body.merge).toMatchObject({
      clientId: kept.id,
      mergedId: other.id,
      by: `${merger.firstName} ${merger.lastName}`,
      undoableUntil: expect.any(String),
    });
    expect((await get(`/api/clients/${other.id}`)).status).toBe(404);
    const listed = (await get(`/api/forms?filters[clientId]=${kept.id}&filters[formStatus]=all`)).body.forms;
    expect(listed.map(({ id }: { id: number }) => id).sort()).toEqual([own.id, ...forms.map(({ id }) => id)]);
    const moved = (await get(`/api/forms/${first.id}`)).body.form;
    expect(moved).toMatchObject({
      clientId: kept.id,
      client: { name: "Wilhelmina Twice" },
      reconciled: true,
      // Once by the review, once by the merge.
      lockVersion: first.lockVersion + 2,
      userId: ada.id,
    });

    // Told in the histories of both records and of each form; that of the removed one is still there to be read.
    expect(await history(kept.id)).toContainEqual(
      expect.objectContaining({
        action: "merged",
        changes: expect.arrayContaining([
          expect.objectContaining({ field: "client.mergedWith", to: other.id }),
          expect.objectContaining({ field: "client.name", from: "Wilma Twice", to: "Wilhelmina Twice" }),
        ]),
      }),
    );
    const [last] = (await history(other.id)).filter(({ action }: { action: string }) => action === "merged");
    expect(last.changes).toContainEqual(
      expect.objectContaining({ field: "client.clientBiographicalEntry.address", from: "12 Elm Street" }),
    );
    const ofForm = (await get(`/api/forms/${first.id}/history`)).body.events;
    expect(ofForm).toContainEqual(
      expect.objectContaining({
        action: "merged",
        changes: [expect.objectContaining({ field: "form.clientId", from: other.id, to: kept.id })],
      }),
    );
    expect((await get(`/api/clients/${other.id}/merges`)).body).toEqual({ merges: [], mergedInto: kept.id });
    expect((await get(`/api/clients/${kept.id}/merges`)).body).toEqual({
      merges: [body.merge],
      mergedInto: null,
    });
    // A bookmark of the removed record leads to the one that remains.
    await expect(clientScreen(await actorFor(merger), other.id)).rejects.toMatchObject({
      digest: expect.stringContaining(`;/clients/${kept.id};`),
    });
    await expect(clientOfPage(await actorFor(merger), other.id, "/edit")).rejects.toMatchObject({
      digest: expect.stringContaining(`;/clients/${kept.id}/edit;`),
    });
  });

  test("needs Clients, Forms and All Forms", async () => {
    const { kept, other } = await twice();
    for (const held of [
      ["clients", "forms"],
      ["forms", "all-forms"],
      ["clients", "all-forms"],
    ] as const) {
      expect((await merge(kept, other, {}, await makeUser(held))).status, held.join()).toBe(403);
    }
    expect(await read(other.id)).toEqual(other);
  });

  test("is refused with itself, with a record that is gone or was changed since, and without the own version", async () => {
    const { kept, other } = await twice();
    expect(await merge(kept, kept)).toMatchObject({
      status: 422,
      body: { fields: { "other.id": expect.stringContaining("itself") } },
    });
    const unknown = { id: 1_000_000, lockVersion: 0 };
    expect(await merge(kept, unknown)).toMatchObject({
      status: 422,
      body: { fields: { "other.id": "This client is no longer there" } },
    });
    expect((await merge({ ...kept, id: 1_000_000 }, other)).status).toBe(404);
    const stale = `This record was changed by ${ada.firstName} ${ada.lastName} since you opened it`;
    for (const pair of [
      [{ ...kept, lockVersion: 7 }, other],
      [kept, { ...other, lockVersion: 7 }],
    ] as const)
      expect(await merge(...pair)).toMatchObject({
        status: 409,
        body: { code: "conflict_version", error: stale },
      });
    const { status, body } = await call(merger.cookie, "POST", `/api/clients/${kept.id}/merge`, {
      client: { name: "Wilma Twice" },
      other: { id: other.id, lockVersion: other.lockVersion },
    });
    expect([status, Object.keys(body.fields)]).toEqual([422, ["client.lockVersion"]]);
    expect(await merge(kept, other, { name: "" })).toMatchObject({
      status: 422,
      body: { fields: { "client.name": "Client Name is required" } },
    });
    expect([await read(kept.id), await read(other.id)]).toEqual([kept, other]);
  });

  test("is refused, as is undoing it, while a legal hold stands on either record", async () => {
    const { kept, other } = await twice();
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
    for (const { id } of [kept, other]) {
      await hold(id, "PUT");
      expect(await merge(kept, other)).toMatchObject(HELD);
      await hold(id, "DELETE");
    }
    const merged = (await merge(kept, other)).body.merge;
    await hold(kept.id, "PUT");
    expect(await undo(merged.id)).toMatchObject(HELD);
    await hold(kept.id, "DELETE");
    expect((await undo(merged.id)).status).toBe(200);
  });

  test("is refused, as is undoing it, while a legal hold is being put on either record", async () => {
    const { kept, other } = await twice();
    const holding = (id: number) => `SELECT FROM clients WHERE id = ${id} FOR UPDATE;
      INSERT INTO client_holds (client_id, reason, held_at) VALUES (${id}, 'Appeal', now())`;
    const HELD = { status: 409, body: { code: "conflict_in_use" } };
    const lift = (id: number) => rows(sql`DELETE FROM client_holds WHERE client_id = ${id}`);
    for (const { id } of [kept, other]) {
      expect(await during(holding(id), () => merge(kept, other))).toMatchObject(HELD);
      await lift(id);
    }
    const merged = (await merge(kept, other)).body.merge;
    expect(await during(holding(kept.id), () => undo(merged.id))).toMatchObject(HELD);
    await lift(kept.id);
    expect((await undo(merged.id)).status).toBe(200);
  });

  test("happens once when two are asked for at the same moment, in whatever direction", async () => {
    const { kept, other } = await twice();
    const third = await makeClient(ada);
    const answers = await Promise.all([merge(kept, other), merge(other, kept), merge(third, other)]);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    for (const { status } of answers) expect([200, 404, 409, 422]).toContain(status);
    const forms = await rows<{ clientId: number }>(
      sql`SELECT DISTINCT client_id AS "clientId" FROM forms WHERE client_id = ANY(${[kept.id, other.id, third.id]})`,
    );
    const there = (await Promise.all([kept, other, third].map(({ id }) => get(`/api/clients/${id}`)))).filter(
      ({ status }) => status === 200,
    );
    expect(there).toHaveLength(2);
    expect(there.map(({ body }) => body.client.id)).toEqual(
      expect.arrayContaining(forms.map(({ clientId }) => clientId)),
    );
  });
});

describe("what the screen proposes", () => {
  const propose = async (kept: Client, other: Client) => {
    const { record, versions, found } = compared(kept, other, await formLists(await actorFor(merger)));
    const proposal = proposed(found);
    const body = {
      client: toWire(
        clientSchema,
        merged(versions, record, found, (name) => proposal.has(name)),
      ),
      other: { id: other.id, lockVersion: other.lockVersion },
    };
    return call(merger.cookie, "POST", `/api/clients/${kept.id}/merge`, body);
  };

  test("fills what is blank in the record that remains from the other one, and can be sent as it is", async () => {
    const { kept, other } = await twice();
    const { status, body } = await propose(kept, other);
    expect([status, body.error]).toEqual([200, undefined]);
    const { id: _, ...biographical } = other.clientBiographicalEntry;
    const { id: __, ...demographic } = other.clientDemographicEntry;
    expect(body.client).toMatchObject({
      ...{ id: kept.id, name: "Wilma Twice", significantOther: true, relationshipToSurvivor: "Sister" },
      ...{ clientBiographicalEntry: biographical, clientDemographicEntry: demographic },
    });
  });

  test("calls a number safe only where that was said of it", async () => {
    const withPhone = (phoneNumber: string, safeToCall: boolean) =>
      makeClient(ada, { clientBiographicalEntryAttributes: { phoneNumber, safeToCall } });
    const [mine, theirs] = ["(814) 555-0100", "(814) 555-0199"];
    for (const [kept, other, phoneNumber, safeToCall] of [
      [await withPhone(mine, false), await withPhone(theirs, true), mine, false],
      [await withPhone(mine, true), await withPhone(mine, false), mine, false],
      [await withPhone("", true), await withPhone(theirs, false), theirs, false],
      [await withPhone("", false), await withPhone(theirs, true), theirs, true],
    ] as const)
      expect((await propose(kept, other)).body.client.clientBiographicalEntry).toMatchObject({
        phoneNumber,
        safeToCall,
      });
  });
});

describe("whoever works with a client while it is merged", () => {
  test("is told, and writes to no record that is gone: the client, a form, a new form, a draft", async () => {
    const { kept, other, forms } = await twice();
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
    expect((await merge(kept, other)).status).toBe(200);
    // A screen that is still open goes on saving its draft.
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
        clientId: kept.id,
        client: { id: kept.id },
        form: { clientId: kept.id },
        base: { client: { id: kept.id } },
      });
    }
    // No version that was read of either record counts any more.
    const now = await read(kept.id);
    expect(now.lockVersion).toBeGreaterThan(Math.max(kept.lockVersion, other.lockVersion));
  });

  test("saves before it or is told: a save that a merge waits for makes the merge stale", async () => {
    const { kept, other } = await twice();
    const answer = await during(
      `UPDATE clients SET name = 'Saved first', lock_version = lock_version + 1 WHERE id = ${other.id}`,
      () => merge(kept, other),
    );
    expect(answer).toMatchObject({ status: 409, body: { code: "conflict_version" } });
    expect(await read(other.id)).toMatchObject({ name: "Saved first" });
  });

  test("records a form that is moved too, or is refused, when it is made at the same moment", async () => {
    const { kept, other } = await twice();
    const [merged, made] = await Promise.all([
      merge(kept, other),
      call(ada.cookie, "POST", "/api/forms", {
        form: {
          ...{
            clientId: other.id,
            formTypeId: (await rows<{ id: number }>(sql`SELECT id FROM form_types WHERE name = 'Service'`))[0]
              ?.id,
          },
          ...{ serviceOn: "2026-03-04", serviceStatus: "Served", verbalConfirmation: true },
        },
      }),
    ]);
    expect(merged.status).toBe(200);
    expect([201, 409, 422]).toContain(made.status);
    if (made.status === 201)
      expect((await get(`/api/forms/${made.body.form.id}`)).body.form.clientId).toBe(kept.id);
    expect(await rows(sql`SELECT FROM forms WHERE client_id = ${other.id}`)).toEqual([]);
  });
});

describe("undoing a merge", () => {
  test("brings the record back under its id with its forms, and the other's former values", async () => {
    const { kept, other, own, forms } = await twice();
    const { body } = await merge(kept, other, {
      name: "Wilhelmina Twice",
      clientBiographicalEntry: { city: "Erie" },
    });
    const added = await makeForm(ada, {}, kept.id);
    const [moved, gone] = forms;
    await call(merger.cookie, "DELETE", `/api/forms/${gone.id}`);
    // A closed period does not keep its forms from going back.
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
    expect(await read(kept.id)).toMatchObject({ name: "Wilma Twice", clientBiographicalEntry: null });
    const clientOf = async (form: Stored) => (await get(`/api/forms/${form.id}`)).body.form?.clientId;
    expect(await Promise.all([own, added, moved, gone].map(clientOf))).toEqual([
      kept.id,
      kept.id,
      other.id,
      undefined,
    ]);
    expect((await history(id)).map(({ action }: { action: string }) => action)).toEqual(
      expect.arrayContaining(["unmerged", "merged", "created"]),
    );
    expect((await undo(body.merge.id)).status).toBe(404);
    expect((await get(`/api/clients/${kept.id}/merges`)).body.merges).toEqual([]);
    // It can be merged, and undone, once more.
    const again = await merge(await read(kept.id), back);
    expect((await undo(again.body.merge.id)).status).toBe(200);
  });

  test("never loses a word: values changed since are named, and stay when that is asked for", async () => {
    const { kept, other } = await twice();
    const { body } = await merge(kept, other, {
      name: "Wilhelmina Twice",
      relationshipToSurvivor: "Sister",
    });
    await call(ada.cookie, "PUT", `/api/clients/${kept.id}`, {
      client: { ...body.client, name: "Wilhelmina T. Twice" },
    });
    expect(await undo(body.merge.id)).toMatchObject({
      status: 409,
      body: {
        code: "conflict_version",
        error: ["Some of this client's values were changed since the merge:", "Client Name"],
      },
    });
    expect((await get(`/api/clients/${other.id}`)).status).toBe(404);
    expect((await undo(body.merge.id, true)).status).toBe(200);
    expect(await read(kept.id)).toMatchObject({
      name: "Wilhelmina T. Twice",
      relationshipToSurvivor: "",
    });
  });

  test("needs All Forms, and happens once when it is asked for twice at the same moment", async () => {
    const { kept, other } = await twice();
    const { id } = (await merge(kept, other)).body.merge;
    expect((await undo(id, false, ada)).status).toBe(403);
    const answers = await Promise.all([undo(id), undo(id)]);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    for (const { status } of answers) expect([200, 404, 422]).toContain(status);
  });

  test("is not done by somebody from whom the record that would be back was hidden", async () => {
    const { kept, other } = await twice();
    const unknowing = await makeUser(["clients", "forms", "all-forms"]);
    const restrictor = await makeUser(["clients", "restrict-clients"]);
    const hide = (id: number, userIds: number[]) =>
      call(restrictor.cookie, "PUT", `/api/clients/${id}/restrictions`, { userIds });
    expect((await hide(other.id, [unknowing.id])).status).toBe(200);
    const { body } = await merge(kept, await read(other.id));
    expect((await undo(body.merge.id, false, unknowing)).status).toBe(404);
    // Who lifts it from the client of today may not have the other record in mind.
    expect((await hide(kept.id, [])).status).toBe(200);
    expect((await get(`/api/clients/${kept.id}`, unknowing)).status).toBe(200);

    const refused = await undo(body.merge.id, false, unknowing);
    expect([refused.status, refused.body.code]).toEqual([404, "not_found"]);
    const offered = async (person: Person) =>
      (await get(`/api/clients/${kept.id}/merges`, person)).body.merges;
    expect(await offered(unknowing)).toMatchObject([{ id: body.merge.id, undoableUntil: null }]);
    expect(await offered(merger)).toMatchObject([{ id: body.merge.id, undoableUntil: expect.any(String) }]);
    const undone = await undo(body.merge.id);
    expect([undone.status, undone.body.other.name]).toEqual([200, "Wilhelmina Twice"]);
    expect((await get(`/api/clients/${other.id}`, unknowing)).status).toBe(404);
  });

  test("is no longer offered once what it needs cannot be read, and is refused then", async () => {
    const { kept, other } = await twice();
    const { id } = (await merge(kept, other)).body.merge;
    await rows(sql`UPDATE client_merges SET details = ${Buffer.from([0])} WHERE id = ${id}`);
    expect((await get(`/api/clients/${kept.id}/merges`)).body.merges).toMatchObject([
      { id, undoableUntil: null },
    ]);
    expect((await undo(id)).status).toBe(422);
  });

  test("ends when the client is purged: neither record answers, and nothing of the merge is left", async () => {
    const { kept, other } = await twice();
    const { id } = (await merge(kept, other)).body.merge;
    await rows(sql`UPDATE clients SET updated_at = '2010-01-01' WHERE id = ${kept.id}`);
    await rows(
      sql`UPDATE forms SET updated_at = '2010-01-01', service_on = '2010-01-01' WHERE client_id = ${kept.id}`,
    );
    await call(keeper.cookie, "PUT", "/api/retention", { retention: { years: 7, nightly: false } });
    const purged = await call(keeper.cookie, "POST", "/api/retention/purge", { ids: [kept.id] });
    await call(keeper.cookie, "PUT", "/api/retention", { retention: { years: null, nightly: false } });
    expect(purged.body.done).toEqual([kept.id]);
    for (const client of [kept, other])
      expect((await get(`/api/clients/${client.id}/merges`)).status).toBe(404);
    expect((await undo(id)).status).toBe(404);
    expect(await rows(sql`SELECT FROM client_merges WHERE id = ${id}`)).toEqual([]);
  });

  test("goes from the last merge to the first where a client was merged in turn", async () => {
    const { kept: first, other: second } = await twice();
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
      body: { error: `The client was merged into client ${third.id} since. Please undo that merge first.` },
    });
    expect([(await undo(outer.id)).status, (await undo(inner.id)).status]).toEqual([200, 200]);
    expect(await read(second.id)).toMatchObject({ name: "Wilhelmina Twice" });
  });

  test("goes from the last merge to the first where two records were merged into one client", async () => {
    const { kept, other } = await twice();
    const another = await makeClient(ada, { name: "Wilma Thrice" });
    const first = (await merge(kept, other, { name: "Wilhelmina Twice" })).body.merge;
    const second = (await merge(await read(kept.id), another, { name: "Wilma Thrice" })).body.merge;
    expect((await get(`/api/clients/${kept.id}/merges`)).body.merges).toMatchObject([
      { id: second.id, undoableUntil: expect.any(String) },
      { id: first.id, undoableUntil: null },
    ]);
    expect(await undo(first.id)).toMatchObject({
      status: 409,
      body: {
        code: "conflict_in_use",
        error: "Another record was merged into this client since. Please undo that merge first.",
      },
    });
    expect([(await undo(second.id)).status, (await undo(first.id)).status]).toEqual([200, 200]);
    expect(await read(kept.id)).toMatchObject({ name: "Wilma Twice" });
  });

  test("is over after 30 days: what it would need is deleted, who was merged is still known", async () => {
    const { kept, other } = await twice();
    const { id } = (await merge(kept, other)).body.merge;
    await rows(sql`UPDATE client_merges SET at = now() - interval '31 days' WHERE id = ${id}`);
    expect(await undo(id)).toMatchObject({
      status: 422,
      body: { error: expect.stringContaining("can no longer be undone") },
    });
    await sweep();
    expect(await rows(sql`SELECT details FROM client_merges WHERE id = ${id}`)).toEqual([{ details: null }]);
    expect((await get(`/api/clients/${kept.id}/merges`)).body.merges).toMatchObject([
      { id, undoableUntil: null },
    ]);
  });
});

describe("after an undone merge", () => {
  const [ALPHA, BETA, GAMMA] = ["Alpharius", "Betancourt", "Gammage"];

  /** A client whose texts all have the word in them, and a form of theirs. */
  async function named(word: string) {
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
   * Beta was merged into Alpha with Beta's values, worked with, then Alpha into Gamma, worked with, and both was undone.
   */
  async function untangled() {
    const [alpha, beta, gamma] = [await named(ALPHA), await named(BETA), await named(GAMMA)];
    const biographical = { clientBiographicalEntry: { address: BETA } };
    const first = await merge(await read(alpha.client.id), await read(beta.client.id), {
      ...{ name: BETA, ...biographical },
    });
    await rename(alpha.client.id, `${BETA} ${ALPHA}`);
    await rename(alpha.client.id, BETA);
    await write(beta.form.id, `${BETA} in the first merge`);
    const [outer, inner] = [await read(gamma.client.id), await read(alpha.client.id)];
    const second = await merge(outer, inner, { name: BETA, ...biographical });
    await write(beta.form.id, `${BETA} in the second merge`);
    for (const { body } of [second, first])
      expect((await undo(body.merge.id)).status, JSON.stringify(body)).toBe(200);
    // Each goes on under a key of its own.
    for (const [{ client: made, form: own }, word] of [
      [alpha, ALPHA],
      [beta, BETA],
      [gamma, GAMMA],
    ] as const) {
      expect(await read(made.id)).toMatchObject({ name: word, clientBiographicalEntry: { address: word } });
      await write(own.id, `${word} alone`);
    }
    return { alpha, beta, gamma };
  }

  /** What the keys that are left can read in the audit trail. */
  async function readable(): Promise<string> {
    const sealed = await rows<{ details: Buffer; wrapped: Buffer }>(
      sql`SELECT e.details, k.wrapped FROM audit_events e JOIN client_keys k ON k.id = e.key_id`,
    );
    return JSON.stringify(sealed.map(({ details, wrapped }) => decryptForClient(details, wrapped)));
  }

  test("a purge of any of the clients leaves nothing of them readable, and of the others what is theirs alone", async () => {
    await call(keeper.cookie, "PUT", "/api/retention", { retention: { years: 7, nightly: false } });
    for (const [purged, word] of [
      ["beta", BETA],
      ["alpha", ALPHA],
    ] as const) {
      const clients = await untangled();
      const { client: gone, form: own } = clients[purged];
      expect(await readable()).toContain(word);
      await rows(sql`UPDATE clients SET updated_at = '2010-01-01' WHERE id = ${gone.id}`);
      await rows(
        sql`UPDATE forms SET updated_at = '2010-01-01', service_on = '2010-01-01' WHERE id = ${own.id}`,
      );
      expect(
        (await call(keeper.cookie, "POST", "/api/retention/purge", { ids: [gone.id] })).body,
      ).toMatchObject({ done: [gone.id] });
      const left = await readable();
      expect(left).not.toContain(word);
      const others = Object.entries({ alpha: ALPHA, beta: BETA, gamma: GAMMA });
      for (const [name, other] of others) if (name !== purged) expect(left).toContain(`${other} alone`);
      // The next round begins with nobody's values.
      await rows(
        sql`DELETE FROM client_keys WHERE client_id = ANY(${Object.values(clients).map(({ client: { id } }) => id)})`,
      );
    }
    await call(keeper.cookie, "PUT", "/api/retention", { retention: { years: null, nightly: false } });
  });

  test("whoever must not know of one client finds nothing of them in what is told of the others", async () => {
    const { alpha, beta, gamma } = await untangled();
    const unknowing = await makeUser(["clients", "forms", "all-forms", "audit-log"]);
    const restrictor = await makeUser(["clients", "restrict-clients"]);
    const told = async (person: Person) => {
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
    const before = await told(unknowing);
    expect(before.texts).toContain(BETA);
    expect(before.counts).not.toContain(0);
    expect(
      (
        await call(restrictor.cookie, "PUT", `/api/clients/${beta.client.id}/restrictions`, {
          userIds: [unknowing.id],
        })
      ).status,
    ).toBe(200);
    const after = await told(unknowing);
    expect(after.texts).not.toContain(BETA);
    expect(after.texts).not.toContain("client.mergedWith");
    for (const word of [ALPHA, GAMMA]) expect(after.texts).toContain(`${word} alone`);
    expect(after.counts).toEqual([0, 0]);
    expect((await told(merger)).texts).toContain(BETA);
  });
});

test("a merge does not restart retention's clock", async () => {
  const { kept, other } = await twice();
  await rows(
    sql`UPDATE clients SET updated_at = CASE id WHEN ${kept.id} THEN '2010-01-01' ELSE '2012-01-01' END::timestamptz WHERE id = ANY(${[kept.id, other.id]})`,
  );
  await merge(kept, other);
  const [left] = await rows<{ on: string }>(
    sql`SELECT updated_at::date::text AS on FROM clients WHERE id = ${kept.id}`,
  );
  expect(left).toEqual({ on: "2012-01-01" });
});

test("a merged client counts once in reports, and a quarter that was sent keeps its numbers", async () => {
  const { owner, viewer } = await makeReporter();
  const ids = [await client(owner, {}), await client(owner, {})];
  for (const id of ids) await form(owner, id, "1990-10-04", [["CRISIS", 30]]);
  const period = { from: "1990-10-01", to: "1990-12-31" };
  const served = async () => (await numbers(viewer, "pmt", period.from, period.to)).individuals_served;
  const url = "/api/reports/pmt/submissions";
  const { submission } = (await call(viewer.cookie, "POST", url, { submission: period })).body;
  expect(await served()).toBe(2);
  const [kept, other] = await Promise.all(ids.map(read));
  expect((await merge(kept, other)).status).toBe(200);
  expect(await served()).toBe(1);
  const { lines } = (await get(`${url}/${submission.id}`, viewer)).body.submission;
  expect(lines).toContainEqual(expect.objectContaining({ key: "individuals_served", count: 2, now: 1 }));
});
