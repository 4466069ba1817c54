import { afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { raiseAlarms } from "@/lib/audit/alarm";
import { loadAuditLog } from "@/lib/audit/history";
import { auditListQuery } from "@/lib/audit/schema";
import { decryptDetails } from "@/lib/audit/values";
import { eventWords } from "@/lib/audit-log";
import type { AuditAction } from "@/lib/core/api/audit-acts";
import { db, rows } from "@/lib/core/database/client";
import { env } from "@/lib/core/process/env";
import { sql } from "@/lib/core/sql";
import { sealNote } from "@/lib/transfer/imports/notes";
import { logIn, makeAccount, PASSWORD } from "@/tests/accounts-helpers";
import { actorFor, call } from "@/tests/call";
import { fullClient, makeClient, makeForm, makeUser, type Person } from "@/tests/factories";
import { takeErrors } from "@/tests/setup/console";

let ada: Person;
let ben: Person;

beforeAll(async () => {
  ada = await makeUser();
  ben = await makeUser();
});

const newestId = async () => (await db().auditEvent.findFirst({ orderBy: { id: "desc" } }))?.id ?? 0n;

/** Returns the events that `work` adds to the trail. */
async function eventsOf(work: () => Promise<unknown>) {
  const before = await newestId();
  await work();
  return db().auditEvent.findMany({ where: { id: { gt: before } }, orderBy: { id: "asc" } });
}

/** Returns the decrypted values of an event. */
async function detailsOf({ details, keyId }: { details: Uint8Array | null; keyId: string | null }) {
  const key = keyId && (await db().clientKey.findUnique({ where: { id: keyId } }));
  return details && decryptDetails(details, keyId, key ? key.wrapped : null);
}

describe("an import", () => {
  const createImport = (status: string) =>
    db().import.create({
      data: { kind: "clients", format: "csv", status, userId: ben.id, uploadedById: ben.id },
    });
  const addNote = async (importId: number, about: string, clients: number[], cells: string[] = []) => {
    const sealed = new Uint8Array(sealNote(importId, { problem: "", cells }));
    await db().importNote.create({ data: { importId, about, number: 1, clients, sealed } });
  };

  test("reveals only the result for existing clients, and then records which clients were shown", async () => {
    const importer = await makeUser(["import", "clients"]);
    const client = await makeClient(ada);
    const { id } = await createImport("running");
    await addNote(id, "similar", [client.id]);
    const read = async () => (await call(importer.cookie, "GET", `/api/imports/${id}`)).body.import;
    expect(await eventsOf(async () => expect((await read()).notes).toEqual([]))).toEqual([]);
    await db().import.update({ where: { id }, data: { status: "done" } });
    const events = await eventsOf(async () => expect((await read()).notes[0].clients).toHaveLength(1));
    expect(events).toMatchObject([
      { userId: importer.id, action: "listed", entity: "client", shown: [client.id] },
    ]);
  });

  test("is recorded with its result when it is started, canceled or undone", async () => {
    const importer = await makeUser(["import", "clients"]);
    const { id } = await createImport("waiting");
    await addNote(id, "headings", [], ["Who"]);
    const start = { dryRun: false, matches: ["name"], ownerId: ada.id };
    const events = await eventsOf(async () => {
      for (const [act, body] of [["start", { import: start }], ["cancel"]] as const)
        expect((await call(importer.cookie, "POST", `/api/imports/${id}/${act}`, body)).status).toBe(200);
    });
    expect(events).toMatchObject([1, 2].map(() => ({ action: "updated", entity: "import", entityId: id })));
    const [started, cancelled] = await Promise.all(events.map(detailsOf));
    expect(started?.changes).toEqual([
      { field: "import.status", from: "waiting", to: "running" },
      { field: "import.matches", from: [], to: ["name"] },
      { field: "import.ownerId", from: null, to: ada.id },
    ]);
    expect(cancelled?.changes).toEqual([{ field: "import.status", from: "running", to: "cancelled" }]);
  });
});

// The submission itself contains the numbers. In an event they would include clients who are hidden from a reader of
// the trail. The reader could subtract the report's visible count.
test("a submission is recorded with its report and period, and without its numbers", async () => {
  const submitter = await makeUser(["reports", "all-forms"]);
  const submission = { from: "2001-01-01", to: "2001-03-31" };
  const [event, ...more] = await eventsOf(async () => {
    const { status } = await call(submitter.cookie, "POST", "/api/reports/pmt/submissions", { submission });
    expect(status).toBe(201);
  });
  expect(more).toEqual([]);
  expect(event && (await detailsOf(event))?.changes).toEqual([
    { field: "submission.report", from: null, to: "pmt" },
    { field: "submission.from", from: null, to: submission.from },
    { field: "submission.to", from: null, to: submission.to },
  ]);
});

test("the Audit Log and its file say which months were closed, and which report was submitted, withdrawn, or exported", async () => {
  const keeper = await makeUser(["close-periods", "reports", "all-forms", "export", "audit-log"]);
  const send = async (method: "PUT" | "POST" | "GET", path: string, body?: object) => {
    const response = await call(keeper.cookie, method, path, body);
    expect(response.status, path).toBeLessThan(300);
    return response;
  };
  for (const closedThrough of ["2001-09-30", "2001-08-31", null])
    await send("PUT", "/api/closed_periods", { closedThrough });
  const submissions = "/api/reports/pmt/submissions";
  const period = { from: "2001-04-01", to: "2001-06-30" };
  const { submission } = (await send("POST", submissions, { submission: period })).body;
  await send("POST", `${submissions}/${submission.id}/withdraw`, { reason: "Wrong" });
  await send("GET", "/api/reports/fvpsa/csv?from=2001-10-01&to=2002-09-30");
  await send("GET", "/api/reports/time/csv?from=2001-03-01&to=2001-03-31");
  const expected = [
    "Exported Time, March 2001",
    "Exported FVPSA, October 2001–September 2002",
    "Withdrew OVC PMT, April–June 2001",
    "Submitted OVC PMT, April–June 2001",
    "Reopened all months",
    "Reopened months after 08/31/2001",
    "Closed months through 09/30/2001",
  ];
  const filters = { userId: String(keeper.id), views: "false" };
  const { rows: shown } = await loadAuditLog(
    await actorFor(keeper),
    auditListQuery.parse({ filters }),
    eventWords,
  );
  const ours = shown.filter(({ entity }) => entity && eventWords.entities.includes(entity));
  expect(ours.map(({ words }) => words)).toEqual(expected);
  const { bytes } = await send("GET", `/api/audit_events.csv?filters[userId]=${keeper.id}`);
  for (const words of expected) expect(Buffer.from(bytes).toString()).toContain(words);
});

test("a change of report settings is recorded with the values that were removed and added", async () => {
  const keeper = await makeUser(["reports-setup"]);
  const at = "/api/reports/pmt/setup";
  const { setup } = (await call(keeper.cookie, "GET", at)).body;
  const [first, ...others] = setup.mappings;
  const next = { ...first, validThrough: "2030-12-31" };
  const [event] = await eventsOf(async () => {
    const changed = { ...setup, yearStart: 3, mappings: [next, ...others], confirmed: true };
    expect((await call(keeper.cookie, "PUT", at, { setup: changed })).status).toBe(200);
  });
  expect(event && (await detailsOf(event))?.changes).toEqual([
    { field: "reportSetup.pmt.yearStart", from: setup.yearStart, to: 3 },
    { field: "reportSetup.pmt.mappings", from: [first], to: [next] },
  ]);
});

describe("signing in", () => {
  test("is recorded when it succeeds, when it fails and when the session ends", async () => {
    const user = await makeAccount();
    const events = await eventsOf(async () => {
      await logIn(user.email, "Wrong-Password-1", "192.0.2.7");
      const { headers } = await logIn(user.email, PASSWORD, "192.0.2.7");
      await call(String(headers.get("set-cookie")).split(";")[0] as string, "DELETE", "/api/logout");
    });
    expect(
      events.map(({ action, entity, entityId, userId, userName }) => [
        action,
        entity,
        entityId,
        userId,
        userName,
      ]),
    ).toEqual(
      ["sign-in-failed", "signed-in", "signed-out"].map((action) => [
        action,
        "user",
        user.id,
        user.id,
        `${user.firstName} ${user.lastName}`,
      ]),
    );
    expect(events[0]?.address).toBe("192.0.2.7");
    expect(events[0]?.requestId).toMatch(/./);
  });

  test("with an unknown email does not store the typed text anywhere", async () => {
    const typed = "Correct-Horse-typed-into-the-wrong-box@example.org";
    const [event, ...others] = await eventsOf(() => logIn(typed, "x"));
    expect(others).toEqual([]);
    expect(event).toMatchObject({ action: "sign-in-failed", userId: null, entityId: null, userName: "" });
    expect(event?.details).toBeNull();
    const [dump] = await rows<{ text: string }>(sql`SELECT json_agg(e)::text AS text FROM audit_events e`);
    expect(dump?.text.toLowerCase()).not.toContain("wrong-box");
  });
});

describe("a refusal", () => {
  test("for lack of a permission is recorded with its subject", async () => {
    const events = await eventsOf(() => call(ada.cookie, "DELETE", "/api/age_brackets/3"));
    expect(events).toMatchObject([
      { action: "refused", entity: "ageBracket", entityId: 3, userId: ada.id, clientId: null },
    ]);
  });

  test("for a colleague's form is recorded, but not for a form that does not exist", async () => {
    const form = await makeForm(ada);
    const events = await eventsOf(async () => {
      expect((await call(ben.cookie, "GET", `/api/forms/${form.id}`)).status).toBe(404);
      expect((await call(ben.cookie, "GET", "/api/forms/999999")).status).toBe(404);
    });
    expect(events).toMatchObject([
      { action: "refused", entity: "form", entityId: form.id, clientId: form.clientId, userId: ben.id },
    ]);
  });

  test("for a cross-site request, a missing recent password confirmation or missing two-step sign-in is recorded", async () => {
    const stale = await makeUser(["roles"]);
    await db().session.updateMany({
      where: { userId: stale.id },
      data: { provedAt: new Date(Date.now() - 3_600_000) },
    });
    const unsafe = await makeUser(["canines"]);
    const { roleId } = await db().user.findUniqueOrThrow({ where: { id: unsafe.id } });
    await db().role.update({ where: { id: roleId }, data: { requiresTwoStep: true } });
    const client = await makeClient(ada);
    const headers = { "sec-fetch-site": "cross-site" };
    const answers: unknown[] = [];
    const events = await eventsOf(async () => {
      answers.push(
        await call(ada.cookie, "DELETE", `/api/clients/${client.id}`, undefined, { headers }),
        await call(stale.cookie, "DELETE", "/api/roles/999999"),
        await call(unsafe.cookie, "GET", "/api/canines/7"),
        // The user of this refused request is unknown.
        await call(null, "POST", "/api/clients", {}, { headers }),
      );
    });
    expect(answers).toMatchObject(
      ["forbidden", "proof_needed", "two_step_required", "forbidden"].map((code) => ({ body: { code } })),
    );
    expect(events).toMatchObject([
      { action: "refused", entity: "client", entityId: client.id, userId: ada.id },
      { action: "refused", entity: "role", entityId: 999999, userId: stale.id },
      { action: "refused", entity: "canine", entityId: 7, userId: unsafe.id },
    ]);
  });

  test("for an address that does not exist is not recorded against the record named in it", async () => {
    const form = await makeForm(ada);
    const events = await eventsOf(async () => {
      expect((await call(ada.cookie, "GET", `/api/forms/${form.id}/nonsense`)).status).toBe(404);
    });
    expect(events).toEqual([]);
  });
});

describe("a list", () => {
  test("is recorded with the ids it showed but without the search text, which no purge could find", async () => {
    const client = await makeClient(ada, { name: "Xanthippe Quimby" });
    const events = await eventsOf(async () => {
      await call(ada.cookie, "GET", "/api/clients?perPage=5");
      await call(ada.cookie, "GET", "/api/clients?search=quimby");
      await call(ada.cookie, "POST", "/api/clients/search", { search: "xanth" });
    });
    expect(events.map(({ action, entity }) => [action, entity])).toEqual([
      ["listed", "client"],
      ["searched", "client"],
      ["searched", "client"],
    ]);
    expect(events[0]?.shown).toContain(client.id);
    expect(events[0]?.rows).toBe(events[0]?.shown.length);
    for (const event of events.slice(1)) expect([event.shown, event.details]).toEqual([[client.id], null]);
  });
});

describe("a change", () => {
  test("to a client is recorded with field names, and its values under a key of that client", async () => {
    const client = await makeClient(ada, await fullClient());
    const [event, ...others] = await eventsOf(() =>
      call(ada.cookie, "PUT", `/api/clients/${client.id}`, {
        client: { name: "Renamed", clientBiographicalEntryAttributes: { city: "Oil City" } },
      }),
    );
    expect(others).toEqual([]);
    if (!event) throw new Error("The event is not recorded");
    expect(event).toMatchObject({ action: "updated", entityId: client.id, clientId: client.id });
    expect(event.fields).toContain("client.name");
    expect(event.fields).toContain("client.clientBiographicalEntry.city");
    expect(event.fields).not.toContain("client.clientDemographicEntry.gender");
    expect((await detailsOf(event))?.changes).toContainEqual({
      field: "client.name",
      from: client.name,
      to: "Renamed",
    });

    const keys = await db().clientKey.findMany({ where: { clientId: client.id } });
    expect(keys.map(({ id }) => id)).toEqual([event.keyId]);
    await db().clientKey.deleteMany({ where: { clientId: client.id } });
    expect(await detailsOf(event)).toBeNull();
  });

  test("to a form is recorded under its client's key, with list rows by position", async () => {
    const form = await makeForm(ada);
    const [code] = (await call(ada.cookie, "GET", `/api/resource_lists/service_codes/${form.formTypeId}`))
      .body.serviceCodes;
    const [event] = await eventsOf(() =>
      call(ada.cookie, "PUT", `/api/forms/${form.id}`, {
        form: {
          ...form,
          verbalConfirmation: false,
          serviceEntryAttributes: {
            serviceProvidedEntriesAttributes: [{ serviceCodeId: code.id, minutes: 30 }],
          },
        },
      }),
    );
    if (!event) throw new Error("The event is not recorded");
    expect(event.clientId).toBe(form.clientId);
    expect(event.fields).toEqual([
      "form.verbalConfirmation",
      "form.serviceEntry.serviceProvidedEntries.0.serviceCodeId",
      "form.serviceEntry.serviceProvidedEntries.0.minutes",
    ]);
    expect((await detailsOf(event))?.changes?.[0]).toEqual({
      field: "form.verbalConfirmation",
      from: true,
      to: false,
    });
    expect((await db().clientKey.findFirst({ where: { clientId: form.clientId } }))?.id).toBe(event.keyId);
  });

  test("to a password is recorded without any password", async () => {
    const user = await makeAccount();
    const password = "Completely-New-9";
    const events = await eventsOf(() =>
      call(user.cookie, "PUT", "/api/profile", {
        profile: {
          firstName: "Renamed",
          lastName: user.lastName,
          email: user.email,
          password,
          passwordConfirmation: password,
        },
      }),
    );
    expect(events).toMatchObject([
      { action: "updated", entity: "user", fields: ["user.firstName", "user.password"] },
    ]);
    const details = events[0] && (await detailsOf(events[0]));
    expect(details?.changes?.[1]).toEqual({ field: "user.password", from: null, to: null });
  });

  test("that is refused writes no event", async () => {
    const form = await makeForm(ada);
    const events = await eventsOf(() =>
      call(ada.cookie, "PUT", `/api/forms/${form.id}`, { form: { ...form, serviceStatus: "Nonsense" } }),
    );
    expect(events).toEqual([]);
  });
});

describe("while the trail cannot be written", () => {
  const actions: AuditAction[] = ["viewed", "listed"];

  async function refuseRows() {
    await rows(sql`CREATE FUNCTION refuse_audit() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN RAISE EXCEPTION 'full' USING ERRCODE = '53100'; END $$`);
    await rows(sql`CREATE TRIGGER refuse BEFORE INSERT ON audit_events EXECUTE FUNCTION refuse_audit()`);
  }
  afterEach(async () => {
    await rows(sql`DROP FUNCTION refuse_audit() CASCADE`);
    vi.restoreAllMocks();
  });

  const readStatuses = async (id: number) => [
    (await call(ada.cookie, "GET", `/api/clients/${id}`)).status,
    (await call(ada.cookie, "GET", "/api/clients")).status,
  ];

  test("reads continue, and each event is logged with ids only", async () => {
    const client = await makeClient(ada, { name: "Secret Name" });
    await refuseRows();
    expect(await readStatuses(client.id)).toEqual([200, 200]);
    const lines = takeErrors().map((line) => JSON.parse(line));
    expect(lines.map(({ alarm, event }) => [alarm, event.action, event.userId])).toEqual(
      actions.map((action) => ["audit_not_written", action, ada.id]),
    );
    expect(lines[0].event.entityId).toBe(client.id);
    expect(lines[1].event.shown).toContain(client.id);
    expect(JSON.stringify(lines)).not.toContain("Secret");
  });

  test("reads answer 503 if AUDIT_REQUIRED is set", async () => {
    const client = await makeClient(ada);
    await refuseRows();
    env().AUDIT_REQUIRED = true;
    try {
      expect(await readStatuses(client.id)).toEqual([503, 503]);
    } finally {
      env().AUDIT_REQUIRED = false;
    }
    expect(takeErrors().length).toBeGreaterThan(1);
  });
});

describe("an account that opens many clients within an hour", () => {
  test("raises one alarm in the log and the trail, also for whole-record exports, but not for opening the same client often", async () => {
    const many = await makeUser();
    const few = await makeUser();
    const taker = await makeUser(["clients", "export"]);
    const clients = await Promise.all([1, 2, 3].map(() => makeClient(ada)));
    for (const { id } of clients) {
      await call(many.cookie, "GET", `/api/clients/${id}`);
      await call(few.cookie, "GET", `/api/clients/${clients[0]?.id}`);
      await call(taker.cookie, "GET", `/api/clients/${id}/record.json`);
    }
    const limit = env().ALARM_CLIENTS_AN_HOUR;
    env().ALARM_CLIENTS_AN_HOUR = 2;
    try {
      const events = await eventsOf(async () => {
        await raiseAlarms();
        await raiseAlarms();
      });
      const alarms = events.filter(({ userId }) => [many.id, few.id, taker.id].includes(userId ?? 0));
      expect(alarms).toHaveLength(2);
      for (const { id } of [many, taker])
        expect(alarms).toContainEqual(
          expect.objectContaining({ action: "alarm", entity: "user", entityId: id, userId: id }),
        );
      const lines = takeErrors().map((line) => JSON.parse(String(line)));
      expect(lines).toContainEqual(
        expect.objectContaining({ alarm: "many_clients_opened", userId: many.id, clients: 3 }),
      );
    } finally {
      env().ALARM_CLIENTS_AN_HOUR = limit;
    }
  });
});
