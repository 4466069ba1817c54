"use client";

import type { ReactNode } from "react";
import { download } from "@/lib/core/api/client";
import { Spinner } from "./controls";
import { useNotify } from "./notifications";
import { useAttempt } from "./use-failure";

type FileUrl = `/api/${string}`;

/** Returns true while a file is being downloaded, and a function that downloads a file and reports a refusal. */
export function useDownload() {
  const { busy, run } = useAttempt(useNotify().error);
  return { busy, start: (href: FileUrl) => void (busy || run(() => download(href))) };
}

/** A link that looks like a button and downloads a file from the API through `onStart`. */
export function FileLink({
  href,
  variant = "secondary",
  busy = false,
  onStart,
  children,
}: {
  href: FileUrl;
  variant?: "secondary" | "ghost";
  busy?: boolean;
  onStart: (href: FileUrl) => void;
  children: ReactNode;
}) {
  return (
    <a
      href={href}
      download
      className="button"
      data-variant={variant}
      aria-busy={busy || undefined}
      onClick={(event) => {
        // The browser's own download would not show the reason for a refusal.
        event.preventDefault();
        onStart(href);
      }}
    >
      {busy && <Spinner />}
      {children}
    </a>
  );
}

/** A link that looks like a button and downloads a file from the API. Shows the reason of a refusal. */
export function DownloadLink({ href, children }: { href: FileUrl; children: ReactNode }) {
  const { busy, start } = useDownload();
  return (
    <FileLink href={href} busy={busy} onStart={start}>
      {children}
    </FileLink>
  );
}
