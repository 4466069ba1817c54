import { runCommand } from "@/lib/ops/command";
import { runningEnvironment } from "@/lib/ops/running";

// `npm run keys` encrypts the data of AUTH_SECRET_PREVIOUS again with AUTH_SECRET, as each start does, and prints how
// much it was. Once it prints zero and the time it names is over, AUTH_SECRET_PREVIOUS may be removed.

async function keys(): Promise<void> {
  await runningEnvironment();
  const { renewKeys } = await import("@/lib/ops/renewal");
  const { closeDatabase } = await import("@/lib/core/database/client");
  try {
    console.log(
      (await renewKeys()) ?? "AUTH_SECRET_PREVIOUS is not set: all data is encrypted with AUTH_SECRET.",
    );
  } finally {
    await closeDatabase();
  }
}

await runCommand(keys);
