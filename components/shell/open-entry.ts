import type { EnteredKey } from "@/lib/records/quick-entry";

// Opens the quick entry of the header from a page.

const NAME = "open-quick-entry";

/** Opens the quick entry of a kind of record. */
export const openEntry = (kind: EnteredKey): void => {
  window.dispatchEvent(new CustomEvent(NAME, { detail: kind }));
};

/** Calls the listener when a page opens the quick entry. Returns a function that stops this. */
export function onOpenEntry(listener: (kind: EnteredKey) => void): () => void {
  const onEvent = (event: Event) => event instanceof CustomEvent && listener(event.detail);
  window.addEventListener(NAME, onEvent);
  return () => window.removeEventListener(NAME, onEvent);
}
