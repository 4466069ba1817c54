// Tracks unsaved values on this page. A page without any may be replaced when the session ends.

/** A guarded part of the page with unsaved changes; `asks` is false once the user has chosen to leave. */
type Holder = { description: string; asks: boolean };
const holders = new Set<Holder>();
const typed = new Set<Element>();

/** Registers unsaved changes; `description` explains what leaving does to them. Returns the holder. */
export function holdUnsaved(description: string): Holder {
  const holder = { description, asks: true };
  holders.add(holder);
  return holder;
}

/** Removes registered changes, which are saved or gone. */
export const releaseUnsaved = (holder: Holder): boolean => holders.delete(holder);

/** Returns the descriptions of all unsaved changes of the page, each once. */
export const unsavedDescriptions = (): string[] => [
  ...new Set([...holders].map(({ description }) => description)),
];

/** The user leaves: no part of the page asks again. */
export function askNoMore(): void {
  for (const holder of holders) holder.asks = false;
}

/** Remembers the fields in which the user types, until `signal` is aborted. */
export function watchTyping(signal: AbortSignal): void {
  document.addEventListener(
    "input",
    ({ target }) => {
      for (const field of typed) if (!field.isConnected) typed.delete(field);
      if (target instanceof Element) typed.add(target);
    },
    { signal, capture: true },
  );
}

/** Forgets the typing in a form that shows the stored values again. */
export function forgetTyped(form: Element | null): void {
  for (const field of typed) if (form?.contains(field)) typed.delete(field);
}

/** True if the page has unsaved values. A search, a list's filters, and a form with an `action` do not count. */
export const hasUnsaved = (): boolean =>
  holders.size > 0 ||
  [...typed].some(
    (field) => field.isConnected && field.matches("form:not([action]) :is(input, select), textarea"),
  );
