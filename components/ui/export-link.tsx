"use client";

import { useSearchParams } from "next/navigation";

/** A link to the list as a CSV file: all pages of what its filters and search show now. */
export function ExportLink({ path }: { path: `/api/${string}.csv` }) {
  const params = new URLSearchParams(useSearchParams().toString());
  params.delete("page");
  params.delete("perPage");
  return (
    <a href={`${path}?${params}`} download className="button" data-variant="secondary" data-size="md">
      CSV
    </a>
  );
}
