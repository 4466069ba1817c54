import { spawnSync } from "node:child_process";
import dns from "node:dns";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep, setImmediate as turn } from "node:timers/promises";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { PERMISSION_NAMES, type Permission, permissionKey } from "@/lib/core/access/permissions";
import { closeDatabase, databaseAnswers, db, pool, rows } from "@/lib/core/database/client";
import { asAppError } from "@/lib/core/database/errors";
import { env } from "@/lib/core/process/env";
import { sql } from "@/lib/core/sql";
import { queryAt } from "@/lib/dev/query";
import { whenDatabaseAnswers } from "@/lib/gate";
import { type Cluster, freePort, removeDataDir, startCluster } from "@/lib/ops/embedded";
import { prepareDatabase } from "@/lib/ops/prepare";
import { type Answer, call, type Method, routes } from "@/tests/call";
import { freeze, postmasterOf } from "@/tests/drill/faults";
import { fullForm, makeClient, makeUser, type Person } from "@/tests/factories";
import { tempDataDir } from "@/tests/setup/data-dir";

vi.unmock("@/lib/core/database/limits");

// Stops, freezes and cuts off a PostgreSQL that belongs to this file only. tests/drill/drill.ts covers the HTTP
// side.

let dataDir: string;
let cluster: Cluster;
let port: number;
let user: Person;
let clientId: number;

beforeAll(async () => {
  dataDir = await tempDataDir();
  port = await freePort();
  cluster = await startCluster({ dataDir, port, throwaway: true });
  process.env.DATABASE_URL = cluster.url;
  await prepareDatabase(cluster.url, {}, false);
  user = await makeUser(PERMISSION_NAMES.map((name) => permissionKey(name) as Permission));
  clientId = (await makeClient(user)).id;
});

afterAll(async () => {
  await closeDatabase();
  await cluster.stop();
  await removeDataDir(dataDir);
});

/** Every method of every route, with a body where the request would otherwise be refused before a query. */
const calls: [Method, string][] = [...routes.keys()].flatMap((pattern) =>
  (["GET", "PUT", "POST", "DELETE"] as const).map((method): [Method, string] => [
    method,
    pattern
      .replace("[collection]", "canines")
      .replace("[...list]", "canines")
      .replace("[token]", "a".repeat(43))
      .replace(/\[\w+\]/, "1"),
  ]),
);

const bodies: Record<string, object> = {
  "POST /api/login": { email: "someone@example.org", password: "Wrong-Password-1" },
  "POST /api/account/new_link": { token: "a".repeat(43) },
  "POST /api/forgot_password": { email: "someone@example.org" },
  "PUT /api/forgot_password": {
    token: "a".repeat(43),
    password: "Right-Enough-1",
    passwordConfirmation: "Right-Enough-1",
  },
};

/**
 * Browser error reports work without a database. Single sign-on is not configured here, and the response reports that.
 */
const NEEDS_NO_DATABASE = new Set([
  // It shows that the process runs, independent of the database.
  "GET /api/health/live",
  // It compares the password with a list in memory.
  "POST /api/password_check",
  "POST /api/browser_errors",
  "GET /api/oidc/start",
  "GET /api/oidc/callback",
  "POST /api/oidc/backchannel_logout",
]);

/** Reads through a separate connection, independent of the state the program assumes. */
const find = (sql: string) => queryAt(cluster.url, sql);

/** SQL for the connections that wait for a lock. */
const WAITING = "SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock'";

/** Returns "S" for a sleeping process, "Z" for one that ended but was not reaped, and "" for a reaped one. */
const stateOf = (pid: number) =>
  spawnSync("ps", ["-o", "stat=", "-p", String(pid)], { encoding: "utf8" }).stdout.trim();

/** Blocks this process until no process has this id. */
function waitUntilGone(pid: number): void {
  for (let attempts = 0; stateOf(pid) !== ""; attempts++)
    if (attempts > 5_000) throw new Error(`Process ${pid} still exists`);
}

