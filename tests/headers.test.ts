import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { parseEnv } from "@/lib/core/process/env";
import { requestContext } from "@/lib/core/process/request-context";
import { type HttpServer, listen, type ServerOptions } from "@/lib/core/server/http";
import { freePort } from "@/lib/ops/embedded";
import * as paths from "@/lib/paths";
import { takeLog } from "@/tests/setup/console";

// The HTTP server (lib/core/server/http.ts) around a handler that echoes the request it was given.

let http: HttpServer | undefined;
let port: number;

async function serve(options: Partial<ServerOptions> = {}): Promise<string> {
  port = await freePort();
  takeLog();
  const defaults = { paths, trustedProxies: [], https: false, dev: false };
  http = await listen(port, { ...defaults, ...options });
  http.handOver(async (request, response) => {
    const context = requestContext();
    if (request.headers["x-user"] && context) context.userId = Number(request.headers["x-user"]);
    if (request.headers["x-fail"]) throw new Error("Jane Doe");
    response.setHeader("Cache-Control", "public, max-age=31536000, immutable");
    response.setHeader("Content-Security-Policy", "default-src *");
    response.end(JSON.stringify(request.headers));
  });
  return `http://127.0.0.1:${port}`;
}

afterEach(() => http?.stop(0));

const ALWAYS = {
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "cache-control": "no-store",
};

/** Sends the bytes to the server and returns everything received until the connection closes. */
function raw(text: string, drip?: string): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    let got = "";
    const timer = setInterval(() => drip && socket.write(drip), 100);
    socket.on("data", (chunk) => {
      got += chunk;
    });
    socket.on("error", () => {});
    socket.on("close", () => {
      clearInterval(timer);
      resolve(got);
    });
    socket.write(text);
  });
}

/** Returns `count` texts, one header line each unless `separator` joins them. */
const many = (count: number, text: (at: number) => string, separator = "\r\n") =>
  Array.from({ length: count }, (_, at) => text(at)).join(separator);

describe("every response", () => {
  it.each([
    ["to a page", "/forms", {}, 200],
    ["to a request that fails", "/forms", { headers: { "x-fail": "1" } }, 500],
    ["to an unknown method", "/api/x", { method: "PROPFIND" }, 405],
    ["to a method that pages do not have", "/forms", { method: "POST" }, 405],
    ["to a method that the page among the API's paths does not have", "/api/docs", { method: "POST" }, 405],
    ["to a body that is too large", "/api/x", { method: "POST", body: new Uint8Array(1024 * 1024 + 1) }, 413],
  ] as [string, string, RequestInit, number][])(
    "%s has the security headers",
    async (_, path, init, status) => {
      const response = await fetch((await serve()) + path, init);
      expect(response.status).toBe(status);
      const headers = Object.fromEntries(response.headers);
      expect(headers).toMatchObject(ALWAYS);
      expect(headers["x-request-id"]).toMatch(/^[0-9a-f-]{36}$/);
      expect(headers["strict-transport-security"]).toBeUndefined();
      const policy = headers["content-security-policy"] ?? "";
      expect(policy).toMatch(/script-src 'self' 'nonce-[\w+/]{22}=='(;|$)/);
      for (const part of [
        "object-src 'none'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
        "form-action 'self'",
      ]) {
        expect(policy).toContain(part);
      }
      expect(await response.text()).not.toContain("Jane Doe");
    },
  );

  it.each([
    ["bytes that are not a request", "NONSENSE\r\n\r\n", "400"],
    ["a head that is too large", `GET / HTTP/1.1\r\nHost: x\r\nX: ${"x".repeat(20_000)}\r\n\r\n`, "431"],
    ["a request without a host", "GET / HTTP/1.1\r\nConnection: close\r\n\r\n", "400"],
    ["an expectation", "GET / HTTP/1.1\r\nHost: x\r\nExpect: miracles\r\nConnection: close\r\n\r\n", "417"],
    [
      "an upgrade, which is an ordinary request,",
      "GET /nowhere HTTP/1.1\r\nHost: x\r\nConnection: close, Upgrade\r\nUpgrade: websocket\r\n\r\n",
      "200",
    ],
    ["TRACE", "TRACE / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n", "405"],
  ])("to %s has the security headers", async (_, bytes, status) => {
    await serve();
    const answer = (await raw(bytes)).toLowerCase();
    expect(answer).toContain(`http/1.1 ${status}`);
    for (const [name, value] of Object.entries(ALWAYS)) expect(answer).toContain(`${name}: ${value}`);
    for (const name of ["content-security-policy", "x-request-id"]) expect(answer).toContain(`${name}: `);
    if (status !== "200")
      expect(JSON.parse(answer.slice(answer.indexOf("{")).replace(/\}[^}]*$/, "}"))).toHaveProperty("error");
  });

  it("has HSTS if APP_URL is https, and a new nonce each time", async () => {
    const url = await serve({ https: true });
    const answers = await Promise.all([fetch(url), fetch(url)]);
    for (const { headers } of answers)
      expect(headers.get("strict-transport-security")).toMatch(/^max-age=\d{8}/);
    const policies = answers.map(({ headers }) => headers.get("content-security-policy"));
    expect(policies[0]).not.toBe(policies[1]);
  });

  it("may be cached only if it is a file of the build", async () => {
    const url = await serve();
    const cacheOf = async (path: string) => (await fetch(url + path)).headers.get("cache-control");
    expect(await cacheOf("/_next/static/chunks/a.js")).toContain("immutable");
    for (const path of ["/", "/favicon.ico", "/_next/image", "/api/me"]) {
      expect(await cacheOf(path)).toBe("no-store");
    }
  });
});

