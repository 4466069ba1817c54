/** Loads code on the first key or press on a page, before it is needed. A failure is reported when the code is used. */
export function whenUsed(load: () => Promise<unknown>): void {
  if (typeof window === "undefined") return;
  const used = new AbortController();
  const begin = () => {
    used.abort();
    // Runs after the response to the key itself.
    setTimeout(() => load().catch(() => {}));
  };
  for (const type of ["keydown", "pointerdown"])
    window.addEventListener(type, begin, { signal: used.signal, capture: true, passive: true });
}
