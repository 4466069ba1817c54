"use client";

import { useEffect } from "react";
import { errorName, framesOf } from "@/lib/core/server/error-frames";

const MOST_PER_PAGE = 5;
let sent = 0;

/** Failed calls are reported by the server that answered them; so are errors that have a digest. */
const isKnownToServer = (error: Error) => error.name === "ApiError" || "digest" in error;

/** Tells our own server of an exception in this page, without its message and whatever else could hold data. */
export function reportError(error: unknown): void {
  if (!(error instanceof Error) || isKnownToServer(error) || sent >= MOST_PER_PAGE) return;
  sent += 1;
  const frames = framesOf(error, window.location.origin).map(({ file, line, column }) => ({
    file,
    line,
    column,
  }));
  const body = { name: errorName(error), frames, path: window.location.pathname };
  void fetch("/api/browser_errors", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
    keepalive: true,
  }).catch(() => {});
}

/** Stands once in the root layout: reports what no error page catches. */
export function ErrorReporter() {
  useEffect(() => {
    const onError = ({ error }: ErrorEvent) => reportError(error);
    const onRejection = ({ reason }: PromiseRejectionEvent) => reportError(reason);
    window.addEventListener("error", onError);
    window.addEventListener("unhandledrejection", onRejection);
    return () => {
      window.removeEventListener("error", onError);
      window.removeEventListener("unhandledrejection", onRejection);
    };
  }, []);
  return null;
}
