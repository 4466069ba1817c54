import { randomBytes } from "node:crypto";
import pg from "pg";
import type { TestProject } from "vitest/node";
import { removeDataDir, startCluster } from "@/lib/ops/embedded";
import { ensurePrismaClient } from "@/lib/ops/stale";
import { tempDataDir } from "./data-dir";
import { type Pooler, startPgBouncer } from "./pgbouncer";

declare module "vitest" {
  interface ProvidedContext {
    /** The database that each test file copies: migrated and seeded, without accounts, clients or forms. */
    templateUrl: string;
    /** With `npm test -- --pooler`: the address of a PgBouncer in front of that server, `host:port`. */
    pooler: string | null;
  }
}

interface Server {
  /** The URL of an empty database. */
  url: string;
  release(): Promise<void>;
}

/**
 * Starts one PostgreSQL for the whole run in a temporary folder. The tests touch no other database. With
 * TEST_DATABASE_URL (of a superuser) the tests use that server instead, in databases that they create and
 * remove.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  await ensurePrismaClient();
  const { TEST_DATABASE_URL } = process.env;
  const { url, release } = TEST_DATABASE_URL ? await borrowServer(TEST_DATABASE_URL) : await startServer();
  let pooler: Pooler | null;
  try {
    Object.assign(process.env, {
      DATABASE_URL: url,
      AUTH_SECRET: "for preparing the template only, 32+",
    });
    const { prepareDatabase } = await import("@/lib/ops/prepare");
    await prepareDatabase(url, {}, false);
    const { closeDatabase } = await import("@/lib/core/database/client");
    await closeDatabase();
    pooler = process.env.TEST_POOLER ? await startPgBouncer(url) : null;
  } catch (error) {
    await release();
    throw error;
  }
  project.provide("templateUrl", url);
  project.provide("pooler", pooler && new URL(pooler.through(url)).host);
  return async () => {
    await pooler?.stop();
    await release();
  };
}

async function startServer(): Promise<Server> {
  const dataDir = await tempDataDir();
  const cluster = await startCluster({ dataDir, throwaway: true });
  return {
    url: cluster.url,
    async release() {
      await cluster.stop();
      await removeDataDir(dataDir);
    },
  };
}

async function borrowServer(address: string): Promise<Server> {
  const name = `lanternbook_${randomBytes(6).toString("hex")}`;
  const client = new pg.Client(address);
  await client.connect();
  // Sorts like the embedded server, however this server was created.
  await client.query(
    `CREATE DATABASE ${name} TEMPLATE template0 ENCODING 'UTF8' LOCALE_PROVIDER libc LOCALE 'C.UTF-8'`,
  );
  return {
    url: new URL(`/${name}`, address).href,
    async release() {
      const { rows } = await client.query("SELECT datname FROM pg_database WHERE starts_with(datname, $1)", [
        name,
      ]);
      for (const { datname } of rows) await client.query(`DROP DATABASE ${datname} WITH (FORCE)`);
      await client.end();
    },
  };
}
