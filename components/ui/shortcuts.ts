"use client";

import { useLayoutEffect, useRef } from "react";
import { isChosen, KEYS } from "./browser-choices";

/** A keyboard shortcut. `keys` is one character (`r`, `/`, `?`) or one with Ctrl: `Ctrl+S`, on a Mac also ⌘S. */
type Shortcut = { keys: string; label: string };
type Registered = Shortcut & { run: () => void };

/** In registration order: the latest registration of a key wins. */
const registered: Registered[] = [];

/** Returns the active shortcuts of this page, without duplicates. */
export const activeShortcuts = (): Shortcut[] => [
  ...new Map(registered.map(({ keys, label }) => [keys, { keys, label }])).values(),
];

/** Elements that use a letter as text or as their own key. */
const TYPED_INTO =
  "input:not([type=checkbox], [type=radio]), textarea, select, [contenteditable=true], [role=listbox], [role=menu], [role=grid]";

/**
 * Returns the key in the format of `keys`; null if the key is not for the page. The browser uses Alt. Screen readers
 * use Ctrl with Alt, and in reading mode also single letters.
 */
function keysOf(event: KeyboardEvent): string | null {
  if (event.key.length !== 1 || event.altKey || event.isComposing || event.repeat) return null;
  if (event.ctrlKey || event.metaKey) return event.shiftKey ? null : `Ctrl+${event.key.toUpperCase()}`;
  if (event.target instanceof Element && event.target.closest(TYPED_INTO)) return null;
  // Shift turns a key into ?, but r into R.
  return event.shiftKey && /\p{L}/u.test(event.key) ? null : event.key.toLowerCase();
}

/** The number of dialogs that were requested and are still loading. */
let awaitedDialogs = 0;

/**
 * Makes the page's shortcuts do nothing while a requested dialog is loading. The user may already type for it, and a
 * letter would act on the page behind it.
 */
export function useAwaitedDialog(isAwaited: boolean): void {
  useLayoutEffect(() => {
    if (!isAwaited) return;
    awaitedDialogs += 1;
    return () => {
      awaitedDialogs -= 1;
    };
  }, [isAwaited]);
}

/** True if a dialog or the lock covers the page, or will once it is loaded. */
export const isDialogOpen = (): boolean =>
  awaitedDialogs > 0 || document.querySelector("dialog[open], [role=dialog]") !== null;

function onKeyDown(event: KeyboardEvent) {
  if (event.defaultPrevented) return;
  const keys = keysOf(event);
  const shortcut = keys && registered.findLast((candidate) => candidate.keys === keys);
  // A dialog takes precedence. Behind the lock, no shortcut may work.
  if (!shortcut || isDialogOpen() || !isChosen(KEYS)) return;
  event.preventDefault();
  shortcut.run();
}

/**
 * Registers a keyboard shortcut while the caller is mounted. It does nothing while a dialog is open, or if the user has
 * turned shortcuts off. While the user types, only shortcuts with Ctrl work. `label` is its text in the list of
 * shortcuts (press `?`). It works as soon as the caller is shown, hence the layout effects.
 */
export function useShortcut(keys: string, label: string, run: () => void, enabled = true): void {
  const latest = useRef(run);
  useLayoutEffect(() => {
    latest.current = run;
  });
  useLayoutEffect(() => {
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
