import type { Act } from "@/components/ui/acts";

let lastAct = 0;

/** Returns a change to one field that its notification can undo. */
export function undoable(words: string, undo: () => Promise<unknown>): Act {
  lastAct += 1;
  // Each change has its own kind, so that no two are undone together.
  return {
    kind: `field-${lastAct}`,
    records: [{ id: lastAct, label: words }],
    words: () => words,
    undo: async () => void (await undo()),
  };
}
