import { randomBytes } from "node:crypto";
import pg from "pg";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { sealAudit } from "@/lib/audit/seals";
import { verifyAudit } from "@/lib/audit/verify";
import { db, rows } from "@/lib/core/database/client";
import { env } from "@/lib/core/process/env";
import { sql } from "@/lib/core/sql";
import { makeAdministrator } from "@/lib/identity/administrators";
import { readDevice, rememberDevice } from "@/lib/identity/known-devices";
import { prepareDatabase } from "@/lib/ops/prepare";
import { renewKeys } from "@/lib/ops/renewal";
import { logIn, makeAccount, PASSWORD, setUpTwoStep } from "@/tests/accounts-helpers";
import { codeOf } from "@/tests/authenticator";
import { call, signIn } from "@/tests/call";
import { makeClient, makeUser, type Person } from "@/tests/factories";
import { takeLog } from "@/tests/setup/console";

// AUTH_SECRET is replaced while the program is in use (docs/operate/keys.md).

let ada: Person;
let client: pg.Client;

beforeAll(async () => {
  client = new pg.Client(process.env.DATABASE_URL);
  await client.connect();
});
afterAll(() => client.end());
beforeEach(async () => {
  ada = await makeUser(["forms", "clients", "all-forms"]);
});

/** Sets a new secret and names the old one as previous, as an operator does first. Returns the old secret. */
function replaceSecret(): string {
  const previous = env().AUTH_SECRET;
  Object.assign(env(), { AUTH_SECRET: randomBytes(32).toString("hex"), AUTH_SECRET_PREVIOUS: previous });
  return previous;
}
/** Removes the previous secret, as an operator does last. */
const dropPrevious = () => Object.assign(env(), { AUTH_SECRET_PREVIOUS: undefined });

/** Seals all rows, once no transaction of other tests is open. */
async function sealAll(): Promise<void> {
  await expect
    .poll(async () => {
      await sealAudit();
      return (await verifyAudit(client)).unsealed;
    })
    .toBe(0);
}

describe("a start with another AUTH_SECRET, as after a restore without the old one", () => {
  const start = async () => {
    takeLog();
    await prepareDatabase(String(process.env.DATABASE_URL), {}, false);
    return takeLog().filter(({ alarm }) => alarm === "secrets_locked");
  };

  test("warns that two-step sign-in locks users out and imports come twice, until the old secret is back", async () => {
    const former = env().AUTH_SECRET;
    const user = await makeAccount();
    const { secret } = await setUpTwoStep(user);
    await call(ada.cookie, "POST", "/api/clients", { client: { name: "Key Holder" } });
    expect(await start()).toEqual([]);

    Object.assign(env(), { AUTH_SECRET: randomBytes(32).toString("hex") });
    const [warning, ...others] = await start();
    expect(others).toEqual([]);
    expect(warning).toMatchObject({
      level: "warn",
      message: expect.stringMatching(/1 user cannot sign in with two-step.*import adds.*npm run admin/),
    });
    expect((await logIn(user.email, PASSWORD, undefined, null, codeOf(secret))).status).toBe(401);

    Object.assign(env(), { AUTH_SECRET: former });
    expect(await start()).toEqual([]);

    // The way out, if the old secret is lost.
    Object.assign(env(), { AUTH_SECRET: randomBytes(32).toString("hex") });
    await makeAdministrator(user.email);
    expect((await logIn(user.email, PASSWORD)).status).toBe(200);
    expect((await start())[0]?.message).not.toContain("cannot sign in");
    Object.assign(env(), { AUTH_SECRET: former });
  });
});

