"use client";

import { useEffect, useRef } from "react";
import { isChosen, KEYS } from "./browser-choices";

/** What a key of the page does. `keys` is one character (`r`, `/`, `?`) or one with Ctrl: `Ctrl+S`, on a Mac also ⌘S. */
type Shortcut = { keys: string; label: string };
type Registered = Shortcut & { run: () => void };

/** In the order in which they were registered: the latest of a key is the one that acts. */
const registered: Registered[] = [];

/** The keys that act on this page now, each once. */
export const activeShortcuts = (): Shortcut[] => [
  ...new Map(registered.map(({ keys, label }) => [keys, { keys, label }])).values(),
];

/** Where a letter is text, or a key of the control itself. */
const TYPED_INTO =
  "input:not([type=checkbox], [type=radio]), textarea, select, [contenteditable=true], [role=listbox], [role=menu], [role=grid]";

/**
 * The key as `keys` names it; null where it is not for the page. Alt is left to the browser and, with Ctrl, to screen
 * readers; while these read the page, they keep single letters to themselves.
 */
export function keysOf(event: KeyboardEvent): string | null {
  if (event.key.length !== 1 || event.altKey || event.isComposing || event.repeat) return null;
  if (event.ctrlKey || event.metaKey) return event.shiftKey ? null : `Ctrl+${event.key.toUpperCase()}`;
  if (event.target instanceof Element && event.target.closest(TYPED_INTO)) return null;
  // Shift makes a ? of a key, but an R of an r.
  return event.shiftKey && /\p{L}/u.test(event.key) ? null : event.key.toLowerCase();
}

/** True if a dialog covers the page, or the lock that hides the screen does. */
export const isDialogOpen = (): boolean => document.querySelector("dialog[open], [role=dialog]") !== null;

function onKeyDown(event: KeyboardEvent) {
  if (event.defaultPrevented) return;
  const keys = keysOf(event);
  const shortcut = keys && registered.findLast((candidate) => candidate.keys === keys);
  // A dialog is answered first; behind the one that hides the screen, nothing may act at all.
  if (!shortcut || isDialogOpen() || !isChosen(KEYS)) return;
  event.preventDefault();
  shortcut.run();
}

/**
 * Gives the page a key while the caller is on it. It does nothing while text is typed (keys with Ctrl do), while a
 * dialog is open, or where the user has switched keys off. `label` is what the list of keys says (press `?`).
 */
export function useShortcut(keys: string, label: string, run: () => void, enabled = true): void {
  const latest = useRef(run);
  useEffect(() => {
    latest.current = run;
  });
  useEffect(() => {
    if (!enabled) return;
    const mine: Registered = { keys, label, run: () => latest.current() };
    if (registered.length === 0) window.addEventListener("keydown", onKeyDown);
    registered.push(mine);
    return () => {
      registered.splice(registered.indexOf(mine), 1);
      if (registered.length === 0) window.removeEventListener("keydown", onKeyDown);
    };
  }, [keys, label, enabled]);
}
