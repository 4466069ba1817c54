import { beforeAll, describe, expect, test, vi } from "vitest";
import { db, rows } from "@/lib/core/database/client";
import { sql } from "@/lib/core/sql";
import { today } from "@/lib/core/text/format";
import { purgeByNight } from "@/lib/retention/purge";
import { call } from "@/tests/call";
import { fullClient, makeClient, makeForm, makeUser, type Person } from "@/tests/factories";

// Retention: clients without activity become due, are put under a legal hold or purged. Data for report counts stays.

let keeper: Person;
let owner: Person;
let auditor: Person;

beforeAll(async () => {
  keeper = await makeUser(["retention", "clients"]);
  owner = await makeUser(["forms", "clients", "export"]);
  auditor = await makeUser(["audit-log", "forms", "clients", "all-forms"]);
});

const get = (person: Person, path: string) => call(person.cookie, "GET", path);
const set = (retention: object, by = keeper) => call(by.cookie, "PUT", "/api/retention", { retention });
const hold = (id: number, reason: string) =>
  call(keeper.cookie, "PUT", `/api/clients/${id}/hold`, { hold: { reason } });
const lift = (id: number) => call(keeper.cookie, "DELETE", `/api/clients/${id}/hold`);
const purge = (ids: number[], by = keeper) => call(by.cookie, "POST", "/api/retention/purge", { ids });
const listDueClients = async (query = "", by = keeper) =>
  (await get(by, `/api/retention/clients?perPage=100&${query}`)).body.clients as {
    id: number;
    name: string;
    lastActivityOn: string;
    forms: number;
    hold: { reason: string; by: string; at: string } | null;
  }[];
const idsOf = async (query = "") => (await listDueClients(query)).map(({ id }) => id);

/** Makes a client and its forms older by so many years. */
async function age(clientId: number, years: number): Promise<void> {
  await rows(
    sql`UPDATE clients SET updated_at = now() - make_interval(years => ${years}) WHERE id = ${clientId}`,
  );
  await rows(
    sql`UPDATE forms SET updated_at = now() - make_interval(years => ${years}),
       service_on = current_date - make_interval(years => ${years}) WHERE client_id = ${clientId}`,
  );
}

/** Creates a client with a form, both of that age. */
async function makeOld(years = 8, values: object = {}): Promise<{ clientId: number; formId: number }> {
  const { id: clientId } = await makeClient(owner, values);
  const { id: formId } = await makeForm(owner, {}, clientId);
  await age(clientId, years);
  return { clientId, formId };
}

describe("the setting", () => {
  test("is stored and audited, and states until when backups keep records that are deleted today", async () => {
    const until = new Date(Date.parse(today()) + 30 * 86_400_000).toISOString().slice(0, 10);
    expect((await get(keeper, "/api/retention")).body).toEqual({
      retention: { years: null, nightly: false, backupsUntil: until },
    });
    expect(await set({ years: 7, nightly: true })).toMatchObject({
      status: 200,
      body: { retention: { years: 7, nightly: true, backupsUntil: until } },
    });
    expect((await get(keeper, "/api/retention")).body.retention).toMatchObject({ years: 7, nightly: true });
    const { auditEvents } = (await get(auditor, "/api/audit_events?filters[entity]=retention")).body;
    expect(auditEvents).toMatchObject([
      { action: "updated", userId: keeper.id, fields: ["retention.years", "retention.nightly"] },
    ]);
    await set({ years: 7, nightly: false });
  });

  test("names an invalid field and saves nothing", async () => {
    for (const [retention, field] of [
      [{ years: 0, nightly: false }, "retention.years"],
      [{ years: 101, nightly: false }, "retention.years"],
      [{ years: "x", nightly: false }, "retention.years"],
      [{ years: null, nightly: true }, "retention.nightly"],
      [{ years: 3 }, "retention.nightly"],
    ] as const) {
      const { status, body } = await set(retention);
      expect([status, Object.keys(body.fields)]).toEqual([422, [field]]);
    }
    expect((await get(keeper, "/api/retention")).body.retention).toMatchObject({ years: 7, nightly: false });
  });
});

