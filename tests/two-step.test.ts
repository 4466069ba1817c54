import { hash } from "bcryptjs";
import { Secret } from "otpauth";
import { beforeEach, describe, expect, test } from "vitest";
import { PERMISSION_NAMES, type Permission, permissionKey } from "@/lib/core/access/permissions";
import { db } from "@/lib/core/database/client";
import { env } from "@/lib/core/process/env";
import { endpoints } from "@/lib/endpoints";
import { makeAdministrator } from "@/lib/identity/administrators";
import { newRecoveryCodes, recoveryHash, stepOf } from "@/lib/identity/two-step/codes";
import { logIn, makeAccount, PASSWORD, setUpTwoStep, takeMail, takeMails } from "@/tests/accounts-helpers";
import { codeOf } from "@/tests/authenticator";
import { type Answer, call, signIn } from "@/tests/call";
import { makeUser, type Person } from "@/tests/factories";

// Two-step sign-in.

const ALL = PERMISSION_NAMES.map((name) => permissionKey(name) as Permission);
const CODE_NEEDED = { status: 401, body: { error: "Please enter the code", code: "code_needed" } };
const BAD = { status: 401, body: { error: "Invalid email or password", code: "bad_credentials" } };
const PROOF = { status: 403, body: { code: "proof_needed" } };

const enter = (user: Person, otp?: string, password = PASSWORD) =>
  logIn(user.email, password, undefined, null, otp);
const state = async ({ cookie }: Person) => (await call(cookie, "GET", "/api/two_step")).body.twoStep;
const confirm = ({ cookie }: Person, otp: string) => call(cookie, "PUT", "/api/two_step", { otp });
const begin = async ({ cookie }: Person) => (await call(cookie, "POST", "/api/two_step")).body.twoStep;
/** Makes the current codes usable again. */
const forgetUse = ({ id }: Person) => db().twoStep.update({ where: { userId: id }, data: { lastStep: 0 } });
const requireTwoStep = async ({ id }: Person, requiresTwoStep = true) => {
  const { roleId } = await db().user.findUniqueOrThrow({ where: { id } });
  await db().role.update({ where: { id: roleId }, data: { requiresTwoStep } });
  return roleId;
};
const failures = () => db().loginFailure.count();
const cookieOf = ({ headers }: Answer) => headers.getSetCookie()[0]?.split(";")[0] ?? "";
const deviceOf = ({ headers }: Answer) =>
  headers
    .getSetCookie()
    .map((set) => set.slice(0, set.indexOf(";")))
    .find((cookie) => cookie.includes("device")) ?? "";
/** The subjects under which the tests' wrong codes are counted. */
const codeSubjects = new Set<string>();
const forgetPasswordFailures = () =>
  db().loginFailure.deleteMany({ where: { subject: { notIn: [...codeSubjects] } } });
/** Enters wrong codes after the right password, each from another address, or in one known browser. */
const guessCodes = async (user: Person, times: number, device: string | null = null) => {
  for (let n = 0; n < times; n++) {
    const answer = await logIn(user.email, PASSWORD, `198.51.100.${n + 1}`, device, "000000");
    expect(answer).toMatchObject(CODE_NEEDED);
    // The code is counted last.
    codeSubjects.add((await db().loginFailure.findFirstOrThrow({ orderBy: { id: "desc" } })).subject);
    await forgetPasswordFailures();
  }
};
const deviceGeneration = async ({ id }: Person) =>
  (await db().user.findUniqueOrThrow({ where: { id } })).deviceGeneration;

beforeEach(async () => {
  await db().loginFailure.deleteMany();
});

describe("a two-step code", () => {
  const secret = Secret.fromLatin1("12345678901234567890");

  test("matches the examples of RFC 6238", () => {
    // The RFC shows eight digits, of which an app shows the last six.
    for (const [seconds, code] of [
      [59, "287082"],
      [1_111_111_109, "081804"],
      [20_000_000_000, "353130"],
    ] as const)
      expect(stepOf(secret, code, seconds * 1000)).toBe(Math.floor(seconds / 30));
  });

  test("works in its own 30-second step and the adjacent ones, and returns its own step each time", () => {
    const step = 37_037_036;
    const steps = [-2, -1, 0, 1, 2].map((by) => stepOf(secret, "081804", (step + by) * 30_000));
    expect(steps).toEqual([null, step, step, step, null]);
    expect(stepOf(secret, "081805", step * 30_000)).toBeNull();
  });
});

