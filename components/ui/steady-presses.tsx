"use client";

import { useEffect } from "react";

/** A tap that is no scroll sends its click this long after the finger was lifted, at the latest. */
const TAP_MS = 500;

/**
 * Holds the `focusout` of each field while a pointer is pressed, until its click or the end of the press. A field that
 * loses the focus may show an error, which moves what is below it. If it moved between the two halves of a press, the
 * browser would send no click. The events arrive before the click's own handlers, as without a press.
 * @returns a function that ends it
 */
function holdDuringPress(): () => void {
  let isPressed = false;
  let ending: ReturnType<typeof setTimeout> | undefined;
  let held: FocusEvent[] = [];
  const release = () => {
    clearTimeout(ending);
    isPressed = false;
    const events = held;
    held = [];
    for (const { target, relatedTarget } of events)
      if (target !== document.activeElement)
        target?.dispatchEvent(new FocusEvent("focusout", { bubbles: true, relatedTarget }));
  };
  const watching = new AbortController();
  // On the window and in the capture phase, before React and everything else.
  const options = { signal: watching.signal, capture: true };
  window.addEventListener(
    "focusout",
    (event) => {
      if (!isPressed || !(event.target instanceof Element && event.target.matches("input, select, textarea")))
        return;
      event.stopPropagation();
      held.push(event);
    },
    options,
  );
  window.addEventListener(
    "pointerdown",
    () => {
      release();
      isPressed = true;
    },
    options,
  );
  // A mouse sends its click right after `pointerup`. A finger moves the focus only after it.
  window.addEventListener(
    "pointerup",
    ({ pointerType }) => {
      ending = setTimeout(release, pointerType === "touch" ? TAP_MS : 0);
    },
    options,
  );
  // A press on a scroll bar, or one that opens a list of the browser, has no end.
  for (const type of ["click", "pointercancel", "keydown"]) window.addEventListener(type, release, options);
  return () => {
    watching.abort();
    release();
  };
}

/** Rendered once in the root layout: no press is lost because a field turns red under it. */
export function SteadyPresses() {
  useEffect(holdDuringPress, []);
  return null;
}