describe("a client is due", () => {
  test("after the set number of years without a save of the record, a save of a form or a day of service", async () => {
    const { clientId, formId } = await makeOld(8);
    const { clientId: younger } = await makeOld(6);
    const { id: formless } = await makeClient(owner);
    await age(formless, 8);
    const due = await idsOf();
    expect(due).toEqual(expect.arrayContaining([clientId, formless]));
    expect(due).not.toContain(younger);

    await rows(sql`UPDATE clients SET updated_at = now() WHERE id = ${clientId}`);
    expect(await idsOf()).not.toContain(clientId);
    await age(clientId, 8);
    await rows(sql`UPDATE forms SET updated_at = now() WHERE id = ${formId}`);
    expect(await idsOf()).not.toContain(clientId);
    await age(clientId, 8);
    await rows(sql`UPDATE forms SET service_on = current_date - 365 WHERE id = ${formId}`);
    expect(await idsOf()).not.toContain(clientId);
    await age(clientId, 8);
    expect(await idsOf()).toContain(clientId);
  });

  test("counted from the last activity by the organization's day, even late in the evening", async () => {
    const { id } = await makeClient(owner);
    await rows(sql`UPDATE clients SET updated_at = '2015-03-01 23:30 America/Los_Angeles' WHERE id = ${id}`);
    expect((await listDueClients()).find((client) => client.id === id)?.lastActivityOn).toBe("2015-03-01");
  });

  test("never, while no number of years is set", async () => {
    await makeOld(90);
    await set({ years: null, nightly: false });
    expect(await idsOf()).toEqual([]);
    await set({ years: 7, nightly: false });
  });

  test("but is named only to users who may see clients", async () => {
    const { clientId } = await makeOld(8, { name: "Nora Named" });
    const blind = await makeUser(["retention"]);
    const nameFor = async (by: Person) =>
      (await listDueClients("", by)).find(({ id }) => id === clientId)?.name;
    expect(await nameFor(keeper)).toBe("Nora Named");
    expect(await nameFor(blind)).toBe(`Client ${clientId}`);
  });
});

describe("a legal hold", () => {
  test("keeps a due client out of every purge, until it is lifted", async () => {
    const { clientId } = await makeOld();
    expect((await hold(clientId, " ")).body.fields).toEqual({ "hold.reason": "Reason is required" });
    expect(await hold(clientId, "Subpoena of May")).toMatchObject({
      status: 200,
      body: { hold: { reason: "Subpoena of May", by: `${keeper.firstName} ${keeper.lastName}` } },
    });
    expect(await idsOf()).not.toContain(clientId);
    expect((await listDueClients("filters[held]=true")).find(({ id }) => id === clientId)?.hold?.reason).toBe(
      "Subpoena of May",
    );
    expect((await purge([clientId])).body).toMatchObject({
      done: [],
      failed: [{ id: clientId, error: "This client is under legal hold.", code: "conflict_in_use" }],
    });
    expect((await get(owner, `/api/clients/${clientId}`)).status).toBe(200);

    expect((await lift(clientId)).status).toBe(204);
    expect((await lift(clientId)).status).toBe(404);
    expect(await idsOf("filters[held]=true")).not.toContain(clientId);
    const { events } = (await get(auditor, `/api/clients/${clientId}/history`)).body;
    const changed = events.flatMap(({ changes }: { changes: object[] }) => changes);
    expect(changed).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ field: "client.hold", from: null, to: "Subpoena of May" }),
        expect.objectContaining({ field: "client.hold", from: "Subpoena of May", to: null }),
      ]),
    );
    expect((await purge([clientId])).body.done).toEqual([clientId]);
  });

  test("shows an open stay as activity of today only to holders of Shelter", async () => {
    const { clientId } = await makeOld(8);
    const { id: shelterId } = await db().shelter.create({
      data: { name: "Retention House", kind: "In-house" },
    });
    await db().stay.create({
      data: { clientId, shelterId, userId: owner.id, enteredOn: new Date("2015-03-01") },
    });
    await rows(sql`UPDATE stays SET updated_at = '2015-03-01 12:00Z' WHERE client_id = ${clientId}`);
    await age(clientId, 20);
    await hold(clientId, "Appeal");
    const lastActivity = async (by: Person) =>
      (await listDueClients("filters[held]=true", by)).find(({ id }) => id === clientId)?.lastActivityOn;
    expect(await lastActivity(keeper)).toBe("2015-03-01");
    expect(await lastActivity(await makeUser(["retention", "clients", "shelter"]))).toBe(today());
  });

  test("can be put on clients who are not due, but not on unknown clients", async () => {
    const { id } = await makeClient(owner);
    expect((await hold(id, "Appeal")).status).toBe(200);
    expect(await idsOf("filters[held]=true")).toContain(id);
    expect((await hold(999_999, "Nobody")).status).toBe(404);
  });
});

