import { spawnSync } from "node:child_process";
import { mkdir, mkdtemp, readdir, readFile, stat, truncate, utimes, writeFile } from "node:fs/promises";
import path from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { db } from "@/lib/database/client";
import { readArchive } from "@/lib/operate/archive";
import { type Cluster, removeDataDir, startCluster } from "@/lib/operate/embedded";
import { prepareDatabase } from "@/lib/operate/prepare";
import { seedDemo } from "@/prisma/demo";
import { setUpTwoStep } from "@/tests/accounts-help";
import { call } from "@/tests/call";
import { fullClient, makeUser } from "@/tests/factories";
import { tempDataDir } from "@/tests/setup/data-dir";

/** Of tallies, which a restore makes anew, what they add up to. */
const rowsOf: Record<string, string> = {
  tallies: "(SELECT list, user_id, reconciled, sum(tally) FROM tallies GROUP BY 1, 2, 3)",
};

/** Table → the digest of its rows, in an order that depends on nothing but them; and every sequence's value. */
async function digests(url: string): Promise<Record<string, string>> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    const { rows: tables } = await client.query<{ name: string }>(
      "SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' AND tablename <> '_prisma_migrations'",
    );
    const found: Record<string, string> = {};
    for (const { name } of tables) {
      const { rows } = await client.query(
        `SELECT count(*) || ' ' || md5(coalesce(string_agg(t::text, E'\\n' ORDER BY t::text COLLATE "C"), '')) AS digest FROM ${rowsOf[name] ?? name} t`,
      );
      found[name] = rows[0].digest;
    }
    const { rows } = await client.query("SELECT sequencename AS name, last_value AS last FROM pg_sequences");
    for (const { name, last } of rows) found[`sequence ${name}`] = String(last);
    return found;
  } finally {
    await client.end();
  }
}

/** Runs the program's command as an operator does; what it printed, and its exit code. */
function run(script: "backup" | "restore", args: string[], env: Record<string, string>) {
  const { PATH, HOME } = process.env;
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ["--import", "./lib/operate/tsx.mjs", `lib/operate/${script}.ts`, ...args],
    // Empty: what a developer's .env names must not be reached.
    { env: { NODE_ENV: "production", PATH, HOME, DATABASE_URL: "", ...env }, encoding: "utf8" },
  );
  return { status, output: stdout + stderr };
}

const url = String(process.env.DATABASE_URL);
const AUTH_SECRET = String(process.env.AUTH_SECRET);

let dataDir: string;
let cluster: Cluster | undefined;

