import { closeDatabase } from "@/lib/database/client";
import { startWorker } from "@/lib/server/worker";

// A process that only sends mail, for tests with several of them.

const alive = setInterval(() => {}, 1_000);
const stop = startWorker();
process.on("SIGTERM", async () => {
  await stop();
  await closeDatabase();
  clearInterval(alive);
});
