import { vi } from "vitest";

// Workers run many test files each, because starting a process and importing packages takes longer than most
// files. Each file still starts with modules, settings and globals that no other file has changed. Only
// packages stay loaded.

const globals = globalThis as typeof globalThis & { environment?: NodeJS.ProcessEnv };
globals.environment ??= { ...process.env };
for (const name of Object.keys(process.env)) delete process.env[name];
Object.assign(process.env, globals.environment);

// The values of lib/core/process-wide.ts.
for (const key of Object.getOwnPropertySymbols(globalThis)) {
  if (key.description?.startsWith("lanternbook.")) Reflect.deleteProperty(globalThis, key);
}
// The client of error reports.
Reflect.deleteProperty(globalThis, "__SENTRY__");
vi.useRealTimers();
vi.unstubAllGlobals();
vi.resetModules();
