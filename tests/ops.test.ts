import { type ChildProcess, spawn } from "node:child_process";
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { networkInterfaces, tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { afterAll, afterEach, beforeEach, describe, expect, it } from "vitest";
import { PERMISSION_NAMES } from "@/lib/core/access/permissions";
import { pool } from "@/lib/core/database/client";
import { EnvError, parseEnv } from "@/lib/core/server/env";
import { isHealthy } from "@/lib/core/server/health";
import { type HttpServer, listen } from "@/lib/core/server/http";
import { queryAt } from "@/lib/dev/query";
import { schemaDiff } from "@/lib/dev/schema-diff";
import { type Cluster, freePort, removeDataDir, runningDatabase, startCluster } from "@/lib/ops/embedded";
import { migrate } from "@/lib/ops/migrate";
import * as paths from "@/lib/paths";
import { contactKinds, exitDestinations } from "@/prisma/seed-data";
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

/** Provides a new database with the migrations before the named one, and a function that applies the rest. */
async function inDatabaseBefore(
  migration: string,
  task: (client: pg.Client, migrateRest: () => Promise<unknown>) => Promise<void>,
) {
  const own = directUrl();
  // The pool limits a statement to three seconds, which creating a database may exceed.
  await queryAt(own, "CREATE DATABASE before_migration");
  const url = new URL("/before_migration", own);
  const client = new pg.Client(url.href);
  await client.connect();
  try {
    await migrate(client, undefined, (name) => name < migration);
    await task(client, () => migrate(client));
  } finally {
    await client.end();
    await queryAt(own, "DROP DATABASE before_migration WITH (FORCE)");
  }
}

describe("migrations", () => {
  it("are up to date in a prepared database, and a second run applies nothing", async () => {
    await expect.poll(isHealthy).toBe(true);
    const client = await pool().connect();
    expect(await migrate(client)).toEqual([]);
    client.release();
  });

  it("cover every change of schema.prisma", async () => {
    const schema = await readFile("prisma/schema.prisma", "utf8");
    const snapshot = await readFile("prisma/migrations/schema.snapshot.prisma", "utf8");
    expect(await schemaDiff(snapshot, schema)).toContain("This is an empty migration.");
  });

  it("keep the record of an idempotency key, and delete its stored response", async () => {
    await inDatabaseBefore("20261122085743_idempotency_references", async (client, migrateRest) => {
      await client.query(`INSERT INTO roles (name, updated_at) VALUES ('Old', now());
        INSERT INTO users (first_name, last_name, email, role_id, updated_at) VALUES ('A', 'B', 'a@b.org', 1, now());
        INSERT INTO idempotency_keys (user_id, key, body_hash, answer)
        VALUES (1, 'k', 'x', '{"id": 41, "name": "Rosa Secret"}'), (1, 'l', 'x', '{}')`);
      await migrateRest();
      const { rows } = await client.query("SELECT * FROM idempotency_keys");
      expect(rows).toEqual([expect.objectContaining({ key: "k", record_id: 41 })]);
      expect(rows[0]).not.toHaveProperty("answer");
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

  it("make the comment of a waiting return the first comment of its form", async () => {
    await inDatabaseBefore("20261125074810_form_comments", async (client, migrateRest) => {
      await client.query(`INSERT INTO roles (name, updated_at) VALUES ('Old', now());
        INSERT INTO users (first_name, last_name, email, role_id, updated_at) VALUES ('A', 'B', 'a@b.org', 1, now());
        INSERT INTO form_types (name, updated_at) VALUES ('Service', now());
        INSERT INTO clients (name, created_on, user_id, updated_at) VALUES ('Rosa', '2026-01-01', 1, now());
        INSERT INTO forms (client_id, form_type_id, service_on, service_status, verbal_confirmation, user_id, updated_at,
          returned_by_id, returned_at, return_comment)
        SELECT 1, 1, '2026-01-01', 'Served', true, 1, now(), returned.*
        FROM (VALUES (1, timestamptz '2026-02-01 10:00Z', 'Which code?'), (NULL, NULL, ''),
          (NULL, timestamptz '2026-01-31 10:00Z', 'Who was there?')) AS returned`);
      await migrateRest();
      const { rows } = await client.query(
        "SELECT form_id, user_id, to_char(at AT TIME ZONE 'UTC', 'MM-DD HH24') AS at, text FROM form_comments ORDER BY id",
      );
      expect(rows).toEqual([
        { form_id: 3, user_id: null, at: "01-31 10", text: "Who was there?" },
        { form_id: 1, user_id: 1, at: "02-01 10", text: "Which code?" },
      ]);
      const answered = await client.query("SELECT FROM forms WHERE answered_to_id IS NOT NULL");
      expect(answered.rowCount).toBe(0);
    });
  });

  it("give the nine later permissions only to roles that held all of the earlier ones", async () => {
    await inDatabaseBefore("20261122113000_permissions", async (client, migrateRest) => {
      const former = PERMISSION_NAMES.slice(0, 18);
      await client.query("INSERT INTO permissions (name) SELECT * FROM unnest($1::text[])", [former]);
      await client.query(`INSERT INTO roles (name, updated_at) VALUES ('Director', now()), ('Almost', now()), ('Empty', now());
        INSERT INTO role_permissions (role_id, permission_id)
        SELECT r.id, p.id FROM roles r, permissions p
        WHERE r.name = 'Director' OR r.name = 'Almost' AND p.name <> 'Canines'`);
      await migrateRest();
      const { rows } = await client.query("SELECT name FROM permissions ORDER BY id");
      expect(rows.map(({ name }) => name).sort()).toEqual([...PERMISSION_NAMES].sort());
      const held = await client.query(`SELECT r.name, count(rp.*)::int AS count
        FROM roles r LEFT JOIN role_permissions rp ON rp.role_id = r.id GROUP BY r.id ORDER BY r.id`);
      expect(held.rows).toEqual([
        { name: "Director", count: PERMISSION_NAMES.length },
        // Contacts, Shelter, and Activities come with Forms.
        { name: "Almost", count: 20 },
        { name: "Empty", count: 0 },
      ]);
    });
  });

  it("give Contacts to every role with Forms, and kinds of contacts to a database that is in use", async () => {
    await inDatabaseBefore("20261125065751_contacts", async (client, migrateRest) => {
      const former = PERMISSION_NAMES.slice(0, PERMISSION_NAMES.indexOf("Contacts"));
      await client.query("INSERT INTO permissions (name) SELECT * FROM unnest($1::text[])", [former]);
      await client.query(`INSERT INTO roles (name, updated_at)
        VALUES ('Director', now()), ('Advocate', now()), ('Clerk', now());
        INSERT INTO role_permissions (role_id, permission_id)
        SELECT r.id, p.id FROM roles r, permissions p WHERE r.name = 'Director'
          OR r.name = 'Advocate' AND p.name IN ('Forms', 'Clients') OR r.name = 'Clerk' AND p.name = 'Clients'`);
      await migrateRest();
      const { rows } = await client.query(`SELECT r.name, array_agg(p.name::text ORDER BY p.id) FILTER (
          WHERE p.name IN ('Contacts', 'Contact Kinds')) AS added
        FROM roles r JOIN role_permissions rp ON rp.role_id = r.id JOIN permissions p ON p.id = rp.permission_id
        GROUP BY r.id ORDER BY r.id`);
      expect(rows).toEqual([
        { name: "Director", added: ["Contacts", "Contact Kinds"] },
        { name: "Advocate", added: ["Contacts"] },
        { name: "Clerk", added: null },
      ]);
      const kinds = await client.query("SELECT name FROM contact_kinds ORDER BY id");
      expect(kinds.rows).toEqual(contactKinds.map(({ name }) => ({ name })));
    });
  });

  it("give Shelter to every role with Forms, and exit destinations to a database that is in use", async () => {
    const [stays = ""] = (await readdir("prisma/migrations")).filter((folder) => folder.endsWith("_stays"));
    await inDatabaseBefore(stays, async (client, migrateRest) => {
      const added = ["Shelter", "Shelters", "Exit Destinations"];
      const former = PERMISSION_NAMES.slice(0, PERMISSION_NAMES.indexOf("Form Types")).filter(
        (name) => !added.includes(name),
      );
      await client.query("INSERT INTO permissions (name) SELECT * FROM unnest($1::text[])", [former]);
      await client.query(`INSERT INTO roles (name, updated_at)
        VALUES ('Director', now()), ('Advocate', now()), ('Clerk', now());
        INSERT INTO role_permissions (role_id, permission_id)
        SELECT r.id, p.id FROM roles r, permissions p WHERE r.name = 'Director'
          OR r.name = 'Advocate' AND p.name IN ('Forms', 'Clients') OR r.name = 'Clerk' AND p.name = 'Clients'`);
      await migrateRest();
      const { rows } = await client.query(
        `SELECT r.name, array_agg(p.name::text ORDER BY p.id) FILTER (WHERE p.name = ANY($1)) AS added
        FROM roles r JOIN role_permissions rp ON rp.role_id = r.id JOIN permissions p ON p.id = rp.permission_id
        GROUP BY r.id ORDER BY r.id`,
        [added],
      );
      expect(rows).toEqual([
        { name: "Director", added },
        { name: "Advocate", added: ["Shelter"] },
        { name: "Clerk", added: null },
      ]);
      const exits = await client.query("SELECT name FROM exit_destinations ORDER BY id");
      expect(exits.rows.map(({ name }) => name)).toEqual(exitDestinations);
    });
  });

  it("give Form Types to every role with all permissions, and keep the order of the types", async () => {
    const [types = ""] = (await readdir("prisma/migrations")).filter((folder) =>
      folder.endsWith("_form_types"),
    );
    await inDatabaseBefore(types, async (client, migrateRest) => {
      const former = PERMISSION_NAMES.slice(0, PERMISSION_NAMES.indexOf("Form Types"));
      await client.query("INSERT INTO permissions (name) SELECT * FROM unnest($1::text[])", [former]);
      await client.query(`INSERT INTO roles (name, updated_at) VALUES ('Director', now()), ('Advocate', now());
        INSERT INTO role_permissions (role_id, permission_id)
        SELECT r.id, p.id FROM roles r, permissions p WHERE r.name = 'Director' OR p.name <> 'Roles';
        INSERT INTO form_types (name, updated_at) VALUES ('Phone', now()), ('Legal', now());`);
      await migrateRest();
      const { rows } = await client.query(
        `SELECT r.name FROM roles r JOIN role_permissions rp ON rp.role_id = r.id
          JOIN permissions p ON p.id = rp.permission_id WHERE p.name = 'Form Types'`,
      );
      expect(rows).toEqual([{ name: "Director" }]);
      const order = await client.query("SELECT name::text, sort_order FROM form_types ORDER BY id");
      expect(order.rows).toEqual([
        { name: "Phone", sort_order: 10 },
        { name: "Legal", sort_order: 20 },
      ]);
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
