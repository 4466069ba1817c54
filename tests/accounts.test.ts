import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { hash } from "bcryptjs";
import { Piscina } from "piscina";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { PERMISSION_NAMES, type Permission, permissionKey } from "@/lib/core/access/permissions";
import { db, rows } from "@/lib/core/database/client";
import { sql } from "@/lib/core/sql";
import { queryAt } from "@/lib/dev/query";
import { answerResetRequests, inviteUser, sendPasswordReset } from "@/lib/identity/accounts";
import { ensureAdministrator, makeAdministrator } from "@/lib/identity/administrators";
import { countAdministrators } from "@/lib/identity/grants";
import {
  logIn,
  makeAccount,
  makeInvitedUser,
  OTHER_PASSWORD,
  PASSWORD,
  takeMail,
  takeMails,
} from "@/tests/accounts-helpers";
import { type Answer, call, signIn } from "@/tests/call";
import { directUrl } from "@/tests/direct";
import { makeUser, type Person } from "@/tests/factories";
import { makeGate } from "@/tests/gate";
import { hashing } from "@/tests/setup/hashing";

const BAD_LOGIN = { error: "Invalid email or password", code: "bad_credentials" };
const DEAD_LINK = {
  error: "The link has expired or is invalid",
  code: "invalid",
  fields: { token: "The link has expired or is invalid" },
};
const passwords = { password: OTHER_PASSWORD, passwordConfirmation: OTHER_PASSWORD };

const activate = (token: string) => call(null, "GET", `/api/account/${token}/activate`);
const updatePassword = (token: string, body: object = passwords) =>
  call(null, "PUT", "/api/forgot_password", { token, ...body });
const forgot = (email: string, address = "192.0.2.1") =>
  call(null, "POST", "/api/forgot_password", { email }, { headers: { "x-client-address": address } });
const invite = (user: { id: number }) => db().$transaction((tx) => inviteUser(tx, user));
const put = (user: { cookie: string }, profile: object) =>
  call(user.cookie, "PUT", "/api/profile", { profile });
/** The subjects of the notices sent to an address. */
const noticesTo = async (address: string) =>
  (await takeMails())
    .filter(({ to, kind }) => kind === "notice" && to.includes(address))
    .map(({ subject }) => subject);
const reset = (user: { id: number }) => db().$transaction((tx) => sendPasswordReset(tx, user));

beforeEach(async () => {
  vi.spyOn(console, "log").mockImplementation(() => {});
  await db().loginFailure.deleteMany();
});

describe("sign-in", () => {
  it("returns the user and sets the cookie, for an email in any case and for both body formats", async () => {
    const user = await makeAccount();
    const before = Date.now();
    for (const body of [
      { login: { email: user.email.toUpperCase(), password: PASSWORD } },
      { email: user.email, password: PASSWORD },
    ]) {
      const answer = await call(null, "POST", "/api/login", body);
      expect(answer.status).toBe(200);
      expect(answer.body).toMatchObject({ userId: user.id, firstName: user.firstName, email: user.email });
      expect(answer.body.permissions.map(({ name }: { name: string }) => name)).toEqual(["Forms", "Clients"]);
      const cookie = answer.headers.getSetCookie()[0] ?? "";
      expect(cookie).toMatch(/^lanternbook\.session=[\w.-]+; Path=\/; HttpOnly; SameSite=Lax$/);
      const me = await call(cookie.split(";")[0] ?? "", "GET", "/api/me");
      expect(me.body).toEqual(answer.body);
    }
    const { lastLoginAt } = await db().user.findUniqueOrThrow({ where: { id: user.id } });
    expect(Number(lastLoginAt)).toBeGreaterThanOrEqual(before);
    expect(Number(lastLoginAt)).toBeLessThanOrEqual(Date.now());
  });

  it("gives the same response for a wrong password, an unknown email and an inactive account", async () => {
    const account = await makeAccount();
    const newcomer = await makeInvitedUser();
    for (const [email, password] of [
      [account.email, "Wrong-Password-1"],
      ["nobody@example.org", PASSWORD],
      [newcomer.email, PASSWORD],
    ] as const) {
      const { status, body, headers } = await logIn(email, password);
      expect({ status, body, cookie: headers.get("set-cookie") }).toEqual({
        status: 401,
        body: BAD_LOGIN,
        cookie: null,
      });
    }
  });

  it("compares one full-cost password hash for every email, so that timing reveals nothing", async () => {
    const account = await makeAccount();
    const newcomer = await makeInvitedUser();
    const jobs = vi.spyOn(Piscina.prototype, "run");
    for (const email of [account.email, newcomer.email, "nobody@example.org"]) {
      await logIn(email, "Wrong-Password-1");
    }
    const hashes = jobs.mock.calls.map(([job]) => (job as { hash: string }).hash);
    jobs.mockRestore();
    const { passwordHash } = await db().user.findUniqueOrThrow({ where: { id: account.id } });
    expect(hashes).toEqual([
      passwordHash,
      expect.stringMatching(/^\$2b\$12\$/),
      expect.stringMatching(/^\$2b\$12\$/),
    ]);
    expect(hashes[1]).toBe(hashes[2]);
  });

  it("hashes new passwords with bcrypt at cost 12", async () => {
    const { hashPassword } = await import("@/lib/identity/hashing");
    hashing.cost = 12;
    const hash = await hashPassword(PASSWORD).finally(() => {
      hashing.cost = 4;
    });
    expect(hash).toMatch(/^\$2b\$12\$/);
    const jobs = vi.spyOn(Piscina.prototype, "run");
    await hashPassword(PASSWORD);
    expect(jobs.mock.calls.map(([job]) => job)).toEqual([{ password: PASSWORD, cost: 12 }]);
    jobs.mockRestore();
  });

  it("compares more than the first 72 bytes of a password", async () => {
    const user = await makeAccount();
    const long = `Aa1-${"x".repeat(68)}`;
    const { hashPassword } = await import("@/lib/identity/hashing");
    await db().user.update({ where: { id: user.id }, data: { passwordHash: await hashPassword(long) } });
    expect((await logIn(user.email, `${long}y`)).status).toBe(401);
    expect((await logIn(user.email, long)).status).toBe(200);
  });

  it("names each missing or invalid field", async () => {
    expect((await call(null, "POST", "/api/login", {})).body.fields).toEqual({
      "login.email": "Email is required",
      "login.password": "Password is required",
    });
    expect(
      (await call(null, "POST", "/api/login", { login: { email: "x", password: 1 } })).body.fields,
    ).toEqual({
      "login.email": "Email must be a valid email address",
      "login.password": "Password must be text",
    });
    for (const body of [{ login: [] }, [], null, "x", { login: null }]) {
      expect((await call(null, "POST", "/api/login", body)).status).toBe(422);
    }
  });
});

