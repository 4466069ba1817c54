import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { buildSync } from "esbuild";
import { PHASE_DEVELOPMENT_SERVER, PHASE_PRODUCTION_BUILD, PHASE_PRODUCTION_SERVER } from "next/constants.js";
import * as zod from "zod/mini";

// `npm run build`, `npm start`, and `npm run dev` set this variable (lib/core/process/own-server.ts). Without it, this is a
// usual project for `npx next build && npx next start`, or `npx next dev`.
const isOwnServer = process.env.LANTERNBOOK_SERVER === "own";

/** Generates Prisma's client if it is missing or older than the schema, once per command. */
function ensurePrismaClient() {
  if (process.env.LANTERNBOOK_CLIENT === "ready") return;
  execFileSync(process.execPath, ["--import", "./lib/ops/tsx.mjs", "lib/ops/client.ts"], {
    stdio: "inherit",
  });
  process.env.LANTERNBOOK_CLIENT = "ready";
}

/**
 * Writes the part of zod/mini that our code names into one module, and returns its path. From zod's own modules, the scripts
 * of a form would be 7 KB larger: Turbopack keeps what any part of a module names, even if that part is not used.
 */
function smallZod() {
  const texts = ["app", "components", "lib"].flatMap((folder) =>
    readdirSync(folder, { recursive: true })
      .filter((file) => /\.tsx?$/.test(file))
      .map((file) => readFileSync(path.join(folder, file), "utf8")),
  );
  const named = texts
    .filter((text) => text.includes('from "zod/mini"'))
    .flatMap((text) => [...text.matchAll(/\bz\s*\.(\w+)/g)].map(([, name]) => name));
  // Of `core`, our code needs only types.
  const names = Object.keys(zod).filter((name) => name !== "core" && named.includes(name));
  const file = "node_modules/.cache/lanternbook/zod.js";
  buildSync({
    stdin: { contents: `export { ${names.join(", ")} } from "zod/mini";`, resolveDir: "." },
    bundle: true,
    format: "esm",
    legalComments: "none",
    outfile: file,
  });
  return `./${file}`;
}

/** @type {(phase: string) => import("next").NextConfig} */
export default (phase) => {
  if (!isOwnServer && phase !== PHASE_PRODUCTION_SERVER) ensurePrismaClient();
  const isOwnBuild = isOwnServer && phase !== PHASE_DEVELOPMENT_SERVER;
  return {
    // Our own server answers the API (lib/direct.ts), so its build needs only the pages: half the time and size. These,
    // instrumentation.tsx and the logo have the extension tsx, the route files of the API have ts. In development, Next
    // answers the API too and reloads it after each change.
    pageExtensions: isOwnBuild ? ["tsx"] : ["tsx", "ts"],
    // Our build uses its list of the files that a server loads, from which lib/ops/bundle.ts makes dist.
    output: isOwnBuild ? "standalone" : undefined,
    poweredByHeader: false,
    reactStrictMode: true,
    turbopack:
      phase === PHASE_PRODUCTION_BUILD ? { resolveAlias: { "zod/mini": { browser: smallZod() } } } : {},
    // `npm test` type-checks everything, including tests. A production install need not have their types.
    typescript: { ignoreBuildErrors: true },
    experimental: {
      authInterrupts: true,
      // Loads a page at its first request. All of them at once take 80 MB.
      preloadEntriesOnStart: false,
    },
    // Our own server logs each request, without its query.
    logging: { incomingRequests: false },
    // There are no images to resize, and the log of /_next/image quotes its requests.
    images: { unoptimized: true },
    serverExternalPackages: ["pg", "@prisma/adapter-pg", "@sentry/nextjs", "piscina"],
  };
};
