import { beforeAll, describe, expect, test } from "vitest";
import { db, rows } from "@/lib/core/database/client";
import { toWire } from "@/lib/core/fields/wire";
import { constant, sql } from "@/lib/core/sql";
import { formSchema } from "@/lib/forms/schema";
import { runImports } from "@/lib/transfer/imports/run";
import { type Answer, call, untilServed } from "@/tests/call";
import { fullForm, makeClient, makeForm, makeUser, minimalForm, type Person } from "@/tests/factories";

let ada: Person;
let clientId: number;

beforeAll(async () => {
  ada = await makeUser();
  clientId = (await makeClient(ada)).id;
});

const sendTogether = (count: number, request: (index: number) => Promise<Answer>) =>
  Promise.all(Array.from({ length: count }, (_, index) => untilServed(() => request(index))));

/** Returns the database sessions that wait for a lock. */
const waiting = () =>
  rows<{ pid: number }>(
    sql`SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND cardinality(pg_blocking_pids(pid)) > 0`,
  );

const tally = (answers: Answer[]) => {
  const counts: Record<number, number> = {};
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
};

test("of 1,000 concurrent saves of one form, one succeeds, all others get a conflict, and no update is lost", async () => {
  const { body } = await call(ada.cookie, "POST", "/api/forms", {
    form: await fullForm("Legal Advocacy", clientId),
  });
  const form = body.form;
  const url = `/api/forms/${form.id}`;
  const save = (lockVersion: number, otherService: string) =>
    call(ada.cookie, "PUT", url, {
      form: toWire(formSchema, {
        ...form,
        lockVersion,
        serviceEntry: { ...form.serviceEntry, otherService },
      }),
    });

  const answers = await sendTogether(1000, (index) => save(form.lockVersion, `racer ${index}`));
  expect(tally(answers)).toEqual({ 200: 1, 409: 999 });
  const winner = answers.findIndex(({ status }) => status === 200);
  expect(answers.find(({ status }) => status === 409)?.body.error).toBe(
    `This record was changed by ${ada.firstName} ${ada.lastName} since you opened it`,
  );
  const stored = (await call(ada.cookie, "GET", url)).body.form;
  expect(stored).toMatchObject({ lockVersion: 1, serviceEntry: { otherService: `racer ${winner}` } });
});

test("parallel updates that retry after a conflict all end up in the form", async () => {
  const form = await makeForm(ada, {}, clientId);
  const url = `/api/forms/${form.id}`;
  const racers = 20;

  // Each appends its own mark to what it read, so that a lost update would be a missing mark.
  const append = async (mark: number): Promise<void> => {
    const { form: read } = (await untilServed(() => call(ada.cookie, "GET", url))).body;
    const otherService = `${read.serviceEntry?.otherService ?? ""}<${mark}>`;
    const changed = { ...read, serviceEntry: { ...read.serviceEntry, otherService } };
    const { status } = await untilServed(() =>
      call(ada.cookie, "PUT", url, { form: toWire(formSchema, changed) }),
    );
    if (status === 409) return append(mark);
    expect(status).toBe(200);
  };
  await Promise.all(Array.from({ length: racers }, (_, mark) => append(mark)));

  const stored = (await call(ada.cookie, "GET", url)).body.form;
  expect(stored.lockVersion).toBe(racers);
  for (let mark = 0; mark < racers; mark++) expect(stored.serviceEntry.otherService).toContain(`<${mark}>`);
});

test("each concurrent reconciliation that changes the form counts and is recorded", async () => {
  const form = await makeForm(ada, {}, clientId);
  const answers = await sendTogether(50, (index) =>
    call(ada.cookie, "POST", `/api/forms/${form.id}/reconcile`, { reconciled: index % 2 === 0 }),
  );
  expect(tally(answers)).toEqual({ 200: 50 });
  const recorded = await db().auditEvent.count({
    where: { entity: "form", entityId: form.id, action: { in: ["reconciled", "unreconciled"] } },
  });
  expect(recorded).toBeGreaterThan(0);
  expect((await call(ada.cookie, "GET", `/api/forms/${form.id}`)).body.form.lockVersion).toBe(recorded);
});

