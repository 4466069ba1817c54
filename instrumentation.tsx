import type { Instrumentation } from "next";

/** A page that failed on the server. Next logs the error itself; lib/core/server/log.ts keeps its words out. */
export const onRequestError: Instrumentation.onRequestError = async (error, request) => {
  // Next also compiles this file for its edge runtime, which lacks the modules that a report needs.
  if (process.env.NEXT_RUNTIME !== "nodejs") return;
  const { describeError } = await import("@/lib/core/server/describe-error");
  const { sendErrorReport } = await import("@/lib/core/server/error-reports");
  const address = String(request.headers["x-client-address"]);
  sendErrorReport({ ...describeError(error), origin: "server", status: 500 }, address);
};
