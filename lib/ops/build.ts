import { ensureBuild } from "@/lib/ops/stale";

// `npm run build` makes `dist` if it is missing or older than the sources.

await ensureBuild();
