import "server-only";
import type { ErrorEvent, LightNodeClient } from "@sentry/node-core/light";
import type { z } from "zod/mini";
import { env } from "@/lib/core/server/env";
import type { Frame } from "@/lib/core/server/error-frames";
import { maskBody, maskPath } from "@/lib/core/server/error-mask";
import { logError } from "@/lib/core/server/log";
import { processWide } from "@/lib/core/server/process-wide";
import { requestContext } from "@/lib/core/server/request-context";
import { networkOf } from "@/lib/core/server/subnets";

// Error reporting. Our code builds each event from the parts that lib/core/server/error-mask.ts allows, and a bare
// client sends it. No part of the SDK watches requests, the console or other modules. Browsers report to our server
// (lib/core/server/browser-errors.ts), so that they contact no third party.

/** A failure, reduced to the parts that may be reported. */
type Failure = {
  name: string;
  /** For example `P2002` or `ECONNREFUSED`. */
  code?: string;
  frames: Frame[];
  origin: "server" | "browser";
  status?: number;
  /** The route of the failure, if it differs from that of the request. */
  route?: string;
  /** The submitted body, not yet masked. */
  form?: unknown;
  /** The schema of the body; without it, the whole body is masked. */
  schema?: z.core.$ZodType;
  fields?: string[];
};

/**
 * Sends the failure of a request from `address`, in production with SENTRY_DSN. Never throws and never makes its caller
 * wait. Returns false, without sending anything, after too many failures in this minute.
 */
export function sendErrorReport(failure: Failure, address: string): boolean {
  if (!fits(failure.origin, address)) return false;
  const { SENTRY_DSN, NODE_ENV } = env();
  if (!SENTRY_DSN || NODE_ENV !== "production") return true;
  const event = eventOf(failure);
  void clientOf(SENTRY_DSN)
    .then((client) => client.captureEvent(event))
    .catch((error: unknown) => logError(error, "An error report could not be sent"));
  return true;
}

/** The limits of reports per minute: for one address and in total, counted separately for server and browsers. */
const PER_MINUTE = { address: 10, all: 100 };

/** Counts one more report. True if it is within the limits of this minute. */
function fits(origin: Failure["origin"], address: string): boolean {
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

/** Waits up to `seconds` for reports that are still being sent. */
export async function flushReports(seconds: number): Promise<void> {
  await (await state.client)?.flush(seconds * 1000);
}

type Shared = { client?: Promise<LightNodeClient>; minute: number; counts: Map<string, number> };
const state = processWide("reports", (): Shared => ({ minute: 0, counts: new Map() }));

/** Loads the SDK with the first report, because loading takes most of a second and 35 MB. */
function clientOf(dsn: string): Promise<LightNodeClient> {
  state.client ??= import("@sentry/node-core/light").then((sentry) => {
    const client = new sentry.LightNodeClient({
      dsn,
      environment: env().SENTRY_ENVIRONMENT,
      transport: sentry.makeNodeTransport,
      stackParser: sentry.defaultStackParser,
      integrations: [],
      sendDefaultPii: false,
      includeServerName: false,
      // Forms are nine levels deep.
      normalizeDepth: 16,
      beforeSend: onlyOurs,
    });
    client.init();
    return client;
  });
  return state.client;
}

function eventOf({ name, code, frames, origin, status, route, form, schema, fields }: Failure): ErrorEvent {
  const context = requestContext();
  const where = route ?? context?.route ?? "unmatched";
  return {
    type: undefined,
    level: origin === "server" && status && status < 500 ? "warning" : "error",
    platform: origin === "browser" ? "javascript" : "node",
    transaction: where,
    exception: {
      values: [
        {
          type: name,
          value: code ?? (status ? `HTTP ${status}` : ""),
          // Sentry wants the innermost frame last.
          stacktrace: {
            frames: frames
              .map(({ file, line, column, ...at }) => ({
                filename: file,
                lineno: line,
                colno: column,
                ...at,
              }))
              .reverse(),
          },
        },
      ],
    },
    tags: { origin, route: where, status, method: context?.method, requestId: context?.id },
    user: context?.userId ? { id: context.userId } : undefined,
    extra: {
      ...(form !== undefined && { form: maskBody(schema, form) }),
      ...(fields && { fields: fields.map((path) => maskPath(schema, path)) }),
    },
  };
}

const OURS = [
  ...(["type", "event_id", "timestamp", "level", "platform", "environment"] as const),
  ...(["transaction", "exception", "tags", "user", "extra"] as const),
];

const pick = <T extends object, K extends keyof T>(from: T, keys: readonly K[]): Pick<T, K> =>
  Object.fromEntries(keys.map((key) => [key, from[key]])) as Pick<T, K>;

/** A last safeguard: keeps only the parts of the SDK's event that our code has set. */
const onlyOurs = (event: ErrorEvent): ErrorEvent => pick(event, OURS);
