import { generateKeyPairSync, randomUUID } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { hash } from "bcryptjs";
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { db, rows } from "@/lib/core/database/client";
import { env } from "@/lib/core/process/env";
import { constant, sql } from "@/lib/core/sql";
import { warnWithoutBreakGlass } from "@/lib/identity/sign-on/attempts";
import type { SignOnFailure } from "@/lib/identity/sign-on/words";
import { logIn, makeAccount, makeInvitedUser, PASSWORD, takeMail, takeMails } from "@/tests/accounts-helpers";
import { type Answer, call } from "@/tests/call";
import { makeUser, type Person } from "@/tests/factories";
import {
  CLIENT,
  type ProviderAccount,
  ProviderBrowser,
  startProvider,
  type TestProvider,
} from "@/tests/provider";
import { takeLog } from "@/tests/setup/console";

// Single sign-on with a real OpenID provider that the tests start.

const APP = "http://localhost:3000";
const CALLBACK = `${APP}/api/oidc/callback`;
const providerAccounts = new Map<string, ProviderAccount>();
let provider: TestProvider;

beforeAll(async () => {
  provider = await startProvider(APP, providerAccounts);
  Object.assign(env(), CLIENT, { OIDC_ISSUER: provider.issuer, OIDC_NAME: "Example Login" });
});
afterAll(() => provider.stop());
afterEach(() => {
  // The log of a failure contains no person and no secret.
  for (const line of takeLog()) expect(JSON.stringify(line)).not.toMatch(/@|subject-|the secret/);
  provider.forge(null);
  Object.assign(env(), { OIDC_ONLY: false, OIDC_BREAK_GLASS: undefined });
  vi.useRealTimers();
  vi.restoreAllMocks();
});

let subjects = 0;
/** Creates an account at the provider with the email of a local account. */
function makeProviderAccount(email: string, verified = true): string {
  subjects += 1;
  const subject = `subject-${subjects}`;
  providerAccounts.set(subject, { email, email_verified: verified });
  return subject;
}

const cookieNamed = ({ headers }: Answer, name: string) =>
  headers
    .getSetCookie()
    .find((set) => set.startsWith(`${name}=`))
    ?.split(";")[0] ?? "";

type Journey = { query?: string; session?: string; browser?: ProviderBrowser; page?: (url: URL) => void };

/**
 * Starts a sign-in here and completes it at the provider. Returns the attempt's cookie and the return URL.
 */
async function signInAtProvider(
  subject: string,
  { query = "", session = "", browser = new ProviderBrowser(), page }: Journey = {},
) {
  const response = await call(session || null, "GET", `/api/oidc/start${query}`);
  expect(response.status).toBe(303);
  const url = new URL(response.headers.get("location") ?? "");
  page?.(url);
  const back = await browser.walk(url.href, subject, CALLBACK);
  const attempt = cookieNamed(response, "lanternbook-sign-on");
  return { back: back.slice(APP.length), cookies: [attempt, session].filter(Boolean).join("; ") };
}

/** Completes a whole sign-in. Returns the final location, and the session's cookie if one was opened. */
async function completeSignIn(subject: string, journey: Journey = {}) {
  const { back, cookies } = await signInAtProvider(subject, journey);
  return arrive(await call(cookies, "GET", back));
}

function arrive(answer: Answer) {
  expect(answer.status).toBe(303);
  expect(answer.headers.getSetCookie()[0]).toMatch(/^lanternbook-sign-on=;.*Max-Age=0/);
  const place = new URL(answer.headers.get("location") ?? "", APP);
  expect(place.pathname).toBe("/single_sign_on");
  const { failure = null, purpose, url = null } = Object.fromEntries(place.searchParams);
  return {
    failure: failure as SignOnFailure | null,
    purpose,
    url,
    cookie: cookieNamed(answer, "lanternbook.session"),
  };
}

