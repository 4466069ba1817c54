"use client";

import { useSearchParams } from "next/navigation";
import { DownloadLink } from "./download-link";

const FORMATS = ["csv", "xlsx"] as const;

/** Links to the list as a file: all pages of what its filters and search show now. */
export function ExportLinks({ path }: { path: `/api/${string}` }) {
  const params = new URLSearchParams(useSearchParams().toString());
  params.delete("page");
  params.delete("perPage");
  return (
    <fieldset aria-label="Download the list" className="flex gap-1">
      {FORMATS.map((format) => (
        <DownloadLink key={format} href={`${path}.${format}?${params}`}>
          {format.toUpperCase()}
        </DownloadLink>
      ))}
    </fieldset>
  );
}