describe("a request", () => {
  it("reaches the application with the server's own headers, not the caller's", async () => {
    const url = await serve();
    const requestHeaders = {
      "x-request-id": "mine",
      "x-request-path": "/mine",
      "x-client-address": "1.2.3.4",
      "x-forwarded-for": "1.2.3.4",
      "x-forwarded-host": "evil.example",
      "x-middleware-subrequest": "proxy:proxy",
      "next-action": "0".repeat(42),
      "x-nextjs-data": "1",
      "x-matched-path": "/mine",
      "content-security-policy-report-only": "script-src 'nonce-mine'",
      rsc: "1",
    };
    const response = await fetch(`${url}/forms?page=2&_rsc=abc&search=a%20b`, { headers: requestHeaders });
    const got = (await response.json()) as Record<string, string>;
    expect(got).toMatchObject({
      "x-request-id": response.headers.get("x-request-id"),
      "x-request-path": "/forms?page=2&search=a+b",
      "x-client-address": "127.0.0.1",
      "content-security-policy": response.headers.get("content-security-policy"),
      rsc: "1",
    });
    const ours = ["x-request-id", "x-request-path", "x-client-address", "rsc"];
    const left = Object.keys(got);
    expect(Object.keys(requestHeaders).filter((name) => left.includes(name) && !ours.includes(name))).toEqual(
      [],
    );
  });

  it("reaches the application with at most 1,000 characters of its User-Agent header", async () => {
    const url = await serve();
    for (const [sent, received] of [
      [14_000, 1_000],
      [999, 999],
    ] as const) {
      const response = await fetch(`${url}/`, { headers: { "user-agent": "a".repeat(sent) } });
      expect(await response.json()).toMatchObject({ "user-agent": "a".repeat(received) });
    }
  });

  it("is logged in one line without its content, except build files and successful health checks", async () => {
    const url = await serve();
    await fetch(`${url}/clients/12/edit?search=Jane`, { headers: { "x-user": "7" } });
    await fetch(`${url}/Jane/Doe`);
    await fetch(`${url}/update_password/s3cret`, { method: "POST" });
    await fetch(`${url}/api/health`);
    await fetch(`${url}/_next/static/chunks/a.js`);
    await fetch(`${url}/last`);
    const lines: unknown[] = [];
    await expect.poll(() => lines.push(...takeLog())).toBeGreaterThanOrEqual(4);
    expect(lines).toMatchObject([
      {
        method: "GET",
        route: "/clients/{id}/edit",
        status: 200,
        userId: 7,
        ms: expect.any(Number),
        requestId: expect.any(String),
      },
      { method: "GET", route: "unmatched", status: 200 },
      { method: "POST", route: "/update_password/{token}", status: 405 },
      { method: "GET", route: "unmatched", status: 200 },
    ]);
    expect(JSON.stringify(lines)).not.toMatch(/Jane|Doe|s3cret|search/);
  });
});