describe("sign-in throttling", () => {
  /** The cookie in the response that marks its browser as known. */
  const deviceCookie = ({ headers }: Answer) =>
    headers.getSetCookie().flatMap((line) => /^lanternbook-device=[^;]+/.exec(line) ?? [])[0] ?? "";

  it("answers 429 after 5 failures for one email from one address, even with the right password, but not for another email", async () => {
    const user = await makeAccount();
    const other = await makeAccount();
    for (let n = 0; n < 5; n++) expect((await logIn(user.email, "x", "192.0.2.9")).status).toBe(401);
    const answer = await logIn(user.email.toUpperCase(), PASSWORD, "192.0.2.9");
    expect(answer.status).toBe(429);
    const seconds = Number(answer.headers.get("retry-after"));
    expect(seconds).toBeGreaterThan(10 * 60);
    expect(seconds).toBeLessThanOrEqual(15 * 60);
    expect((await logIn(other.email, PASSWORD, "192.0.2.9")).status).toBe(200);
    expect((await logIn(user.email, PASSWORD, "192.0.2.10")).status).toBe(200);
  });

  it("counts an IPv6 /64 subnet as one address, because one customer controls all of it", async () => {
    const user = await makeAccount();
    for (const end of ["0:0:0:9", ":a", ":b:c", ":ffff:1:2", "4:3:2:1"])
      expect((await logIn(user.email, "x", `2001:db8:0:7:${end}`)).status).toBe(401);
    expect((await logIn(user.email, PASSWORD, "2001:DB8::7:8:9:a:b")).status).toBe(429);
    expect((await logIn(user.email, PASSWORD, "2001:db8::8:8:9:a:b")).status).toBe(200);
  });

  it("accepts another attempt once the failures are 15 minutes old", async () => {
    const user = await makeAccount();
    for (let n = 0; n < 5; n++) await logIn(user.email, "x");
    await db().$executeRaw`UPDATE login_failures SET at = at - interval '15 minutes'`;
    expect((await logIn(user.email, PASSWORD)).status).toBe(200);
  });

  it("answers 429 after 50 failures from one address", async () => {
    const user = await makeAccount();
    const guess = (name: string) => logIn(`${name}@example.org`, "x", "198.51.100.7");
    expect([(await guess("first")).status, (await guess("second")).status]).toEqual([401, 401]);
    // The copied failures share only the address. 47 more real guesses would take half a minute of hashing.
    const copies = await db().$executeRaw`
      INSERT INTO login_failures (subject) SELECT subject
      FROM (SELECT subject FROM login_failures GROUP BY subject HAVING count(*) = 2) AS address, generate_series(1, 47)`;
    expect(copies).toBe(47);
    expect((await guess("fiftieth")).status).toBe(401);
    expect((await logIn(user.email, PASSWORD, "198.51.100.7")).status).toBe(429);
    expect((await logIn(user.email, PASSWORD, "198.51.100.8")).status).toBe(200);
  });

  /** Dates each failure one hour ahead, so that no pause expires before the next guess on a slow machine. */
  async function withLongPauses(work: () => Promise<void>): Promise<void> {
    await rows(
      sql`CREATE FUNCTION ahead() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN NEW.at = now() + interval ''1 hour''; RETURN NEW; END'`,
    );
    await rows(
      sql`CREATE TRIGGER ahead BEFORE INSERT ON login_failures FOR EACH ROW EXECUTE FUNCTION ahead()`,
    );
    await work().finally(() => rows(sql`DROP FUNCTION ahead CASCADE`));
  }

  it("accepts at most 11 parallel guesses from any addresses before the pause", () =>
    withLongPauses(async () => {
      const user = await makeAccount();
      const answers = await Promise.all(
        Array.from({ length: 50 }, (_, n) => logIn(user.email, "x", `203.0.113.${n}`)),
      );
      const count = (status: number) => answers.filter((answer) => answer.status === status).length;
      expect([count(401), count(429)]).toEqual([11, 39]);
      const seconds = answers.map(({ headers }) => Number(headers.get("retry-after")));
      expect(Math.max(...seconds)).toBeLessThanOrEqual(3600 + 3);
    }));

  it("allows at most 100 guesses a day for one email, with pauses that grow to 30 seconds", async () => {
    const user = await makeAccount();
    const failures = async (minutes: number) => {
      await logIn(user.email, "x", "203.0.113.1");
      const [{ subject } = { subject: "" }] = await db().$queryRaw<{ subject: string }[]>`
        SELECT subject FROM login_failures WHERE subject NOT LIKE '%|%' ORDER BY id DESC LIMIT 1`;
      return (count: number) =>
        db().$executeRaw`INSERT INTO login_failures (subject, at)
          SELECT ${subject}, now() - make_interval(mins => ${minutes}::int) FROM generate_series(1, ${count}::int)`;
    };
    const fail = await failures(120);
    await fail(18);
    // The last failure is dated an hour ahead, so that the pause does not expire first on a slow machine.
    const begin = performance.now();
    await db().$executeRaw`UPDATE login_failures SET at = now() + interval '1 hour'
      WHERE id = (SELECT max(id) FROM login_failures WHERE subject NOT LIKE '%|%' AND at > now() - interval '1 hour')`;
    const paused = await logIn(user.email, PASSWORD, "203.0.113.2");
    const passed = Math.ceil((performance.now() - begin) / 1000);
    const pause = Number(paused.headers.get("retry-after")) - 3600;
    expect(pause).toBeLessThanOrEqual(30);
    expect(pause + passed).toBeGreaterThanOrEqual(20);
    await db().$executeRaw`UPDATE login_failures SET at = now() - interval '1 minute' WHERE at > now()`;
    expect((await logIn(user.email, PASSWORD, "203.0.113.2")).status).toBe(200);
    await fail(81);
    const walled = await logIn(user.email, PASSWORD, "203.0.113.3");
    expect(walled.status).toBe(429);
    expect(Number(walled.headers.get("retry-after"))).toBeGreaterThan(20 * 3600);
  });

  it("gives the user's own browser a separate limit of 5 failures, and does not recognize it for another account", () =>
    withLongPauses(async () => {
      const user = await makeAccount();
      const other = await makeAccount();
      const device = deviceCookie(await logIn(user.email, PASSWORD));
      for (let n = 0; n < 30; n++) await logIn(user.email, "x", `203.0.113.${n}`);
      expect((await logIn(user.email, PASSWORD, "203.0.113.99")).status).toBe(429);
      expect((await logIn(user.email, PASSWORD, "203.0.113.99", device)).status).toBe(200);
      const both = deviceCookie(await logIn(other.email, PASSWORD, "203.0.113.98", device));
      expect((await logIn(user.email, PASSWORD, "203.0.113.99", both)).status).toBe(200);

      for (let n = 0; n < 5; n++)
        expect((await logIn(other.email, "x", `198.51.100.${n}`, both)).status).toBe(401);
      expect((await logIn(other.email, PASSWORD, "198.51.100.9", both)).status).toBe(429);
      expect((await logIn(other.email, PASSWORD, "198.51.100.9")).status).toBe(200);
      const forged = `${device.slice(0, -2)}xx`;
      expect((await logIn(user.email, PASSWORD, "203.0.113.99", forged)).status).toBe(429);
    }));

  it("forgets a known browser after sign-out everywhere, a password change elsewhere or deactivation", async () => {
    const admin = await makeUser(PERMISSION_NAMES.map((name) => permissionKey(name) as Permission));
    const ends: ((user: Person) => Promise<unknown>)[] = [
      (user) => call(user.cookie, "DELETE", "/api/sessions"),
      ({ cookie, firstName, lastName, email }) =>
        call(cookie, "PUT", "/api/profile", {
          profile: { firstName, lastName, email, password: PASSWORD, passwordConfirmation: PASSWORD },
        }),
      ({ id }) => call(admin.cookie, "DELETE", `/api/users/${id}/sessions`),
    ];
    for (const [index, end] of ends.entries()) {
      const user = await makeAccount();
      const device = deviceCookie(await logIn(user.email, PASSWORD, "192.0.2.77"));
      await call(user.cookie, "DELETE", "/api/logout");
      const again = { ...user, cookie: await signIn(user) };
      for (let n = 0; n < 11; n++) await logIn(user.email, "x", `203.0.${index}.${n}`);
      const logInFromKnownBrowser = () => logIn(user.email, PASSWORD, "192.0.2.78", device);
      expect((await logInFromKnownBrowser()).status, String(end)).toBe(200);
      const ended = await end(again);
      expect((ended as Answer).status).toBeLessThan(300);
      // Keeps the pause from expiring before the next line on a slow machine.
      await db().$executeRaw`UPDATE login_failures SET at = now() + interval '1 hour'`;
      expect((await logInFromKnownBrowser()).status, String(end)).toBe(429);
      // The browser that made the change remains known.
      if (index < 2) {
        const own = deviceCookie(ended as Answer);
        expect((await logIn(user.email, PASSWORD, "192.0.2.79", own)).status).toBe(200);
      }
    }
  });

  it("ends when the user sets a password through a reset link, and that browser becomes known", async () => {
    const user = await makeAccount();
    for (let n = 0; n < 6; n++) await logIn(user.email, "x", "203.0.113.1");
    for (let n = 0; n < 8; n++) await logIn(user.email, "x", `203.0.113.${n}`);
    await call(null, "POST", "/api/forgot_password", { email: user.email });
    const reset = await updatePassword((await takeMail()).token);
    expect((await logIn(user.email, OTHER_PASSWORD, "203.0.113.1")).status).toBe(200);
    for (let n = 0; n < 15; n++) await logIn(user.email, "x", `203.0.113.${n}`);
    expect((await logIn(user.email, OTHER_PASSWORD, "203.0.113.99", deviceCookie(reset))).status).toBe(200);
  });

  it("lets a colleague sign in 20 of 20 times while 150 unknown sign-ins from one address are queued", async () => {
    const user = await makeAccount();
    hashing.cost = 9;
    const strange = Array.from({ length: 150 }, (_, n) =>
      logIn(`stranger${n}@example.org`, "x", "203.0.113.1"),
    );
    for (let n = 0; n < 20; n++) expect((await logIn(user.email, PASSWORD, "192.0.2.50")).status).toBe(200);
    const statuses = (await Promise.all(strange)).map(({ status }) => status);
    expect([...new Set(statuses)].sort()).toEqual([401, 429]);
    expect(statuses.filter((status) => status === 401)).toHaveLength(50);
    hashing.cost = 4;
  });

  it("never refuses the user's own browser while 150 unknown addresses fill the sign-in queue", async () => {
    const user = await makeAccount();
    const device = deviceCookie(await logIn(user.email, PASSWORD, "192.0.2.50"));
    const { run } = Piscina.prototype;
    const gate = makeGate();
    const threads = vi.spyOn(Piscina.prototype, "run").mockImplementation(async function (
      this: Piscina,
      job,
    ) {
      await gate.opened;
      return run.call(this, job);
    });
    let refusals = 0;
    const strange = Array.from({ length: 150 }, async (_, n) => {
      const { status } = await logIn(`stranger${n}@example.org`, "x", `203.0.113.${n}`);
      if (status === 429) refusals += 1;
    });
    // 100 are queued, and one or two occupy a thread.
    await vi.waitFor(() => expect(refusals).toBeGreaterThanOrEqual(48), 60_000);
    const own = Array.from({ length: 20 }, () => logIn(user.email, PASSWORD, "192.0.2.51", device));
    expect((await logIn(user.email, PASSWORD, "192.0.2.52")).status).toBe(429);
    gate.open();
    expect((await Promise.all(own)).map(({ status }) => status)).toEqual(Array(20).fill(200));
    await Promise.all(strange);
    threads.mockRestore();
  });

  it("clears an email's failures after a successful sign-in", async () => {
    const user = await makeAccount();
    for (let n = 0; n < 4; n++) await logIn(user.email, "x");
    expect((await logIn(user.email, PASSWORD)).status).toBe(200);
    for (let n = 0; n < 4; n++) expect((await logIn(user.email, "x")).status).toBe(401);
    expect((await logIn(user.email, PASSWORD)).status).toBe(200);
  });

  it("does not treat a whole office signing in at once as an attack", async () => {
    const user = await makeAccount();
    const answers = await Promise.all(Array.from({ length: 50 }, () => logIn(user.email, PASSWORD)));
    expect(answers.filter(({ status }) => status !== 200)).toEqual([]);
    expect(await db().loginFailure.count()).toBe(0);
  });

  it("does not delay other requests during sixty simultaneous sign-ins", async () => {
    const user = await makeAccount();
    await db().user.update({ where: { id: user.id }, data: { passwordHash: await hash(PASSWORD, 9) } });
    let finished = 0;
    const signIns = Array.from({ length: 60 }, async () => {
      const { status } = await logIn(user.email, PASSWORD);
      finished += 1;
      return status;
    });
    expect((await call(user.cookie, "GET", "/api/clients")).status).toBe(200);
    expect(finished).toBeLessThan(signIns.length / 2);
    const health = async () => (await call(null, "GET", "/api/health")).status;
    await expect.poll(health).toBe(200);
    expect(new Set(await Promise.all(signIns))).toEqual(new Set([200]));
  });

  it("stores neither emails nor addresses", async () => {
    await logIn("nobody@example.org", "x", "198.51.100.7");
    const subjects = (await db().loginFailure.findMany()).map(({ subject }) => subject);
    expect(subjects).toHaveLength(3);
    for (const subject of subjects) expect(subject).toMatch(/^[0-9a-f]{64}(\|[0-9a-f]{64})?$/);
  });
});

