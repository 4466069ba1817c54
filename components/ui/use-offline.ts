import { useSyncExternalStore } from "react";

function watch(onChange: () => void) {
  const watching = new AbortController();
  for (const type of ["online", "offline"])
    window.addEventListener(type, onChange, { signal: watching.signal });
  return () => watching.abort();
}

/** True while the browser has no network. */
export const useOffline = (): boolean =>
  useSyncExternalStore(
    watch,
    () => !navigator.onLine,
    () => false,
  );
