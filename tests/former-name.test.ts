import path from "node:path";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { verifyAudit } from "@/lib/audit/verify";
import { closeDatabase, rows } from "@/lib/core/database/client";
import { sql } from "@/lib/core/database/sql";
import { env } from "@/lib/core/server/env";
import { readArchive } from "@/lib/ops/archive";
import { removeDataDir, startCluster } from "@/lib/ops/embedded";
import { prepareDatabase } from "@/lib/ops/prepare";
import { codeOf } from "@/tests/authenticator";
import { call } from "@/tests/call";
import { tempDataDir } from "@/tests/setup/data-dir";

// An installation made in November 2026, under the product's former name and schema, keeps working. The backup holds an
// account with two-step sign-in, a client who was renamed, a form, a draft and a sealed audit trail.

const BACKUP = path.join("tests", "fixtures", "former-name.backup");
const PASSPHRASE = "the passphrase of November 2026";
const ACCOUNT = { email: "user1@example.org", password: "Correct-Horse-7" };
const TWO_STEP_SECRET = "5DNPX6MP2X5E3QEQ5KHBEM3U5CC3SG4R";

describe("a backup made under the former name", () => {
  let cookie: string;

  beforeAll(async () => {
    const address = String(process.env.DATABASE_URL);
    const owner = new pg.Client(address);
    await owner.connect();
    const name = `${new URL(address).pathname.slice(1)}_former`;
    await owner.query(`CREATE DATABASE ${name} TEMPLATE template0`);
    await owner.end();
    Object.assign(env(), {
      DATABASE_URL: new URL(`/${name}`, address).href,
      AUTH_SECRET: "the secret of an installation of November 2026",
    });
    await readArchive(env().DATABASE_URL, BACKUP, { passphrase: PASSPHRASE });
    await prepareDatabase(env().DATABASE_URL, {}, false);
    const login = { ...ACCOUNT, otp: codeOf(TWO_STEP_SECRET) };
    const { status, body, headers } = await call(null, "POST", "/api/login", { login });
    expect(status, JSON.stringify(body)).toBe(200);
    cookie = headers.getSetCookie().map((line) => line.split(";")[0])[0] ?? "";
  });

  afterAll(async () => {
    env().DATABASE_URL = String(process.env.DATABASE_URL);
    await closeDatabase();
  });

  test("opens its drafts", async () => {
    await rows(sql`UPDATE drafts SET updated_at = now()`);
    const { status, body } = await call(cookie, "GET", "/api/drafts/kept");
    expect(status).toBe(200);
    expect(body.draft.content).toMatchObject({
      form: { note: "Typed before the name changed" },
      client: { name: "Wilma Former" },
    });
  });

  test("shows former values in the history of a client", async () => {
    const { body } = await call(cookie, "GET", "/api/clients/1/history");
    expect(JSON.stringify(body)).toContain('"to":"Rosa Renamed"');
    expect(JSON.stringify(body)).toContain("Rosa Álvarez-Núñez");
  });

  test("has an audit trail whose seals are valid", async () => {
    const client = new pg.Client(env().DATABASE_URL);
    await client.connect();
    try {
      expect(await verifyAudit(client)).toMatchObject({ seals: 1, findings: [] });
    } finally {
      await client.end();
    }
  });
});

test("an embedded database made under the former name gets the present name, and so does its role", async () => {
  const dataDir = await tempDataDir();
  const namesOf = async (url: string) => {
    const client = new pg.Client(url);
    await client.connect();
    const { rows: tables } = await client.query<{ name: string }>(
      `SELECT datname AS name FROM pg_database WHERE NOT datistemplate
       UNION ALL SELECT rolname FROM pg_roles WHERE rolname IN ('casebook_program', 'lanternbook_program') ORDER BY 1`,
    );
    await client.end();
    return tables.map(({ name }) => name);
  };
  try {
    const former = await startCluster({ dataDir, throwaway: true });
    const client = new pg.Client(new URL("/postgres", former.url).href);
    await client.connect();
    await client.query("ALTER DATABASE lanternbook RENAME TO casebook");
    await client.query("CREATE ROLE casebook_program LOGIN");
    await client.end();
    await former.stop();
    const present = await startCluster({ dataDir, throwaway: true });
    try {
      expect(await namesOf(present.url)).toEqual(["lanternbook", "lanternbook_program", "postgres"]);
    } finally {
      await present.stop();
    }
  } finally {
    await removeDataDir(dataDir);
  }
});
