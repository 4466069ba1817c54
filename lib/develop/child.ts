import { type ChildProcess, spawn } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";

// For drills and browser tests: `npm start` as a process of its own.

export interface ServerProcess {
  child: ChildProcess;
  /** What it has printed so far. */
  output(): string;
  /** As a terminal or Docker does it; resolves when it has ended. */
  stop(): Promise<void>;
}

/** Starts it with these settings and no others of the caller's; resolves once it serves. */
export async function startServer(settings: Record<string, string>): Promise<ServerProcess> {
  const { PATH, HOME, NEXT_DIST_DIR } = process.env;
  const child = spawn(
    process.execPath,
    ["--import", "./lib/operate/tsx.mjs", "lib/operate/start.ts", "--no-env-file"],
    {
      env: {
        ...{ NODE_ENV: "production", PATH, HOME, ...(NEXT_DIST_DIR && { NEXT_DIST_DIR }) },
        ...settings,
      },
      stdio: ["ignore", "pipe", "pipe"],
    },
  );
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (chunk) => {
      output += chunk;
    });
  }
  while (!output.includes("Ready: ")) {
    if (child.exitCode !== null) throw new Error(`The server did not start:\n${output}`);
    await sleep(100);
  }
  return {
    child,
    output: () => output,
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const ended = new Promise((resolve) => child.once("exit", resolve));
      child.kill("SIGTERM");
      await ended;
    },
  };
}
