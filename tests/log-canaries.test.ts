import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { clientSchema } from "@/lib/clients/schema";
import { PERMISSION_NAMES, type Permission, permissionKey } from "@/lib/core/access/permissions";
import { db, rows } from "@/lib/core/database/client";
import { toWire } from "@/lib/core/fields/wire";
import { env } from "@/lib/core/process/env";
import { flushReports, startReports } from "@/lib/core/process/error-reports";
import { withRequest } from "@/lib/core/process/request-context";
import { constant, sql } from "@/lib/core/sql";
import { today } from "@/lib/core/text/format";
import { routeOf } from "@/lib/paths";
import { runImports } from "@/lib/transfer/imports/run";
import { call, type Method } from "@/tests/call";
import { makeClient, makeUser } from "@/tests/factories";
import { type Ingest, startIngest } from "@/tests/ingest";
import { takeErrors, takeLog } from "@/tests/setup/console";

// Database errors quote rows, and nothing from these rows may reach the log or an error report.

const CANARY = "Kanarienvogel";
let ingest: Ingest;
beforeAll(async () => {
  ingest = await startIngest();
  Object.assign(env(), { SENTRY_DSN: ingest.dsn, NODE_ENV: "production" });
  await startReports();
});
afterAll(() => ingest.close());

test("when an import, merge, restriction, export or token call fails, no client data is logged or reported", async () => {
  const logged: unknown[][] = [];
  for (const method of ["debug", "log", "info", "warn", "error"] as const)
    vi.spyOn(console, method).mockImplementation((...values: unknown[]) => void logged.push(values));
  const user = await makeUser(PERMISSION_NAMES.map((name) => permissionKey(name) as Permission));
  const relative = await makeUser();
  const send = (method: Method, url: string, body?: unknown, options: Parameters<typeof call>[4] = {}) => {
    const route = routeOf(new URL(url, "http://localhost").pathname);
    const cookie = options.headers?.authorization ? null : user.cookie;
    return withRequest({ id: crypto.randomUUID(), method, route }, () =>
      call(cookie, method, url, body, options),
    );
  };
  const target = await makeClient(user, { name: `${CANARY} A` });
  const other = await makeClient(user, { name: CANARY });
  const file = { raw: `Name,${CANARY}\n${CANARY} B,${CANARY}`, headers: { "content-type": "text/csv" } };
  const { id, matches } = (await send("POST", "/api/imports?kind=clients", undefined, file)).body.import;
  const started = { import: { dryRun: false, matches } };
  expect((await send("POST", `/api/imports/${id}/start`, started)).status).toBe(200);
  const permissionIds = (await db().permission.findMany({ where: { name: "Clients" } })).map((one) => one.id);
  const apiToken = { name: "Nightly", expiresOn: today(), permissionIds };
  const { token } = (await send("POST", "/api/api_tokens", { apiToken })).body.apiToken;

  await rows(sql`CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS
    $$ BEGIN RAISE EXCEPTION ${constant(`row (${CANARY})`)}
      USING DETAIL = ${constant(CANARY)}, HINT = ${constant(CANARY)}; END $$`);
  await rows(sql`CREATE TRIGGER broken BEFORE INSERT ON audit_events EXECUTE FUNCTION fail()`);
  await runImports(new AbortController().signal);
  const client = toWire(clientSchema, target);
  const program = { headers: { authorization: `Bearer ${token}` } };
  const answers = [
    await send("POST", `/api/clients/${target.id}/merge`, {
      client,
      other: { id: other.id, lockVersion: 0 },
    }),
    await send("PUT", `/api/clients/${target.id}/restrictions`, { userIds: [relative.id] }),
    await send("GET", `/api/clients.csv?columns=all&search=${CANARY}`),
    await send("PUT", `/api/clients/${target.id}`, { client: { ...client, name: `${CANARY} C` } }, program),
  ];
  // Reads continue, and events that could not be recorded are logged.
  expect((await send("GET", `/api/clients/${target.id}/record.json`)).status).toBe(200);
  await flushReports(5);
  vi.restoreAllMocks();
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 500));
  takeErrors();
  const lines = takeLog();
  expect(lines.length).toBeGreaterThanOrEqual(answers.length + 2);
  expect(lines).toContainEqual(
    expect.objectContaining({ message: "An import was interrupted", importId: id }),
  );
  const loggedLines = [...lines, ...logged].map((values) => JSON.stringify(values));
  expect(ingest.events()).toHaveLength(answers.length);
  expect(`${loggedLines.join("\n")}${ingest.received()}${JSON.stringify(answers)}`).not.toContain(CANARY);
});
