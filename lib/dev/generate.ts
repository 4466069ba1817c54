import { existsSync } from "node:fs";
import { parseArgs } from "node:util";
import { PlainError } from "@/lib/core/process/plain-error";
import { DEMO } from "@/lib/ops/demo";
import { startCluster } from "@/lib/ops/embedded";
import { ensurePrismaClient } from "@/lib/ops/stale";

// `DATA_DIR=folder npm run generate -- --forms 1000000` creates an embedded database in a new folder and fills it with
// invented records. `DATA_DIR=folder npm start` then serves it. With DATABASE_URL it fills that database, which must
// contain no client and no form.

const { values } = parseArgs({ options: { forms: { type: "string", default: "10000" } } });
const { DATABASE_URL, DATA_DIR } = process.env;
if (!DATABASE_URL && !DATA_DIR)
  throw new PlainError("Name a new folder in DATA_DIR, or a database in DATABASE_URL.");
if (DATA_DIR && existsSync(DATA_DIR)) console.log(`Using what is in ${DATA_DIR}.`);

const cluster = DATABASE_URL ? null : await startCluster({ dataDir: String(DATA_DIR), say: console.log });
const url = DATABASE_URL ?? String(cluster?.url);
Object.assign(process.env, { NODE_ENV: "production", DATABASE_URL: url });
process.env.AUTH_SECRET ??= "for filling a database only, 32+ letters";
try {
  await ensurePrismaClient();
  // The import comes this late because these modules import Prisma's client.
  const { fillDatabase, generatedUser } = await import("@/lib/dev/data/fill");
  const { prepareDatabase } = await import("@/lib/ops/prepare");
  const { closeDatabase } = await import("@/lib/core/database/client");
  await prepareDatabase(url, {}, false);
  await closeDatabase();
  await fillDatabase(url, { forms: Number(values.forms), say: console.log });
  console.log(
    `Sign in as ${generatedUser(1)} (administrator) or ${generatedUser(9)}, password ${DEMO.password}.`,
  );
} finally {
  await cluster?.stop();
}
