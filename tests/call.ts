/// <reference types="vite/client" />
import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "vitest";
import { ERROR_STATUS, type ErrorCode } from "@/lib/api/codes";
import { type Endpoint, errorCodes } from "@/lib/api/endpoint";
import { declarationOf, type methods } from "@/lib/api/route";
import { type Actor, actorOf, openSession } from "@/lib/auth/session";
import { db } from "@/lib/database/client";
import { requestContext } from "@/lib/server/request-context";
import { assertDescribed } from "@/tests/described";
import { answerOfOurServer } from "@/tests/our-server";

// Calls the API in process. In turn a call is answered by the route handler, found by its path in app/api as Next finds
// it, and by our own server without Next, so that the tests use both; with `API_BY=next` or `API_BY=ours` only that one.

type Module = ReturnType<typeof methods>;
export type Method = keyof Module;

const FILES = import.meta.glob<Module>("../app/api/**/route.ts");

/** Every route of the API: `/api/clients/[id]` → its handlers. */
export const routes = new Map(
  Object.entries(FILES).map(([file, load]) => [file.slice("../app".length, -"/route.ts".length), load]),
);

const DYNAMIC = /^\[(\.\.\.)?(\w+)\]$/;

/** The parameters of `path` under `pattern`, or null; a catch-all takes the rest as a list. */
function matchPath(pattern: string, path: string): Record<string, string | string[]> | null {
  const [wanted, given] = [pattern.split("/"), path.split("/").map(decodeURIComponent)];
  const params: Record<string, string | string[]> = {};
  for (const [index, part] of wanted.entries()) {
    const [dynamic, rest, name = ""] = DYNAMIC.exec(part) ?? [];
    const value = given[index];
    if (value === undefined || (!dynamic && part !== value)) return null;
    if (rest) return { ...params, [name]: given.slice(index) };
    if (dynamic) params[name] = value;
  }
  return wanted.length === given.length ? params : null;
}

/** As in Next, a literal segment wins over a parameter, and that over a catch-all: "~" sorts behind every letter. */
const rank = (pattern: string) => pattern.replaceAll("[...", "~~").replaceAll("[", "~");
const patterns = [...routes.keys()].sort((a, b) => (rank(a) < rank(b) ? -1 : 1));

export type Answer = {
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: a test reads whatever came
  body: any;
  /** The body as it came. */
  bytes: Uint8Array;
  headers: Headers;
};

const { API_BY = "turns" } = process.env;
if (!["turns", "next", "ours"].includes(API_BY)) throw new Error("API_BY is next or ours");
let turns = 0;

/** Whoever calls within a request means that one, which another server would not know. */
function isOurTurn(): boolean {
  turns += 1;
  return !requestContext() && (API_BY === "ours" || (API_BY === "turns" && turns % 2 === 0));
}

type Options = { headers?: Record<string, string>; raw?: BodyInit };

/**
 * One call as the holder of `cookie` (null: a guest). `body` travels as JSON, `raw` as it is.
 * The answer's body is parsed when there is one.
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
  const { pathname } = new URL(request.url);
  for (const pattern of patterns) {
    const params = matchPath(pattern, pathname);
    if (!params) continue;
    const handlers = (await routes.get(pattern)?.()) as Module;
    const response =
      (isOurTurn() && (await answerOfOurServer(request.clone()))) ||
      (await handlers[method](request, { params: Promise.resolve(params) }));
    const bytes = new Uint8Array(await response.arrayBuffer());
    const text = new TextDecoder().decode(bytes);
    const answer: Answer = {
      status: response.status,
      headers: response.headers,
      bytes,
      body: text === "" ? null : isJson(response) ? JSON.parse(text) : text,
    };
    assertDeclared(declarationOf(handlers[method], params), answer);
    assertDescribed(declarationOf(handlers[method], params), answer);
    return answer;
  }
  throw new Error(`No route for ${pathname}`);
}

const isJson = ({ headers }: Response) =>
  headers.get("content-type")?.startsWith("application/json") ?? false;

/** Every answer is what its endpoint declares: no key more, none less, and of the errors only those it may have. */
function assertDeclared(endpoint: Endpoint | undefined, { status, body }: Answer): void {
  if (!endpoint) {
    // No endpoint is there: a path or a method that does not exist.
    expect(["method", "not_found", "unauthorized", "forbidden", "unavailable"]).toContain(body.code);
    return;
  }
  const at = `${endpoint.method} ${endpoint.path}`;
  if (status < 400) {
    expect(status, at).toBe(endpoint.status ?? (endpoint.answer ? 200 : 204));
    if (endpoint.answer) expect(endpoint.answer.parse(body), at).toEqual(body);
    else expect(body, at).toBeNull();
  } else {
    const code: ErrorCode = body.code;
    expect(ERROR_STATUS[code], at).toBe(status);
    expect([...errorCodes(endpoint)], at).toContain(code);
  }
}

/**
 * The answer to a request in a crowd, which on a busy machine may run out of time and be answered 503: it is sent
 * again until it is answered otherwise, as the screens do.
 */
export async function untilServed(send: () => Promise<Answer>): Promise<Answer> {
  for (;;) {
    const answer = await send();
    if (answer.status !== 503) return answer;
    await sleep(100);
  }
}

/** Opens a session and answers the cookie that `call` takes. */
export async function signIn({ id }: { id: number }): Promise<string> {
  const { email, passwordHash, twoStep } = await db().user.findUniqueOrThrow({
    where: { id },
    include: { twoStep: true },
  });
  const credentials = { userId: id, email, passwordHash, secret: twoStep?.secret ?? null };
  const cookie = await openSession(credentials, "test");
  return cookie.slice(0, cookie.indexOf(";"));
}

/** The actor of `signIn`'s cookie, for functions that take one. */
export async function actorFor({ cookie }: { cookie: string }): Promise<Actor> {
  const actor = await actorOf(cookie.slice(cookie.indexOf("=") + 1));
  if (!actor) throw new Error("The session has ended");
  return actor;
}
