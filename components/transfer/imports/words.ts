import type { ImportItem } from "@/lib/transfer/imports/schema";

export const STATUS_WORDS: Record<ImportItem["status"], string> = {
  waiting: "Match your columns",
  checking: "Dry run in progress",
  checked: "Dry run finished",
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