/** Changes the email in the user's own profile. */
const renameTo = (email: string, { cookie, firstName, lastName }: Omit<Person, "id" | "email">) =>
  call(cookie, "PUT", "/api/profile", { profile: { firstName, lastName, email } });

const me = (cookie: string) => call(cookie, "GET", "/api/me");
const lastEvent = () => db().auditEvent.findFirstOrThrow({ orderBy: { id: "desc" } });

describe("signing in with the provider", () => {
  test("opens a session for the account of the verified email, leads to the requested page and is audited", async () => {
    const user = await makeUser();
    const { cookie, ...rest } = await completeSignIn(makeProviderAccount(user.email.toUpperCase()), {
      query: "?url=%2Fclients%3Fpage%3D2",
    });
    expect(rest).toEqual({ failure: null, purpose: "sign-in", url: "/clients?page=2" });
    expect((await me(cookie)).body).toMatchObject({ userId: user.id });
    expect(await lastEvent()).toMatchObject({
      action: "signed-in",
      entity: "user",
      entityId: user.id,
      userId: user.id,
      fields: ["user.singleSignOn"],
    });
    const stored = await db().user.findUniqueOrThrow({ where: { id: user.id } });
    expect([stored.ssoIssuer, stored.ssoSubject]).toEqual([provider.issuer, `subject-${subjects}`]);
    expect(stored.lastLoginAt).not.toBeNull();
  });

  test("sends PKCE, state and nonce, keeps them in a cookie that scripts cannot read, and reveals no secret", async () => {
    const { headers } = await call(null, "GET", "/api/oidc/start");
    const { searchParams } = new URL(headers.get("location") ?? "");
    expect(Object.fromEntries(searchParams)).toMatchObject({
      client_id: CLIENT.OIDC_CLIENT_ID,
      response_type: "code",
      code_challenge_method: "S256",
      redirect_uri: CALLBACK,
      scope: "openid email",
    });
    for (const name of ["state", "nonce", "code_challenge"])
      expect(searchParams.get(name)).toMatch(/^.{20,}$/);
    const [cookie = ""] = headers.getSetCookie();
    expect(cookie).toMatch(/; Path=\/; HttpOnly; SameSite=Lax; Max-Age=600$/);
    expect(cookie).not.toContain(searchParams.get("state"));
    expect(headers.get("location")).not.toContain(encodeURIComponent(CLIENT.OIDC_CLIENT_SECRET));
  });

  test("recognizes a person by subject after the first time, whatever email the provider then returns", async () => {
    const user = await makeUser();
    const other = await makeUser();
    const subject = makeProviderAccount(user.email);
    await completeSignIn(subject);
    providerAccounts.set(subject, { email: other.email, email_verified: true });
    const { cookie } = await completeSignIn(subject);
    expect((await me(cookie)).body.userId).toBe(user.id);
  });

  test("links an account once when it signs in first from two browsers at the same moment", async () => {
    const subject = makeProviderAccount((await makeUser()).email);
    const journeys = [await signInAtProvider(subject), await signInAtProvider(subject)];
    const answers = await Promise.all(journeys.map(({ cookies, back }) => call(cookies, "GET", back)));
    expect(answers.map((answer) => arrive(answer).failure)).toEqual([null, null]);
  });

  test("activates an invited account, and shows it as active although it has no password", async () => {
    const user = await makeInvitedUser();
    const { cookie } = await completeSignIn(makeProviderAccount(user.email));
    expect((await me(cookie)).status).toBe(200);
    const admin = await makeUser(["users"]);
    expect((await call(admin.cookie, "GET", `/api/users/${user.id}`)).body.user.status).toBe("active");
  });

  test("asks for no code, even if the role requires two-step sign-in", async () => {
    const user = await makeUser();
    const { roleId } = await db().user.findUniqueOrThrow({ where: { id: user.id } });
    await db().role.update({ where: { id: roleId }, data: { requiresTwoStep: true } });
    expect((await me(user.cookie)).body.twoStepRequired).toBe(true);
    const { cookie } = await completeSignIn(makeProviderAccount(user.email));
    expect((await me(cookie)).body.twoStepRequired).toBe(false);
    expect((await call(cookie, "GET", "/api/two_step")).body.twoStep.required).toBe(false);
  });

  test("reports failure if the account is deactivated before the session is opened", async () => {
    const user = await makeUser();
    const former = await makeUser();
    // The browser's former session ends in between.
    await rows(sql`CREATE FUNCTION leave() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN UPDATE users SET active = false WHERE id = ${constant(user.id)}; RETURN OLD; END $$`);
    await rows(sql`CREATE TRIGGER leave BEFORE DELETE ON sessions FOR EACH ROW EXECUTE FUNCTION leave()`);
    try {
      expect(await completeSignIn(makeProviderAccount(user.email), { session: former.cookie })).toMatchObject(
        {
          failure: "refused",
          cookie: "",
        },
      );
    } finally {
      await rows(sql`DROP FUNCTION leave CASCADE`);
    }
    expect(await lastEvent()).toMatchObject({ entityId: user.id, fields: ["singleSignOn.changed"] });
  });

  test("links an account again by its email, even with a new subject, after it was deactivated and reactivated", async () => {
    const user = await makeUser([]);
    const admin = await makeUser(["users"]);
    await completeSignIn(makeProviderAccount(user.email));
    const { firstName, lastName, email } = user;
    const { roleId } = await db().user.findUniqueOrThrow({ where: { id: user.id } });
    for (const active of [false, true]) {
      const body = { user: { firstName, lastName, email, roleId, active } };
      expect((await call(admin.cookie, "PUT", `/api/users/${user.id}`, body)).status).toBe(200);
    }
    expect((await completeSignIn(makeProviderAccount(user.email))).failure).toBeNull();
  });
});

