import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { GET as getForms } from "@/app/api/forms/route";
import { closeDatabase, listPool, rows } from "@/lib/database/client";
import { asOptions, LIST_SETTINGS, STATEMENT_MS } from "@/lib/database/settings";
import { primaryReader } from "@/lib/database/statements";
import { formsToPrint } from "@/lib/forms/by-client/data";
import { freePort } from "@/lib/operate/embedded";
import { listen } from "@/lib/server/http";
import { actorFor, call } from "@/tests/call";
import { makeForm, makeUser, type Person } from "@/tests/factories";

// The list of forms reads the form types, which another connection keeps to itself.

let user: Person;
let client: number;
let blocker: pg.Client;

beforeAll(async () => {
  user = await makeUser();
  client = (await makeForm(user)).clientId;
  blocker = new pg.Client(process.env.DATABASE_URL);
  await blocker.connect();
});
afterAll(() => blocker.end());

let warnings: string[];
beforeEach(async () => {
  warnings = [];
  vi.spyOn(console, "warn").mockImplementation((line) => void warnings.push(String(line)));
  await blocker.query("BEGIN; LOCK TABLE form_types IN ACCESS EXCLUSIVE MODE");
});
afterEach(async () => {
  await blocker.query("ROLLBACK");
  vi.restoreAllMocks();
});

const blocked = async () =>
  (
    await rows<{ pid: number }>(
      "SELECT pid FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()",
    )
  ).length;

async function until(condition: () => Promise<boolean>): Promise<void> {
  while (!(await condition())) await sleep(20);
}

describe("a list that takes too long", () => {
  test("is answered 503 with its own code and words, and a line in the log names its statement", async () => {
    const { status, body } = await call(user.cookie, "GET", "/api/forms?search=jane");
    expect([status, body]).toEqual([
      503,
      { error: "This list takes too long to read. Please narrow it.", code: "too_slow" },
    ]);
    expect(warnings).toHaveLength(1);
    expect(JSON.parse(warnings[0] ?? "")).toEqual({
      level: "warn",
      id: expect.any(String),
      route: "/api/forms",
      statement: "forms by serviceOn, searched",
      ms: expect.any(Number),
      code: "too_slow",
    });
  });

  test("holds no connection that a save needs, however many ask for it", async () => {
    // The test holds all the connections that lists may have, so they wait however fast the machine is.
    const held = await Promise.all(
      Array.from({ length: listPool().options.max }, () => listPool().connect()),
    );
    const lists = Array.from({ length: 50 }, () => call(user.cookie, "GET", "/api/forms"));
    await until(async () => listPool().waitingCount > 0);
    const { status } = await call(user.cookie, "POST", "/api/clients", { client: { name: "Saved" } });
    expect(status).toBe(201);
    let waiting = lists.length;
    for (const list of lists) void list.finally(() => waiting--);
    // What `blocked` asks is answered meanwhile, so no list takes PostgreSQL for silent.
    await until(async () => (await blocked()) === 0 && waiting === 0);
    for (const client of held) client.release();
    for (const { status, body } of await Promise.all(lists))
      expect([status, body.code]).toEqual([503, "too_slow"]);
  });

  test("is, as the record of a client to print, called too large, with the advice to choose fewer days", async () => {
    await expect(formsToPrint(await actorFor(user), client)).rejects.toMatchObject({
      code: "too_slow",
      message: "This record is too large to be read at once. Please choose fewer days.",
    });
  });

  test("is no slow database to a save that waits for a lock", async () => {
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

test("a statement of a report may run for longer than one of a list", async () => {
  const sleeping = `SELECT pg_sleep(${STATEMENT_MS / 1000 + 1}) IS NOT NULL AS slept`;
  await expect(primaryReader.rows("a list", sleeping, [])).rejects.toMatchObject({ code: "too_slow" });
  expect(await primaryReader.inOneSnapshot("a report", (read) => read("a block", sleeping, []))).toEqual([
    { slept: true },
  ]);
});

test("a caller who goes away ends the statement of the list", async () => {
  // Without their limits, so that nothing else ends the statement while the lock is held.
  await closeDatabase();
  Object.assign(listPool().options, {
    options: asOptions({ ...LIST_SETTINGS, statement_timeout: "0" }),
    query_timeout: 0,
  });
  const port = await freePort();
  const lines: string[] = [];
  const http = await listen(port, {
    trustedProxies: [],
    https: false,
    dev: false,
    log: (line) => lines.push(line),
  });
  http.handOver(async (request, response) => {
    const headers = { cookie: request.headers.cookie ?? "" };
    const answer = await getForms(new Request(`http://localhost${request.url}`, { headers }), {
      params: Promise.resolve({}),
    });
    response.end(await answer.text());
  });
  try {
    const leaving = new AbortController();
    const list = fetch(`http://127.0.0.1:${port}/api/forms`, {
      headers: { cookie: user.cookie },
      signal: leaving.signal,
    });
    await until(async () => (await blocked()) === 1);
    leaving.abort();
    await expect(list).rejects.toThrow("aborted");
    await until(async () => (await blocked()) === 0);
    await until(async () => lines.length === 1);
    expect(JSON.parse(lines[0] ?? "")).toMatchObject({ route: "/api/forms", status: 499 });
    expect(lines[0]).not.toContain("gone");
    expect(warnings).toEqual([]);
  } finally {
    await http.stop(0);
    await closeDatabase();
  }
});
