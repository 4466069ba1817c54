import { beforeAll, expect, test } from "vitest";
import { db, rows } from "@/lib/database/client";
import { toWire } from "@/lib/fields/wire";
import { formSchema } from "@/lib/forms/schema";
import { type Answer, call, untilServed } from "@/tests/call";
import { fullForm, makeClient, makeForm, makeUser, minimalForm, type Person } from "@/tests/factories";

let ada: Person;
let clientId: number;

beforeAll(async () => {
  ada = await makeUser();
  clientId = (await makeClient(ada)).id;
});

const together = (count: number, request: (index: number) => Promise<Answer>) =>
  Promise.all(Array.from({ length: count }, (_, index) => untilServed(() => request(index))));

const tally = (answers: Answer[]) => {
  const counts: Record<number, number> = {};
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
};

test("1,000 racing saves of one form: one wins, each loser is told, no update is lost", async () => {
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

  const answers = await together(1000, (index) => save(form.lockVersion, `racer ${index}`));
  expect(tally(answers)).toEqual({ 200: 1, 409: 999 });
  const winner = answers.findIndex(({ status }) => status === 200);
  expect(answers.find(({ status }) => status === 409)?.body.error).toBe(
    `This record was changed by ${ada.firstName} ${ada.lastName} since you opened it`,
  );
  const stored = (await call(ada.cookie, "GET", url)).body.form;
  expect(stored).toMatchObject({ lockVersion: 1, serviceEntry: { otherService: `racer ${winner}` } });
});

test("parallel updates that retry after a conflict are all in the form in the end", async () => {
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

test("each of racing reconciliations that changes the form counts, and is recorded", async () => {
  const form = await makeForm(ada, {}, clientId);
  const answers = await together(50, (index) =>
    call(ada.cookie, "POST", `/api/forms/${form.id}/reconcile`, { reconciled: index % 2 === 0 }),
  );
  expect(tally(answers)).toEqual({ 200: 50 });
  const recorded = await db().auditEvent.count({
    where: { entity: "form", entityId: form.id, action: { in: ["reconciled", "unreconciled"] } },
  });
  expect(recorded).toBeGreaterThan(0);
  expect((await call(ada.cookie, "GET", `/api/forms/${form.id}`)).body.form.lockVersion).toBe(recorded);
});

test("one idempotency key 20 times at once makes one form", async () => {
  const body = { form: await fullForm("Service", clientId) };
  const send = () => call(ada.cookie, "POST", "/api/forms", body, { headers: { "idempotency-key": "race" } });
  const before = await db().form.count();
  const answers = await together(20, send);

  expect(await db().form.count()).toBe(before + 1);
  const made = answers.filter(({ status }) => status === 201);
  expect(made.length).toBeGreaterThan(0);
  expect(new Set(made.map((answer) => answer.body.form.id)).size).toBe(1);
  for (const { status, body: refused } of answers.filter((answer) => answer.status !== 201)) {
    expect([status, refused.error]).toEqual([409, "The same request is still running."]);
  }
  expect((await send()).body.form.id).toBe(made[0]?.body.form.id);
});

test("a save and a removal that race leave either a saved form or none", async () => {
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

test("of two racing removals of one record, one finds it gone", async () => {
  const { cookie } = await makeUser(["forms", "clients", "canines"]);
  for (let round = 0; round < 10; round++) {
    const { canine } = (await call(cookie, "POST", "/api/canines", { canine: { name: `Racer ${round}` } }))
      .body;
    const client = await makeClient(ada);
    for (const url of [`/api/canines/${canine.id}`, `/api/clients/${client.id}`]) {
      expect(tally(await together(2, () => call(cookie, "DELETE", url))), url).toEqual({ 204: 1, 404: 1 });
    }
  }
});

test.each([
  ["canines", "canine_id", "This canine is used by 1 record and cannot be removed"],
  ["clients", "client_id", "This client is used by 1 form and cannot be removed"],
])("a use of one of the %s that comes in during its removal is counted", async (list, column, error) => {
  const admin = await makeUser(["forms", "clients", "all-forms", "canines"]);
  const form = await makeForm(ada, {}, clientId);
  const { id } =
    list === "clients"
      ? await makeClient(admin)
      : await db().canine.create({ data: { name: "Comes too late" } });
  const waiting = () =>
    rows<{ pid: number }>(
      "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND cardinality(pg_blocking_pids(pid)) > 0",
    );
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
])("a change that PostgreSQL aborts for %s is answered 409 and can be tried again", async (_, state) => {
  const { id, formTypeId } = await makeForm(ada, {}, clientId);
  const form = minimalForm(clientId, formTypeId);
  const requests = [
    () => call(ada.cookie, "POST", `/api/forms/${id}/reconcile`, { reconciled: true }),
    () => call(ada.cookie, "PUT", `/api/forms/${id}`, { form }),
  ];
  await rows(`CREATE FUNCTION abort_it() RETURNS trigger LANGUAGE plpgsql AS
    $$ BEGIN RAISE EXCEPTION 'aborted' USING ERRCODE = '${state}'; END $$`);
  await rows("CREATE TRIGGER abort_it BEFORE UPDATE ON forms FOR EACH ROW EXECUTE FUNCTION abort_it()");
  try {
    for (const request of requests) {
      const { status, body } = await request();
      expect([status, body.code]).toEqual([409, "conflict_busy"]);
    }
  } finally {
    await rows("DROP FUNCTION abort_it() CASCADE");
  }
  for (const request of requests) expect((await request()).status).toBe(200);
});