test("an email that its user set finds the account only after a mailed link confirms it, and a notice reports the link", async () => {
  const user = await makeAccount();
  const email = `moved-${user.email}`;
  await renameTo(email, user);
  await takeMails();
  await call(null, "POST", "/api/forgot_password", { email });
  const { token } = await takeMail();
  const password = { password: "Battery-Staple-9", passwordConfirmation: "Battery-Staple-9" };
  expect((await call(null, "PUT", "/api/forgot_password", { token, ...password })).status).toBe(200);
  await takeMails();
  const subject = makeProviderAccount(email);
  expect((await completeSignIn(subject)).failure).toBeNull();
  await completeSignIn(subject);
  expect(await takeMails()).toMatchObject([
    { to: expect.stringContaining(email), subject: "Your account was linked with single sign-on" },
  ]);
});

describe("in a browser with an earlier sign-in", () => {
  test("an old sign-in at the provider opens nothing after a sign-out or after the session has ended", async () => {
    const user = await makeUser();
    const browser = new ProviderBrowser();
    const subject = makeProviderAccount(user.email);
    const prompts: (string | null)[] = [];
    const page = ({ searchParams }: URL) => void prompts.push(searchParams.get("prompt"));
    const { cookie: ended } = await completeSignIn(subject, { browser, page });
    const left = cookieNamed(await call(ended, "DELETE", "/api/logout"), "lanternbook-left");
    for (const session of [left, ended]) {
      provider.forge((claims) => ({ ...claims, auth_time: Math.floor(Date.now() / 1000) - 600 }));
      expect(await completeSignIn(subject, { session, browser, page })).toMatchObject({
        failure: "unproven",
        purpose: "sign-in",
        cookie: "",
      });
      provider.forge(null);
      const { back, cookies } = await signInAtProvider(subject, { session, browser, page });
      const answer = await call(cookies, "GET", back);
      expect(arrive(answer).failure).toBeNull();
      expect(answer.headers.getSetCookie()).toContainEqual(
        expect.stringMatching(/^lanternbook-left=;.*Max-Age=0/),
      );
    }
    expect(prompts).toEqual([null, "login", "login", "login", "login"]);
  });

  test("another site cannot start a sign-in, which would replace the session", async () => {
    const { cookie } = await makeUser();
    const headers = { "sec-fetch-site": "cross-site" };
    const answer = await call(cookie, "GET", "/api/oidc/start?url=%2Fforms", undefined, { headers });
    expect([answer.status, answer.headers.get("location")]).toEqual([303, "/?url=%2Fforms"]);
    expect(answer.headers.getSetCookie()).toEqual([]);
  });
});

