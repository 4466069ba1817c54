import pg from "pg";
import { beforeAll, describe, expect, test, vi } from "vitest";
import { raiseAlarms } from "@/lib/audit/alarm";
import { reportLateSeals, sealAudit } from "@/lib/audit/seals";
import { PERMISSION_NAMES, type Permission, permissionKey } from "@/lib/core/access/permissions";
import { db, rows } from "@/lib/core/database/client";
import { env } from "@/lib/core/process/env";
import { identifier, sql } from "@/lib/core/sql";
import { threadOf } from "@/lib/forms/by-client/read";
import { threadQuery } from "@/lib/forms/by-client/schema";
import { openForm } from "@/lib/forms/open";
import { reviewOf } from "@/lib/forms/review/reviews";
import { tokenHash } from "@/lib/identity/mail/link-token";
import { lookupKeys, lookups } from "@/lib/lookups/registry";
import { logIn, makeInvitedUser } from "@/tests/accounts-helpers";
import { type Answer, actorFor, call, signIn } from "@/tests/call";
import {
  formTypeId,
  fullForm,
  makeClient,
  makeForm,
  makeUser,
  minimalForm,
  type Person,
} from "@/tests/factories";
import { takeErrors } from "@/tests/setup/console";

// Actions beyond the reads and saves in tests/audit.test.ts that the audit trail must record.

let ada: Person;
let ben: Person;
let supervisor: Person;

beforeAll(async () => {
  ada = await makeUser();
  ben = await makeUser();
  supervisor = await makeUser(["forms", "clients", "all-forms", "audit-log"]);
});

/** Returns the events that `work` adds to the trail. */
async function eventsOf(work: () => Promise<unknown>) {
  const newest = await db().auditEvent.findFirst({ orderBy: { id: "desc" } });
  await work();
  return db().auditEvent.findMany({ where: { id: { gt: newest?.id ?? 0n } }, orderBy: { id: "asc" } });
}
const post = (person: Person, url: string, body: object): Promise<Answer> =>
  call(person.cookie, "POST", url, body);
const history = async (kind: "forms" | "clients", id: number) =>
  (await call(supervisor.cookie, "GET", `/api/${kind}/${id}/history`)).body.events;

describe("a refusal is recorded", () => {
  test("for each inaccessible form in a bulk reconcile, but not for ids that do not exist", async () => {
    const mine = await makeForm(ada);
    const theirs = await makeForm(ben);
    const alsoTheirs = await makeForm(ben);
    const ids = [mine.id, theirs.id, 999_999, alsoTheirs.id];
    const events = await eventsOf(() => post(ada, "/api/forms/reconcile", { ids, reconciled: true }));
    expect(
      events.map(({ action, entity, entityId, clientId }) => [action, entity, entityId, clientId]),
    ).toEqual([
      ["reconciled", "form", mine.id, mine.clientId],
      ["refused", "form", theirs.id, theirs.clientId],
      ["refused", "form", alsoTheirs.id, alsoTheirs.clientId],
    ]);
  });

  test("for the user's own form in a bulk reconcile when someone else must review it", async () => {
    const form = await makeForm(ada);
    const own = vi.spyOn(env(), "ALLOW_OWN_RECONCILE", "get").mockReturnValue(false);
    const events = await eventsOf(() =>
      post(ada, "/api/forms/reconcile", { ids: [form.id], reconciled: true }),
    );
    own.mockRestore();
    expect(events).toMatchObject([{ action: "refused", entity: "form", entityId: form.id, userId: ada.id }]);
  });

  test("for a draft saved for a colleague's form", async () => {
    const form = await makeForm(ben);
    const draft = (formId: number) => ({ draft: { formId, content: {} } });
    const events = await eventsOf(async () => {
      for (const id of [form.id, 999_999])
        expect((await call(ada.cookie, "PUT", "/api/drafts/theirs", draft(id))).status).toBe(404);
    });
    expect(events).toMatchObject([
      { action: "refused", entity: "form", entityId: form.id, clientId: form.clientId, userId: ada.id },
    ]);
  });

  test("for a draft saved for the user's own form about a client who is hidden from the user", async () => {
    const advocate = await makeUser();
    const { id: formId, clientId } = await makeForm(advocate);
    await db().clientRestriction.create({ data: { clientId, userId: advocate.id } });
    const body = { draft: { formId, content: {} } };
    const events = await eventsOf(async () => {
      expect((await call(advocate.cookie, "PUT", "/api/drafts/own", body)).status).toBe(404);
    });
    expect(events).toMatchObject([
      { action: "refused", entity: "form", entityId: formId, clientId, userId: advocate.id },
    ]);
  });

  test("for the user's own draft after its form moved to a colleague, but not for an unknown draft key", async () => {
    const form = await makeForm(ada);
    const draft = { draft: { formId: form.id, content: {} } };
    await call(ada.cookie, "PUT", "/api/drafts/once-mine", draft);
    await db().form.update({ where: { id: form.id }, data: { userId: ben.id } });
    const events = await eventsOf(async () => {
      for (const key of ["once-mine", "never-mine"])
        expect((await call(ada.cookie, "GET", `/api/drafts/${key}`)).status).toBe(404);
    });
    expect(events).toMatchObject([{ action: "refused", entity: "draft", clientId: form.clientId }]);
  });
});

