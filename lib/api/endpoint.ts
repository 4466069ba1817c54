import type { z } from "zod";
import type { ErrorCode } from "@/lib/api/codes";
import type { AuditAction, AuditEntity } from "@/lib/auth/audit";
import type { Access } from "@/lib/auth/permissions";
import { byKey } from "@/lib/fields/by-key";

// What a call of the API is, said once for both sides: the server binds a declaration to its work
// (lib/api/route.ts), the browser's calls are typed by it (lib/api/client.ts), and all of them can be listed
// (lib/api/endpoints.ts).

export type Method = "GET" | "POST" | "PUT" | "DELETE";

/** Headers that carry a key of the caller's own making, by the name that code knows them by. */
export const KEY_HEADERS = { idempotencyKey: "Idempotency-Key", draftKey: "Draft-Key" } as const;
export type KeyName = keyof typeof KEY_HEADERS;

export type Endpoint = {
  method: Method;
  /** `/api/forms/{id}`; the segments in braces are parsed by `params`. */
  path: `/api/${string}`;
  /** Required, so that an endpoint that forgets it does not compile. */
  permission: Access;
  params?: z.ZodObject;
  query?: z.ZodType;
  body?: z.ZodType;
  /** What the body of a success holds, exactly; null: it has none (204). */
  answer: z.ZodType | null;
  /** 201 where a record is made. */
  status?: 201;
  /** The key headers it understands. */
  keys?: readonly KeyName[];
  /** The codes of its own errors, beside those that follow from the rest (`errorCodes`). */
  errors?: readonly ErrorCode[];
  /** What a success writes into the audit trail. */
  audit?: { entity: AuditEntity; action: AuditAction | readonly AuditAction[] };
  /** False: failures are not reported, as those of sign-in and update-password (contract §6). */
  reported?: false;
  /** False: it does not wait in line behind other calls. */
  queued?: false;
};

/** The names in braces: `/api/forms/{id}` → `"id"`. */
export type PathParams<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | PathParams<Rest>
  : never;

type WithParams<E extends Endpoint> = [PathParams<E["path"]>] extends [never]
  ? unknown
  : { params: z.ZodObject<Record<PathParams<E["path"]>, z.ZodType>> };

/** Declares an endpoint; the answer is the declaration itself, with its exact types. */
export const endpoint = <const E extends Endpoint>(declaration: E & WithParams<E>): E => declaration;

/** Endpoints that differ in one segment of their path alone, `/api/{collection}`, by that segment. */
export type Family<
  Name extends string = string,
  Key extends string = string,
  E extends Endpoint = Endpoint,
> = {
  /** The segment's name in the folder of its route file. */
  segment: Name;
  members: Readonly<Record<Key, E>>;
};

/** Declares one endpoint for each of `keys`. */
export function family<const Name extends string, Key extends string, const E extends Endpoint>(
  segment: Name,
  keys: readonly Key[],
  declare: (key: Key) => E,
): Family<Name, Key, E> {
  return { segment, members: byKey(keys, declare) };
}

/** A declaration's endpoints: itself, or the members of its family. */
export const membersOf = (declared: Endpoint | Family): readonly Endpoint[] =>
  "members" in declared ? Object.values(declared.members) : [declared];

/** What a success answers; nothing where there is no body. */
// biome-ignore lint/suspicious/noConfusingVoidType: the work of an endpoint without an answer may return nothing
export type Answer<E extends Endpoint> = E["answer"] extends z.ZodType ? z.output<E["answer"]> : void;

/** Every code that a call can be refused with: what follows from the declaration, and its own. */
export function errorCodes({
  method,
  permission,
  params,
  query,
  body,
  errors = [],
}: Endpoint): Set<ErrorCode> {
  const codes = new Set<ErrorCode>(["failed", "unavailable", "too_slow", "misdirected", ...errors]);
  if (permission !== "guest") codes.add("unauthorized").add("two_step_required");
  if (permission !== "guest" && permission !== "signed-in") codes.add("forbidden");
  // Another site's page must not change anything.
  if (method !== "GET") codes.add("forbidden");
  if (params || query || body) codes.add("invalid");
  if (body) for (const code of ["not_json", "malformed", "too_large"] as const) codes.add(code);
  return codes;
}