describe("signing in is refused with the same message for", () => {
  const refusals: [who: string, reason: string, subject: () => Promise<string>][] = [
    ["an unknown person", "unknown", async () => makeProviderAccount("nobody-here@example.org")],
    [
      "an email that is not verified",
      "unverified",
      async () => makeProviderAccount((await makeUser()).email, false),
    ],
    [
      "a deactivated user",
      "deactivated",
      async () => {
        const user = await makeUser();
        await db().user.update({ where: { id: user.id }, data: { active: false } });
        return makeProviderAccount(user.email);
      },
    ],
    [
      "an unconfirmed email that its user has set",
      "unproved",
      async () => {
        const user = await makeUser();
        expect((await renameTo(`colleague-of-${user.email}`, user)).status).toBe(200);
        return makeProviderAccount(`colleague-of-${user.email}`);
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
        return makeProviderAccount(email);
      },
    ],
    [
      "another subject with the email of an already linked person",
      "otherSubject",
      async () => {
        const { email } = await makeUser();
        await completeSignIn(makeProviderAccount(email));
        return makeProviderAccount(email);
      },
    ],
  ];
  test.each(refusals)("%s", async (_, reason, make) => {
    const subject = await make();
    expect(await completeSignIn(subject)).toEqual({
      failure: "refused",
      purpose: "sign-in",
      url: null,
      cookie: "",
    });
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
    ["an ID token without a nonce", ({ nonce: _, ...claims }) => claims],
    ["an ID token that another program asked for", (claims) => ({ ...claims, azp: "another" })],
    ["an ID token of another access token", (claims) => ({ ...claims, at_hash: "another" })],
    ["an ID token dated an hour ahead", (claims) => ({ ...claims, iat: Date.now() / 1000 + 3_600 })],
    ["a sign-in dated an hour ahead", (claims) => ({ ...claims, auth_time: Date.now() / 1000 + 3_600 })],
    ["a sign-in at an invalid time", (claims) => ({ ...claims, auth_time: 1e20 })],
    ["a sign-in at a negative time", (claims) => ({ ...claims, auth_time: -1e20 })],
    ["an email with a U+0000", (claims) => ({ ...claims, email: `a\0${claims.email}` })],
    ["a subject with a U+0000", (claims) => ({ ...claims, sub: "a\0b" })],
    ["a session with a U+0000 in its name", (claims) => ({ ...claims, sid: "a\0b" })],
  ])("%s", async (_, change) => {
    const subject = makeProviderAccount((await makeUser()).email);
    provider.forge(change);
    expect(await completeSignIn(subject)).toMatchObject({ failure: "refused", cookie: "" });
  });

  test("an ID token signed with another key", async () => {
    const subject = makeProviderAccount((await makeUser()).email);
    provider.forge((claims) => claims, generateKeyPairSync("rsa", { modulusLength: 2048 }).privateKey);
    expect(await completeSignIn(subject)).toMatchObject({ failure: "refused", cookie: "" });
  });
});

