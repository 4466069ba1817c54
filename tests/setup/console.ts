import { format } from "node:util";
import { afterAll, afterEach } from "vitest";
import { logOutput } from "@/lib/core/process/log";

// The program's log is collected instead of printed. An unexpected error in it or on the console fails the test, or the
// file.

type Line = { level: string; message: string; [name: string]: unknown };

let logged: Line[] = [];

/** Collects what is written to `console.error`. */
function collectErrors(): string[] {
  const collected: string[] = [];
  console.error = (...values: unknown[]) => void collected.push(format(...values));
  return collected;
}

// A worker has one for all its files, like `hashing` (hashing.ts): a file may restore what a file before has spied on.
const globals = globalThis as typeof globalThis & { errors?: string[] };
globals.errors ??= collectErrors();
const { errors } = globals;
errors.length = 0;

/** Returns the lines of the log since the last call or the end of the last test, and empties it. */
export function takeLog(): Line[] {
  const taken = logged;
  logged = [];
  return taken;
}

/** Returns the errors so far, as log lines or console texts, and marks them as expected. */
export function takeErrors(): string[] {
  return errors.splice(0);
}

logOutput.write = (line) => {
  const parsed: Line = JSON.parse(line);
  logged.push(parsed);
  if (parsed.level === "error") errors.push(line);
};

function refuseUnexpected(): void {
  takeLog();
  const unexpected = takeErrors();
  if (unexpected.length > 0) throw new Error(`Unexpected errors:\n${unexpected.join("\n")}`);
}

afterEach(refuseUnexpected);
afterAll(refuseUnexpected);
