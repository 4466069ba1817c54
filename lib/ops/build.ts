import { ensureBuild, ensurePrismaClient } from "@/lib/ops/stale";

// Makes ahead what `npm start` would make, for an image whose files cannot be written.

await ensurePrismaClient();
await ensureBuild();
