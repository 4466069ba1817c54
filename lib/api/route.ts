import "server-only";
import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { z } from "zod";
import {
  AppError,
  answerError,
  asAppError,
  forbidden,
  invalidFields,
  notFound,
  unauthorized,
  unavailable,
} from "@/lib/api/errors";
import { queryObject } from "@/lib/api/paging";
import { clientAddress } from "@/lib/auth/credentials";
import { canAny, type Permission } from "@/lib/auth/permissions";
import { type Actor, actorOf, cookieName, readCookie } from "@/lib/auth/session";
import { databaseAnswers } from "@/lib/database/client";
import { fieldErrors } from "@/lib/fields/validation";
import { env } from "@/lib/server/env";
import { describeError, errorLine, report } from "@/lib/server/error-reports";
import { limiter } from "@/lib/server/limiter";

/** Who may call: anyone, anyone signed in, or the holders of (one of) the permissions. */
export type Access = Permission | readonly Permission[] | "signed-in" | "guest";

type Segments = Record<string, string | string[] | undefined>;
type Handler = (request: Request, context: { params: Promise<Segments> }) => Promise<Response>;

type Input<A, P, Q, B> = {
  actor: A;
  params: P;
  query: Q;
  body: B;
  request: Request;
};

/** A schema, or the schema that the path decides. */
type Schema<T> = z.ZodType<T> | ((params: Segments) => z.ZodType<T>);

type Definition<Need, P, Q, B> = {
  /** Required, so that leaving it out does not compile. A function where the path decides (null: no such path). */
  permission: Need;
  params?: z.ZodType<P>;
  query?: Schema<Q>;
  body?: Schema<B>;
  /** The status of a plain answer; 204 without a body. */
  status?: 200 | 201 | 204;
  /** Whether failures are reported; sign-in's and update-password's are not (contract §6). */
  reported?: false;
  /** Whether it stands in line with the others; the question whether all is well does not. */
  queued?: false;
  run: (input: Input<Need extends "guest" ? null : Actor, P, Q, B>) => Promise<unknown>;
};

const CHANGING = new Set(["POST", "PUT", "PATCH", "DELETE"]);
const MAX_BODY_BYTES = 1024 * 1024;
/** From then on the database is asked whether it answers at all; together with that question less than 5 s. */
const SLOW_MS = 3_000;
/**
 * A burst of requests waits here, not for the pool's connections, which it would soon be refused. Bodies are read
 * and passwords are hashed outside of it: neither a slow sender nor a burst of sign-ins keeps the others waiting.
 */
const atWork = limiter(40);
/** The deepest form body has nine levels; deeper nesting is an attack on recursion, not data. */
const MAX_DEPTH = 32;

/**
 * The only way in and out of the API (design, idea 1): origin → session → permission → parse → `run` → JSON,
 * and one error mapping. What `run` returns is the answer's JSON; a `Response` passes as it is.
 */
export function route<
  const Need extends Access | ((params: Segments) => Access | null),
  P = unknown,
  Q = unknown,
  B = unknown,
>(definition: Definition<Need, P, Q, B>): Handler {
  return async (request, context) => {
    const requestId = request.headers.get("x-request-id") ?? randomUUID();
    const seen: Seen = { isGuest: true };
    let response: Response;
    try {
      const segments = await context.params;
      response = await whileDatabaseAnswers((over) => answer(definition, request, segments, seen, over));
    } catch (error) {
      const known = asAppError(error);
      if (known.status === 500) console.error(errorLine(describeError(error)));
      if (definition.reported !== false) reportFailure(error, known, request, seen);
      response = answerError(known);
    }
    response.headers.set("Cache-Control", "no-store");
    response.headers.set("x-request-id", requestId);
    return response;
  };
}

/** What an answer has learned of its request: whether a session came with it, and the body as it came. */
type Seen = { isGuest: boolean; body?: unknown };

/** Reports a failure (contract §6), except a missing session and whatever a guest, who may be anyone, did wrong. */
function reportFailure(error: unknown, known: AppError, request: Request, { isGuest, body }: Seen): void {
  const { status, extra } = known;
  if (status === 401 || (isGuest && status < 500)) return;
  const fields = extra.fields && Object.keys(extra.fields);
  report({ ...describeError(error), origin: "server", status, form: body, fields }, clientAddress(request));
}

/**
 * Gives up on work that is slow because the database is silent, whatever the work itself waits for (its turn, a
 * thread, a connection). What was begun may yet be saved: callers repeat it with the same Idempotency-Key.
 */
