import "server-only";
import { format } from "node:util";
import pino from "pino";
import { describeError } from "@/lib/core/process/describe-error";
import { placesOf } from "@/lib/core/process/error-frames";
import { keepLine } from "@/lib/core/process/kept-log";
import { requestContext } from "@/lib/core/process/request-context";
import { processWide } from "@/lib/core/process-wide";

/** Receives each line of the log. A test replaces `write`. */
export const logOutput = processWide("log-output", () => ({
  write: (line: string): void => void process.stdout.write(line),
}));

/** Returns the parts of an error that a log may show: its class, code, and place in our code. Messages quote values. */
function withoutMessage(error: unknown) {
  const { frames, ...kind } = describeError(error);
  return { ...kind, frames: placesOf(frames) };
}

/**
 * The program's log: one JSON object a line, with `time`, `level`, `message`, `requestId`, and `route`. Log ids, counts,
 * and codes, never a name, an address, or a secret. The log removes the message of a whole error.
 */
export const log = processWide("log", () =>
  pino(
    {
      base: null,
      messageKey: "message",
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (level) => ({ level }) },
      mixin() {
        const { id: requestId, route } = requestContext() ?? {};
        return { requestId, route };
      },
      hooks: {
        logMethod([first, ...rest], method) {
          Reflect.apply(method, this, [first instanceof Error ? withoutMessage(first) : first, ...rest]);
        },
      },
    },
    {
      write(line: string) {
        logOutput.write(line);
        keepLine(line, (error) => logError(error, "An alarm or seal could not be written to LOG_DIR"));
      },
    },
  ),
);

/**
 * For alarms, and for seals of the audit trail that must exist outside the database: LOG_LEVEL does not silence them. Its
 * level differs from that of `log`, because pino lets a child with the same level follow its parent.
 */
export const alarmLog = processWide("alarm-log", () => log.child({}, { level: "trace" }));

/** Logs an unexpected error without its message. */
export const logError = (error: unknown, message: string): void => log.error(withoutMessage(error), message);

/**
 * Redirects the errors and warnings of other modules to the log. Next prints every failed render, and a database error
 * quotes the values that caused it. A log must never contain a survivor's name.
 */
export function logConsole(): void {
  for (const method of ["error", "warn"] as const)
    console[method] = (...values: unknown[]) => {
      const error = values.find((value) => value instanceof Error);
      const words = values.filter((value) => !(value instanceof Error));
      log[method](error ? withoutMessage(error) : {}, format(...words) || "Unexpected error");
    };
}
