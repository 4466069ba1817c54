import { spawnSync } from "node:child_process";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { signalIfThere } from "@/lib/ops/embedded-process";

// The faults that tests/drill/drill.ts and its tests cause in the embedded PostgreSQL of a data folder.

/** Returns the process id of the PostgreSQL of a data folder. */
export async function postmasterOf(dataDir: string): Promise<number> {
  return Number.parseInt(await readFile(path.join(dataDir, "postgres/data/postmaster.pid"), "utf8"), 10);
}

/** Kills PostgreSQL (SIGKILL), as the kernel does when memory runs out. */
export async function kill(dataDir: string): Promise<void> {
  process.kill(await postmasterOf(dataDir), "SIGKILL");
}

/** Freezes every process of PostgreSQL (SIGSTOP), like a machine that hangs. Returns a function that resumes them. */
export async function freeze(dataDir: string): Promise<() => void> {
  const postmaster = await postmasterOf(dataDir);
  // The postmaster comes first, so that it starts no more processes.
  process.kill(postmaster, "SIGSTOP");
  const frozen = [postmaster, ...childrenOf(postmaster)];
  // A child may have ended already: a resumed postmaster reaps its dead children at once.
  for (const pid of frozen) signalIfThere(pid, "SIGSTOP");
  return () => {
    for (const pid of frozen) signalIfThere(pid, "SIGCONT");
  };
}

function childrenOf(parent: number): number[] {
  const { stdout } = spawnSync("ps", ["-A", "-o", "pid=,ppid="], { encoding: "utf8" });
  return stdout
    .trim()
    .split("\n")
    .map((line) => line.trim().split(/\s+/).map(Number))
    .flatMap(([pid, ppid]) => (pid && ppid === parent ? [pid] : []));
}
