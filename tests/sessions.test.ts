import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import pg from "pg";
import { expect, it, vi } from "vitest";
import { db, pool, rows } from "@/lib/core/database/client";
import { keyFor } from "@/lib/core/process/cipher";
import { withRequest } from "@/lib/core/process/request-context";
import { sql } from "@/lib/core/sql";
import { whenDatabaseAnswers } from "@/lib/gate";
import { currentUser } from "@/lib/identity/page-session";
import { openSession } from "@/lib/identity/session";
import { logIn, makeAccount, PASSWORD } from "@/tests/accounts-helpers";
import { runBlockedBy } from "@/tests/blocked";
import { call, signIn } from "@/tests/call";
import { makeForm, makeUser } from "@/tests/factories";
import { makeGate } from "@/tests/gate";

const me = (cookie: string) => call(cookie, "GET", "/api/me");
const age = (userId: number, column: "last_seen_at" | "created_at", minutes: number) =>
  db().$executeRawUnsafe(
    `UPDATE sessions SET ${column} = now() - make_interval(secs => ${minutes * 60}) WHERE user_id = ${userId}`,
  );
const lastSeen = async (userId: number) =>
  (await db().session.findFirstOrThrow({ where: { userId } })).lastSeenAt;

it("a session ends permanently at logout, and leaves the user's other sessions", async () => {
  const user = await makeAccount();
  const other = await signIn(user);
  const { status, headers } = await call(user.cookie, "DELETE", "/api/logout");
  expect(status).toBe(204);
  expect(headers.get("set-cookie")).toMatch(/^lanternbook\.session=; .*Max-Age=0/);
  expect(await me(user.cookie)).toMatchObject({ status: 401, body: { error: "Unauthorized Request" } });
  expect((await me(other)).status).toBe(200);
});

it("a session does not start if the password or email changed after it was compared", async () => {
  for (const change of [{ passwordHash: "another" }, { email: "another@example.org" }]) {
    const { id } = await makeAccount();
    const { email, passwordHash } = await db().user.findUniqueOrThrow({ where: { id } });
    await db().user.update({ where: { id }, data: change });
    await db().session.deleteMany({ where: { userId: id } });
    const opening = openSession({ userId: id, email, passwordHash, secret: null }, "test");
    await expect(opening).rejects.toMatchObject({ status: 401, messages: "Invalid email or password" });
    expect(await db().session.count({ where: { userId: id } })).toBe(0);
  }
});

it("a session does not start with the password only, during or after the setup of two-step sign-in", async () => {
  const user = await makeAccount();
  const { email, passwordHash } = await db().user.findUniqueOrThrow({ where: { id: user.id } });
  const open = (secret: Uint8Array | null) =>
    openSession({ userId: user.id, email, passwordHash, secret }, "test");
  const BAD = { status: 401, messages: "Invalid email or password" };
  await call(user.cookie, "POST", "/api/two_step");
  const former = Buffer.from("the sealed secret of a former app");
  const confirmed = `UPDATE two_steps SET secret = pending WHERE user_id = ${user.id};
    DELETE FROM sessions WHERE user_id = ${user.id}`;
  await expect(runBlockedBy(confirmed, () => open(null))).rejects.toMatchObject(BAD);
  await expect(open(null)).rejects.toMatchObject(BAD);
  await expect(open(former)).rejects.toMatchObject(BAD);
  expect(await db().session.count({ where: { userId: user.id } })).toBe(0);
  const { secret } = await db().twoStep.findUniqueOrThrow({ where: { userId: user.id } });
  await open(secret);
  expect(await db().session.count({ where: { userId: user.id } })).toBe(1);
});

it("calls at the same moment are each answered for their own session", async () => {
  const one = await makeAccount();
  const other = await makeAccount();
  const ended = await makeAccount();
  await call(ended.cookie, "DELETE", "/api/logout");
  const cookies = [one.cookie, ended.cookie, other.cookie, "lanternbook.session=x", one.cookie];
  const answers = await Promise.all(cookies.map(me));
  expect(answers.map(({ status, body }) => body.userId ?? status)).toEqual([
    one.id,
    401,
    other.id,
    401,
    one.id,
  ]);
});

it("a session is not opened by a cookie that is missing, forged or made with another secret", async () => {
  const { encode } = await import("next-auth/jwt");
  const user = await makeAccount();
  const { id: sid } = await db().session.findFirstOrThrow({ where: { userId: user.id } });
  const forged = await encode({ token: { sid }, secret: "another secret of at least 32 characters" });
  for (const value of ["", "x", sid, forged, `${user.cookie.split("=")[1]}x`]) {
    expect((await me(`lanternbook.session=${value}`)).status).toBe(401);
  }
});

