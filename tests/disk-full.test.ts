import { afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { PERMISSION_NAMES, type Permission, permissionKey } from "@/lib/core/access/permissions";
import { closeDatabase, pool } from "@/lib/core/database/client";
import { queryAt } from "@/lib/dev/query";
import { type Answer, call } from "@/tests/call";
import { bypassPooler, directUrl } from "@/tests/direct";
import { fullClient, makeUser, type Person } from "@/tests/factories";
import { takeErrors, takeLog } from "@/tests/setup/console";

// PostgreSQL without space for one row more. Its refusals are imitated: a real full disk needs a mount of its own.

const TABLES = ["clients", "forms", "sessions", "drafts", "ethnicities", "audit_events"];

let user: Person;

beforeAll(async () => {
  user = await makeUser(PERMISSION_NAMES.map((name) => permissionKey(name) as Permission));
  await pool().query(
    `CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS
     $$ BEGIN RAISE EXCEPTION 'could not extend file' USING ERRCODE = TG_ARGV[0]; END $$`,
  );
});

/** From now on PostgreSQL refuses to write, with this code. */
async function refuseWrites(code: string): Promise<void> {
  for (const table of TABLES) {
    await pool().query(
      `CREATE TRIGGER refuse BEFORE INSERT OR UPDATE OR DELETE ON ${table} EXECUTE FUNCTION refuse('${code}')`,
    );
  }
}

async function allowWrites(): Promise<void> {
  for (const table of TABLES) await pool().query(`DROP TRIGGER IF EXISTS refuse ON ${table}`);
}

describe("a save while nothing can be written", () => {
  afterEach(allowWrites);

  const saves: [string, () => Promise<Answer>][] = [
    ["of a client", async () => call(user.cookie, "POST", "/api/clients", { client: await fullClient() })],
    ["of a list's row", () => call(user.cookie, "POST", "/api/ethnicities", { ethnicity: { name: "New" } })],
    [
      "of a list's row that exists",
      () => call(user.cookie, "PUT", "/api/ethnicities/1", { ethnicity: { name: "Renamed" } }),
    ],
    ["of a draft", () => call(user.cookie, "PUT", "/api/drafts/form-new", { draft: { content: {} } })],
  ];

  it.each(saves)(
    "%s is answered 503 with the reason, and is served again once there is space",
    async (_, save) => {
      await refuseWrites("53100");
      const refused = await save();
      expect([refused.status, refused.body, refused.headers.get("retry-after")]).toEqual([
        503,
        {
          error:
            "Nothing can be saved at the moment: the server's disk is full. Please tell your administrator.",
          code: "unavailable",
        },
        "30",
      ]);
      await allowWrites();
      expect((await save()).status).toBeLessThan(300);
    },
  );

  it.each([
    ["58030", "the server cannot write to its disk"],
    ["25006", "the database accepts no changes"],
  ])("for PostgreSQL's reason %s says that %s", async (code, reason) => {
    await refuseWrites(code);
    const { status, body } = await call(user.cookie, "POST", "/api/ethnicities", {
      ethnicity: { name: "No" },
    });
    expect([status, body.error]).toEqual([503, expect.stringContaining(`at the moment: ${reason}.`)]);
  });

  it("does not affect reading, though the session's last use cannot be stored", async () => {
    await pool().query("UPDATE sessions SET last_seen_at = now() - interval '2 minutes'");
    await refuseWrites("53100");
    expect((await call(user.cookie, "GET", "/api/ethnicities")).status).toBe(200);
    takeErrors();
  });
});

describe("the health check", () => {
  const own = new URL(directUrl());

  // A pooler keeps its connections, and with them the settings that they began with.
  beforeAll(bypassPooler);
  /** Of every connection that is made from now on. */
  const setDatabase = (sql: string) =>
    queryAt(new URL("/postgres", own).href, `ALTER DATABASE ${own.pathname.slice(1)} ${sql}`);
  const ask = () => call(null, "GET", "/api/health");
  /** Asked again, because it answers 503 too where the machine is too busy for its two seconds. */
  const health = () => expect.poll(ask);

  it.each([
    ["has no space for what it puts aside", "temp_file_limit", "0", "53400"],
    ["accepts no changes", "default_transaction_read_only", "on", "25006"],
  ])(
    "answers 503 while PostgreSQL %s, names the reason in the log, and recovers by itself",
    async (_, name, value, code) => {
      await health().toMatchObject({ status: 200 });
      await setDatabase(`SET ${name} = '${value}'`);
      await closeDatabase();
      await health().toMatchObject({ status: 503, body: { status: "unavailable", code: "unavailable" } });
      const codes = async () => {
        await ask();
        return takeLog().map(({ code }) => code);
      };
      await expect.poll(codes).toContain(code);
      await setDatabase(`RESET ${name}`);
      await closeDatabase();
      await health().toMatchObject({ status: 200 });
    },
  );

  it("gives up a connection that may only read, because by then the same name may lead to a new primary", async () => {
    await setDatabase("SET default_transaction_read_only = on");
    await closeDatabase();
    await health().toMatchObject({ status: 503 });
    // Connections that were made before stay as they are.
    await setDatabase("RESET default_transaction_read_only");
    await health().toMatchObject({ status: 200 });
  });
});
