import type { ImportItem } from "@/lib/imports/schema";

export const STATUS_WORDS: Record<ImportItem["status"], string> = {
  waiting: "Waits to be matched",
  checking: "Dry run under way",
  checked: "Dry run finished",
  running: "Under way",
  done: "Finished",
  cancelled: "Cancelled",
  failed: "Failed",
  undoing: "Being undone",
  undone: "Undone",
};

/** What each column of a result counts. */
export const COUNT_WORDS = [
  ["created", "Imported"],
  ["repeated", "Here already"],
  ["failed", "Refused"],
  ["similar", "Of a similar name"],
  ["removed", "Removed again"],
  ["kept", "Left"],
] as const;
