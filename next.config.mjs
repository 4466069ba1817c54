/** @type {import("next").NextConfig} */
export default {
  // For its list of the files that a server loads, from which lib/ops/bundle.ts makes dist.
  output: "standalone",
  poweredByHeader: false,
  reactStrictMode: true,
  // `npm test` type-checks everything, tests included; a production install need not have their types.
  typescript: { ignoreBuildErrors: true },
  experimental: {
    authInterrupts: true,
    // A page is loaded when it is first asked for; all of them at once take 80 MB.
    preloadEntriesOnStart: false,
  },
  // Our own server writes a line for each request, without its query.
  logging: { incomingRequests: false },
  // There are none to resize, and the log of /_next/image quotes what it was asked for.
  images: { unoptimized: true },
  serverExternalPackages: ["pg", "@prisma/adapter-pg", "@sentry/node-core", "piscina"],
};
