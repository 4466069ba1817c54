import "server-only";
import { randomUUID } from "node:crypto";
import * as z from "zod/mini";
import { auditRefusal } from "@/lib/audit/record";
import { allows, canAll } from "@/lib/core/access/permissions";
import { answerError, jsonReply } from "@/lib/core/api/answer";
import { assertLength, readForm, readJson } from "@/lib/core/api/body";
import { bodyMax, type Endpoint, KEY_HEADERS, type KeyName, type ResponseOf } from "@/lib/core/api/endpoint";
import { queryObject } from "@/lib/core/api/list-query";
import type { ApiRequest, Reply } from "@/lib/core/api/request";
import { asAppError } from "@/lib/core/database/errors";
import {
  AppError,
  ERROR_STATUS,
  forbidden,
  invalidFields,
  notFound,
  twoStepRequired,
  unauthorized,
} from "@/lib/core/errors";
import { fieldErrors } from "@/lib/core/fields/problems";
import { env } from "@/lib/core/process/env";
import { reportFailedCall } from "@/lib/core/process/error-reports";
import { limiter } from "@/lib/core/process/limiter";
import { logError } from "@/lib/core/process/log";
import { isDisconnected, requestContext, withRequest } from "@/lib/core/process/request-context";
import { whileDatabaseAnswers } from "@/lib/core/server/watchdog";
import type { PartlyJson } from "@/lib/core/text/json-text";
import { endpoints } from "@/lib/endpoints";
import { clientAddress } from "@/lib/identity/credentials";
import { type Actor, actorIn, assertProven, renewedCookie } from "@/lib/identity/session";
import { actorOfToken, bearerToken } from "@/lib/identity/tokens/bearer";
import { matchRoute } from "@/lib/paths";

/** The functions that respond to the requests of an endpoint. */
type Handler = {
  run: (input: unknown) => Promise<unknown>;
  admit?: ((caller: { actor: Actor | null; request: ApiRequest }) => Promise<void>) | undefined;
};
const nameOf = ({ method, path }: { method: string; path: string }) => `${method} ${path}`;
const declared = new Map(endpoints.map((endpoint) => [nameOf(endpoint), endpoint]));
/** The handlers bound by the loaded route files, by the names of their endpoints. */
const handlers = new Map<string, Handler>();

type Parsed<E, Part extends "params" | "query" | "body"> =
  E extends Record<Part, infer S extends z.core.$ZodType> ? z.output<S> : unknown;

/** The input of an endpoint's handler. */
type Input<E> = {
  actor: E extends { permission: "guest" } ? null : Actor;
  params: Parsed<E, "params">;
  query: Parsed<E, "query">;
  body: Parsed<E, "body">;
  /** The key headers that the endpoint declares; null if the caller sent none. */
  keys: E extends { keys: readonly (infer K extends KeyName)[] } ? Record<K, string | null> : unknown;
  request: ApiRequest;
  /** Headers to add to the response. */
  headers: Headers;
};

const METHODS = ["GET", "HEAD", "POST", "PUT", "DELETE"];
const CHANGING = new Set(["POST", "PUT", "PATCH", "DELETE"]);
/**
 * A burst of requests waits here instead of for a connection of the pool, which would soon be refused. One user has at most
 * eight places, a few more than the connections of a browser, and users take turns. Reading bodies and hashing passwords
 * happen outside. So neither a slow client, nor a burst of sign-ins, nor many requests of one user delay the others.
 */
const inQueue = limiter(40, 8);
/** Returns the number of requests that wait for their turn. */
export const waitingRequests = (): number => inQueue.waiting();

/**
 * Binds an endpoint to its handler; the only way into the API. A request passes origin, session, permission, `admit`
 * and parsing before `run`. The result of `run` is sent as JSON, and every error passes one mapping. A `Response` that
 * `run` returns is sent unchanged. `admit` throws if the caller may not try at the moment, before the body is read.
 * Returns the function that the route file exports by the endpoint's method.
 */
export function route<const E extends Endpoint>(
  endpoint: E,
  run: (input: Input<E>) => Promise<PartlyJson<ResponseOf<E>> | Response>,
  admit?: (caller: Pick<Input<E>, "actor" | "request">) => Promise<void>,
): typeof answerNext {
  // The parsed input has the declared types, but the compiler cannot follow that through the map.
  const typed = (input: unknown) => input as Input<E>;
  handlers.set(nameOf(endpoint), {
    run: (input) => run(typed(input)),
    admit: admit && ((caller) => admit(typed(caller))),
  });
  return answerNext;
}

/**
 * Responds to a request that Next has routed to the file of its endpoint. Route files export it by their methods. It
 * finds the handler by method and path, as our own server does.
 */
export const answerNext = async (request: Request): Promise<Response> => {
  const reply = await answerCall(request);
  return new Response(reply.body, reply);
};

/** The state of a request in progress. */
type State = {
  /** Aborted when the caller has received the response that the database does not respond. */
  canceled: AbortSignal;
  /** The parsed body, once it has been read. */
  submitted?: unknown;
  /** The schema of the body. */
  schema?: z.core.$ZodType;
  isReported: boolean;
  /** True if there is such an endpoint: only then is a 404 about a record. */
  known: boolean;
  /** The user whose session or token came with the request. */
  actor: Actor | null;
};