describe("the list as a file", () => {
  test("contains due and held clients for holders of Export, and names them only to users who may see clients", async () => {
    await set({ years: 7, nightly: false });
    const { clientId: due } = await makeOld(8, { name: "Filed Due" });
    const { clientId: heldId } = await makeOld(8, { name: "Filed Held" });
    await hold(heldId, "Appeal, second");
    const clerk = await makeUser(["retention", "clients", "export"]);
    const linesOf = async (by: Person, query = "") =>
      (await get(by, `/api/retention/clients.csv?${query}`)).body
        .replace(/^\uFEFF/, "")
        .split("\r\n") as string[];
    const of = (lines: string[], id: number) => lines.find((line) => line.startsWith(`${id},`));

    const lines = await linesOf(clerk, "page=7&perPage=1");
    expect(lines[0]).toBe("Id,Client Name,Advocate Name,Last Activity,Forms");
    expect(of(lines, due)).toMatch(/^\d+,Filed Due,.*,\d\d\/\d\d\/\d{4},1$/);
    expect(of(lines, heldId)).toBeUndefined();
    const ofHeld = await linesOf(clerk, "filters[held]=true");
    expect(ofHeld[0]).toBe("Id,Client Name,Advocate Name,Last Activity,Forms,Legal Hold,Held By,Held On");
    expect(of(ofHeld, heldId)).toContain('"Appeal, second"');
    expect(of(ofHeld, due)).toBeUndefined();
    expect(of(await linesOf(clerk, "search=filed"), due)).toContain("Filed Due");

    const blind = await makeUser(["retention", "export"]);
    expect(of(await linesOf(blind), due)).toContain(`,Client ${due},`);
    expect(of(await linesOf(blind, "filters[held]=true"), heldId)).not.toContain("Appeal");
    for (const person of [keeper, owner])
      expect((await get(person, "/api/retention/clients.csv")).status).toBe(403);
  });
});

