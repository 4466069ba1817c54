import { createHash } from "node:crypto";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { verifyAudit } from "@/lib/audit/verify";
import { closeDatabase, rows } from "@/lib/core/database/client";
import { env } from "@/lib/core/process/env";
import { sql } from "@/lib/core/sql";
import { queryAt } from "@/lib/dev/query";
import { readArchive } from "@/lib/ops/archive";
import { migrate } from "@/lib/ops/migrate";
import { prepareDatabase } from "@/lib/ops/prepare";
import type { SubmittedLine } from "@/lib/reports/submissions/schema";
import { codeOf } from "@/tests/authenticator";
import { call } from "@/tests/call";
import { catalogOf } from "@/tests/catalog";
import { directUrl } from "@/tests/direct";
import { hashing } from "@/tests/setup/hashing";

// Databases and backups of version 0.1.0 (commit df3eb6d6) keep working. The migration `init` has its whole schema.

const FIXTURES = path.join("tests", "fixtures");
const REFUSAL = "First start version 0.1.0 (commit df3eb6d6) with it, then this version.";

const names: string[] = [];

/** Creates an empty database and returns its URL. */
async function createDatabase(): Promise<string> {
  const own = new URL(directUrl()).pathname.slice(1);
  const name = `${own}_upgrade_${names.length}`;
  await queryAt(directUrl(), `CREATE DATABASE ${name} TEMPLATE template0`);
  names.push(name);
  return new URL(`/${name}`, directUrl()).href;
}

afterAll(async () => {
  for (const name of names) await queryAt(directUrl(), `DROP DATABASE ${name} WITH (FORCE)`);
});

async function connected<Result>(url: string, work: (client: pg.Client) => Promise<Result>): Promise<Result> {
  const client = new pg.Client(url);
  await client.connect();
  return work(client).finally(() => client.end());
}

/** Applies the migrations of version 0.1.0, without the last `missing` ones. */
async function prepareFormer(client: pg.Client, missing = 0): Promise<void> {
  const packed = await readFile(path.join(FIXTURES, "migrations-before-1.0.json.gz"));
  const migrations = Object.entries<string>(JSON.parse(gunzipSync(packed).toString())).sort();
  const folder = await mkdtemp(path.join(tmpdir(), "lanternbook-former-"));
  for (const [name, text] of migrations.slice(0, migrations.length - missing)) {
    await mkdir(path.join(folder, name));
    await writeFile(path.join(folder, name, "migration.sql"), text);
  }
  await migrate(client, folder);
  await rm(folder, { recursive: true });
}

const recordedBy = async (client: pg.Client) =>
  (await client.query("SELECT migration_name, checksum FROM _prisma_migrations ORDER BY 1")).rows;

describe("a database of version 0.1.0", () => {
  test("has the same catalog after the upgrade as a new database, and keeps its rows", async () => {
    const former = await createDatabase();
    const fresh = await createDatabase();
    const expected = await connected(fresh, async (client) => {
      await migrate(client);
      return { catalog: await catalogOf(client), recorded: await recordedBy(client) };
    });
    await connected(former, async (client) => {
      await prepareFormer(client);
      await client.query(`INSERT INTO roles (name, updated_at) VALUES ('Kept', now());
        UPDATE closed_periods SET closed_through = '2026-09-30'`);
      const applied = await migrate(client);
      expect(applied).not.toContain("20261126000000_init");
      expect(applied.length).toBe(expected.recorded.length - 1);
      expect(await recordedBy(client)).toEqual(expected.recorded);
      expect(expected.catalog.length).toBeGreaterThan(2000);
      expect(await catalogOf(client)).toEqual(expected.catalog);
      expect((await client.query("SELECT name::text FROM roles")).rows).toEqual([{ name: "Kept" }]);
      expect((await client.query("SELECT closed_through::text FROM closed_periods")).rows).toEqual([
        { closed_through: "2026-09-30" },
      ]);
      expect(await migrate(client)).toEqual([]);
    });
  });

  test("is recognized by exactly its migrations: an older one is refused, and nothing changes", async () => {
    await connected(await createDatabase(), async (client) => {
      await prepareFormer(client, 1);
      const before = [await catalogOf(client), await recordedBy(client)];
      await expect(migrate(client)).rejects.toThrow(`The database is older`);
      await expect(migrate(client)).rejects.toThrow(REFUSAL);
      expect([await catalogOf(client), await recordedBy(client)]).toEqual(before);
    });
  });

  test("is not recognized if one of its migrations was changed", async () => {
    await connected(await createDatabase(), async (client) => {
      await prepareFormer(client);
      await client.query("UPDATE _prisma_migrations SET checksum = 'x' WHERE migration_name LIKE '%_mail'");
      await expect(migrate(client)).rejects.toThrow(REFUSAL);
    });
  });
});

