import "server-only";
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { SERVER_VARIABLE } from "@/lib/core/process/own-server";
import { PlainError } from "@/lib/core/process/plain-error";

// Three things are generated from the sources when these change: Prisma's client, Next's build, and `dist`, which
// consists of that build and of the sources. A file in each contains the hash of its sources.

/** Generates Prisma's client (lib/generated/prisma) if it is missing or older than the schema. */
export function ensurePrismaClient(): Promise<void> {
  return ensureMade({
    stamp: "lib/generated/prisma/.made-from",
    sources: ["prisma/schema.prisma", "prisma.config.ts", "package-lock.json"],
    command: ["node_modules/prisma/build/index.js", "generate"],
    env: { CHECKPOINT_DISABLE: "1", PRISMA_HIDE_UPDATE_MESSAGE: "1" },
  });
}

/** The sources of the pages and the API. */
const APPLICATION = [
  "app",
  "components",
  "emails",
  "lib",
  "prisma/schema.prisma",
  "package-lock.json",
  "next.config.mjs",
  "postcss.config.mjs",
  "tsconfig.json",
  "instrumentation.tsx",
];

/** The texts and pictures of the guide, which `dist` contains. */
export const GUIDE_FOLDER = path.join("docs", "guide");

/** Builds `dist`, and Prisma's client first, if it is missing or older than the sources. */
export async function ensureBuild(): Promise<void> {
  await ensurePrismaClient();
  const env = { NODE_ENV: "production", NEXT_TELEMETRY_DISABLED: "1", [SERVER_VARIABLE]: "own" };
  await ensureMade({
    stamp: ".next/made-from",
    sources: APPLICATION,
    excluded: [...EXCLUDED, ...NOT_IN_PAGES],
    command: ["node_modules/next/dist/bin/next", "build"],
    env,
  });
  await ensureMade({
    stamp: "dist/made-from",
    sources: [...APPLICATION, GUIDE_FOLDER, "prisma", "package.json"],
    command: ["--import", "./lib/ops/tsx.mjs", "lib/ops/bundle.ts"],
    env,
  });
}

interface Product {
  stamp: string;
  sources: string[];
  excluded?: readonly string[];
  command: string[];
  env: Record<string, string>;
}

/** Generates the output if necessary. */
async function ensureMade({ stamp, sources, excluded = EXCLUDED, command, env }: Product): Promise<void> {
  const hash = await hashOf(sources, excluded);
  if ((await readFile(stamp, "utf8").catch(() => "")) === hash) return;
  console.log(`Building ${path.dirname(stamp)} (only after source changes)…`);
  await rm(stamp, { force: true });
  await runNode(command, env);
  await mkdir(path.dirname(stamp), { recursive: true });
  await writeFile(stamp, hash);
}

async function hashOf(sources: string[], excluded: readonly string[]): Promise<string> {
  const hash = createHash("sha256").update(process.version);
  for (const source of sources) {
    for (const file of await filesIn(source, excluded))
      hash.update(`\0${file}\0`).update(await readFile(file));
  }
  return hash.digest("hex");
}

/** Folders that no build contains: generated code and developers' tools. */
const EXCLUDED = ["lib/generated", "lib/dev"].map(path.normalize);
/** Next's build does not contain the operators' commands and the API either (next.config.mjs). */
const NOT_IN_PAGES = ["lib/ops", "app/api"].map(path.normalize);

/** Returns the files at or under `source` except the excluded folders, in a fixed order; none if it is missing. */
async function filesIn(source: string, excluded: readonly string[]): Promise<string[]> {
  const entries = await readdir(source, { withFileTypes: true }).catch(
    (error: NodeJS.ErrnoException) => error.code,
  );
  if (entries === "ENOTDIR") return [source];
  if (!Array.isArray(entries)) return [];
  const inner = entries
    .map((entry) => path.join(source, entry.name))
    .filter((file) => !excluded.includes(file))
    .sort();
  return (await Promise.all(inner.map((file) => filesIn(file, excluded)))).flat();
}

/** Runs a program of Node and shows its output only if it fails. */
async function runNode(command: string[], env: Record<string, string>): Promise<void> {
  const options = { env: { ...process.env, ...env }, maxBuffer: Number.POSITIVE_INFINITY };
  await promisify(execFile)(process.execPath, command, options).catch(({ stdout = "", stderr = "" }) => {
    throw new PlainError(`${command.join(" ")} failed:\n${`${stdout}${stderr}`.trim()}`);
  });
}