describe("a purge", () => {
  test("needs a recent password confirmation, and refuses clients who are not due or unknown", async () => {
    const { id } = await makeClient(owner);
    expect((await purge([id, 999_999])).body).toMatchObject({
      done: [],
      failed: [
        { id, error: "This client is not due to be purged.", code: "invalid" },
        { id: 999_999, code: "not_found" },
      ],
    });
    const stale = await makeUser(["retention"]);
    await db().session.updateMany({
      where: { userId: stale.id },
      data: { provedAt: new Date(Date.now() - 31 * 60_000) },
    });
    const { clientId } = await makeOld();
    const needed = { status: 403, body: { code: "proof_needed" } };
    expect(await purge([clientId], stale)).toMatchObject(needed);
    expect(await set({ years: 1, nightly: true }, stale)).toMatchObject(needed);
    expect((await get(owner, `/api/clients/${clientId}`)).status).toBe(200);
  });

  test("removes the client from every list, search and page, and is audited", async () => {
    const { clientId } = await makeOld(8, { name: "Petronella Quirke" });
    const count = async () =>
      (await get(owner, `/api/clients?filters[userId]=${owner.id}`)).body.meta.totalCount;
    const before = await count();
    const { status, body } = await purge([clientId]);
    expect([status, body.done]).toEqual([200, [clientId]]);
    expect(body.backupsUntil).toBe((await get(keeper, "/api/retention")).body.retention.backupsUntil);

    expect(await count()).toBe(before - 1);
    for (const text of ["Petronella", "Quirke", "Removed client"]) {
      const found = await get(owner, `/api/clients?perPage=100&search=${encodeURIComponent(text)}`);
      expect(found.body.clients, text).toEqual([]);
      for (const [path, body] of [
        ["search", { search: text }],
        ["similar", { name: text }],
      ] as const)
        expect((await call(owner.cookie, "POST", `/api/clients/${path}`, body)).body.clients).toEqual([]);
    }
    const lines = async (path: string) => (await get(owner, path)).body as string;
    expect(await lines("/api/clients.csv")).not.toMatch(new RegExp(`^${clientId},`, "m"));
    const choices = (await get(owner, "/api/resource_lists/clients")).body.clients;
    expect(choices.map(({ id }: { id: number }) => id)).not.toContain(clientId);
    for (const [method, path] of [
      ["GET", ""],
      ["DELETE", ""],
      ["GET", "/history"],
      ["POST", "/revealed"],
      ["POST", "/printed"],
    ] as const)
      expect((await call(owner.cookie, method, `/api/clients/${clientId}${path}`)).status, path).toBe(404);
    const client = { name: "Back Again", significantOther: false, verbalConfirmation: true };
    expect((await call(owner.cookie, "PUT", `/api/clients/${clientId}`, { client })).status).toBe(404);
    expect((await hold(clientId, "Too late")).status).toBe(404);
    expect((await purge([clientId])).body.failed).toMatchObject([{ id: clientId, code: "not_found" }]);

    const record = `filters[entity]=client&filters[entityId]=${clientId}&filters[action]=purged`;
    expect((await get(auditor, `/api/audit_events?${record}`)).body.auditEvents).toMatchObject([
      { userId: keeper.id, action: "purged", fields: [] },
    ]);
  });

  test("keeps the parts of forms that reports count, without a name, and those cannot be changed", async () => {
    const { clientId, formId } = await makeOld(8, { name: "Quentin Rest" });
    await rows(sql`UPDATE closed_periods SET closed_through = current_date - 365`);
    await purge([clientId]);
    await rows(sql`UPDATE closed_periods SET closed_through = NULL`);
    const { form } = (await get(owner, `/api/forms/${formId}`)).body;
    expect(form).toMatchObject({ client: { id: clientId, name: "Removed client" }, serviceStatus: "Served" });
    const inList = (await get(owner, `/api/forms?filters[clientId]=${clientId}`)).body.forms;
    expect(inList).toMatchObject([{ id: formId, client: { name: "Removed client", purged: true } }]);

    const { id: elsewhere } = await makeClient(owner);
    const refusal = { status: 422, body: { fields: { "form.clientId": expect.any(String) } } };
    const { formTypeId, serviceOn, serviceStatus, verbalConfirmation } = form;
    const values = { formTypeId, serviceOn, serviceStatus, verbalConfirmation };
    const path = `/api/forms/${formId}`;
    for (const target of [clientId, elsewhere])
      expect(await call(owner.cookie, "PUT", path, { form: { ...values, clientId: target } })).toMatchObject(
        refusal,
      );
    expect(await call(owner.cookie, "DELETE", path)).toMatchObject(refusal);
    expect(await call(auditor.cookie, "POST", `${path}/return`, { comment: "Who?" })).toMatchObject(refusal);
    expect(await call(owner.cookie, "POST", "/api/forms", { form: { ...values, clientId } })).toMatchObject(
      refusal,
    );
    expect((await call(owner.cookie, "POST", `${path}/reconcile`, { reconciled: true })).status).toBe(200);
    const { draft } = { draft: { formId, content: { clientId, client: { name: "Back Again" } } } };
    expect((await call(owner.cookie, "PUT", "/api/drafts/late", { draft })).status).toBe(404);
    const started = { formId: null, content: { clientId, client: { name: "Back Again" } } };
    expect((await call(owner.cookie, "PUT", "/api/drafts/late", { draft: started })).status).toBe(404);
  });

  test("destroys the client's key, so that a history lists former values without showing them", async () => {
    const { clientId, formId } = await makeOld(8, await fullClient());
    const history = async () => (await get(auditor, `/api/forms/${formId}/history`)).body.events;
    const showsValues = (events: { changes: { from: unknown; to: unknown }[] }[]) =>
      events.flatMap(({ changes }) => changes).some(({ from, to }) => from !== null || to !== null);
    expect(showsValues(await history())).toBe(true);
    await purge([clientId]);
    const after = await history();
    expect(after.at(-1)).toMatchObject({ action: "created" });
    expect(after.at(-1).changes.length).toBeGreaterThan(2);
    expect(showsValues(after)).toBe(false);
    expect(await db().clientKey.count({ where: { clientId } })).toBe(0);
  });

  test("that coincides with a new form of the client either comes first or is refused", async () => {
    const { clientId } = await makeOld();
    const [purged, formId] = await Promise.all([
      purge([clientId]),
      makeForm(owner, {}, clientId).catch(() => null),
    ]);
    const { purged: gone } = await db().client.findUniqueOrThrow({ where: { id: clientId } });
    expect(gone).toBe(purged.body.done.length === 1);
    // Both together would lose a form just entered for a purged client.
    expect(gone && formId !== null).toBe(false);
  });
});

