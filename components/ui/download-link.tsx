"use client";

import type { ReactNode } from "react";
import { download } from "@/lib/api/client";
import { Spinner } from "./controls";
import { useNotify } from "./notifications";
import { useAttempt } from "./use-failure";

/** A link that looks like a button, downloads a file of the API and says why where it is refused. */
export function DownloadLink({ href, children }: { href: `/api/${string}`; children: ReactNode }) {
  const notify = useNotify();
  const { busy, run } = useAttempt(notify.error);
  return (
    <a
      href={href}
      download
      className="button"
      data-variant="secondary"
      aria-busy={busy || undefined}
      onClick={(event) => {
        // A browser that downloads it by itself shows no reason.
        event.preventDefault();
        if (!busy) void run(() => download(href));
      }}
    >
      {busy && <Spinner />}
      {children}
    </a>
  );
}
