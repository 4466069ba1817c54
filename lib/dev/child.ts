import { type ChildProcess, spawn } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import manifest from "@/package.json" with { type: "json" };

// Runs servers in separate processes, for the benchmark, drills, and browser tests.

/** The arguments that `npm start` gives to Node after the build: flags, then the script. */
const FLAGS = (manifest.scripts.start.split(" && exec node ")[1] ?? "").split(" ");
const SCRIPT = FLAGS.pop() ?? "";

export interface ServerProcess {
  child: ChildProcess;
  output(): string;
  /** Ends the process as a terminal or Docker would. Resolves once it has ended. */
  stop(): Promise<void>;
}

/**
 * Starts the server with these settings and none of the caller's environment. `flags` for Node override those of `npm
 * start`; `options` are for the server. Resolves once it serves requests.
 */
export const startServer = (
  settings: Record<string, string>,
  flags: string[] = [],
  options: string[] = [],
): Promise<ServerProcess> => startNode([...FLAGS, ...flags, SCRIPT, "--no-env-file", ...options], settings);

/**
 * Starts a server in Node with these settings and none of the caller's environment. Resolves once it prints `ready`.
 */
export async function startNode(
  args: string[],
  settings: Record<string, string>,
  ready = "Ready: ",
): Promise<ServerProcess> {
  const { PATH, HOME } = process.env;
  const child = spawn(process.execPath, args, {
    env: { NODE_ENV: "production", PATH, HOME, ...settings },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (chunk) => {
      output += chunk;
    });
  }
  while (!output.includes(ready)) {
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
