import { defineConfig } from "prisma/config";

// The CLI wants to download a schema engine even for `generate`, which does not run it. Any existing path stops that.
process.env.PRISMA_SCHEMA_ENGINE_BINARY ??= process.execPath;

export default defineConfig({
  schema: "prisma/schema.prisma",
  migrations: { path: "prisma/migrations" },
  datasource: { url: process.env.DATABASE_URL ?? "" },
});
