import { ensurePrismaClient } from "@/lib/ops/stale";

// next.config.mjs runs this before `next build` and `next dev`.

await ensurePrismaClient();
