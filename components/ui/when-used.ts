/**
 * Loads what a page needs only once somebody works on it: with the first key or press, before it is asked for. A
 * failure is told when it is.
 */
export function whenUsed(load: () => Promise<unknown>): void {
  if (typeof window === "undefined") return;
  const used = new AbortController();
  const begin = () => {
    used.abort();
    // Not before the answer to the key itself.
    setTimeout(() => load().catch(() => {}));
  };
  for (const type of ["keydown", "pointerdown"])
    window.addEventListener(type, begin, { signal: used.signal, capture: true, passive: true });
}
