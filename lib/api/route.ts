import "server-only";
import { randomUUID } from "node:crypto";
import type { z } from "zod";
import { readForm, readJson } from "@/lib/api/body";
import { ERROR_STATUS } from "@/lib/api/codes";
import {
  type Answer,
  type Endpoint,
  type Family,
  KEY_HEADERS,
  type KeyName,
  type Method,
} from "@/lib/api/endpoint";
import { endpoints } from "@/lib/api/endpoints";
import {
  AppError,
  answerError,
  asAppError,
  forbidden,
  invalidFields,
  jsonReply,
  notFound,
  twoStepRequired,
  unauthorized,
} from "@/lib/api/errors";
import type { PartlyJson } from "@/lib/api/json-text";
import { queryObject } from "@/lib/api/list-query";
import { routeOf } from "@/lib/api/paths";
import type { ApiRequest, Reply } from "@/lib/api/request";
import { auditRefusal } from "@/lib/audit/record";
import { actorOfToken, bearerToken } from "@/lib/auth/bearer";
import { clientAddress } from "@/lib/auth/credentials";
import { allows, canAll } from "@/lib/auth/permissions";
import { type Actor, actorIn, assertProven, renewedCookie } from "@/lib/auth/session";
import { fieldErrors } from "@/lib/fields/problems";
import { env } from "@/lib/server/env";
import { describeError, errorLine, sendErrorReport } from "@/lib/server/error-reports";
import { limiter } from "@/lib/server/limiter";
import { hasLeft, requestContext, withRequest } from "@/lib/server/request-context";
import { whileDatabaseAnswers } from "@/lib/server/watchdog";

type Segments = Record<string, string | string[] | undefined>;
type Handler = {
  (request: Request, context: { params: Promise<Segments> }): Promise<Response>;
  /** The same for our own server, which needs no `Response` around JSON. */
  reply(request: ApiRequest, segments: Segments): Promise<Reply>;
};
type Declared = Endpoint | Family;

const DECLARATION: unique symbol = Symbol("declaration");
/** A handler made by `route()`. The symbol is private to this file, so no other function has this type. */
type Bound<D extends Declared> = Handler & { readonly [DECLARATION]: D };

type EndpointOf<D extends Declared> =
  D extends Family<string, string, infer E> ? E : D extends Endpoint ? D : never;
type Segment<D extends Declared> = D extends Family<infer Name, infer Key> ? Record<Name, Key> : unknown;
type Parsed<E, Part extends "params" | "query" | "body"> =
  E extends Record<Part, infer S extends z.ZodType> ? z.output<S> : unknown;

/** What an endpoint's handler receives. */
type Input<D extends Declared, E = EndpointOf<D>> = {
  actor: E extends { permission: "guest" } ? null : Actor;
  params: Parsed<E, "params"> & Segment<D>;
  query: Parsed<E, "query">;
  body: Parsed<E, "body">;
  /** The key headers that the endpoint declares; null if the caller sent none. */
  keys: E extends { keys: readonly (infer K extends KeyName)[] } ? Record<K, string | null> : unknown;
  request: ApiRequest;
  /** Headers to add to the response. */
  headers: Headers;
};

const CHANGING = new Set(["POST", "PUT", "PATCH", "DELETE"]);
/**
 * A burst of requests waits here rather than for a connection of the pool, which would soon be refused. Reading bodies
 * and hashing passwords happen outside, so that neither a slow sender nor a burst of sign-ins delays the others.
 */
const inQueue = limiter(40);

/**
 * The only way in and out of the API (design, idea 2): binds a declaration to its handler. Origin → session →
 * permission → parse → `run` → JSON, with one mapping of errors. A `Response` returned by `run` is sent as it is.
 */
export function route<const D extends Declared>(
  declared: D,
  run: (input: Input<D>) => Promise<PartlyJson<Answer<EndpointOf<D>>> | Response>,
): Bound<D> {
  const handler = handlerOf(async (request, segments, state) => {
    const endpoint = choose(declared, segments);
    // A path that this family does not have may have other methods: `POST /api/canines.csv`.
    const others = endpoint ? [] : methodsAt(new URL(request.url).pathname);
    if (others.length > 0) throw methodRefused(others);
    state.captured = endpoint?.captured !== false;
    // The parsed input has the declared types, but the compiler cannot follow that through a lookup by key.
    return answer(endpoint, request, segments, state, (input) => run(input as Input<D>));
  });
  return Object.assign(handler, { [DECLARATION]: declared });
}

