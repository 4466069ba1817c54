import "server-only";
import { isDriverAdapterError } from "@prisma/driver-adapter-utils";
import pg from "pg";
import { ERROR_STATUS, type ErrorCode } from "@/lib/core/api/codes";
import { toJson } from "@/lib/core/api/json-text";
import type { Reply } from "@/lib/core/api/request";
import { PROBLEMS_MAX } from "@/lib/core/fields/problems";
import { Prisma } from "@/lib/generated/prisma/client";

/**
 * An error with a code, which decides the HTTP status. Only `answerError` below converts errors to responses.
 */
export class AppError extends Error {
  constructor(
    readonly code: ErrorCode,
    readonly messages: string | string[],
    readonly extra: { fields?: Record<string, string>; headers?: Record<string, string> } = {},
  ) {
    super(Array.isArray(messages) ? messages.join("; ") : messages);
  }

  get status(): number {
    return ERROR_STATUS[this.code];
  }
}

export const unauthorized = () => new AppError("unauthorized", "Unauthorized Request");
export const badCredentials = () => new AppError("bad_credentials", "Invalid email or password");
export const codeNeeded = () => new AppError("code_needed", "Please enter the code");
export const forbidden = () => new AppError("forbidden", "You do not have permission to do that.");
export const proofNeeded = () => new AppError("proof_needed", "Please enter your password");
export const twoStepRequired = () =>
  new AppError("two_step_required", "Please set up two-step sign-in first: your role requires it.");
export const notFound = () => new AppError("not_found", "Not found");
/** 409 because another request is doing the same thing right now; the caller should try again. */
export const busy = (message: string) => new AppError("conflict_busy", message);
/**
 * 409 for removing a record that others refer to, e.g. `inUse("client", 3, "form")`. With 0 the message has no number,
 * because the caller may not see any of them.
 */
export const inUse = (entity: string, uses: number, by: string) =>
  new AppError(
    "conflict_in_use",
    `This ${entity} is used by ${uses === 0 ? `other ${by}s` : `${uses} ${by}${uses === 1 ? "" : "s"}`} and cannot be removed`,
  );
/**
 * 422 for one field, named by its path in the request body, e.g. `invalid("form.clientId", "Client does not exist")`.
 */
export const invalid = (field: string, message: string) =>
  new AppError("invalid", message, { fields: { [field]: message } });

/** 422 for several fields, by their paths in the request body. Names at most `PROBLEMS_MAX` of them. */
export function invalidFields(fields: Record<string, string>): AppError {
  const problems = Object.entries(fields);
  const named = problems.slice(0, PROBLEMS_MAX);
  const messages = [...new Set(named.flatMap(([, message]) => message.split("\n")))];
  if (problems.length > named.length)
    messages.push(`There are more problems than these ${PROBLEMS_MAX}. Fix these first.`);
  return new AppError("invalid", messages, { fields: Object.fromEntries(named) });
}

export const tooMany = (seconds: number, message = "Too many attempts. Please try again later.") =>
  new AppError("too_many", message, {
    headers: { "Retry-After": String(Math.max(1, Math.ceil(seconds))) },
  });
const RETRY = { headers: { "Retry-After": "5" } };
export const unavailable = () =>
  new AppError("unavailable", "The database is not responding right now. Please try again.", RETRY);

/** 503 for a list that could not be read in time. */
export const tooSlow = () => new AppError("too_slow", "This list takes too long to read. Please narrow it.");

const unwritable = (reason: string) =>
  new AppError("unavailable", `Nothing can be saved right now: ${reason}. Please tell your administrator.`, {
    headers: { "Retry-After": "30" },
  });

const isPrisma = (error: unknown, code: string): boolean =>
  error instanceof Prisma.PrismaClientKnownRequestError && error.code === code;

/**
 * Returns the SQLSTATE of a PostgreSQL error, such as `53100`, even if Prisma wraps it; undefined for other errors.
 */
function sqlState(error: unknown): string | undefined {
  if (error instanceof pg.DatabaseError) return error.code;
  const carried =
    error instanceof Prisma.PrismaClientKnownRequestError ? error.meta?.driverAdapterError : error;
  return carried instanceof Error && isDriverAdapterError(carried) ? carried.cause.originalCode : undefined;
}

/** True if PostgreSQL refused a statement. False for a failed connection. */
export const isDatabaseError = (error: unknown): boolean => error instanceof pg.DatabaseError;

