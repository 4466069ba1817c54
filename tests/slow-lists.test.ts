import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { recordPrinted } from "@/lib/audit/history";
import { closeDatabase, db, listPool, pool, rows } from "@/lib/core/database/client";
import { STATEMENT_MS } from "@/lib/core/database/limits";
import { asOptions, LIST_SETTINGS, SETTINGS } from "@/lib/core/database/settings";
import { primaryReader } from "@/lib/core/database/statements";
import { withRequest } from "@/lib/core/process/request-context";
import { listen } from "@/lib/core/server/http";
import { sql } from "@/lib/core/sql";
import { formsToPrint } from "@/lib/forms/by-client/read";
import { formHistory } from "@/lib/forms/history";
import { freePort } from "@/lib/ops/embedded";
import * as paths from "@/lib/paths";
import { actorFor, call, type Method } from "@/tests/call";
import { formTypeId, makeForm, makeUser, minimalForm, type Person } from "@/tests/factories";
import { takeLog } from "@/tests/setup/console";

vi.unmock("@/lib/core/database/limits");

// The list of forms reads the form types, which another connection keeps locked.

let user: Person;
let client: number;
let form: number;
let service: number;
let blocker: pg.Client;

beforeAll(async () => {
  user = await makeUser(["forms", "clients", "reports", "export", "service-codes"]);
  ({ id: form, clientId: client } = await makeForm(user));
  service = await formTypeId("Service");
  blocker = new pg.Client(process.env.DATABASE_URL);
  await blocker.connect();
});
afterAll(() => blocker.end());

beforeEach(async () => {
  takeLog();
  await blocker.query("BEGIN; LOCK TABLE form_types IN ACCESS EXCLUSIVE MODE");
});
afterEach(async () => {
  await blocker.query("ROLLBACK");
  vi.restoreAllMocks();
});

const countBlocked = async () =>
  (
    await rows<{ pid: number }>(
      sql`SELECT pid FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()`,
    )
  ).length;

const savedForms = () => db().form.count();

async function until(condition: () => Promise<boolean>): Promise<void> {
  while (!(await condition())) await sleep(20);
}

describe("a list that takes too long", () => {
  test("gets a 503 with its own code and message, and a log line with its statement", async () => {
    const { status, body } = await call(user.cookie, "GET", "/api/forms?search=jane");
    expect([status, body]).toEqual([
      503,
      { error: "This list takes too long to read. Please narrow it.", code: "too_slow" },
    ]);
    expect(takeLog()).toEqual([
      {
        time: expect.any(String),
        level: "warn",
        message: "A statement was slow",
        requestId: expect.any(String),
        route: "/api/forms",
        statement: "forms by serviceOn, searched",
        ms: expect.any(Number),
        code: "too_slow",
      },
    ]);
  });

  test("holds no connection that a save needs, however many users request it", async () => {
    // The test holds all connections that lists may use, so that they wait however fast the machine is.
    const heldConnections = await Promise.all(
      Array.from({ length: listPool().options.max }, () => listPool().connect()),
    );
    const lists = Array.from({ length: 50 }, () => call(user.cookie, "GET", "/api/forms"));
    await until(async () => listPool().waitingCount > 0);
    const { status } = await call(user.cookie, "POST", "/api/clients", { client: { name: "Saved" } });
    expect(status).toBe(201);
    let waiting = lists.length;
    for (const list of lists) void list.finally(() => waiting--);
    // PostgreSQL responds to the query in `blocked`, so no list considers it unresponsive.
    await until(async () => (await countBlocked()) === 0 && waiting === 0);
    for (const client of heldConnections) client.release();
    for (const { status, body } of await Promise.all(lists))
      expect([status, body.code]).toEqual([503, "too_slow"]);
  });

  test("for a client's printed record advises choosing fewer days", async () => {
    await expect(formsToPrint(await actorFor(user), client)).rejects.toMatchObject({
      code: "too_slow",
      message: "This record is too large to show at once. Please choose fewer days.",
    });
  });

  test("is not mistaken for a slow database by a save that waits for a lock", async () => {
    const form = {
      clientId: 1,
      formTypeId: 1,
      serviceOn: "2026-03-04",
      serviceStatus: "Served",
      verbalConfirmation: true,
    };
    const { status, body, headers } = await call(user.cookie, "POST", "/api/forms", { form });
    expect([status, body]).toEqual([
      503,
      { error: "That took too long. Please try again.", code: "too_slow" },
    ]);
    expect(headers.get("retry-after")).toBe("5");
  });
});

test("a statement of a report may run longer than one of a list", async () => {
  const sleeping = sql`SELECT pg_sleep(${STATEMENT_MS / 1000 + 1}) IS NOT NULL AS slept`;
  await expect(primaryReader.rows("a list", sleeping)).rejects.toMatchObject({ code: "too_slow" });
  expect(await primaryReader.inOneSnapshot("a report", (read) => read("a block", sleeping))).toEqual([
    { slept: true },
  ]);
});

