import type { TestProject } from "vitest/node";
import { removeDataDir, startCluster } from "@/lib/operate/embedded";
import { ensurePrismaClient } from "@/lib/operate/stale";
import { tempDataDir } from "./data-dir";

declare module "vitest" {
  interface ProvidedContext {
    /** The database that each test file copies: migrated and seeded, without accounts, clients or forms. */
    templateUrl: string;
  }
}

/** One PostgreSQL of its own for the whole run, in a temporary folder; no other database is ever touched. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  await ensurePrismaClient();
  const dataDir = await tempDataDir();
  const cluster = await startCluster({ dataDir, throwaway: true });
  const teardown = async () => {
    await cluster.stop();
    await removeDataDir(dataDir);
  };
  try {
    Object.assign(process.env, {
      DATABASE_URL: cluster.url,
      AUTH_SECRET: "for preparing the template only, 32+",
    });
    const { prepareDatabase } = await import("@/lib/operate/prepare");
    await prepareDatabase(cluster.url, {}, false);
    const { closeDatabase } = await import("@/lib/database/client");
    await closeDatabase();
  } catch (error) {
    await teardown();
    throw error;
  }
  project.provide("templateUrl", cluster.url);
  return teardown;
}