beforeAll(async () => {
  dataDir = await tempDataDir();
  const user = await makeUser();
  const { cookie } = user;
  await setUpTwoStep(user);
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

describe("a backup", () => {
  const file = () => path.join(dataDir, "kept.gz");

  async function emptyDatabase(name: string): Promise<string> {
    const admin = new pg.Client(cluster?.url);
    await admin.connect();
    await admin.query(`CREATE DATABASE ${name}`);
    await admin.end();
    return new URL(`/${name}`, cluster?.url).href;
  }

  it("restored into an empty cluster is the same database, table by table and digest by digest", async () => {
    const before = await digests(url);
    expect(Number.parseInt(before.clients ?? "", 10)).toBeGreaterThan(30);
    expect(run("backup", [file()], { DATABASE_URL: url, AUTH_SECRET })).toMatchObject({ status: 0 });
    expect((await stat(file())).mode & 0o777).toBe(0o600);

    expect(run("restore", [file()], { DATA_DIR: dataDir })).toMatchObject({ status: 0 });
    cluster = await startCluster({ dataDir, throwaway: true });
    expect(await digests(cluster.url)).toEqual(before);
    // The next start finds nothing to migrate or to seed.
    await prepareDatabase(cluster.url, {}, false);
    expect(await digests(cluster.url)).toEqual(before);
  });

  it("is refused by a database that holds data, which does not change", async () => {
    const before = await digests(String(cluster?.url));
    const { status, output } = run("restore", [file()], { DATABASE_URL: String(cluster?.url), AUTH_SECRET });
    expect({ status, output }).toEqual({
      status: 1,
      output: expect.stringContaining("The database holds data already"),
    });
    expect(await digests(String(cluster?.url))).toEqual(before);
  });

  it("that is truncated restores nothing, so that a whole one can be restored afterwards", async () => {
    const cut = path.join(dataDir, "cut.gz");
    await writeFile(cut, await readFile(file()));
    await truncate(cut, (await stat(cut)).size - 2000);
    const again = await emptyDatabase("again");
    const env = { DATABASE_URL: again, AUTH_SECRET };
    expect(run("restore", [cut], env)).toEqual({
      status: 1,
      output: "The file is damaged or is no backup of this program.\n",
    });
    expect(run("restore", [file()], env)).toMatchObject({ status: 0 });
    expect(await digests(again)).toEqual(await digests(url));
  });

  it("with any one byte changed is refused as damaged, and nothing is created in the database", async () => {
    const empty = await emptyDatabase("flipped");
    const whole = await readFile(file());
    const flipped = path.join(dataDir, "flipped.gz");
    const middle = Array.from({ length: 60 }, (_, n) => 64 + Math.floor((n * (whole.length - 128)) / 60));
    for (const at of [
      ...Array(64).keys(),
      ...middle,
      ...Array.from({ length: 64 }, (_, n) => whole.length - 1 - n),
    ]) {
      const bytes = Buffer.from(whole);
      // One bit, since gzip itself notices most changes of more.
      bytes[at] = (bytes[at] ?? 0) ^ (1 << (at % 8));
      await writeFile(flipped, bytes);
      await expect(readArchive(empty, flipped), `byte ${at}`).rejects.toThrow(/^The file is damaged/);
    }
    expect(await digests(empty)).toEqual({});
  });

  it("of the program before this check is restored as it was", async () => {
    const former = await emptyDatabase("former");
    const lines = gunzipSync((await readFile(file())).subarray(0, -32)).toString();
    const old = path.join(dataDir, "former.gz");
    await writeFile(old, gzipSync(lines.replace('{"casebook":2,', '{"casebook":1,')));
    await readArchive(former, old);
    expect(await digests(former)).toEqual(await digests(url));
  });

  it("of the running embedded database goes to DATA_DIR/backups, and those kept long enough are removed", async () => {
    const folder = path.join(dataDir, "backups");
    await mkdir(folder);
    const old = (days: number) =>
      `casebook-${new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10)}T010101Z.gz`;
    for (const name of [old(8), old(6), `${old(9)}.unfinished`, "other.gz"])
      await writeFile(path.join(folder, name), "");
    const { status, output } = run("backup", [], { DATA_DIR: dataDir, BACKUP_KEEP_DAYS: "7" });
    expect({ status, output }).toEqual({ status: 0, output: expect.stringMatching(/^Saved .+\.gz\n$/) });
    const made = path.basename(output.trim());
    expect((await readdir(folder)).sort()).toEqual([old(6), "other.gz", made].sort());
  });
});

describe("the nightly backup of docker-compose.yml, around PostgreSQL's own tools", () => {
  /** Runs backup.sh with a pg_dump that writes one line, or fails; what lies in the folder afterwards. */
  async function nightly(
    folder: string,
    pgDump: string,
  ): Promise<{ status: number | null; files: string[] }> {
    const tools = path.join(dataDir, "tools");
    await mkdir(tools, { recursive: true });
    await writeFile(path.join(tools, "pg_dump"), `#!/bin/sh\n${pgDump}\n`, { mode: 0o755 });
    await writeFile(path.join(tools, "pg_restore"), '#!/bin/sh\ngrep -q dump "$2"\n', { mode: 0o755 });
    const env = {
      NODE_ENV: "production",
      PATH: `${tools}:${process.env.PATH}`,
      BACKUP_DIR: folder,
      BACKUP_KEEP_DAYS: "7",
    } as const;
    const { status } = spawnSync("sh", [path.resolve("lib/operate/backup.sh"), "now"], { env });
    return { status, files: (await readdir(folder)).sort() };
  }
  const WRITES = 'echo dump > "$(echo "$2" | cut -d = -f 2)"';

  it("keeps what is whole and young enough, readable by its owner alone", async () => {
    const folder = path.join(dataDir, "nightly");
    await mkdir(folder);
    const age = async (name: string, days: number) => {
      await writeFile(path.join(folder, name), "dump");
      const at = new Date(Date.now() - days * 86_400_000);
      await utimes(path.join(folder, name), at, at);
    };
    await age("casebook-old.dump", 9);
    await age("casebook-older.dump.unfinished", 9);
    await age("casebook-just-too-old.dump", 7.1);
    await age("casebook-young.dump", 6.9);
    await age("other", 9);
    const { status, files } = await nightly(folder, WRITES);
    const made = files.find((name) => /^casebook-\d{4}-\d\d-\d\dT\d{6}Z\.dump$/.test(name));
    expect({ status, files }).toEqual({
      status: 0,
      files: [made, `${made}.sha256`, "casebook-young.dump", "other"],
    });
    expect((await stat(path.join(folder, String(made)))).mode & 0o777).toBe(0o600);
  });

  it.each([
    ["as it was saved", "dump\n", "dump\n", { status: 0, output: "Loaded.\n" }],
    [
      "with a byte changed",
      "dumq\n",
      "dump\n",
      { status: 1, output: expect.stringMatching(/^The file is damaged: /) },
    ],
    [
      "without its checksum",
      "dump\n",
      null,
      { status: 0, output: expect.stringMatching(/^There is no .*\nLoaded.\n$/) },
    ],
  ])("restored %s is loaded, or refused, by its checksum", async (_, bytes, saved, expected) => {
    const folder = await mkdtemp(path.join(dataDir, "restored-"));
    for (const [name, script] of Object.entries({
      dropdb: ":",
      createdb: ":",
      psql: ":",
      pg_restore: "echo Loaded.",
    }))
      await writeFile(path.join(folder, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
    const sum = spawnSync("sha256sum", { input: saved ?? "", encoding: "utf8" }).stdout;
    await writeFile(path.join(folder, "a.dump"), bytes);
    if (saved !== null) await writeFile(path.join(folder, "a.dump.sha256"), sum);
    const { status, stdout, stderr } = spawnSync(
      "sh",
      [path.resolve("lib/operate/backup.sh"), "drill", "a.dump"],
      {
        encoding: "utf8",
        env: { NODE_ENV: "production", PATH: `${folder}:${process.env.PATH}`, BACKUP_DIR: folder },
      },
    );
    expect({ status, output: stderr + stdout }).toEqual(expected);
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
    const { stdout } = spawnSync("sh", [path.resolve("lib/operate/backup.sh"), "nightly"], {
      encoding: "utf8",
      timeout: 120_000,
      env: {
        ...{ NODE_ENV: "production", PATH: `${tools}:${process.env.PATH}`, TZ: "America/New_York" },
        ...{ BACKUP_DIR: tools, BACKUP_AT: "02:30", BACKUP_KEEP_DAYS: "7" },
      },
    });
    expect(Number(stdout)).toBe(seconds);
    expect(await readdir(tools)).toContain(".since");
  });

  it("when it fails, or writes what pg_restore cannot read, removes no older one and leaves no file named as one", async () => {
    for (const pgDump of ["exit 1", 'echo broken > "$(echo "$2" | cut -d = -f 2)"']) {
      const folder = await mkdtemp(path.join(dataDir, "nightly-"));
      await writeFile(path.join(folder, "casebook-old.dump"), "dump");
      await utimes(path.join(folder, "casebook-old.dump"), 0, 0);
      const { status, files } = await nightly(folder, pgDump);
      expect(status).toBe(1);
      expect(files.filter((name) => name.endsWith(".dump"))).toEqual(["casebook-old.dump"]);
    }
  });
});
