"use client";

import { useEffect } from "react";
import { hideScreen } from "@/components/shell/session";
import { IconButton } from "@/components/ui/controls";
import { HideIcon } from "@/components/ui/icons";

/** How close together the two presses must be. */
const TWICE_MS = 600;

/**
 * Blanks the page at once and asks for the password to return: by this button, or by pressing Escape twice,
 * which a hand finds without looking. An Escape that closes something is neither of the two.
 */
export function HideScreenButton() {
  useEffect(() => {
    let last = Number.NEGATIVE_INFINITY;
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key !== "Escape" || event.repeat) return;
      // Whatever closes by Escape prevents the default, and has done so before the event comes up here.
      const closes = event.defaultPrevented;
      if (!closes && event.timeStamp - last < TWICE_MS) hideScreen();
      last = closes ? Number.NEGATIVE_INFINITY : event.timeStamp;
    };
    window.addEventListener("keydown", onKeyDown);
    return () => window.removeEventListener("keydown", onKeyDown);
  }, []);
  return <IconButton label="Hide screen (press Esc twice)" icon={<HideIcon />} onClick={hideScreen} />;
}