describe("the audit trail of an account", () => {
  test("records that the user ended one of their sessions, and all others", async () => {
    const user = await makeUser();
    await signIn(user);
    await signIn(user);
    const sessions = (await call(user.cookie, "GET", "/api/sessions")).body.sessions;
    const other = sessions.find(({ current }: { current: boolean }) => !current);
    const events = await eventsOf(async () => {
      await call(user.cookie, "DELETE", `/api/sessions/${other.id}`);
      await call(user.cookie, "DELETE", "/api/sessions");
      expect((await call(user.cookie, "DELETE", `/api/sessions/${other.id}`)).status).toBe(404);
    });
    const own = { action: "signed-out", entity: "user", entityId: user.id, userId: user.id };
    expect(events).toMatchObject([1, 2].map(() => ({ ...own, fields: ["user.sessions"] })));
  });

  test("records activation, and each later token that allows setting the password", async () => {
    const { id } = await makeInvitedUser();
    const token = "an activation token";
    const expiresAt = new Date(Date.now() + 60_000);
    await db().token.create({
      data: { userId: id, kind: "activation", tokenHash: tokenHash(token), expiresAt },
    });
    const events = await eventsOf(async () => {
      for (let n = 0; n < 2; n++)
        await call(null, "GET", `/api/account/${encodeURIComponent(token)}/activate`);
    });
    expect(events).toMatchObject([
      { action: "updated", entity: "user", entityId: id, userId: id, fields: ["user.activatedAt"] },
      { action: "updated", entity: "user", entityId: id, userId: id, fields: [] },
    ]);
  });
});

test("an unknown email typed at sign-in is not stored in any table", async () => {
  const typed = "my-secret-password-in-the-wrong-box@example.org";
  for (const password of ["x", "y"]) expect((await logIn(typed, password)).status).toBe(401);
  const tables = await rows<{ name: string }>(
    sql`SELECT format('%I', tablename) AS name FROM pg_tables WHERE schemaname = 'public'`,
  );
  expect(tables.length).toBeGreaterThan(30);
  for (const { name } of tables) {
    const [row] = await rows<{ count: number }>(
      sql`SELECT count(*)::int AS count FROM ${identifier(name)} t WHERE strpos(lower(t::text), 'wrong-box') > 0
         OR strpos(t::text, encode('wrong-box', 'hex')) > 0`,
    );
    expect([name, row?.count]).toEqual([name, 0]);
  }
});

