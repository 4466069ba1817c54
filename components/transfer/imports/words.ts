import { counted } from "@/lib/core/text/format";
import type { ImportItem } from "@/lib/transfer/imports/schema";

export const STATUS_WORDS: Record<ImportItem["status"], string> = {
  waiting: "Match your columns",
  checking: "Check in progress",
  checked: "Checked",
  running: "In progress",
  done: "Finished",
  cancelled: "Canceled",
  failed: "Failed",
  undoing: "Undo in progress",
  undone: "Undone",
};

/** The label of each count in the result of an import. */
export const COUNT_WORDS = [
  ["created", "Imported"],
  ["repeated", "Already imported"],
  ["duplicates", "Repeated in the file"],
  ["failed", "Rejected"],
  ["similar", "Similar names"],
  ["removed", "Removed"],
  ["kept", "Not removed"],
] as const;

/** `7 rows: 2, 3, 5, 8, 13, …`, with the first of their numbers. */
export const rowsWords = (count: number, rows: readonly number[]): string =>
  `${counted(count, "row")}: ${rows.join(", ")}${count > rows.length ? ", …" : ""}`;
