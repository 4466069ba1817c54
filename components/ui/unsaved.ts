// Tracks unsaved values on this page. A page without any may be replaced when the session ends.

const holders = new Set<symbol>();
const typed = new Set<Element>();

/** Registers unsaved changes. Returns a function that removes them. */
export function holdUnsaved(): () => void {
  const holder = Symbol("unsaved");
  holders.add(holder);
  return () => holders.delete(holder);
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

/**
 * True if the page has unsaved values. A search, the filters of a list and a form with an `action`, which only leads to
 * another URL, do not count.
 */
export const hasUnsaved = (): boolean =>
  holders.size > 0 ||
  [...typed].some(
    (field) => field.isConnected && field.matches("form:not([action]) :is(input, select), textarea"),
  );
