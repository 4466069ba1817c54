/** @type {import("next").NextConfig} */
export default {
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
};