async function whileDatabaseAnswers<T>(work: (over: AbortSignal) => Promise<T>): Promise<T> {
  const silence = new AbortController();
  const watch = async (): Promise<never> => {
    do await sleep(SLOW_MS, undefined, { signal: silence.signal });
    while (await databaseAnswers());
    throw unavailable();
  };
  try {
    return await Promise.race([work(silence.signal), watch()]);
  } finally {
    silence.abort();
  }
}

/** A path's handlers; the methods it does not name answer 405. */
export function methods(handlers: Partial<Record<"GET" | "POST" | "PUT" | "DELETE" | "PATCH", Handler>>) {
  const Allow = Object.keys(handlers).join(", ");
  const refuse = route({
    permission: "guest",
    run: async () => {
      throw new AppError(405, "Method not allowed", { headers: { Allow } });
    },
  });
  return { GET: refuse, POST: refuse, PUT: refuse, DELETE: refuse, PATCH: refuse, ...handlers };
}

async function answer<Need extends Access | ((params: Segments) => Access | null), P, Q, B>(
  definition: Definition<Need, P, Q, B>,
  request: Request,
  segments: Segments,
  seen: Seen,
  over: AbortSignal,
): Promise<Response> {
  if (CHANGING.has(request.method) && isCrossSite(request)) throw forbidden();

  const { permission } = definition;
  const isGuestRoute = permission === "guest";
  const actor = isGuestRoute ? null : await atWork(over, () => actorOf(readCookie(request, cookieName())));
  if (!isGuestRoute && !actor) throw unauthorized();
  seen.isGuest = actor === null;
  const need: Access | null = typeof permission === "function" ? permission(segments) : permission;
  if (need === null) throw notFound();
  if (actor && !allows(need, actor)) throw forbidden();

  const schemaOf = <T>(schema: Schema<T> | undefined) =>
    typeof schema === "function" ? schema(segments) : schema;
  const params = parse(definition.params, segments) as P;
  const query = parse(schemaOf(definition.query), queryObject(new URL(request.url).searchParams)) as Q;
  if (definition.body) seen.body = await readJson(request);
  const body = (definition.body && parse(schemaOf(definition.body), seen.body)) as B;

  const run = () => definition.run({ actor: actor as never, params, query, body, request });
  const result = await (definition.queued === false ? run() : atWork(over, run));
  if (result instanceof Response) return result;
  const status = definition.status ?? 200;
  return status === 204 ? new Response(null, { status }) : Response.json(result, { status });
}

function allows(need: Access, actor: Actor): boolean {
  if (need === "guest" || need === "signed-in") return true;
  return canAny(actor, typeof need === "string" ? [need] : need);
}

function parse<T>(schema: z.ZodType<T> | undefined, input: unknown): T | undefined {
  if (!schema) return undefined;
  const parsed = schema.safeParse(input);
  if (!parsed.success) throw invalidFields(fieldErrors(parsed.error));
  return parsed.data;
}

/** Another site's page must not act with this user's cookie (contract §3). */
function isCrossSite(request: Request): boolean {
  const site = request.headers.get("sec-fetch-site");
  if (site && site !== "same-origin" && site !== "none") return true;
  const origin = request.headers.get("origin");
  if (!origin || origin === new URL(env().APP_URL).origin) return false;
  return !URL.canParse(origin) || new URL(origin).host !== request.headers.get("host");
}

/** The body as JSON: at most 1 MB, counted while it streams, valid UTF-8, of bounded depth. */
async function readJson(request: Request): Promise<unknown> {
  const type = request.headers.get("content-type") ?? "";
  if (!/^application\/json\s*(;|$)/i.test(type))
    throw new AppError(415, "The body must be JSON (application/json).");
  const bytes = await readBytes(request);
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch {
    throw new AppError(400, "The body is not valid JSON.");
  }
  if (isDeeperThan(value, MAX_DEPTH)) throw new AppError(400, "The body is nested too deeply.");
  return value;
}

async function readBytes(request: Request): Promise<Uint8Array> {
  const tooLarge = () => new AppError(413, "The body is larger than 1 MB.");
  if (Number(request.headers.get("content-length") ?? 0) > MAX_BODY_BYTES) throw tooLarge();
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const chunk of request.body ?? []) {
      size += chunk.byteLength;
      if (size > MAX_BODY_BYTES) throw tooLarge();
      chunks.push(chunk);
    }
  } catch (error) {
    // The caller hung up, or was cut off because it took too long.
    throw error instanceof AppError ? error : new AppError(400, "The body did not come whole.");
  }
  return Buffer.concat(chunks);
}

function isDeeperThan(value: unknown, depth: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  return depth === 0 || Object.values(value).some((inner) => isDeeperThan(inner, depth - 1));
}
