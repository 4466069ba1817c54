"use client";

import { useSearchParams } from "next/navigation";
import { FileLink, useDownload } from "./download-link";
import { ChevronIcon } from "./icons";
import { Menu } from "./menu";

const FORMATS = { csv: "CSV", xlsx: "XLSX (Excel)" };

/** A menu that downloads all pages of the list as a file: of `query`, or of the URL. */
export function ExportLinks({ path, query }: { path: `/api/${string}`; query?: string }) {
  const shown = useSearchParams().toString();
  const params = new URLSearchParams(query ?? shown);
  for (const place of ["page", "perPage", "after"]) params.delete(place);
  const { busy, start } = useDownload();
  return (
    <Menu
      label="Export the list"
      busy={busy}
      content={Object.entries(FORMATS).map(([format, name]) => {
        const href = `${path}.${format}?${params}` as const;
        return (
          <FileLink key={format} href={href} variant="ghost" onStart={start}>
            {name}
          </FileLink>
        );
      })}
    >
      Export
      <ChevronIcon direction="down" />
    </Menu>
  );
}
