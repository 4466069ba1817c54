"use client";

import { useEffect } from "react";
import { errorName, framesOf } from "@/lib/core/process/error-frames";

const MOST_PER_PAGE = 5;
let reportCount = 0;

/** The server already reports failed calls, and errors that have a digest. */
const isKnownToServer = (error: Error) => error.name === "ApiError" || "digest" in error;

/**
 * Reports an exception in this page to our own server, without its message and anything else that could contain data.
 */
export function reportError(error: unknown): void {
  if (!(error instanceof Error) || isKnownToServer(error) || reportCount >= MOST_PER_PAGE) return;
  reportCount += 1;
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

/** Rendered once in the root layout: reports errors that no error page catches. */
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
