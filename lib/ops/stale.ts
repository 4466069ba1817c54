import "server-only";
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { PlainError } from "@/lib/core/server/plain-error";

// Two things are generated from the sources when those have changed: Prisma's client and Next's build. A file beside
// each holds the hash of the sources it was generated from.

const DIST = process.env.NEXT_DIST_DIR ?? ".next";

/** Generates Prisma's client (lib/generated/prisma) if it is missing or older than the schema. */
export function ensurePrismaClient(): Promise<boolean> {
  return ensureMade({
    stamp: "lib/generated/prisma/.made-from",
    sources: ["prisma/schema.prisma", "prisma.config.ts", "package-lock.json"],
    command: ["node_modules/prisma/build/index.js", "generate"],
    env: { CHECKPOINT_DISABLE: "1", PRISMA_HIDE_UPDATE_MESSAGE: "1" },
  });
}

/** Makes the production build if it is missing or older than the sources. `announce` runs before the work. */
export function ensureBuild(announce?: () => void): Promise<boolean> {
  return ensureMade({
    stamp: path.join(DIST, "made-from"),
    sources: [
      "app",
      "components",
      "emails",
      "lib",
      "public",
      "prisma/schema.prisma",
      "package-lock.json",
      "next.config.mjs",
      "postcss.config.mjs",
      "tsconfig.json",
      "proxy.ts",
      "instrumentation.ts",
      "instrumentation-client.ts",
    ],
    command: ["node_modules/next/dist/bin/next", "build"],
    env: { NODE_ENV: "production", NEXT_TELEMETRY_DISABLED: "1" },
    announce,
  });
}

interface Product {
  stamp: string;
  sources: string[];
  command: [string, ...string[]];
  env: Record<string, string>;
  announce?: () => void;
}

/** Returns true if it had to be generated. */
async function ensureMade({ stamp, sources, command, env, announce }: Product): Promise<boolean> {
  const hash = await hashOf(sources);
  if ((await readFile(stamp, "utf8").catch(() => "")) === hash) return false;
  announce?.();
  await rm(stamp, { force: true });
  await runNode(command, env);
  await mkdir(path.dirname(stamp), { recursive: true });
  await writeFile(stamp, hash);
  return true;
}

async function hashOf(sources: string[]): Promise<string> {
  const hash = createHash("sha256").update(process.version);
  for (const source of sources) {
    for (const file of await filesIn(source)) hash.update(`\0${file}\0`).update(await readFile(file));
  }
  return hash.digest("hex");
}

/** Folders that no page or handler is built from: generated code and developers' tools. */
const EXCLUDED = [path.join("lib", "generated"), path.join("lib", "dev")];

/** The files at or under `source` except the excluded folders, in a fixed order; none if it is missing. */
async function filesIn(source: string): Promise<string[]> {
  const entries = await readdir(source, { withFileTypes: true }).catch(
    (error: NodeJS.ErrnoException) => error.code,
  );
  if (entries === "ENOTDIR") return [source];
  if (!Array.isArray(entries)) return [];
  const inner = entries
    .map((entry) => path.join(source, entry.name))
    .filter((file) => !EXCLUDED.includes(file))
    .sort();
  return (await Promise.all(inner.map(filesIn))).flat();
}

/** Runs a program of node_modules; its output is shown only when it fails. */
function runNode(command: string[], env: Record<string, string>): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, command, {
      env: { ...process.env, ...env },
      stdio: ["ignore", "pipe", "pipe"],
    });
    let output = "";
    for (const stream of [child.stdout, child.stderr]) {
      stream.on("data", (chunk) => {
        output += chunk;
      });
    }
    child.on("error", reject);
    child.on("close", (code) =>
      code === 0 ? resolve() : reject(new PlainError(`${command.join(" ")} failed:\n${output.trim()}`)),
    );
  });
}
