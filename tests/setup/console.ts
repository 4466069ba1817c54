import { format } from "node:util";
import { afterAll, afterEach } from "vitest";
import { logOutput } from "@/lib/core/process/log";

// The program's log is collected instead of printed. An unexpected error in it or on the console fails the test, or the
// file.

type Line = { level: string; message: string; [name: string]: unknown };

let logged: Line[] = [];
let errors: string[] = [];

/** Returns the lines of the log since the last call or the end of the last test, and empties it. */
export function takeLog(): Line[] {
  const taken = logged;
  logged = [];
  return taken;
}

/** Returns the errors so far, as log lines or console texts, and marks them as expected. */
export function takeErrors(): string[] {
  const taken = errors;
  errors = [];
  return taken;
}

logOutput.write = (line) => {
  const parsed: Line = JSON.parse(line);
  logged.push(parsed);
  if (parsed.level === "error") errors.push(line);
};
console.error = (...values: unknown[]) => {
  errors.push(format(...values));
};

function refuseUnexpected(): void {
  takeLog();
  const unexpected = takeErrors();
  if (unexpected.length > 0) throw new Error(`Unexpected errors:\n${unexpected.join("\n")}`);
}

afterEach(refuseUnexpected);
afterAll(refuseUnexpected);
