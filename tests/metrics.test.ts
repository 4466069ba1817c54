import { mkdir, rm, writeFile } from "node:fs/promises";
import { request as ask } from "node:http";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { backupFolder } from "@/lib/core/database/backup-files";
import { db } from "@/lib/core/database/client";
import { env } from "@/lib/core/process/env";
import { VERSION } from "@/lib/core/process/version";
import { type HttpServer, listen } from "@/lib/core/server/http";
import { withMetrics } from "@/lib/metrics";
import { freePort } from "@/lib/ops/embedded";
import * as paths from "@/lib/paths";
import { logIn } from "@/tests/accounts-helpers";
import { call } from "@/tests/call";
import { makeUser } from "@/tests/factories";

const TOKEN = "a-token-for-a-scraper";
const METRICS_PATH = "/metrics";
let http: HttpServer;
let port: number;

beforeAll(async () => {
  port = await freePort();
  http = await listen(port, {
    paths,
    trustedProxies: ["127.0.0.1"],
    appUrl: "https://cases.example.org",
    https: false,
    dev: false,
  });
  http.handOver(
    withMetrics(async (_request, response) => {
      response.end("application");
    }),
  );
});
afterAll(() => http.stop(0));

function get(path: string, headers: Record<string, string> = {}): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    ask({ port, path, headers: { host: "localhost", ...headers } }, (response) => {
      let text = "";
      response.on("data", (chunk) => {
        text += chunk;
      });
      response.on("end", () => resolve({ status: response.statusCode ?? 0, text }));
    })
      .on("error", reject)
      .end();
  });
}

/** The values by name and labels, for example `lanternbook_queue_waiting{queue="mail"}`. */
async function metrics(): Promise<Record<string, number>> {
  const { text } = await get(METRICS_PATH);
  const lines = text.split("\n").filter((line) => line && !line.startsWith("#"));
  return Object.fromEntries(
    lines.map((line) => [line.slice(0, line.lastIndexOf(" ")), Number(line.split(" ").at(-1))]),
  );
}

