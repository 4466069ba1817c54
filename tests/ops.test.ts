import { type ChildProcess, spawn } from "node:child_process";
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { networkInterfaces, tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { afterAll, afterEach, beforeEach, describe, expect, it } from "vitest";
import { pool } from "@/lib/core/database/client";
import { MIGRATIONS, readMigrations } from "@/lib/core/database/migrations";
import { EnvError, parseEnv } from "@/lib/core/process/env";
import { isHealthy } from "@/lib/core/server/health";
import { type HttpServer, listen } from "@/lib/core/server/http";
import { queryAt } from "@/lib/dev/query";
import { schemaDiff } from "@/lib/dev/schema-diff";
import { type Cluster, freePort, removeDataDir, runningDatabase, startCluster } from "@/lib/ops/embedded";
import { migrate } from "@/lib/ops/migrate";
import * as paths from "@/lib/paths";
import { kill } from "@/tests/drill/faults";
import { directUrl } from "./direct";
import { type Gate, makeGate } from "./gate";
import { tempDataDir } from "./setup/data-dir";

describe("the embedded PostgreSQL", () => {
  let dataDir: string;
  let cluster: Cluster | undefined;
  let owner: ChildProcess | undefined;

  beforeEach(async () => {
    dataDir = await tempDataDir();
  });

  afterEach(async () => {
    owner?.kill("SIGKILL");
    // Adopts the process of a killed owner, so that nothing outlives the test.
    cluster ??= await startCluster({ dataDir, throwaway: true });
    await cluster.stop();
    await removeDataDir(dataDir);
    cluster = owner = undefined;
  });

  /** Starts another process with a cluster on `dataDir`, and resolves to its URL once the cluster responds. */
  function startOwner(): Promise<string> {
    const args = ["--import", "./lib/ops/tsx.mjs", "tests/setup/owner.ts", dataDir];
    const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
    owner = child;
    return new Promise((resolve) => child.stdout.once("data", (line) => resolve(String(line).trim())));
  }

  const postmasterFile = () => path.join(dataDir, "postgres/data/postmaster.pid");

  it("survives kill -9 of its owner and is adopted by the next start, with all committed data", async () => {
    const url = await startOwner();
    await queryAt(url, "CREATE TABLE kept AS SELECT 42 AS answer");
    owner?.kill("SIGKILL");
    cluster = await startCluster({ dataDir, throwaway: true });
    expect(cluster.url).toBe(url);
    expect(await queryAt(url, "SHOW log_error_verbosity")).toEqual([{ log_error_verbosity: "terse" }]);
    expect(await queryAt(cluster.url, "SELECT answer FROM kept")).toEqual([{ answer: 42 }]);
  });

  it("refuses a second owner and names the first", async () => {
    await startOwner();
    await expect(startCluster({ dataDir, throwaway: true })).rejects.toThrow(
      `The program is already running on ${dataDir} (process ${owner?.pid}). Stop it first.`,
    );
  });

  it("keeps its data across a stop, and starts despite a lock file with a reused process id", async () => {
    cluster = await startCluster({ dataDir, throwaway: true });
    await queryAt(cluster.url, "CREATE TABLE kept AS SELECT 42 AS answer");
    const lockFile = await readFile(postmasterFile(), "utf8");
    await cluster.stop();
    await writeFile(postmasterFile(), lockFile.replace(/^\d+/, String(process.pid)));
    cluster = await startCluster({ dataDir, throwaway: true });
    expect(await queryAt(cluster.url, "SELECT answer FROM kept")).toEqual([{ answer: 42 }]);
  });

  it("is restarted by its owner after being killed, at the same address and with all committed data", async () => {
    const messages: string[] = [];
    cluster = await startCluster({ dataDir, say: (line) => messages.push(line) });
    await queryAt(cluster.url, "CREATE TABLE kept AS SELECT 42 AS answer");
    for (let round = 1; round <= 2; round++) {
      await kill(dataDir);
      while (messages.length < 2 * round) await sleep(20);
      expect(await queryAt(cluster.url, "SELECT answer FROM kept")).toEqual([{ answer: 42 }]);
    }
    expect(messages).toEqual([
      "PostgreSQL ended unexpectedly. Restarting it.",
      "PostgreSQL is running again.",
      "PostgreSQL ended unexpectedly. Restarting it.",
      "PostgreSQL is running again.",
    ]);
    await cluster.stop();
    expect(await runningDatabase(dataDir)).toBe(null);
  });

  it("is retried until it starts, or until the program stops", async () => {
    const messages: string[] = [];
    cluster = await startCluster({ dataDir, throwaway: true, say: (line) => messages.push(line) });
    const configuration = path.join(dataDir, "postgres/data/postgresql.conf");
    const right = await readFile(configuration, "utf8");
    await writeFile(configuration, "nonsense = 1");
    await kill(dataDir);
    while (messages.length < 2) await sleep(20);
    expect(messages[1]).toMatch(/^PostgreSQL has not started yet. The end of its log:\n.*nonsense/s);
    await writeFile(configuration, right);
    while (messages.length < 3) await sleep(20);
    expect(await queryAt(cluster.url, "SELECT 1 AS one")).toEqual([{ one: 1 }]);

    await writeFile(configuration, "nonsense = 1");
    await kill(dataDir);
    while (messages.length < 4) await sleep(20);
    await cluster.stop();
    await writeFile(configuration, right);
    expect(await runningDatabase(dataDir)).toBe(null);
  });

  it("works in a folder that only its owner can enter", async () => {
    await chmod(dataDir, 0o700);
    cluster = await startCluster({ dataDir, throwaway: true });
    await cluster.stop();
    cluster = await startCluster({ dataDir, throwaway: true });
    expect(await queryAt(cluster.url, "SELECT 1 AS one")).toEqual([{ one: 1 }]);
  });

  it("recovers from a first run that was killed halfway", async () => {
    void startOwner();
    const home = path.join(dataDir, "postgres");
    const hasBegun = async () =>
      (await readdir(home).catch(() => [])).some((name) => name.includes("unfinished"));
    while (!(await hasBegun())) await sleep(5);
    owner?.kill("SIGKILL");
    cluster = await startCluster({ dataDir, throwaway: true });
    expect(await queryAt(cluster.url, "SELECT 1 AS one")).toEqual([{ one: 1 }]);
  });
});

/** Provides a new, empty database. */
async function inNewDatabase(task: (client: pg.Client) => Promise<void>): Promise<void> {
  const name = `${new URL(directUrl()).pathname.slice(1)}_${databases++}`;
  // The pool limits a statement to three seconds, which creating a database may exceed.
  await queryAt(directUrl(), `CREATE DATABASE ${name} TEMPLATE template0`);
  const client = new pg.Client(new URL(`/${name}`, directUrl()).href);
  await client.connect();
  try {
    await task(client);
  } finally {
    await client.end();
    await queryAt(directUrl(), `DROP DATABASE ${name} WITH (FORCE)`);
  }
}
let databases = 0;

const NO_TABLES = 'datasource db {\n  provider = "postgresql"\n}\n';
/** Columns that Prisma does not read. */
const ONLY_IN_SQL = [
  "clients name_folded text NOT NULL fold_name(name)",
  "clients name_sounds text[] NOT NULL name_sounds(name)",
  "forms client_name text NOT NULL ''::text",
];

/** Returns the columns of a database, and the names of its keys and indexes, without the months of the audit trail. */
async function outlineOf(client: pg.Client): Promise<{ columns: string[]; others: string[] }> {
  const columns = await client.query<{ line: string }>(
    `SELECT concat_ws(' ', relname, attname, format_type(atttypid, atttypmod), CASE WHEN attnotnull THEN 'NOT NULL' END,
      pg_get_expr(adbin, adrelid)) AS line
    FROM pg_attribute a JOIN pg_class c ON c.oid = attrelid LEFT JOIN pg_attrdef ON adrelid = attrelid AND adnum = attnum
    WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition AND attnum > 0
      AND NOT attisdropped AND relname <> '_prisma_migrations'`,
  );
  const others = await client.query<{ line: string }>(
    `SELECT concat_ws(' ', conrelid::regclass, conname, pg_get_constraintdef(oid)) AS line FROM pg_constraint
    WHERE connamespace = 'public'::regnamespace AND contype IN ('p', 'u', 'f')
    UNION ALL SELECT concat_ws(' ', indrelid::regclass, indexrelid::regclass, indisunique) FROM pg_index
    WHERE indrelid::regclass::text !~ '^pg_'`,
  );
  const linesOf = ({ rows }: { rows: { line: string }[] }) => rows.map(({ line }) => line).sort();
  return { columns: linesOf(columns), others: linesOf(others) };
}

/** Provides a new database with the migrations before the named one, and a function that applies the rest. */
async function inDatabaseBefore(
  migration: string,
  task: (client: pg.Client, migrateRest: () => Promise<unknown>) => Promise<void>,
) {
  await inNewDatabase(async (client) => {
    await migrate(client, undefined, (name) => name < migration);
    await task(client, () => migrate(client));
  });
}

describe("migrations", () => {
  it("are up to date in a prepared database, and a second run applies nothing", async () => {
    await expect.poll(isHealthy).toBe(true);
    const client = await pool().connect();
    expect(await migrate(client)).toEqual([]);
    client.release();
  });

  it("have every column, constraint, and index of schema.prisma, and no columns but three more", async () => {
    await inNewDatabase(async (migrated) => {
      await migrate(migrated);
      await inNewDatabase(async (described) => {
        const schema = await readFile("prisma/schema.prisma", "utf8");
        const [init] = await readMigrations(MIGRATIONS);
        // Defaults call functions of the first migration, and an audit event has a sequence of its own.
        await described.query(String(init?.sql.split("CREATE TABLE", 1)[0]));
        await described.query("CREATE SEQUENCE audit_events_id_seq");
        await described.query(await schemaDiff(NO_TABLES, schema));
        const expected = await outlineOf(described);
        const actual = await outlineOf(migrated);
        expect(expected.columns.length).toBeGreaterThan(400);
        expect(actual.columns).toEqual([...expected.columns, ...ONLY_IN_SQL].sort());
        expect(expected.others.filter((line) => !actual.others.includes(line))).toEqual([]);
      });
    });
  });

  it("map what counts in FVPSA with dates, and keep an organization's choices", async () => {
    await inDatabaseBefore("20261128063000_fvpsa_mappings", async (client, migrateRest) => {
      await client.query(`INSERT INTO contact_kinds (name, counts_as_hotline) VALUES ('Crisis line', true), ('Visit', false);
        INSERT INTO form_types (name, phone, updated_at) VALUES ('Phone', true, now()), ('Service', false, now());
        INSERT INTO shelters (name, kind) VALUES ('House', 'In-house'), ('Flats', 'Transitional');
        INSERT INTO service_codes (code, description, updated_at) VALUES ('CRISIS', '', now()), ('LEGAL-INFO', '', now()),
          ('COUNSEL-GRP', '', now()), ('HOTEL', '', now()), ('SAFETY', '', now()), ('OWN-TALK', '', now()), ('OWN-NEW', '', now());
        INSERT INTO report_settings (report, year_start) VALUES ('fvpsa', 10), ('pmt', 10);
        INSERT INTO report_submissions (report, from_on, to_on) VALUES ('fvpsa', '2026-01-01', '2026-03-31');
        INSERT INTO report_mappings (report, kind, source, form_type_id, line, valid_from, valid_through)
        SELECT report, 'service_code', c.id::text, form_type_id, m.line, valid_from::date, valid_through::date FROM (VALUES
          ('fvpsa', 'CRISIS', NULL, 'c1_crisis_intervention', '1900-01-01', NULL), ('fvpsa', 'CRISIS', 1, 'none', '1900-01-01', NULL),
          ('fvpsa', 'LEGAL-INFO', NULL, 'none', '1900-01-01', NULL), ('fvpsa', 'COUNSEL-GRP', NULL, 'c5_support_groups', '1900-01-01', NULL),
          ('fvpsa', 'HOTEL', NULL, 'none', '1900-01-01', NULL), ('pmt', 'HOTEL', NULL, 'd1_emergency_shelter', '1900-01-01', NULL),
          ('fvpsa', 'SAFETY', NULL, 'c1_crisis_intervention', '1900-01-01', '2026-06-30'), ('fvpsa', 'SAFETY', NULL, 'none', '2026-07-01', NULL),
          ('fvpsa', 'OWN-TALK', NULL, 'c4_individual_counseling', '1900-01-01', NULL), ('fvpsa', 'OWN-TALK', NULL, 'b4_individual_advocacy', '1900-01-01', NULL)
        ) AS m (report, code, form_type_id, line, valid_from, valid_through) JOIN service_codes c ON c.code::text = m.code;
        INSERT INTO report_mappings (report, kind, source, line, valid_from) VALUES ('fvpsa', 'gender', 'Male', 'gender_male', '1900-01-01'),
          ('fvpsa', 'age_bracket', '1', 'age_0_12', '1900-01-01')`);
      await migrateRest();
      const { rows } = await client.query<{ row: string }>(`SELECT concat_ws(' ', m.report, m.kind,
          coalesce(c.code::text, k.name::text, t.name::text, s.name::text, m.source), m.line, m.form_type_id,
          nullif(m.valid_from, '1900-01-01'), m.valid_through) AS row
        FROM report_mappings m LEFT JOIN service_codes c ON m.kind IN ('service_code', 'fvpsa_service') AND c.id::text = m.source
          LEFT JOIN contact_kinds k ON m.kind = 'contact_kind' AND k.id::text = m.source
          LEFT JOIN form_types t ON m.kind = 'form_type' AND t.id::text = m.source
          LEFT JOIN shelters s ON m.kind = 'shelter' AND s.id::text = m.source
        WHERE m.kind <> 'sex' ORDER BY 1`);
      expect(rows.map(({ row }) => row)).toEqual(
        [
          "fvpsa age_bracket 1 age_0_12",
          "fvpsa contact_kind Crisis line hotline",
          "fvpsa contact_kind Visit none",
          "fvpsa form_type Phone hotline",
          "fvpsa form_type Service none",
          "fvpsa fvpsa_service COUNSEL-GRP group",
          "fvpsa fvpsa_service CRISIS individual",
          "fvpsa fvpsa_service HOTEL none",
          "fvpsa fvpsa_service LEGAL-INFO individual",
          "fvpsa fvpsa_service OWN-TALK individual",
          "fvpsa fvpsa_service SAFETY individual 2026-06-30",
          "fvpsa fvpsa_service SAFETY none 2026-07-01",
          "fvpsa shelter Flats none",
          "fvpsa shelter House shelter",
          "pmt service_code HOTEL d1_emergency_shelter",
        ].sort(),
      );
      const sexes = await client.query(
        "SELECT source, line FROM report_mappings WHERE kind = 'sex' ORDER BY id",
      );
      expect(sexes.rows.map(({ source, line }) => `${source} ${line}`)).toEqual([
        ...["Unknown sex_not_reported", "Male sex_male", "Female sex_female"],
        ...["Transgender sex_not_reported", "Other sex_not_reported"],
      ]);
      expect((await client.query("SELECT rules FROM report_submissions")).rows).toEqual([{ rules: 1 }]);
    });
  });

  it("fold the names that are stored already, in clients and in their forms", async () => {
    await inDatabaseBefore("20261128060000_fold_text", async (client, migrateRest) => {
      const names = ["Ana", "Dž Łukasz", "Søren O´Brien", "Þóra Groß"];
      await client.query(
        `INSERT INTO roles (name, updated_at) VALUES ('Advocate', now());
        INSERT INTO users (first_name, last_name, email, role_id, updated_at) VALUES ('A', 'B', 'a@b.org', 1, now());
        INSERT INTO form_types (name, updated_at) VALUES ('Service', now())`,
      );
      await client.query(
        `INSERT INTO clients (name, created_on, user_id, updated_at) SELECT name, now(), 1, now()
        FROM unnest($1::text[]) AS name`,
        [names],
      );
      await client.query(
        `INSERT INTO forms (client_id, form_type_id, service_on, service_status, verbal_confirmation, user_id, updated_at)
        SELECT id, 1, now(), 'Served', TRUE, 1, now() FROM clients`,
      );
      const folded = async () =>
        (
          await client.query<{ names: string[] }>(
            `SELECT ARRAY[c.name_folded, f.client_name] AS names FROM clients c JOIN forms f ON f.client_id = c.id ORDER BY c.id`,
          )
        ).rows.map(({ names }) => names);
      const expected = ["ana", "dz lukasz", "soren obrien", "thora gross"].map((name) => [name, name]);
      expect(await folded()).not.toEqual(expected);
      await migrateRest();
      expect(await folded()).toEqual(expected);
    });
  });

  it("that fail leave nothing behind", async () => {
    const folder = await mkdtemp(path.join(tmpdir(), "lanternbook-migrations-"));
    await mkdir(path.join(folder, "1_broken"));
    await writeFile(path.join(folder, "1_broken/migration.sql"), "CREATE TABLE half (id int); SELECT 1 / 0;");
    const client = new pg.Client(directUrl());
    await client.connect();
    try {
      await client.query("BEGIN; CREATE SCHEMA elsewhere; SET search_path = elsewhere; COMMIT");
      await expect(migrate(client, folder)).rejects.toThrow("Migration 1_broken failed and changed nothing");
      expect((await client.query("SELECT to_regclass('half') AS half")).rows).toEqual([{ half: null }]);
      expect((await client.query("SELECT FROM _prisma_migrations")).rowCount).toBe(0);
    } finally {
      await client.end();
      await rm(folder, { recursive: true });
    }
  });

  it("that are unknown to the program, or missing, make the health check fail", async () => {
    await pool().query(
      "INSERT INTO _prisma_migrations (id, checksum, migration_name, finished_at) VALUES ('x', 'x', 'from_the_future', now())",
    );
    expect(await isHealthy()).toBe(false);
    const client = await pool().connect();
    await expect(migrate(client)).rejects.toThrow(
      "The database is newer than this program: it has from_the_future.",
    );
    client.release();
    await pool().query("DELETE FROM _prisma_migrations WHERE id = 'x'");
    await expect.poll(isHealthy).toBe(true);
  });
});

describe("the http server", () => {
  let http: HttpServer | undefined;
  let url: string;
  /** The gate that requests with the header `x-wait` wait for, and a gate that opens once one waits. */
  let gate: Gate;
  let waits: Gate;

  async function serve(trustedProxies: string[] = [], localOnly = false): Promise<void> {
    const port = await freePort();
    url = `http://127.0.0.1:${port}`;
    gate = makeGate();
    waits = makeGate();
    http = await listen(port, { paths, trustedProxies, localOnly, https: false, dev: false });
    http.handOver(async (request, response) => {
      if (request.headers["x-wait"]) {
        waits.open();
        await gate.opened;
      }
      response.end(JSON.stringify(request.headers));
    });
  }

  afterAll(() => http?.stop(0));

  it("finishes a slow request while it stops, and accepts no new one", async () => {
    await serve();
    const slow = fetch(url, { headers: { "x-wait": "yes" } });
    await waits.opened;
    const stopped = http?.stop(100);
    await expect(fetch(url)).rejects.toThrow();
    gate.open();
    expect((await slow).status).toBe(200);
    await stopped;
  });

  it("restricted to this machine listens on both localhost addresses only, until it stops", async () => {
    await serve([], true);
    const at = (address: string) =>
      fetch(url.replace("127.0.0.1", address)).then(
        ({ status }) => status,
        () => "refused",
      );
    const addresses = Object.values(networkInterfaces()).flatMap((each) => each ?? []);
    const hasIPv6 = addresses.some(({ address }) => address === "::1");
    expect([await at("127.0.0.1"), await at("[::1]")]).toEqual([200, hasIPv6 ? 200 : "refused"]);
    expect(await at("127.0.0.2")).toBe("refused");
    for (const { address } of addresses.filter(({ family, internal }) => family === "IPv4" && !internal))
      expect(await at(address), address).toBe("refused");
    await http?.stop(1);
    expect([await at("127.0.0.1"), await at("[::1]")]).toEqual(["refused", "refused"]);
  });

  it("cuts off requests that do not finish before the shutdown limit", async () => {
    await serve();
    const endless = fetch(url, { headers: { "x-wait": "yes" } }).catch(() => "cut off");
    await waits.opened;
    await http?.stop(0.3);
    expect(await endless).toBe("cut off");
  });

  it("answers 405 to unknown methods, and 413 to a body announced as over 1 MB", async () => {
    await serve();
    expect((await fetch(url, { method: "PROPFIND" })).status).toBe(405);
    const large = await fetch(`${url}/api/x`, { method: "POST", body: new Uint8Array(1024 * 1024 + 1) });
    expect(large.status).toBe(413);
    expect(large.headers.get("x-request-id")).toMatch(/^[0-9a-f-]{36}$/);
    await http?.stop(1);
  });

  it.each([
    ["no one", "", "127.0.0.1"],
    ["another subnet", "10.0.0.0/8", "127.0.0.1"],
    ["the caller", "127.0.0.1", "2.2.2.2"],
    ["the caller's subnet", "::1, 127.0.0.0/8", "2.2.2.2"],
    ["two proxies", "127.0.0.0/8 2.2.2.2", "1.1.1.1"],
    ["everybody", "0.0.0.0/0", "2.2.2.2"],
  ])(
    "that trusts %s as a proxy takes the client's address from the right place of X-Forwarded-For",
    async (_, list, client) => {
      const { TRUSTED_PROXIES } = parseEnv({ TRUSTED_PROXIES: list });
      await serve(TRUSTED_PROXIES);
      const response = await fetch(url, { headers: { "x-forwarded-for": "nonsense, 1.1.1.1, 2.2.2.2" } });
      expect(((await response.json()) as Record<string, string>)["x-client-address"]).toBe(client);
      await http?.stop(1);
    },
  );

  // The value in docker-compose.yml: the clients' own addresses are in trusted networks too.
  const PRIVATE = "10.0.0.0/8,172.16.0.0/12,192.168.0.0/16,fc00::/7,127.0.0.0/8";

  it.each([
    ["Caddy, which replaces what the client invented", PRIVATE, "192.168.1.5", "192.168.1.5"],
    ["nginx, which appends to an invented public address", PRIVATE, "6.6.6.6, 192.168.1.5", "192.168.1.5"],
    ["nginx, which appends to an invented private address", PRIVATE, "10.6.6.6,  192.168.1.5", "192.168.1.5"],
    ["nginx, which appends to an empty entry", PRIVATE, ", fd00::5", "fd00::5"],
    ["a proxy that writes an invalid address", PRIVATE, "6.6.6.6, unknown", "127.0.0.1"],
    [
      "a proxy behind another, listed by its address",
      `${PRIVATE},10.0.0.9`,
      "6.6.6.6, 192.168.1.5, 10.0.0.9",
      "192.168.1.5",
    ],
    ["a proxy behind one that is not listed by its address", PRIVATE, "192.168.1.5, 10.0.0.9", "10.0.0.9"],
  ])("takes the client's address from %s", async (_, list, forwarded, client) => {
    await serve(parseEnv({ TRUSTED_PROXIES: list }).TRUSTED_PROXIES);
    const response = await fetch(url, { headers: { "x-forwarded-for": forwarded } });
    expect(((await response.json()) as Record<string, string>)["x-client-address"]).toBe(client);
    await http?.stop(1);
  });

  it.each(["1", "proxy", "10.0.0.0/33", "10.0.0.0/8/8", "::1/129", "10.0.0.0/"])(
    "refuses %s as a proxy",
    (list) => {
      expect(() => parseEnv({ TRUSTED_PROXIES: list })).toThrow("must list addresses or subnets");
    },
  );

  it("reports that its port is in use by another program", async () => {
    await serve();
    const port = Number(new URL(url).port);
    await expect(listen(port, { paths, trustedProxies: [], https: false, dev: false })).rejects.toThrow(
      `Port ${port} is used by another program.`,
    );
  });
});

describe("the environment", () => {
  it("may be empty", () => {
    expect(parseEnv({})).toMatchObject({ PORT: 3000, DATA_DIR: ".data", APP_URL: "http://localhost:3000" });
  });

  it("is refused with a list of all invalid variables", () => {
    const wrong = {
      PORT: "x",
      DATABASE_URL: "mysql://x",
      ADMIN_EMAIL: "x",
      TZ: "Mars",
      AUTH_SECRET: "short",
    };
    const parse = () => parseEnv(wrong);
    expect(parse).toThrow(EnvError);
    for (const name of Object.keys(wrong)) expect(parse).toThrow(`\n  ${name}: `);
  });

  it("needs SMTP_URL where SMTP_REQUIRED is true", () => {
    expect(() => parseEnv({ SMTP_REQUIRED: "true", SMTP_URL: "" })).toThrow("SMTP_URL: is required here");
    expect(parseEnv({ SMTP_REQUIRED: "true", SMTP_URL: "smtp://mail:1025" }).SMTP_URL).toBe(
      "smtp://mail:1025",
    );
  });

  it("needs AUTH_SECRET with DATABASE_URL, and both of ADMIN_EMAIL and ADMIN_PASSWORD", () => {
    expect(() => parseEnv({ DATABASE_URL: "postgresql://h/d" })).toThrow("AUTH_SECRET: is required");
    for (const AUTH_SECRET of [undefined, "o".repeat(32)])
      expect(() => parseEnv({ AUTH_SECRET, AUTH_SECRET_PREVIOUS: "o".repeat(32) })).toThrow(
        "AUTH_SECRET_PREVIOUS: requires a different AUTH_SECRET",
      );
    expect(() => parseEnv({ ADMIN_EMAIL: "a@example.org" })).toThrow("set both or neither");
    expect(() => parseEnv({ ADMIN_EMAIL: "a@example.org", ADMIN_PASSWORD: "short" })).toThrow(
      "ADMIN_PASSWORD: Needs to contain at least 8 characters",
    );
  });
});