describe("while AUTH_SECRET is being replaced", () => {
  test("a session continues, and its browser gets a cookie that outlives the previous secret", async () => {
    const unused = await signIn(ada);
    replaceSecret();
    const { status, headers } = await call(ada.cookie, "GET", "/api/me");
    expect(status).toBe(200);
    const renewed = String(headers.getSetCookie()[0]).split(";")[0] ?? "";
    expect(renewed).toMatch(/^lanternbook\.session=.+/);
    expect((await call(renewed, "GET", "/api/me")).headers.getSetCookie()).toEqual([]);
    dropPrevious();
    expect((await call(renewed, "GET", "/api/me")).status).toBe(200);
    expect((await call(unused, "GET", "/api/me")).status).toBe(401);
  });

  test("signing out clears the cookie instead of renewing it", async () => {
    replaceSecret();
    const { headers } = await call(ada.cookie, "DELETE", "/api/logout");
    expect(headers.getSetCookie()).toEqual([expect.stringMatching(/^lanternbook\.session=;/)]);
    dropPrevious();
  });

  test("a draft opens, is re-encrypted without changing its age, and still opens afterwards", async () => {
    const content = { form: { note: "Zoë" } };
    await call(ada.cookie, "PUT", "/api/drafts/kept", { draft: { formId: null, content } });
    await rows(sql`UPDATE drafts SET updated_at = now() - interval '3 days' WHERE user_id = ${ada.id}`);
    const read = async (cookie: string) => (await call(cookie, "GET", "/api/drafts/kept")).body;
    const before = await read(ada.cookie);
    replaceSecret();
    expect(await read(ada.cookie)).toEqual(before);
    expect(await renewKeys()).toMatch(/\b1 drafts\b/);
    expect(await renewKeys()).toMatch(/\b0 drafts\b/);
    dropPrevious();
    expect(await read(await signIn(ada))).toEqual(before);
  });

  test("authenticator codes work, during and after the replacement", async () => {
    const user = await makeAccount();
    const { secret } = await setUpTwoStep(user);
    const enter = async (steps: number) =>
      (await logIn(user.email, PASSWORD, undefined, null, codeOf(secret, steps))).status;
    replaceSecret();
    expect(await enter(0)).toBe(200);
    expect(await renewKeys()).toMatch(/\b1 secrets of authenticator apps\b/);
    expect(await renewKeys()).toMatch(/\b0 secrets of authenticator apps\b/);
    dropPrevious();
    expect(await enter(1)).toBe(200);
  });

  test("the values of a client's history can be read, during and after the replacement", async () => {
    const { id } = await makeClient(ada, { name: "Rosa" });
    const change = (name: string, cookie: string) =>
      call(cookie, "PUT", `/api/clients/${id}`, { client: { name } });
    const names = async (cookie: string) => {
      const { body } = await call(cookie, "GET", `/api/clients/${id}/history`);
      return body.events
        .filter(({ action }: { action: string }) => action === "updated" || action === "created")
        .map(({ changes }: { changes: { to: string }[] }) => changes[0]?.to);
    };
    await change("Rose", ada.cookie);
    const key = () => db().clientKey.findMany({ where: { clientId: id } });
    const [former] = await key();
    replaceSecret();
    expect(await names(ada.cookie)).toEqual(["Rose", "Rosa"]);
    await change("Rosie", ada.cookie);
    await renewKeys();
    dropPrevious();
    const cookie = await signIn(ada);
    await change("Rosalind", cookie);
    expect(await names(cookie)).toEqual(["Rosalind", "Rosie", "Rose", "Rosa"]);
    const [present, ...others] = await key();
    expect({ id: present?.id, others }).toEqual({ id: former?.id, others: [] });
    expect(Buffer.from(present?.wrapped ?? "").equals(Buffer.from(former?.wrapped ?? ""))).toBe(false);
  });

  test("a repeated creation is still recognized", async () => {
    const body = { client: { name: "Once" } };
    const create = () =>
      call(ada.cookie, "POST", "/api/clients", body, { headers: { "idempotency-key": "once" } });
    const first = await create();
    replaceSecret();
    expect((await create()).body.client.id).toBe(first.body.client.id);
    dropPrevious();
  });

  test("a browser that has signed its user in stays known", async () => {
    const request = (cookie?: string) =>
      new Request("http://localhost:3000/", { headers: cookie ? { cookie } : {} });
    const cookie = (await rememberDevice(request(), ada.id)).split(";")[0] ?? "";
    replaceSecret();
    expect(readDevice(request(cookie))?.users).toMatchObject([{ userId: ada.id }]);
    const renewed = (await rememberDevice(request(cookie), ada.id)).split(";")[0];
    dropPrevious();
    expect(readDevice(request(cookie))).toBeNull();
    expect(readDevice(request(renewed))?.users).toMatchObject([{ userId: ada.id }]);
  });
});

