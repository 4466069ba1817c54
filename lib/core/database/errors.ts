import "server-only";
import { isDriverAdapterError } from "@prisma/driver-adapter-utils";
import pg from "pg";
import { AppError, busy, notFound, unavailable } from "@/lib/core/errors";
import { Prisma } from "@/lib/generated/prisma/client";

// Reads the errors of PostgreSQL, Prisma, and the connection.

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

const unwritable = (reason: string) =>
  new AppError("unavailable", `Nothing can be saved right now: ${reason}. Please tell your administrator.`, {
    headers: { "Retry-After": "30" },
  });

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
  if (isTimeOut(error))
    return new AppError("too_slow", "That took too long. Please try again.", {
      headers: { "Retry-After": "5" },
    });
  if (error instanceof Error && isUnreachable(error)) return unavailable();
  return new AppError("failed", "Something went wrong");
}
