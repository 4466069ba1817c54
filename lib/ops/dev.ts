import { ensurePrismaClient } from "@/lib/ops/stale";

// `npm run dev` passes --dev on to the start.

await ensurePrismaClient();
await import("@/lib/ops/start");
