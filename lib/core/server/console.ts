import "server-only";
import { describeError, errorLine } from "@/lib/core/server/error-reports";

/**
 * Prints errors without their messages, whoever prints them: Next logs every failed render, and a database error quotes
 * the values that caused it. A survivor's name must not reach a log.
 */
export function maskErrorsOnConsole(): void {
  for (const method of ["error", "warn"] as const) {
    const print = console[method];
    console[method] = (...values: unknown[]) =>
      print(...values.map((value) => (value instanceof Error ? errorLine(describeError(value)) : value)));
  }
}
