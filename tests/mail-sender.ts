import { once } from "node:events";
import { closeDatabase } from "@/lib/core/database/client";
import { startWorker } from "@/lib/worker";

// A process that only sends mail, for tests with several of them: it says when it can begin, and is told when.

process.stdout.write("ready");
await once(process.stdin, "data");
const stop = startWorker();
process.on("SIGTERM", async () => {
  await stop();
  await closeDatabase();
  process.stdin.destroy();
});
