import { randomUUID } from "node:crypto";
import { DEMO, expect, test } from "@/e2e/fixtures";
import { startInDevelopment } from "@/e2e/servers";
import { securityHeaders } from "@/lib/core/server/headers";

// The build answers the API itself (lib/direct.ts). In development, Next routes the same handlers.

type ApiRequest = {
  method: string;
  path: string;
  headers?: Record<string, string>;
  body?: string;
  /** The status that an administrator gets. */
  status: number;
};

const JSON_TYPE = { "content-type": "application/json" };

/** One path of every shape, and the requests that a router could treat differently. */
const REQUESTS: ApiRequest[] = [
  { method: "GET", path: "/api/nowhere/at/all", status: 404 },
  { method: "GET", path: "/api/nowhere", status: 404 },
  { method: "GET", path: "/api/canines/1/nowhere", status: 404 },
  { method: "PUT", path: "/api/nowhere/at/all", headers: JSON_TYPE, body: "{}", status: 404 },
  { method: "POST", path: "/api/nowhere/1", headers: JSON_TYPE, body: "{}", status: 404 },
  { method: "GET", path: "/api/canines", status: 200 },
  { method: "GET", path: "/api/canines/1", status: 200 },
  { method: "PUT", path: "/api/canines", headers: JSON_TYPE, body: "{}", status: 405 },
  { method: "GET", path: "/api/forms/1", status: 200 },
  { method: "GET", path: "/api/forms/%31", status: 200 },
  { method: "GET", path: "/api/forms/%00", status: 422 },
  { method: "GET", path: "/api/forms/1%20", status: 422 },
  { method: "GET", path: "/api/forms/999999", status: 404 },
  { method: "GET", path: "/api/forms?perPage=5&filters[formStatus]=all&search=a&sort=client", status: 200 },
  { method: "GET", path: "/api/forms?search=%ff", status: 200 },
  { method: "PATCH", path: "/api/forms", status: 405 },
  { method: "HEAD", path: "/api/me", status: 405 },
  { method: "HEAD", path: "/api/health", status: 200 },
  { method: "OPTIONS", path: "/api/me", status: 405 },
  { method: "POST", path: "/api/forms", headers: JSON_TYPE, body: "{", status: 400 },
  { method: "POST", path: "/api/forms", headers: { "content-type": "text/plain" }, body: "{}", status: 415 },
  {
    method: "POST",
    path: "/api/forms",
    headers: JSON_TYPE,
    body: `{"x":"${"y".repeat(70_000)}"}`,
    status: 422,
  },
  {
    method: "POST",
    path: "/api/forms",
    headers: JSON_TYPE,
    body: '{"form":{"note":"\\ud800é"}}',
    status: 422,
  },
  {
    method: "POST",
    path: "/api/forms",
    body: "{}",
    status: 403,
    headers: { ...JSON_TYPE, origin: "https://elsewhere.example" },
  },
  { method: "GET", path: "/api/me", headers: { authorization: "Bearer lb_unknown" }, status: 401 },
];

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

  ...Object.keys(securityHeaders({ https: false, dev: false })).map((name) => name.toLowerCase()),
]);

async function responseOf(
  url: string,
  cookie: string,
  { method, path, headers, body }: Omit<ApiRequest, "status">,
) {
  // The server closes idle connections, and may do so just when the next request begins.
  const sent = { ...headers, ...(cookie && { cookie }), "accept-encoding": "identity", connection: "close" };
  const response = await fetch(url + path, { method, headers: sent, body: body ?? null, redirect: "manual" });
  const bytes = Buffer.from(await response.arrayBuffer());
  return {
    status: response.status,
    // One character per byte.
    body: bytes.toString("latin1"),
    cookies: response.headers.getSetCookie().map((line) => line.replaceAll(/=[^;]*/g, "")),
    cache: response.headers.get("cache-control"),
    headers: [...response.headers].filter(([name]) => !IGNORED_HEADERS.has(name)),
  };
}

