import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdir, mkdtemp, readdir, readFile, rm, stat, truncate, utimes, writeFile } from "node:fs/promises";
import path from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { generateIdentity, identityToRecipient } from "age-encryption";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { newestSeal, sealAudit } from "@/lib/audit/seals";
import { closeDatabase, db, rows } from "@/lib/core/database/client";
import { env } from "@/lib/core/process/env";
import { sql } from "@/lib/core/sql";
import { queryAt } from "@/lib/dev/query";
import { type DeviceOwner, isKnownTo, readDevice, rememberDevice } from "@/lib/identity/known-devices";
import { NOT_BACKED_UP, readArchive, sealInArchive, writeArchive } from "@/lib/ops/archive";
import { backupPassphrase } from "@/lib/ops/backup-key";
import { type Cluster, removeDataDir, startCluster } from "@/lib/ops/embedded";
import { prepareDatabase } from "@/lib/ops/prepare";
import { seedDemo } from "@/prisma/demo";
import { setUpTwoStep } from "@/tests/accounts-helpers";
import { call } from "@/tests/call";
import { fullClient, makeUser } from "@/tests/factories";
import { tempDataDir } from "@/tests/setup/data-dir";

/** The first bytes of a gzip archive. Fewer bytes would sometimes occur in an encrypted file by chance. */
const GZIPPED = gzipSync("").subarray(0, 8);

/** The rows to compare for tables that a restore changes on purpose. */
const rowsOf: Record<string, string> = {
  // A restore forgets known browsers.
  users: "(SELECT to_jsonb(u) - 'device_generation' AS u FROM users u)",
  // A restore leaves these tables empty.
  ...Object.fromEntries(NOT_BACKED_UP.map((table) => [table, "(SELECT 1 WHERE false)"])),
};

/** Returns the digest of each table's rows, independent of their order, and the value of each sequence. */
async function digests(url: string): Promise<Record<string, string>> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    const { rows: tables } = await client.query<{ name: string }>(
      "SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' AND tablename <> '_prisma_migrations'",
    );
    const result: Record<string, string> = {};
    for (const { name } of tables) {
      const { rows } = await client.query(
        `SELECT count(*) || ' ' || md5(coalesce(string_agg(t::text, E'\\n' ORDER BY t::text COLLATE "C"), '')) AS digest FROM ${rowsOf[name] ?? name} t`,
      );
      result[name] = rows[0].digest;
    }
    const { rows } = await client.query("SELECT sequencename AS name, last_value AS last FROM pg_sequences");
    for (const { name, last } of rows) result[`sequence ${name}`] = String(last);
    return result;
  } finally {
    await client.end();
  }
}

/** Returns the row counts of non-empty tables that no backup restores. */
async function countNotBackedUp(database: string): Promise<Record<string, number>> {
  const client = new pg.Client(database);
  await client.connect();
  try {
    const result: Record<string, number> = {};
    for (const table of NOT_BACKED_UP) {
      const { rowCount } = await client.query(`SELECT FROM ${table}`);
      if (rowCount) result[table] = rowCount;
    }
    return result;
  } finally {
    await client.end();
  }
}

/** Runs the command as an operator does and returns its output and exit code. */
function run(script: "backup" | "restore", args: string[], env: Record<string, string>) {
  const { PATH, HOME } = process.env;
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ["--import", "./lib/ops/tsx.mjs", `lib/ops/${script}.ts`, ...args],
    // Empty, so that a developer's .env cannot direct the command to another database.
    { env: { NODE_ENV: "production", PATH, HOME, DATABASE_URL: "", ...env }, encoding: "utf8" },
  );
  return { status, output: stdout + stderr };
}

const url = String(process.env.DATABASE_URL);
const AUTH_SECRET = String(process.env.AUTH_SECRET);
const BACKUP_PASSPHRASE = "a passphrase of this test";
const KEY = { passphrase: BACKUP_PASSPHRASE };
/** The name of the file that a failed backup leaves. */
const FAILED = /^lanternbook-\d{4}-\d\d-\d\dT\d{6}Z\.failed$/;
const DAMAGED_OR_LOCKED = "The file is damaged, or the key is not the one it was created with.";
/** The session and device cookies issued before the backup. */
let cookies: string;

let dataDir: string;
let cluster: Cluster | undefined;

beforeAll(async () => {
  dataDir = await tempDataDir();
  const user = await makeUser();
  const { id, cookie } = user;
  await setUpTwoStep(user);
  const known = await rememberDevice(new Request("http://localhost:3000"), id);
  cookies = `${cookie}; ${known.split(";")[0]}`;
  await seedDemo();
  // Letters, line breaks and quotes that a careless format would lose.
  const client = { ...(await fullClient()), name: 'Ünïcode "quoted" \\ back\\slash 🕊️' };
  const { status, body } = await call(
    cookie,
    "POST",
    "/api/clients",
    { client },
    { headers: { "idempotency-key": "k" } },
  );
  expect(status).toBe(201);
  await db().client.update({
    where: { id: body.client.id },
    data: { relationshipToSurvivor: "a\nb\tc\u2028d" },
  });
  await prepareDatabase(url, {}, false);
});