/** True for a unique violation, from Prisma or from SQL. With `constraint`, only for SQL and that constraint. */
export const isUniqueViolation = (error: unknown, constraint?: string): boolean =>
  constraint === undefined
    ? isPrisma(error, "P2002") || sqlState(error) === "23505"
    : error instanceof pg.DatabaseError && error.constraint === constraint;

/** True for a foreign key violation, from Prisma or from hand-written SQL. */
export const isForeignKeyViolation = (error: unknown): boolean =>
  isPrisma(error, "P2003") || sqlState(error) === "23503";

/**
 * SQLSTATEs of a deadlock and of a serialization failure: PostgreSQL aborted this one of two transactions.
 */
const ABORTED = new Set(["40P01", "40001"]);

/** SQLSTATEs that mean PostgreSQL cannot write, with the reason to show. */
const UNWRITABLE: Record<string, string> = {
  "53100": "the server's disk is full",
  "58030": "the server cannot write to its disk",
  "25006": "the database accepts no changes",
};

/** Returns the reason why nothing can be saved at the moment; undefined if the error has another cause. */
export const unwritableReason = (error: unknown): string | undefined => UNWRITABLE[sqlState(error) ?? ""];

/** Codes of a connection that the network refused, lost, or could not begin, also because no DNS knew the name. */
const NETWORK_CODES = [
  "EADDRNOTAVAIL",
  "EAI_AGAIN",
  "EAI_FAIL",
  "EAI_NODATA",
  "EAI_NONAME",
  "ECONNABORTED",
  "ECONNREFUSED",
  "ECONNRESET",
  "EHOSTDOWN",
  "EHOSTUNREACH",
  "ENETDOWN",
  "ENETRESET",
  "ENETUNREACH",
  "ENONET",
  "ENOTCONN",
  "ENOTFOUND",
  "EPIPE",
  "ETIMEDOUT",
];

const UNREACHABLE = new RegExp(
  String.raw`\b(${NETWORK_CODES.join("|")})\b|Connection terminated|timeout exceeded|terminating connection|starting up|shutting down|Can't reach database|not queryable|Server has closed the connection|Query read timeout`,
  "i",
);

const UNREACHABLE_CODES = new Set([
  ...NETWORK_CODES,
  "P1001",
  "P1002",
  "P1008",
  "P1017",
  "P2024",
  "P2028",
  // PostgreSQL is starting or stopping, or is out of memory or connections.
  "57P01",
  "57P02",
  "57P03",
  "53000",
  "53200",
  "53300",
]);

/** True if the database could not be reached in time. False if the request was wrong. */
const isUnreachable = (error: Error & { code?: unknown; cause?: unknown }): boolean =>
  [String(error.code), sqlState(error) ?? ""].some((code) => UNREACHABLE_CODES.has(code)) ||
  UNREACHABLE.test(error.message) ||
  (error.cause instanceof Error && isUnreachable(error.cause));

/** True if PostgreSQL canceled a statement because it took too long. */
export const isTimeOut = (error: unknown): boolean => sqlState(error) === "57014";

/** Maps every error to an AppError; an unexpected one becomes a 500 without details. */
export function asAppError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  if (isUniqueViolation(error)) return busy("That was just saved by someone else. Please reload.");
  if (isForeignKeyViolation(error)) {
    return busy("A related record was changed at the same time. Please reload and try again.");
  }
  // Another transaction was faster: the record no longer exists, or PostgreSQL aborted one of the two.
  if (isPrisma(error, "P2025")) return notFound();
  if (isPrisma(error, "P2034") || ABORTED.has(sqlState(error) ?? ""))
    return busy("Someone else saved at the same time. Please try again.");
  const reason = unwritableReason(error);
  if (reason) return unwritable(reason);
  if (isTimeOut(error)) return new AppError("too_slow", "That took too long. Please try again.", RETRY);
  if (error instanceof Error && isUnreachable(error)) return unavailable();
  return new AppError("failed", "Something went wrong");
}

/** Returns a JSON response. `headers` are the handler's own. */
export function jsonReply(value: unknown, status: number, headers: Headers): Reply {
  if (!headers.has("content-type")) headers.set("content-type", "application/json");
  return { status, headers, body: toJson(value) };
}

/** Returns the response for an error. */
export function answerError(error: AppError): Reply {
  const { fields, headers } = error.extra;
  return jsonReply(
    { error: error.messages, code: error.code, ...(fields && { fields }) },
    error.status,
    new Headers(headers),
  );
}
