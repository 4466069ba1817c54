"use client";

import { useEffect } from "react";
import { reportError } from "@/components/shell/error-reporter";
import { Problem } from "@/components/shell/problem";
import "./globals.css";

/** Replaces the root layout when that fails, or the error page below it: brings its own document and styles. */
export default function GlobalErrorPage({ error, retry }: { error: unknown; retry: () => void }) {
  useEffect(() => reportError(error), [error]);
  return (
    <html lang="en">
      <body>
        <Problem
          title="Something went wrong"
          text="The page could not be shown. Nothing that was saved is lost."
          action={
            <button type="button" className="button" data-variant="primary" onClick={retry}>
              Try again
            </button>
          }
        />
      </body>
    </html>
  );
}
