import type * as z from "zod/mini";
import type { Access, Permission } from "@/lib/core/access/permissions";
import type { AuditAction } from "@/lib/core/api/audit-acts";
import type { ErrorCode } from "@/lib/core/errors";

// The declaration of an API call, shared by both sides. The server binds it to a handler (lib/route.ts). It types the
// browser's calls (lib/core/api/client.ts). lib/endpoints.ts lists all of them.

type Method = "GET" | "POST" | "PUT" | "DELETE";

const KB = 1024;
const MB = 1024 * KB;
/** The largest body in bytes, for endpoints that declare no limit. */
export const BODY_MAX = MB;
/** The same for calls that anyone can make without a session, and for those that check a password. */
export const GUEST_BODY_MAX = 16 * KB;

/** Returns the error message for a body of more than `max` bytes. */
export const tooLargeMessage = (max: number): string =>
  `The body is larger than ${max < MB ? `${max / KB} KB` : `${max / MB} MB`}.`;

/** Headers whose value is a key chosen by the caller, by their name in the code. */
export const KEY_HEADERS = {
  idempotencyKey: "Idempotency-Key",
  draftKey: "Draft-Key",
  /** The name of an uploaded file, percent-encoded. It may name a person, so it is in no address. */
  fileName: "File-Name",
} as const;
export type KeyName = keyof typeof KEY_HEADERS;

export type Endpoint = {
  method: Method;
  /** For example `/api/forms/{id}`; `params` parses the segments in braces. */
  path: `/api/${string}`;
  /** Required, so that an endpoint without it does not compile. */
  permission: Access;
  additionalPermissions?: Permission | readonly Permission[];
  params?: z.core.$ZodObject;
  query?: z.core.$ZodType;
  body?: z.core.$ZodType;
  /** True: the body is an HTML form instead of JSON, as another standard requires. */
  form?: true;
  /**
   * The content types of an uploaded file, instead of JSON. `run` reads it from the request, up to `maxBytes`.
   */
  upload?: readonly string[];
  /** The largest body in bytes, if it is neither 1 MB nor, for guests, 16 KB. */
  maxBytes?: number;
  /** The exact body of a success; null if there is none (204). */
  response: z.core.$ZodType | null;
  /** 201 for an endpoint that creates a record, 303 for one that redirects the browser. */
  status?: 201 | 303;
  proof?: boolean;
  /** False: for users only, because it concerns their session or account; programs' tokens get 403. */
  tokens?: false;
  /** True: also open to a session that has yet to set up two-step sign-in. */
  beforeTwoStep?: boolean;
  keys?: readonly KeyName[];
  /** Error codes in addition to those that follow from the rest of the declaration (`errorCodes`). */
  errors?: readonly ErrorCode[];
  /** The audit rows that a success writes: one for each `entity`, with one of the actions. */
  audit?: { entity: string | readonly string[]; action: AuditAction | readonly AuditAction[] };
  /** Information for callers beyond its name and schemas, in plain words; part of the API's description. */
  about?: string;
  /** True: it responds to HEAD too, without the body. */
  head?: true;
  /** False: its failures are not sent to error reporting. */
  isReported?: false;
  /** False: the call does not wait in the queue of database requests. */
  queued?: false;
};

/** Returns the largest body of an endpoint in bytes. */
export const bodyMax = ({ permission, maxBytes }: Pick<Endpoint, "permission" | "maxBytes">): number =>
  maxBytes ?? (permission === "guest" ? GUEST_BODY_MAX : BODY_MAX);

/** The parameter names in a path: `/api/forms/{id}` → `"id"`. */
export type PathParams<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | PathParams<Rest>
  : never;

type WithParams<Path extends string> = [PathParams<Path>] extends [never]
  ? unknown
  : { params: z.core.$ZodObject<Record<PathParams<Path>, z.core.$ZodType>> };

type Name = `${Method} /api/${string}`;
/** `"GET /api/me"` → `{ method: "GET"; path: "/api/me" }` */
type Named<N extends Name> = {
  method: N extends `${infer M extends Method} ${string}` ? M : never;
  path: N extends `${Method} ${infer P extends Endpoint["path"]}` ? P : never;
};
type Rest = Omit<Endpoint, "method" | "path">;
/** Refuses a misspelled property, which would otherwise be ignored: it may be a permission. */
type NoOther<R> = { [Property in Exclude<keyof R, keyof Rest>]: never };

/** Declares an endpoint under the name that callers use. Returns the declaration with its exact types. */
export function endpoint<const N extends Name, const R extends Rest>(
  name: N,
  rest: R & WithParams<Named<N>["path"]> & NoOther<R>,
): R & Named<N>;
export function endpoint(name: Name, rest: Rest) {
  const [method, path] = name.split(" ");
  return { ...rest, method, path };
}

/** The type of a success's body; void if there is none. */
export type ResponseOf<E extends Endpoint> = E["response"] extends z.core.$ZodType
  ? z.output<E["response"]>
  : // biome-ignore lint/suspicious/noConfusingVoidType: the work of an endpoint without a response may return nothing
    void;

/** Returns every error code of a call's responses: those that follow from the declaration, and its own. */
export function errorCodes({
  method,
  permission,
  params,
  query,
  body,
  proof,
  tokens,
  upload,
  beforeTwoStep,
  errors = [],
}: Endpoint): Set<ErrorCode> {
  const codes = new Set<ErrorCode>(["failed", "unavailable", "too_slow", "misdirected", ...errors]);
  if (permission !== "guest") codes.add("unauthorized");
  if (permission !== "guest" && !beforeTwoStep) codes.add("two_step_required");
  if (permission !== "guest" && permission !== "signed-in") codes.add("forbidden");
  // Cross-site requests that could change data are refused, and tokens if only users may call.
  if (method !== "GET" || tokens === false) codes.add("forbidden");
  if (proof) codes.add("proof_needed");
  if (params || query || body || upload) codes.add("invalid");
  if (upload) for (const code of ["malformed", "too_large"] as const) codes.add(code);
  if (body) for (const code of ["not_json", "malformed", "too_large"] as const) codes.add(code);
  return codes;
}
