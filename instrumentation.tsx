import type { Instrumentation } from "next";

// Next also compiles this file for its edge runtime, which lacks the modules that are imported here.

/** Runs once when a server starts. */
export async function register(): Promise<void> {
  if (process.env.NEXT_RUNTIME !== "nodejs") return;
  const { startReports } = await import("@/lib/core/process/error-reports");
  await startReports();
  const { warnWithoutOwnServer } = await import("@/lib/core/process/own-server");
  warnWithoutOwnServer();
}

/** A page that failed on the server. Next logs the error itself; lib/core/process/log.ts keeps its words out. */
export const onRequestError: Instrumentation.onRequestError = async (...failure) => {
  if (process.env.NEXT_RUNTIME !== "nodejs") return;
  const { reportFailedPage } = await import("@/lib/core/process/error-reports");
  reportFailedPage(...failure);
};
