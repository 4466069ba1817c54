import { ensureBuild, ensurePrismaClient } from "@/lib/ops/stale";

// `npm run build` makes `dist` if it is missing or older than the sources.

await ensurePrismaClient();
await ensureBuild(() => console.log("Building (only after source changes)…"));
