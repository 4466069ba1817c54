import { generateKeyPairSync, randomUUID } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { hash } from "bcryptjs";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { db, rows } from "@/lib/core/database/client";
import { constant, sql } from "@/lib/core/database/sql";
import { env } from "@/lib/core/server/env";
import { warnWithoutBreakGlass } from "@/lib/identity/sign-on/attempts";
import type { SignOnFailure } from "@/lib/identity/sign-on/words";
import { logIn, makeAccount, makeNewcomer, PASSWORD, takeMail, takeMails } from "@/tests/accounts-help";
import { type Answer, call } from "@/tests/call";
import { makeUser, type Person } from "@/tests/factories";
import { type AccountThere, CLIENT, startProvider, type TestProvider, Wanderer } from "@/tests/provider";
import { takeLog } from "@/tests/setup/console";

// Single sign-on with a real OpenID provider, run by the tests.

const APP = "http://localhost:3000";
const CALLBACK = `${APP}/api/oidc/callback`;
const there = new Map<string, AccountThere>();
let provider: TestProvider;

beforeAll(async () => {
  provider = await startProvider(APP, there);
  Object.assign(env(), CLIENT, { OIDC_ISSUER: provider.issuer, OIDC_NAME: "Example Login" });
});
afterAll(() => provider.stop());
afterEach(() => {
  // What is logged of a failure names no person and no secret.
  for (const line of takeLog()) expect(JSON.stringify(line)).not.toMatch(/@|subject-|the secret/);
  provider.forge(null);
  Object.assign(env(), { OIDC_ONLY: false, OIDC_BREAK_GLASS: undefined });
  vi.useRealTimers();
  vi.restoreAllMocks();
});

let subjects = 0;
/** An account at the provider with the email of one here. */
function known(email: string, verified = true): string {
  subjects += 1;
  const subject = `subject-${subjects}`;
  there.set(subject, { email, email_verified: verified });
  return subject;
}

const cookieNamed = ({ headers }: Answer, name: string) =>
  headers
    .getSetCookie()
    .find((set) => set.startsWith(`${name}=`))
    ?.split(";")[0] ?? "";

type Journey = { query?: string; session?: string; browser?: Wanderer; page?: (url: URL) => void };

/** Begins here and signs in there; the cookie of the attempt and the address that the provider leads back to. */
async function goThere(
  subject: string,
  { query = "", session = "", browser = new Wanderer(), page }: Journey = {},
) {
  const begun = await call(session || null, "GET", `/api/oidc/start${query}`);
  expect(begun.status).toBe(303);
  const url = new URL(begun.headers.get("location") ?? "");
  page?.(url);
  const back = await browser.walk(url.href, subject, CALLBACK);
  const attempt = cookieNamed(begun, "casebook-sign-on");
  return { back: back.slice(APP.length), cookies: [attempt, session].filter(Boolean).join("; ") };
}

/** The whole journey; where it ended, and the session's cookie if it opened one. */
async function travel(subject: string, journey: Journey = {}) {
  const { back, cookies } = await goThere(subject, journey);
  return arrive(await call(cookies, "GET", back));
}

function arrive(answer: Answer) {
  expect(answer.status).toBe(303);
  expect(answer.headers.getSetCookie()[0]).toMatch(/^casebook-sign-on=;.*Max-Age=0/);
  const place = new URL(answer.headers.get("location") ?? "", APP);
  expect(place.pathname).toBe("/single_sign_on");
  const { failure = null, purpose, url = null } = Object.fromEntries(place.searchParams);
  return {
    failure: failure as SignOnFailure | null,
    purpose,
    url,
    cookie: cookieNamed(answer, "casebook.session"),
  };
}

/** Changes the email in the own profile. */
const renameTo = (email: string, { cookie, firstName, lastName }: Omit<Person, "id" | "email">) =>
  call(cookie, "PUT", "/api/profile", { profile: { firstName, lastName, email } });

const me = (cookie: string) => call(cookie, "GET", "/api/me");
const lastEvent = () => db().auditEvent.findFirstOrThrow({ orderBy: { id: "desc" } });

