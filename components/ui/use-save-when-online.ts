import { type RefObject, useEffect, useRef } from "react";

/** Events in a form that show that the user is still working on it. */
const WORK = ["input", "change", "click"] as const;

/**
 * Submits the form around `fields` again as soon as the browser is online, if it was offline when the last attempt ended
 * (`busy`) and the user has done nothing in the form since.
 */
export function useSaveWhenOnline(fields: RefObject<HTMLElement | null>, busy: boolean): void {
  const state = useRef({ busy, endedOffline: false });
  useEffect(() => {
    if (state.current.busy && !busy) state.current.endedOffline = !navigator.onLine;
    state.current.busy = busy;
  }, [busy]);
  useEffect(() => {
    const form = fields.current?.closest("form");
    if (!form) return;
    const watching = new AbortController();
    const { signal } = watching;
    const forget = () => {
      state.current.endedOffline = false;
    };
    for (const type of WORK) form.addEventListener(type, forget, { signal });
    window.addEventListener(
      "online",
      () => {
        // A form with an error in it was not sent, and waits for the user.
        if (state.current.endedOffline && !form.querySelector('[aria-invalid="true"]')) form.requestSubmit();
        forget();
      },
      { signal },
    );
    return () => watching.abort();
  }, [fields]);
}
