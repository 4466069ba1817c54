import { spawn } from "node:child_process";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { endpoints } from "@/lib/api/endpoints";
import { freePort, runningDatabase } from "@/lib/operate/embedded";
import { DEMO, expect, test } from "./fixtures";

// Our server answers the API by the handlers themselves (lib/server/direct.ts), `next start` by Next.

type Ask = { method: string; path: string; headers?: Record<string, string>; body?: string };

const JSON_TYPE = { "content-type": "application/json" };
/** The second of two would find done what the first did, such as an end of sessions, or make a secret of its own. */
const ONCE = /logout|sessions|forgot_password|reset_password|two_step/;
/** What is read there grows with each call, or with time. */
const GROWING = /audit_events|history|sessions|archive/;

/** Every endpoint with what it refuses or reads; no record is changed. */
function asks(): Ask[] {
  const all = endpoints
    .filter(({ method, path }) => !(method === "GET" ? GROWING : ONCE).test(path))
    .flatMap(({ method, path }): Ask[] => {
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
    { method: "GET", path: "/api/nowhere/at/all" },
    { method: "GET", path: "/api/nowhere" },
    { method: "GET", path: "/api/forms/%31" },
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

async function answerOf(url: string, cookie: string, { method, path, headers, body }: Ask) {
  const sent = { ...headers, ...(cookie && { cookie }), "accept-encoding": "identity" };
  const response = await fetch(url + path, { method, headers: sent, body: body ?? null, redirect: "manual" });
  const { status } = response;
  return {
    ...{ status, body: await response.text(), cookies: response.headers.getSetCookie().length },
    ...Object.fromEntries(
      ["content-type", "allow", "retry-after", "location"].map((name) => [name, response.headers.get(name)]),
    ),
  };
}

/** What a program asks, with a token of the user's and with one that does not exist. */
async function asksByToken(url: string, cookie: string): Promise<Ask[]> {
  if (!cookie) return [{ method: "GET", path: "/api/me", headers: { authorization: "Bearer cb_unknown" } }];
  const { permissions } = await (await fetch(`${url}/api/me`, { headers: { cookie } })).json();
  const permissionIds = permissions
    .filter(({ name }: { name: string }) => name === "Canines")
    .map(({ id }: { id: number }) => id);
  const expiresOn = new Date().toISOString().slice(0, 10);
  const made = await fetch(`${url}/api/api_tokens`, {
    ...{ method: "POST", headers: { ...JSON_TYPE, cookie } },
    body: JSON.stringify({ apiToken: { name: "Both ways", expiresOn, permissionIds } }),
  });
  const headers = { authorization: `Bearer ${(await made.json()).apiToken.token}` };
  return [
    ...["/api/canines", "/api/clients", "/api/me", "/api/sessions"].map((path) => ({
      ...{ method: "GET", path, headers },
    })),
    { method: "POST", path: "/api/canines", headers: { ...headers, ...JSON_TYPE }, body: "{}" },
    { method: "POST", path: "/api/roles", headers: { ...headers, ...JSON_TYPE }, body: "{}" },
  ];
}

test("the API answers the same by our server and by next start", async ({ server }) => {
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
    for (const sent of [cookie, ""])
      for (const ask of [...asks(), ...(await asksByToken(server.url, cookie))]) {
        const [direct, byNext] = [await answerOf(server.url, sent, ask), await answerOf(other, sent, ask)];
        expect(
          direct,
          `${ask.method} ${ask.path} ${ask.body?.slice(0, 20) ?? ""} ${sent && "signed in"}`,
        ).toEqual(byNext);
      }
  } finally {
    child.kill();
  }
});