describe("a malformed request", () => {
  /** Sends `head` as the only request of a connection, and returns the status and JSON of the response. */
  async function ask(head: string): Promise<{ status: number; body: unknown }> {
    const answer = await raw(`${head}\r\nHost: x\r\nConnection: close\r\n\r\n`);
    return {
      status: Number(answer.split(" ")[1]),
      body: JSON.parse(/\{.*\}/.exec(answer)?.[0] ?? "null"),
    };
  }

  it.each([
    "/api/forms/%",
    "/api/forms/%E0%A4%A",
    "/forms/%/edit",
    "*",
    "forms",
    "/api/login/../docs",
    "/api/./docs",
    "/api/..",
    "/api/%2E%2e/forms",
    "/api\\docs",
  ])("for the address %s gets a 400 as JSON", async (address) => {
    await serve();
    expect(await ask(`GET ${address} HTTP/1.1`)).toEqual({
      status: 400,
      body: {
        error: expect.stringMatching(/^The (address|request) is malformed\.$/),
        code: "malformed",
      },
    });
  });

  it("with two body lengths is refused and not passed on", async () => {
    await serve();
    for (const lengths of [
      "Content-Length: 4\r\nTransfer-Encoding: chunked",
      "Content-Length: 4\r\nContent-Length: 5",
    ])
      expect((await ask(`POST /api/login HTTP/1.1\r\n${lengths}`)).status, lengths).toBe(400);
    expect(JSON.stringify(takeLog())).not.toContain("/api/login");
  });

  it("with more than one Host header gets a 400, even if the names are equal or the first is empty", async () => {
    await serve({ appUrl: "https://x" });
    for (const hosts of ["Host: x\r\nHost: evil.example", "Host: x\r\nhOST: x", "Host:\r\nHost: x"]) {
      const answer = await raw(`GET /forms HTTP/1.1\r\n${hosts}\r\nConnection: close\r\n\r\n`);
      expect(answer, hosts).toMatch(/^HTTP\/1.1 400 .*"code":"malformed"/s);
    }
  });

  it.each([
    ["more than 100 parameters", many(101, (at) => `p${at}`, "&"), ""],
    ["more than 100 parameters", many(101, () => "", "&"), ""],
    ["more than 20 times the same parameter", many(21, (at) => (at % 2 ? "a" : "%61=1"), "&"), ""],
    ["more than 200 cookies", "", `Cookie: ${many(201, (at) => `c${at}=1`, ";")}`],
    ["more than 20 times the same cookie", "", `Cookie: ${many(21, () => "a=1", "; ")}`],
    ["more than 200 cookies", "", many(21, (at) => `Cookie: ${many(10, (of) => `c${at}-${of}=1`, ";")}`)],
    ["more than 100 headers", "", many(99, (at) => `X-${at}: 1`)],
    ["more than 100 headers", "", many(2_500, () => "X:")],
    ["more than 20 times the same header", "", many(21, (at) => (at % 2 ? "X: 1" : "x: 1"))],
    [
      "more than 100 values in the header accept-encoding",
      "",
      `Accept-Encoding: ${many(101, () => "a", ",")}`,
    ],
    ["more than 100 values in the header accept", "", many(15, () => "Accept: a,b,c,d,e,f,g")],
  ])("that has %s gets a 400 that says so, on pages and in the API", async (excess, query, lines) => {
    await serve();
    for (const path of ["/forms", "/api/forms"]) {
      const head = `GET ${path}${query && `?${query}`} HTTP/1.1${lines && `\r\n${lines}`}`;
      expect(await ask(head)).toEqual({
        status: 400,
        body: { error: `The request has ${excess}.`, code: "malformed" },
      });
    }
  });

  it("whose path has more than 50 parts gets a 400", async () => {
    await serve();
    for (const path of ["/a".repeat(51), "/".repeat(51), `/api${"/a".repeat(50)}`])
      expect(await ask(`GET ${path} HTTP/1.1`)).toMatchObject({
        status: 400,
        body: { error: "The request has more than 50 parts in its path." },
      });
  });

  it("that has just as many parts as allowed is answered", async () => {
    await serve();
    const query = many(100, (at) => `p${at % 5}=1`, "&");
    const cookies = many(200, (at) => `c${at % 10}=1`, ";");
    const headers = many(96, (at) => `X-${at % 5}: 1`);
    const list = many(100, () => "a", ",");
    const head = `GET ${"/a".repeat(50)}?${query} HTTP/1.1\r\nCookie: ${cookies}\r\nAccept: ${list}\r\n${headers}`;
    expect((await ask(head)).status).toBe(200);
  });

  it.each([
    [
      "HTTP/1.0 with chunks",
      "POST /api/login HTTP/1.0\r\nConnection: keep-alive\r\nTransfer-Encoding: chunked",
    ],
    ["HTTP/1.0 without chunks", "POST /api/login HTTP/1.0\r\nTransfer-Encoding: identity"],
    ["a second encoding", "POST /api/login HTTP/1.1\r\nTransfer-Encoding: gzip, chunked"],
    ["HTTP/2.0", "GET /api/me HTTP/2.0"],
    ["HTTP/0.9", "GET /api/me HTTP/0.9"],
  ])("of %s is refused, and what follows in the same packet is not answered", async (_, head) => {
    await serve();
    const answer = await raw(`${head}\r\nHost: x\r\n\r\n0\r\n\r\nGET /next HTTP/1.1\r\nHost: x\r\n\r\n`);
    expect(answer.match(/^HTTP\/1.1 \d+/gm)).toEqual(["HTTP/1.1 400"]);
    expect(answer.toLowerCase()).toContain("connection: close");
  });

  it("is answered after the former one of its connection, as several in one packet are", async () => {
    await serve();
    let running = 0;
    let most = 0;
    http?.handOver(async (request, response) => {
      running += 1;
      most = Math.max(most, running);
      await new Promise(setImmediate);
      running -= 1;
      response.end(`${request.url}\n`);
    });
    const last = "GET /last HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n";
    const answer = await raw(many(50, (at) => `GET /${at} HTTP/1.1\r\nHost: x\r\n\r\n`, "") + last);
    expect(answer.match(/^\/\w+$/gm)).toEqual([...Array.from({ length: 50 }, (_, at) => `/${at}`), "/last"]);
    expect(most).toBe(1);
  });

  it("ends the connection if more than 100 others wait there", async () => {
    await serve();
    let count = 0;
    http?.handOver(async (_, response) => {
      count += 1;
      await new Promise(setImmediate);
      response.end();
    });
    await raw("GET / HTTP/1.1\r\nHost: x\r\n\r\n".repeat(1_000));
    expect(count).toBeLessThan(200);
  });

  it("for an absolute URL, as sent to proxies, is answered like its path", async () => {
    await serve();
    for (const [address, path] of [
      ["http://elsewhere.example/forms?page=2", "/forms?page=2"],
      ["HTTP://elsewhere.example", "/"],
    ]) {
      expect(await ask(`GET ${address} HTTP/1.1`)).toMatchObject({
        status: 200,
        body: { "x-request-path": path },
      });
    }
  });

  it.each([
    ["that is not JSON", "nonsense", 400],
    ["that cannot be decoded", "%", 400],
    ["that is empty", "", 400],
    ["with many levels", encodeURIComponent(`${'["",{"c":'.repeat(200)}["",{}]${"}]".repeat(200)}`), 400],
    ["with many parts", encodeURIComponent(`["",{${many(120, (at) => `"${at}":["",{}]`, ",")}}]`), 400],
    ["of another shape", encodeURIComponent('["",{},"x","y",true,5,6,7]'), 400],
    ["sent twice", "a\r\nNext-Router-State-Tree: b", 400],
    ["that is right", encodeURIComponent('["",{"children":["__PAGE__",{}]}]'), 200],
  ])("with the Next-Router-State-Tree %s is answered as JSON", async (_, tree, status) => {
    await serve();
    const { body, ...answer } = await ask(`GET / HTTP/1.1\r\nRSC: 1\r\nNext-Router-State-Tree: ${tree}`);
    expect(answer.status).toBe(status);
    if (status === 400)
      expect(body).toEqual({ error: "The Next-Router-State-Tree header is malformed.", code: "malformed" });
  });

  it("gets a 500 as JSON if the application gives up with plain text", async () => {
    await serve();
    http?.handOver(async (_request, response) => {
      response.statusCode = 500;
      response.setHeader("Content-Type", "text/plain");
      response.setHeader("Content-Length", 21);
      response.end("Internal Server Error");
    });
    expect(await ask("GET / HTTP/1.1")).toEqual({
      status: 500,
      body: { error: "Something went wrong", code: "failed" },
    });
  });

  it("gets a 413 and loses its connection if its body exceeds the limit while it is read", async () => {
    await serve({ limits: { idle: 60_000 } });
    if (http) http.server.requestTimeout = 0;
    http?.handOver(async (request, response) => {
      await once(request, "data");
      request.pause();
      // Next does this with a request whose body it gives up.
      Object.defineProperty(request, "socket", { value: undefined });
      response.writeHead(413).end("{}");
    });
    const head = "POST /api/x HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n";
    const answer = await raw(head, `4000\r\n${"x".repeat(0x4000)}\r\n`);
    expect(answer).toMatch(/^HTTP\/1.1 413 .*\r\nConnection: close\r\n/s);
  });
});