/**
 * Sends many saves at once, each like a careful client: with the same key again until the response is not
 * 503.
 */
function saveAll(path: string, bodies: [key: string, body: unknown][]) {
  /** The status of every response so far, by key. */
  const statuses = new Map<string, number[]>(bodies.map(([key]) => [key, []]));
  const save = async ([key, body]: [string, unknown]): Promise<Answer> => {
    for (;;) {
      const answer = await call(user.cookie, "POST", path, body, { headers: { "idempotency-key": key } });
      statuses.get(key)?.push(answer.status);
      // 409: the first attempt with this key still holds it.
      if (![503, 409].includes(answer.status)) return answer;
      await sleep(100);
    }
  };
  return { statuses, done: Promise.all(bodies.map(save)) };
}

/** Starts a server whose pages are all "served". */
async function servePages(): Promise<{ http: Server; url: string }> {
  const http = createServer(whenDatabaseAnswers(async (_request, response) => void response.end("served")));
  await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve));
  return { http, url: `http://127.0.0.1:${(http.address() as AddressInfo).port}` };
}

it("a guest page sends no query while PostgreSQL answers others, and checks it after a quiet period", async () => {
  const { http, url } = await servePages();
  vi.useFakeTimers({ toFake: ["Date"] });
  try {
    await rows(sql`SELECT now()`);
    const query = vi.spyOn(pool(), "query");
    for (const path of ["/", "/forms", "/"]) expect(await (await fetch(url + path)).text()).toBe("served");
    expect(query).not.toHaveBeenCalled();
    vi.setSystemTime(Date.now() + 1_001);
    expect(await (await fetch(url)).text()).toBe("served");
    expect(query).toHaveBeenCalledTimes(1);
    query.mockRestore();
  } finally {
    vi.useRealTimers();
    http.close();
  }
});