/** Sends a request to the test's own server, and disconnects when PostgreSQL waits for the lock. */
async function disconnectDuring(
  method: Method,
  url: string,
  body: unknown,
  left: () => Promise<void>,
): Promise<void> {
  // The limits are off, so that nothing else ends the statement while the lock is held.
  await closeDatabase();
  for (const [used, settings] of [
    [listPool(), LIST_SETTINGS],
    [pool(), SETTINGS],
  ] as const)
    Object.assign(used.options, {
      options: asOptions({ ...settings, statement_timeout: "0" }),
      query_timeout: 0,
    });
  const port = await freePort();
  const http = await listen(port, {
    trustedProxies: [],
    https: false,
    dev: false,
    paths,
  });
  http.handOver(async (request, response) => {
    const answer = await call(request.headers.cookie ?? "", method, request.url ?? "", body);
    response.end(answer.bytes);
  });
  try {
    const leaving = new AbortController();
    const answer = fetch(`http://127.0.0.1:${port}${url}`, {
      headers: { cookie: user.cookie },
      signal: leaving.signal,
    });
    await until(async () => (await countBlocked()) === 1);
    leaving.abort();
    await expect(answer).rejects.toThrow("aborted");
    const lines: ReturnType<typeof takeLog> = [];
    await until(async () => {
      lines.push(...takeLog());
      return lines.some(({ message }) => message === "Request");
    });
    await left();
    lines.push(...takeLog());
    const requests = lines.filter(({ message }) => message === "Request");
    expect(requests).toMatchObject([{ status: 499 }]);
    expect(JSON.stringify(requests)).not.toContain("gone");
    // On a busy machine the lock is held so long that the statement counts as slow, which is logged without a
    // code.
    expect(lines.filter(({ level, ms, code }) => level === "warn" && (code || !ms))).toEqual([]);
  } finally {
    await http.stop(0);
    await closeDatabase();
  }
}

describe("a client that disconnects", () => {
  test.each([
    ["of a list", () => "/api/forms"],
    ["of the choices of a form", () => "/api/resource_lists/form_types"],
    ["that reads a form", () => `/api/forms/${form}`],
    ["that reads every form of a client", () => `/api/clients/${client}/record.json`],
    ["of a report", () => "/api/reports/pmt?from=2026-01-01&to=2026-03-31&share=true"],
  ])("ends the statement %s", async (_, url) => {
    await disconnectDuring("GET", url(), undefined, () => until(async () => (await countBlocked()) === 0));
  });

  test("still causes the print to be recorded", async () => {
    const context = {
      id: "printed",
      method: "POST",
      route: "",
      disconnected: AbortSignal.abort(),
    };
    const actor = await actorFor(user);
    await withRequest(context, () => recordPrinted(actor, formHistory, form));
    const [event] = await rows(
      sql`SELECT FROM audit_events WHERE action = 'printed' AND entity_id = ${form}`,
    );
    expect(event).toBeDefined();
  });

  test("does not end a save, which is completed normally", async () => {
    const before = await savedForms();
    await disconnectDuring("POST", "/api/forms", { form: minimalForm(client, service) }, async () => {
      // PostgreSQL has checked for closed connections by now, because it ends this later statement.
      const other = new pg.Client({
        connectionString: process.env.DATABASE_URL,
        // Without a limit, because a busy machine may take longer to show that this statement waits.
        options: asOptions({ ...SETTINGS, statement_timeout: "0" }),
      });
      other.on("error", () => {});
      await other.connect();
      const ended = expect(other.query("SELECT FROM form_types")).rejects.toThrow();
      await until(async () => (await countBlocked()) === 2);
      await Promise.all([ended, other.end()]);
      await until(async () => (await countBlocked()) === 1);
      await blocker.query("ROLLBACK");
      await until(async () => (await savedForms()) === before + 1);
    });
  });
});

test("a statement that exceeds its time limit is named in the log, for every sender, without its values", async () => {
  const saved = { ...minimalForm(client, service), serviceOn: "2026-03-05" };
  const code = { code: "ZZ", description: "Zebra", formTypeIds: [service] };
  const calls: [method: Method, url: string, body: object | undefined, statement: RegExp][] = [
    ["POST", "/api/forms", { form: saved }, /^(insert|select) \w+$/],
    ["GET", `/api/forms/${form}`, undefined, /^form viewed$/],
    ["GET", `/api/clients/${client}/record.json`, undefined, /^form exported$/],
    ["POST", "/api/service_codes", { serviceCode: code }, /^select form_types$/],
  ];
  await Promise.all([
    ...calls.map(async ([method, url, body]) => {
      expect((await call(user.cookie, method, url, body)).status).toBe(503);
    }),
    expect(db().formType.findMany()).rejects.toThrow(),
  ]);
  const logged = takeLog();
  const lines = new Map(logged.map((line) => [`${line.route}`, line]));
  expect(logged).toHaveLength(calls.length + 1);
  const line = {
    time: expect.any(String),
    level: "warn",
    message: "A statement was slow",
    ms: expect.any(Number),
    code: "too_slow",
  };
  for (const [, route, , statement] of calls) {
    const named = expect.stringMatching(statement);
    expect(lines.get(route)).toEqual({ ...line, requestId: expect.any(String), route, statement: named });
  }
  expect(lines.get("undefined")).toEqual({ ...line, statement: "select form_types" });
});
