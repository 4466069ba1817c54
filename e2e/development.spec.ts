import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { securityHeaders } from "@/lib/core/server/headers";
import { endpoints } from "@/lib/endpoints";
import { freePort, runningDatabase } from "@/lib/ops/embedded";
import { DEMO, expect, test } from "./fixtures";

// The server responds to API requests by calling the handlers itself (lib/direct.ts), while `next start` uses Next.

type ApiRequest = {
  method: string;
  path: string;
  headers?: Record<string, string>;
  body?: string;
  /** The status that an administrator gets. */
  status?: number;
};

const JSON_TYPE = { "content-type": "application/json" };
/**
 * The second of two such calls would find the effect of the first, such as ended sessions, or create another secret.
 */
const ONCE = /logout|sessions|forgot_password|reset_password|two_step/;
/** Responses that grow with each call, or over time. `saves` reads the parts about its own records. */
const GROWING = /audit_events|history|sessions|archive/;

/** Returns a request to every endpoint that is refused or only reads. No record is changed. */
function apiRequests(): ApiRequest[] {
  const all = endpoints
    .filter(({ method, path }) => !(method === "GET" ? GROWING : ONCE).test(path))
    .flatMap(({ method, path }): ApiRequest[] => {
      const to = (id: string) => path.replaceAll(/\{\w+\}/g, id);
      if (method === "GET")
        return [to("1"), to("999999"), to("x"), `${to("1")}?page=0`].map((path) => ({ method, path }));
      if (method === "DELETE") return [to("999999"), to("x")].map((path) => ({ method, path }));
      return ["{}", "{", `{"x":"${"y".repeat(70_000)}"}`].map((body) => ({
        ...{ method, path: to("999999"), headers: JSON_TYPE, body },
      }));
    });
  return [
    ...all,
    { method: "PATCH", path: "/api/forms" },
    { method: "PUT", path: "/api/age_brackets", headers: JSON_TYPE, body: "{}" },
    { method: "HEAD", path: "/api/me" },
    { method: "OPTIONS", path: "/api/me" },
    // One path of every shape: unknown, a list, a record, below a record, escaped.
    { method: "GET", path: "/api/nowhere/at/all", status: 404 },
    { method: "GET", path: "/api/nowhere", status: 404 },
    { method: "GET", path: "/api/canines/1/nowhere", status: 404 },
    { method: "PUT", path: "/api/nowhere/at/all", headers: JSON_TYPE, body: "{}", status: 404 },
    { method: "POST", path: "/api/nowhere/1", headers: JSON_TYPE, body: "{}", status: 404 },
    { method: "GET", path: "/api/canines", status: 200 },
    { method: "GET", path: "/api/canines/1", status: 200 },
    { method: "GET", path: "/api/forms/%31", status: 200 },
    { method: "GET", path: "/api/forms/%00", status: 422 },
    { method: "GET", path: "/api/forms/1%20", status: 422 },
    { method: "GET", path: "/api/forms?perPage=5&filters[formStatus]=all&search=a&sort=client" },
    { method: "GET", path: "/api/forms?search=%ff" },
    { method: "POST", path: "/api/forms", body: "{}", headers: { "content-type": "text/plain" } },
    {
      method: "POST",
      path: "/api/forms",
      body: "{}",
      headers: { ...JSON_TYPE, origin: "https://elsewhere.example" },
    },
    { method: "POST", path: "/api/forms", body: '{"form":{"note":"\\ud800é"}}', headers: JSON_TYPE },
  ];
}

/**
 * Headers of a single call or of the connection, and headers the server adds to every response. Also Next's own `Vary`,
 * with which browsers distinguish pages from their parts.
 */
const IGNORED_HEADERS = new Set([
  "vary",
  "cache-control",
  "date",
  "x-request-id",
  "set-cookie",
  "connection",
  "keep-alive",
  "content-length",
  "transfer-encoding",

  ...Object.keys(securityHeaders("", { https: false, dev: false })).map((name) => name.toLowerCase()),
]);

