import { runningEnvironment } from "@/lib/ops/running";

// `npm run keys`: brings what stands under AUTH_SECRET_PREVIOUS under AUTH_SECRET, as each start does, and says how much
// it was. When it was none and the time it names is over, AUTH_SECRET_PREVIOUS may go.

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

await keys().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
