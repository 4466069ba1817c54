import { once } from "node:events";
import { closeDatabase } from "@/lib/core/database/client";
import { startWorker } from "@/lib/worker";

// A process that only sends mail, for tests with several senders. It reports when it is ready, and starts on a message.

process.stdout.write("ready");
await once(process.stdin, "data");
const stop = startWorker();
process.on("SIGTERM", async () => {
  await stop();
  await closeDatabase();
  process.stdin.destroy();
});