describe("a record that a call returns unchanged counts as viewed", () => {
  type Made = { id: number; clientId: number };

  test("when a form is reconciled that already is", async () => {
    const form = await makeForm(ada);
    const events = await eventsOf(() => post(ada, `/api/forms/${form.id}/reconcile`, { reconciled: false }));
    expect(events).toMatchObject([
      { action: "viewed", entity: "form", entityId: form.id, clientId: form.clientId, userId: ada.id },
    ]);
  });

  test.each<[entity: string, values: () => Promise<object>, clientIdOf: (made: Made) => number | null]>([
    ["client", async () => ({ name: "Twice" }), ({ id }) => id],
    [
      "form",
      async () => minimalForm((await makeClient(ada)).id, await formTypeId("Service")),
      ({ clientId }) => clientId,
    ],
    ["contact", async () => ({ contactKindId: (await db().contactKind.findFirstOrThrow()).id }), () => null],
  ])("when the creation of a %s is repeated with its idempotency key", async (entity, values, clientIdOf) => {
    const advocate = await makeUser(["forms", "clients", "contacts"]);
    const body = { [entity]: await values() };
    const headers = { "Idempotency-Key": "again" };
    const create = () => call(advocate.cookie, "POST", `/api/${entity}s`, body, { headers });
    const made: Made = (await create()).body[entity];
    const events = await eventsOf(create);
    expect(events).toMatchObject([
      { action: "viewed", entity, entityId: made.id, clientId: clientIdOf(made), userId: advocate.id },
    ]);
  });

  test("when a save of an account, a profile, a list or a setting changes nothing", async () => {
    const admin = await makeUser(PERMISSION_NAMES.map((name) => permissionKey(name) as Permission));
    const got = async (url: string) => (await call(admin.cookie, "GET", url)).body;
    const made = async (url: string, body: object) => (await post(admin, url, body)).body;
    const field = { record: "client", section: "", label: "Same", kind: "text" };
    const own = (await made("/api/fields", { field })).field;
    const { id: clientId } = await makeClient(ada);
    const hold = { hold: { reason: "Same" } };
    expect((await call(admin.cookie, "PUT", `/api/clients/${clientId}/hold`, hold)).status).toBe(200);
    await made("/api/referral_sources", { referralSource: { code: "SAME", description: "Same" } });
    await made("/api/shelters", { shelter: { name: "Same", kind: "In-house", beds: 0 } });
    const inactive = await makeUser(["forms"]);
    await db().user.update({ where: { id: inactive.id }, data: { active: false } });
    const lists = await Promise.all(
      lookupKeys.map(async (key): Promise<[entity: string, url: string, body: object]> => {
        const { singular, plural } = lookups[key];
        const item = (await got(`/api/${key}?perPage=1`))[plural][0];
        return [singular, `/api/${key}/${item.id}`, { [singular]: item }];
      }),
    );
    const role = (await got("/api/roles?perPage=1")).roles[0];
    const profile = (await got("/api/profile")).profile;
    const { setup } = await got("/api/reports/pmt/setup");
    const saves: [entity: string, url: string, body: object][] = [
      ...lists,
      [
        "role",
        `/api/roles/${role.id}`,
        { role: { ...role, permissionIds: role.permissionIds.toReversed().concat(role.permissionIds[0]) } },
      ],
      ["user", `/api/users/${ben.id}`, { user: (await got(`/api/users/${ben.id}`)).user }],
      ["user", `/api/users/${ben.id}/active`, { active: true }],
      ["user", `/api/users/${inactive.id}/active`, { active: false }],
      ["user", "/api/profile", { profile }],
      ["field", `/api/fields/${own.id}`, { field: own }],
      ["field", "/api/field_settings/client.name", { fieldSetting: {} }],
      ["client", `/api/clients/${clientId}/hold`, hold],
      ["retention", "/api/retention", { retention: (await got("/api/retention")).retention }],
      ["closedPeriods", "/api/closed_periods", await got("/api/closed_periods")],
      ["reportSetup", "/api/reports/pmt/setup", { setup }],
    ];
    const TIMES = sql`SELECT id, updated_at FROM users UNION ALL SELECT id, updated_at FROM roles
      UNION ALL SELECT id, updated_at FROM canines UNION ALL SELECT id, updated_at FROM referral_sources
      UNION ALL SELECT id, updated_at FROM custom_fields ORDER BY 1, 2`;
    const before = await rows(TIMES);
    for (const [entity, url, body] of saves) {
      let answer: Answer | undefined;
      const events = await eventsOf(async () => {
        answer = await call(admin.cookie, "PUT", url, body);
      });
      expect(answer?.status, `${url} ${JSON.stringify(answer?.body)}`).toBe(200);
      expect(
        events.map(({ action, entity, fields }) => [action, entity, fields]),
        url,
      ).toEqual([["viewed", entity, []]]);
    }
    expect(await rows(TIMES)).toEqual(before);
    expect((await got("/api/reports/pmt/setup")).setup.lockVersion).toBe(setup.lockVersion);
    const { body } = await call(admin.cookie, "PUT", `/api/fields/${own.id}`, { field: own });
    expect(body.field.lockVersion).toBe(own.lockVersion);
  });

  test("but not when a save changes nothing except whether an account is active", async () => {
    const admin = await makeUser(PERMISSION_NAMES.map((name) => permissionKey(name) as Permission));
    const leaver = await makeUser(["forms"]);
    const url = `/api/users/${leaver.id}`;
    const { user } = (await call(admin.cookie, "GET", url)).body;
    const events = await eventsOf(async () => {
      for (const active of [false, true])
        expect((await call(admin.cookie, "PUT", url, { user: { ...user, active } })).body.user.active).toBe(
          active,
        );
      expect((await call(leaver.cookie, "GET", "/api/me")).status).toBe(401);
    });
    expect(events.filter(({ userId }) => userId === admin.id).map(({ action }) => action)).toEqual([
      "deactivated",
      "reactivated",
    ]);
  });

  test("when a save changes nothing, and it counts toward the alarm", async () => {
    const many = await makeUser();
    for (let n = 0; n < 2; n++) {
      const { id, name } = await makeClient(ada);
      expect((await call(many.cookie, "PUT", `/api/clients/${id}`, { client: { name } })).status).toBe(200);
    }
    const limit = vi.spyOn(env(), "ALARM_CLIENTS_AN_HOUR", "get").mockReturnValue(1);
    await raiseAlarms();
    limit.mockRestore();
    expect(await db().auditEvent.count({ where: { action: "alarm", entityId: many.id } })).toBe(1);
    expect(takeErrors().join()).toContain("many_clients_opened");
  });
});

