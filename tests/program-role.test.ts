import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { dropOldMonths, sealAudit } from "@/lib/audit/seals";
import { compareTrail, verifyAudit } from "@/lib/audit/verify";
import { closeDatabase, type Query, rows } from "@/lib/core/database/client";
import { env } from "@/lib/core/process/env";
import { sql } from "@/lib/core/sql";
import { prepareDatabase } from "@/lib/ops/prepare";
import { canChangeAudit } from "@/lib/ops/program-role";

// The database role of the program, which is not the owner of the database.

const DATABASE_OWNER_URL = String(process.env.DATABASE_URL);
const url = new URL(DATABASE_OWNER_URL);
url.username = `program_${url.pathname.slice(-12)}`;
url.password = "of the program";
let owner: pg.Client;
let program: pg.Client;

beforeAll(async () => {
  await prepareDatabase(url.href, { DATABASE_OWNER_URL }, false);
  owner = new pg.Client(DATABASE_OWNER_URL);
  program = new pg.Client(url.href);
  await Promise.all([owner.connect(), program.connect()]);
});
afterAll(async () => {
  await program.end();
  await owner.query(`DROP OWNED BY ${url.username}`);
  await owner.query(`DROP ROLE ${url.username}`);
  await owner.end();
});

/** Seals all rows, once no transaction of other tests is open. */
async function sealAll(): Promise<void> {
  await expect
    .poll(async () => {
      await sealAudit();
      return (await verifyAudit(owner)).unsealed;
    })
    .toBe(0);
}

/** Returns PostgreSQL's error code if it refuses the statement, or undefined if it succeeds. */
const refusal = (sql: string) =>
  program.query(sql).then(
    () => undefined,
    (error: pg.DatabaseError) => error.code,
  );

describe("the program's role", () => {
  test("can insert and read rows of the trail", async () => {
    expect(
      await refusal("INSERT INTO audit_events (user_name, action) VALUES ('Ada', 'viewed')"),
    ).toBeUndefined();
    expect((await program.query("SELECT FROM audit_events")).rowCount).toBe(1);
    const as =
      (client: pg.Client): Query =>
      async (text) =>
        (await client.query(text)).rows;
    expect(await canChangeAudit(as(program))).toBe(false);
    expect(await canChangeAudit(as(owner))).toBe(true);
  });

  test.each([
    "UPDATE audit_events SET user_name = 'x'",
    "DELETE FROM audit_events",
    "TRUNCATE audit_events",
    "DELETE FROM audit_events_default",
    "INSERT INTO audit_events_default (user_name, action) VALUES ('x', 'viewed')",
    "INSERT INTO audit_events (user_name, action, at) VALUES ('x', 'viewed', '2020-01-01')",
    "INSERT INTO audit_events (user_name, action, position) VALUES ('x', 'viewed', 1)",
    "INSERT INTO audit_events (user_name, action, id) VALUES ('x', 'viewed', 1)",
    "SELECT setval('audit_events_id_seq', 1)",
    "UPDATE audit_seals SET position = 0",
    "DELETE FROM audit_seals",
    "UPDATE audit_retention SET months = 1",
    "UPDATE _prisma_migrations SET checksum = ''",
    "CREATE TABLE mine (id int)",
    "ALTER TABLE audit_events ADD COLUMN x int",
    "DROP TABLE clients",
    "CREATE FUNCTION audit_offset() RETURNS bigint LANGUAGE sql RETURN 1",
    "CREATE OR REPLACE FUNCTION audit_offset() RETURNS bigint LANGUAGE sql RETURN 1",
    "CREATE TRIGGER t BEFORE INSERT ON audit_events EXECUTE FUNCTION copy_client_name()",
    "ALTER TABLE audit_events DISABLE TRIGGER ALL",
    "CREATE ROLE another SUPERUSER",
    "SET ROLE postgres",
  ])("is refused: %s", async (sql) => {
    expect(["42501", "2BP01", "42809"]).toContain(await refusal(sql));
  });

  test("is sufficient for seeding, sealing and normal use", async () => {
    env().DATABASE_URL = url.href;
    await closeDatabase();
    await sealAll();
    // Once the database is prepared, the program no longer needs the owner's URL.
    expect(await prepareDatabase(url.href, {}, true)).toEqual({ isProtected: true });
    expect((await rows<{ name: string }>(sql`SELECT current_user::text AS name`))[0]?.name).toBe(
      url.username,
    );
    expect(await verifyAudit(owner)).toMatchObject({ unsealed: 0, findings: [] });
  });

  test("may not be a superuser", async () => {
    await expect(
      (async () => {
        await owner.query(`ALTER ROLE ${url.username} SUPERUSER`);
        await prepareDatabase(url.href, { DATABASE_OWNER_URL }, false);
      })(),
    ).rejects.toThrow("could change the audit trail");
    await owner.query(`ALTER ROLE ${url.username} NOSUPERUSER`);
  });
});