describe("a response of the provider is accepted", () => {
  test("once", async () => {
    const { back, cookies } = await signInAtProvider(makeProviderAccount((await makeUser()).email));
    expect(arrive(await call(cookies, "GET", back)).failure).toBeNull();
    expect(arrive(await call(cookies, "GET", back))).toMatchObject({ failure: "unfinished", cookie: "" });
  });

  test("once for each attempt, even with another code that the provider gave for its state and nonce", async () => {
    const subject = makeProviderAccount((await makeUser()).email);
    const browser = new ProviderBrowser();
    let startUrl = "";
    const { back, cookies } = await signInAtProvider(subject, {
      browser,
      page: ({ href }) => {
        startUrl = href;
      },
    });
    expect(arrive(await call(cookies, "GET", back)).failure).toBeNull();
    const again = (await browser.walk(startUrl, subject, CALLBACK)).slice(APP.length);
    expect(arrive(await call(cookies, "GET", again))).toMatchObject({ failure: "unfinished", cookie: "" });

    const two = await signInAtProvider(subject, { browser });
    const answers = await Promise.all([1, 2, 3].map(() => call(two.cookies, "GET", two.back)));
    expect(answers.map((answer) => arrive(answer).failure).toSorted()).toEqual([
      null,
      "unfinished",
      "unfinished",
    ]);
  });

  test("only in the browser that started it, with its own state, within ten minutes, and unless it is a refusal", async () => {
    const { back, cookies } = await signInAtProvider(makeProviderAccount((await makeUser()).email));
    const other = (await signInAtProvider(makeProviderAccount((await makeUser()).email))).cookies;
    const failureAt = async (cookie: string | null, url: string) =>
      arrive(await call(cookie, "GET", url)).failure;
    expect(await failureAt(null, back)).toBe("unfinished");
    const changed = cookies.slice(0, -9) + (cookies.at(-9) === "x" ? "y" : "x") + cookies.slice(-8);
    expect(await failureAt(changed, back)).toBe("unfinished");
    expect(await failureAt(other, back)).toBe("unfinished");
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 601_000 });
    expect(await failureAt(cookies, back)).toBe("unfinished");
    vi.useRealTimers();
    expect(await failureAt(cookies, back)).toBeNull();

    const denied = await signInAtProvider(makeProviderAccount((await makeUser()).email));
    const state = new URL(denied.back, APP).searchParams.get("state");
    const iss = encodeURIComponent(provider.issuer);
    const url = `/api/oidc/callback?error=access_denied&state=${state}&iss=${iss}`;
    expect(await failureAt(denied.cookies, url)).toBe("unfinished");
  });
});

test("an unavailable provider is reported and retried at the next attempt, while passwords still work", async () => {
  const { issuer } = provider;
  Object.assign(env(), { OIDC_ISSUER: "http://127.0.0.1:1" });
  const { headers } = await call(null, "GET", "/api/oidc/start?url=%2Fforms");
  expect(headers.get("location")).toBe("/single_sign_on?purpose=sign-in&url=%2Fforms&failure=unavailable");
  expect((await logIn((await makeAccount()).email, PASSWORD)).status).toBe(200);
  Object.assign(env(), { OIDC_ISSUER: issuer });
  expect((await completeSignIn(makeProviderAccount((await makeUser()).email))).failure).toBeNull();
});

test("signs in at a provider that reads the secret only from the body of the request", async () => {
  const other = await startProvider(APP, providerAccounts, { secretIn: "client_secret_post" });
  Object.assign(env(), { OIDC_ISSUER: other.issuer });
  try {
    expect((await completeSignIn(makeProviderAccount((await makeUser()).email))).failure).toBeNull();
  } finally {
    Object.assign(env(), { OIDC_ISSUER: provider.issuer });
    await other.stop();
  }
});