test("one idempotency key sent 20 times at once creates one form", async () => {
  const body = { form: await fullForm("Service", clientId) };
  const send = () => call(ada.cookie, "POST", "/api/forms", body, { headers: { "idempotency-key": "race" } });
  const before = await db().form.count();
  const answers = await sendTogether(20, send);

  expect(await db().form.count()).toBe(before + 1);
  const creations = answers.filter(({ status }) => status === 201);
  expect(creations.length).toBeGreaterThan(0);
  expect(new Set(creations.map((answer) => answer.body.form.id)).size).toBe(1);
  for (const { status, body: refused } of answers.filter((answer) => answer.status !== 201)) {
    expect([status, refused.error]).toEqual([409, "The same request is still in progress."]);
  }
  expect((await send()).body.form.id).toBe(creations[0]?.body.form.id);
});

test("a save and a deletion at the same time leave either a saved form or none", async () => {
  for (let round = 0; round < 10; round++) {
    const form = await makeForm(ada, {}, clientId);
    const url = `/api/forms/${form.id}`;
    const [save, removal] = await Promise.all([
      call(ada.cookie, "PUT", url, { form: toWire(formSchema, { ...form, verbalConfirmation: false }) }),
      call(ada.cookie, "DELETE", url),
    ]);
    expect([200, 404]).toContain(save.status);
    expect(removal.status).toBe(204);
    expect((await call(ada.cookie, "GET", url)).status).toBe(404);
  }
});

test("of two concurrent deletions of one record, one gets a 404", async () => {
  const { cookie } = await makeUser(["forms", "clients", "canines"]);
  for (let round = 0; round < 10; round++) {
    const { canine } = (await call(cookie, "POST", "/api/canines", { canine: { name: `Racer ${round}` } }))
      .body;
    const client = await makeClient(ada);
    for (const url of [`/api/canines/${canine.id}`, `/api/clients/${client.id}`]) {
      expect(tally(await sendTogether(2, () => call(cookie, "DELETE", url))), url).toEqual({
        204: 1,
        404: 1,
      });
    }
  }
});

test.each([
  ["canines", "canine_id", "This canine is used by 1 record and cannot be removed"],
  ["clients", "client_id", "This client is used by 1 form and cannot be removed"],
])("a use of one of the %s that starts during its deletion is counted", async (list, column, error) => {
  const admin = await makeUser(["forms", "clients", "all-forms", "canines"]);
  const form = await makeForm(ada, {}, clientId);
  const { id } =
    list === "clients"
      ? await makeClient(admin)
      : await db().canine.create({ data: { name: "Comes too late" } });
  let removal: Promise<Answer> | undefined;
  await db().$transaction(async (tx) => {
    await tx.$executeRawUnsafe(`UPDATE forms SET ${column} = $1 WHERE id = $2`, id, form.id);
    removal = call(admin.cookie, "DELETE", `/api/${list}/${id}`);
    await expect.poll(waiting).not.toEqual([]);
  });
  expect(await removal).toMatchObject({ status: 409, body: { error } });
});

test.each([
  ["a deadlock", "40P01"],
  ["a serialization failure", "40001"],
])("a change that PostgreSQL aborts for %s gets a 409 and can be retried", async (_, state) => {
  const { id, formTypeId } = await makeForm(ada, {}, clientId);
  const form = { ...minimalForm(clientId, formTypeId), serviceOn: "2026-03-03" };
  const requests = [
    () => call(ada.cookie, "POST", `/api/forms/${id}/reconcile`, { reconciled: true }),
    () => call(ada.cookie, "PUT", `/api/forms/${id}`, { form }),
  ];
  await rows(sql`CREATE FUNCTION abort_it() RETURNS trigger LANGUAGE plpgsql AS
    $$ BEGIN RAISE EXCEPTION 'aborted' USING ERRCODE = ${constant(state)}; END $$`);
  await rows(sql`CREATE TRIGGER abort_it BEFORE UPDATE ON forms FOR EACH ROW EXECUTE FUNCTION abort_it()`);
  try {
    for (const request of requests) {
      const { status, body } = await request();
      expect([status, body.code]).toEqual([409, "conflict_busy"]);
    }
  } finally {
    await rows(sql`DROP FUNCTION abort_it() CASCADE`);
  }
  for (const request of requests) expect((await request()).status).toBe(200);
});