test("recovery codes are ten distinct codes of 120 bits, and are recognized however they are typed", () => {
  const codes = newRecoveryCodes();
  expect(new Set(codes).size).toBe(10);
  for (const code of codes) {
    expect(code).toMatch(/^([a-z2-7]{6}-){3}[a-z2-7]{6}$/);
    expect(recoveryHash(code.toUpperCase().replaceAll("-", " "))).toBe(recoveryHash(code));
  }
});

describe("the two-step setup", () => {
  test("changes nothing before a code of the new secret was entered", async () => {
    const user = await makeAccount();
    expect(await state(user)).toEqual({ enabled: false, required: false, recoveryCodesLeft: 0 });
    expect(await confirm(user, "123456")).toMatchObject({
      status: 422,
      body: { fields: { otp: expect.any(String) } },
    });

    const { status, body } = await call(user.cookie, "POST", "/api/two_step");
    expect(status).toBe(201);
    const { secret, uri, qr } = body.twoStep;
    expect(secret).toMatch(/^[A-Z2-7]{32}$/);
    const address = new URL(uri);
    expect(address.protocol + address.host).toBe("otpauth:totp");
    expect(Object.fromEntries(address.searchParams)).toEqual({
      secret,
      issuer: env().ORGANIZATION_NAME,
      algorithm: "SHA1",
      digits: "6",
      period: "30",
    });
    expect(decodeURIComponent(address.pathname)).toContain(user.email);
    expect(qr).toMatch(/^<svg [^>]*viewBox=/);

    expect(await confirm(user, "")).toMatchObject({ status: 422 });
    expect(await confirm(user, codeOf(secret, 5))).toMatchObject(CODE_NEEDED);
    expect((await state(user)).enabled).toBe(false);
    expect((await enter(user)).status).toBe(200);
  });

  test("enables two-step sign-in, returns ten recovery codes once, notifies the account's mailbox and is audited", async () => {
    const user = await makeAccount();
    await takeMails();
    const { secret } = await begin(user);
    const { status, body } = await confirm(user, codeOf(secret));
    expect([status, body.recoveryCodes.length]).toEqual([200, 10]);
    expect(await state(user)).toEqual({ enabled: true, required: false, recoveryCodesLeft: 10 });

    const mails = await takeMails();
    expect(mails.map(({ to, subject }) => [to, subject])).toEqual([
      [user.email, "Two-step sign-in was turned on"],
    ]);
    const [event] = await db().auditEvent.findMany({ where: { userId: user.id }, orderBy: { id: "desc" } });
    expect(event).toMatchObject({ action: "updated", entity: "user", entityId: user.id });
    expect(event?.fields).toEqual(["user.twoStep", "user.recoveryCodes"]);
  });

  test("stores neither the secret nor a recovery code in readable form", async () => {
    const user = await makeAccount();
    const { secret, codes } = await setUpTwoStep(user);
    await begin(user);
    const stored = await db().twoStep.findUniqueOrThrow({ where: { userId: user.id } });
    const { bytes } = Secret.fromBase32(secret);
    for (const sealed of [stored.secret, stored.pending]) {
      expect(sealed?.length).toBe(12 + 16 + 20);
      expect(Buffer.from(sealed ?? []).includes(Buffer.from(bytes))).toBe(false);
      expect(Buffer.from(sealed ?? []).includes(secret)).toBe(false);
    }
    const hashes = await db().recoveryCode.findMany({ where: { userId: user.id } });
    for (const code of codes) expect(JSON.stringify(hashes)).not.toContain(code.replaceAll("-", ""));
  });

  test("belongs to one account: the sealed secret does not open for another", async () => {
    const user = await makeAccount();
    const other = await makeAccount();
    const { secret } = await setUpTwoStep(user);
    await setUpTwoStep(other);
    const { secret: sealed } = await db().twoStep.findUniqueOrThrow({ where: { userId: user.id } });
    await db().twoStep.update({ where: { userId: other.id }, data: { secret: sealed } });
    expect(await enter(other, codeOf(secret))).toMatchObject(CODE_NEEDED);
  });

  test("repeated keeps the current app until a code of the new one is entered, after which only the new one counts", async () => {
    const user = await makeAccount();
    const { secret: former, codes } = await setUpTwoStep(user);
    const { secret } = await begin(user);
    expect((await enter(user, codeOf(former))).status).toBe(200);
    await takeMails();
    expect((await confirm(user, codeOf(secret))).status).toBe(200);
    expect((await takeMails()).map(({ subject }) => subject)).toEqual([
      "The authenticator app of your account was changed",
    ]);
    await forgetUse(user);
    expect(await enter(user, codeOf(former))).toMatchObject(CODE_NEEDED);
    expect(await enter(user, codes[0])).toMatchObject(CODE_NEEDED);
    expect((await enter(user, codeOf(secret))).status).toBe(200);
  });

  test("with a code of the current app creates new recovery codes, and the former ones end", async () => {
    const user = await makeAccount();
    const { secret, codes } = await setUpTwoStep(user);
    const otp = codeOf(secret);
    const { status, body } = await confirm(user, otp);
    expect(status).toBe(200);
    // A code also works only once here.
    expect(await confirm(user, otp)).toMatchObject(CODE_NEEDED);
    expect(await enter(user, codes[0])).toMatchObject(CODE_NEEDED);
    expect((await enter(user, body.recoveryCodes[0])).status).toBe(200);
    expect((await state(user)).recoveryCodesLeft).toBe(9);
  });

  test("accepts only codes of the app that is being set up, for ten minutes", async () => {
    const user = await makeAccount();
    const { secret: former } = await setUpTwoStep(user);
    await begin(user);
    expect(await confirm(user, codeOf(former))).toMatchObject(CODE_NEEDED);
    // The refused code was not used up.
    expect((await enter(user, codeOf(former))).status).toBe(200);

    const { secret } = await begin(user);
    await db().twoStep.update({
      where: { userId: user.id },
      data: { lastStep: 0, pendingAt: new Date(Date.now() - 10 * 60_000) },
    });
    expect((await confirm(user, codeOf(former))).status).toBe(200);
    expect((await enter(user, codeOf(former, 1))).status).toBe(200);
    expect(await confirm(user, codeOf(secret))).toMatchObject(CODE_NEEDED);
  });

  test("that was abandoned does not keep the user from new recovery codes for the current app", async () => {
    const user = await makeAccount();
    const { secret: present } = await setUpTwoStep(user);
    const { secret } = await begin(user);
    await forgetUse(user);
    const keep = (otp: string) => call(user.cookie, "PUT", "/api/two_step", { otp, keepApp: true });
    expect(await keep(codeOf(secret))).toMatchObject(CODE_NEEDED);
    expect((await keep(codeOf(present))).body.recoveryCodes).toHaveLength(10);
    // The app is still the current one, and the setup has ended.
    expect((await enter(user, codeOf(present, 1))).status).toBe(200);
    expect(await confirm(user, codeOf(secret))).toMatchObject(CODE_NEEDED);
  });

  test("ends the sessions that the password alone has opened, as does another app, but this browser continues", async () => {
    const user = await makeAccount();
    const thief = cookieOf(await enter(user));
    const generation = await deviceGeneration(user);
    await setUpTwoStep(user);
    expect((await call(thief, "GET", "/api/sessions")).status).toBe(401);
    expect((await call(thief, "POST", "/api/two_step")).status).toBe(401);
    expect((await call(user.cookie, "GET", "/api/sessions")).body.sessions).toHaveLength(1);
    const [event] = await db().auditEvent.findMany({ where: { userId: user.id }, orderBy: { id: "desc" } });
    expect(event?.fields).toEqual(["user.twoStep", "user.recoveryCodes", "user.sessions"]);

    const other = await signIn(user);
    const { secret } = await setUpTwoStep(user);
    expect((await call(other, "GET", "/api/sessions")).status).toBe(401);
    // New recovery codes change nothing about who may sign in.
    const third = await signIn(user);
    expect((await confirm(user, codeOf(secret))).status).toBe(200);
    expect((await call(third, "GET", "/api/sessions")).status).toBe(200);
    // API tokens keep working.
    expect(await deviceGeneration(user)).toBe(generation);
  });

  test("confirmed three times at the same moment counts once, and is not refused for too many attempts", async () => {
    const user = await makeAccount();
    const { secret } = await begin(user);
    const answers = await Promise.all([1, 2, 3].map(() => confirm(user, codeOf(secret))));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401, 401]);
    expect((await state(user)).recoveryCodesLeft).toBe(10);
  });

  test("needs a recent password confirmation, as do disabling and resetting it", async () => {
    const user = await makeUser(ALL);
    const other = await makeAccount();
    await db().session.updateMany({
      where: { userId: user.id },
      data: { provedAt: new Date(Date.now() - 31 * 60_000) },
    });
    expect(await call(user.cookie, "POST", "/api/two_step")).toMatchObject(PROOF);
    expect(await confirm(user, "123456")).toMatchObject(PROOF);
    expect(await call(user.cookie, "DELETE", "/api/two_step")).toMatchObject(PROOF);
    expect(await call(user.cookie, "DELETE", `/api/users/${other.id}/two_step`)).toMatchObject(PROOF);
    expect((await call(user.cookie, "GET", "/api/two_step")).status).toBe(200);
  });
});

