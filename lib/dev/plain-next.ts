import { execFileSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { chmod, mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { startNode } from "@/lib/dev/child";
import { DEMO } from "@/lib/ops/demo";
import { freePort, removeDataDir, startCluster } from "@/lib/ops/embedded";
import { ensurePrismaClient } from "@/lib/ops/stale";

// `npm run next:check` shows that the repository is a usual Next project. It runs `next build` and `next start` on a
// migrated database, signs in, calls ten endpoints, saves a form, and loads pages. It replaces `.next`, so that the next
// `npm run build` builds again.

const NEXT = "node_modules/next/dist/bin/next";
const READS = [
  ...["/api/me", "/api/forms", "/api/clients", "/api/clients.xlsx", "/api/canines", "/api/canines.csv"],
  ...["/api/resource_lists/form_types", "/api/reports", "/api/stays", "/api/openapi.json"],
];
const PAGES = ["/", "/home", "/forms", "/clients", "/reports/pmt"];

const dataDir = await mkdtemp(path.join(tmpdir(), "lanternbook-plain-next-"));
// PostgreSQL may run under a separate account.
await chmod(dataDir, 0o711);
const cluster = await startCluster({ dataDir, throwaway: true });
const settings = {
  DATABASE_URL: cluster.url,
  AUTH_SECRET: randomBytes(32).toString("hex"),
  TZ: "America/New_York",
  NODE_ENV: "production",
  NEXT_TELEMETRY_DISABLED: "1",
};
try {
  await migrateAndSeed();
  await timed("next build", () => execFileSync(process.execPath, [NEXT, "build"], { env: environment() }));
  const port = String(await freePort());
  const server = await timed("next start", () =>
    startNode([NEXT, "start", "--port", port], settings, "Ready in"),
  );
  await use(`http://localhost:${port}`).finally(() => server.stop());
  console.log(server.output());
  if (!server.output().includes("For development only"))
    throw new Error("The start does not say what is missing");
  console.log("Everything responded as expected.");
} finally {
  await cluster.stop();
  await removeDataDir(dataDir);
}

async function migrateAndSeed(): Promise<void> {
  await ensurePrismaClient();
  Object.assign(process.env, settings);
  // The imports come this late because these modules read the environment.
  const { prepareDatabase } = await import("@/lib/ops/prepare");
  const { closeDatabase } = await import("@/lib/core/database/client");
  await prepareDatabase(cluster.url, {}, true);
  await closeDatabase();
}

async function use(url: string): Promise<void> {
  const login = { email: DEMO.administrator, password: DEMO.password };
  const signedIn = await expectStatus(200, `${url}/api/login`, "", login);
  const cookie = signedIn.headers
    .getSetCookie()
    .map((line) => line.split(";")[0])
    .join("; ");
  for (const read of READS) await expectStatus(200, url + read, cookie);
  const { clients } = await (await expectStatus(200, `${url}/api/clients?perPage=1`, cookie)).json();
  const { formTypes } = await (
    await expectStatus(200, `${url}/api/resource_lists/form_types`, cookie)
  ).json();
  const form = {
    clientId: clients[0].id,
    formTypeId: formTypes[0].id,
    serviceOn: new Date().toISOString().slice(0, 10),
    serviceStatus: "Served",
    verbalConfirmation: true,
  };
  const saved = await (await expectStatus(201, `${url}/api/forms`, cookie, { form })).json();
  await expectStatus(200, `${url}/api/forms/${saved.form.id}`, cookie);
  for (const page of [...PAGES, `/forms/${saved.form.id}/edit`]) await expectStatus(200, url + page, cookie);
  const notice = await (await expectStatus(200, `${url}/`, "")).text();
  if (!notice.includes("For development only"))
    throw new Error("The sign-in page does not say what is missing");
}

/** Requests a URL and prints how long it took. Throws if the status is another. */
async function expectStatus(status: number, url: string, cookie: string, body?: object): Promise<Response> {
  const begin = performance.now();
  const response = await fetch(url, {
    redirect: "manual",
    headers: { cookie, ...(body && { "content-type": "application/json" }) },
    ...(body && { method: "POST", body: JSON.stringify(body) }),
  });
  const ms = Math.round(performance.now() - begin);
  console.log(`${response.status} ${body ? "POST" : "GET"} ${new URL(url).pathname} ${ms} ms`);
  if (response.status !== status) throw new Error(`Expected ${status}: ${await response.text()}`);
  return response;
}

async function timed<Result>(name: string, work: () => Result): Promise<Awaited<Result>> {
  const begin = performance.now();
  const result = await work();
  console.log(`${name}: ${((performance.now() - begin) / 1000).toFixed(1)} s`);
  return result;
}

/** The environment of a build: none of the caller's settings. */
function environment(): NodeJS.ProcessEnv {
  const { PATH, HOME } = process.env;
  return { PATH, HOME, ...settings, NODE_ENV: "production" };
}
