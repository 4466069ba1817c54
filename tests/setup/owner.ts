import { startCluster } from "@/lib/ops/embedded";

// Used by tests/ops.test.ts: owns the cluster of a data folder until it is killed.
const { url } = await startCluster({ dataDir: String(process.argv[2]), throwaway: true });
console.log(url);
setInterval(() => {}, 60_000);