describe("signing in with the provider", () => {
  test("opens a session for the account of the verified email, leads to the page that was wanted and is audited", async () => {
    const user = await makeUser();
    const { cookie, ...rest } = await travel(known(user.email.toUpperCase()), {
      query: "?url=%2Fclients%3Fpage%3D2",
    });
    expect(rest).toEqual({ failure: null, purpose: "sign-in", url: "/clients?page=2" });
    expect((await me(cookie)).body).toMatchObject({ userId: user.id });
    expect(await lastEvent()).toMatchObject({
      ...{ action: "signed-in", entity: "user", entityId: user.id, userId: user.id },
      fields: ["user.singleSignOn"],
    });
    const stored = await db().user.findUniqueOrThrow({ where: { id: user.id } });
    expect([stored.ssoIssuer, stored.ssoSubject]).toEqual([provider.issuer, `subject-${subjects}`]);
    expect(stored.lastLoginAt).not.toBeNull();
  });

  test("sends PKCE, state and nonce, keeps them in a cookie that scripts cannot read, and shows no secret", async () => {
    const { headers } = await call(null, "GET", "/api/oidc/start");
    const { searchParams } = new URL(headers.get("location") ?? "");
    expect(Object.fromEntries(searchParams)).toMatchObject({
      ...{ client_id: CLIENT.OIDC_CLIENT_ID, response_type: "code", code_challenge_method: "S256" },
      ...{ redirect_uri: CALLBACK, scope: "openid email" },
    });
    for (const name of ["state", "nonce", "code_challenge"])
      expect(searchParams.get(name)).toMatch(/^.{20,}$/);
    const [cookie = ""] = headers.getSetCookie();
    expect(cookie).toMatch(/; Path=\/; HttpOnly; SameSite=Lax; Max-Age=600$/);
    expect(cookie).not.toContain(searchParams.get("state"));
    expect(headers.get("location")).not.toContain(encodeURIComponent(CLIENT.OIDC_CLIENT_SECRET));
  });

  test("knows a person by the subject after the first time, whoever's email the provider then says they have", async () => {
    const [user, other] = [await makeUser(), await makeUser()];
    const subject = known(user.email);
    await travel(subject);
    there.set(subject, { email: other.email, email_verified: true });
    const { cookie } = await travel(subject);
    expect((await me(cookie)).body.userId).toBe(user.id);
  });

  test("links an account once when it comes for the first time in two browsers at the same moment", async () => {
    const subject = known((await makeUser()).email);
    const journeys = [await goThere(subject), await goThere(subject)];
    const answers = await Promise.all(journeys.map(({ cookies, back }) => call(cookies, "GET", back)));
    expect(answers.map((answer) => arrive(answer).failure)).toEqual([null, null]);
  });

  test("activates an invited account, and shows it as active although it has no password", async () => {
    const user = await makeNewcomer();
    const { cookie } = await travel(known(user.email));
    expect((await me(cookie)).status).toBe(200);
    const admin = await makeUser(["users"]);
    expect((await call(admin.cookie, "GET", `/api/users/${user.id}`)).body.user.status).toBe("active");
  });

  test("asks for no code, even where the role demands two-step sign-in", async () => {
    const user = await makeUser();
    const { roleId } = await db().user.findUniqueOrThrow({ where: { id: user.id } });
    await db().role.update({ where: { id: roleId }, data: { requiresTwoStep: true } });
    expect((await me(user.cookie)).body.twoStepRequired).toBe(true);
    const { cookie } = await travel(known(user.email));
    expect((await me(cookie)).body.twoStepRequired).toBe(false);
    expect((await call(cookie, "GET", "/api/two_step")).body.twoStep.required).toBe(false);
  });

  test("says that it did not work where the account is deactivated before the session is opened", async () => {
    const [user, former] = [await makeUser(), await makeUser()];
    // The browser's former session ends in between.
    await rows(sql`CREATE FUNCTION leave() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN UPDATE users SET active = false WHERE id = ${constant(user.id)}; RETURN OLD; END $$`);
    await rows(sql`CREATE TRIGGER leave BEFORE DELETE ON sessions FOR EACH ROW EXECUTE FUNCTION leave()`);
    try {
      expect(await travel(known(user.email), { session: former.cookie })).toMatchObject({
        failure: "refused",
        cookie: "",
      });
    } finally {
      await rows(sql`DROP FUNCTION leave CASCADE`);
    }
    expect(await lastEvent()).toMatchObject({ entityId: user.id, fields: ["singleSignOn.changed"] });
  });

  test("finds an account that was deactivated and brought back by its email once more, also with a new subject", async () => {
    const [user, admin] = [await makeUser([]), await makeUser(["users"])];
    await travel(known(user.email));
    const { firstName, lastName, email } = user;
    const { roleId } = await db().user.findUniqueOrThrow({ where: { id: user.id } });
    for (const active of [false, true]) {
      const body = { user: { firstName, lastName, email, roleId, active } };
      expect((await call(admin.cookie, "PUT", `/api/users/${user.id}`, body)).status).toBe(200);
    }
    expect((await travel(known(user.email))).failure).toBeNull();
  });
});

