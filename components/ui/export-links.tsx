"use client";

import { useSearchParams } from "next/navigation";
import { DownloadLink } from "./download-link";

const FORMATS = ["csv", "xlsx"] as const;

/** Links to the list as a file: all pages of what `query` asks for, or else what the URL's filters and search show now. */
export function ExportLinks({ path, query }: { path: `/api/${string}`; query?: string }) {
  const shown = useSearchParams().toString();
  const params = new URLSearchParams(query ?? shown);
  for (const place of ["page", "perPage", "after"]) params.delete(place);
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
