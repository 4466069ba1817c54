"use client";

import { type RefObject, useEffectEvent, useLayoutEffect, useRef } from "react";

/**
 * Collects the text typed while its field is `awaited`. Neither the page's shortcuts nor its controls get it: an `r`
 * would reconcile the form behind the loading finder. Escape stops waiting, also if loading fails.
 */
export function useTypedAhead(awaited: boolean, onGiveUp: () => void): RefObject<string> {
  const text = useRef("");
  const giveUp = useEffectEvent(onGiveUp);
  useLayoutEffect(() => {
    if (!awaited) return;
    const keep = (event: KeyboardEvent) => {
      // The screen was locked in the meantime: the typed text is a password.
      if (document.querySelector("[data-session-lock]")) return;
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      if (event.key === "Escape") giveUp();
      else if (event.key === "Backspace") text.current = text.current.slice(0, -1);
      else if (event.key.length === 1) text.current += event.key;
      else if (event.key !== "Enter") return;
      event.preventDefault();
      event.stopPropagation();
    };
    window.addEventListener("keydown", keep, { capture: true });
    return () => {
      window.removeEventListener("keydown", keep, { capture: true });
      text.current = "";
    };
  }, [awaited]);
  return text;
}
