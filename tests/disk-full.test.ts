import { afterEach, beforeAll, describe, expect, it } from "vitest";
import { PERMISSION_NAMES, type Permission, permissionKey } from "@/lib/core/access/permissions";
import { closeDatabase, pool } from "@/lib/core/database/client";
import { queryAt } from "@/lib/dev/query";
import { type Answer, call } from "@/tests/call";
import { bypassPooler, directUrl } from "@/tests/direct";
import { fullClient, makeUser, type Person } from "@/tests/factories";
import { takeErrors, takeLog } from "@/tests/setup/console";

// Simulates a PostgreSQL with no disk space left. A real full disk would need its own mount.

const TABLES = ["clients", "forms", "sessions", "drafts", "ethnicities", "audit_events"];

let user: Person;

beforeAll(async () => {
  user = await makeUser(PERMISSION_NAMES.map((name) => permissionKey(name) as Permission));
  await pool().query(
    `CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS
     $$ BEGIN RAISE EXCEPTION 'could not extend file' USING ERRCODE = TG_ARGV[0]; END $$`,
  );
});

/** Makes PostgreSQL refuse every write with this error code from now on. */
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

describe("a save while the database cannot be written to", () => {
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

  it.each(saves)("%s answers 503 with the reason, and succeeds once there is space", async (_, save) => {
    await refuseWrites("53100");
    const refused = await save();
    expect([refused.status, refused.body, refused.headers.get("retry-after")]).toEqual([
      503,
      {
        error: "Nothing can be saved right now: the server's disk is full. Please tell your administrator.",
        code: "unavailable",
      },
      "30",
    ]);
    await allowWrites();
    expect((await save()).status).toBeLessThan(300);
  });

  it.each([
    ["58030", "the server cannot write to its disk"],
    ["25006", "the database accepts no changes"],
  ])("with PostgreSQL error %s gives the reason: %s", async (code, reason) => {
    await refuseWrites(code);
    const { status, body } = await call(user.cookie, "POST", "/api/ethnicities", {
      ethnicity: { name: "No" },
    });
    expect([status, body.error]).toEqual([503, expect.stringContaining(`right now: ${reason}.`)]);
  });

  it("does not affect reads, even though the session's last use cannot be stored", async () => {
    await pool().query("UPDATE sessions SET last_seen_at = now() - interval '2 minutes'");
    await refuseWrites("53100");
    expect((await call(user.cookie, "GET", "/api/ethnicities")).status).toBe(200);
    takeErrors();
  });
});

describe("the health check", () => {
  const own = new URL(directUrl());

  // A pooler keeps its connections, and they keep the settings they started with.
  beforeAll(bypassPooler);
  /** Changes the setting for all connections opened from now on. */
  const setDatabase = (sql: string) =>
    queryAt(new URL("/postgres", own).href, `ALTER DATABASE ${own.pathname.slice(1)} ${sql}`);
  const ask = () => call(null, "GET", "/api/health");
  /** Polled, because the check also returns 503 on a machine too busy for its two-second limit. */
  const health = () => expect.poll(ask);

  it.each([
    ["has no space for temporary files", "temp_file_limit", "0", "53400"],
    ["accepts no changes", "default_transaction_read_only", "on", "25006"],
  ])(
    "answers 503 while PostgreSQL %s, logs the reason, and recovers by itself",
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

  it("drops a read-only connection, because the same name may lead to a new primary by then", async () => {
    await setDatabase("SET default_transaction_read_only = on");
    await closeDatabase();
    await health().toMatchObject({ status: 503 });
    // Existing connections keep their settings.
    await setDatabase("RESET default_transaction_read_only");
    await health().toMatchObject({ status: 200 });
  });
});
