import "server-only";
import type { ErrorEvent, EventHint } from "@sentry/nextjs";
import type { Instrumentation } from "next";
import type * as z from "zod/mini";
import { describeError } from "@/lib/core/process/describe-error";
import { env } from "@/lib/core/process/env";
import type { Frame } from "@/lib/core/process/error-frames";
import { maskBody, maskPath } from "@/lib/core/process/error-mask";
import { requestContext } from "@/lib/core/process/request-context";
import { networkOf } from "@/lib/core/process/subnets";
import { VERSION } from "@/lib/core/process/version";
import { processWide } from "@/lib/core/process-wide";
import { PRODUCT_KEY } from "@/lib/core/product";

// Error reporting with @sentry/nextjs, on the server only. Browsers report to our server
// (lib/core/server/browser-errors.ts), so that they contact no third party. A report has only the parts that
// lib/core/process/error-mask.ts allows, whatever the SDK has collected.

type Sentry = typeof import("@sentry/nextjs");
type Shared = { sentry?: Sentry; minute: number; counts: Map<string, number> };
const state = processWide("reports", (): Shared => ({ minute: 0, counts: new Map() }));

/**
 * Starts error reporting, in production with SENTRY_DSN. Otherwise the SDK is not loaded, and nothing is sent. It takes
 * 55 MB, and most of a second.
 */
export async function startReports(): Promise<void> {
  const { SENTRY_DSN, SENTRY_ENVIRONMENT, NODE_ENV } = env();
  if (!SENTRY_DSN || NODE_ENV !== "production") return;
  const sentry = await import("@sentry/nextjs");
  sentry.init({
    dsn: SENTRY_DSN,
    environment: SENTRY_ENVIRONMENT,
    release: `${PRODUCT_KEY}@${VERSION}`,
    // They would collect requests, breadcrumbs, local variables, and code, and watch the console and all requests.
    defaultIntegrations: false,
    dataCollection: {
      userInfo: false,
      cookies: false,
      httpHeaders: false,
      httpBodies: [],
      urlQueryParams: false,
    },
    maxBreadcrumbs: 0,
    includeServerName: false,
    sendClientReports: false,
    enableOpenTelemetrySetup: false,
    spotlight: false,
    debug: false,
    // Forms are nine levels deep.
    normalizeDepth: 16,
    beforeSend: onlyAllowed,
  });
  state.sentry = sentry;
}

/** The facts about a failed call that the SDK does not know. */
type FailedCall = {
  status: number;
  /** The submitted body, not yet masked. */
  form?: unknown;
  /** The schema of the body; without it, the whole body is masked. */
  schema?: z.core.$ZodType | undefined;
  /** The paths of invalid fields. */
  fields?: string[] | undefined;
};

/** Reports a failed call of the API. Never waits. Sends nothing after too many failures in this minute. */
export function reportFailedCall(
  error: unknown,
  { status, form, schema, fields }: FailedCall,
  address: string,
): void {
  if (!fits("server", address)) return;
  state.sentry?.captureException(error, {
    ...factsOf("server", status),
    extra: {
      ...(form !== undefined && { form: maskBody(schema, form) }),
      ...(fields && { fields: fields.map((path) => maskPath(schema, path)) }),
    },
  });
}

type FailedPage = Parameters<Instrumentation.onRequestError>;

/** Reports a page that failed on the server, as `reportFailedCall` reports a call. */
export function reportFailedPage(...[error, request, context]: FailedPage): void {
  const { sentry } = state;
  if (!fits("server", String(request.headers["x-client-address"]))) return;
  sentry?.withScope((scope) => {
    scope.update(factsOf("server", 500));
    sentry.captureRequestError(error, request, context);
  });
}

/** Reports an exception in a browser. Returns false, without sending it, after too many in this minute. */
export function reportBrowserError(
  { name, frames, route }: { name: string; frames: Frame[]; route: string },
  address: string,
): boolean {
  if (!fits("browser", address)) return false;
  const facts = factsOf("browser", undefined, route);
  state.sentry?.captureEvent({ ...facts, platform: "javascript", exception: exceptionOf({ name, frames }) });
  return true;
}

/** Waits up to `seconds` for reports that are still being sent. */
export async function flushReports(seconds: number): Promise<void> {
  await state.sentry?.flush(seconds * 1000);
}

type Origin = "server" | "browser";

/** The limits of reports per minute: for one address and in total, counted separately for server and browsers. */
const PER_MINUTE = { address: 10, all: 100 };

/** Counts one more report. True if it is within the limits of this minute. */
function fits(origin: Origin, address: string): boolean {
  const minute = Math.floor(Date.now() / 60_000);
  if (state.minute !== minute) Object.assign(state, { minute, counts: new Map() });
  const { counts } = state;
  const bounds = [
    [`${origin} ${networkOf(address)}`, PER_MINUTE.address],
    [origin, PER_MINUTE.all],
  ] as const;
  const countOf = (subject: string) => counts.get(subject) ?? 0;
  if (bounds.some(([subject, most]) => countOf(subject) >= most)) return false;
  for (const [subject] of bounds) counts.set(subject, countOf(subject) + 1);
  return true;
}

/** Returns the facts about the current request. */
function factsOf(origin: Origin, status: number | undefined, route?: string) {
  const context = requestContext();
  const level: "warning" | "error" = status && status < 500 ? "warning" : "error";
  return {
    level,
    tags: {
      origin,
      status,
      route: route ?? context?.route ?? "unmatched",
      method: context?.method,
      requestId: context?.id,
    },
    user: context?.userId ? { id: context.userId } : undefined,
  };
}

function exceptionOf(
  { name, code, frames }: { name: string; code?: string; frames: Frame[] },
  fallback = "",
): ErrorEvent["exception"] {
  const sent = frames.map(({ file, line, column, ...at }) => ({
    filename: file,
    lineno: line,
    colno: column,
    ...at,
  }));
  // Sentry wants the innermost frame last.
  return { values: [{ type: name, value: code ?? fallback, stacktrace: { frames: sent.reverse() } }] };
}

/**
 * Returns the parts of the event that may leave the machine. An error loses its message, which quotes the values that
 * caused it, and all frames outside our code.
 */
function onlyAllowed(event: ErrorEvent, { originalException }: EventHint): ErrorEvent {
  const { event_id, timestamp, level, platform, environment, release, tags, user, extra } = event;
  const exception = originalException
    ? exceptionOf(describeError(originalException), `HTTP ${String(tags?.status)}`)
    : event.exception;
  return {
    type: undefined,
    event_id,
    timestamp,
    level,
    platform,
    environment,
    release,
    transaction: String(tags?.route),
    exception,
    tags,
    user,
    extra,
  };
}