/**
 * The handlers of families that share a path and a method, such as `/api/canines` and `/api/canines.csv`: the one whose
 * family has the path's segment answers.
 */
export function oneOf<A extends Endpoint, B extends Endpoint>(
  first: Bound<Family<string, string, A>>,
  second: Bound<Family<string, string, B>>,
): Bound<Family<string, string, A | B>> {
  const chosen = (segments: Segments) => (choose(second[DECLARATION], segments) ? second : first);
  const handler: Handler = Object.assign(
    async (request: Request, { params }: { params: Promise<Segments> }) =>
      chosen(await params)(request, { params }),
    { reply: (request: ApiRequest, segments: Segments) => chosen(segments).reply(request, segments) },
  );
  const { segment, members } = first[DECLARATION];
  const declared: Family<string, string, A | B> = {
    segment,
    members: { ...members, ...second[DECLARATION].members },
  };
  return Object.assign(handler, { [DECLARATION]: declared });
}

/** The declaration behind a handler for the given path segments; undefined if the handler only refuses. */
export function declarationOf(handler: Handler, segments: Segments): Endpoint | undefined {
  return isBound(handler) ? choose(handler[DECLARATION], segments) : undefined;
}

const isBound = (handler: Handler): handler is Bound<Declared> => DECLARATION in handler;

/** The declaration itself, or the family member that the path names; undefined if there is none. */
function choose(declared: Declared, segments: Segments): Endpoint | undefined {
  if (!("members" in declared)) return declared;
  const key = String(segments[declared.segment]);
  return Object.hasOwn(declared.members, key) ? declared.members[key] : undefined;
}

/** What is known about a request while it is being handled. */
type State = {
  /** Aborted once the caller has been told that the database does not answer. */
  cancelled: AbortSignal;
  /** The parsed body, once it has been read. */
  submitted?: unknown;
  /** The schema of the body. */
  schema?: z.ZodType;
  captured: boolean;
  /** Whether there is such an endpoint: only then is a 404 about a record. */
  known: boolean;
  /** The user whose session or token came with the request. */
  actor: Actor | null;
};

function handlerOf(work: (request: ApiRequest, segments: Segments, state: State) => Promise<Reply>): Handler {
  const reply: Handler["reply"] = (request, segments) =>
    withinRequest(request, (requestId) => handle(request, segments, requestId));
  return Object.assign(
    async (request: Request, { params }: { params: Promise<Segments> }) => {
      const answer = await reply(request, await params);
      return new Response(answer.body, answer);
    },
    { reply },
  );

  async function handle(request: ApiRequest, segments: Segments, requestId: string): Promise<Reply> {
    const silence = new AbortController();
    const state: State = { cancelled: silence.signal, captured: true, known: false, actor: null };
    let reply: Reply;
    try {
      reply = await whileDatabaseAnswers(silence, work(request, segments, state));
      if (state.actor && reply.status < 300 && !reply.headers.has("set-cookie")) {
        const renewed = await renewedCookie(request, state.actor);
        if (renewed) reply.headers.set("set-cookie", renewed);
      }
    } catch (error) {
      const known = asAppError(error);
      if (known.code === "failed") console.error(errorLine(describeError(error)));
      if (state.captured) captureFailure(error, known, request, state);
      reply = answerError(await recordedRefusal(known, request, state));
    }
    reply.headers.set("Cache-Control", "no-store");
    reply.headers.set("x-request-id", requestId);
    return reply;
  }
}

/** Runs `work` as part of its request, which only our own server has begun. */
function withinRequest<T>(request: ApiRequest, work: (requestId: string) => T): T {
  const begun = requestContext();
  if (begun) return work(begun.id);
  const id = request.headers.get("x-request-id") ?? randomUUID();
  const { pathname } = new URL(request.url);
  const context = { id, method: request.method, route: pathname, address: clientAddress(request) };
  return withRequest(context, () => work(id));
}

/** Records a refusal in the audit trail and returns it; if that fails and AUDIT_REQUIRED is set, returns that failure. */
async function recordedRefusal(
  error: AppError,
  request: ApiRequest,
  { actor, known }: State,
): Promise<AppError> {
  const { code } = error;
  if (!actor || !known || (ERROR_STATUS[code] !== 403 && code !== "not_found")) return error;
  return auditRefusal(actor, code, new URL(request.url).pathname).then(
    () => error,
    (failure) => asAppError(failure),
  );
}

/**
 * Sends a failure to error reporting (contract §6). Not reported: missing sessions, any 4xx of a guest (who may be
 * anyone), and errors caused by a client that disconnected.
 */
