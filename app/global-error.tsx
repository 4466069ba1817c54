"use client";

import ErrorPage from "./error";
import "./globals.css";

/** Replaces the root layout if that fails, or the error page below it. It has its own document and styles. */
export default function GlobalErrorPage(props: { error: unknown; retry: () => void }) {
  return (
    <html lang="en">
      <body>
        <ErrorPage {...props} />
      </body>
    </html>
  );
}