it("a signed cookie that names no session gets a 401, whatever it names", async () => {
  const { encode } = await import("next-auth/jwt");
  for (const sid of ["no uuid", "1", "", 7, null, undefined, "00000000-0000-4000-8000-000000000000"]) {
    const value = await encode({ token: { sid }, secret: keyFor("session cookie v1").toString("hex") });
    expect(await me(`lanternbook.session=${value}`)).toMatchObject({
      status: 401,
      body: { error: "Unauthorized Request", code: "unauthorized" },
    });
    const current = await call(`lanternbook.session=${value}`, "GET", "/api/sessions/current");
    expect(current.status).toBe(401);
  }
});

it("a session ends after 30 minutes without use and after 12 hours in total", async () => {
  const user = await makeAccount();
  await age(user.id, "last_seen_at", 25);
  expect((await me(user.cookie)).status).toBe(200);
  await age(user.id, "last_seen_at", 30);
  expect((await me(user.cookie)).status).toBe(401);

  await age(user.id, "last_seen_at", 0);
  await age(user.id, "created_at", 12 * 60 - 5);
  expect((await me(user.cookie)).status).toBe(200);
  await age(user.id, "created_at", 12 * 60);
  expect((await me(user.cookie)).status).toBe(401);
});

it("a session is extended by any call except the one that asks how long it lasts", async () => {
  const user = await makeAccount();
  const peek = () => call(user.cookie, "GET", "/api/sessions/current");
  await age(user.id, "last_seen_at", 20);
  const before = await lastSeen(user.id);
  const { body } = await peek();
  expect(body).toEqual({ userId: user.id, secondsLeft: expect.any(Number), extendable: true });
  // 20 of 30 minutes have passed.
  expect(body.secondsLeft).toBeGreaterThan(300);
  expect(body.secondsLeft).toBeLessThanOrEqual(600);
  expect(await lastSeen(user.id)).toEqual(before);

  await me(user.cookie);
  expect((await peek()).body.secondsLeft).toBeGreaterThan(1500);
  await age(user.id, "created_at", 12 * 60 - 1);
  expect((await peek()).body).toMatchObject({ extendable: false });
  await age(user.id, "created_at", 12 * 60);
  expect(await peek()).toMatchObject({ status: 401, body: { error: "Unauthorized Request" } });
  expect((await call(null, "GET", "/api/sessions/current")).status).toBe(401);
});

it("a session ends when its account is deleted", async () => {
  const user = await makeAccount();
  await db().user.delete({ where: { id: user.id } });
  expect((await me(user.cookie)).status).toBe(401);
});

it("a session follows a role change at the next request", async () => {
  const user = await makeAccount();
  const { roleId } = await db().user.findUniqueOrThrow({ where: { id: user.id } });
  await db().rolePermission.deleteMany({ where: { roleId } });
  expect((await me(user.cookie)).body.permissions).toEqual([]);
  expect((await call(user.cookie, "GET", "/api/clients")).status).toBe(403);
});

it("a session is replaced when the same browser signs in again", async () => {
  const user = await makeAccount();
  const answer = await call(user.cookie, "POST", "/api/login", { email: user.email, password: PASSWORD });
  expect(answer.status).toBe(200);
  expect((await me(user.cookie)).status).toBe(401);
  expect(await db().session.count({ where: { userId: user.id } })).toBe(1);
});

it("a session id is 128 random bits, without the fixed version bits of a UUID", async () => {
  const user = await makeAccount();
  for (let n = 0; n < 12; n++) await signIn(user);
  const sessions = await db().session.findMany({ where: { userId: user.id } });
  expect(new Set(sessions.map(({ id }) => id[14])).size).toBeGreaterThan(1);
});

it("a session is listed to its user, who can end the others, one or all", async () => {
  const user = await makeAccount();
  const stranger = await makeAccount();
  const headers = {
    "user-agent": "Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0",
  };
  await call(null, "POST", "/api/login", { email: user.email, password: PASSWORD }, { headers });
  await logIn(user.email, PASSWORD);
  const list = async () => (await call(user.cookie, "GET", "/api/sessions")).body.sessions;

  const sessions = await list();
  expect(sessions).toHaveLength(3);
  expect(sessions.filter(({ current }: { current: boolean }) => current)).toHaveLength(1);
  const firefox = sessions.find(({ device }: { device: string }) => device === "Firefox on Windows");
  expect(new Date(firefox.lastSeenAt).toISOString()).toBe(firefox.lastSeenAt);

  expect((await call(stranger.cookie, "DELETE", `/api/sessions/${firefox.id}`)).status).toBe(404);
  expect((await call(user.cookie, "DELETE", "/api/sessions/x")).status).toBe(422);
  expect((await call(user.cookie, "DELETE", `/api/sessions/${firefox.id}`)).status).toBe(204);
  expect(await list()).toHaveLength(2);
  expect((await call(user.cookie, "DELETE", "/api/sessions")).status).toBe(204);
  expect(await list()).toEqual([expect.objectContaining({ current: true })]);
  expect((await me(stranger.cookie)).status).toBe(200);
});