it.each([
  ["of 1 MB", "POST /api/clients", 1024 * 1024, " 200 OK"],
  ["that is larger", "POST /api/clients", 1024 * 1024 + 1, "The body is larger than 1 MB."],
  ["of 16 KB for a sign-in", "POST /api/login", 16 * 1024, " 200 OK"],
  ["that is larger for a sign-in", "POST /api/login", 16 * 1024 + 1, "The body is larger than 16 KB."],
  ["of 100 MB for the import of a file", "POST /api/imports?kind=clients", 100 * 1024 * 1024, " 200 OK"],
  ["that is larger for that", "POST /api/imports", 100 * 1024 * 1024 + 1, "The body is larger than 100 MB."],
  ["of 2 MB for the start of an import", "POST /api/imports/1/start", 2 * 1024 * 1024, "larger than 1 MB."],
])(
  "a request that announces a body %s learns before sending it whether it is accepted",
  async (_, call, bytes, says) => {
    await serve();
    expect(await raw(`${call} HTTP/1.1\r\nHost: x\r\nContent-Length: ${bytes}\r\n\r\n`)).toContain(says);
  },
);

describe("a request to a server with APP_URL", () => {
  const ask = async (host: string, path = "/forms") => {
    await serve({ appUrl: "https://cases.example.org:8443" });
    const answer = await raw(`GET ${path} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);
    return { status: Number(answer.split(" ")[1]), body: JSON.parse(/\{.*\}/.exec(answer)?.[0] ?? "null") };
  };

  it.each([
    "cases.example.org",
    "cases.example.org:8443",
    "CASES.example.org.",
    "cases.example.org:443",
    "localhost:3000",
    "127.0.0.1",
    "127.8.8.8:80",
    "[::1]:3000",
  ])("for the host %s is answered", async (host) => {
    expect((await ask(host)).status).toBe(200);
  });

  it.each([
    "evil.example",
    "cases.example.org.evil.example",
    "localhost.evil.example",
    "127.0.0.1.evil.example",
    "10.0.0.5",
    "cases.example.org@evil.example",
    "evil.example/cases.example.org",
    "[::2]",
    ":80",
  ])("for the host %s gets a 421 with the address to use", async (host) => {
    expect(await ask(host)).toEqual({
      status: 421,
      body: { error: "This is https://cases.example.org:8443", code: "misdirected" },
    });
  });

  it("for /api/health is answered for every host", async () => {
    expect((await ask("evil.example", "/api/health?x")).status).toBe(200);
  });
});

it("without APP_URL, requests for every host are answered", async () => {
  await serve();
  expect(await raw("GET / HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n")).toContain(" 200 OK");
  expect(parseEnv({}).hasAppUrl).toBe(false);
  expect(parseEnv({ APP_URL: "http://cases.example.org" }).hasAppUrl).toBe(true);
});

describe("a client that sends slowly", () => {
  it("gets a 408 and is disconnected if the head takes too long", async () => {
    await serve();
    expect(http?.server.headersTimeout).toBeLessThanOrEqual(10_000);
    await http?.stop(0);
    await serve({ limits: { head: 500 } });
    const answer = await raw("GET / HTTP/1.1\r\nHost: x\r\n", "X-A: b\r\n");
    expect(answer).toContain("408 Request Timeout");
    expect(answer.toLowerCase()).toContain("x-content-type-options: nosniff");
  });

  it("is disconnected if the body takes too long, later if the body may be a file", async () => {
    await serve({ limits: { request: 200, upload: 60_000 } });
    // Responds once the whole body has arrived.
    http?.handOver(async (request, response) => {
      await request.toArray();
      response.end();
    });
    const body = "Host: x\r\nContent-Length: 4\r\n\r\n";
    expect(await raw(`POST /api/clients HTTP/1.1\r\n${body}`, "")).toBe("");
    const file = connect({ port, host: "127.0.0.1" });
    file.write(`POST /api/imports HTTP/1.1\r\nConnection: close\r\n${body}ab`);
    // A later request has been cut off by now.
    expect(await raw(`POST /api/clients HTTP/1.1\r\n${body}`, "")).toBe("");
    file.write("cd");
    expect((await file.toArray()).join("")).toContain("200 OK");
  });

  it("is disconnected soon if its body was already answered, not only by the limit on whole requests", async () => {
    await serve();
    if (http) http.server.requestTimeout = 0;
    const head = "POST /api/x HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n";
    const answer = await raw(head, `4000\r\n${"x".repeat(0x4000)}\r\n`);
    expect(answer).toContain("200 OK");
  });
});

describe("many connections", () => {
  const clients: Socket[] = [];
  afterEach(() => {
    for (const client of clients.splice(0)) client.destroy();
  });

  /** Opens connections that send `text` and never close. */
  async function openConnections(count: number, text: string): Promise<void> {
    const connecting = Array.from({ length: count }, async () => {
      const client = connect({ port, host: "127.0.0.1", allowHalfOpen: true });
      clients.push(client);
      client.on("error", () => {});
      client.write(text);
      await new Promise((resolve) => client.once("connect", resolve));
    });
    await Promise.all(connecting);
  }

  const countConnections = () =>
    new Promise<number>((resolve) => http?.server.getConnections((_, count) => resolve(count)));

  async function untilConnections(count: number): Promise<void> {
    await expect.poll(countConnections).toBe(count);
  }

  it("of clients that trickle data are all closed after the time limit, each with a line in the log", async () => {
    await serve({ limits: { head: 500 } });
    await openConnections(50, "GET / HTTP/1.1\r\nHost: x\r\n");
    const lines: unknown[] = [];
    await expect.poll(() => lines.push(...takeLog())).toBe(50);
    await untilConnections(0);
    expect(lines[0]).toEqual({
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      level: "info",
      message: "Request",
      requestId: expect.any(String),
      route: "unreadable",
      status: 408,
    });
  });

  it("of clients that do not read the response are closed", async () => {
    await serve({ limits: { silence: 500 } });
    // This is more than the system's buffers hold.
    const much = Buffer.alloc(50_000_000);
    let begun = 0;
    http?.handOver(async (_request, response) => {
      begun += 1;
      response.end(much);
    });
    // On a busy machine, a connection may be closed before its request is read.
    await openConnections(5, "GET / HTTP/1.1\r\nHost: x\r\n\r\n");
    await untilConnections(0);
    const lines: unknown[] = [];
    await expect.poll(() => lines.push(...takeLog())).toBe(begun);
    expect(begun).toBeGreaterThan(0);
  });

  it.each([
    ["a head", "GET / HTTP/1.1\r\nHost: x\r\n"],
    ["a body", "POST /api/login HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n1\r\n{\r\n"],
  ])(
    "of clients that never finish %s are limited, block no other client, and are logged once",
    async (_, text) => {
      const url = await serve({ limits: { connections: 20 } });
      // The API responds only after the whole body has arrived.
      http?.handOver(async (request, response) => {
        for await (const _chunk of request);
        response.end("served");
      });
      await openConnections(60, text);
      await untilConnections(20);
      expect(await (await fetch(`${url}/api/health`)).text()).toBe("served");
      expect(await countConnections()).toBeLessThanOrEqual(20);
      expect(takeLog().filter(({ level }) => level === "warn")).toMatchObject([
        {
          message: "Too many connections: those that have been idle longest are closed",
          most: 20,
          closed: 1,
        },
      ]);
    },
  );

  it("do not cut off a request that is being answered", async () => {
    const url = await serve({ limits: { connections: 5 } });
    let finish = () => {};
    const started = new Promise<void>((resolve) => {
      http?.handOver(async (_request, response) => {
        finish = () => response.end("served");
        resolve();
      });
    });
    const answer = fetch(url);
    await started;
    await openConnections(20, "GET / HTTP/1.1\r\n");
    await untilConnections(5);
    finish();
    expect(await (await answer).text()).toBe("served");
  });
});