function captureFailure(error: unknown, known: AppError, request: ApiRequest, state: State): void {
  const { status, extra } = known;
  if (status === 401 || (!state.actor && status < 500) || hasLeft()) return;
  const fields = extra.fields && Object.keys(extra.fields);
  const { submitted: form, schema } = state;
  sendErrorReport(
    { ...describeError(error), origin: "server", status, form, schema, fields },
    clientAddress(request),
  );
}

type ToMethod<M extends Method> = Endpoint & { method: M };

const methodRefused = (allowed: readonly string[]) =>
  new AppError("method", "Method not allowed", { headers: { Allow: allowed.join(", ") } });

/** The methods of the endpoints at a path. */
const methodsAt = (pathname: string): Method[] =>
  endpoints.filter(({ path }) => path === routeOf(pathname)).map(({ method }) => method);

/** The handlers of a path; methods without one are answered 405. */
export function methods(
  handlers: {
    [M in Method]?: Bound<ToMethod<M> | Family<string, string, ToMethod<M>>>;
  },
): Record<Method | "PATCH", Handler> {
  const refuse = handlerOf(async () => {
    throw methodRefused(Object.keys(handlers));
  });
  return { GET: refuse, POST: refuse, PUT: refuse, DELETE: refuse, PATCH: refuse, ...handlers };
}

const nothing = handlerOf((request, segments, state) =>
  answer(undefined, request, segments, state, async () => undefined),
);
/** The handlers of unknown paths: 401 for a guest, 404 for everyone else, as JSON like the whole API. */
export const nowhere = { GET: nothing, POST: nothing, PUT: nothing, DELETE: nothing, PATCH: nothing };

async function answer(
  endpoint: Endpoint | undefined,
  request: ApiRequest,
  segments: Segments,
  state: State,
  run: (input: unknown) => Promise<unknown>,
): Promise<Reply> {
  // Browsers send cookies by themselves but never a token, so another site's page cannot make a request with one.
  const token = bearerToken(request);
  const crossSite = !token && CHANGING.has(request.method) && isCrossSite(request);

  const isGuestRoute = endpoint?.permission === "guest";
  const actor = isGuestRoute
    ? null
    : await inQueue(state.cancelled, () =>
        token ? actorOfToken(token, clientAddress(request)) : actorIn(request, !crossSite),
      );
  state.actor = actor;
  state.known = endpoint !== undefined;
  if (crossSite) throw forbidden();
  if (!isGuestRoute && !actor) throw unauthorized();
  if (!endpoint) throw notFound();
  if (actor?.twoStepRequired && !endpoint.beforeTwoStep) throw twoStepRequired();
  if (actor && !(allows(endpoint.permission, actor) && canAll(actor, [endpoint.also ?? []].flat())))
    throw forbidden();
  if (actor?.token && endpoint.tokens === false) throw forbidden();
  if (actor && endpoint.proof) assertProven(actor);

  const params = { ...segments, ...parse(endpoint.params, segments) };
  const query = parse(endpoint.query, queryObject(new URL(request.url).searchParams));
  state.schema = endpoint.body;
  if (endpoint.body) state.submitted = await (endpoint.form ? readForm : readJson)(request);
  const body = parse(endpoint.body, state.submitted);
  const keys = Object.fromEntries(
    (endpoint.keys ?? []).map((name) => [name, request.headers.get(KEY_HEADERS[name])]),
  );

  const headers = new Headers();
  const work = () => run({ actor, params, query, body, keys, request, headers });
  const result = await (endpoint.queued === false ? work() : inQueue(state.cancelled, work));
  if (result instanceof Response) return result;
  if (endpoint.answer === null) return { status: 204, headers, body: null };
  return jsonReply(result, endpoint.status ?? 200, headers);
}

function parse<T>(schema: z.ZodType<T> | undefined, input: unknown): T | undefined {
  if (!schema) return undefined;
  const parsed = schema.safeParse(input);
  if (!parsed.success) throw invalidFields(fieldErrors(schema, parsed.error));
  return parsed.data;
}

/** Another site's page must not act with this user's cookie (contract §3). */
function isCrossSite(request: ApiRequest): boolean {
  const site = request.headers.get("sec-fetch-site");
  if (site && site !== "same-origin" && site !== "none") return true;
  const origin = request.headers.get("origin");
  if (!origin || origin === new URL(env().APP_URL).origin) return false;
  return !URL.canParse(origin) || new URL(origin).host !== request.headers.get("host");
}
