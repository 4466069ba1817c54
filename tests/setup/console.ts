import { format } from "node:util";
import { afterAll, afterEach } from "vitest";

// A call of console.error that a test does not expect fails that test, or the file.

let errors: string[] = [];

/** Returns the console errors so far, and marks them as expected. */
export function takeConsoleErrors(): string[] {
  const taken = errors;
  errors = [];
  return taken;
}

console.error = (...values: unknown[]) => {
  errors.push(format(...values));
};

function refuseUnexpected(): void {
  const unexpected = takeConsoleErrors();
  if (unexpected.length > 0) throw new Error(`Unexpected console.error:\n${unexpected.join("\n")}`);
}

afterEach(refuseUnexpected);
afterAll(refuseUnexpected);