async function answerOf(url: string, cookie: string, { method, path, headers, body }: ApiRequest) {
  const sent = { ...headers, ...(cookie && { cookie }), "accept-encoding": "identity" };
  const response = await fetch(url + path, { method, headers: sent, body: body ?? null, redirect: "manual" });
  const bytes = Buffer.from(await response.arrayBuffer());
  return {
    status: response.status,
    // One character per byte.
    body: bytes.toString("latin1"),
    cookies: response.headers.getSetCookie().map((line) => line.replaceAll(/=[^;]*/g, "")),
    // Handlers set it on their responses. For OPTIONS, which Next handles, only the server sets it.
    cache: method === "OPTIONS" || response.headers.get("cache-control"),
    headers: [...response.headers].filter(([name]) => !IGNORED_HEADERS.has(name)),
  };
}

/** Ids, including those in changes, lists of ids, timestamps, tokens and UUIDs. */
const NEW =
  /(?<="(?:id|\w+Id|from|to)" ?: ?)\d+|\[\d+(?:, ?\d+)*\]|"\d{4}-\d\d-\d\dT[\d:.]+Z"|lb_[\w-]+|[\da-f]{8}-[\da-f-]{27}/g;

/** Creates, changes and deletes records, reads their traces, and returns the response to each call. */
async function saves(url: string, cookie: string) {
  const answers: [call: string, answer: object][] = [];
  const ask = async (method: string, path: string, value?: object, headers = {}) => {
    const body = value && { body: JSON.stringify(value) };
    // The caller's address, which the server sets itself.
    const known = { ...JSON_TYPE, "x-client-address": "127.0.0.1" };
    const call = { method, path, headers: { ...known, ...headers }, ...body };
    const answer = await answerOf(url, cookie, call);
    expect(answer.status, `${method} ${path}: ${answer.body}`).toBeLessThan(300);
    const text = answer.body.replace(NEW, (found) => found.replace(/[\w-]+/g, "new"));
    const isFile = path.endsWith(".zip");
    answers.push([`${method} ${path.replace(/\d+/g, "1")}`, { ...answer, body: isFile ? "" : text }]);
    return answer.body && !isFile ? JSON.parse(answer.body) : null;
  };

  const { client } = await ask("POST", "/api/clients", { client: { name: "Büke Both" } });
  await ask("PUT", `/api/clients/${client.id}`, { client: { name: "Büke Ways", significantOther: true } });
  await ask("POST", `/api/clients/${client.id}/printed`);
  const { formTypes } = await ask("GET", "/api/resource_lists/form_types");
  const formTypeId = formTypes.find(({ name }: { name: string }) => name === "Service").id;
  const form = {
    ...{ clientId: client.id, formTypeId, serviceOn: "2026-03-04" },
    ...{ serviceStatus: "Served", verbalConfirmation: true },
  };
  const key = { "idempotency-key": randomUUID() };
  const creation = await ask("POST", "/api/forms", { form }, key);
  await ask("POST", "/api/forms", { form }, key);
  const at = `/api/forms/${creation.form.id}`;
  await ask("PUT", at, { form: { ...form, serviceOn: "2026-03-05" } });
  await ask("POST", `${at}/return`, { comment: "Who was there?" });
  await ask("POST", `${at}/reconcile`, { reconciled: true });
  await ask("POST", "/api/forms/reconcile", { ids: [creation.form.id], reconciled: false });
  await ask("PUT", "/api/drafts/both", {
    draft: { formId: creation.form.id, content: { form: { formTypeId } } },
  });
  await ask("GET", "/api/drafts/both");
  await ask("DELETE", "/api/drafts/both");
  await ask("GET", at);
  await ask("GET", `/api/clients/${client.id}/record.json`);
  await ask("GET", `${at}/history`);
  await ask("DELETE", at);
  await ask("DELETE", `/api/clients/${client.id}`);
  await ask("GET", `/api/audit_events?filters[entity]=form&filters[entityId]=${creation.form.id}`);

  const { canine } = await ask("POST", "/api/canines", { canine: { name: "Both" } });
  await ask("PUT", `/api/canines/${canine.id}`, { canine: { name: "Ways" } });
  await ask("DELETE", `/api/canines/${canine.id}`);
  const expiresOn = new Date().toISOString().slice(0, 10);
  const token = { name: "Saves", expiresOn, permissionIds: await caninesIn(url, cookie) };
  const { apiToken } = await ask("POST", "/api/api_tokens", { apiToken: token });
  await ask("DELETE", `/api/api_tokens/${apiToken.id}`);
  await ask("GET", "/api/sessions");
  await ask("GET", "/api/archive.zip");
  const login = JSON.stringify({ email: DEMO.advocate, password: DEMO.password });
  const signIn = { method: "POST", path: "/api/login", headers: JSON_TYPE, body: login };
  // Without the cookie, because the call would replace its session.
  answers.push(["POST /api/login", await answerOf(url, "", signIn)]);
  return answers;
}