test("a backup that is older than version 0.1.0 is refused", async () => {
  const folder = await mkdtemp(path.join(tmpdir(), "lanternbook-former-"));
  const file = path.join(folder, "old.gz");
  const head = { lanternbook: 2, madeAt: "2026-11-22", migrations: { "20261121000000_init": "x" } };
  const packed = gzipSync(`${JSON.stringify(head)}\n["end",{}]\n`);
  await writeFile(file, Buffer.concat([packed, createHash("sha256").update(packed).digest()]));
  await expect(readArchive(await createDatabase(), file, {})).rejects.toThrow(
    `The database in the backup is older than this version can upgrade. ${REFUSAL}`,
  );
  await rm(folder, { recursive: true });
});

describe("a backup of version 0.1.0", () => {
  const ACCOUNT = { email: "user1@example.org", password: "Correct-Horse-7" };
  const TWO_STEP_SECRET = "7KTNX7UFLW2E76OUJYATLDNWNCFOWO5X";
  let cookie: string;

  const get = async (url: string) => {
    const { status, body } = await call(cookie, "GET", url);
    expect(status, url).toBe(200);
    return body;
  };

  beforeAll(async () => {
    const url = await createDatabase();
    Object.assign(env(), {
      DATABASE_URL: url,
      AUTH_SECRET: "the secret of an installation before 1.0",
    });
    const file = path.join(FIXTURES, "before-1.0.backup");
    await readArchive(url, file, { passphrase: "the passphrase before version 1.0" });
    await prepareDatabase(url, {}, false);
    // The stored hash has the full cost.
    hashing.cost = 12;
    const login = { ...ACCOUNT, otp: codeOf(TWO_STEP_SECRET) };
    const { status, body, headers } = await call(null, "POST", "/api/login", { login });
    expect(status, JSON.stringify(body)).toBe(200);
    cookie = headers.getSetCookie().map((line) => line.split(";")[0])[0] ?? "";
  });

  afterAll(async () => {
    env().DATABASE_URL = String(process.env.DATABASE_URL);
    await closeDatabase();
  });

  test("has its forms with all their sections, and its clients", async () => {
    const { meta } = await get("/api/forms?filters[formStatus]=all");
    expect(meta.totalCount).toBe(20);
    for (let id = 1; id <= 20; id += 1) {
      const { form } = await get(`/api/forms/${id}`);
      expect(form).toMatchObject({ id, intakeForm: expect.anything() });
      expect(form.serviceStatusEntry === null, form.serviceStatus).toBe(form.serviceStatus === "Served");
    }
    expect((await get("/api/clients")).meta.totalCount).toBe(7);
    expect((await get("/api/forms/2")).form.comments).toMatchObject([{ text: "Which code?" }]);
    expect((await get("/api/forms/3")).form.returned).toMatchObject({ comment: "Who was there?" });
    expect((await get("/api/forms/4")).form.reconciled).toBe(true);
  });

  test("opens its drafts", async () => {
    await rows(sql`UPDATE drafts SET updated_at = now()`);
    expect((await get("/api/drafts/kept")).draft.content).toMatchObject({
      form: { note: "Typed before version 1.0" },
      client: { name: "Wilma Former" },
    });
  });

  test("shows former values in histories", async () => {
    const history = JSON.stringify(await get("/api/clients/1/history"));
    expect(history).toContain('"to":"Rosa Renamed"');
    expect(history).toContain("Rosa Álvarez-Núñez");
    expect(JSON.stringify(await get("/api/forms/1/history"))).toContain('"action":"updated"');
  });

  test("has its contacts, stays, fields, hold, restriction, closed period, and imports", async () => {
    expect((await get("/api/contacts")).meta.totalCount).toBe(2);
    expect((await get("/api/stays")).meta.totalCount).toBe(3);
    expect((await get("/api/fields")).definitions.fields).toHaveLength(3);
    expect(await get("/api/closed_periods")).toMatchObject({ closedThrough: "2026-01-31" });
    expect(JSON.stringify(await get("/api/clients/8/restrictions"))).toContain("Second");
    expect((await get("/api/imports")).imports).toHaveLength(1);
  });

  test("has its submissions, whose numbers stay", async () => {
    for (const key of ["pmt", "pccd", "fvpsa"]) {
      const { submissions } = await get(`/api/reports/${key}/submissions`);
      expect(submissions).toHaveLength(1);
      const { submission } = await get(`/api/reports/${key}/submissions/${submissions[0].id}`);
      const lines: SubmittedLine[] = submission.lines;
      expect(
        lines.some(({ count }) => count > 0),
        key,
      ).toBe(true);
      // The rules of fvpsa have changed, so that it has no comparison.
      for (const { key: line, count, now } of lines) expect(now, line).toBe(key === "fvpsa" ? null : count);
    }
  });

  test("has an audit trail whose seals are valid", async () => {
    const verified = await connected(env().DATABASE_URL, (client) => verifyAudit(client));
    expect(verified.findings).toEqual([]);
    expect(verified.seals).toBeGreaterThan(5);
  });

  test("can undo its merges", async () => {
    const { merges } = await get("/api/clients/5/merges");
    const undone = await call(cookie, "POST", `/api/merges/${merges[0].id}/undo`, { keepChanged: false });
    expect(undone.status, JSON.stringify(undone.body)).toBe(200);
    expect(undone.body.other).toMatchObject({ id: 6, name: "Zoe Merge" });
    expect((await get("/api/clients")).meta.totalCount).toBe(8);
  });
});