test("the start warns that the trail is unprotected if the role is the owner's", async () => {
  const asRole = async (address: string) => {
    env().DATABASE_URL = address;
    await closeDatabase();
  };
  await asRole(DATABASE_OWNER_URL);
  expect(await prepareDatabase(DATABASE_OWNER_URL, {}, false)).toEqual({ isProtected: false });
  await asRole(url.href);
});

describe("the monthly partitions of the trail", () => {
  const parts = async () =>
    (await owner.query("SELECT count(*)::int AS n FROM pg_partition_tree('audit_events') WHERE isleaf"))
      .rows[0].n;

  test("are created two years ahead, and rows from before that move into them", async () => {
    // This month, 24 more, and the default.
    expect(await parts()).toBe(26);
    await owner.query(
      "INSERT INTO audit_events (at, user_name, action) VALUES (now() + interval '30 months', 'Late', 'viewed')",
    );
    await owner.query("SELECT make_audit_months(now() - interval '8 years')");
    expect(await parts()).toBe(26 + 96);
    expect((await owner.query("SELECT FROM audit_events_default")).rowCount).toBe(1);
  });

  test("cannot be dropped by any other role of the server", async () => {
    const stranger = `stranger_${url.pathname.slice(-12)}`;
    await owner.query(`CREATE ROLE ${stranger}`);
    try {
      await owner.query(`SET ROLE ${stranger}`);
      await expect(
        owner.query("SELECT drop_audit_month((now() - interval '95 months')::date, 1, 'Ada')"),
      ).rejects.toThrow("permission denied for function drop_audit_month");
    } finally {
      await owner.query("RESET ROLE");
      await owner.query(`DROP ROLE ${stranger}`);
    }
  });

  test("are dropped by the owner's function, which refuses months to be kept and returns the dropped ones", async () => {
    const drop = (months: number) =>
      program.query("SELECT drop_audit_month((now() - make_interval(months => $1))::date, 1, 'Ada')", [
        months,
      ]);
    await owner.query(
      "INSERT INTO audit_events (at, user_name, action) VALUES (now() - interval '95 months', 'Old', 'viewed')",
    );
    await expect(drop(3)).rejects.toThrow("still to be kept");
    await expect(drop(95)).rejects.toThrow("not sealed yet");
    await sealAll();
    await drop(95);
    await sealAll();
    expect(await verifyAudit(owner)).toMatchObject({ unsealed: 0, findings: [] });
    const { rows: events } = await owner.query(
      "SELECT user_name FROM audit_events WHERE entity = 'auditMonth'",
    );
    expect(events).toEqual([{ user_name: "Ada" }]);
  });

  test("are dropped automatically once their retention ends, and no others", async () => {
    await owner.query(
      "INSERT INTO audit_events (at, user_name, action) VALUES (now() - interval '90 months', 'Old', 'viewed'), (now() - interval '80 months', 'Kept', 'viewed')",
    );
    await sealAll();
    await dropOldMonths();
    await sealAll();
    const { rows: left } = await owner.query(
      "SELECT user_name FROM audit_events WHERE user_name IN ('Old', 'Kept')",
    );
    expect(left).toEqual([{ user_name: "Kept" }]);
    expect(await verifyAudit(owner)).toMatchObject({ unsealed: 0, findings: [] });
    const months = await parts();
    await dropOldMonths();
    expect(await parts()).toBe(months);
  });

  describe("explain no gap except their own:", () => {
    /**
     * Returns the findings after rows are deleted by someone with database access, who first records that
     * their months were dropped.
     */
    async function findingsAfterDeletion(
      name: string,
      inserted: string[],
      deleted: string,
    ): Promise<string[]> {
      for (const at of inserted)
        await owner.query(
          `INSERT INTO audit_events (at, user_name, action) VALUES (now() - interval '${at}', '${name}', 'viewed')`,
        );
      await sealAll();
      await owner.query(
        `INSERT INTO audit_events (user_name, action, entity, entity_id)
         SELECT DISTINCT 'Forger', 'purged', 'auditMonth', to_char(at AT TIME ZONE 'UTC', 'YYYYMM')::int
         FROM audit_events WHERE user_name = '${name}'`,
      );
      await sealAll();
      await owner.query("BEGIN");
      try {
        await owner.query("UPDATE audit_retention SET months = 1");
        await owner.query(`DELETE FROM audit_events WHERE user_name = '${name}' ${deleted}`);
        return (await compareTrail(owner)).findings;
      } finally {
        await owner.query("ROLLBACK");
      }
    }

    test("rows within retention are missing, whatever the trail records about their month", async () => {
      expect(await findingsAfterDeletion("Recent", ["80 months"], "")).toEqual([
        expect.stringContaining("is missing."),
      ]);
    });

    test("a row is missing in an expired month whose other rows still exist", async () => {
      const one = "AND id = (SELECT min(id) FROM audit_events WHERE user_name = 'Other')";
      expect(await findingsAfterDeletion("Other", ["87 months", "87 months"], one)).toEqual([
        expect.stringContaining("is missing."),
      ]);
    });
  });
});
