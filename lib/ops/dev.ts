import { ensurePrismaClient } from "@/lib/ops/stale";

// `npm run dev`, which passes --dev on to the start.

await ensurePrismaClient();
await import("@/lib/ops/start");
