import "server-only";
import { invalid } from "@/lib/core/errors";
import { whole } from "@/lib/core/text/format";
import { COLUMNS_MAX, HEADING_MAX, ROWS_MAX } from "@/lib/transfer/imports/schema";

// The limits of a file in every format. Readers check them while reading, so that a small file cannot unpack to a huge
// one.

/** The most cells of a workbook's sheet, even empty ones: each takes time to parse. */
export const WORKBOOK = { mostCells: 5_000_000 };

const tooMuch = (what: string) => invalid("file", `The file has ${what}.`);

/** Throws 422 if `count` is more columns than a file may have. */
export function assertColumnCount(count: number): void {
  if (count > COLUMNS_MAX) throw tooMuch(`more than ${whole(COLUMNS_MAX)} columns`);
}

/** Throws 422 if `count` is more rows, including the headings, than a file may have. */
export function assertRowCount(count: number): void {
  if (count > ROWS_MAX + 1) throw tooMuch(`more than ${whole(ROWS_MAX)} rows`);
}

/** Throws 422 if a heading is too long. */
export function assertHeadings(headings: readonly string[]): void {
  const at = headings.findIndex((heading) => heading.trim().length > HEADING_MAX);
  if (at >= 0) throw tooMuch(`a heading of more than ${HEADING_MAX} characters, in column ${at + 1}`);
}
