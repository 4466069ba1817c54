import { spawnSync } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { compare } from "bcryptjs";
import pg from "pg";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { db } from "@/lib/core/database/client";
import { unmetPasswordRules } from "@/lib/core/passwords/rules";
import { isPractice, PRACTICE_VARIABLE } from "@/lib/core/process/practice";
import { queryAt } from "@/lib/dev/query";
import { readArchive, writeArchive } from "@/lib/ops/archive";
import { DEMO } from "@/lib/ops/demo";
import { migrate } from "@/lib/ops/migrate";
import { applyPracticeSettings, practiceDay, preparePractice, refusePractice } from "@/lib/ops/practice";
import { prepareDatabase } from "@/lib/ops/prepare";
import { ensureDemoAccounts, ensurePracticeAccounts, practiceAccounts } from "@/prisma/demo-accounts";
import { logIn, makeAccount, PASSWORD } from "@/tests/accounts-helpers";
import { call } from "@/tests/call";
import { directUrl } from "@/tests/direct";

const cookieOf = (line: string) => line.split(";", 1)[0] ?? "";

const NAME = "practice_test";
let client: pg.Client;
let url: string;

beforeEach(async () => {
  await queryAt(directUrl(), `DROP DATABASE IF EXISTS ${NAME}`);
  await queryAt(directUrl(), `CREATE DATABASE ${NAME}`);
  url = new URL(`/${NAME}`, directUrl()).href;
  client = new pg.Client(url);
  await client.connect();
});

afterEach(async () => {
  await client.end();
  await queryAt(directUrl(), `DROP DATABASE ${NAME} WITH (FORCE)`);
});

const tables = async () =>
  (
    await client.query(
      "SELECT FROM pg_class WHERE relkind = 'r' AND relnamespace::regnamespace::text = 'public'",
    )
  ).rowCount;

describe("practice mode", () => {
  test("marks an empty database, keeps its records for the day, and deletes them on another day", async () => {
    await preparePractice(client, "2026-03-01");
    await migrate(client);
    await client.query("INSERT INTO canines (name, updated_at) VALUES ('Kept', now())");
    await preparePractice(client, "2026-03-01");
    expect((await client.query("SELECT FROM canines")).rowCount).toBe(1);
    await preparePractice(client, "2026-03-02");
    expect(await tables()).toBe(0);
    await migrate(client);
    expect((await client.query("SELECT FROM canines")).rowCount).toBe(0);
  });

  test("refuses a database with a table and without the mark, and changes nothing in it", async () => {
    await client.query("CREATE TABLE anything (id int); INSERT INTO anything VALUES (1)");
    await expect(preparePractice(client)).rejects.toThrow("is not marked for practice");
    expect((await client.query("SELECT FROM anything")).rowCount).toBe(1);
    expect((await client.query("SELECT FROM pg_namespace WHERE nspname = 'practice'")).rowCount).toBe(0);
  });

  test("refuses a real database also when the program starts on it", async () => {
    await migrate(client);
    const before = await tables();
    await expect(prepareDatabase(url, {}, { practice: true, isServed: false })).rejects.toThrow(
      "is not marked for practice",
    );
    expect(await tables()).toBe(before);
  });

  test("refuses a database whose tables are in another schema", async () => {
    await client.query("CREATE SCHEMA elsewhere; CREATE TABLE elsewhere.anything (id int)");
    await expect(preparePractice(client)).rejects.toThrow("is not marked for practice");
  });

  test("keeps the mark and the records if the reset fails halfway", async () => {
    await preparePractice(client, "2026-03-01");
    await migrate(client);
    const failing = async (text: string, values?: unknown[]) => {
      if (text.startsWith("DROP SCHEMA")) throw new Error("no");
      return client.query(text, values);
    };
    await expect(preparePractice({ query: failing as typeof client.query }, "2026-03-02")).rejects.toThrow(
      "no",
    );
    expect((await client.query("SELECT day::text FROM practice.mark")).rows).toEqual([{ day: "2026-03-01" }]);
    expect(await tables()).toBeGreaterThan(10);
  });
});

describe("an ordinary start", () => {
  test("refuses a database with the mark of practice, and deletes nothing", async () => {
    await preparePractice(client);
    await migrate(client);
    const before = await tables();
    await expect(refusePractice(client)).rejects.toThrow("This database is for practice");
    await expect(prepareDatabase(url, {}, true)).rejects.toThrow("This database is for practice");
    expect(await tables()).toBe(before);
  });

  test("accepts a database without the mark", async () => {
    await migrate(client);
    await expect(refusePractice(client)).resolves.toBeUndefined();
  });
});