describe("two-step sign-in", () => {
  test("asks for the code only after the right password, and opens no session before", async () => {
    const user = await makeAccount();
    const { secret } = await setUpTwoStep(user);
    const firstAttempt = await enter(user);
    expect(firstAttempt).toMatchObject(CODE_NEEDED);
    expect(firstAttempt.headers.getSetCookie()).toEqual([]);
    expect(await enter(user, codeOf(secret), "Wrong-Horse-7")).toMatchObject(BAD);
    // The code that was sent with a wrong password is not used up.
    const done = await enter(user, codeOf(secret));
    expect([done.status, done.body.userId, done.body.twoStepRequired]).toEqual([200, user.id, false]);
  });

  test("also accepts the flat body, a code next to the login, and a code with a space in it", async () => {
    const user = await makeAccount();
    const { secret } = await setUpTwoStep(user);
    const otp = codeOf(secret).replace(/^.../, "$& ");
    const { status } = await call(null, "POST", "/api/login", { email: user.email, password: PASSWORD, otp });
    expect(status).toBe(200);
    await forgetUse(user);
    const loginWithCode = { login: { email: user.email, password: PASSWORD }, otp: codeOf(secret) };
    expect((await call(null, "POST", "/api/login", loginWithCode)).status).toBe(200);
  });

  test("accepts each code once, even in two requests at once, and none older than the last", async () => {
    const user = await makeAccount();
    const { secret } = await setUpTwoStep(user);
    const otp = codeOf(secret);
    const both = await Promise.all([enter(user, otp), enter(user, otp)]);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 401]);
    expect(await enter(user, otp)).toMatchObject(CODE_NEEDED);
    expect((await enter(user, codeOf(secret, 1))).status).toBe(200);
    expect(await enter(user, otp)).toMatchObject(CODE_NEEDED);
  });

  test("does not accept the code that enabled it a second time", async () => {
    const user = await makeAccount();
    const { secret } = await begin(user);
    const otp = codeOf(secret);
    await confirm(user, otp);
    expect(await enter(user, otp)).toMatchObject(CODE_NEEDED);
  });

  test("accepts each recovery code once, however it is typed", async () => {
    const user = await makeAccount();
    const { codes } = await setUpTwoStep(user);
    const [first = "", second = ""] = codes;
    expect((await enter(user, first.toUpperCase().replaceAll("-", " "))).status).toBe(200);
    expect(await enter(user, first)).toMatchObject(CODE_NEEDED);
    expect((await enter(user, second)).status).toBe(200);
    expect((await state(user)).recoveryCodesLeft).toBe(8);
  });

  test("counts a wrong code like a wrong password, and half a sign-in neither as failure nor as success", async () => {
    const user = await makeAccount();
    const { secret } = await setUpTwoStep(user);
    for (let n = 0; n < 6; n++) expect(await enter(user)).toMatchObject(CODE_NEEDED);
    expect(await failures()).toBe(0);
    for (let n = 0; n < 5; n++) {
      expect(await enter(user, "000000")).toMatchObject(CODE_NEEDED);
      if (n < 4) expect(await enter(user)).toMatchObject(CODE_NEEDED);
    }
    const refused = await enter(user, codeOf(secret));
    expect([refused.status, refused.body.code]).toEqual([429, "too_many"]);
    expect(refused.headers.get("retry-after")).toMatch(/^\d+$/);
    const failed = await db().auditEvent.count({
      where: { action: "sign-in-failed", entityId: user.id, userId: user.id },
    });
    expect(failed).toBe(5);
  });

  test("is counted separately in a browser that has signed the user in before", async () => {
    const user = await makeAccount();
    const { secret } = await setUpTwoStep(user);
    const first = await enter(user, codeOf(secret));
    const cookies = first.headers.getSetCookie().map((cookie) => cookie.slice(0, cookie.indexOf(";")));
    const device = cookies.find((cookie) => cookie.includes("device")) ?? "";
    for (let n = 0; n < 5; n++) await enter(user, "000000");
    expect((await enter(user, codeOf(secret, 1))).status).toBe(429);
    const known = await logIn(user.email, PASSWORD, undefined, device, codeOf(secret, 1));
    expect(known.status).toBe(200);
    for (let n = 0; n < 5; n++) await logIn(user.email, PASSWORD, undefined, device, "000000");
    expect((await logIn(user.email, PASSWORD, undefined, device)).status).toBe(429);
  });

  test("counts wrong codes of the setup too, and a right one clears no failure", async () => {
    const user = await makeAccount();
    const { secret } = await begin(user);
    for (let n = 0; n < 4; n++) expect(await confirm(user, "000000")).toMatchObject(CODE_NEEDED);
    expect((await confirm(user, codeOf(secret))).status).toBe(200);
    expect(await confirm(user, "000000")).toMatchObject(CODE_NEEDED);
    expect((await confirm(user, codeOf(secret, 1))).status).toBe(429);
  });

  test("allows 20 guesses a day, whatever mailed resets and known browsers clear", async () => {
    const user = await makeAccount();
    const { secret } = await setUpTwoStep(user);
    await takeMails();
    let guesses = 0;
    let password = "";
    let device: string | null = null;
    for (const round of [1, 2, 3]) {
      await call(null, "POST", "/api/forgot_password", { email: user.email });
      const { token } = await takeMail();
      password = `Battery-Staple-${round}`;
      const body = { token, password, passwordConfirmation: password };
      device = cookieOf(await call(null, "PUT", "/api/forgot_password", body));
      const passwordHash = await hash(password, 4);
      await db().user.update({ where: { id: user.id }, data: { passwordHash } });
      for (const cookie of [device, null])
        for (let n = 0; n < 5; n++)
          if ((await logIn(user.email, password, undefined, cookie, "000000")).status === 401) guesses++;
    }
    expect(guesses).toBe(20);

    const refused = await logIn(user.email, password, "203.0.113.5", null, codeOf(secret));
    expect([refused.status, refused.body.code]).toEqual([429, "too_many"]);
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(23 * 3600);
    // That was not a failure, and the response reveals nothing new without the password.
    const before = await failures();
    expect(await logIn(user.email, password, "203.0.113.5")).toMatchObject(CODE_NEEDED);
    expect(await failures()).toBe(before);
    expect(await logIn(user.email, "Wrong-Horse-7", "203.0.113.5", null, "000000")).toMatchObject(BAD);
  });

  test("works on a known device that has entered a code, however often it was guessed elsewhere", async () => {
    const user = await makeAccount();
    const passwordOnly = deviceOf(await enter(user));
    const { secret } = await setUpTwoStep(user);
    const own = deviceOf(await enter(user, codeOf(secret)));
    await forgetUse(user);
    await guessCodes(user, 20);
    const on = (device: string, otp: string) => logIn(user.email, PASSWORD, "203.0.113.9", device, otp);

    expect((await on(passwordOnly, codeOf(secret))).status).toBe(429);
    const entered = await on(own, codeOf(secret));
    expect(entered.status).toBe(200);
    expect((await logIn(user.email, PASSWORD, "203.0.113.10", null, codeOf(secret, 1))).status).toBe(429);

    // Its own wrong codes count, and only there.
    await guessCodes(user, 19, own);
    expect(await on(own, "000000")).toMatchObject(CODE_NEEDED);
    await forgetPasswordFailures();
    expect((await on(own, codeOf(secret, 1))).status).toBe(429);
  });

  test("limits a device that a mailed reset made known like any other, unless it has entered a code", async () => {
    const user = await makeAccount();
    const { secret } = await setUpTwoStep(user);
    const own = deviceOf(await enter(user, codeOf(secret)));
    await forgetUse(user);
    await takeMails();
    const resetOn = async (cookie: string | null) => {
      await call(null, "POST", "/api/forgot_password", { email: user.email });
      const { token } = await takeMail();
      const body = { token, password: PASSWORD, passwordConfirmation: PASSWORD };
      const device = deviceOf(await call(cookie, "PUT", "/api/forgot_password", body));
      const passwordHash = await hash(PASSWORD, 4);
      await db().user.update({ where: { id: user.id }, data: { passwordHash } });
      return device;
    };
    await guessCodes(user, 20);
    const stranger = await resetOn(null);
    expect((await logIn(user.email, PASSWORD, undefined, stranger, codeOf(secret))).status).toBe(429);
    // That reset has ended the user's own device. A reset on a device that still counted keeps it.
    expect((await logIn(user.email, PASSWORD, undefined, own, codeOf(secret))).status).toBe(429);
    await db().loginFailure.deleteMany();
    const known = deviceOf(await logIn(user.email, PASSWORD, undefined, own, codeOf(secret)));
    await forgetUse(user);
    await guessCodes(user, 20);
    const kept = await resetOn(known);
    expect((await logIn(user.email, PASSWORD, undefined, kept, codeOf(secret))).status).toBe(200);
  });

  test("resets the daily guesses after a right code, but not after a right password", async () => {
    const user = await makeAccount();
    const { secret } = await setUpTwoStep(user);
    const wrong = async () => {
      await enter(user, "000000");
      // The other attempt counters have expired.
      const newest = await db().loginFailure.findFirstOrThrow({ orderBy: { id: "desc" } });
      await db().loginFailure.deleteMany({
        where: { id: { not: newest.id }, subject: { not: newest.subject } },
      });
    };
    for (let n = 0; n < 19; n++) await wrong();
    expect(await enter(user)).toMatchObject(CODE_NEEDED);
    expect(await failures()).toBe(19);
    expect((await enter(user, codeOf(secret))).status).toBe(200);
    expect(await failures()).toBe(0);
    for (let n = 0; n < 20; n++) await wrong();
    expect((await enter(user, codeOf(secret, 1))).status).toBe(429);
    expect((await confirm(user, codeOf(secret, 1))).status).toBe(429);
  });

  test("can be set up again after it was disabled, however often the former codes were guessed", async () => {
    const user = await makeAccount();
    await setUpTwoStep(user);
    await enter(user, "000000");
    const { subject } = await db().loginFailure.findFirstOrThrow({ orderBy: { id: "desc" } });
    await db().loginFailure.deleteMany({ where: { subject: { not: subject } } });
    await db().loginFailure.createMany({ data: Array.from({ length: 19 }, () => ({ subject })) });
    expect((await enter(user, "000000")).status).toBe(429);
    await makeAdministrator(user.email);
    await setUpTwoStep(user);
    expect((await state(user)).enabled).toBe(true);
  });

  test("cannot be passed with a secret sealed under another AUTH_SECRET, only with a recovery code", async () => {
    const user = await makeAccount();
    const { secret, codes } = await setUpTwoStep(user);
    const before = env().AUTH_SECRET;
    env().AUTH_SECRET = "another secret of at least 32 characters";
    try {
      expect(await enter(user, codeOf(secret))).toMatchObject(CODE_NEEDED);
      expect((await enter(user, codes[0])).status).toBe(200);
    } finally {
      env().AUTH_SECRET = before;
    }
  });

  test("confirms a session with the password and a code", async () => {
    const user = await makeAccount();
    const { secret } = await setUpTwoStep(user);
    const prove = (body: object) => call(user.cookie, "POST", "/api/session/proof", body);
    expect(await prove({ password: PASSWORD })).toMatchObject(CODE_NEEDED);
    expect(await prove({ password: "Wrong-Horse-7", otp: codeOf(secret) })).toMatchObject({
      status: 401,
      body: { code: "bad_credentials" },
    });
    const otp = codeOf(secret);
    expect((await prove({ password: PASSWORD, otp })).status).toBe(204);
    expect(await prove({ password: PASSWORD, otp })).toMatchObject(CODE_NEEDED);
    expect((await call(user.cookie, "GET", "/api/me")).status).toBe(200);
  });
});