afterAll(async () => {
  await cluster?.stop();
  await removeDataDir(dataDir);
});

const KEY_FILES: [string, Buffer | string | null, string][] = [
  ["does not exist", null, "cannot be read"],
  ["is empty", "", "at least 16 plain characters"],
  ["is too short", "a few letters\nand more of them", "at least 16 plain characters"],
  ["is not text", Buffer.alloc(64, 0xfe), "at least 16 plain characters"],
];

describe("a backup", () => {
  const file = () => path.join(dataDir, "kept.backup");

  async function emptyDatabase(name: string): Promise<string> {
    await queryAt(String(cluster?.url), `CREATE DATABASE ${name}`);
    return new URL(`/${name}`, cluster?.url).href;
  }

  /** Returns a public key to write a backup for, and the secret key that opens it. */
  async function keyPair() {
    const identity = await generateIdentity();
    return { key: { recipients: [await identityToRecipient(identity)] }, keys: { identities: [identity] } };
  }

  it("restored into an empty cluster gives the same database, table by table and digest by digest", async () => {
    const before = await digests(url);
    expect(Number.parseInt(before.clients ?? "", 10)).toBeGreaterThan(30);
    const env = { DATABASE_URL: url, AUTH_SECRET, BACKUP_PASSPHRASE };
    expect(run("backup", [file()], env)).toMatchObject({ status: 0 });
    expect((await stat(file())).mode & 0o777).toBe(0o600);

    const { status, output } = run("restore", [file()], { DATA_DIR: dataDir, BACKUP_PASSPHRASE });
    expect(status).toBe(0);
    // It says what another secret loses, and that the start would create one.
    expect(output).toMatch(
      /AUTH_SECRET of the server that made the backup.*two-step sign-in.*repeated import/,
    );
    expect(output).toContain(`there is no ${path.join(dataDir, "auth-secret")}`);
    cluster = await startCluster({ dataDir, throwaway: true });
    expect(await digests(cluster.url)).toEqual(before);
    // There is nothing left to migrate or seed at the next start.
    await prepareDatabase(cluster.url, {}, false);
    expect(await digests(cluster.url)).toEqual(before);
  });

  it("with many rows of 1 MB is written and restored in little memory", async () => {
    const large = await emptyDatabase("large");
    const restored = await emptyDatabase("large_restored");
    await prepareDatabase(large, {}, false);
    await queryAt(
      large,
      `INSERT INTO audit_events (user_name, action, details)
       SELECT 'Wren', 'updated', decode(repeat(md5(n::text), 31250), 'hex') FROM generate_series(1, 200) n`,
    );
    const largeFile = path.join(dataDir, "large.backup");
    const env = { AUTH_SECRET, BACKUP_PASSPHRASE, NODE_OPTIONS: "--max-old-space-size=110" };
    expect(run("backup", [largeFile], { ...env, DATABASE_URL: large })).toMatchObject({ status: 0 });
    expect(run("restore", [largeFile], { ...env, DATABASE_URL: restored })).toMatchObject({ status: 0 });
    const eventsIn = (database: string) =>
      queryAt(
        database,
        "SELECT count(*), md5(string_agg(md5(details), '' ORDER BY id)) FROM audit_events WHERE user_name = 'Wren'",
      );
    expect(await eventsIn(restored)).toEqual(await eventsIn(large));
  });

  it("is refused by a database that holds data, which stays unchanged", async () => {
    const before = await digests(String(cluster?.url));
    const env = { DATABASE_URL: String(cluster?.url), AUTH_SECRET, BACKUP_PASSPHRASE };
    const { status, output } = run("restore", [file()], env);
    expect({ status, output }).toEqual({
      status: 1,
      output: expect.stringContaining("The database already contains data"),
    });
    expect(await digests(String(cluster?.url))).toEqual(before);
  });

  it("that is truncated restores nothing, so that a complete one can be restored afterwards", async () => {
    const cut = path.join(dataDir, "cut.gz");
    await writeFile(cut, await readFile(file()));
    await truncate(cut, (await stat(cut)).size - 2000);
    const again = await emptyDatabase("again");
    const env = { DATABASE_URL: again, AUTH_SECRET, BACKUP_PASSPHRASE };
    expect(run("restore", [cut], env)).toEqual({
      status: 1,
      output: `${DAMAGED_OR_LOCKED}\n`,
    });
    expect(run("restore", [file()], env)).toMatchObject({ status: 0 });
    expect(await digests(again)).toEqual(await digests(url));
  });

  it("with any byte changed is refused as damaged, and nothing is created in the database", async () => {
    const empty = await emptyDatabase("flipped");
    const { key, keys } = await keyPair();
    const locked = path.join(dataDir, "locked.backup");
    await writeArchive(url, locked, key);
    const whole = await readFile(locked);
    const flipped = path.join(dataDir, "flipped.gz");
    const spread = Array.from({ length: 8 }, (_, n) => 64 + Math.floor((n * (whole.length - 128)) / 8));
    for (const at of [
      0,
      5,
      22,
      23,
      40,
      54,
      55,
      56,
      63,
      ...spread,
      ...[48, 17, 16, 15, 8, 1].map((fromEnd) => whole.length - fromEnd),
    ]) {
      const bytes = Buffer.from(whole);
      // One bit only, because gzip itself detects most larger changes.
      bytes[at] = (bytes[at] ?? 0) ^ (1 << (at % 8));
      await writeFile(flipped, bytes);
      await expect(readArchive(empty, flipped, keys), `byte ${at}`).rejects.toThrow(/^The file is damaged/);
    }
    expect(await digests(empty)).toEqual({});
  });

  it("with chunks missing, moved or taken from another backup is refused as damaged", async () => {
    const empty = await emptyDatabase("chunks");
    const { key, keys } = await keyPair();
    const chunk = 64 * 1024 + 16;
    const locked = path.join(dataDir, "locked.backup");
    const other = path.join(dataDir, "other.backup");
    await rows(
      sql`INSERT INTO canines (name) SELECT 'Canine ' || sha512(n::text::bytea) FROM generate_series(1, 3000) n`,
    );
    await writeArchive(url, locked, key);
    await writeArchive(url, other, key);
    await rows(sql`DELETE FROM canines WHERE name LIKE 'Canine %'`);
    const one = await readFile(locked);
    const two = await readFile(other);
    // The header ends with a line of its own, and then comes the nonce.
    const head = one.indexOf("\n", one.indexOf("\n--- ") + 1) + 1 + 16;
    expect(one.length).toBeGreaterThan(head + 2 * chunk);
    const first = one.subarray(head, head + chunk);
    const second = one.subarray(head + chunk, head + 2 * chunk);
    const rest = one.subarray(head + 2 * chunk);
    for (const parts of [
      [one.subarray(0, head), second, first, rest],
      [one.subarray(0, head), first, rest],
      [one.subarray(0, head), first, second],
      [one.subarray(0, head), two.subarray(head, head + chunk), second, rest],
      [two.subarray(0, head), first, second, rest],
      [one, rest],
      [one.subarray(0, head)],
    ]) {
      const mixed = path.join(dataDir, "mixed.backup");
      await writeFile(mixed, Buffer.concat(parts));
      await expect(readArchive(empty, mixed, keys)).rejects.toThrow(/^The file is damaged/);
    }
    expect(await digests(empty)).toEqual({});
  });

  it("opens only with its own passphrase, and reveals nothing of its content", async () => {
    const empty = await emptyDatabase("locked");
    await expect(readArchive(empty, file(), {})).rejects.toThrow("set the BACKUP_PASSPHRASE");
    await expect(readArchive(empty, file(), { passphrase: `${BACKUP_PASSPHRASE}!` })).rejects.toThrow(
      DAMAGED_OR_LOCKED,
    );
    const bytes = await readFile(file());
    expect(bytes.includes("age-encryption.org")).toBe(true);
    // The word occurs neither in clear text nor in gzipped text.
    expect(bytes.includes("migrations")).toBe(false);
    expect(bytes.includes(GZIPPED)).toBe(false);
  });

  it("is written unencrypted only at the operator's request, and the output warns about it", async () => {
    const plain = path.join(dataDir, "plain.gz");
    const env = { DATABASE_URL: url, AUTH_SECRET };
    expect(run("backup", [plain], env)).toEqual({
      status: 1,
      output: expect.stringMatching(/^Set BACKUP_RECIPIENTS, BACKUP_PASSPHRASE/),
    });
    expect(run("backup", [plain, "--unencrypted"], env)).toEqual({
      status: 0,
      output: `Saved ${plain}\nIt is NOT encrypted: anyone who has the file can read everything in it.\n`,
    });
    expect((await readFile(plain)).subarray(0, GZIPPED.length)).toEqual(GZIPPED);
  });

  it("that is unencrypted is refused where backups are encrypted, unless the operator allows it", async () => {
    const plain = path.join(dataDir, "forged.gz");
    await writeArchive(url, plain, null);
    const DATABASE_URL = await emptyDatabase("forged");
    const env = { DATABASE_URL, AUTH_SECRET, BACKUP_PASSPHRASE };
    expect(run("restore", [plain], env)).toEqual({
      status: 1,
      output: expect.stringContaining("add --unencrypted"),
    });
    expect(await digests(DATABASE_URL)).toEqual({});
    expect(run("restore", [plain, "--unencrypted"], env)).toEqual({
      status: 0,
      output: expect.stringContaining("It was not encrypted"),
    });
    const other = await emptyDatabase("in_clear");
    expect(run("restore", [plain], { DATABASE_URL: other, AUTH_SECRET })).toMatchObject({ status: 0 });
  });

  it("can be encrypted with the first line of a key file instead of a passphrase", async () => {
    const keyFile = path.join(dataDir, "backup.key");
    await writeFile(keyFile, `${BACKUP_PASSPHRASE}\nA remark\n`);
    const file = path.join(dataDir, "by-key.backup");
    const env = { DATABASE_URL: url, AUTH_SECRET };
    expect(run("backup", [file], { ...env, BACKUP_KEY_FILE: keyFile })).toMatchObject({ status: 0 });
    const filled = await emptyDatabase("by_key");
    expect(await readArchive(filled, file, KEY)).toEqual({ isEncrypted: true, isAuthentic: true });
    expect(run("backup", [file], { ...env, BACKUP_PASSPHRASE, BACKUP_KEY_FILE: keyFile })).toMatchObject({
      status: 1,
      output: expect.stringContaining("BACKUP_KEY_FILE: must not be set together with BACKUP_PASSPHRASE"),
    });
  });

  it("for public keys opens only with one of their secret keys, which the server does not need", async () => {
    const one = await keyPair();
    const two = await keyPair();
    const file = path.join(dataDir, "by-recipients.backup");
    const BACKUP_RECIPIENTS = [...one.key.recipients, ...two.key.recipients].join(", ");
    const settings = { DATABASE_URL: url, AUTH_SECRET, BACKUP_PASSPHRASE, BACKUP_RECIPIENTS };
    expect(run("backup", [file], settings)).toMatchObject({ status: 0 });

    const target = await emptyDatabase("by_identity");
    const env = { DATABASE_URL: target, AUTH_SECRET, BACKUP_PASSPHRASE };
    expect(run("restore", [file], env)).toEqual({
      status: 1,
      output: expect.stringContaining("name the file of its secret key with --identity"),
    });
    const identity = path.join(dataDir, "identity.txt");
    await writeFile(identity, `# made for this test\n${(await keyPair()).keys.identities}\n`);
    expect(run("restore", [file, "--identity", identity], env)).toEqual({
      status: 1,
      output: `${DAMAGED_OR_LOCKED}\n`,
    });
    await writeFile(identity, `# made for this test\n${two.keys.identities}\n`);
    expect(run("restore", [file, "--identity", identity], env)).toEqual({
      status: 0,
      output: expect.stringContaining("encrypted for a public key"),
    });
    expect(await digests(target)).toEqual(await digests(url));
    expect(run("backup", [file], { ...settings, BACKUP_RECIPIENTS: "age1short" })).toMatchObject({
      status: 1,
      output: expect.stringContaining("BACKUP_RECIPIENTS: must list age public keys"),
    });
  });

  it.each(KEY_FILES)("is not created with a key file that %s", async (_, bytes, words) => {
    const BACKUP_KEY_FILE = path.join(await mkdtemp(path.join(dataDir, "key-")), "key");
    if (bytes !== null) await writeFile(BACKUP_KEY_FILE, bytes);
    await expect(backupPassphrase({ BACKUP_KEY_FILE })).rejects.toThrow(words);
  });

  it("contains the newest seal of the audit trail", async () => {
    await expect
      .poll(async () => {
        await sealAudit();
        return newestSeal();
      })
      .not.toBeNull();
    await writeArchive(url, file(), KEY);
    expect(await sealInArchive(file(), KEY)).toEqual(await newestSeal());
  });

  it("in clear is also restored, without the sessions and browsers it may contain", async () => {
    const target = await emptyDatabase("plain_sessions");
    const plain = path.join(dataDir, "in-clear.gz");
    await writeArchive(url, plain, null);
    const [session] = await rows<{ row: string }>(
      sql`SELECT row_to_json(s)::text AS row FROM sessions s LIMIT 1`,
    );
    const lines = gunzipSync((await readFile(plain)).subarray(0, -32)).toString();
    const zipped = gzipSync(lines.replace('\n["end"', `\n["sessions"]\n${session?.row}\n["end"`));
    await writeFile(plain, Buffer.concat([zipped, createHash("sha256").update(zipped).digest()]));
    await expect(readArchive(target, plain, KEY)).rejects.toThrow("The file is not encrypted");
    const allowed = { unencrypted: true };
    expect(await readArchive(target, plain, KEY, allowed)).toEqual({
      isEncrypted: false,
      isAuthentic: false,
    });
    expect(await digests(target)).toEqual(await digests(url));
    expect(await countNotBackedUp(target)).toEqual({});
  });

  it("lets no earlier session or device cookie sign in after the restore, including ended ones", async () => {
    const me = () => call(cookies, "GET", "/api/me");
    const isDeviceKnown = async () => {
      const device = readDevice(new Request("http://localhost:3000", { headers: { cookie: cookies } }));
      const users = await rows<DeviceOwner>(sql`SELECT id, device_generation AS generation FROM users`);
      return users.some((user) => isKnownTo(user, device));
    };
    expect([(await me()).status, await isDeviceKnown()]).toEqual([200, true]);
    const restored = await emptyDatabase("restored");
    await readArchive(restored, file(), KEY);
    expect(await countNotBackedUp(restored)).toEqual({});
    const here = env().DATABASE_URL;
    const workOn = async (database: string) => {
      env().DATABASE_URL = database;
      await closeDatabase();
    };
    await workOn(restored);
    try {
      expect([(await me()).status, await isDeviceKnown()]).toEqual([401, false]);
    } finally {
      await workOn(here);
    }
  });

  it("of the running embedded database goes to DATA_DIR/backups, and expired backups are deleted", async () => {
    const folder = path.join(dataDir, "backups");
    await mkdir(folder);
    const now = Date.now();
    const old = (days: number) =>
      `lanternbook-${new Date(now - days * 86_400_000).toISOString().slice(0, 10)}T010101Z.gz`;
    for (const name of [old(8), old(6), `${old(9)}.unfinished`, "other.gz"])
      await writeFile(path.join(folder, name), "");
    const env = { DATA_DIR: dataDir, BACKUP_KEEP_DAYS: "7", BACKUP_PASSPHRASE };
    const { status, output } = run("backup", [], env);
    expect({ status, output }).toEqual({ status: 0, output: expect.stringMatching(/^Saved .+\.backup\n$/) });
    const made = path.basename(output.trim());
    expect((await readdir(folder)).sort()).toEqual([old(6), "other.gz", made].sort());
  });

  it("that fails leaves a file that Home and /metrics know it by, until a later one succeeds", async () => {
    const DATA_DIR = await mkdtemp(path.join(dataDir, "failed-"));
    const folder = path.join(DATA_DIR, "backups");
    const env = { DATABASE_URL: url, AUTH_SECRET, DATA_DIR, BACKUP_PASSPHRASE };
    const missing = path.join(DATA_DIR, "no such folder", "kept.backup");
    for (const [args, settings] of [
      [[missing], env],
      [[], { ...env, DATABASE_URL: `${url}_missing` }],
      [[], { ...env, BACKUP_PASSPHRASE: "" }],
    ] as const) {
      expect(run("backup", [...args], settings)).toMatchObject({ status: 1 });
      expect(await readdir(folder)).toContainEqual(expect.stringMatching(FAILED));
      await rm(folder, { recursive: true });
    }
    expect(run("backup", [missing], env)).toMatchObject({ status: 1 });
    expect(run("backup", [path.join(DATA_DIR, "kept.backup")], env)).toMatchObject({ status: 0 });
    expect(await readdir(folder)).toEqual([]);
  });
});