describe("confirming a single sign-on session", () => {
  const NEEDED = { status: 403, body: { code: "proof_needed" } };
  const rename = (cookie: string, user: Person) =>
    renameTo(`${user.id}-new-${user.email}`, { ...user, cookie });

  test("needs a new sign-in at the provider, requested for that purpose", async () => {
    const user = await makeUser();
    const browser = new ProviderBrowser();
    const subject = makeProviderAccount(user.email);
    const { cookie: session } = await completeSignIn(subject, { browser });
    // The response did not state when the user signed in, so that the session has confirmed nothing yet.
    expect(await rename(session, user)).toMatchObject(NEEDED);
    const proof = { query: "?purpose=proof", session, browser };
    let params = new URLSearchParams();
    const page = ({ searchParams }: URL) => {
      params = searchParams;
    };
    expect(await completeSignIn(subject, { ...proof, page })).toMatchObject({
      failure: null,
      purpose: "proof",
      cookie: "",
    });
    expect([params.get("prompt"), params.get("max_age")]).toEqual(["login", "0"]);
    expect((await rename(session, user)).status).toBe(200);
  });

  test("accepts neither an older sign-in, nor one without a time, nor another person's", async () => {
    const user = await makeUser();
    const other = await makeUser();
    const subject = makeProviderAccount(user.email);
    const others = makeProviderAccount(other.email);
    const { cookie: session } = await completeSignIn(subject);
    await completeSignIn(others);
    const proof = { query: "?purpose=proof", session };
    provider.forge((claims) => ({ ...claims, auth_time: Math.floor(Date.now() / 1000) - 600 }));
    expect((await completeSignIn(subject, proof)).failure).toBe("unproven");
    provider.forge(({ auth_time: _, ...claims }) => claims);
    expect((await completeSignIn(subject, proof)).failure).toBe("unproven");
    provider.forge(null);
    expect((await completeSignIn(others, proof)).failure).toBe("refused");
    expect(await rename(session, user)).toMatchObject(NEEDED);
  });
});

describe("where single sign-on is the only way", () => {
  const BAD = { status: 401, body: { code: "bad_credentials" } };

  test("only the password of the break-glass administrator works, and no link sets another", async () => {
    const user = await makeAccount();
    const glass = await makeAccount();
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
    expect((await completeSignIn(makeProviderAccount(user.email))).failure).toBeNull();
  });

  test("the break-glass email cannot be set on a screen, and the start warns while no account has it", async () => {
    const user = await makeUser();
    const admin = await makeUser(["users"]);
    const email = "free-glass@example.org";
    const { roleId } = await db().user.findUniqueOrThrow({ where: { id: user.id } });
    Object.assign(env(), { OIDC_ONLY: true, OIDC_BREAK_GLASS: "Free-Glass@example.org" });
    expect(await renameTo(email, user)).toMatchObject({
      status: 422,
      body: { fields: { "profile.email": expect.any(String) } },
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
    // The account that has it keeps it.
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

  test("ends the session it opened here, by session id or by person, but no password session", async () => {
    const user = await makeUser();
    const subject = makeProviderAccount(user.email);
    const first = await completeSignIn(subject);
    const sid = await sidOf(user.id);
    const second = await completeSignIn(subject);
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

  test("works once: its token ends no later session", async () => {
    const subject = makeProviderAccount((await makeUser()).email);
    await completeSignIn(subject);
    const token = await provider.sign(claims({ sub: subject }));
    expect((await tell(token)).status).toBe(200);
    const { cookie } = await completeSignIn(subject);
    expect(await tell(token)).toMatchObject({ status: 400, body: { code: "malformed" } });
    expect((await me(cookie)).status).toBe(200);
  });

  test("must be repeated later if the provider's keys cannot be read, without judging the token", async () => {
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

  test("is accepted only with a fresh logout token of the provider", async () => {
    const user = await makeUser();
    const subject = makeProviderAccount(user.email);
    const { cookie } = await completeSignIn(subject);
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

test("single sign-on is disabled without its settings", async () => {
  const { OIDC_ISSUER } = env();
  Object.assign(env(), { OIDC_ISSUER: undefined });
  for (const path of ["/api/oidc/start", "/api/oidc/callback?code=1&state=2"])
    expect((await call(null, "GET", path)).status).toBe(404);
  Object.assign(env(), { OIDC_ISSUER });
});
