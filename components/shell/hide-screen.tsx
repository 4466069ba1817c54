"use client";

import { useEffect } from "react";
import { hideScreen } from "@/components/shell/session";
import { IconButton } from "@/components/ui/controls";
import { HideIcon } from "@/components/ui/icons";
import { ignoredEscapes } from "@/components/ui/ignored-escapes";

/** The longest time between the two presses. */
const TWICE_MS = 600;

/** True if the browser closes a menu or a calendar after this press, wherever the focus is. */
const closesPopover = () => document.querySelector(":popover-open") !== null;

/**
 * Hides the page at once and asks for the password to return. Triggered by this button or by pressing Escape twice,
 * which works without looking. An Escape that closes something does not count. On a phone the button stays in its corner
 * while the page scrolls.
 */
export function HideScreenButton() {
  useEffect(() => {
    let last = Number.NEGATIVE_INFINITY;
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key !== "Escape" || event.repeat) return;
      // Other components that close on Escape prevent the default before the event bubbles up to here.
      const closes = closesPopover() || (event.defaultPrevented && !ignoredEscapes.has(event));
      if (!closes && event.timeStamp - last < TWICE_MS) hideScreen();
      last = closes ? Number.NEGATIVE_INFINITY : event.timeStamp;
    };
    window.addEventListener("keydown", onKeyDown);
    return () => window.removeEventListener("keydown", onKeyDown);
  }, []);
  return (
    <IconButton
      label="Hide screen (press Esc twice)"
      className="max-sm:fixed max-sm:top-1 max-sm:right-2 max-sm:z-30 max-sm:size-11 max-sm:border-line max-sm:bg-surface max-sm:shadow-sm"
      icon={<HideIcon />}
      onClick={hideScreen}
    />
  );
}
