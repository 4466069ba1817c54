import { beforeAll, expect, test } from "vitest";
import { PERMISSION_NAMES, type Permission, permissionKey } from "@/lib/core/access/permissions";
import { db, rows } from "@/lib/core/database/client";
import { constant, sql } from "@/lib/core/sql";
import { today } from "@/lib/core/text/format";
import { purgeByNight } from "@/lib/retention/purge";
import { runBlockedBy } from "@/tests/blocked";
import { call } from "@/tests/call";
import { makeClient, makeForm, makeUser, type Person } from "@/tests/factories";
import { takeErrors, takeLog } from "@/tests/setup/console";

// The effect of retention outside its own screens: on ordinary deletions, on users who may not see clients, on
// handovers.

let keeper: Person;
let owner: Person;

beforeAll(async () => {
  keeper = await makeUser(["retention"]);
  owner = await makeUser(["forms", "clients"]);
  await call(keeper.cookie, "PUT", "/api/retention", { retention: { years: 7, nightly: false } });
});

const hold = (id: number, reason = "Subpoena") =>
  call(keeper.cookie, "PUT", `/api/clients/${id}/hold`, { hold: { reason } });
const lift = (id: number, by = keeper) => call(by.cookie, "DELETE", `/api/clients/${id}/hold`);
const purge = (...ids: number[]) => call(keeper.cookie, "POST", "/api/retention/purge", { ids });
const listDueClients = async (query: string, by = keeper) =>
  (await call(by.cookie, "GET", `/api/retention/clients?perPage=100&${query}`)).body.clients as {
    id: number;
    name: string;
    hold: { reason: string | null } | null;
  }[];
const LONG_AGO = sql`now() - interval '8 years'`;

/** Creates a client without activity for eight years. */
async function makeOld(name = "Old Client"): Promise<number> {
  const { id } = await makeClient(owner, { name });
  await rows(sql`UPDATE clients SET updated_at = ${LONG_AGO} WHERE id = ${id}`);
  return id;
}
/** The statements that the program runs to put a client under a hold. */
const HOLD_SQL = (id: number) =>
  `SELECT FROM clients WHERE id = ${id} FOR UPDATE;
   INSERT INTO client_holds (client_id, reason, held_at) VALUES (${id}, 'Subpoena', now())`;
const remove = (path: string) => call(owner.cookie, "DELETE", path);

test("a client under a legal hold and the client's forms are not deleted by an ordinary DELETE", async () => {
  const { id } = await makeClient(owner);
  const form = await makeForm(owner, {}, id);
  const { id: formless } = await makeClient(owner);
  await hold(id);
  await hold(formless);
  const held = { error: "This client is under legal hold.", code: "conflict_in_use" };
  for (const path of [`/api/forms/${form.id}`, `/api/clients/${id}`, `/api/clients/${formless}`])
    expect(await remove(path), path).toMatchObject({ status: 409, body: held });

  await expect(rows(sql`DELETE FROM clients WHERE id = ${formless}`)).rejects.toThrow();
  await lift(formless);
  expect((await remove(`/api/clients/${formless}`)).status).toBe(204);
});

test("a form cannot be moved away from a client under a legal hold, but can be changed otherwise", async () => {
  const { id } = await makeClient(owner);
  const { id: other } = await makeClient(owner);
  const form = await makeForm(owner, {}, id);
  const save = (clientId: number) =>
    call(owner.cookie, "PUT", `/api/forms/${form.id}`, {
      form: { ...form, lockVersion: undefined, clientId },
    });
  // The client is put under the hold between the read and the write of the form.
  const moved = await runBlockedBy(HOLD_SQL(id), () => save(other));
  expect(moved).toMatchObject({ status: 409, body: { code: "conflict_in_use" } });
  expect((await save(id)).body.form).toMatchObject({ clientId: id });
  await lift(id);
  expect((await save(other)).body.form).toMatchObject({ clientId: other });
});

test("a form is not deleted while its client is being put under a legal hold", async () => {
  const { id } = await makeClient(owner);
  const form = await makeForm(owner, {}, id);
  const removed = await runBlockedBy(HOLD_SQL(id), () => remove(`/api/forms/${form.id}`));
  expect(removed).toMatchObject({ status: 409, body: { code: "conflict_in_use" } });
});

test("of a legal hold and a deletion at the same moment, one is refused", async () => {
  const { id } = await makeClient(owner);
  const statuses = (await Promise.all([hold(id), remove(`/api/clients/${id}`)])).map(({ status }) => status);
  expect([
    [200, 409],
    [404, 204],
  ]).toContainEqual(statuses);
});

test("a client is not purged by a user or the nightly run while being put under a legal hold", async () => {
  const id = await makeOld();
  const purged = await runBlockedBy(HOLD_SQL(id), () => purge(id));
  expect(purged.body).toMatchObject({ done: [], failed: [{ id, code: "conflict_in_use" }] });
  await lift(id);

  takeLog();
  await db().retentionSetting.updateMany({ data: { nightly: true } });
  const day = today();
  const four = new Date();
  four.setHours(4);
  await runBlockedBy(HOLD_SQL(id), () => purgeByNight(new AbortController().signal, four));
  await db().retentionSetting.updateMany({ data: { nightly: false } });
  expect(takeLog()).toMatchObject([
    { level: "warn", message: "Could not purge a client", code: "conflict_in_use" },
  ]);
  expect(await rows(sql`SELECT ran_on::text AS day FROM retention_settings`)).toEqual([{ day }]);
  expect(await rows(sql`SELECT purged FROM clients WHERE id = ${id}`)).toEqual([{ purged: false }]);
  await lift(id);
  expect((await purge(id)).body.done).toEqual([id]);
});