it("a page's session is read once, and shows whether the database answers", async () => {
  const user = await makeAccount();
  const serve = whenDatabaseAnswers(
    async (_request, response) => void response.end(String((await currentUser())?.userId)),
  );
  const server = createServer((request, response) =>
    withRequest({ id: "", method: "GET", route: "/forms" }, () => void serve(request, response)),
  );
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const querySpy = vi.spyOn(pool(), "query");
  try {
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/forms`;
    const answer = await fetch(url, { headers: { cookie: user.cookie } });
    expect(await answer.text()).toBe(String(user.id));
    expect(querySpy).toHaveBeenCalledTimes(1);
  } finally {
    querySpy.mockRestore();
    server.close();
  }
});

it("a user's pages are rendered a few at a time, those of others and of guests meanwhile", async () => {
  const user = await makeAccount();
  const other = await makeAccount();
  const gate = makeGate();
  let running = 0;
  let most = 0;
  const serve = whenDatabaseAnswers(async (request, response) => {
    if (request.headers.cookie === user.cookie) {
      running += 1;
      most = Math.max(most, running);
      await gate.opened;
      running -= 1;
    }
    response.end("done");
  });
  const server = createServer((request, response) =>
    withRequest({ id: "", method: "GET", route: "/forms" }, () => void serve(request, response)),
  );
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  try {
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/forms`;
    const read = async (cookie: string) => (await fetch(url, { headers: { cookie } })).text();
    const many = Array.from({ length: 12 }, () => read(user.cookie));
    await expect.poll(() => running).toBe(3);
    expect(await Promise.all([read(other.cookie), read("")])).toEqual(["done", "done"]);
    gate.open();
    expect(await Promise.all(many)).toEqual(Array(12).fill("done"));
    expect(most).toBe(3);
  } finally {
    server.close();
  }
});

it("many calls of one user that wait for the database leave places to others", async () => {
  const user = await makeAccount();
  const other = await makeAccount();
  const profile = { firstName: "Ada", lastName: "Lovelace", email: user.email };
  const save = () => call(user.cookie, "PUT", "/api/profile", { profile });
  const blocker = new pg.Client(process.env.DATABASE_URL);
  await blocker.connect();
  let ended = 0;
  try {
    await blocker.query(`BEGIN; SELECT FROM users WHERE id = ${user.id} FOR UPDATE`);
    const many = Array.from({ length: 60 }, () => save().finally(() => ended++));
    const waiting = "SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock'";
    await expect.poll(async () => (await blocker.query(waiting)).rowCount).toBeGreaterThan(0);
    expect((await me(other.cookie)).status).toBe(200);
    expect(ended).toBe(0);
    await blocker.query("COMMIT");
    await Promise.all(many);
  } finally {
    await blocker.end();
  }
});

it.each<[what: string, path: string, table: string]>([
  ["lists", "/api/forms", "form_types"],
  ["files", "/api/forms.csv?columns=all", "service_entries"],
])("many %s of one user that PostgreSQL delays leave places to others", async (_, path, table) => {
  const needs = ["forms", "clients", "export"] as const;
  const user = await makeUser([...needs]);
  const other = await makeUser([...needs]);
  await makeForm(user);
  const blocker = new pg.Client(process.env.DATABASE_URL);
  await blocker.connect();
  let ended = 0;
  try {
    await blocker.query(`BEGIN; LOCK TABLE ${table} IN ACCESS EXCLUSIVE MODE`);
    const many = Array.from({ length: 12 }, () => call(user.cookie, "GET", path).finally(() => ended++));
    // The blocker's own transaction would see the same activity until it ends.
    const countWaiting = async () =>
      (
        await rows(
          sql`SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()`,
        )
      ).length;
    await expect.poll(countWaiting).toBe(5);
    for (const open of ["/api/clients", "/api/clients.csv"])
      expect((await call(other.cookie, "GET", open)).status).toBe(200);
    expect(await countWaiting()).toBe(5);
    expect(ended).toBe(0);
    await blocker.query("COMMIT");
    expect((await Promise.all(many)).map(({ status }) => status)).toEqual(Array(12).fill(200));
  } finally {
    await blocker.end();
  }
});
