import pg from "pg";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { dropOldMonths, sealAudit } from "@/lib/audit/seals";
import { PERMISSION_NAMES, type Permission, permissionKey } from "@/lib/core/access/permissions";
import { closeDatabase, queryOn, rows } from "@/lib/core/database/client";
import { env } from "@/lib/core/process/env";
import { sql } from "@/lib/core/sql";
import { prepareDatabase } from "@/lib/ops/prepare";
import { assertSettings } from "@/lib/ops/program-role";
import { call, type Method } from "@/tests/call";
import { fullForm, makeUser, type Person } from "@/tests/factories";
import { addClient, addForm } from "./reports/world";
import { tapWire, type Wiretap } from "./wiretap";

vi.unmock("@/lib/core/database/limits");

// Statements that a transaction pooler must not receive, checked on the wire, so that no pooler is needed.
// `npm test -- --pooler` runs all integration tests through a real one.

/** Statements whose effect would outlive the transaction, on a connection that the next user gets. */
const LASTING =
  /^\s*(SET\s+(?!LOCAL|TRANSACTION)|LISTEN|UNLISTEN|NOTIFY|PREPARE|DEALLOCATE|DISCARD|LOAD)|\bTEMP(ORARY)?\s+TABLE|\bWITH\s+HOLD\b|pg_(try_)?advisory_(un)?lock|set_config\([^)]*false\)/i;

let tap: Wiretap;
let user: Person;

beforeAll(async () => {
  tap = await tapWire(String(process.env.DATABASE_URL));
  Object.assign(env(), { DATABASE_URL: tap.url, DATABASE_POOLER: "transaction" });
});
afterAll(async () => {
  await closeDatabase();
  await tap.stop();
});

async function succeed(method: Method, path: string, body?: object, key?: string) {
  const answer = await call(
    user.cookie,
    method,
    path,
    body,
    key ? { headers: { "idempotency-key": key } } : {},
  );
  expect({ path, status: answer.status }).toEqual({ path, status: expect.toSatisfy((code) => code < 300) });
  return answer.body;
}

describe("with DATABASE_POOLER=transaction", () => {
  test("the program starts, and its role carries the settings that its connections cannot", async () => {
    await prepareDatabase(tap.url, {}, false);
    expect(
      await rows(
        sql`SELECT current_setting('TimeZone') AS zone, current_setting('statement_timeout') AS most`,
      ),
    ).toEqual([{ zone: "UTC", most: "3s" }]);
  });

  test("no statement is named and nothing outlives its transaction, whatever is done and however often", async () => {
    user = await makeUser(PERMISSION_NAMES.map((name) => permissionKey(name) as Permission));
    const values = await fullForm("Legal Advocacy", await addClient(user));
    for (let n = 0; n < 6; n++) {
      const { form: made } = await succeed("POST", "/api/forms", { form: values }, `form ${n}`);
      await succeed("PUT", `/api/forms/${made.id}`, { form: { ...values, lockVersion: made.lockVersion } });
      await succeed("GET", `/api/forms/${made.id}`);
      await succeed("GET", "/api/forms?search=a&sort=client&order=desc");
      await succeed("GET", "/api/clients?search=a");
      await succeed("GET", "/api/me");
    }
    await addForm(user, await addClient(user), "2001-10-05", [["CRISIS", 30]]);
    const period = "from=2001-10-01&to=2001-12-31";
    await succeed("GET", `/api/reports/pmt?${period}`);
    await succeed("GET", `/api/reports/pmt/lines/individuals_served?${period}`);
    await succeed("GET", "/api/audit_events");
    await succeed("GET", "/api/forms.csv");
    await succeed("GET", "/api/health");
    await succeed("PUT", "/api/closed_periods", { closedThrough: null });
    for (const work of [sealAudit, dropOldMonths]) await work();
    expect(tap.texts.length).toBeGreaterThan(150);
    expect(tap.names).toEqual([]);
    expect(tap.texts.filter((text) => LASTING.test(text))).toEqual([]);
  });

  test("connections start with no parameter that PgBouncer refuses", () => {
    expect([...tap.startup].sort()).toEqual(["client_encoding", "database", "user"]);
  });

  test("the start is refused on a connection that is older than the settings", async () => {
    const lent = new pg.Client(tap.url);
    await lent.connect();
    const query = queryOn(lent);
    await assertSettings(query);
    await lent.query("SET TimeZone = 'America/New_York'");
    await expect(assertSettings(query)).rejects.toThrow(
      /older than what was set for their role \(TimeZone\): run RECONNECT/,
    );
    await lent.end();
  });
});