describe("activation", () => {
  it("leads from the mailed link to setting a password and signing in", async () => {
    const user = await makeInvitedUser();
    await invite(user);
    const mail = await takeMail();
    expect(mail).toMatchObject({
      to: `${user.firstName} ${user.lastName} <${user.email}>`,
      kind: "activation",
    });

    const { status, body } = await activate(mail.token);
    expect(status).toBe(200);
    expect(Object.keys(body)).toEqual(["token"]);
    expect((await updatePassword(body.token)).body).toEqual({});
    expect((await logIn(user.email, OTHER_PASSWORD)).status).toBe(200);
  });

  it("can be repeated until the password is set, and each repeat invalidates the previous token", async () => {
    const user = await makeInvitedUser();
    await invite(user);
    const { token } = await takeMail();
    const first = (await activate(token)).body.token;
    const second = (await activate(token)).body.token;
    expect(await updatePassword(first)).toMatchObject({ status: 422, body: DEAD_LINK });
    expect((await updatePassword(second)).status).toBe(200);
    expect(await activate(token)).toMatchObject({ status: 422, body: DEAD_LINK });
  });

  it("does not allow sign-in until a password is set", async () => {
    const user = await makeInvitedUser();
    await invite(user);
    await activate((await takeMail()).token);
    expect((await logIn(user.email, "")).status).toBe(422);
    expect((await logIn(user.email, PASSWORD)).status).toBe(401);
  });

  it("is mailed when an administrator resets the password of a user who is not active yet", async () => {
    const user = await makeInvitedUser();
    await invite(user);
    const first = await takeMail();
    await reset(user);
    const second = await takeMail();
    expect(second.kind).toBe("activation");
    expect((await activate(first.token)).status).toBe(422);
    expect((await activate(second.token)).status).toBe(200);
  });
});