describe("disabling two-step sign-in", () => {
  test("makes the password sufficient again, ends the recovery codes and notifies the mailbox", async () => {
    const user = await makeAccount();
    await setUpTwoStep(user);
    await takeMails();
    expect((await call(user.cookie, "DELETE", "/api/two_step")).status).toBe(204);
    expect(await state(user)).toEqual({ enabled: false, required: false, recoveryCodesLeft: 0 });
    expect((await enter(user)).status).toBe(200);
    expect((await takeMails()).map(({ subject }) => subject)).toEqual(["Two-step sign-in was turned off"]);
    // Repeating it changes nothing and sends no mail.
    expect((await call(user.cookie, "DELETE", "/api/two_step")).status).toBe(204);
    expect(await takeMails()).toEqual([]);
  });

  test("is refused while the role requires it", async () => {
    const user = await makeAccount();
    await setUpTwoStep(user);
    await requireTwoStep(user);
    expect(await call(user.cookie, "DELETE", "/api/two_step")).toMatchObject({
      status: 422,
      body: { code: "invalid", fields: { twoStep: "Your role requires two-step sign-in" } },
    });
    expect(await state(user)).toEqual({ enabled: true, required: true, recoveryCodesLeft: 10 });
  });
});

describe("an administrator's reset of two-step sign-in", () => {
  const reset = (actor: Person, id: number) => call(actor.cookie, "DELETE", `/api/users/${id}/two_step`);
  const shownTwoStep = async (actor: Person, id: number) =>
    (await call(actor.cookie, "GET", `/api/users/${id}`)).body.user.twoStep;

  test("removes it from the account, is shown there, is audited and notifies the mailbox", async () => {
    const admin = await makeUser(ALL);
    const user = await makeAccount();
    await setUpTwoStep(user);
    await takeMails();
    expect(await shownTwoStep(admin, user.id)).toBe(true);
    expect((await reset(admin, user.id)).status).toBe(204);
    expect(await shownTwoStep(admin, user.id)).toBe(false);
    expect((await enter(user)).status).toBe(200);
    expect((await takeMails()).map(({ to, subject }) => [to, subject])).toEqual([
      [user.email, "Two-step sign-in was turned off"],
    ]);
    const events = await db().auditEvent.findMany({ where: { userId: admin.id, action: "updated" } });
    expect(events.map(({ entityId, fields }) => [entityId, fields])).toEqual([[user.id, ["user.twoStep"]]]);
  });

  test("needs all permissions that the account holds, and an existing account", async () => {
    const narrow = await makeUser(["users"]);
    const user = await makeAccount();
    const { secret } = await setUpTwoStep(user);
    expect(await reset(narrow, user.id)).toMatchObject({
      status: 422,
      body: { fields: { "user.id": "This account has permissions that you do not have: Forms, Clients" } },
    });
    expect((await enter(user, codeOf(secret))).status).toBe(200);
    expect((await reset(narrow, 999_999)).status).toBe(404);
    expect((await reset(user, narrow.id)).status).toBe(403);
  });

  test("does not exempt administrators from their own role's requirement", async () => {
    const admin = await makeUser(ALL);
    await setUpTwoStep(admin);
    await requireTwoStep(admin);
    expect(await reset(admin, admin.id)).toMatchObject({
      status: 422,
      body: { fields: { "user.id": expect.any(String) } },
    });
    await requireTwoStep(admin, false);
    expect((await reset(admin, admin.id)).status).toBe(204);
  });
});

