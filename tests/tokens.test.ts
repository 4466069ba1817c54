import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { PERMISSION_NAMES, type Permission, permissionKey } from "@/lib/core/access/permissions";
import { db } from "@/lib/core/database/client";
import { env } from "@/lib/core/process/env";
import { today } from "@/lib/core/text/format";
import { endpoints } from "@/lib/endpoints";
import { call, type Method, signIn } from "@/tests/call";
import { ADVOCATE, makeForm, makeUser, type Person } from "@/tests/factories";

// API tokens for programs.

const ALL = PERMISSION_NAMES.map((name) => permissionKey(name) as Permission);
const UNAUTHORIZED = { status: 401, body: { error: "Unauthorized Request", code: "unauthorized" } };

const ids = new Map<string, number>();
beforeAll(async () => {
  for (const { id, name } of await db().permission.findMany()) ids.set(permissionKey(name), id);
});
const idsOf = (permissions: readonly Permission[]) => permissions.map((key) => ids.get(key) ?? 0);

let owner: Person;
beforeEach(async () => {
  owner = await makeUser([...ADVOCATE, "canines", "api-tokens"]);
});

const daysAhead = (days: number) =>
  new Date(Date.parse(`${today()}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10);

const make = ({ cookie }: Person, permissions: readonly Permission[], values: object = {}) =>
  call(cookie, "POST", "/api/api_tokens", {
    apiToken: { name: "Nightly", expiresOn: today(), permissionIds: idsOf(permissions), ...values },
  });

/** Creates a token for the person and returns it. */
async function tokenOf(person: Person, permissions: readonly Permission[], values: object = {}) {
  const { status, body } = await make(person, permissions, values);
  expect(status, JSON.stringify(body)).toBe(201);
  return body.apiToken as { id: number; token: string };
}

/** Calls the API with a token. */
const by = (token: string, method: Method, url: string, body?: unknown, headers: object = {}) =>
  call(null, method, url, body, { headers: { authorization: `Bearer ${token}`, ...headers } });

describe("a token", () => {
  test("is shown once and stored as a hash, which is in no list and no audit row", async () => {
    const { status, body } = await make(owner, ["clients"], { addresses: ["10.0.0.0/8"] });
    expect(status).toBe(201);
    const { token, ...rest } = body.apiToken;
    expect(token).toMatch(/^lb_[\w-]{43}$/);
    expect(rest).toMatchObject({
      name: "Nightly",
      expiresOn: today(),
      permissions: [{ name: "Clients" }],
      addresses: ["10.0.0.0/8"],
      lastUsedOn: null,
    });
    const listed = await call(owner.cookie, "GET", "/api/api_tokens");
    expect(listed.body).toEqual({ apiTokens: [rest] });
    const tables = await db().$queryRaw<{ name: string }[]>`
      SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'public' AND table_type = 'BASE TABLE'`;
    for (const { name } of tables) {
      const [{ found: count } = { found: -1 }] = await db().$queryRawUnsafe<{ found: number }[]>(
        `SELECT count(*)::int AS found FROM "${name}" t WHERE strpos(t::text, $1) > 0`,
        token.slice(3),
      );
      expect(count, name).toBe(0);
    }
  });

  test("does what its permissions allow, in its owner's name, without a cookie and from any site", async () => {
    const { token } = await tokenOf(owner, ["clients"]);
    const response = await by(
      token,
      "POST",
      "/api/clients",
      { client: { name: "Ada" } },
      { origin: "https://elsewhere.example", "sec-fetch-site": "cross-site" },
    );
    expect(response.status).toBe(201);
    expect(response.body.client.userId).toBe(owner.id);
    expect(response.headers.getSetCookie()).toEqual([]);
    const me = await by(token, "GET", "/api/me");
    expect(me.body).toMatchObject({ userId: owner.id, permissions: [{ name: "Clients" }] });
    // The same request from another site with a cookie is refused.
    const headers = { "sec-fetch-site": "cross-site" };
    const forged = await call(owner.cookie, "POST", "/api/clients", { client: { name: "Ada" } }, { headers });
    expect(forged.status).toBe(403);
  });

  test("takes precedence: a cookie sent with it is ignored", async () => {
    const { token } = await tokenOf(owner, ["canines"]);
    const both = { cookie: owner.cookie };
    expect((await by(token, "GET", "/api/clients", undefined, both)).status).toBe(403);
    expect(await by("lb_unknown", "GET", "/api/clients", undefined, both)).toMatchObject(UNAUTHORIZED);
  });

  test("of another kind is treated as a proxy's, so that the session cookie counts", async () => {
    for (const authorization of ["Basic dXNlcjpwYXNz", "Bearer eyJhbGciOi"]) {
      const headers = { authorization };
      expect((await call(owner.cookie, "GET", "/api/me", undefined, { headers })).status).toBe(200);
      expect((await call(null, "GET", "/api/me", undefined, { headers })).status).toBe(401);
      const crossSite = { ...headers, "sec-fetch-site": "cross-site" };
      const { status } = await call(owner.cookie, "POST", "/api/clients", {}, { headers: crossSite });
      expect(status).toBe(403);
    }
  });

  test("loses what its owner loses at the next call, and everything without API Tokens", async () => {
    const { token } = await tokenOf(owner, ["clients", "canines"]);
    const { roleId } = await db().user.findUniqueOrThrow({ where: { id: owner.id } });
    const removePermission = (name: string) =>
      db().rolePermission.deleteMany({ where: { roleId, permission: { name } } });
    expect((await by(token, "GET", "/api/clients")).status).toBe(200);
    await removePermission("Clients");
    expect((await by(token, "GET", "/api/clients")).status).toBe(403);
    expect((await by(token, "GET", "/api/canines")).status).toBe(200);
    await removePermission("API Tokens");
    expect(await by(token, "GET", "/api/canines")).toMatchObject(UNAUTHORIZED);
  });

  test("gains nothing that its owner gains", async () => {
    const { token } = await tokenOf(owner, ["clients"]);
    const { roleId } = await db().user.findUniqueOrThrow({ where: { id: owner.id } });
    await db().rolePermission.create({ data: { roleId, permissionId: ids.get("users") ?? 0 } });
    expect((await call(owner.cookie, "GET", "/api/users")).status).toBe(200);
    expect((await by(token, "GET", "/api/users")).status).toBe(403);
  });

  test("works through its last day and gets a 401 after it", async () => {
    const { id, token } = await tokenOf(owner, ["clients"], { expiresOn: today() });
    expect((await by(token, "GET", "/api/clients")).status).toBe(200);
    await db().apiToken.update({ where: { id }, data: { expiresOn: new Date(daysAhead(-1)) } });
    expect(await by(token, "GET", "/api/clients")).toMatchObject(UNAUTHORIZED);
  });

  test("works only from its addresses and subnets, if it has any", async () => {
    const { token } = await tokenOf(owner, ["clients"], {
      addresses: ["10.1.0.0/16", "192.168.7.9", "fd00::/8"],
    });
    const statusFrom = async (address?: string) =>
      (await by(token, "GET", "/api/clients", undefined, address ? { "x-client-address": address } : {}))
        .status;
    for (const address of ["10.1.200.3", "192.168.7.9", "fd12::1"])
      expect(await statusFrom(address)).toBe(200);
    for (const address of ["10.2.0.1", "192.168.7.10", "fe80::1", undefined])
      expect(await statusFrom(address)).toBe(401);
    const anywhere = await tokenOf(owner, ["clients"]);
    expect((await by(anywhere.token, "GET", "/api/clients")).status).toBe(200);
  });

  test("shows the day of its last use", async () => {
    const { token } = await tokenOf(owner, ["clients"]);
    const lastUse = async () =>
      (await call(owner.cookie, "GET", "/api/api_tokens")).body.apiTokens[0].lastUsedOn;
    expect(await lastUse()).toBeNull();
    await by(token, "GET", "/api/clients");
    expect(await lastUse()).toBe(today());
  });

  test("never counts as recently confirmed, even where no confirmation is needed", async () => {
    const admin = await makeUser(ALL);
    const { token } = await tokenOf(admin, ALL);
    const body = { canine: { name: "Rex" } };
    expect((await by(token, "POST", "/api/canines", body)).status).toBe(201);
    const minutes = env().PROOF_MINUTES;
    for (env().PROOF_MINUTES of [minutes, 0]) {
      const refused = await by(token, "POST", "/api/roles", { role: { name: "R", permissionIds: [] } });
      expect([refused.status, refused.body.code]).toEqual([403, "proof_needed"]);
    }
    env().PROOF_MINUTES = minutes;
  });

  test("cannot send reset links", async () => {
    const admin = await makeUser(ALL);
    const { token } = await tokenOf(admin, ALL);
    const refused = await by(token, "POST", `/api/users/${owner.id}/reset_password`);
    expect([refused.status, refused.body.code]).toEqual([403, "forbidden"]);
    expect(await db().mail.count()).toBe(0);
    expect((await call(admin.cookie, "POST", `/api/users/${owner.id}/reset_password`)).status).toBe(204);
  });

  test("has the same limits as people: 1 MB, JSON, and one record per Idempotency-Key", async () => {
    const { token } = await tokenOf(owner, ["clients"]);
    const huge = await by(token, "POST", "/api/clients", { client: { name: "x".repeat(1024 * 1024) } });
    expect([huge.status, huge.body.code]).toEqual([413, "too_large"]);
    const plain = await by(token, "POST", "/api/clients", {}, { "content-type": "text/plain" });
    expect([plain.status, plain.body.code]).toEqual([415, "not_json"]);
    const key = { "idempotency-key": "a-program-tries-again" };
    const one = await by(token, "POST", "/api/clients", { client: { name: "Once" } }, key);
    const two = await by(token, "POST", "/api/clients", { client: { name: "Once" } }, key);
    expect(two.body.client.id).toBe(one.body.client.id);
  });

  test("is named along with its owner in the audit rows of its actions and refusals", async () => {
    const { token } = await tokenOf(owner, ["clients"], { name: "Nightly export" });
    const before = (await db().auditEvent.findFirstOrThrow({ orderBy: { id: "desc" } })).id;
    await by(token, "POST", "/api/clients", { client: { name: "Ada" } });
    await by(token, "GET", "/api/clients");
    await by(token, "GET", "/api/canines");
    const events = await db().auditEvent.findMany({ where: { id: { gt: before } }, orderBy: { id: "asc" } });
    expect(events.map(({ action, userId }) => [action, userId])).toEqual([
      ["created", owner.id],
      ["listed", owner.id],
      ["refused", owner.id],
    ]);
    const name = `${owner.firstName} ${owner.lastName} (token Nightly export)`;
    for (const { userName } of events) expect(userName).toBe(name);
  });
});

describe("creating a token", () => {
  test("is recorded along with its removal, by whom and for what, without the token", async () => {
    const { id } = await tokenOf(owner, ["clients"]);
    expect((await call(owner.cookie, "DELETE", `/api/api_tokens/${id}`)).status).toBe(204);
    const events = await db().auditEvent.findMany({
      where: { entity: "apiToken", entityId: id },
      orderBy: { id: "asc" },
    });
    expect(events.map(({ action, userId }) => [action, userId])).toEqual([
      ["created", owner.id],
      ["removed", owner.id],
    ]);
    expect(events[0]?.fields).toEqual(["apiToken.name", "apiToken.expiresOn", "apiToken.permissionIds"]);
  });

  test.each([
    ["apiToken.name", { name: " " }, "Name is required"],
    ["apiToken.expiresOn", { expiresOn: null }, "Ends On is required"],
    [
      "apiToken.expiresOn",
      { expiresOn: "02/30/2027" },
      "Ends On must be a date. Month first, like 04/03/2026",
    ],
    ["apiToken.expiresOn", { expiresOn: daysAhead(-1) }, "Ends On must be within a year of today"],
    ["apiToken.expiresOn", { expiresOn: daysAhead(367) }, "Ends On must be within a year of today"],
    ["apiToken.permissionIds", { permissionIds: [] }, "Choose what the token may do"],
    [
      "apiToken.permissionIds",
      { permissionIds: [999_999] },
      "A token can have only permissions that you have",
    ],
    [
      "apiToken.addresses",
      { addresses: ["10.0.0.0/33"] },
      "10.0.0.0/33 is not an address or subnet, such as 10.20.0.0/16",
    ],
    [
      "apiToken.addresses",
      { addresses: ["intranet"] },
      "intranet is not an address or subnet, such as 10.20.0.0/16",
    ],
  ])("without a valid %s, %o, is refused by name and creates none", async (field, values, message) => {
    const { status, body } = await make(owner, ["clients"], values);
    expect([status, body.fields]).toEqual([422, { [field]: message }]);
    expect(await db().apiToken.count({ where: { userId: owner.id } })).toBe(0);
  });

  test("with permissions that its creator does not hold is refused", async () => {
    const { status, body } = await make(owner, ["clients", "users"]);
    expect([status, Object.keys(body.fields)]).toEqual([422, ["apiToken.permissionIds"]]);
  });

  test("needs a recent password confirmation, and so does ending one", async () => {
    const { id } = await tokenOf(owner, ["clients"]);
    const long = new Date(Date.now() - 31 * 60_000);
    await db().session.updateMany({ where: { userId: owner.id }, data: { provedAt: long } });
    for (const refused of [
      await make(owner, ["clients"]),
      await call(owner.cookie, "DELETE", `/api/api_tokens/${id}`),
    ])
      expect([refused.status, refused.body.code]).toEqual([403, "proof_needed"]);
  });
});

describe("a token ends", () => {
  test("when its owner ends it, and no other user can", async () => {
    const { id, token } = await tokenOf(owner, ["clients"]);
    const other = await makeUser(ALL);
    expect((await call(other.cookie, "DELETE", `/api/api_tokens/${id}`)).status).toBe(404);
    expect((await call(other.cookie, "GET", "/api/api_tokens")).body).toEqual({ apiTokens: [] });
    expect((await by(token, "GET", "/api/clients")).status).toBe(200);
    expect((await call(owner.cookie, "DELETE", `/api/api_tokens/${id}`)).status).toBe(204);
    expect(await by(token, "GET", "/api/clients")).toMatchObject(UNAUTHORIZED);
  });

  test("permanently with its owner's other sign-ins: everywhere, by an administrator, and by deactivation", async () => {
    const admin = await makeUser(ALL);
    const { email, firstName, lastName, id, cookie } = owner;
    const { roleId } = await db().user.findUniqueOrThrow({ where: { id } });
    const active = (active: boolean) =>
      call(admin.cookie, "PUT", `/api/users/${id}`, { user: { email, firstName, lastName, roleId, active } });
    for (const end of [
      () => call(cookie, "DELETE", "/api/sessions"),
      () => call(admin.cookie, "DELETE", `/api/users/${id}/sessions`),
      async () => {
        expect((await active(false)).status).toBe(200);
        return active(true);
      },
    ]) {
      const again = { ...owner, cookie: await signIn(owner) };
      const { token } = await tokenOf(again, ["clients"]);
      expect((await by(token, "GET", "/api/clients")).status).toBe(200);
      expect((await end()).status).toBeLessThan(300);
      expect(await by(token, "GET", "/api/clients")).toMatchObject(UNAUTHORIZED);
      const listed = await call(await signIn(owner), "GET", "/api/api_tokens");
      expect(listed.body).toEqual({ apiTokens: [] });
    }
  });
});

describe("the access matrix by token", () => {
  test("refuses a token without an endpoint's own permissions, and accepts any one of them", async () => {
    const admin = await makeUser(ALL);
    const tokens = new Map<string, string>();
    const tokenWith = async (permissions: readonly Permission[]) => {
      const key = permissions.join();
      const token = tokens.get(key) ?? (await tokenOf(admin, permissions)).token;
      tokens.set(key, token);
      return token;
    };
    for (const endpoint of endpoints) {
      const { method, path, permission, additionalPermissions, proof } = endpoint;
      if (permission === "guest") continue;
      const url = path
        .replace("{formTypeId}", "1")
        .replace("{id}", "999999")
        .replace(/\{\w+\}/, "none");
      const body = method === "POST" || method === "PUT" ? {} : undefined;
      const code = async (permissions: readonly Permission[]) =>
        (await by(await tokenWith(permissions), method, url, body)).body?.code;
      const needed = permission === "signed-in" ? [] : [permission].flat();
      const at = `${method} ${path}`;
      if (endpoint.tokens === false) {
        expect(await code(ALL), at).toBe("forbidden");
        continue;
      }
      const others = ALL.filter((held) => !needed.includes(held));
      if (needed.length > 0) expect(await code(others), at).toBe("forbidden");
      for (const held of needed) {
        const further = [additionalPermissions ?? []].flat();
        if (further.length > 0) expect(await code([held]), at).toBe("forbidden");
        const answered = await code([held, ...further]);
        if (proof) expect(answered, at).toBe("proof_needed");
        else expect(["unauthorized", "forbidden", "proof_needed"], at).not.toContain(answered);
      }
    }
  });

  test("shows a token without All Forms only its owner's forms, though its owner sees all", async () => {
    const supervisor = await makeUser(["forms", "all-forms", "clients", "api-tokens"]);
    const form = await makeForm(owner);
    const narrow = await tokenOf(supervisor, ["forms"]);
    const wide = await tokenOf(supervisor, ["forms", "all-forms"]);
    expect((await call(supervisor.cookie, "GET", `/api/forms/${form.id}`)).status).toBe(200);
    expect((await by(wide.token, "GET", `/api/forms/${form.id}`)).status).toBe(200);
    expect((await by(narrow.token, "GET", `/api/forms/${form.id}`)).status).toBe(404);
  });
});