test("An email that its user has set finds the account once a mailed link has proved it; a notice says that it was linked", async () => {
  const user = await makeAccount();
  const email = `moved-${user.email}`;
  await renameTo(email, user);
  await takeMails();
  await call(null, "POST", "/api/forgot_password", { email });
  const { token } = await takeMail();
  const password = { password: "Battery-Staple-9", passwordConfirmation: "Battery-Staple-9" };
  expect((await call(null, "PUT", "/api/forgot_password", { token, ...password })).status).toBe(200);
  await takeMails();
  const subject = known(email);
  expect((await travel(subject)).failure).toBeNull();
  await travel(subject);
  expect(await takeMails()).toMatchObject([
    { to: expect.stringContaining(email), subject: "Your account was linked with single sign-on" },
  ]);
});

describe("where somebody was signed in before", () => {
  test("a sign-in that is older there opens nothing after a sign-out, nor after the session has ended", async () => {
    const [user, browser] = [await makeUser(), new Wanderer()];
    const subject = known(user.email);
    const asked: (string | null)[] = [];
    const page = ({ searchParams }: URL) => void asked.push(searchParams.get("prompt"));
    const { cookie: ended } = await travel(subject, { browser, page });
    const left = cookieNamed(await call(ended, "DELETE", "/api/logout"), "casebook-left");
    for (const session of [left, ended]) {
      provider.forge((claims) => ({ ...claims, auth_time: Math.floor(Date.now() / 1000) - 600 }));
      expect(await travel(subject, { session, browser, page })).toMatchObject({
        ...{ failure: "unproven", purpose: "sign-in", cookie: "" },
      });
      provider.forge(null);
      const { back, cookies } = await goThere(subject, { session, browser, page });
      const answer = await call(cookies, "GET", back);
      expect(arrive(answer).failure).toBeNull();
      expect(answer.headers.getSetCookie()).toContainEqual(
        expect.stringMatching(/^casebook-left=;.*Max-Age=0/),
      );
    }
    expect(asked).toEqual([null, "login", "login", "login", "login"]);
  });

  test("a page of another site cannot begin a sign-in, which would replace the session", async () => {
    const { cookie } = await makeUser();
    const headers = { "sec-fetch-site": "cross-site" };
    const answer = await call(cookie, "GET", "/api/oidc/start?url=%2Fforms", undefined, { headers });
    expect([answer.status, answer.headers.get("location")]).toEqual([303, "/?url=%2Fforms"]);
    expect(answer.headers.getSetCookie()).toEqual([]);
  });
});