/** Returns the id of the permission for canines, in a list. */
async function caninesIn(url: string, cookie: string): Promise<number[]> {
  const { permissions } = await (await fetch(`${url}/api/me`, { headers: { cookie } })).json();
  return permissions
    .filter(({ name }: { name: string }) => name === "Canines")
    .map(({ id }: { id: number }) => id);
}

/** Returns the requests of a program, with a token of the user's and with an unknown one. */
async function apiRequestsByToken(url: string, cookie: string): Promise<ApiRequest[]> {
  if (!cookie) return [{ method: "GET", path: "/api/me", headers: { authorization: "Bearer lb_unknown" } }];
  const permissionIds = await caninesIn(url, cookie);
  const expiresOn = new Date().toISOString().slice(0, 10);
  const response = await fetch(`${url}/api/api_tokens`, {
    ...{ method: "POST", headers: { ...JSON_TYPE, cookie } },
    body: JSON.stringify({ apiToken: { name: "Both ways", expiresOn, permissionIds } }),
  });
  const headers = { authorization: `Bearer ${(await response.json()).apiToken.token}` };
  return [
    ...["/api/canines", "/api/clients", "/api/me", "/api/sessions"].map((path) => ({
      ...{ method: "GET", path, headers },
    })),
    { method: "POST", path: "/api/canines", headers: { ...headers, ...JSON_TYPE }, body: "{}" },
    { method: "POST", path: "/api/roles", headers: { ...headers, ...JSON_TYPE }, body: "{}" },
  ];
}

test("the API gives the same responses through the server and through next start", async ({ server }) => {
  const { PATH, HOME } = process.env;
  const port = await freePort();
  const child = spawn(
    process.execPath,
    ["node_modules/next/dist/bin/next", "start", "--port", String(port)],
    {
      env: {
        ...{ PATH, HOME, NODE_ENV: "production", TZ: "America/New_York", APP_URL: server.url },
        DATABASE_URL: (await runningDatabase(server.dataDir)) ?? "",
        AUTH_SECRET: (await readFile(path.join(server.dataDir, "auth-secret"), "utf8")).trim(),
      },
      stdio: "ignore",
    },
  );
  try {
    const other = `http://localhost:${port}`;
    while (!(await fetch(`${other}/api/health`).catch(() => null))) await sleep(200);
    const login = await fetch(`${server.url}/api/login`, {
      ...{ method: "POST", headers: JSON_TYPE },
      body: JSON.stringify({ email: DEMO.administrator, password: DEMO.password }),
    });
    const cookie = login.headers
      .getSetCookie()
      .map((line) => line.split(";", 1)[0])
      .join("; ");
    expect(cookie).not.toBe("");
    for (const ownCookie of [cookie, ""])
      for (const ask of [...apiRequests(), ...(await apiRequestsByToken(server.url, cookie))]) {
        const [direct, byNext] = [
          await answerOf(server.url, ownCookie, ask),
          await answerOf(other, ownCookie, ask),
        ];
        expect(
          direct,
          `${ask.method} ${ask.path} ${ask.body?.slice(0, 20) ?? ""} ${ownCookie && "signed in"}`,
        ).toEqual(byNext);
        if (ownCookie && ask.status) expect(direct.status, `${ask.method} ${ask.path}`).toBe(ask.status);
      }
    // Each run deletes what it created, so that the second starts from the same state.
    const [direct, byNext] = [await saves(server.url, cookie), await saves(other, cookie)];
    for (const [n, answer] of direct.entries()) expect(answer).toEqual(byNext[n]);
  } finally {
    child.kill();
  }
});