describe("a list is recorded with the ids it showed", () => {
  test("on a client's page, including colleagues' forms of which only the date is shown", async () => {
    const { id } = await makeClient(ada);
    const mine = await makeForm(ada, {}, id);
    const theirs = await makeForm(ben, {}, id);
    const shows = vi.spyOn(env(), "SHOW_COLLEAGUES_FORMS", "get").mockReturnValue(true);
    const actor = await actorFor(ada);
    const events = await eventsOf(async () => {
      expect((await threadOf(actor, id, threadQuery.parse({}))).entries.length).toBe(2);
    });
    shows.mockRestore();
    expect(events).toMatchObject([
      { action: "listed", entity: "form", clientId: id, shown: [theirs.id, mine.id], rows: 2 },
    ]);
  });

  test("when it is the list of drafts, which name clients", async () => {
    const person = await makeUser();
    await call(person.cookie, "PUT", "/api/drafts/one", { draft: { content: {} } });
    const { id } = await db().draft.findFirstOrThrow({ where: { userId: person.id } });
    const events = await eventsOf(() => call(person.cookie, "GET", "/api/drafts"));
    expect(events).toMatchObject([{ action: "listed", entity: "draft", shown: [id], userId: person.id }]);
  });

  test("behind a number in a report, with its clients and forms", async () => {
    const { id } = await makeClient(ada);
    await makeForm(ada, await fullForm("Service", id), id);
    const reader = await makeUser(["reports", "forms", "all-forms", "clients"]);
    const line = "/api/reports/pmt/lines/individuals_served?from=2026-01-01&to=2026-03-31";
    let answer: Answer["body"];
    const events = await eventsOf(async () => {
      answer = (await call(reader.cookie, "GET", line)).body;
    });
    expect(answer.forms.length).toBeGreaterThan(0);
    expect(events).toMatchObject([
      { action: "listed", entity: "client", shown: answer.clients },
      { action: "listed", entity: "form", shown: answer.forms },
    ]);
  });
});