describe("the audit trail", () => {
  test("verifies across two secrets that were removed", async () => {
    for (let round = 0; round < 2; round++) {
      await makeClient(ada);
      await sealAll();
      replaceSecret();
      expect((await verifyAudit(client)).findings).toEqual([]);
      await renewKeys();
      dropPrevious();
      ada = await makeUser();
    }
    await makeClient(ada);
    await sealAll();
    expect(await verifyAudit(client)).toMatchObject({ unsealed: 0, findings: [] });
    const [count] = await rows<{ former: number }>(sql`SELECT count(*)::int AS former FROM former_keys`);
    expect(count?.former).toBeGreaterThanOrEqual(2);
    // A row from the time of the first secret.
    await client.query("BEGIN");
    await client.query(
      "UPDATE audit_events SET user_name = 'x' WHERE id = (SELECT min(id) FROM audit_events)",
    );
    const { compareTrail } = await import("@/lib/audit/verify");
    expect((await compareTrail(client)).findings).toEqual([expect.stringMatching(/^Row \d+ .* was changed/)]);
    await client.query("ROLLBACK");
  });

  test("is not sealed by a process that still uses the previous secret", async () => {
    await sealAll();
    const previous = replaceSecret();
    const present = env().AUTH_SECRET;
    await renewKeys();
    await makeClient(ada);
    dropPrevious();
    env().AUTH_SECRET = previous;
    const newest = () => rows(sql`SELECT max(id) AS id FROM audit_seals`);
    const before = await newest();
    await sealAudit();
    expect(await newest()).toEqual(before);
    env().AUTH_SECRET = present;
    await sealAll();
    expect(await newest()).not.toEqual(before);
  });

  test("reports a seal that was forged with a previous secret after its replacement", async () => {
    await sealAll();
    const previous = replaceSecret();
    const present = env().AUTH_SECRET;
    await renewKeys();
    dropPrevious();
    const keyRows = await db().formerKey.findMany();
    await db().formerKey.deleteMany();
    env().AUTH_SECRET = previous;
    await makeClient(await makeUser());
    await sealAudit();
    await expect
      .poll(async () => {
        await sealAudit();
        return (await verifyAudit(client)).unsealed;
      })
      .toBe(0);
    env().AUTH_SECRET = present;
    await db().formerKey.createMany({ data: keyRows });
    expect((await verifyAudit(client)).findings).toContainEqual(
      expect.stringMatching(/^Seal \d+ was made with an AUTH_SECRET that had been replaced\.$/),
    );
  });

  test("reports the removal of a previous secret's keys, which limit the rows it could have sealed", async () => {
    await sealAll();
    replaceSecret();
    await renewKeys();
    await makeClient(await makeUser());
    await sealAll();
    const keyRows = await db().formerKey.findMany();
    await db().formerKey.deleteMany();
    expect((await verifyAudit(client)).findings).toContainEqual(
      expect.stringMatching(/^The stored keys of AUTH_SECRET_PREVIOUS were removed/),
    );
    await db().formerKey.createMany({ data: keyRows });
    expect((await verifyAudit(client)).findings).not.toContainEqual(expect.stringMatching(/were removed/));
    dropPrevious();
  });

  test("can still be read by an operator who returns to the previous secret", async () => {
    await rows(sql`DELETE FROM audit_seals`);
    await sealAll();
    const previous = replaceSecret();
    await renewKeys();
    Object.assign(env(), { AUTH_SECRET: previous, AUTH_SECRET_PREVIOUS: env().AUTH_SECRET });
    await renewKeys();
    dropPrevious();
    await makeClient(await makeUser());
    await sealAll();
    expect((await verifyAudit(client)).findings).toEqual([]);
  });
});