describe("a purge, a merge and other changes to a client's forms never deadlock", () => {
  const OLD = sql`now() - interval '9 years'`;
  const statusOf = async (answer: Promise<Answer>) => (await answer).status;
  let all: Person;

  beforeAll(async () => {
    all = await makeUser(["forms", "clients", "all-forms", "retention", "import"]);
    const retention = { years: 7, nightly: false };
    await call(all.cookie, "PUT", "/api/retention", { retention });
  });

  /** Creates a client due for purging, with two forms. The second one was imported. */
  async function makeDue() {
    const { id: earlierId } = await makeClient(all);
    const { id: clientId, name } = await makeClient(all, { name: `Due ${crypto.randomUUID()}` });
    const first = await makeForm(all, {}, clientId);
    const raw = `Client,Form Type,Service On,Service Status\n${name},Service,03/04/2010,Served`;
    const headers = { "content-type": "text/csv" };
    const sent = await call(all.cookie, "POST", "/api/imports?kind=forms", undefined, { raw, headers });
    const { id: importId, matches } = sent.body.import;
    const started = { import: { dryRun: false, matches, ownerId: null } };
    await call(all.cookie, "POST", `/api/imports/${importId}/start`, started);
    await runImports(new AbortController().signal);
    await rows(sql`UPDATE clients SET updated_at = ${OLD} WHERE id = ${clientId}`);
    await rows(sql`UPDATE forms SET updated_at = ${OLD}, service_on = ${OLD} WHERE client_id = ${clientId}`);
    const [second] = await rows<{ id: number }>(
      sql`SELECT max(id) AS id FROM forms WHERE client_id = ${clientId}`,
    );
    // As if the import had stored the form like this, so that its undo deletes the form.
    await rows(
      sql`UPDATE import_rows r SET saved_at = f.updated_at FROM forms f
       WHERE r.kind = 'forms' AND r.record_id = f.id AND f.id = ${second?.id}`,
    );
    return { clientId, earlierId, first, second: Number(second?.id), importId };
  }
  type Due = Awaited<ReturnType<typeof makeDue>>;

  const mergeInto = async (keptId: number, otherId: number) => {
    const [target, other] = await Promise.all(
      [keptId, otherId].map(async (id) => (await call(all.cookie, "GET", `/api/clients/${id}`)).body.client),
    );
    const client = { name: target.name, lockVersion: target.lockVersion };
    const body = { client, other: { id: other.id, lockVersion: other.lockVersion } };
    return () => call(all.cookie, "POST", `/api/clients/${target.id}/merge`, body);
  };
  const merge = async ({ clientId }: Due) => mergeInto((await makeClient(all)).id, clientId);
  const move = async ({ first: { id, formTypeId }, earlierId }: Due) => {
    const form = minimalForm(earlierId, formTypeId);
    return () => call(all.cookie, "PUT", `/api/forms/${id}`, { form });
  };
  const purge = async ({ clientId }: Due) => {
    return () => call(all.cookie, "POST", "/api/retention/purge", { ids: [clientId] });
  };
  const remove = async ({ second }: Due) => statusOf(call(all.cookie, "DELETE", `/api/forms/${second}`));
  const undoImport = async ({ importId }: Due) => {
    await call(all.cookie, "POST", `/api/imports/${importId}/undo`);
    await runImports(new AbortController().signal);
    return (await call(all.cookie, "GET", `/api/imports/${importId}`)).body.import.status;
  };

  const mergeClients = async ({ clientId, earlierId }: Due) =>
    statusOf((await mergeInto(clientId, earlierId))());

  test.each([
    ["a purge and the removal of a form", purge, remove, 422],
    ["a merge and the removal of a form", merge, remove, 204],
    ["a purge and the undoing of an import", purge, undoImport, "undone"],
    ["a merge and the undoing of an import", merge, undoImport, "undone"],
    ["a form's move to another client and a merge of the two", move, mergeClients, 200],
  ] as const)("%s", async (_, prepareFirst, second, expected) => {
    const due = await makeDue();
    const begin = await prepareFirst(due);
    const calls: { first?: Promise<Answer>; second?: Promise<unknown> } = {};
    // When the second begins, the first has locked the client and waits for the client's earlier form.
    await db().$transaction(
      async (tx) => {
        await tx.$executeRawUnsafe("SELECT FROM forms WHERE id = $1 FOR UPDATE", due.first.id);
        calls.first = begin();
        await expect.poll(async () => (await waiting()).length).toBe(1);
        calls.second = second(due);
        await expect.poll(async () => (await waiting()).length).toBe(2);
      },
      { timeout: 300_000 },
    );
    const answer = await calls.first;
    expect([answer?.status, answer?.body.failed ?? []]).toEqual([200, []]);
    expect(await calls.second).toBe(expected);
  });
});