/** The paths that are requested, without their parameters. */
const PATHS = new Set([
  ...REQUESTS.map(({ path }) => path.split("?", 1)[0]),
  ...["/api/login", "/api/clients", "/api/clients/1", "/api/resource_lists/form_types"],
]);

/**
 * Requests each path until there is a response. The development server compiles a route at its first request. On a busy
 * machine, that may take longer than a connection may be silent.
 */
async function compileRoutes(url: string): Promise<void> {
  const statusOf = async (path = "") => {
    const request = { method: "GET", path };
    return responseOf(url, "", request).then(
      ({ status }) => status,
      () => null,
    );
  };
  for (const path of PATHS) await expect.poll(() => statusOf(path), { timeout: 0 }).not.toBeNull();
}

/** Ids, including those in changes, lists of ids, timestamps, tokens and UUIDs. */
const NEW =
  /(?<="(?:id|\w+Id|from|to)" ?: ?)\d+|\[\d+(?:, ?\d+)*\]|"\d{4}-\d\d-\d\dT[\d:.]+Z"|lb_[\w-]+|[\da-f]{8}-[\da-f-]{27}/g;

/** Creates, changes and deletes records, and returns the response to each call. */
async function saves(url: string, cookie: string) {
  const answers: object[] = [];
  const ask = async (method: string, path: string, value?: object, headers = {}) => {
    const body = value && { body: JSON.stringify(value) };
    const answer = await responseOf(url, cookie, {
      method,
      path,
      headers: { ...JSON_TYPE, ...headers },
      ...body,
    });
    expect(answer.status, `${method} ${path}: ${answer.body}`).toBeLessThan(300);
    answers.push({
      method,
      path: path.replace(/\d+/, "new"),
      ...answer,
      body: answer.body.replace(NEW, (found) => found.replace(/[\w-]+/g, "new")),
    });
    return answer.body && JSON.parse(answer.body);
  };
  const { client } = await ask("POST", "/api/clients", { client: { name: "Büke Both" } });
  const { formTypes } = await ask("GET", "/api/resource_lists/form_types");
  const form = {
    clientId: client.id,
    serviceOn: "2026-03-04",
    serviceStatus: "Served",
    verbalConfirmation: true,
    formTypeId: formTypes.find(({ name }: { name: string }) => name === "Service").id,
  };
  const key = { "idempotency-key": randomUUID() };
  const creation = await ask("POST", "/api/forms", { form }, key);
  await ask("POST", "/api/forms", { form }, key);
  const path = `/api/forms/${creation.form.id}`;
  await ask("PUT", path, { form: { ...form, serviceOn: "2026-03-05" } });
  await ask("DELETE", path);
  await ask("DELETE", `/api/clients/${client.id}`);
  return answers;
}

test("the API gives the same responses in development as in the build", async ({ server }) => {
  const development = await startInDevelopment(server);
  try {
    await compileRoutes(development.url);
    const body = JSON.stringify({ email: DEMO.administrator, password: DEMO.password });
    const login = await fetch(`${server.url}/api/login`, { method: "POST", headers: JSON_TYPE, body });
    const cookie = login.headers
      .getSetCookie()
      .map((line) => line.split(";", 1)[0])
      .join("; ");
    expect(cookie).not.toBe("");
    for (const sent of [cookie, ""])
      for (const request of REQUESTS) {
        const answer = await responseOf(server.url, sent, request);
        const name = `${request.method} ${request.path} ${sent && "signed in"}`;
        const inDevelopment = await responseOf(development.url, sent, request);
        // Next itself refuses a method that a route file does not export, without a body, and asks for no session. The file may be that of all
        // collections, for one that does not exist.
        if (inDevelopment.status === 405) expect([401, 404, 405], name).toContain(answer.status);
        else expect(inDevelopment, name).toEqual(answer);
        if (sent) expect(answer.status, name).toBe(request.status);
      }
    // Each deletes what it created, so that the second starts from the same state.
    expect(await saves(development.url, cookie)).toEqual(await saves(server.url, cookie));
  } finally {
    await development.stop();
  }
});
