import { chown, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { closeDatabase, rows } from "@/lib/core/database/client";
import { env, parseEnv } from "@/lib/core/process/env";
import { sql } from "@/lib/core/sql";
import { queryAt } from "@/lib/dev/query";
import { type Cluster, removeDataDir, startCluster } from "@/lib/ops/embedded";
import { prepareDatabase } from "@/lib/ops/prepare";
import { CERTIFICATE, KEY } from "@/tests/setup/certificate";
import { tempDataDir } from "@/tests/setup/data-dir";

// TLS to PostgreSQL can be required: DATABASE_TLS, with URLs that contain sslmode=verify-full.

let dataDir: string;
let cluster: Cluster;
let authority: string;

beforeAll(async () => {
  dataDir = await tempDataDir();
  cluster = await startCluster({ dataDir, throwaway: true });
  authority = path.join(dataDir, "authority.crt");
  await writeFile(authority, CERTIFICATE);
  const client = new pg.Client(cluster.url);
  await client.connect();
  const data = String((await client.query("SHOW data_directory")).rows[0].data_directory);
  const { uid, gid } = await stat(data);
  for (const [name, text] of Object.entries({ "server.crt": CERTIFICATE, "server.key": KEY })) {
    await writeFile(path.join(data, name), text, { mode: 0o600 });
    await chown(path.join(data, name), uid, gid);
  }
  await client.query("ALTER SYSTEM SET ssl = on");
  await client.query("SELECT pg_reload_conf()");
  // The postmaster reads the setting and passes it to each process with a delay.
  while ((await client.query("SHOW ssl")).rows[0].ssl !== "on") await new Promise(setImmediate);
  await client.end();
});
afterAll(async () => {
  await cluster?.stop();
  await removeDataDir(dataDir);
});

/** Returns the server's URL with another host and TLS parameters. */
function address(host: string, tlsParameters: Record<string, string>, server = cluster.url): string {
  const url = new URL(server);
  url.hostname = host;
  url.search = String(new URLSearchParams(tlsParameters));
  return url.href;
}
const verified = () => ({ sslmode: "verify-full", sslrootcert: authority });

const connecting = async (url: string) => {
  const [row] = await queryAt<{ ssl: boolean }>(
    url,
    "SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()",
  );
  return row?.ssl;
};

describe("a URL with sslmode=verify-full", () => {
  test("is connected to with TLS, by the program and by the owner who prepares the database", async () => {
    const url = address("localhost", verified());
    expect(await connecting(url)).toBe(true);
    const before = env().DATABASE_URL;
    const workOn = async (database: string) => {
      env().DATABASE_URL = database;
      await closeDatabase();
    };
    await workOn(url);
    try {
      await prepareDatabase(url, {}, false);
      expect(await rows(sql`SELECT DISTINCT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()`)).toEqual([
        { ssl: true },
      ]);
    } finally {
      await workOn(before);
    }
  });

  test("is not connected to if the authority differs, or the certificate has another name", async () => {
    await expect(connecting(address("localhost", { sslmode: "verify-full" }))).rejects.toThrow(/self.signed/);
    await expect(connecting(address("127.0.0.1", verified()))).rejects.toThrow(/does not match/);
  });

  test("is not connected to if the server does not support TLS", async () => {
    const without = address("localhost", verified(), String(process.env.DATABASE_URL));
    await expect(connecting(without)).rejects.toThrow("does not support SSL");
  });
});

test("DATABASE_TLS=true refuses to start with a URL that does not require a verified certificate", () => {
  const AUTH_SECRET = "s".repeat(32);
  const parse = (DATABASE_URL: string, DATABASE_OWNER_URL?: string) => () =>
    parseEnv({ AUTH_SECRET, DATABASE_TLS: "true", DATABASE_URL, DATABASE_OWNER_URL });
  const good = "postgresql://program:x@db.example.org/lanternbook?sslmode=verify-full";
  for (const bad of [
    "postgresql://program:x@db.example.org/lanternbook",
    "postgresql://program:x@db.example.org/lanternbook?sslmode=require",
    "postgresql://program:x@db.example.org/lanternbook?sslmode=disable",
  ]) {
    expect(parse(bad)).toThrow("DATABASE_URL: must include ?sslmode=verify-full");
    expect(parse(good, bad)).toThrow("DATABASE_OWNER_URL: must include ?sslmode=verify-full");
  }
  expect(parse(good, good)).not.toThrow();
});