describe("signing in is refused, in the same words, to", () => {
  const refusals: [who: string, reason: string, subject: () => Promise<string>][] = [
    ["somebody unknown", "unknown", async () => known("nobody-here@example.org")],
    ["an email that is not verified", "unverified", async () => known((await makeUser()).email, false)],
    [
      "somebody deactivated",
      "deactivated",
      async () => {
        const user = await makeUser();
        await db().user.update({ where: { id: user.id }, data: { active: false } });
        return known(user.email);
      },
    ],
    [
      "an email that its user has set, and that nobody has proved",
      "unproved",
      async () => {
        const user = await makeUser();
        expect((await renameTo(`colleague-of-${user.email}`, user)).status).toBe(200);
        return known(`colleague-of-${user.email}`);
      },
    ],
    [
      "an email that a holder of Users has set for themselves",
      "unproved",
      async () => {
        const user = await makeUser(["users"]);
        const { firstName, lastName, id } = user;
        const { roleId } = await db().user.findUniqueOrThrow({ where: { id } });
        const email = `colleague-of-${user.email}`;
        const body = { user: { firstName, lastName, email, roleId } };
        expect((await call(user.cookie, "PUT", `/api/users/${id}`, body)).status).toBe(200);
        return known(email);
      },
    ],
    [
      "another subject with the email of somebody who is known by theirs",
      "otherSubject",
      async () => {
        const { email } = await makeUser();
        await travel(known(email));
        return known(email);
      },
    ],
  ];
  test.each(refusals)("%s", async (_, reason, make) => {
    const subject = await make();
    expect(await travel(subject)).toEqual({ failure: "refused", purpose: "sign-in", url: null, cookie: "" });
    const event = await lastEvent();
    expect([event.action, event.fields]).toEqual(["sign-in-failed", [`singleSignOn.${reason}`]]);
    expect(event.userId === null).toBe(["unknown", "unverified"].includes(reason));
    expect(JSON.stringify(event, (_, value) => (typeof value === "bigint" ? "" : value))).not.toContain("@");
  });

  test.each<[string, (claims: Record<string, unknown>) => Record<string, unknown>]>([
    ["an ID token that has expired", (claims) => ({ ...claims, exp: Date.now() / 1000 - 3_600 })],
    ["an ID token of another issuer", (claims) => ({ ...claims, iss: "https://other.example" })],
    ["an ID token for another program", (claims) => ({ ...claims, aud: "another" })],
    ["an ID token with another nonce", (claims) => ({ ...claims, nonce: "another" })],
    ["an ID token dated an hour ahead", (claims) => ({ ...claims, iat: Date.now() / 1000 + 3_600 })],
    ["a sign-in dated an hour ahead", (claims) => ({ ...claims, auth_time: Date.now() / 1000 + 3_600 })],
    ["a sign-in at a time that no calendar has", (claims) => ({ ...claims, auth_time: 1e20 })],
    ["a sign-in at a negative time", (claims) => ({ ...claims, auth_time: -1e20 })],
    ["an email with a U+0000", (claims) => ({ ...claims, email: `a\0${claims.email}` })],
    ["a subject with a U+0000", (claims) => ({ ...claims, sub: "a\0b" })],
    ["a session with a U+0000 in its name", (claims) => ({ ...claims, sid: "a\0b" })],
  ])("%s", async (_, change) => {
    const subject = known((await makeUser()).email);
    provider.forge(change);
    expect(await travel(subject)).toMatchObject({ failure: "refused", cookie: "" });
  });

  test("an ID token that another key has signed", async () => {
    const subject = known((await makeUser()).email);
    provider.forge((claims) => claims, generateKeyPairSync("rsa", { modulusLength: 2048 }).privateKey);
    expect(await travel(subject)).toMatchObject({ failure: "refused", cookie: "" });
  });
});

