import { PHASE_DEVELOPMENT_SERVER } from "next/constants.js";

/** @type {(phase: string) => import("next").NextConfig} */
export default (phase) => ({
  // Our own server answers the API (lib/direct.ts), so a build needs only the pages: half the time and size. These,
  // instrumentation.tsx and the logo have the extension tsx, the route files of the API have ts. In development, Next
  // answers the API too and reloads it after each change.
  pageExtensions: phase === PHASE_DEVELOPMENT_SERVER ? ["tsx", "ts"] : ["tsx"],
  // The build uses its list of the files that a server loads, from which lib/ops/bundle.ts makes dist.
  output: "standalone",
  poweredByHeader: false,
  reactStrictMode: true,
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
  serverExternalPackages: ["pg", "@prisma/adapter-pg", "@sentry/node-core", "piscina"],
});
