import { startMailWorker } from "@/lib/accounts/mail/worker";
import { closeDatabase } from "@/lib/db";

// A process that only sends mail, for tests with several of them.

const alive = setInterval(() => {}, 1_000);
const stop = startMailWorker();
process.on("SIGTERM", async () => {
  await stop();
  await closeDatabase();
  clearInterval(alive);
});