describe("the metrics", () => {
  test("are readable from this machine, but not through a proxy on it", async () => {
    expect((await get(METRICS_PATH)).status).toBe(200);
    for (const header of ["X-Forwarded-For", "x-forwarded-host", "Forwarded", "Via", "X-Real-IP"])
      expect(await get(METRICS_PATH, { [header]: "127.0.0.1" })).toEqual({
        status: 404,
        text: JSON.stringify({ error: "Not found", code: "not_found" }),
      });
    expect((await get("/metrics/")).text).toBe("application");
  });

  test("need METRICS_TOKEN if APP_URL names another machine, because a proxy may leave no trace", async () => {
    const { APP_URL, hasAppUrl } = env();
    for (const [url, status] of [
      ["https://cases.example.org", 404],
      ["http://localhost.example.org", 404],
      ["http://192.168.1.5:3000", 404],
      ["http://localhost:3000", 200],
      ["http://127.0.0.1", 200],
      ["http://[::1]:3000", 200],
    ] as const) {
      Object.assign(env(), { APP_URL: url, hasAppUrl: true });
      expect((await get(METRICS_PATH)).status, url).toBe(status);
    }
    Object.assign(env(), { APP_URL: "https://cases.example.org", METRICS_TOKEN: TOKEN });
    expect((await get(METRICS_PATH, { authorization: `Bearer ${TOKEN}` })).status).toBe(200);
    Object.assign(env(), { APP_URL, hasAppUrl, METRICS_TOKEN: undefined });
  });

  test("are readable with METRICS_TOKEN under any host name", async () => {
    const forwarded = { "x-forwarded-for": "203.0.113.9", host: "app:3000" };
    const withToken = (token: string) =>
      get(METRICS_PATH, { ...forwarded, authorization: `Bearer ${token}` });
    expect((await withToken(TOKEN)).status).toBe(404);
    Object.assign(env(), { METRICS_TOKEN: TOKEN });
    expect((await withToken(TOKEN)).status).toBe(200);
    expect((await withToken("another-token-for-it")).status).toBe(404);
    expect((await get(METRICS_PATH, forwarded)).status).toBe(421);
    Object.assign(env(), { METRICS_TOKEN: undefined });
  });

  test("count requests by method, route and status, without ids", async () => {
    await get("/clients/12/edit?search=Jane");
    await get("/clients/13/edit");
    await get("/Jane");
    const { text } = await get(METRICS_PATH);
    expect(text).toContain(
      'lanternbook_requests_total{method="GET",route="/clients/{id}/edit",status="200"} 2\n',
    );
    expect(text).toContain('route="unmatched"');
    expect(text).not.toMatch(/Jane|\/12\/|search/);
  });

  test("show queues, the use of the pools and the delay of the seals", async () => {
    const before = await metrics();
    await db().mail.create({
      data: { messageId: crypto.randomUUID(), notice: "password", address: "a@example.org" },
    });
    const after = await metrics();
    const mail = 'lanternbook_queue_waiting{queue="mail"}';
    expect(after[mail]).toBe((before[mail] ?? 0) + 1);
    expect(after).toMatchObject({
      lanternbook_database_up: 1,
      'lanternbook_queue_waiting{queue="requests"}': 0,
      'lanternbook_queue_waiting{queue="password_hashes"}': 0,
      'lanternbook_queue_waiting{queue="imports"}': 0,
      'lanternbook_database_waiting{pool="main"}': 0,
      'lanternbook_database_connections{pool="main",state="used"}': expect.any(Number),
      lanternbook_audit_seal_delay_seconds: expect.any(Number),
    });
    expect(Object.keys(after).filter((name) => name.includes("replica"))).toEqual([]);
  });

  test("show the time of the newest complete backup, and whether a later one failed", async () => {
    const folder = backupFolder(env().DATA_DIR);
    const completed = "lanternbook_backup_completed_timestamp_seconds";
    const failed = "lanternbook_backup_failed";
    const shown = async () => {
      const all = await metrics();
      return [all[completed], all[failed]];
    };
    expect(await shown()).toEqual([undefined, 0]);
    await mkdir(folder, { recursive: true });
    try {
      await writeFile(path.join(folder, "lanternbook-2026-05-02T120000Z.backup"), "");
      const at = Date.UTC(2026, 4, 2, 12) / 1000;
      expect(await shown()).toEqual([at, 0]);
      await writeFile(path.join(folder, "lanternbook-2026-05-03T120000Z.failed"), "");
      expect(await shown()).toEqual([at, 1]);
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  test("show a failed backup if the folder of backups cannot be read", async () => {
    const folder = backupFolder(env().DATA_DIR);
    await writeFile(folder, "");
    try {
      const all = await metrics();
      expect(all.lanternbook_backup_failed).toBe(1);
      expect(all.lanternbook_backup_completed_timestamp_seconds).toBeUndefined();
    } finally {
      await rm(folder);
    }
  });

  test("count refused sign-ins by reason", async () => {
    const refused = 'lanternbook_sign_ins_refused_total{reason="bad_credentials"}';
    const before = (await metrics())[refused] ?? 0;
    expect((await logIn("nobody@example.org", "x")).status).toBe(401);
    expect((await metrics())[refused]).toBe(before + 1);
  });
});

describe("the health check", () => {
  test("shows the version only to administrators", async () => {
    // Repeats the request, because a busy machine that exceeds the limit of two seconds also gets 503.
    const health = (cookie: string | null) =>
      expect.poll(async () => (await call(cookie, "GET", "/api/health")).body);
    await health((await makeUser(["users", "roles"])).cookie).toEqual({ status: "ok", version: VERSION });
    await health((await makeUser(["users", "clients"])).cookie).toEqual({ status: "ok" });
    await health(null).toEqual({ status: "ok" });
  });

  test("of the process needs no database", async () => {
    expect(await call(null, "GET", "/api/health/live")).toMatchObject({
      status: 200,
      body: { status: "ok" },
    });
  });
});