describe("an answer of the provider counts", () => {
  test("once", async () => {
    const { back, cookies } = await goThere(known((await makeUser()).email));
    expect(arrive(await call(cookies, "GET", back)).failure).toBeNull();
    expect(arrive(await call(cookies, "GET", back))).toMatchObject({ failure: "unfinished", cookie: "" });
  });

  test("once for each attempt, even with another code that the provider gave for its state and nonce", async () => {
    const subject = known((await makeUser()).email);
    const browser = new Wanderer();
    let begun = "";
    const { back, cookies } = await goThere(subject, {
      browser,
      page: ({ href }) => {
        begun = href;
      },
    });
    expect(arrive(await call(cookies, "GET", back)).failure).toBeNull();
    const again = (await browser.walk(begun, subject, CALLBACK)).slice(APP.length);
    expect(arrive(await call(cookies, "GET", again))).toMatchObject({ failure: "unfinished", cookie: "" });

    const two = await goThere(subject, { browser });
    const answers = await Promise.all([1, 2, 3].map(() => call(two.cookies, "GET", two.back)));
    expect(answers.map((answer) => arrive(answer).failure).toSorted()).toEqual([
      null,
      "unfinished",
      "unfinished",
    ]);
  });

  test("only in the browser that asked, with its own state, within ten minutes, and unless it is a refusal", async () => {
    const { back, cookies } = await goThere(known((await makeUser()).email));
    const other = (await goThere(known((await makeUser()).email))).cookies;
    const failureAt = async (cookie: string | null, url: string) =>
      arrive(await call(cookie, "GET", url)).failure;
    expect(await failureAt(null, back)).toBe("unfinished");
    expect(await failureAt(`${cookies}x`, back)).toBe("unfinished");
    expect(await failureAt(other, back)).toBe("unfinished");
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 601_000 });
    expect(await failureAt(cookies, back)).toBe("unfinished");
    vi.useRealTimers();
    expect(await failureAt(cookies, back)).toBeNull();

    const denied = await goThere(known((await makeUser()).email));
    const state = new URL(denied.back, APP).searchParams.get("state");
    const iss = encodeURIComponent(provider.issuer);
    const url = `/api/oidc/callback?error=access_denied&state=${state}&iss=${iss}`;
    expect(await failureAt(denied.cookies, url)).toBe("unfinished");
  });
});

test("A provider that is away is said in words, and is asked again at the next try; passwords work meanwhile", async () => {
  const { issuer } = provider;
  Object.assign(env(), { OIDC_ISSUER: "http://127.0.0.1:1" });
  const { headers } = await call(null, "GET", "/api/oidc/start?url=%2Fforms");
  expect(headers.get("location")).toBe("/single_sign_on?purpose=sign-in&url=%2Fforms&failure=unavailable");
  expect((await logIn((await makeAccount()).email, PASSWORD)).status).toBe(200);
  Object.assign(env(), { OIDC_ISSUER: issuer });
  expect((await travel(known((await makeUser()).email))).failure).toBeNull();
});

describe("a proof of a session of single sign-on", () => {
  const NEEDED = { status: 403, body: { code: "proof_needed" } };
  const rename = (cookie: string, user: Person) =>
    renameTo(`${user.id}-new-${user.email}`, { ...user, cookie });

  test("is a new sign-in at the provider, which was asked for one", async () => {
    const [user, browser] = [await makeUser(), new Wanderer()];
    const subject = known(user.email);
    const { cookie: session } = await travel(subject, { browser });
    // Which sign-in of the provider it came from it did not say, so that the session has proved nothing yet.
    expect(await rename(session, user)).toMatchObject(NEEDED);
    const proof = { query: "?purpose=proof", session, browser };
    let asked = new URLSearchParams();
    const page = ({ searchParams }: URL) => {
      asked = searchParams;
    };
    expect(await travel(subject, { ...proof, page })).toMatchObject({
      failure: null,
      purpose: "proof",
      cookie: "",
    });
    expect([asked.get("prompt"), asked.get("max_age")]).toEqual(["login", "0"]);
    expect((await rename(session, user)).status).toBe(200);
  });

  test("is neither an older sign-in, nor one without a time, nor another person's", async () => {
    const [user, other] = [await makeUser(), await makeUser()];
    const [subject, others] = [known(user.email), known(other.email)];
    const { cookie: session } = await travel(subject);
    await travel(others);
    const proof = { query: "?purpose=proof", session };
    provider.forge((claims) => ({ ...claims, auth_time: Math.floor(Date.now() / 1000) - 600 }));
    expect((await travel(subject, proof)).failure).toBe("unproven");
    provider.forge(({ auth_time: _, ...claims }) => claims);
    expect((await travel(subject, proof)).failure).toBe("unproven");
    provider.forge(null);
    expect((await travel(others, proof)).failure).toBe("refused");
    expect(await rename(session, user)).toMatchObject(NEEDED);
  });
});