test("a legal hold does not restrict work with the client", async () => {
  const { id } = await makeClient(owner);
  await hold(id);
  const form = await makeForm(owner, {}, id);
  const renamed = { client: { name: "Held And Renamed" } };
  expect((await call(owner.cookie, "PUT", `/api/clients/${id}`, renamed)).status).toBe(200);
  const sent = { form: { ...form, lockVersion: undefined, verbalConfirmation: true } };
  expect((await call(owner.cookie, "PUT", `/api/forms/${form.id}`, sent)).status).toBe(200);
  const reconciled = await call(owner.cookie, "POST", `/api/forms/${form.id}/reconcile`, {
    reconciled: true,
  });
  expect(reconciled.status).toBe(200);
  await lift(id);
});

test("a legal hold can be lifted only after a recent password confirmation", async () => {
  const { id } = await makeClient(owner);
  await hold(id);
  const stale = await makeUser(["retention"]);
  const provedAt = new Date(Date.now() - 31 * 60_000);
  await db().session.updateMany({ where: { userId: stale.id }, data: { provedAt } });
  expect(await lift(id, stale)).toMatchObject({ status: 403, body: { code: "proof_needed" } });
  expect(await db().clientHold.count({ where: { clientId: id } })).toBe(1);
  expect((await lift(id)).status).toBe(204);
});

test("the Retention permission alone reveals no client name by search or sort, and no reason of a hold", async () => {
  const clientViewer = await makeUser(["retention", "clients"]);
  const zoe = await makeOld("Zoe Quarles");
  const adam = await makeOld("Adam Quarles");
  expect((await listDueClients("search=Quarles&sort=name", clientViewer)).map(({ id }) => id)).toEqual([
    adam,
    zoe,
  ]);
  expect(await listDueClients("search=Quarles")).toEqual([]);
  const order = (await listDueClients("sort=name")).map(({ id }) => id);
  expect(order).toEqual([...order].sort((a, b) => a - b));
  expect(order).toEqual(expect.arrayContaining([zoe, adam]));

  await hold(zoe, "Zoe Quarles is a witness");
  const holdReasonOfZoe = async (by: Person) =>
    (await listDueClients("filters[held]=true", by)).find(({ id }) => id === zoe)?.hold?.reason;
  expect(await holdReasonOfZoe(clientViewer)).toBe("Zoe Quarles is a witness");
  expect(await holdReasonOfZoe(keeper)).toBeNull();
});

test("a handover of clients and returned forms does not restart the retention period", async () => {
  const admin = await makeUser(PERMISSION_NAMES.map((name) => permissionKey(name) as Permission));
  const leaver = await makeUser();
  const colleague = await makeUser();
  const { id: clientId } = await makeClient(leaver);
  const form = await makeForm(leaver, {}, clientId);
  await call(admin.cookie, "POST", `/api/forms/${form.id}/return`, { comment: "Please check" });
  await rows(sql`UPDATE clients SET updated_at = ${LONG_AGO} WHERE id = ${clientId}`);
  await rows(
    sql`UPDATE forms SET updated_at = ${LONG_AGO}, service_on = ${LONG_AGO} WHERE client_id = ${clientId}`,
  );
  const handed = await call(admin.cookie, "POST", `/api/users/${leaver.id}/hand_over`, {
    toUserId: colleague.id,
  });
  expect(handed.body).toMatchObject({ clients: 1, returned: 1 });
  expect((await listDueClients("")).map(({ id }) => id)).toContain(clientId);
});

test("a bulk purge returns what was done and what failed, including unexpected errors", async () => {
  const first = await makeOld();
  const faulty = await makeOld();
  const last = await makeOld();
  await rows(sql`CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN RAISE EXCEPTION USING ERRCODE = 'XX000'; END $$`);
  await rows(
    sql`CREATE TRIGGER faulty BEFORE UPDATE ON clients FOR EACH ROW WHEN (NEW.id = ${constant(faulty)}) EXECUTE FUNCTION fail()`,
  );
  try {
    expect(await purge(first, faulty, last)).toMatchObject({
      status: 200,
      body: { done: [first, last], failed: [{ id: faulty, error: "Something went wrong", code: "failed" }] },
    });
    expect(takeErrors().length).toBe(1);
  } finally {
    await rows(sql`DROP TRIGGER faulty ON clients`);
    await rows(sql`DROP FUNCTION fail`);
  }
  expect((await purge(faulty)).body.done).toEqual([faulty]);
});

test("audited values of a deleted client can be read only for the retention period of records", async () => {
  const { id } = await makeClient(owner);
  const { id: recent } = await makeClient(owner);
  const { id: remaining } = await makeClient(owner);
  const ids = [id, recent, remaining];
  for (const removed of [id, recent]) await remove(`/api/clients/${removed}`);
  await rows(sql`UPDATE client_keys SET created_at = ${LONG_AGO} WHERE client_id = ANY(${ids})`);
  const keysLeft = async () =>
    (await db().clientKey.findMany({ where: { clientId: { in: ids } }, orderBy: { clientId: "asc" } })).map(
      ({ clientId }) => clientId,
    );
  await purge(id);
  expect(await keysLeft()).toEqual(ids);
  await rows(sql`UPDATE audit_events SET at = ${LONG_AGO} WHERE client_id = ANY(${[id, remaining]})`);
  await db().retentionSetting.updateMany({ data: { years: null } });
  await purge(id);
  expect(await keysLeft()).toEqual(ids);
  await db().retentionSetting.updateMany({ data: { years: 7 } });
  await purge(id);
  expect(await keysLeft()).toEqual([recent, remaining]);
});