test("npm run admin removes two-step sign-in from the account that it makes an administrator", async () => {
  const user = await makeAccount();
  await setUpTwoStep(user);
  await makeAdministrator(user.email);
  expect((await state(user)).enabled).toBe(false);
  expect((await enter(user)).status).toBe(200);
});

describe("a role that requires two-step sign-in", () => {
  test("is set by a checkbox, by a user who holds all permissions of the role", async () => {
    const admin = await makeUser(ALL);
    const narrow = await makeUser(["roles"]);
    const user = await makeUser();
    const roleId = await requireTwoStep(user, false);
    const save = (actor: Person, role: object) =>
      call(actor.cookie, "PUT", `/api/roles/${roleId}`, {
        role: { name: `Role ${roleId} of two steps`, ...role },
      });
    expect(await save(narrow, { requiresTwoStep: true })).toMatchObject({
      status: 422,
      body: { fields: { "role.requiresTwoStep": expect.stringContaining("You could not undo this") } },
    });
    expect((await save(admin, { requiresTwoStep: true })).body.role.requiresTwoStep).toBe(true);
    // If omitted, it stays.
    expect((await save(narrow, {})).body.role.requiresTwoStep).toBe(true);
    expect((await save(narrow, { requiresTwoStep: false })).status).toBe(422);
    expect((await call(user.cookie, "GET", "/api/me")).body.twoStepRequired).toBe(true);
    expect((await save(admin, { requiresTwoStep: false })).status).toBe(200);
    expect((await call(user.cookie, "GET", "/api/me")).body.twoStepRequired).toBe(false);
  });

  test("lets a session without two-step sign-in use only the setup and save unfinished work", async () => {
    const user = await makeUser(ALL);
    await requireTwoStep(user);
    const open: string[] = [];
    for (const { method, path, permission } of endpoints) {
      if (permission === "guest") continue;
      const url = path
        .replace("{id}", "999999")
        .replace("{formTypeId}", "1")
        .replace(/\{\w+\}/, "none")
        .replace(/\{\w+\}/, "none");
      const body = method === "POST" || method === "PUT" ? {} : undefined;
      const answer = await call(await signIn(user), method, url, body);
      if (answer.body?.code !== "two_step_required") open.push(`${method} ${path}`);
      else expect(answer.status).toBe(403);
    }
    expect(open.sort()).toEqual([
      "DELETE /api/drafts/{key}",
      "DELETE /api/logout",
      "DELETE /api/two_step",
      "GET /api/drafts",
      "GET /api/drafts/{key}",
      "GET /api/guide/pictures/{key}",
      "GET /api/me",
      "GET /api/profile",
      "GET /api/two_step",
      "POST /api/session/proof",
      "POST /api/two_step",
      "PUT /api/drafts/{key}",
      "PUT /api/profile",
      "PUT /api/two_step",
    ]);
    expect((await call(user.cookie, "GET", "/api/sessions/current")).status).toBe(200);
  });

  test("lets its holder sign in, set it up and continue with the same session", async () => {
    const user = await makeAccount();
    await requireTwoStep(user);
    const { status, body, headers } = await enter(user);
    expect([status, body.twoStepRequired]).toEqual([200, true]);
    const cookie = headers.getSetCookie()[0]?.split(";")[0] ?? "";
    const forms = () => call(cookie, "GET", "/api/forms");
    expect((await forms()).body.code).toBe("two_step_required");
    await setUpTwoStep({ ...user, cookie });
    expect((await forms()).status).toBe(200);
    expect((await call(cookie, "GET", "/api/me")).body.twoStepRequired).toBe(false);
  });
});