test("a form's history keeps the comment of a return that a later reconciliation cleared, for single and bulk reconciles", async () => {
  const forms = [await makeForm(ada), await makeForm(ada), await makeForm(ada)];
  const [one, two, plain] = forms.map(({ id }) => id) as [number, number, number];
  for (const id of [one, two])
    await post(supervisor, `/api/forms/${id}/return`, { comment: `Minutes of ${id}?` });
  await post(supervisor, `/api/forms/${one}/reconcile`, { reconciled: true });
  await post(supervisor, "/api/forms/reconcile", { ids: [two, plain], reconciled: true });
  for (const id of [one, two]) {
    const [newest] = (await history("forms", id)).filter(
      ({ action }: { action: string }) => action === "reconciled",
    );
    expect(newest.changes).toMatchObject([
      { field: "form.returned", fromText: `Minutes of ${id}?`, toText: "" },
    ]);
  }
  const [only] = (await history("forms", plain)).filter(
    ({ action }: { action: string }) => action === "reconciled",
  );
  expect(only.changes).toEqual([]);
});

test("changes since the last review are found however often the form was opened, without earlier changes", async () => {
  const form = await makeForm(ada);
  const actor = await actorFor(supervisor);
  const save = async (serviceOn: string) =>
    (
      await call(ada.cookie, "PUT", `/api/forms/${form.id}`, {
        form: { ...form, lockVersion: undefined, serviceOn },
      })
    ).body.form;
  const changedFields = async () =>
    (await reviewOf(actor, form.id, openForm(actor, form.id), "")).changed.changes;
  await save("2026-03-05");
  expect(await changedFields()).toEqual([]);
  await post(supervisor, `/api/forms/${form.id}/reconcile`, { reconciled: true });
  await save("2026-03-06");
  await rows(
    sql`INSERT INTO audit_events (user_name, action, entity, entity_id)
     SELECT 'A reader', 'viewed', 'form', ${form.id} FROM generate_series(1, 600)`,
  );
  expect(await changedFields()).toMatchObject([
    { field: "form.serviceOn", text: "Service On: 03/05/2026 → 03/06/2026" },
  ]);
});

test("rows that stay unsealed too long raise an alarm in the log, until they are sealed", async () => {
  const client = new pg.Client(process.env.DATABASE_URL);
  await client.connect();
  await client.query("BEGIN");
  await client.query(
    "INSERT INTO audit_events (at, user_name, action) VALUES (now() - interval '10 minutes', 'Old', 'viewed')",
  );
  await rows(
    sql`INSERT INTO audit_events (at, user_name, action) VALUES (now() - interval '9 minutes', 'Old', 'viewed')`,
  );
  await sealAudit();
  await reportLateSeals();
  const [line] = takeErrors().map((text) => JSON.parse(text));
  expect(line).toMatchObject({ level: "error", alarm: "audit_not_sealed" });
  expect(line.seconds).toBeGreaterThanOrEqual(540);
  await client.query("COMMIT");
  await client.end();
  await expect
    .poll(async () => {
      await sealAudit();
      await reportLateSeals();
      return takeErrors();
    })
    .toEqual([]);
});

test("opening a history is recorded once, by the statement that reads the record", async () => {
  const form = await makeForm(ada);
  const events = await eventsOf(() => history("forms", form.id));
  expect(events).toMatchObject([
    { action: "viewed", entity: "form", entityId: form.id, userId: supervisor.id },
  ]);
});
