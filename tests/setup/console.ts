import { format } from "node:util";
import { afterAll, afterEach } from "vitest";

// What reaches console.error without a test having asked for it fails that test, or the file.

let errors: string[] = [];

/** The console errors so far, which thereby count as expected. */
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