describe("the nightly backup of docker-compose.yml, made with PostgreSQL's own tools", () => {
  /**
   * Runs backup.sh with a pg_dump that writes one line or fails, and returns what is in the folder
   * afterwards.
   */
  async function nightly(folder: string, pgDump: string, args: string[] = []) {
    const tools = await toolsOf({
      pg_dump: pgDump,
      pg_restore: "grep -q dump",
      psql: `echo '{"auditSeal":{}}'`,
    });
    const { status, stdout, stderr } = backupSh(["now", ...args], tools, { BACKUP_DIR: folder });
    return { status, output: stdout + stderr, files: (await readdir(folder)).sort() };
  }

  /**
   * Creates a folder of programs, each a script. Uses this machine's gpg, or a minimal substitute if it has
   * none.
   */
  async function toolsOf(scripts: Record<string, string>): Promise<string> {
    const tools = await mkdtemp(path.join(dataDir, "tools-"));
    const standIn = spawnSync("gpg", ["--version"]).status === 0 ? {} : GPG_STAND_IN;
    for (const [name, script] of Object.entries({ ...standIn, ...scripts }))
      await writeFile(path.join(tools, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
    return tools;
  }
  const NODE = `exec ${process.execPath} -e`;
  const GPG_STAND_IN = {
    gpgconf: ":",
    gpg: `case "$*" in *--decrypt*) for file; do :; done; ${NODE} '
      const { createHash } = require("crypto"); const { readFileSync: read } = require("fs");
      const bytes = read(process.argv[1]); const sum = createHash("sha256").update(read(3)).update(bytes.subarray(32)).digest();
      const says = process.argv[2].includes("--status-fd");
      if (!sum.equals(bytes.subarray(0, 32))) process.exit(bytes.includes("never encrypted") ? 0 : 2);
      process.stdout.write(says ? "[GNUPG:] DECRYPTION_OKAY\\n" : bytes.subarray(32));' "$file" "$*" ;; esac
      ${NODE} '
      const { createHash } = require("crypto"); const { readFileSync: read } = require("fs");
      const bytes = read(0); process.stdout.write(createHash("sha256").update(read(3)).update(bytes).digest()); process.stdout.write(bytes);'`,
  };

  const backupSh = (args: string[], tools: string, more: Record<string, string>) =>
    spawnSync("bash", [path.resolve("lib/ops/backup.sh"), ...args], {
      encoding: "utf8",
      timeout: 300_000,
      env: {
        NODE_ENV: "production",
        PATH: `${tools}:${process.env.PATH}`,
        BACKUP_KEEP_DAYS: "7",
        BACKUP_PASSPHRASE,
        ...more,
      },
    });
  const WRITES = "echo dump";

  it("keeps complete backups until they expire, readable only by their owner", async () => {
    const folder = path.join(dataDir, "nightly");
    await mkdir(folder);
    const age = async (name: string, days: number) => {
      await writeFile(path.join(folder, name), "dump");
      const at = new Date(Date.now() - days * 86_400_000);
      await utimes(path.join(folder, name), at, at);
    };
    await age("lanternbook-old.dump", 9);
    await age("casebook-old.dump", 9);
    await age("lanternbook-older.dump.unfinished", 9);
    await age("lanternbook-just-too-old.dump", 7.1);
    await age("lanternbook-young.dump", 6.9);
    await age("other", 9);
    const { status, output, files } = await nightly(folder, WRITES);
    const backup = files.find((name) => /^lanternbook-\d{4}-\d\d-\d\dT\d{6}Z\.dump\.gpg$/.test(name));
    expect({ status, files, output }).toEqual({
      status: 0,
      files: [backup, `${backup}.seal`, "lanternbook-young.dump", "other"],
      output: `Saved ${backup} {"auditSeal":{}}\n`,
    });
    const kept = path.join(folder, String(backup));
    expect((await stat(kept)).mode & 0o777).toBe(0o600);
    expect(await readFile(`${kept}.seal`, "utf8")).toBe('{"auditSeal":{}}\n');
  });

  it("excludes the same sign-in data from pg_dump as the other kind of backup does", async () => {
    const folder = await mkdtemp(path.join(dataDir, "asked-"));
    const { status } = await nightly(folder, `echo "$@" >asked; ${WRITES}`);
    expect(status).toBe(0);
    const dumpArguments = (await readFile(path.join(folder, "asked"), "utf8")).trim().split(" ");
    expect(dumpArguments).toEqual([
      "--format=custom",
      ...NOT_BACKED_UP.map((name) => `--exclude-table-data=${name}`),
    ]);
    const after = await readFile("lib/ops/after-restore.sql", "utf8");
    expect([...(/ARRAY\[([^\]]*)\]/.exec(after)?.[1] ?? "").matchAll(/\w+/g)].flat()).toEqual(NOT_BACKED_UP);
  });

  it("is written unencrypted only at the operator's request, with a checksum and a warning in the output", async () => {
    const folder = await mkdtemp(path.join(dataDir, "clear-"));
    const { status, output, files } = await nightly(folder, WRITES, ["--unencrypted"]);
    expect({ status, output }).toEqual({ status: 0, output: expect.stringContaining("It is NOT encrypted") });
    expect(files.map((name) => name.replace(/^lanternbook-[^.]+/, ""))).toEqual([
      ".dump",
      ".dump.seal",
      ".dump.sha256",
    ]);
    const tools = await toolsOf({});
    for (const command of ["now", "nightly"]) {
      const { status, stderr } = backupSh([command], tools, { BACKUP_DIR: folder, BACKUP_PASSPHRASE: "" });
      expect({ status, stderr }).toEqual({
        status: 1,
        stderr: expect.stringContaining("BACKUP_PASSPHRASE must"),
      });
    }
  });

  it("opens with the key file it was made with, or with the first line of that file as passphrase", async () => {
    const folder = await mkdtemp(path.join(dataDir, "key-"));
    const BACKUP_KEY_FILE = path.join(dataDir, "nightly.key");
    await writeFile(BACKUP_KEY_FILE, `${BACKUP_PASSPHRASE}\nA remark\n`);
    const tools = await toolsOf({
      pg_dump: WRITES,
      pg_restore: "cat; echo Loaded.",
      psql: ":",
      dropdb: ":",
      createdb: ":",
    });
    const byKey = { BACKUP_DIR: folder, BACKUP_KEY_FILE, BACKUP_PASSPHRASE: "" };
    expect(backupSh(["now"], tools, byKey)).toMatchObject({ status: 0 });
    const [backup = ""] = (await readdir(folder)).filter((name) => name.endsWith(".gpg"));
    for (const env of [byKey, { BACKUP_DIR: folder }])
      expect(backupSh(["drill", backup], tools, env)).toMatchObject({
        status: 0,
        stdout: "dump\nLoaded.\n",
      });
    expect(backupSh(["drill", backup], tools, { ...byKey, BACKUP_PASSPHRASE })).toMatchObject({
      status: 1,
      stderr: expect.stringContaining("are both set"),
    });
  });

  it("opens with the passphrase in BACKUP_PASSPHRASE_FILE, without the line break at its end", async () => {
    const folder = await mkdtemp(path.join(dataDir, "passphrase-"));
    const BACKUP_PASSPHRASE_FILE = path.join(dataDir, "passphrase");
    await writeFile(BACKUP_PASSPHRASE_FILE, `${BACKUP_PASSPHRASE}\n`);
    await writeFile(path.join(folder, "clear.dump"), "dump");
    const tools = await toolsOf({
      pg_dump: WRITES,
      pg_restore: "cat; echo Loaded.",
      psql: ":",
      dropdb: ":",
      createdb: ":",
    });
    const byFile = { BACKUP_DIR: folder, BACKUP_PASSPHRASE_FILE, BACKUP_PASSPHRASE: "" };
    expect(backupSh(["now"], tools, byFile)).toMatchObject({ status: 0 });
    const [backup = ""] = (await readdir(folder)).filter((name) => name.endsWith(".gpg"));
    for (const env of [byFile, { BACKUP_DIR: folder }])
      expect(backupSh(["drill", backup], tools, env)).toMatchObject({
        status: 0,
        stdout: "dump\nLoaded.\n",
      });
    expect(backupSh(["drill", "clear.dump"], tools, byFile)).toMatchObject({
      status: 1,
      stderr: expect.stringContaining("The file is not encrypted, unlike your backups"),
    });
  });

  it.each([
    ["is set together with BACKUP_PASSPHRASE", BACKUP_PASSPHRASE, { BACKUP_PASSPHRASE }],
    ["names an empty file", "\n", {}],
    ["names no file", null, {}],
  ])("is not created if BACKUP_PASSPHRASE_FILE %s", async (_, content, more) => {
    const folder = await mkdtemp(path.join(dataDir, "passphrase-"));
    const BACKUP_PASSPHRASE_FILE = path.join(folder, "..", "unusable");
    await rm(BACKUP_PASSPHRASE_FILE, { force: true });
    if (content !== null) await writeFile(BACKUP_PASSPHRASE_FILE, content);
    const env = { BACKUP_DIR: folder, BACKUP_PASSPHRASE_FILE, BACKUP_PASSPHRASE: "", ...more };
    expect(backupSh(["now"], await toolsOf({ psql: ":" }), env)).toMatchObject({
      status: 1,
      stderr: expect.stringContaining("BACKUP_PASSPHRASE_FILE must"),
    });
    expect(await readdir(folder)).toEqual([expect.stringMatching(FAILED)]);
  });

  it("names the variable of the password that PostgreSQL refuses, and changes nothing", async () => {
    const folder = await mkdtemp(path.join(dataDir, "refused-"));
    const { files } = await nightly(folder, WRITES);
    const backup = String(files.find((name) => name.endsWith(".gpg")));
    const tools = await toolsOf({ psql: "echo 'password authentication failed' >&2; exit 2" });
    for (const args of [["now"], ["drill", backup], ["restore", backup]])
      expect(backupSh(args, tools, { BACKUP_DIR: folder, PGUSER: "casebook" })).toMatchObject({
        status: 1,
        stderr: expect.stringMatching(/^password authentication failed\n.*casebook.*POSTGRES_PASSWORD/),
      });
    expect((await readdir(folder)).filter((name) => FAILED.test(name))).toHaveLength(1);
  });

  it.each(KEY_FILES)("is not created with a key file that %s", async (_, bytes, words) => {
    const folder = await mkdtemp(path.join(dataDir, "key-"));
    const BACKUP_KEY_FILE = path.join(dataDir, "wrong.key");
    await rm(BACKUP_KEY_FILE, { force: true });
    if (bytes !== null) await writeFile(BACKUP_KEY_FILE, bytes);
    const more = { BACKUP_DIR: folder, BACKUP_KEY_FILE, BACKUP_PASSPHRASE: "" };
    expect(backupSh(["now"], await toolsOf({}), more)).toMatchObject({
      status: 1,
      stderr: expect.stringContaining(words),
    });
    expect(await readdir(folder)).toEqual([expect.stringMatching(FAILED)]);
  });

  it("is refused as damaged with any byte changed or truncated, and refused with another passphrase", async () => {
    const folder = await mkdtemp(path.join(dataDir, "bytes-"));
    const { files } = await nightly(folder, "seq 1 40; echo dump");
    const backup = String(files.find((name) => name.endsWith(".gpg")));
    const whole = await readFile(path.join(folder, backup));
    const tools = await toolsOf({ dropdb: ":", createdb: ":", psql: ":", pg_restore: "cat; echo Loaded." });
    const drill = (more = {}) => backupSh(["drill", backup], tools, { BACKUP_DIR: folder, ...more });
    expect(drill()).toMatchObject({
      status: 0,
      stdout: expect.stringMatching(/^1\n2\n[\s\S]*dump\nLoaded\.\n$/),
    });
    const DAMAGED = { status: 1, stdout: "", stderr: expect.stringContaining("The file is damaged") };
    for (let n = 0; n < 12; n++) {
      const at = Math.floor((n * (whole.length - 1)) / 11);
      const bytes = Buffer.from(whole);
      bytes[at] = (bytes[at] ?? 0) ^ (1 << (n % 8));
      await writeFile(path.join(folder, backup), bytes);
      expect(drill(), `byte ${at}`).toMatchObject(DAMAGED);
    }
    await writeFile(path.join(folder, backup), whole.subarray(0, -5));
    expect(drill()).toMatchObject(DAMAGED);
    await writeFile(path.join(folder, backup), whole);
    expect(drill({ BACKUP_PASSPHRASE: "another passphrase, long" })).toMatchObject(DAMAGED);
  });

  it.each([
    [
      "as it was saved",
      "dump\n",
      "dump\n",
      { status: 0, output: expect.stringMatching(/^The file is not encrypted.*\nLoaded\.\nCleared\.\n$/) },
    ],
    [
      "with a byte changed",
      "dumq\n",
      "dump\n",
      { status: 1, output: expect.stringMatching(/\nThe file is damaged: /) },
    ],
    [
      "without its checksum",
      "dump\n",
      null,
      { status: 0, output: expect.stringMatching(/\nThere is no .*\nLoaded.\nCleared.\n$/) },
    ],
  ])("restored %s is loaded or refused according to its checksum", async (_, bytes, saved, expected) => {
    const folder = await mkdtemp(path.join(dataDir, "restored-"));
    const tools = await toolsOf({
      dropdb: ":",
      createdb: ":",
      psql: 'case "$*" in *after-restore.sql) echo Cleared. ;; esac',
      pg_restore: "cat >/dev/null; echo Loaded.",
    });
    const sum = spawnSync("sha256sum", { input: saved ?? "", encoding: "utf8" }).stdout;
    await writeFile(path.join(folder, "a.dump"), bytes);
    if (saved !== null) await writeFile(path.join(folder, "a.dump.sha256"), sum);
    const drill = (...args: string[]) => {
      const { status, stdout, stderr } = backupSh(["drill", "a.dump", ...args], tools, {
        BACKUP_DIR: folder,
      });
      return { status, output: stderr + stdout };
    };
    expect(drill("--unencrypted")).toEqual(expected);
    expect(drill()).toEqual({ status: 1, output: expect.stringContaining("add --unencrypted") });
  });

  it("that was never encrypted is refused, even under the name of an encrypted one", async () => {
    const folder = await mkdtemp(path.join(dataDir, "stored-"));
    // A dump that gpg stores without encryption: a literal data packet (RFC 4880).
    const text = Buffer.from("never encrypted\n");
    const literal = Buffer.concat([Buffer.from([0xcb, 6 + text.length, 0x62, 0, 0, 0, 0, 0]), text]);
    await writeFile(path.join(folder, "a.dump.gpg"), literal);
    const tools = await toolsOf({ dropdb: ":", createdb: ":", psql: ":", pg_restore: "cat; echo Loaded." });
    expect(backupSh(["drill", "a.dump.gpg"], tools, { BACKUP_DIR: folder })).toMatchObject({
      status: 1,
      stdout: "",
      stderr: expect.stringContaining("The file is damaged"),
    });
  });

  it.each([
    ["an ordinary day", "2026-03-09", 8_400],
    ["the day the clocks go forward, when 02:30 does not exist", "2026-03-08", 8_400],
  ])("waits from ten past midnight on %s", async (_, day, seconds) => {
    const tools = await mkdtemp(path.join(dataDir, "tools-"));
    const write = (name: string, script: string) =>
      writeFile(path.join(tools, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
    await write("sleep", 'echo "$1"; kill "$PPID"');
    const date = spawnSync("sh", ["-c", "command -v date"], { encoding: "utf8" }).stdout.trim();
    const pinned = `"$(echo "$2" | sed s/today/${day}/)"`;
    await write(
      "date",
      `if [ "$1" = -d ]; then exec ${date} -d ${pinned} "$3"; fi; exec ${date} -d "${day} 00:10" "$@"`,
    );
    const { stdout } = backupSh(["nightly"], tools, {
      BACKUP_DIR: tools,
      BACKUP_AT: "02:30",
      TZ: "America/New_York",
    });
    expect(Number(stdout)).toBe(seconds);
    expect(await readdir(tools)).toContain(".since");
  });

  it("removes no older backup and leaves no finished file if it fails or pg_restore cannot read the result", async () => {
    for (const pgDump of ["exit 1", "echo dump; exit 1", "echo broken"]) {
      const folder = await mkdtemp(path.join(dataDir, "nightly-"));
      await writeFile(path.join(folder, "lanternbook-old.dump"), "dump");
      await utimes(path.join(folder, "lanternbook-old.dump"), 0, 0);
      const { status, files } = await nightly(folder, pgDump);
      expect(status).toBe(1);
      expect(files.filter((name) => /\.dump(\.gpg)?$/.test(name))).toEqual(["lanternbook-old.dump"]);
      expect(files).toContainEqual(expect.stringMatching(FAILED));
      expect((await nightly(folder, WRITES)).files).not.toContainEqual(expect.stringMatching(FAILED));
    }
  });
});