describe("a frozen PostgreSQL", () => {
  it("causes 503 with Retry-After on every route, and the first request after it resumes succeeds", async () => {
    const thaw = await freeze(dataDir);
    try {
      // There are more calls than connections in the pool, so the last ones wait for one.
      const answers = await Promise.all(
        calls.map(async ([method, path]) => {
          const name = `${method} ${path}`;
          const body = method === "GET" ? undefined : (bodies[name] ?? {});
          return { name, ...(await call(user.cookie, method, path, body)) };
        }),
      );
      const asked = answers.filter(({ name, status }) => status !== 405 && !NEEDS_NO_DATABASE.has(name));
      expect(asked.length).toBeGreaterThan(20);
      for (const { name, status, headers } of asked) {
        expect({ name, status, retryAfter: headers.get("retry-after") }).toEqual({
          name,
          status: 503,
          retryAfter: expect.stringMatching(/^\d+$/),
        });
      }
    } finally {
      thaw();
    }
    expect((await call(user.cookie, "GET", "/api/clients")).status).toBe(200);
  });

  it("is detected by connections and statements soon enough to answer within the documented 5 s", () => {
    const { connectionTimeoutMillis, query_timeout } = pool().options;
    for (const limit of [connectionTimeoutMillis, query_timeout]) {
      expect(limit).toBeGreaterThan(0);
      expect(limit).toBeLessThanOrEqual(3_500);
    }
  });

  it("replaces pages with a 503 explanation and Retry-After, while files are still served", async () => {
    const { http, url } = await servePages();
    const headers = { cookie: user.cookie };
    expect(await (await fetch(`${url}/forms`, { headers })).text()).toBe("served");
    const thaw = await freeze(dataDir);
    try {
      const page = await fetch(`${url}/forms`, { headers });
      expect([page.status, page.headers.get("retry-after")]).toEqual([503, "5"]);
      expect(await page.text()).toContain("Nothing you saved is lost.");
      expect(await (await fetch(`${url}/_next/static/x.js`)).text()).toBe("served");
      await expect.poll(async () => (await fetch(url)).status).toBe(503);
    } finally {
      thaw();
      http.close();
    }
  });

  it("can be resumed even if one of its processes ended meanwhile", async () => {
    const postmaster = await postmasterOf(dataDir);
    const ending = new pg.Client(cluster.url);
    await ending.connect();
    const [{ pid }] = (await ending.query("SELECT pg_backend_pid() AS pid")).rows;
    const signal = process.kill.bind(process);
    const resuming = vi.spyOn(process, "kill").mockImplementation((to, name) => {
      signal(to, name);
      if (to === postmaster && name === "SIGCONT") waitUntilGone(pid);
      return true;
    });
    try {
      // A stopped postmaster does not reap its children. After it resumes, it reaps them at once.
      signal(postmaster, "SIGSTOP");
      await ending.end();
      await expect.poll(() => stateOf(pid)).toMatch(/^Z/);
      (await freeze(dataDir))();
    } finally {
      resuming.mockRestore();
      signal(postmaster, "SIGCONT");
    }
    expect(await find("SELECT 1 AS one")).toEqual([{ one: 1 }]);
  });

  it("during saves loses and duplicates none, and no connection is reused in a half-finished transaction", async () => {
    const names = Array.from({ length: 40 }, (_, n) => `Frozen ${n}`);
    // Saves wait at this lock when PostgreSQL is frozen.
    const holder = new pg.Client(cluster.url);
    await holder.connect();
    await holder.query("BEGIN; LOCK TABLE clients IN SHARE MODE");
    const { statuses, done } = saveAll(
      "/api/clients",
      names.map((name) => [name, { client: { name } }]),
    );
    const countAnswered = () => [...statuses.values()].filter((all) => all.length > 0).length;
    await expect.poll(async () => (await find(WAITING)).length).toBeGreaterThan(0);
    const thaw = await freeze(dataDir);
    try {
      // Wait until the program has given up every save that was running at the freeze.
      await expect.poll(countAnswered).toBe(names.length);
    } finally {
      thaw();
    }
    await holder.query("COMMIT");
    await holder.end();
    expect([...statuses.values()].flat()).toContain(503);
    expect((await done).map(({ status }) => status)).toEqual(names.map(() => 201));
    const found = await find("SELECT name FROM clients WHERE name LIKE 'Frozen %'");
    expect(found.map(({ name }) => name).sort()).toEqual(names.sort());
    expect(await find("SELECT state FROM pg_stat_activity WHERE state LIKE 'idle in transaction%'")).toEqual(
      [],
    );
  });
});

describe("a PostgreSQL that answers in time while this process is blocked", () => {
  it("is not treated as unresponsive", async () => {
    await rows(sql`SELECT 1`);
    const response = databaseAnswers();
    // The query is sent, then this process blocks until long after the query's time limit.
    await turn();
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 3_000);
    expect(await response).toBe(true);
  });
});

describe("connections that PostgreSQL closes", () => {
  const END_ALL =
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()";

  it("while idle have no effect, and the next request succeeds", async () => {
    await call(user.cookie, "GET", "/api/clients");
    await find(END_ALL);
    await expect.poll(() => pool().totalCount).toBe(0);
    expect((await call(user.cookie, "GET", "/api/clients")).status).toBe(200);
  });

  it("during saves leave no partial form and no duplicate", async () => {
    const form = await fullForm("Legal Advocacy", clientId);
    const parts = `SELECT (SELECT count(*) FROM intake_forms WHERE form_id = f.id)::int AS intakes,
      (SELECT count(*) FROM survivor_entries e JOIN intake_forms i ON i.id = e.intake_form_id WHERE i.form_id = f.id)::int AS survivors,
      (SELECT count(*) FROM service_provided_entries p JOIN service_entries e ON e.id = p.service_entry_id WHERE e.form_id = f.id)::int AS services
      FROM forms f`;
    const [whole] = await saveAll("/api/forms", [["whole", { form }]]).done;
    expect(whole?.status).toBe(201);
    const [expected] = await find(parts);

    const keys = Array.from({ length: 30 }, (_, n) => `form ${n}`);
    const { statuses, done } = saveAll(
      "/api/forms",
      keys.map((key) => [key, { form }]),
    );
    const answeredStatuses = () => [...statuses.values()].flat();
    // Saves wait at this lock with half of their form written when their connections are closed.
    const holder = new pg.Client(cluster.url);
    await holder.connect();
    for (let round = 0; round < 3; round++) {
      await holder.query("BEGIN; LOCK TABLE service_provided_entries IN SHARE MODE");
      await expect.poll(async () => (await find(WAITING)).length).toBeGreaterThan(0);
      await holder.query(END_ALL);
      await holder.query("COMMIT");
    }
    await holder.end();
    expect((await done).map(({ status }) => status)).toEqual(keys.map(() => 201));
    expect(answeredStatuses()).toContain(503);
    expect(await find(parts)).toEqual(Array.from({ length: 31 }, () => expected));
  });
});