describe("mailed links", () => {
  it("give the same error for a used, expired, altered, unknown, superseded or wrong-kind token", async () => {
    const user = await makeAccount();
    const newcomer = await makeInvitedUser();
    await reset(user);
    const { token: superseded } = await takeMail();
    await reset(user);
    const { token } = await takeMail();
    await invite(newcomer);
    const { token: activation } = await takeMail();
    const tampered = (token.startsWith("A") ? "B" : "A") + token.slice(1);

    const refused = [superseded, tampered, activation, "", "x", "x".repeat(5_000), `${token}\0`];
    for (const bad of refused) {
      const { status, body } = await updatePassword(bad);
      expect(status).toBe(422);
      if (bad !== "") expect(body).toEqual(DEAD_LINK);
    }
    expect(await activate(token)).toMatchObject({ status: 422, body: DEAD_LINK });
    expect(await activate("x")).toMatchObject({ status: 422, body: DEAD_LINK });

    await db()
      .$executeRaw`UPDATE tokens SET expires_at = now() - interval '1 second' WHERE user_id = ${user.id}`;
    expect(await updatePassword(token)).toMatchObject({ status: 422, body: DEAD_LINK });
    await db()
      .$executeRaw`UPDATE tokens SET expires_at = now() + interval '1 minute' WHERE user_id = ${user.id}`;
    expect((await updatePassword(token)).status).toBe(200);
    expect(await updatePassword(token)).toMatchObject({ status: 422, body: DEAD_LINK });
    expect((await logIn(user.email, OTHER_PASSWORD)).status).toBe(200);
  });

  it("expire 7 days (activation) or 1 hour (reset) after they are sent", async () => {
    const user = await makeAccount();
    const newcomer = await makeInvitedUser();
    await reset(user);
    await invite(newcomer);
    await db().$executeRaw`UPDATE tokens SET expires_at = now() - interval '1 day'`;
    await takeMails();
    const hours = async (userId: number) => {
      const { expiresAt } = await db().token.findFirstOrThrow({ where: { userId, usedAt: null } });
      return (Number(expiresAt) - Date.now()) / 3_600_000;
    };
    expect(await hours(user.id)).toBeCloseTo(1, 1);
    expect(await hours(newcomer.id)).toBeCloseTo(7 * 24, 1);
  });

  it("work only once under parallel use, and cannot be derived from the database", async () => {
    const user = await makeAccount();
    await reset(user);
    const { token } = await takeMail();
    const stored = await db().$queryRaw<
      object[]
    >`SELECT t.*, m.* FROM tokens t JOIN mails m ON m.token_id = t.id`;
    expect(JSON.stringify(stored)).not.toContain(token);
    const answers = await Promise.all(Array.from({ length: 4 }, () => updatePassword(token)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  });

  it("end all of the user's sessions and clear failed attempts when the new password is set", async () => {
    const user = await makeAccount();
    for (let n = 0; n < 5; n++) await logIn(user.email, "x");
    await reset(user);
    await updatePassword((await takeMail()).token);
    expect((await call(user.cookie, "GET", "/api/me")).status).toBe(401);
    expect((await logIn(user.email, OTHER_PASSWORD)).status).toBe(200);
    expect(await noticesTo(user.email)).toEqual(["The password of your account was changed"]);
  });
});

describe("POST /api/forgot_password", () => {
  it("gives everyone the same response, and mails only active accounts", async () => {
    const user = await makeAccount();
    const newcomer = await makeInvitedUser();
    for (const email of [user.email.toUpperCase(), newcomer.email, "nobody@example.org"]) {
      expect(await forgot(email)).toMatchObject({ status: 200, body: {} });
    }
    const mail = await takeMail();
    expect(mail).toMatchObject({ to: `${user.firstName} ${user.lastName} <${user.email}>`, kind: "reset" });
    expect(await db().resetRequest.count()).toBe(0);
    expect((await updatePassword(mail.token)).status).toBe(200);
  });

  it("mails a user at most 5 times an hour", async () => {
    const user = await makeAccount();
    const mails = [];
    for (let n = 0; n < 8; n++) {
      expect((await forgot(user.email)).status).toBe(200);
      mails.push(...(await takeMails()).filter(({ kind }) => kind === "reset"));
    }
    expect(mails).toHaveLength(5);
    expect((await updatePassword(mails[4]?.token ?? "")).status).toBe(200);
  });

  it("stores one pending request per email, whether or not an account exists", async () => {
    const { email } = await makeAccount();
    for (const asked of [email, email.toUpperCase(), "nobody@example.org", "nobody@example.org"])
      await forgot(asked);
    expect(await db().resetRequest.count()).toBe(2);
    // The earlier tests in this file also queued password-change notices.
    expect((await takeMails()).filter(({ kind }) => kind !== "notice")).toHaveLength(1);
  });

  it("accepts 20 requests in 15 minutes from one address, without counting them against sign-in", async () => {
    const user = await makeAccount();
    for (let n = 0; n < 20; n++) {
      expect((await forgot(n % 2 ? user.email : `nobody${n}@example.org`)).status).toBe(200);
    }
    await takeMails();
    expect(await forgot(user.email)).toMatchObject({ status: 200, body: {} });
    expect(await takeMails()).toEqual([]);
    expect((await forgot(user.email, "192.0.2.2")).status).toBe(200);
    expect(await takeMails()).toHaveLength(1);
    expect((await logIn(user.email, PASSWORD)).status).toBe(200);
  });

  it("is processed until no request is pending", async () => {
    await db().resetRequest.createMany({
      data: Array.from({ length: 250 }, (_, n) => ({ email: `nobody${n}@example.org` })),
    });
    await answerResetRequests();
    expect(await db().resetRequest.count()).toBe(0);
  });

  it("refuses a malformed email", async () => {
    expect((await call(null, "POST", "/api/forgot_password", { email: "x" })).body.fields).toEqual({
      email: "Email must be a valid email address",
    });
  });
});

describe("POST /api/account/new_link", () => {
  const newLink = (token: string, address = "192.0.2.1") =>
    call(null, "POST", "/api/account/new_link", { token }, { headers: { "x-client-address": address } });
  const expire = (user: { id: number }) =>
    db().token.updateMany({ where: { userId: user.id }, data: { expiresAt: new Date(Date.now() - 1) } });
  const links = async () => (await takeMails()).filter(({ kind }) => kind !== "notice");

  it("mails a new link of the same kind to the account of an expired one", async () => {
    const newcomer = await makeInvitedUser();
    await invite(newcomer);
    const invitation = await takeMail();
    await expire(newcomer);
    expect(await activate(invitation.token)).toMatchObject({ status: 422, body: DEAD_LINK });
    expect(await newLink(invitation.token)).toMatchObject({ status: 200, body: {} });
    const [second, ...others] = await links();
    expect([second?.kind, others]).toEqual(["activation", []]);
    expect(second?.to).toContain(newcomer.email);
    expect((await activate(second?.token ?? "")).status).toBe(200);

    const user = await makeAccount();
    await forgot(user.email);
    const forgotten = await takeMail();
    await expire(user);
    expect(await newLink(forgotten.token)).toMatchObject({ status: 200, body: {} });
    const [reset] = await links();
    expect([reset?.kind, reset?.to.includes(user.email)]).toEqual(["reset", true]);
    expect((await updatePassword(reset?.token ?? "")).status).toBe(200);
  });

  it("mails an activation link if the account was activated, but its password never set", async () => {
    const newcomer = await makeInvitedUser();
    await invite(newcomer);
    const { body } = await activate((await takeMail()).token);
    await expire(newcomer);
    await newLink(body.token);
    expect((await links()).map(({ kind }) => kind)).toEqual(["activation"]);
  });

  it("gives the same response to any token, and no mail for a link that works, was used or replaced, or never was", async () => {
    const fresh = await makeAccount();
    const used = await makeAccount();
    const replaced = await makeAccount();
    const gone = await makeAccount();
    const tokens = ["x", "a".repeat(43)];
    for (const user of [fresh, used, replaced, gone]) {
      await forgot(user.email);
      tokens.push((await takeMail()).token);
    }
    const [usedToken = "", replacedToken = ""] = tokens.slice(3);
    expect((await updatePassword(usedToken)).status).toBe(200);
    await forgot(replaced.email);
    await links();
    await expire(used);
    await db().token.updateMany({
      where: { userId: replaced.id, usedAt: { not: null } },
      data: { expiresAt: new Date(Date.now() - 1) },
    });
    expect(replacedToken).not.toBe("");
    await expire(gone);
    await db().user.update({ where: { id: gone.id }, data: { active: false } });
    for (const token of tokens) expect(await newLink(token)).toMatchObject({ status: 200, body: {} });
    expect(await links()).toEqual([]);
    expect(await db().resetRequest.count()).toBe(0);
  });

  it("stores one request per token, and no token", async () => {
    for (const token of ["one", "one", "two"]) await newLink(token);
    const stored = await db().resetRequest.findMany();
    expect(stored.map(({ email }) => email)).toEqual([null, null]);
    expect(JSON.stringify(stored)).not.toMatch(/"(one|two)"/);
    await links();
  });

  it("is counted together with requests for a reset link", async () => {
    const user = await makeAccount();
    await forgot(user.email);
    const { token } = await takeMail();
    await expire(user);
    for (let n = 0; n < 19; n++) await forgot(`nobody${n}@example.org`);
    await links();
    expect(await newLink(token)).toMatchObject({ status: 200, body: {} });
    expect(await links()).toEqual([]);
    await newLink(token, "192.0.2.2");
    expect(await links()).toHaveLength(1);
  });

  it("refuses a token that no link can have", async () => {
    for (const token of ["", "x".repeat(201)]) expect((await newLink(token)).status).toBe(422);
  });
});

describe("a new password", () => {
  it.each([
    ["", "New Password is required"],
    ["Short-1", "Needs to contain at least 8 characters"],
    ["no-upper-1", "Needs to contain at least one uppercase letter"],
    ["NO-LOWER-1", "Needs to contain at least one lowercase letter"],
    ["No-Number", "Needs to contain at least one number"],
    [`Aa1${"é".repeat(35)}`, "Needs to be at most 72 bytes"],
  ])("%j is refused everywhere with: %s", async (password, message) => {
    const user = await makeAccount();
    const body = { password, passwordConfirmation: password };
    const update = await updatePassword("x", body);
    expect(update).toMatchObject({ status: 422, body: { fields: { password: message } } });
    if (password === "") return;
    const { firstName, lastName, email } = user;
    const profile = await call(user.cookie, "PUT", "/api/profile", {
      profile: { firstName, lastName, email, ...body },
    });
    expect(profile).toMatchObject({ status: 422, body: { fields: { "profile.password": message } } });
  });

  it("that breaks several rules gets one line per rule, and a confirmation error", async () => {
    const rules = [
      "Needs to contain at least one number",
      "Needs to contain at least one uppercase letter",
      "Needs to contain at least 8 characters",
    ];
    const body = { password: "abc", passwordConfirmation: "abd" };
    const user = await makeAccount();
    const { firstName, lastName, email } = user;
    const profile = await put(user, { firstName, lastName, email, ...body });
    for (const [answer, path] of [
      [await updatePassword("x", body), ""],
      [profile, "profile."],
    ] as const) {
      expect(answer).toMatchObject({
        status: 422,
        body: {
          error: [...rules, "Passwords do not match"],
          fields: {
            [`${path}password`]: rules.join("\n"),
            [`${path}passwordConfirmation`]: "Passwords do not match",
          },
        },
      });
    }
  });

  it.each(["Password1!", "1Q2w3e4r5t"])("that is common is accepted by default: %s", async (common) => {
    const user = await makeAccount();
    const { firstName, lastName, email } = user;
    const both = { password: common, passwordConfirmation: common };
    expect((await put(user, { firstName, lastName, email, ...both })).status).toBe(200);
    await reset(user);
    expect((await updatePassword((await takeMail()).token, both)).status).toBe(200);
    expect((await logIn(email, common)).status).toBe(200);
  });

  it("matches in every Unicode composition of its letters", async () => {
    const composed = "Nu\u00f1ez-Caf\u00e9-7";
    const decomposed = "Nun\u0303ez-Cafe\u0301-7";
    const user = await makeAccount();
    await reset(user);
    const { token } = await takeMail();
    const answer = await updatePassword(token, { password: decomposed, passwordConfirmation: composed });
    expect(answer.status).toBe(200);
    for (const password of [composed, decomposed])
      expect((await logIn(user.email, password)).status).toBe(200);
    expect((await logIn(user.email, "Nunez-Cafe-7")).status).toBe(401);

    const before = await makeAccount();
    await db().user.update({ where: { id: before.id }, data: { passwordHash: await hash(decomposed, 4) } });
    expect((await logIn(before.email, decomposed)).status).toBe(200);
  });

  it("must be confirmed", async () => {
    const { status, body } = await updatePassword("x", { password: PASSWORD });
    expect(status).toBe(422);
    expect(body.fields).toEqual({ passwordConfirmation: "Passwords do not match" });
  });
});

describe("the profile", () => {
  it("can be read and saved, but the user cannot change their own role", async () => {
    const user = await makeAccount();
    const { profile } = (await call(user.cookie, "GET", "/api/profile")).body;
    const { firstName, lastName, email } = user;
    expect(profile).toEqual({
      firstName,
      lastName,
      email,
      role: { id: expect.any(Number), name: expect.any(String) },
    });
    const values = { firstName: "Sam", lastName: "Rivera", email: "Sam.Rivera@example.org" };
    const answer = await put(user, {
      ...values,
      roleId: 1,
      role: { id: 1 },
      id: 1,
      passwordHash: "x",
      activatedAt: null,
    });
    expect(answer).toMatchObject({
      status: 200,
      body: { profile: { ...values, email: "sam.rivera@example.org", role: profile.role } },
    });
    expect((await logIn("sam.rivera@example.org", PASSWORD)).status).toBe(200);
  });

  it("names each missing or invalid field", async () => {
    const user = await makeAccount();
    expect((await put(user, {})).body.fields).toEqual({
      "profile.firstName": "First Name is required",
      "profile.lastName": "Last Name is required",
      "profile.email": "Email is required",
    });
    const other = await makeAccount();
    const taken = await put(user, { firstName: "A", lastName: "B", email: other.email.toUpperCase() });
    expect(taken).toMatchObject({
      status: 422,
      body: { fields: { "profile.email": "Email is already taken" } },
    });
  });

  it("ends the user's other sessions but not this one when the email changes", async () => {
    const user = await makeAccount();
    const elsewhere = await signIn(user);
    const { firstName, lastName, email } = user;
    expect((await put(user, { firstName, lastName, email: `new-${email}` })).status).toBe(200);
    expect((await call(elsewhere, "GET", "/api/me")).status).toBe(401);
    expect((await call(user.cookie, "GET", "/api/me")).status).toBe(200);
    expect(await noticesTo(email)).toEqual(["The email address of your account was changed"]);
  });

  it("ends the other sessions and links but not this one when the password changes, and none otherwise", async () => {
    const user = await makeAccount();
    const elsewhere = await signIn(user);
    const { firstName, lastName, email } = user;
    expect(
      (await put(user, { firstName, lastName, email, password: "", passwordConfirmation: "" })).status,
    ).toBe(200);
    expect((await call(elsewhere, "GET", "/api/me")).status).toBe(200);
    await reset(user);
    const { token } = await takeMail();

    const mismatch = await put(user, { firstName, lastName, email, password: OTHER_PASSWORD });
    expect(mismatch.body.fields).toEqual({ "profile.passwordConfirmation": "Passwords do not match" });
    expect((await put(user, { firstName, lastName, email, ...passwords })).status).toBe(200);
    expect((await call(elsewhere, "GET", "/api/me")).status).toBe(401);
    expect((await call(user.cookie, "GET", "/api/me")).status).toBe(200);
    expect((await updatePassword(token)).status).toBe(422);
    expect((await logIn(email, PASSWORD)).status).toBe(401);
    expect((await logIn(email, OTHER_PASSWORD)).status).toBe(200);
    expect(await noticesTo(email)).toEqual(["The password of your account was changed"]);
  });
});

/** The summary of the newest audit event about the account, and the fields it names. */
async function lastChange(email: string) {
  const { id } = await db().user.findUniqueOrThrow({ where: { email } });
  const { userName, action, fields } = await db().auditEvent.findFirstOrThrow({
    where: { entity: "user", entityId: id },
    orderBy: { id: "desc" },
  });
  return [userName, action, fields];
}

describe("npm run admin", () => {
  it("creates an active administrator with a link to set the password", async () => {
    const { stdout } = await promisify(execFile)(process.execPath, [
      "--import",
      "./lib/ops/tsx.mjs",
      "lib/ops/admin.ts",
      "new-admin@example.org",
    ]);
    expect(await lastChange("new-admin@example.org")).toEqual([
      "The server's shell",
      "created",
      ["firstName", "lastName", "email", "roleId", "active", "activatedAt"].map((name) => `user.${name}`),
    ]);
    const token = /\/update_password\/([\w-]{43})/.exec(stdout)?.[1] ?? "";
    expect((await updatePassword(token)).status).toBe(200);
    const { status, body } = await logIn("new-admin@example.org", OTHER_PASSWORD);
    expect([status, body.permissions.length]).toEqual([200, PERMISSION_NAMES.length]);
  });

  it("gives an existing account the Administrator role, and keeps its name and password", async () => {
    const user = await makeAccount();
    await makeAdministrator(user.email.toUpperCase());
    expect(await lastChange(user.email)).toEqual(["The server's shell", "updated", ["user.roleId"]]);
    const { body } = await logIn(user.email, PASSWORD);
    expect([body.firstName, body.permissions.length]).toEqual([user.firstName, PERMISSION_NAMES.length]);
  });

  it("activates an account that changed its own email to the given one only through its link", async () => {
    const user = await makeAccount();
    const { firstName, lastName, email, cookie } = user;
    const profile = { firstName, lastName, email: `chief-${email}` };
    expect((await call(cookie, "PUT", "/api/profile", { profile })).status).toBe(200);
    const token = await makeAdministrator(profile.email);
    expect(await lastChange(profile.email)).toMatchObject([{}, "updated", ["user.roleId", "user.password"]]);
    expect(await noticesTo(profile.email)).toEqual(["The password of your account was changed"]);
    expect((await call(cookie, "GET", "/api/me")).status).toBe(401);
    expect((await logIn(profile.email, PASSWORD)).status).toBe(401);
    expect((await updatePassword(token)).status).toBe(200);
    expect((await logIn(profile.email, OTHER_PASSWORD)).status).toBe(200);
  });

  it("repairs the Administrator role when no role grants every permission", async () => {
    await db().rolePermission.deleteMany();
    await makeAdministrator("repaired@example.org");
    const { role } = await db().user.findUniqueOrThrow({
      where: { email: "repaired@example.org" },
      select: { role: { select: { name: true, permissions: true } } },
    });
    expect([role.name, role.permissions.length]).toEqual(["Administrator", PERMISSION_NAMES.length]);
  });
});

describe("the first administrator", () => {
  const find = (email: string) => db().user.findUnique({ where: { email }, include: { role: true } });
  const administrators = () => db().$transaction((tx) => countAdministrators(tx));

  it("is created while no user who can sign in has Users and Roles, whatever the role is called", async () => {
    await db().user.deleteMany();
    await db().role.updateMany({ where: { name: "Administrator" }, data: { name: "Manager" } });
    await ensureAdministrator("first@example.org", PASSWORD);
    expect((await logIn("first@example.org", PASSWORD)).body.permissions).toHaveLength(
      PERMISSION_NAMES.length,
    );
    expect((await find("first@example.org"))?.role.name).toBe("Manager");

    await db().user.updateMany({ data: { email: "moved@example.org" } });
    await ensureAdministrator("first@example.org", PASSWORD);
    expect(await find("first@example.org")).toBeNull();
  });

  it("is created however long hashing the password takes, although PostgreSQL ends idle transactions", async () => {
    await db().user.deleteMany();
    const { run } = Piscina.prototype;
    const hashed = vi.spyOn(Piscina.prototype, "run").mockImplementation(async function (this: Piscina, job) {
      await queryAt(
        directUrl(),
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
         WHERE datname = current_database() AND state = 'idle in transaction'`,
      );
      return run.call(this, job);
    });
    await ensureAdministrator("first@example.org", PASSWORD).finally(() => hashed.mockRestore());
    expect(await administrators()).toBe(1);
  });

  it("can be an existing account", async () => {
    await db().user.deleteMany();
    const user = await makeInvitedUser();
    expect(await administrators()).toBe(0);
    await ensureAdministrator(user.email, PASSWORD);
    expect(await administrators()).toBe(1);
    expect((await logIn(user.email, PASSWORD)).body.firstName).toBe(user.firstName);
  });

  it("can sign in only with the new password if the account already existed, and the change is recorded and mailed", async () => {
    await db().user.deleteMany();
    const user = await makeAccount();
    await ensureAdministrator(user.email, OTHER_PASSWORD);
    expect((await call(user.cookie, "GET", "/api/me")).status).toBe(401);
    expect((await logIn(user.email, PASSWORD)).status).toBe(401);
    expect((await logIn(user.email, OTHER_PASSWORD)).body.permissions).toHaveLength(PERMISSION_NAMES.length);
    expect(await noticesTo(user.email)).toEqual(["The password of your account was changed"]);
    const [change] = await db().auditEvent.findMany({
      where: { entity: "user", entityId: user.id, action: "updated" },
    });
    expect(change).toMatchObject({ userId: null, userName: "The server's start" });
    expect(change?.fields).toEqual(expect.arrayContaining(["user.roleId", "user.password"]));
  });
});