describe("where single sign-on is the only way", () => {
  const BAD = { status: 401, body: { code: "bad_credentials" } };

  test("the password of nobody but the break-glass administrator works, and no link sets one", async () => {
    const [user, glass] = [await makeAccount(), await makeAccount()];
    await db().user.update({ where: { id: user.id }, data: { passwordHash: await hash(PASSWORD, 4) } });
    Object.assign(env(), { OIDC_ONLY: true, OIDC_BREAK_GLASS: glass.email.toUpperCase() });
    expect(await logIn(user.email, PASSWORD)).toMatchObject(BAD);
    expect((await logIn(glass.email, PASSWORD)).status).toBe(200);
    expect(await call(user.cookie, "POST", "/api/session/proof", { password: PASSWORD })).toMatchObject(BAD);
    const password = { password: "Battery-Staple-9", passwordConfirmation: "Battery-Staple-9" };
    const { firstName, lastName, email } = user;
    const profile = { firstName, lastName, email, ...password };
    expect(await call(user.cookie, "PUT", "/api/profile", { profile })).toMatchObject({
      status: 422,
      body: { fields: { "profile.password": expect.stringContaining("Passwords are not used here") } },
    });

    await takeMails();
    for (const { email } of [user, glass]) await call(null, "POST", "/api/forgot_password", { email });
    expect((await takeMails()).map(({ to }) => to)).toEqual([expect.stringContaining(glass.email)]);
    const admin = await makeUser(["users"]);
    expect(await call(admin.cookie, "POST", `/api/users/${glass.id}/reset_password`)).toMatchObject({
      status: 204,
    });
    expect(await call(admin.cookie, "POST", `/api/users/${user.id}/reset_password`)).toMatchObject({
      status: 422,
    });
    expect((await travel(known(user.email))).failure).toBeNull();
  });

  test("nobody gets the break-glass email by a screen, and the start warns while no account has it", async () => {
    const [user, admin] = [await makeUser(), await makeUser(["users"])];
    const email = "free-glass@example.org";
    const { roleId } = await db().user.findUniqueOrThrow({ where: { id: user.id } });
    Object.assign(env(), { OIDC_ONLY: true, OIDC_BREAK_GLASS: "Free-Glass@example.org" });
    expect(await renameTo(email, user)).toMatchObject({
      ...{ status: 422, body: { fields: { "profile.email": expect.any(String) } } },
    });
    const body = { user: { firstName: "Ada", lastName: "L", email, roleId } };
    for (const answer of [
      await call(admin.cookie, "POST", "/api/users", body),
      await call(admin.cookie, "PUT", `/api/users/${user.id}`, body),
    ])
      expect(answer).toMatchObject({ status: 422, body: { fields: { "user.email": expect.any(String) } } });

    await warnWithoutBreakGlass();
    expect(takeLog().at(-1)).toMatchObject({ level: "warn", alarm: "no_break_glass" });
    const glass = await makeAccount();
    Object.assign(env(), { OIDC_BREAK_GLASS: glass.email });
    await warnWithoutBreakGlass();
    expect(takeLog()).toEqual([]);
    // Whoever has it keeps it.
    expect((await renameTo(glass.email, { ...glass, firstName: "Gwen" })).status).toBe(200);
  });

  test("an invitation leads to the login page", async () => {
    const admin = await makeUser(["users"]);
    const { id: roleId } = await db().role.create({ data: { name: "Nothing" } });
    Object.assign(env(), { OIDC_ONLY: true, OIDC_BREAK_GLASS: "glass@example.org" });
    await takeMails();
    const user = { firstName: "Ada", lastName: "L", email: "invited@example.org", roleId };
    expect((await call(admin.cookie, "POST", "/api/users", { user })).status).toBe(201);
    const [mail] = await takeMails();
    expect(mail).toMatchObject({ subject: "Your Victim Services account", token: "" });
    expect(mail?.source.replace(/=\r?\n/g, "")).toContain(`${APP}/`);
  });
});

