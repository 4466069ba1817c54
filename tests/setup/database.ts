import { randomBytes } from "node:crypto";
import { rm } from "node:fs/promises";
import pg from "pg";
import { afterAll, inject } from "vitest";
import { tempDataDir } from "./data-dir";

// Each test file has its own copy of the seeded database, and its own environment, before its first import.

const template = new URL(inject("templateUrl"));
const own = new URL(template);
// It begins with the template's name, by which it is removed (cluster.ts).
own.pathname += `_${randomBytes(6).toString("hex")}`;

const admin = new URL(template);
admin.pathname = "/postgres";
const client = new pg.Client(admin.href);
await client.connect();
await client.query(`CREATE DATABASE ${own.pathname.slice(1)} TEMPLATE ${template.pathname.slice(1)}`);
await client.end();

const direct = own.href;
const pooler = inject("pooler");
if (pooler) own.host = pooler;

const dataDir = await tempDataDir();

Object.assign(process.env, {
  DATABASE_URL: own.href,
  DATABASE_POOLER: pooler ? "transaction" : "",
  DATA_DIR: dataDir,
  APP_URL: "http://localhost:3000",
  AUTH_SECRET: randomBytes(32).toString("hex"),
  SMTP_URL: "",
  SENTRY_DSN: "",
});

if (pooler) {
  const { giveSettings } = await import("@/lib/operate/program-role");
  const owner = new pg.Client(direct);
  await owner.connect();
  await giveSettings(owner, own.href);
  await owner.end();
}

afterAll(async () => {
  const { closeDatabase } = await import("@/lib/database/client");
  await closeDatabase();
  await rm(dataDir, { recursive: true, force: true });
});
