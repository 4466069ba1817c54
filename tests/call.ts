/// <reference types="vite/client" />
import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "vitest";
import { type Endpoint, errorCodes } from "@/lib/core/api/endpoint";
import { db } from "@/lib/core/database/client";
import { ERROR_STATUS, type ErrorCode } from "@/lib/core/errors";
import { type Actor, actorOf, openSession } from "@/lib/identity/session";
import { answerCall, findEndpoint } from "@/lib/route";
import { assertDescribed } from "@/tests/described";

// Calls the API in process, in the same way as the server.

/**
 * Every route file by its folder (`/api/clients/[id]`), with a function that loads it and binds its
 * endpoints.
 */
export const routes = new Map(
  Object.entries(import.meta.glob("../app/api/**/route.ts")).map(([file, load]) => [
    file.slice("../app".length, -"/route.ts".length),
    load,
  ]),
);

let loading: Promise<unknown> | undefined;
function loadRoutes(): Promise<unknown> {
  loading ??= Promise.all([...routes.values()].map((load) => load()));
  return loading;
}

export type Method = "GET" | "POST" | "PUT" | "DELETE" | "PATCH";

export type Answer = {
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: a test reads any response
  body: any;
  /** The unparsed body. */
  bytes: Uint8Array;
  headers: Headers;
};

type Options = { headers?: Record<string, string>; raw?: BodyInit };

/**
 * Calls an endpoint with the session `cookie` (null for a guest). `body` is sent as JSON, `raw` unchanged.
 * The response body is parsed if there is one.
 */
export async function call(
  cookie: string | null,
  method: Method,
  url: string,
  body?: unknown,
  { headers = {}, raw }: Options = {},
): Promise<Answer> {
  const request = new Request(new URL(url, "http://localhost:3000"), {
    method,
    headers: {
      ...(cookie && { cookie }),
      ...((body !== undefined || raw !== undefined) && { "content-type": "application/json" }),
      ...headers,
    },
    body: raw ?? (body === undefined ? undefined : JSON.stringify(body)),
  });
  await loadRoutes();
  const reply = await answerCall(request);
  const response = new Response(reply.body, reply);
  const bytes = new Uint8Array(await response.arrayBuffer());
  const text = new TextDecoder().decode(bytes);
  const answer: Answer = {
    status: response.status,
    headers: response.headers,
    bytes,
    body: text === "" ? null : isJson(response) ? JSON.parse(text) : text,
  };
  const endpoint = endpointAt(method, new URL(request.url).pathname);
  assertDeclared(endpoint, answer);
  assertDescribed(endpoint, answer);
  return answer;
}

function endpointAt(method: Method, pathname: string): Endpoint | undefined {
  try {
    return findEndpoint(method, pathname)?.endpoint;
  } catch {
    // The path exists, but only with other methods.
    return undefined;
  }
}

const isJson = ({ headers }: Response) =>
  headers.get("content-type")?.startsWith("application/json") ?? false;

/**
 * Fails unless the endpoint declares the response's status or error code. assertDescribed checks the body.
 */
function assertDeclared(endpoint: Endpoint | undefined, { status, body }: Answer): void {
  if (!endpoint) {
    // The request matches no endpoint: the path or method does not exist.
    expect(["method", "not_found", "unauthorized", "forbidden", "unavailable"]).toContain(body.code);
    return;
  }
  const at = `${endpoint.method} ${endpoint.path}`;
  if (status < 400) {
    expect(status, at).toBe(endpoint.status ?? (endpoint.response ? 200 : 204));
    if (!endpoint.response) expect(body, at).toBeNull();
  } else {
    const code: ErrorCode = body.code;
    expect(ERROR_STATUS[code], at).toBe(status);
    expect([...errorCodes(endpoint)], at).toContain(code);
  }
}

/**
 * Repeats the request until the response is not 503, as the screens do. With many parallel requests, a busy machine may
 * send 503.
 */
export async function untilServed(send: () => Promise<Answer>): Promise<Answer> {
  for (;;) {
    const answer = await send();
    if (answer.status !== 503) return answer;
    await sleep(100);
  }
}

/** Opens a session and returns the cookie that `call` takes. */
export async function signIn({ id }: { id: number }): Promise<string> {
  const { email, passwordHash, twoStep } = await db().user.findUniqueOrThrow({
    where: { id },
    include: { twoStep: true },
  });
  const credentials = { userId: id, email, passwordHash, secret: twoStep?.secret ?? null };
  const cookie = await openSession(credentials, "test");
  return cookie.slice(0, cookie.indexOf(";"));
}

/** Returns the actor of `signIn`'s cookie, for functions that take one. */
export async function actorFor({ cookie }: { cookie: string }): Promise<Actor> {
  const actor = await actorOf(cookie.slice(cookie.indexOf("=") + 1));
  if (!actor) throw new Error("The session has ended");
  return actor;
}
