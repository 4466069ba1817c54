import { format } from "node:util";
import { afterEach, beforeEach } from "vitest";

// What reaches console.error without a test having asked for it fails that test.

let errors: string[] = [];

/** The console errors of this test so far, which thereby count as expected. */
export function takeConsoleErrors(): string[] {
  const taken = errors;
  errors = [];
  return taken;
}

console.error = (...values: unknown[]) => {
  errors.push(format(...values));
};

beforeEach(() => {
  errors = [];
});

afterEach(() => {
  const unexpected = takeConsoleErrors();
  if (unexpected.length > 0) throw new Error(`Unexpected console.error:\n${unexpected.join("\n")}`);
});
