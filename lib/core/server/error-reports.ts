import "server-only";
import type { ErrorEvent, NodeClient } from "@sentry/nextjs";
import type { z } from "zod";
import { env } from "@/lib/core/server/env";
import { errorName, type Frame, framesOf } from "@/lib/core/server/error-frames";
import { maskBody, maskPath } from "@/lib/core/server/error-mask";
import { processWide } from "@/lib/core/server/process-wide";
import { PROGRAM_FOLDER } from "@/lib/core/server/program-folder";
import { requestContext } from "@/lib/core/server/request-context";
import { networkOf } from "@/lib/core/server/subnets";

// Error reporting. Events are made by hand from what lib/core/server/error-mask.ts lets through, and go by a
// bare client: nothing of the SDK watches requests, the console or other modules. Browsers report to our server
// (lib/core/server/browser-errors.ts), so that they talk to no third party.

/** A failure, reduced to what may be reported. */
export type Failure = {
  /** The class of the error. */
  name: string;
  /** For example `P2002` or `ECONNREFUSED`. */
  code?: string;
  frames: Frame[];
  origin: "server" | "browser";
  /** The status of the response; unset for failures in the browser. */
  status?: number;
  /** The route of the failure, if it differs from that of the request. */
  route?: string;
  /** The submitted body, not yet masked. */
  form?: unknown;
  /** The schema of the body; without it, the whole body is masked. */
  schema?: z.ZodType;
  /** The paths of invalid fields. */
  fields?: string[];
};

type Thrown = { name: string; code?: string; frames: Frame[] };

/** The parts of a thrown value that may be reported. */
export function describeError(error: unknown): Thrown {
  if (!(error instanceof Error)) return { name: "Error", frames: [] };
  const code = "code" in error ? error.code : undefined;
  return {
    name: errorName(error),
    ...(typeof code === "string" && /^[A-Z0-9_]{1,60}$/.test(code) && { code }),
    frames: framesOf(error, PROGRAM_FOLDER),
  };
}

/** What a log may say about an expected error. Messages may contain addresses. */
export function codeOf(error: unknown): string {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  return typeof code === "string" && /^\w{1,60}$/.test(code) ? code : "unknown reason";
}

/** The log line for an error; like a report, it has no message. */
export function errorLine(thrown: Thrown & { route?: string }): string {
  const { id, route } = requestContext() ?? {};
  const { name, code, frames } = thrown;
  const places = frames.map((at) => `${at.function ?? "-"} ${at.file}:${at.line}:${at.column}`);
  return JSON.stringify({ level: "error", id, route: thrown.route ?? route, name, code, frames: places });
}

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
    .catch((error: unknown) => console.error(errorLine(describeError(error))));
  return true;
}

/** The limits of reports per minute: for one address and in total, counted separately for server and browsers. */
const PER_MINUTE = { address: 10, all: 100 };

/** Counts one more report and returns whether it is within the limits of this minute. */
function fits(origin: Failure["origin"], address: string): boolean {
  const minute = Math.floor(Date.now() / 60_000);
  if (shared.minute !== minute) Object.assign(shared, { minute, counts: new Map() });
  const { counts } = shared;
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
  await (await shared.client)?.flush(seconds * 1000);
}

/** One client and one set of counts per process. */
type Shared = { client?: Promise<NodeClient>; minute: number; counts: Map<string, number> };
const shared = processWide("reports", (): Shared => ({ minute: 0, counts: new Map() }));

/** Loads the SDK with the first report, because loading takes most of a second and 35 MB. */
function clientOf(dsn: string): Promise<NodeClient> {
  shared.client ??= import("@sentry/nextjs").then(({ NodeClient, makeNodeTransport, defaultStackParser }) => {
    const client = new NodeClient({
      dsn,
      environment: env().SENTRY_ENVIRONMENT,
      transport: makeNodeTransport,
      stackParser: defaultStackParser,
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
  return shared.client;
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

/** A last safeguard: of the event as the SDK made it, only what we put in. */
const onlyOurs = (event: ErrorEvent): ErrorEvent => pick(event, OURS);