describe("the nightly purge", () => {
  const year = new Date().getFullYear();
  const at = (hour: number, day = 1) => new Date(year, 10, day, hour, 30);
  const isPurged = async (id: number) => (await db().client.findUniqueOrThrow({ where: { id } })).purged;
  const go = async (when: Date) => {
    vi.useFakeTimers({ now: when, toFake: ["Date"] });
    try {
      await purgeByNight(new AbortController().signal, when);
    } finally {
      vi.useRealTimers();
    }
  };

  test("purges due clients once it is enabled, once a night, by one process, and never clients under a hold", async () => {
    const { clientId } = await makeOld();
    const { clientId: heldId } = await makeOld();
    await hold(heldId, "Appeal");
    await go(at(4));
    expect(await isPurged(clientId)).toBe(false);
    await set({ years: 7, nightly: true });
    await go(at(12));
    expect(await isPurged(clientId)).toBe(false);
    await Promise.all([go(at(4)), go(at(4)), go(at(4))]);
    expect([await isPurged(clientId), await isPurged(heldId)]).toEqual([true, false]);
    const events = await rows<{ user_name: string; user_id: number | null }>(
      sql`SELECT user_name, user_id FROM audit_events WHERE action = 'purged' AND client_id = ${clientId}`,
    );
    expect(events).toEqual([{ user_name: "Nightly removal", user_id: null }]);

    const { clientId: next } = await makeOld();
    await go(at(5));
    expect(await isPurged(next)).toBe(false);
    await go(at(3, 2));
    expect(await isPurged(next)).toBe(true);
    await set({ years: 7, nightly: false });
  });

  test("purges only clients who have been listed as due for a week", async () => {
    const days = (clientId: number, count: number) =>
      rows(
        sql`UPDATE clients SET updated_at = updated_at - make_interval(days => ${count}) WHERE id = ${clientId}`,
      );
    const { id: early } = await makeClient(owner);
    const { id: late } = await makeClient(owner);
    for (const id of [early, late]) await age(id, 7);
    await days(early, 9);
    await days(late, 5);
    await set({ years: 7, nightly: true });
    expect(await idsOf()).toEqual(expect.arrayContaining([early, late]));
    await go(at(3, 4));
    expect([await isPurged(early), await isPurged(late)]).toEqual([true, false]);
    expect(await idsOf()).toContain(late);
    await set({ years: 7, nightly: false });
  });
});
