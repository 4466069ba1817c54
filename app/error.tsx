"use client";

import { useEffect } from "react";
import { reportError } from "@/components/shell/error-reporter";
import { Problem } from "@/components/shell/problem";

export default function ErrorPage({ error, retry }: { error: unknown; retry: () => void }) {
  useEffect(() => reportError(error), [error]);
  return (
    <Problem
      title="Something went wrong"
      text="This page could not be displayed. Nothing you saved is lost."
      action={
        <button type="button" className="button" data-variant="primary" onClick={retry}>
          Try again
        </button>
      }
    />
  );
}