/** Responds to an API request. Never rejects. */
export const answerCall = (request: ApiRequest): Promise<Reply> =>
  withinRequest(request, async (requestId) => {
    const silence = new AbortController();
    const state: State = { canceled: silence.signal, isReported: true, known: false, actor: null };
    let reply: Reply;
    try {
      reply = await whileDatabaseAnswers(silence, answer(request, state));
      if (state.actor && reply.status < 300 && !reply.headers.has("set-cookie")) {
        const renewed = await renewedCookie(request, state.actor);
        if (renewed) reply.headers.set("set-cookie", renewed);
      }
    } catch (error) {
      const appError = asAppError(error);
      if (appError.code === "failed") logError(error, "The request failed");
      if (state.isReported) reportFailure(error, appError, request, state);
      reply = answerError(await recordedRefusal(appError, request, state));
    }
    reply.headers.set("Cache-Control", "no-store");
    reply.headers.set("x-request-id", requestId);
    return reply;
  });

/** Runs `work` in the context of its request, which only our own server has already created. */
function withinRequest<T>(request: ApiRequest, work: (requestId: string) => T): T {
  const begun = requestContext();
  if (begun) return work(begun.id);
  const id = request.headers.get("x-request-id") ?? randomUUID();
  const { pathname } = new URL(request.url);
  const context = { id, method: request.method, route: pathname, address: clientAddress(request) };
  return withRequest(context, () => work(id));
}

/**
 * Records a refusal in the audit trail and returns it. If recording fails with AUDIT_REQUIRED, returns that failure.
 */
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
 * Sends a failure to error reporting. Not reported: missing sessions, any 4xx of a guest, and errors caused by a client
 * that disconnected.
 */
function reportFailure(error: unknown, known: AppError, request: ApiRequest, state: State): void {
  const { status, extra } = known;
  if (status === 401 || (!state.actor && status < 500) || isDisconnected()) return;
  const fields = extra.fields && Object.keys(extra.fields);
  const { submitted: form, schema } = state;
  reportFailedCall(error, { status, form, schema, fields }, clientAddress(request));
}

/** Returns the endpoint of a request with the parameters in its path, or null. Throws 405 if only the method is wrong. */
export function findEndpoint(
  method: string,
  pathname: string,
): { endpoint: Endpoint; segments: Record<string, string> } | null {
  const match = matchRoute(pathname);
  if (!match) return null;
  const at = (method: string) => {
    if (method !== "HEAD") return declared.get(nameOf({ method, path: match.route }));
    const endpoint = declared.get(nameOf({ method: "GET", path: match.route }));
    return endpoint?.head && endpoint;
  };
  const endpoint = at(method);
  if (endpoint) {
    const segments = Object.entries(match.params).map(([name, text]) => [name, decoded(text)]);
    return { endpoint, segments: Object.fromEntries(segments) };
  }
  const allowed = METHODS.filter(at);
  if (allowed.length === 0) return null;
  throw new AppError("method", "Method not allowed", { headers: { Allow: allowed.join(", ") } });
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

async function answer(request: ApiRequest, state: State): Promise<Reply> {
  const { pathname, searchParams } = new URL(request.url);
  const match = findEndpoint(request.method, pathname);
  const endpoint = match?.endpoint;
  state.isReported = endpoint?.isReported !== false;
  if (endpoint) assertLength(request, bodyMax(endpoint));
  // Browsers send cookies automatically but never a token, so another site's page cannot make a request with one.
  const token = bearerToken(request);
  const crossSite = !token && CHANGING.has(request.method) && isCrossSite(request);

  const isGuestRoute = endpoint?.permission === "guest";
  const actor = isGuestRoute
    ? null
    : await inQueue(
        () => (token ? actorOfToken(token, clientAddress(request)) : actorIn(request, !crossSite)),
        state.canceled,
      );
  state.actor = actor;
  state.known = endpoint !== undefined;
  if (crossSite) throw forbidden();
  if (!isGuestRoute && !actor) throw unauthorized();
  if (!endpoint) throw notFound();
  if (actor?.twoStepRequired && !endpoint.beforeTwoStep) throw twoStepRequired();
  if (
    actor &&
    !(allows(endpoint.permission, actor) && canAll(actor, [endpoint.additionalPermissions ?? []].flat()))
  )
    throw forbidden();
  if (actor?.token && endpoint.tokens === false) throw forbidden();
  if (actor && endpoint.proof) assertProven(actor);
  const handler = handlers.get(nameOf(endpoint));
  if (!handler) throw new Error(`No route file binds ${nameOf(endpoint)}`);
  const { run, admit } = handler;
  if (admit) await inQueue(() => admit({ actor, request }), state.canceled);

  const params = parse(endpoint.params, match?.segments);
  const query = parse(endpoint.query, queryObject(searchParams));
  state.schema = endpoint.body;
  if (endpoint.body)
    state.submitted = await (endpoint.form ? readForm : readJson)(request, bodyMax(endpoint));
  const body = parse(endpoint.body, state.submitted);
  const keys = Object.fromEntries(
    (endpoint.keys ?? []).map((name) => [name, request.headers.get(KEY_HEADERS[name])]),
  );

  const headers = new Headers();
  const work = () => run({ actor, params, query, body, keys, request, headers });
  const result = await (endpoint.queued === false ? work() : inQueue(work, state.canceled));
  if (result instanceof Response) return result;
  if (endpoint.response === null) return { status: 204, headers, body: null };
  return jsonReply(result, endpoint.status ?? 200, headers);
}

function parse<T>(schema: z.core.$ZodType<T> | undefined, input: unknown): T | undefined {
  if (!schema) return undefined;
  const parsed = z.safeParse(schema, input);
  if (!parsed.success) throw invalidFields(fieldErrors(schema, parsed.error));
  return parsed.data;
}

/** Another site's page must not act with this user's cookie. */
function isCrossSite(request: ApiRequest): boolean {
  const site = request.headers.get("sec-fetch-site");
  if (site && site !== "same-origin" && site !== "none") return true;
  const origin = request.headers.get("origin");
  if (!origin || origin === new URL(env().APP_URL).origin) return false;
  return !URL.canParse(origin) || new URL(origin).host !== request.headers.get("host");
}
