import { randomBytes } from "node:crypto";
import { rm } from "node:fs/promises";
import { afterAll, inject } from "vitest";
import { copyDatabase } from "./copy";
import { tempDataDir } from "./data-dir";

// Gives each test file its own copy of the seeded database and its own environment, before its first import.

const dataDir = await tempDataDir();

Object.assign(process.env, {
  DATABASE_POOLER: inject("pooler") ? "transaction" : "",
  DATA_DIR: dataDir,
  APP_URL: "http://localhost:3000",
  AUTH_SECRET: randomBytes(32).toString("hex"),
  SMTP_URL: "",
  SENTRY_DSN: "",
});
process.env.DATABASE_URL = await copyDatabase();

afterAll(async () => {
  const { closeDatabase } = await import("@/lib/core/database/client");
  await closeDatabase();
  await rm(dataDir, { recursive: true, force: true });
});