describe("a sign-out at the provider", () => {
  const EVENTS = { "http://schemas.openid.net/event/backchannel-logout": {} };
  const tell = (logout_token: string) =>
    call(null, "POST", "/api/oidc/backchannel_logout", undefined, {
      raw: new URLSearchParams({ logout_token }),
      headers: { "content-type": "application/x-www-form-urlencoded" },
    });
  const claims = (more: object) => {
    const iat = Math.floor(Date.now() / 1000);
    const about = {
      iss: provider.issuer,
      aud: CLIENT.OIDC_CLIENT_ID,
      iat,
      exp: iat + 120,
      jti: randomUUID(),
    };
    return { ...about, events: EVENTS, ...more };
  };
  const sidOf = async (userId: number) =>
    (
      await db().session.findFirstOrThrow({
        where: { userId, singleSignOn: true },
        orderBy: { createdAt: "desc" },
      })
    ).providerSid;

  test("ends the session here that it opened, by its name there or its person, and no session of a password", async () => {
    const user = await makeUser();
    const subject = known(user.email);
    const first = await travel(subject);
    const sid = await sidOf(user.id);
    const second = await travel(subject);
    expect(await tell(await provider.sign(claims({ sid })))).toMatchObject({ status: 200, body: {} });
    expect(await lastEvent()).toMatchObject({
      action: "signed-out",
      entityId: user.id,
      fields: ["user.singleSignOn"],
    });
    expect([(await me(first.cookie)).status, (await me(second.cookie)).status]).toEqual([401, 200]);
    expect((await tell(await provider.sign(claims({ sub: subject })))).status).toBe(200);
    expect((await me(second.cookie)).status).toBe(401);
    expect((await me(user.cookie)).status).toBe(200);
  });

  test("counts once: its token ends no session that was opened since", async () => {
    const subject = known((await makeUser()).email);
    await travel(subject);
    const token = await provider.sign(claims({ sub: subject }));
    expect((await tell(token)).status).toBe(200);
    const { cookie } = await travel(subject);
    expect(await tell(token)).toMatchObject({ status: 400, body: { code: "malformed" } });
    expect((await me(cookie)).status).toBe(200);
  });

  test("is to be told again later where the provider's keys cannot be read, which says nothing of its token", async () => {
    const server = createServer(({ url }, response) => {
      response.statusCode = url === "/keys" ? 500 : 200;
      response.end(JSON.stringify({ issuer, jwks_uri: `${issuer}/keys` }));
    });
    await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
    const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    Object.assign(env(), { OIDC_ISSUER: issuer });
    try {
      const token = await provider.sign(claims({ sub: "somebody", iss: issuer }));
      expect(await tell(token)).toMatchObject({ status: 503, body: { code: "unavailable" } });
    } finally {
      Object.assign(env(), { OIDC_ISSUER: provider.issuer });
      server.close();
    }
  });

  test("counts only as a fresh token of the provider that says it is one", async () => {
    const user = await makeUser();
    const subject = known(user.email);
    const { cookie } = await travel(subject);
    const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
    const old = Math.floor(Date.now() / 1000) - 600;
    const tokens = [
      "nonsense",
      await provider.sign(claims({ sub: subject }), privateKey),
      await provider.sign(claims({ sub: subject, iss: "https://other.example" })),
      await provider.sign(claims({ sub: subject, aud: "another" })),
      await provider.sign(claims({ sub: subject, iat: old, exp: old + 60 })),
      await provider.sign(claims({ sub: subject, iat: old })),
      await provider.sign(claims({ sub: subject, events: {} })),
      await provider.sign(claims({ sub: subject, jti: "" })),
      await provider.sign(claims({ sub: subject, nonce: "of an ID token" })),
      await provider.sign(claims({ sub: "a\0b" })),
      await provider.sign(claims({ sub: subject, sid: "a\0b" })),
      await provider.sign(claims({ sub: subject, iat: old + 4_200, exp: old + 4_320 })),
      await provider.sign(claims({})),
    ];
    for (const token of tokens)
      expect(await tell(token), token).toMatchObject({ status: 400, body: { code: "malformed" } });
    expect((await me(cookie)).status).toBe(200);
  });
});

test("Without its settings there is no single sign-on", async () => {
  const { OIDC_ISSUER } = env();
  Object.assign(env(), { OIDC_ISSUER: undefined });
  for (const path of ["/api/oidc/start", "/api/oidc/callback?code=1&state=2"])
    expect((await call(null, "GET", path)).status).toBe(404);
  Object.assign(env(), { OIDC_ISSUER });
});