test("a restore refuses an empty database with the mark of practice, which would be emptied at night", async () => {
  await preparePractice(client, "2026-03-01");
  await migrate(client);
  const folder = await mkdtemp(path.join(tmpdir(), "lanternbook-practice-"));
  const file = path.join(folder, "backup");
  await writeArchive(url, file, null);
  await preparePractice(client, "2026-03-02");
  await expect(readArchive(url, file, {})).rejects.toThrow("This database is for practice");
  expect(await tables()).toBe(0);
  await rm(folder, { recursive: true });
});

describe("the settings of practice mode", () => {
  test("reach no other system, and use a data folder next to the ordinary one", () => {
    const environment: NodeJS.ProcessEnv = {
      NODE_ENV: "test",
      DATA_DIR: "/var/lib/lanternbook/",
      APP_URL: "https://practice.example.org",
      SMTP_URL: "smtp://mail",
      SENTRY_DSN: "https://x@sentry.example/1",
      OIDC_ISSUER: "https://login",
      ADMIN_EMAIL: "a@b.org",
      ADMIN_PASSWORD: "x",
      DATABASE_REPLICA_URL: "postgresql://replica/x",
    };
    applyPracticeSettings(environment);
    expect(environment).toEqual({
      NODE_ENV: "test",
      DATA_DIR: "/var/lib/lanternbook-practice",
      APP_URL: "https://practice.example.org",
      [PRACTICE_VARIABLE]: "on",
    });
    const blank: NodeJS.ProcessEnv = { NODE_ENV: "test" };
    applyPracticeSettings(blank);
    expect(blank.DATA_DIR).toBe(".data-practice");
    expect(isPractice()).toBe(false);
  });

  test("begin a new day at 3 a.m.", () => {
    expect(practiceDay(new Date("2026-03-05T02:59:00"))).toBe("2026-03-04");
    expect(practiceDay(new Date("2026-03-05T03:00:00"))).toBe("2026-03-05");
    expect(practiceDay(new Date("2026-01-01T00:00:00"))).toBe("2025-12-31");
  });
});

test("a session of practice mode has another cookie, so that the real program on the same host keeps its own", async () => {
  const user = await makeAccount();
  const real = await logIn(user.email, PASSWORD);
  process.env[PRACTICE_VARIABLE] = "on";
  try {
    const practice = await logIn(user.email, PASSWORD);
    const [ours, theirs] = [real, practice].map(({ headers }) => headers.getSetCookie().map(cookieOf));
    expect(theirs).toMatchObject(
      [/^practice-lanternbook\.session=/, /^practice-lanternbook-device=/].map((name) =>
        expect.stringMatching(name),
      ),
    );
    const both = [...(ours ?? []), ...(theirs ?? [])].join("; ");
    const left = await call(both, "DELETE", "/api/logout");
    expect(left.headers.get("set-cookie")).toMatch(/^practice-lanternbook\.session=;/);
    expect((await call(both, "GET", "/api/me")).status).toBe(401);
    delete process.env[PRACTICE_VARIABLE];
    expect((await call(both, "GET", "/api/me")).status).toBe(200);
  } finally {
    delete process.env[PRACTICE_VARIABLE];
  }
});

describe("the accounts of practice mode", () => {
  test("have the demo password only while no other machine can sign in", () => {
    expect(new Set(practiceAccounts(false).map(({ password }) => password))).toEqual(
      new Set([DEMO.password]),
    );
    const served = practiceAccounts(true).map(({ password }) => password);
    expect(new Set(served).size).toBe(4);
    for (const password of served) {
      expect(unmetPasswordRules(password)).toEqual([]);
      expect(password.length).toBeGreaterThan(24);
      expect(password).not.toContain(DEMO.password);
    }
    expect(practiceAccounts(true)).toEqual(practiceAccounts(true));
  });

  test("sign in with the password that is printed, and stay as a trainee left them", async () => {
    await ensureDemoAccounts(true);
    await ensurePracticeAccounts(true);
    const { email, password } = practiceAccounts(true).at(-1) ?? { email: "", password: "" };
    const director = await db().user.findUniqueOrThrow({ where: { email }, include: { role: true } });
    expect(director.role?.name).toBe("Director");
    expect(await compare(password, director.passwordHash ?? "")).toBe(true);
    await db().role.update({ where: { name: "Director" }, data: { name: "Chief" } });
    await ensurePracticeAccounts(true);
    expect(await db().role.count({ where: { name: "Director" } })).toBe(0);
  });
});

test("practice mode starts again when it ends for the night, and otherwise ends with the code of the program", async () => {
  const folder = await mkdtemp(path.join(tmpdir(), "lanternbook-practice-"));
  const file = path.join(folder, "starts");
  const { status } = spawnSync(process.execPath, [
    "--import",
    "./lib/ops/tsx.mjs",
    "tests/setup/supervised.ts",
    file,
  ]);
  expect(status).toBe(7);
  expect(await readFile(file, "utf8")).toBe("started\nstarted\n");
  await rm(folder, { recursive: true });
});