describe("a PostgreSQL that the network does not find", () => {
  /** Lets this process look for PostgreSQL there until the returned function is called. */
  async function moveTo(place: string): Promise<() => Promise<void>> {
    const { DATABASE_URL } = env();
    const elsewhere = new URL(cluster.url);
    elsewhere.host = place;
    const use = async (url: string) => {
      await closeDatabase();
      env().DATABASE_URL = url;
    };
    await use(elsewhere.href);
    return () => use(DATABASE_URL);
  }

  async function expectUnavailable(): Promise<void> {
    for (const [method, body] of [["GET"], ["POST", { client: { name: "Nobody saved" } }]] as const) {
      const answer = await call(user.cookie, method, "/api/clients", body);
      expect([method, answer.status, answer.body.code]).toEqual([method, 503, "unavailable"]);
      expect(answer.headers.get("retry-after")).toMatch(/^\d+$/);
    }
    // The driver reads the session of these requests. Prisma has errors of its own.
    expect(
      asAppError(
        await db()
          .role.count()
          .catch((error: unknown) => error),
      ).code,
    ).toBe("unavailable");
    expect(await databaseAnswers()).toBe(false);
  }

  it.each([
    // The resolver refuses a name with a part of more than 63 characters without a DNS server.
    ["under its name", () => `${"database".repeat(8)}:5432`],
    ["at either address of localhost", async () => `localhost:${await freePort()}`],
  ])("%s causes 503 with Retry-After until it is found again", async (_, place) => {
    const back = await moveTo(await place());
    try {
      await expectUnavailable();
    } finally {
      await back();
    }
    expect((await call(user.cookie, "GET", "/api/clients")).status).toBe(200);
  });

  it.each([
    ["getaddrinfo", "ENOTFOUND"],
    ["getaddrinfo", "EAI_AGAIN"],
    ["getaddrinfo", "EAI_FAIL"],
    ["connect", "EHOSTUNREACH"],
    ["connect", "EHOSTDOWN"],
    ["connect", "ENETUNREACH"],
    ["connect", "ENETDOWN"],
    ["connect", "EADDRNOTAVAIL"],
    ["connect", "ECONNABORTED"],
    ["connect", "ETIMEDOUT"],
  ])("because %s fails with %s causes 503 with Retry-After", async (syscall, code) => {
    const back = await moveTo("database:5432");
    const failure = Object.assign(new Error(`${syscall} ${code} database`), { code, syscall });
    const lookup = vi.spyOn(dns, "lookup").mockImplementation(((...values: unknown[]) => {
      const done = values.at(-1) as (error: Error) => void;
      process.nextTick(done, failure);
    }) as typeof dns.lookup);
    try {
      await expectUnavailable();
      expect(lookup).toHaveBeenCalled();
    } finally {
      lookup.mockRestore();
      await back();
    }
  });
});

describe("a PostgreSQL restart", () => {
  it("causes 503 during the outage, and the first request afterwards succeeds", async () => {
    await cluster.stop();
    expect((await call(user.cookie, "GET", "/api/clients")).status).toBe(503);
    cluster = await startCluster({ dataDir, port, throwaway: true });
    expect((await call(user.cookie, "GET", "/api/clients")).status).toBe(200);
  });
});
